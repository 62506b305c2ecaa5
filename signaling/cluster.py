"""Several nodes with one Redis: one node's hub owns each room; the other nodes relay their clients' frames to it.

Redis stores which node owns a room, and the room's record (capacity and tokens). When a node dies its lease expires,
and the next node that is asked for one of its rooms takes the room over from the record. While Redis is away every
node goes on with the rooms it owns; clients of other nodes' rooms are told to retry.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from random import uniform
from typing import Any

from signaling import frames
from signaling.frames import BadFrame, Create, Join
from signaling.hub import FLOODS, TRY_LATER, Hub, Outcome
from signaling.node import Node, Port
from signaling.rooms import Connection
from signaling.session import FAILURES, Message, Session

LEASE = 5.0
RETRY_PAUSE = (0.1, 0.6)  # seconds until Redis is tried again; random, so that not all nodes retry at once
REFRESH = 300.0  # seconds after which records are written anew, so that they do not expire in Redis before the room
GRACE = 60.0  # how many seconds Redis keeps a record after the room has expired here

log = logging.getLogger("speakeasy.signaling")

Guest = tuple[str, int]  # a client of another node in a room of this one: that node's name, the client's number there


class RemotePort:
    """The port of a guest: frames for it are sent to its node."""

    def __init__(self, tell: Callable[..., None], guest: Guest) -> None:
        self._tell, self._guest = tell, guest
        self._holds = 0
        self._held: list[tuple[Any, ...]] = []

    def send(self, text: str) -> None:
        self._forward("sent", text)

    def close(self, code: int, why: str) -> None:
        self._forward("closed", code, why)

    def hold(self) -> None:
        self._holds += 1

    def release(self) -> None:
        self._holds -= 1
        if not self._holds:
            held, self._held = self._held, []
            for message in held:
                self._forward(*message)

    def _forward(self, verb: str, *more: Any) -> None:
        node, number = self._guest
        if self._holds:
            self._held.append((verb, *more))
        else:
            self._tell(node, verb, number, *more)


class Cluster(Node):
    """A node that shares rooms with others. Connections are numbers for its own clients, (node, number) for guests."""

    def __init__(self, hub: Hub, url: str, lease: float = LEASE, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(hub, clock)
        self._url, self._lease = url, lease
        self._session: Session | None = None
        self._name = "none"
        self._owners: dict[Connection, str] = {}  # own clients in other nodes' rooms: which node
        self._unanswered: dict[Connection, asyncio.TimerHandle] = {}
        self._dirty: set[str] = set()
        self._writing = asyncio.Lock()
        self._refreshed_at = clock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None
        self._first_try = asyncio.Event()

    async def start(self) -> None:
        self._running = asyncio.get_running_loop().create_task(self._run())
        await self._first_try.wait()

    async def stop(self) -> None:
        if self._running is not None:
            await self._store(())
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running

    def redis_state(self) -> str:
        return "away" if self._session is None else "up"

    # Clients of this node

    async def receive(self, connection: Connection, text: str) -> None:
        out = Outcome()
        command = self.hub.admit(connection, text, self.clock(), out)
        owner = self._owners.get(connection)
        if command is None:
            await self._settle(out)
        elif owner is not None and self._session is not None:
            self._session.tell(owner, "frame", self._name, connection, text)
        elif isinstance(command, Join) and self._must_ask_redis(connection, command):
            await self._find_room(connection, command)
        else:
            await self._execute(connection, command)

    async def drop(self, connection: Connection) -> None:
        self.ports.pop(connection, None)
        self._leave_owner(connection, "lost")
        await self._settle(self.hub.drop(connection, self.clock()))

    async def cut(self, connection: Connection, why: str) -> None:
        out = Outcome()
        self.hub.cut(connection, why, self.clock(), out)
        await self._settle(out)

    async def tick(self) -> None:
        now = self.clock()
        await self._settle(self.hub.tick(now))
        if now - self._refreshed_at >= REFRESH:
            self._refreshed_at = now
            await self._store(self.hub.rooms)

    def dispatch(self, out: Outcome) -> None:
        super().dispatch(out)
        for connection, _, why in out.closes:
            self._leave_owner(connection, why if why in ("bye", *FLOODS) else "cut")

    async def _execute(self, connection: Connection, command: frames.Command) -> None:
        out = self.hub.execute(connection, command, self.clock())
        held = self._dispatch_held(connection, command, out)
        await self._settle(Outcome(changed_rooms=out.changed_rooms, ended_rooms=out.ended_rooms))
        if held is not None:
            held.release()

    def _dispatch_held(self, connection: Connection, command: frames.Command, out: Outcome) -> Port | None:
        """Dispatches an outcome, but holds the frame with a new token back until Redis has stored the token.

        Returns the held port, if there is one; the caller releases it after that.
        """
        has_token = bool(out.changed_rooms) and isinstance(command, Create | Join)
        held = self.ports.get(connection) if has_token else None
        if held is not None:
            held.hold()
        self.dispatch(out)
        return held

    async def _settle(self, out: Outcome) -> None:
        self.dispatch(out)
        if out.changed_rooms:
            await self._store(out.changed_rooms)
        if out.ended_rooms and self._session is not None:
            with SessionGuard(self._session):
                await self._session.forget(out.ended_rooms)

    def _must_ask_redis(self, connection: Connection, join: Join) -> bool:
        """Returns True if Redis must be asked: the code is well-formed, and the room is not owned here."""
        free = self.hub.clients[connection].room is None
        return free and join.code not in self.hub.rooms and frames.is_code(join.code)

    async def _find_room(self, connection: Connection, join: Join) -> None:
        session, answer = self._session, ["away"]
        if session is not None:
            with SessionGuard(session):
                answer = await session.find(join.code, self.hub.clients[connection].address, make=join.make)
        if connection not in self.hub.clients:
            return
        match answer:
            case ["home", node] if session is self._session and session is not None:
                self._owners[connection] = node
                self.hub.clients[connection].elsewhere = True
                later = asyncio.get_running_loop().call_later
                self._unanswered[connection] = later(self._lease, self._tell_to_retry, connection)
                session.tell(node, "join", self._name, connection, join.code, join.token)
            case ["mine", record]:
                if join.code not in self.hub.rooms:
                    self.hub.restore(join.code, json.loads(record), self.clock())
                await self._execute(connection, join)
            case ["code"]:
                await self._execute(connection, join)
            case ["wait"]:
                out = Outcome()
                self.hub.cut(connection, "wait", self.clock(), out)
                self.dispatch(out)
            case _:
                self._refuse(connection, "away")

    def _refuse(self, connection: Connection, why: str) -> None:
        out = Outcome()
        self.hub.refuse(connection, why, out)
        self.dispatch(out)

    def _leave_owner(self, connection: Connection, why: str) -> None:
        timer = self._unanswered.pop(connection, None)
        if timer is not None:
            timer.cancel()
        owner = self._owners.pop(connection, None)
        if owner is not None and self._session is not None:
            self._session.tell(owner, "gone", self._name, connection, why)

    def _tell_to_retry(self, connection: Connection) -> None:
        """Tells a client to retry: the node that owns its room cannot be reached, and another may take it over soon."""
        self._leave_owner(connection, "lost")
        out = self.hub.drop(connection, self.clock())
        out.send(connection, "err", "away")
        out.close(connection, TRY_LATER, "away")
        self.dispatch(out)

    # Messages from other nodes

    def _receive_message(self, message: Message) -> None:
        match message:
            case ["frame", str(node), int(number), str(text)]:
                self._guest_frame((node, number), text)
            case ["sent", int(number), str(text)]:
                self._cancel_timeout(number)
                if number in self._owners and number in self.ports:
                    self.ports[number].send(text)
            case ["join", str(node), int(number), str(code), None | str() as token]:
                self._guest_joins((node, number), Join(code, token))
            case ["no", int(number), str(why)] if number in self._owners:
                self._cancel_timeout(number)
                del self._owners[number]
                self.hub.clients[number].elsewhere = False
                self._refuse(number, why)
            case ["closed", int(number), int(code), str(why)] if number in self._owners:
                self._cancel_timeout(number)
                del self._owners[number]
                out = self.hub.drop(number, self.clock())
                out.close(number, code, why)
                self.dispatch(out)
            case ["gone", str(node), int(number), str(why)]:
                self._guest_leaves((node, number), why)

    def _cancel_timeout(self, number: int) -> None:
        timer = self._unanswered.pop(number, None)
        if timer is not None:
            timer.cancel()

    def _guest_joins(self, guest: Guest, join: Join) -> None:
        if self._session is None or guest in self.ports:
            return
        if join.code not in self.hub.rooms:  # it ended meanwhile: a retry gets `code` or makes it anew
            self._session.tell(guest[0], "no", guest[1], "away")
            return
        self.hub.add_remote_client(guest, self.clock())
        out = self.hub.execute(guest, join, self.clock())
        if self.hub.clients[guest].room is None:
            del self.hub.clients[guest]
            _, refusal = out.frames[-1]
            self._session.tell(guest[0], "no", guest[1], refusal[1])
            return
        self.ports[guest] = RemotePort(self._tell, guest)
        self._start(self._write_then_release(out.changed_rooms, self._dispatch_held(guest, join, out)))

    async def _write_then_release(self, kept: set[str], held: Port | None) -> None:
        await self._store(kept)
        if held is not None:
            held.release()

    def _guest_frame(self, guest: Guest, text: str) -> None:
        with suppress(BadFrame):
            command = frames.parse(text, self.hub.limits.frame_bytes)
            out = self.hub.execute(guest, command, self.clock())
            self.dispatch(out)
            if out.changed_rooms:
                self._start(self._store(out.changed_rooms))

    def _guest_leaves(self, guest: Guest, why: str) -> None:
        self.ports.pop(guest, None)
        out = self.hub.drop(guest, self.clock(), why)
        self.dispatch(out)
        if out.changed_rooms:
            self._start(self._store(out.changed_rooms))

    def _related_nodes(self) -> set[str]:
        return {*self._owners.values(), *(guest[0] for guest in self._guests())}

    def _guests(self) -> list[Guest]:
        return [connection for connection in self.ports if isinstance(connection, tuple)]

    def _node_gone(self, node: str) -> None:
        """Removes the guests of a dead node, and tells own clients in its rooms to retry."""
        for guest in [guest for guest in self._guests() if guest[0] == node]:
            self._guest_leaves(guest, "lost")
        for connection in [connection for connection, home in self._owners.items() if home == node]:
            self._tell_to_retry(connection)

    def _tell(self, node: str, *message: Any) -> None:
        if self._session is not None:
            self._session.tell(node, *message)

    # Redis

    async def _run(self) -> None:
        while True:
            session = Session(self._url, self._lease, self.hub.limits)
            try:
                await self._run_session(session)
            except asyncio.CancelledError:
                self._session = None
                await session.leave()
                raise
            self._continue_without_redis()
            self._first_try.set()
            await session.close()
            await asyncio.sleep(uniform(*RETRY_PAUSE))

    async def _run_session(self, session: Session) -> None:
        """Runs one session until it fails."""
        try:
            await session.enter(self._name)
            self._name, self._session = session.name, session
            log.info("sharing rooms as %s", session.name)
            self._start(self._store(self.hub.rooms))
            self._first_try.set()
            await session.run(self._receive_message, self._related_nodes, self._node_gone)
        except* FAILURES as trouble:
            log.warning("Redis is away (%s): rooms of this node only", trouble.exceptions[0])
        except* Exception as trouble:
            # a bug here ends the session, never the node
            log.critical("a session failed", exc_info=trouble)

    def _continue_without_redis(self) -> None:
        """Goes on without Redis: treats all other nodes as dead, and keeps the rooms that this node owns."""
        self._session = None
        for node in self._related_nodes():
            self._node_gone(node)

    async def _store(self, codes: Iterable[str]) -> None:
        """Stores the records of these rooms in Redis. The first of several waiting calls writes for all of them."""
        self._dirty.update(codes)
        async with self._writing:
            session, self._dirty, dirty = self._session, set(), self._dirty
            if session is None:
                return
            now, limits = self.clock(), self.hub.limits
            rooms = [self.hub.rooms[code] for code in dirty if code in self.hub.rooms]
            with SessionGuard(session):
                kept = [(room.code, room.record(), room.ends_at(limits) - now + GRACE) for room in rooms]
                lost = await session.keep(kept)
                self._end_moved(code for code in lost if code in self.hub.rooms)

    def _end_moved(self, codes: Iterable[str]) -> None:
        """Ends rooms that another node took over while this one counted as dead. Their clients rejoin by token."""
        out = Outcome()
        for code in list(codes):
            self.hub.end(code, "moved", TRY_LATER, out)
        self.dispatch(out)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class SessionGuard:
    """A context manager: a failure of Redis ends the session, and is not raised to the caller."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __enter__(self) -> None:
        """Does nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, FAILURES):
            self._session.fail(error)
            return True
        return False
