"""A node connects the hub with its clients' ports. This one keeps all rooms in memory; cluster.py adds other nodes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from signaling import frames
from signaling.hub import Hub, Outcome
from signaling.rooms import Connection


class Port(Protocol):
    """The outgoing side of one connection."""

    def send(self, text: str) -> None: ...

    def close(self, code: int, why: str) -> None: ...

    def hold(self) -> None:
        """Queues everything that is sent, in order, until `release`."""

    def release(self) -> None: ...


class Node:
    """One hub with all its rooms in memory."""

    def __init__(self, hub: Hub, clock: Callable[[], float] = time.monotonic) -> None:
        self.hub, self.clock = hub, clock
        self.ports: dict[Connection, Port] = {}

    async def start(self) -> None:
        """Called before the first connection."""

    async def stop(self) -> None:
        """Called before the connections are closed. After it, other nodes may take over this node's rooms."""

    async def connect(self, connection: Connection, address: str, port: Port) -> None:
        self.ports[connection] = port
        self.dispatch(self.hub.connect(connection, address, self.clock()))

    async def receive(self, connection: Connection, text: str) -> None:
        self.dispatch(self.hub.receive(connection, text, self.clock()))

    async def drop(self, connection: Connection) -> None:
        """Handles the end of a connection."""
        self.ports.pop(connection, None)
        self.dispatch(self.hub.drop(connection, self.clock()))

    async def cut(self, connection: Connection, why: str) -> None:
        """Cuts a client: too much waits for it ("slow"), or it sends too many frames of WebSocket's own ("fast")."""
        out = Outcome()
        self.hub.cut(connection, why, self.clock(), out)
        self.dispatch(out)

    async def tick(self) -> None:
        self.dispatch(self.hub.tick(self.clock()))

    def dispatch(self, out: Outcome) -> None:
        for connection, frame in out.frames:
            port = self.ports.get(connection)
            if port is not None:
                port.send(frames.dumps(frame))
        for connection, code, why in out.closes:
            port = self.ports.pop(connection, None)
            if port is not None:
                port.close(code, why)

    def redis_state(self) -> str:
        """Returns the state of Redis: `none`, `up` or `away`."""
        return "none"
