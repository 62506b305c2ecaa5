"""The signaling endpoint without sockets or a clock: frames in, frames and closes out.

`connect`, `receive`, `drop` and `tick` take a connection, an event and the time, and return an `Outcome`. The caller
(node.py) first sends the `frames`, then does the `closes`. The hub forgets a closed connection at once.

Where several nodes share rooms (cluster.py), one hub owns each room. For that case checking a frame and carrying out
its command are also separate methods.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from signaling import frames
from signaling.frames import BadFrame, Bye, Command, Create, Frame, Join, Ping, To
from signaling.limits import Limits
from signaling.rooms import Connection, Room, Slot, from_record
from signaling.throttle import MinuteCounter, TokenBucket

# Pages of version 0.1.0, which a service worker may still have, wait for two numbers behind the token
EXPECTED_BEFORE = (0, 0)
NORMAL = 1000
POLICY = 1008
TRY_LATER = 1013
FAST = "fast"  # the reason of a cut that the other devices are told as it is; all others are "cut" to them
FLOODS = (FAST, "bad")  # reasons of a cut after which the slot is closed for a while


@dataclass(slots=True)
class Outcome:
    """The frames to send, and then the connections to close, each with a code and a reason."""

    frames: list[tuple[Connection, Frame]] = field(default_factory=list)
    closes: list[tuple[Connection, int, str]] = field(default_factory=list)
    changed_rooms: set[str] = field(default_factory=set)  # codes of rooms whose record has changed
    ended_rooms: set[str] = field(default_factory=set)  # codes of rooms that no longer exist

    def send(self, connection: Connection, *frame: Any) -> None:
        self.frames.append((connection, list(frame)))

    def close(self, connection: Connection, code: int, why: str) -> None:
        self.closes.append((connection, code, why))


@dataclass(slots=True)
class Client:
    address: str
    connected_at: float
    bucket: TokenBucket
    excess: TokenBucket  # frames that exceed the bucket
    bad_frames: int = 0
    room: Room | None = None
    slot: int = 0
    elsewhere: bool = False  # in a room of another node's hub


class Hub:
    """All rooms and clients of one node."""

    def __init__(
        self, limits: Limits | None = None, random_bytes: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self.limits = limits or Limits()
        self.rooms: dict[str, Room] = {}
        self.clients: dict[Connection, Client] = {}
        self._by_address: dict[str, set[Connection]] = {}  # by address
        self.counts: Counter[str] = Counter()
        self._random_bytes = random_bytes
        self._wrong_codes = MinuteCounter(self.limits.wrong_codes)
        self._new_rooms = MinuteCounter(self.limits.new_rooms)

    # Events of a connection

    def connect(self, connection: Connection, address: str, now: float) -> Outcome:
        out = Outcome()
        if len(self.clients) >= self.limits.connections or self._is_crowded(address):
            self.counts["refused busy"] += 1
            out.send(connection, "err", "busy")
            out.close(connection, TRY_LATER, "busy")
            return out
        rate = self.limits.frames_a_second
        bucket, excess = TokenBucket(rate, self.limits.burst, now), TokenBucket(rate, self.limits.dropped, now)
        self.clients[connection] = Client(address, now, bucket, excess)
        self._by_address.setdefault(address, set()).add(connection)
        self.counts["connections"] += 1
        return out

    def receive(self, connection: Connection, text: str, now: float) -> Outcome:
        """Handles the text of one frame from a client."""
        out = Outcome()
        command = self.admit(connection, text, now, out)
        return out if command is None else self.execute(connection, command, now, out)

    def drop(self, connection: Connection, now: float, why: str = "lost") -> Outcome:
        """Handles the end of a connection. Its slot is held for the device."""
        out = Outcome()
        client = self._forget(connection)
        if client is not None:
            self._leave(client, why, now, out)
        return out

    def _forget(self, connection: Connection) -> Client | None:
        client = self.clients.pop(connection, None)
        if client is not None:
            connections = self._by_address.get(client.address, set())
            connections.discard(connection)
            if not connections:
                self._by_address.pop(client.address, None)
        return client

    def _is_crowded(self, address: str) -> bool:
        """Returns True if an address has too many connections, in all or without a room: no address may fill the
        endpoint."""
        clients = [self.clients[line] for line in self._by_address.get(address, ())]
        roomless = sum(client.room is None and not client.elsewhere for client in clients)
        return len(clients) >= self.limits.connections_per_address or roomless >= self.limits.roomless_per_address

    def tick(self, now: float) -> Outcome:
        """Ends expired rooms, and cuts clients that have not entered a room in time. Called every few seconds."""
        out = Outcome()
        limits = self.limits
        for room in [room for room in self.rooms.values() if room.ends_at(limits) <= now]:
            self.end(room.code, "expired", NORMAL, out)
        latest = now - limits.room_within
        for connection, client in list(self.clients.items()):
            if client.room is None and not client.elsewhere and client.connected_at <= latest:
                self.cut(connection, "idle", now, out)
        self._wrong_codes.forget(now)
        self._new_rooms.forget(now)
        return out

    # Limits for every frame, also of clients in other nodes' rooms

    def admit(self, connection: Connection, text: str, now: float, out: Outcome) -> Command | None:
        """Returns the command in `text`, or None if it is invalid or the client exceeds a limit."""
        client = self.clients.get(connection)
        if client is None:
            return None
        self.counts["frames"] += 1
        if not client.bucket.take(now):
            self.counts["dropped"] += 1
            if not client.excess.take(now):
                self.cut(connection, FAST, now, out)
            return None
        try:
            return frames.parse(text, self.limits.frame_bytes)
        except BadFrame as bad:
            client.bad_frames += 1
            self.refuse(connection, bad.args[0], out)
            if client.bad_frames > self.limits.bad_frames or bad.args[0] == "long":
                self.cut(connection, "bad", now, out)
            return None

    def refuse(self, connection: Connection, why: str, out: Outcome) -> None:
        self.counts[f"refused {why}"] += 1
        out.send(connection, "err", why)

    def cut(self, connection: Connection, why: str, now: float, out: Outcome) -> None:
        """Closes the connection of a client that exceeds a limit."""
        client = self._forget(connection)
        if client is None:
            return
        self.counts[f"cut {why}"] += 1
        out.send(connection, "err", why)
        out.close(connection, POLICY, why)
        self._leave(client, why if why in FLOODS else "cut", now, out)

    # Commands of a client

    def execute(self, connection: Connection, command: Command, now: float, out: Outcome | None = None) -> Outcome:
        """Carries out a command, or refuses it with a reason."""
        out = Outcome() if out is None else out
        client = self.clients.get(connection)
        if client is None:
            return out
        if client.room is not None:
            client.room.heard_at = max(client.room.heard_at, now)
        why = self._do(connection, client, command, now, out)
        if why is not None:
            self.refuse(connection, why, out)
        return out

    def _do(self, connection: Connection, client: Client, command: Command, now: float, out: Outcome) -> str | None:
        match command:
            case To(seat, data):
                return self._relay(client, seat, data, out)
            case Ping():
                out.send(connection, "pong")
                return None
            case Create(seats):
                capacity = min(max(seats or self.limits.slots, frames.FEWEST_SLOTS), self.limits.slots)
                return self._create(connection, client, "", capacity, now, out)
            case Join():
                return self._join(connection, client, command, now, out)
            case Bye():
                self._forget(connection)
                out.close(connection, NORMAL, "bye")
                self._leave(client, "bye", now, out)
                return None

    def _relay(self, client: Client, slot: int, data: dict[str, Any], out: Outcome) -> str | None:
        if client.room is None:
            return "room"
        holder = client.room.holder(slot)
        if holder is None or slot == client.slot:
            return "seat"
        self.counts["relayed"] += 1
        out.send(holder, "from", client.slot, data)
        return None

    def _create(
        self, connection: Connection, client: Client, code: str, capacity: int, now: float, out: Outcome
    ) -> str | None:
        """Makes a room, under `code` or, if that is empty, under a new one. Returns why not, or None."""
        if client.room is not None:
            return "room"
        if not self._new_rooms.allows(client.address, now):
            return "wait"
        if len(self.rooms) >= self.limits.rooms:
            return "busy"
        self._new_rooms.count(client.address, now)
        room = Room(code or self._new_code(), capacity, now)
        self.rooms[room.code] = room
        self.counts["rooms"] += 1
        room.slots.append(Slot(self._new_token()))
        self._take_slot(connection, client, room, 0, out)
        return None

    def _join(self, connection: Connection, client: Client, join: Join, now: float, out: Outcome) -> str | None:
        if client.room is not None:
            return "room"
        room = self.rooms.get(join.code)
        if room is None:
            return self._join_missing(connection, client, join, now, out)
        slot = room.free_slot(now) if join.token is None else room.slot_of(join.token)
        if slot is None:
            return "full" if join.token is None else "token"
        if join.token is not None and now < room.slots[slot].paused_until:
            return "wait"
        if join.token is None:
            room.slots[slot : slot + 1] = [Slot(self._new_token())]
        else:
            self._replace(room, slot, out)
        room.heard_at, room.emptied_at = now, None
        self._take_slot(connection, client, room, slot, out)
        return None

    def _join_missing(self, connection: Connection, client: Client, join: Join, now: float, out: Outcome) -> str | None:
        """Handles a join for a room that does not exist. Right codes are never blocked, but after too many wrong ones
        each further one costs the connection. Returns the reason of a refusal, or None."""
        refused: str | None = "code"
        if join.make and frames.is_code(join.code):
            refused = self._create(connection, client, join.code, self.limits.slots, now, out)
            if refused != "wait":
                return refused
        if not self.may_guess(client.address, now):
            self.cut(connection, "wait", now, out)
            return None
        self._wrong_codes.count(client.address, now)
        return refused

    # Entering and leaving

    def _take_slot(self, connection: Connection, client: Client, room: Room, slot: int, out: Outcome) -> None:
        others = [number for number in room.present() if number != slot]
        room.slots[slot].holder = connection
        client.room, client.slot = room, slot
        out.changed_rooms.add(room.code)
        self.counts["joined"] += 1
        out.send(connection, "room", room.code, slot, others, room.slots[slot].token, *EXPECTED_BEFORE)
        for other in room.others(slot):
            out.send(other, "in", slot)

    def _replace(self, room: Room, slot: int, out: Outcome) -> None:
        """Closes the present connection of a slot: the newest one with the token gets the slot."""
        old = room.slots[slot].holder
        if old is None:
            return
        self._forget(old)
        room.slots[slot].holder = None
        out.send(old, "err", "replaced")
        out.close(old, NORMAL, "replaced")
        for other in room.others(slot):
            out.send(other, "out", slot, "replaced")

    def _leave(self, client: Client, why: str, now: float, out: Outcome) -> None:
        room = client.room
        if room is None:
            return
        slot = room.slots[client.slot]
        if why in FLOODS:
            slot.begin_pause(now, self.limits)
            why = FAST if why == FAST else "cut"
        slot.holder, slot.held_until = None, now if why == "bye" else now + self.limits.slot_held
        client.room = None
        others = room.others(client.slot)
        for other in others:
            out.send(other, "out", client.slot, why)
        if not others:
            room.emptied_at = now
            out.changed_rooms.add(room.code)

    def end(self, code: str, reason: str, close: int, out: Outcome) -> None:
        """Ends a room: sends all its clients the reason and closes their connections."""
        room = self.rooms.pop(code)
        out.ended_rooms.add(code)
        self.counts[f"ended {reason}"] += 1
        for number in room.present():
            holder = room.slots[number].holder
            self._forget(holder)
            out.send(holder, "err", reason)
            out.close(holder, close, reason)

    def may_guess(self, address: str, now: float) -> bool:
        """Returns True if this address has not used up its wrong codes of this minute."""
        return self._wrong_codes.allows(address, now)

    def _new_code(self) -> str:
        while (code := frames.code_from(self._random_bytes(8))) in self.rooms:
            pass
        return code

    def _new_token(self) -> str:
        return urlsafe_b64encode(self._random_bytes(12)).decode()

    # Rooms shared with other nodes

    def add_remote_client(self, connection: Connection, now: float) -> None:
        """Adds a client of another node, which enforces its limits."""
        self.clients[connection] = Client("", now, TokenBucket(0.0, 0, now), TokenBucket(0.0, 0, now))

    def restore(self, code: str, record: dict[str, Any], now: float) -> None:
        """Restores a room from the record of the hub that owned it before."""
        self.rooms[code] = from_record(code, record, now, self.limits)
