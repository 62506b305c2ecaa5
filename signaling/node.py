"""Between the hub and the lines: who is where, what is sent and closed. Memory only; cluster.py adds the others."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from signaling import frames
from signaling.hub import Hub, Outcome
from signaling.rooms import Connection


class Port(Protocol):
    """Where frames for one connection go."""

    def send(self, text: str) -> None: ...

    def close(self, code: int, why: str) -> None: ...

    def hold(self) -> None:
        """Keep what is sent, in order, until `release`."""

    def release(self) -> None: ...


class Node:
    """One hub with all its rooms in memory."""

    def __init__(self, hub: Hub, clock: Callable[[], float] = time.monotonic) -> None:
        self.hub, self.clock = hub, clock
        self.ports: dict[Connection, Port] = {}

    async def start(self) -> None:
        """Before the first connection."""

    async def stop(self) -> None:
        """Before the lines are closed: from now on others may rule what was ours."""

    async def connect(self, connection: Connection, address: str, port: Port) -> None:
        self.ports[connection] = port
        self.dispatch(self.hub.connect(connection, address, self.clock()))

    async def receive(self, connection: Connection, text: str) -> None:
        self.dispatch(self.hub.receive(connection, text, self.clock()))

    async def drop(self, connection: Connection) -> None:
        """The line is gone."""
        self.ports.pop(connection, None)
        self.dispatch(self.hub.drop(connection, self.clock()))

    async def slow(self, connection: Connection) -> None:
        """Too much waits for a client that does not read."""
        out = Outcome()
        self.hub.cut(connection, "slow", self.clock(), out)
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

    def redis(self) -> str:
        """`none`, `up` or `away`."""
        return "none"
