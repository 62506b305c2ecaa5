"""The client of the signaling endpoint: it stays in the room, returns to the same slot, and reports what goes wrong.

The endpoint carries texts between slots and cannot read them. This module knows no real socket: `Socket` is the port to
one.
"""

from __future__ import annotations

import json
import re
import sys
from collections import deque
from collections.abc import Callable
from random import random
from typing import Protocol

from engine import strict_json
from engine.core import Nonsense
from peer.channels.invite import CODE
from peer.wire.limits import ENDPOINT, GrowingPause, Meter

LONGEST = 20_000
PING_EVERY = 25_000
PONG_WITHIN = 20_000  # milliseconds; the same limit holds from dialing to being in the room
PONG_WITHIN_IF_IN_DOUBT = 3_000  # the same, when there is reason to doubt the connection
NEVER = sys.maxsize
#: the longest pause before each retry. A random part of it is waited: otherwise all devices that lost the endpoint at
#: the same moment would return at the same moment
RETRY_PAUSES = (1_000, 2_000, 4_000, 8_000, 15_000, 30_000)
#: reasons why there is no slot for this device now, and for how long a retry is of no use; waited in full, before the
#: pause
REFUSALS = {"code": 2_000, "full": 10_000, "away": 1_000, "wait": 15_000, "busy": 5_000, "moved": 0, "expired": 0}
#: what the page shows for reasons that it has no text for
SHOWN = {"away": "busy", "wait": "busy", "moved": "lost", "expired": "lost", "flood": "lost"}
SEPARATOR = "\n"  # between texts that travel together
SEPARATOR_IN_JSON = "\\n"
FROM = re.compile(r'\["from", ?(\d{1,9}),')  # the beginning of a frame that carries texts from a slot
TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")  # of a slot; checked because it is stored
LONGEST_BATCH, MAX_AT_ONCE = 12_000, 40
PER_SECOND, BURST = 15.0, 60.0  # the endpoint drops what exceeds 20 and 80


class Socket(Protocol):
    """A WebSocket to the endpoint that is open or being opened."""

    def send(self, text: str) -> None: ...

    def close(self) -> None: ...


class EndpointUser(Protocol):
    """The receiver of what the endpoint reports."""

    def room_joined(self) -> None: ...

    def slot_taken(self, slot: int) -> None: ...

    def slot_left(self, slot: int, *, flooded: bool) -> None:
        """Called when the device in that slot is gone. `flooded`: the endpoint has cut it because it sent too much."""

    def admit_from_slot(self, slot: int, texts: int, characters: int) -> bool:
        """Counts texts from that slot before they are read. Returns False if they must be dropped."""

    def receive_from_slot(self, slot: int, text: str) -> None: ...

    def changed(self) -> None: ...

    def keeps_table(self) -> bool:
        """Returns True if this device keeps the table. If the room no longer exists, it is then made anew under its
        code."""


