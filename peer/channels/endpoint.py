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
from engine.core import Refused
from peer.channels.invite import CODE

LONGEST = 20_000
PING_EVERY = 25_000
PONG_WITHIN = 20_000  # milliseconds; the same limit holds from dialing to being in the room
HURRIED = 3_000  # the same, when there is reason to doubt the connection
NEVER = sys.maxsize
#: the longest pause before each retry. A random part of it is waited: otherwise all devices that lost the endpoint at
#: the same moment would return at the same moment
WAITS = (1_000, 2_000, 4_000, 8_000, 15_000, 30_000)
#: reasons why there is no slot for this device now, and for how long a retry is of no use; waited in full, before the
#: pause
REFUSALS = {"code": 2_000, "full": 10_000, "away": 1_000, "wait": 15_000, "busy": 5_000, "moved": 0, "expired": 0}
#: what the page shows for reasons that it has no text for
SAID = {"away": "busy", "wait": "busy", "moved": "lost", "expired": "lost"}
BREAK = "\n"  # between texts that travel together
TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")  # of a slot; checked because it is stored
FULL, MOST_AT_ONCE = 12_000, 40
PER_SECOND, BURST = 15.0, 60.0  # the endpoint cuts at 20 and 80


class Socket(Protocol):
    """A WebSocket to the endpoint that is open or being opened."""

    def send(self, text: str) -> None: ...

    def close(self) -> None: ...


class EndpointUser(Protocol):
    """The receiver of what the endpoint reports."""

    def seated(self) -> None: ...

    def came(self, seat: int) -> None: ...

    def went(self, seat: int) -> None: ...

    def said(self, seat: int, text: str) -> None: ...

    def changed(self) -> None: ...

    def holds(self) -> bool:
        """Returns True if this device keeps the table. If the room no longer exists, it is then made anew under its
        code."""


