"""The signaling endpoint, from a device's side: stay in the room, come back to the same seat, say what goes wrong.

It carries texts between seats and knows nothing of what is in them. No socket in here: `Wire` is the port to one.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Protocol

from engine import strict
from engine.core import Refused

LONGEST = 20_000
PING_EVERY = 25_000
SILENT_FOR = 60_000  # milliseconds: a line that answers no ping
WAITS = (0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000)
#: reasons after which coming again is of no use
FINAL = ("code", "token", "full", "replaced", "expired")
BREAK = "\n"  # between texts that travel together
FULL, MOST_AT_ONCE = 12_000, 40
PER_SECOND, BURST = 15.0, 60.0  # the endpoint cuts at 20 and 80


class Wire(Protocol):
    """A line to the endpoint that was opened, or is being opened."""

    def send(self, text: str) -> None: ...

    def close(self) -> None: ...


class Heard(Protocol):
    """Who listens."""

    def seated(self) -> None: ...

    def came(self, seat: int) -> None: ...

    def went(self, seat: int) -> None: ...

    def said(self, seat: int, text: str) -> None: ...

    def changed(self) -> None: ...


class Endpoint:
    """`state`: "off", "connecting", "in", "lost" (coming again), or one of FINAL."""

    def __init__(
        self, dial: Callable[[Endpoint], Wire], heard: Heard, code: str = "", token: str | None = None
    ) -> None:
        self.dial, self.heard = dial, heard
        self.code, self.token = code, token
        self.seat = -1
        self.state = "off"
        self.wire: Wire | None = None
        self.tries = 0
        self.again = 0  # when to dial
        self.alive = 0  # when something was heard last
        self.pinged = 0
        self.queue: deque[tuple[int, str]] = deque()  # seat, text
        self.tokens, self.at = BURST, 0

    def open(self, now: int) -> None:
        self.state, self.alive, self.pinged = "connecting", now, now
        self.wire = self.dial(self)

    def close(self) -> None:
        if self.wire is not None:
            if self.state == "in":
                self.wire.send('["bye"]')
            self.wire.close()
        self.wire, self.state = None, "off"

    # What the wire reports

    def opened(self) -> None:
        if self.wire is not None:
            first = ["join", self.code, self.token] if self.code else ["create", {}]
            self.wire.send(json.dumps(first))

    def closed(self, now: int) -> None:
        """The line is gone; the seat is held for us."""
        self.wire = None
        if self.state in FINAL or self.state == "off":
            return
        self.again = now + WAITS[min(self.tries, len(WAITS) - 1)]
        self.tries += 1
        self.state, self.seat = "lost", -1
        self.heard.changed()

    def received(self, text: str, now: int) -> None:
        self.alive = now
        try:
            frame = strict.loads(text, LONGEST)
        except Refused:
            return  # an endpoint that talks nonsense is one that says nothing
        match frame:
            case ["room", str(code), int(seat), list(seats), str(token), int(), int()]:
                self.code, self.seat, self.token, self.tries = code, seat, token, 0
                self.state = "in"
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
                self._error(why)
            case _:
                pass

    def _error(self, why: str) -> None:
        if why == "token" and self.token is not None:
            self.token = None  # the room was made anew under its code: any seat will do
            if self.wire is not None:
                self.wire.close()
        elif why in FINAL:
            self.state = why
            self.heard.changed()
            if self.wire is not None:
                self.wire.close()

    # What is sent

    def say(self, seat: int, text: str) -> None:
        """Give this text to that seat. Never faster than the endpoint takes it; too much is dropped (and sent anew)."""
        if self.state == "in" and len(self.queue) < 400:
            self.queue.append((seat, text))

    def pump(self, now: int) -> int:
        """Send what may go now; gives when to call again."""
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
        """The first that waits, and what goes to the same seat right behind it."""
        seat, text = self.queue.popleft()
        texts, size = [text], len(text)
        while self.queue and self.queue[0][0] == seat and len(texts) < MOST_AT_ONCE:
            size += len(self.queue[0][1]) + 2
            if size > FULL:
                break
            texts.append(self.queue.popleft()[1])
        return seat, texts

    def tick(self, now: int) -> None:
        if self.state == "lost" and now >= self.again:
            self.open(now)
        elif self.state == "in" and now - self.pinged > PING_EVERY and self.wire is not None:
            self.pinged = now
            self.wire.send('["ping"]')
        if self.state in ("in", "connecting") and now - self.alive > SILENT_FOR and self.wire is not None:
            self.wire.close()
            self.closed(now)

    def hurry(self, now: int) -> None:
        """The page is seen again, or the network is back: do not wait."""
        if self.state == "lost":
            self.tries, self.again = 0, now