class Endpoint:
    """This device's place at the endpoint.

    `state` is "off", "connecting", "in", "lost" (a retry follows), or "replaced" (by another window).
    """

    def __init__(
        self,
        dial: Callable[[Endpoint], Socket],
        user: EndpointUser,
        code: str = "",
        token: str | None = None,
        chance: Callable[[], float] = random,
    ) -> None:
        self.dial, self.user, self.chance = dial, user, chance
        self.code, self.token = code, token
        self.slot = -1
        self.state, self.reason = "off", ""  # `reason`: "lost" or one of REFUSALS, until this device has a slot again
        self.socket: Socket | None = None
        self.tries = 0
        self.retry_at = 0  # when to dial again
        self.deadline = NEVER  # the connection counts as lost if nothing is received until then
        self.pinged_at = 0
        self.meter = Meter(0, ENDPOINT)  # everything from the endpoint
        self.pause = GrowingPause()  # after a flood from the endpoint itself
        self.queue: deque[tuple[int, str]] = deque()  # slot, text
        self.allowance, self.refilled_at = BURST, 0

    @property
    def shown_state(self) -> str:
        """The state as the page shows it. It stays the same during all retries."""
        return SHOWN.get(self.reason, self.reason) if self.reason else self.state

    def open(self, now: int) -> None:
        self.state, self.deadline, self.pinged_at = "connecting", now + PONG_WITHIN, now
        self.socket = self.dial(self)

    def close(self) -> None:
        if self.socket is not None and self.state == "in":
            self.socket.send('["bye"]')
        self._end("off", "")

    def _end(self, state: str, reason: str) -> None:
        """Sets the state before it closes the socket: a socket may report at once that it is closed."""
        socket, self.socket = self.socket, None
        self.state, self.reason, self.slot, self.deadline = state, reason, -1, NEVER
        self.queue.clear()  # other devices may have these slots after a return
        if socket is not None:
            socket.close()

    # Reports from the socket

    def opened(self) -> None:
        if self.socket is not None:
            make = ["make"] if self.user.keeps_table() else []
            frame = ["join", self.code, self.token, *make] if self.code else ["create", {}]
            self.socket.send(json.dumps(frame))

    def closed(self, now: int) -> None:
        """Handles the end of the connection. The endpoint holds the slot for this device."""
        if self.state in ("in", "connecting"):
            self._lost(now)

    def _lost(self, now: int, reason: str = "lost") -> None:
        pause = int(self.chance() * RETRY_PAUSES[min(self.tries, len(RETRY_PAUSES) - 1)])
        self.retry_at = now + REFUSALS.get(reason, 0) + pause
        self.tries += 1
        self._end("lost", reason)
        self.user.changed()

    def flooded(self, now: int) -> None:
        """Leaves an endpoint that sends what none sends: more than all slots together may send, or no text. It is
        tried again after a pause, which is longer each time."""
        self.pause.begin(now)
        self._lost(now, "flood")

    def received(self, text: str, now: int) -> None:
        """Handles a frame of the endpoint. It is counted before it is read."""
        if not self.meter.take(now, len(text)):
            self.flooded(now)
            return
        self.deadline = NEVER
        if self._admits(text):
            self._read(text, now)

    def _admits(self, text: str) -> bool:
        """Counts the texts from a slot in this frame. Returns False if they must be dropped."""
        sender = FROM.match(text)
        texts = 1 + text.count(SEPARATOR_IN_JSON)
        return sender is None or self.user.admit_from_slot(int(sender[1]), texts, len(text))

    def _read(self, text: str, now: int) -> None:
        try:
            frame = strict_json.loads(text, LONGEST)
        except Nonsense:
            return  # an invalid frame is ignored
        match frame:
            case (
                ["room", str(code), int(seat), list(seats), str(token)]
                # an endpoint of the previous version sends two more numbers, which no device uses
                | ["room", str(code), int(seat), list(seats), str(token), int(), int()]
            ) if self._is_own_room(code, token):
                self.code, self.slot, self.token, self.tries = code, seat, token, 0
                self.state, self.reason = "in", ""
                self.user.room_joined()
                for other in seats:
                    if type(other) is int:
                        self.user.slot_taken(other)
            case ["in", int(seat)]:
                self.user.slot_taken(seat)
            case ["out", int(seat), str(why)]:
                self.user.slot_left(seat, flooded=why == "fast")
            case ["from", int(seat), {"g": str(said)}] if FROM.match(text):  # else the texts were not counted
                for text in said.split(SEPARATOR)[:MAX_AT_ONCE]:
                    self.user.receive_from_slot(seat, text)
            case ["err", str(reason)]:
                self._error(reason, now)
            case _:
                pass

    def _is_own_room(self, code: str, token: str) -> bool:
        """Returns True if this is the room that was asked for. A known code must not change: everything is stored under
        it."""
        same_code = code == self.code if self.code else CODE.fullmatch(code) is not None
        return same_code and TOKEN.fullmatch(token) is not None

    def _error(self, reason: str, now: int) -> None:
        if reason == "token" and self.token is not None:
            self.token = None  # the room was made anew under its code, or the slot was given away: any other will do
            self.opened()
        elif reason == "replaced":
            self._end(reason, "")
            self.user.changed()
        elif reason in REFUSALS:
            self._lost(now, reason)

    # Sending

    def send(self, slot: int, text: str) -> None:
        """Queues a text for that slot; `pump` sends it. Drops the text if too many wait (upper layers send again)."""
        if self.state == "in" and len(self.queue) < 400:
            self.queue.append((slot, text))

    def withdraw(self, slot: int) -> list[str]:
        """Removes and returns the texts that still wait for that slot: they go by another route."""
        texts = [text for to, text in self.queue if to == slot]
        self.queue = deque((to, text) for to, text in self.queue if to != slot)
        return texts

    def pump(self, now: int) -> int:
        """Sends what the endpoint's rate limit allows now. Returns the time of the next call."""
        self.allowance = min(BURST, self.allowance + max(0, now - self.refilled_at) * PER_SECOND / 1000)
        self.refilled_at = now
        socket = self.socket
        while self.state == "in" and socket is not None and self.queue and self.allowance >= 1:
            self.allowance -= 1
            slot, texts = self._next_batch()
            socket.send(strict_json.dumps_ascii(["to", slot, {"s": 0, "g": SEPARATOR.join(texts)}]))
        if self.queue and self.state == "in":
            return now + 70
        return now + 1000

    def _next_batch(self) -> tuple[int, list[str]]:
        """Removes and returns the first waiting text, together with those right behind it for the same slot."""
        slot, text = self.queue.popleft()
        texts, size = [text], len(text)
        while self.queue and self.queue[0][0] == slot and len(texts) < MAX_AT_ONCE:
            size += len(self.queue[0][1]) + 2
            if size > LONGEST_BATCH:
                break
            texts.append(self.queue.popleft()[1])
        return slot, texts

    def tick(self, now: int) -> None:
        if now > self.deadline:
            self._lost(now)
        if self.state == "lost" and now >= self.retry_at and self.pause.is_over(now):
            self.open(now)
        elif self.state == "in" and now - self.pinged_at > PING_EVERY:
            self._ping(now, PONG_WITHIN)

    def _ping(self, now: int, patience: int) -> None:
        """Sends a ping that must be answered within `patience` milliseconds. Silence alone proves nothing, because a
        hidden page seldom pings."""
        if self.socket is not None:
            self.pinged_at, self.deadline = now, min(self.deadline, now + patience)
            self.socket.send('["ping"]')

    def cut(self) -> None:
        """Closes the connection without a good-bye: another window has this device's place now."""
        self.state = "replaced"
        if self.socket is not None:
            self.socket.close()

    def hurry(self, now: int) -> None:
        """Retries or tests the connection at once: the page is visible again, or the network is back or has changed."""
        if self.state == "lost":
            self.tries, self.retry_at = 0, now
        elif self.state == "in":
            self._ping(now, PONG_WITHIN_IF_IN_DOUBT)
        elif self.state == "connecting":
            self.deadline = min(self.deadline, now + 2 * PONG_WITHIN_IF_IN_DOUBT)
        self.tick(now)