class Endpoint:
    """This device's place at the endpoint.

    `state` is "off", "connecting", "in", "lost" (a retry follows), or "replaced" (by another window).
    """

    def __init__(
        self,
        dial: Callable[[Endpoint], Socket],
        heard: EndpointUser,
        code: str = "",
        token: str | None = None,
        chance: Callable[[], float] = random,
    ) -> None:
        self.dial, self.heard, self.chance = dial, heard, chance
        self.code, self.token = code, token
        self.seat = -1
        self.state, self.why = "off", ""  # `why`: "lost" or one of REFUSALS, until this device has a slot again
        self.wire: Socket | None = None
        self.tries = 0
        self.again = 0  # when to dial again
        self.until = NEVER  # the connection counts as lost if nothing is received until then
        self.pinged = 0
        self.queue: deque[tuple[int, str]] = deque()  # slot, text
        self.tokens, self.at = BURST, 0

    @property
    def said(self) -> str:
        """The state as the page shows it. It stays the same during all retries."""
        return SAID.get(self.why, self.why) if self.why else self.state

    def open(self, now: int) -> None:
        self.state, self.until, self.pinged = "connecting", now + PONG_WITHIN, now
        self.wire = self.dial(self)

    def close(self) -> None:
        if self.wire is not None and self.state == "in":
            self.wire.send('["bye"]')
        self._end("off", "")

    def _end(self, state: str, why: str) -> None:
        """Sets the state before it closes the socket: a socket may report at once that it is closed."""
        wire, self.wire = self.wire, None
        self.state, self.why, self.seat, self.until = state, why, -1, NEVER
        self.queue.clear()  # other devices may have these slots after a return
        if wire is not None:
            wire.close()

    # Reports from the socket

    def opened(self) -> None:
        if self.wire is not None:
            make = ["make"] if self.heard.holds() else []
            first = ["join", self.code, self.token, *make] if self.code else ["create", {}]
            self.wire.send(json.dumps(first))

    def closed(self, now: int) -> None:
        """Handles the end of the connection. The endpoint holds the slot for this device."""
        if self.state in ("in", "connecting"):
            self._lost(now)

    def _lost(self, now: int, why: str = "lost") -> None:
        pause = int(self.chance() * WAITS[min(self.tries, len(WAITS) - 1)])
        self.again = now + REFUSALS.get(why, 0) + pause
        self.tries += 1
        self._end("lost", why)
        self.heard.changed()

    def received(self, text: str, now: int) -> None:
        self.until = NEVER
        try:
            frame = strict_json.loads(text, LONGEST)
        except Refused:
            return  # an invalid frame is ignored
        match frame:
            case ["room", str(code), int(seat), list(seats), str(token), int(), int()] if self._ours(code, token):
                self.code, self.seat, self.token, self.tries = code, seat, token, 0
                self.state, self.why = "in", ""
                self.heard.seated()
                for other in seats:
                    if type(other) is int:
                        self.heard.came(other)
            case ["in", int(seat)]:
                self.heard.came(seat)
            case ["out", int(seat), str()]:
                self.heard.went(seat)
            case ["from", int(seat), {"g": str(said)}]:
                for text in said.split(BREAK)[:MOST_AT_ONCE]:
                    self.heard.said(seat, text)
            case ["err", str(why)]:
                self._error(why, now)
            case _:
                pass

    def _ours(self, code: str, token: str) -> bool:
        """Returns True if this is the room that was asked for. A known code must not change: everything is stored under
        it."""
        named = code == self.code if self.code else CODE.fullmatch(code) is not None
        return named and TOKEN.fullmatch(token) is not None

    def _error(self, why: str, now: int) -> None:
        if why == "token" and self.token is not None:
            self.token = None  # the room was made anew under its code, or the slot was given away: any other will do
            self.opened()
        elif why == "replaced":
            self._end(why, "")
            self.heard.changed()
        elif why in REFUSALS:
            self._lost(now, why)

    # Sending

    def say(self, seat: int, text: str) -> None:
        """Queues a text for that slot; `pump` sends it. Drops the text if too many wait (upper layers send again)."""
        if self.state == "in" and len(self.queue) < 400:
            self.queue.append((seat, text))

    def withdraw(self, seat: int) -> list[str]:
        """Removes and returns the texts that still wait for that slot: they go by another route."""
        found = [text for to, text in self.queue if to == seat]
        self.queue = deque((to, text) for to, text in self.queue if to != seat)
        return found

    def pump(self, now: int) -> int:
        """Sends what the endpoint's rate limit allows now. Returns the time of the next call."""
        self.tokens = min(BURST, self.tokens + max(0, now - self.at) * PER_SECOND / 1000)
        self.at = now
        wire = self.wire
        while self.state == "in" and wire is not None and self.queue and self.tokens >= 1:
            self.tokens -= 1
            seat, texts = self._next()
            wire.send(json.dumps(["to", seat, {"s": 0, "g": BREAK.join(texts)}], separators=(",", ":")))
        if self.queue and self.state == "in":
            return now + 70
        return now + 1000

    def _next(self) -> tuple[int, list[str]]:
        """Removes and returns the first waiting text, together with those right behind it for the same slot."""
        seat, text = self.queue.popleft()
        texts, size = [text], len(text)
        while self.queue and self.queue[0][0] == seat and len(texts) < MOST_AT_ONCE:
            size += len(self.queue[0][1]) + 2
            if size > FULL:
                break
            texts.append(self.queue.popleft()[1])
        return seat, texts

    def tick(self, now: int) -> None:
        if now > self.until:
            self._lost(now)
        if self.state == "lost" and now >= self.again:
            self.open(now)
        elif self.state == "in" and now - self.pinged > PING_EVERY:
            self._ping(now, PONG_WITHIN)

    def _ping(self, now: int, patience: int) -> None:
        """Sends a ping that must be answered within `patience` milliseconds. Silence alone proves nothing, because a
        hidden page seldom pings."""
        if self.wire is not None:
            self.pinged, self.until = now, min(self.until, now + patience)
            self.wire.send('["ping"]')

    def hurry(self, now: int) -> None:
        """Retries or tests the connection at once: the page is visible again, or the network is back or has changed."""
        if self.state == "lost":
            self.tries, self.again = 0, now
        elif self.state == "in":
            self._ping(now, HURRIED)
        elif self.state == "connecting":
            self.until = min(self.until, now + 2 * HURRIED)
        self.tick(now)
