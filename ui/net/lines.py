"""All lines of a device: who is there, by which way each can be reached, and when to try another way.

Directly where two browsers can connect; through the endpoint or another device meanwhile, and where they cannot. Who
is reached by anybody is introduced to all. Of two devices the one with the smaller lock dials, so that both never do.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from engine import strict
from engine.core import Refused
from ui.net.box import open_box, seal
from ui.net.endpoint import Endpoint
from ui.net.frames import PROTOCOL
from ui.net.keys import Keys, bytes_of, text_of
from ui.net.line import LOST, Line, Peer
from ui.net.shapes import code, fixed, many, one_of, plain, whole
from ui.net.strays import Strays

DIALS = (0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000)
GIVEN_UP = 15_000
PING = 2_000
ASLEEP = 10_000  # between two questions to who has not answered for long
MOST = 40  # devices

_key = code(43, 43)
_nonce = code(22, 16)
_HEY = fixed(one_of("hey"), whole(), plain(64), _key, _key, _nonce, whole(0, 1))
_KNOWN = many(fixed(_key, _key, _nonce), MOST)

Make = Callable[[Callable[[], None], Callable[[str], None], Callable[[], None]], Peer]


class Upper(Protocol):
    """Who uses the lines."""

    def met(self, line: Line) -> None:
        """That device is there, for the first time or on a new visit."""

    def message(self, line: Line, message: list[Any]) -> None: ...

    def left(self, line: Line) -> None:
        """It said good-bye."""

    def changed(self) -> None: ...

    def stranger(self, build: str) -> None:
        """Somebody with another version of the page knocks."""


class Lines:
    def __init__(
        self, me: Keys, key: bytes, nonce: str, build: str, upper: Upper, now: Callable[[], int], make: Make | None
    ) -> None:
        self.me, self.key, self.nonce, self.build = me, key, nonce, build
        self.upper, self.now, self.make = upper, now, make
        self.endpoint: Endpoint | None = None
        self.lines: dict[str, Line] = {}
        self.strays = Strays(self)
        self.refused: dict[str, int] = {}
        self.awake = now()  # when this device last did anything
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def relay(self) -> bool:
        return self.endpoint is not None and self.endpoint.state == "in"

    # Greetings

    def hey(self, *, answer: bool) -> str:
        row = ["hey", PROTOCOL, self.build, self.me.signer, self.me.lock, self.nonce, int(answer)]
        return "h" + seal(self.key, "hey", json.dumps(row).encode())

    def greeted(self, text: str, seat: int, peer: Peer | None) -> None:
        content = open_box(self.key, "hey", text[1:])
        _, protocol, build, signer, lock, nonce, answer = _HEY(strict.loads(content.decode("utf-8", "replace"), 1000))
        if lock == self.me.lock:
            return
        if (protocol, build) != (PROTOCOL, self.build):
            if answer and seat >= 0 and self.endpoint is not None:
                self.endpoint.say(seat, self.hey(answer=False))  # both shall know
            self.upper.stranger(build)
            return
        line = self._known(signer, lock, nonce)
        if line is None:
            return
        if seat >= 0:
            for other in self.lines.values():
                other.seat = -1 if other.seat == seat else other.seat  # it had the place before
            line.seat = seat
        if peer is not None:
            self.strays.adopt(line, peer)
        if answer and seat >= 0 and self.endpoint is not None:
            self.endpoint.say(seat, self.hey(answer=False))
        self._met(line)

    def _known(self, signer: str, lock: str, nonce: str) -> Line | None:
        """The line to that device; a new visit of it starts a new one."""
        line = self.lines.get(lock)
        if line is None:
            if len(self.lines) >= MOST:
                return None
            line = self.lines[lock] = Line(self.me, self.nonce, signer, lock, nonce, self.now())
        elif line.nonce != nonce:
            line.drop()
            line.renew(nonce, self.now())
            line.tries, line.dial_at = 0, self.now()
        elif line.signer != signer:
            raise Refused("net.other_key")
        return line

    def _met(self, line: Line) -> None:
        line.gone = False
        self.upper.met(line)
        self.tick()
        self.upper.changed()

    # The endpoint's news

    def greet(self, seat: int) -> None:
        if self.endpoint is not None:
            self.endpoint.say(seat, self.hey(answer=True))

    def went(self, seat: int) -> None:
        """The endpoint does not see that device any more; a direct line has three seconds to prove itself."""
        for line in self.lines.values():
            if line.seat == seat:
                line.seat = -1
                line.heard = min(line.heard, self.now() - LOST + 3_000)
                if line.open:
                    self.send(line, ["p"])
        self.upper.changed()

    def said(self, seat: int, text: str) -> None:
        """A text from that seat. Whatever is wrong with it is counted and forgotten."""
        try:
            if text[:1] == "h":
                self.greeted(text, seat, None)
                return
            line = next((line for line in self.lines.values() if line.seat == seat), None)
            if line is None:
                self.greet(seat)
                return
            self.read(line, text)
        except Refused as refused:
            self.count(refused)

    def count(self, refused: Refused) -> None:
        self.refused[refused.reason] = self.refused.get(refused.reason, 0) + 1

    # Messages

    def send(self, line: Line, message: list[Any]) -> None:
        texts = line.sealed(message)
        for text in texts:
            self._carry(line, text)

    def _carry(self, line: Line, text: str) -> None:
        if line.open and line.peer is not None:
            line.peer.send(text)
        elif self.relay and line.seat >= 0 and self.endpoint is not None:
            self.endpoint.say(line.seat, text)
        else:
            for lock in line.through:
                other = self.lines.get(lock)
                if other is not None and other.open:
                    self.send(other, ["v", line.lock, text])
                    return

    def read(self, line: Line, text: str) -> None:
        message = line.opened(text)
        now = self.now()
        self._look_up(now)
        if now - line.heard > LOST and not line.open:  # it is awake again: what was tried meanwhile does not count
            line.drop()
            line.tries, line.dial_at = 0, now
        line.heard = now
        if message is not None:
            self._take(line, message)

    def _take(self, line: Line, message: list[Any]) -> None:
        match message:
            case ["p"]:
                self.send(line, ["q"])
            case ["q"]:
                pass
            case ["o", int(attempt), str(offer)]:
                self._run(self._answer(line, attempt, bytes_of(offer)))
            case ["a", int(attempt), str(answer)]:
                if line.peer is not None and attempt == line.attempt and not line.open:
                    self._run(self._complete(line, line.peer, bytes_of(answer)))
            case ["x"]:
                line.direct = False
                line.drop()
            case ["b"]:
                line.gone = True
                line.drop()
                self.upper.left(line)
                self.upper.changed()
            case _:
                self._for_others(line, message)

    def _for_others(self, line: Line, message: list[Any]) -> None:
        """Introductions, and what is passed on; all else is for whoever uses the lines."""
        match message:
            case ["k", list(known)]:
                self._introduced(line, known)
            case ["v", str(lock), str(text)]:
                to = self.lines.get(lock)
                if to is not None and (to.open or (self.relay and to.seat >= 0)):
                    self.send(to, ["w", line.signer, line.lock, line.nonce, text])
            case ["w", str(signer), str(lock), str(nonce), str(text)]:
                self._passed(line, signer, lock, nonce, text)
            case _:
                self.upper.message(line, message)

    def _introduced(self, by: Line, known: list[Any]) -> None:
        """Whom that device reaches; who was reached through it and is no more is not."""
        found = _KNOWN(known)
        for line in self.lines.values():
            line.through.discard(by.lock)
        for signer, lock, nonce in found:
            if lock == self.me.lock:
                continue
            fresh = lock not in self.lines
            met = self._known(signer, lock, nonce) if fresh else self.lines[lock]
            if met is not None:
                met.through.add(by.lock)
                if fresh:
                    self._met(met)
        self.upper.changed()

    def _passed(self, by: Line, signer: str, lock: str, nonce: str, text: str) -> None:
        _KNOWN([[signer, lock, nonce]])
        if lock == self.me.lock:
            return
        fresh = lock not in self.lines or self.lines[lock].nonce != nonce
        line = self._known(signer, lock, nonce)
        if line is None:
            return
        line.through.add(by.lock)
        if fresh:
            self._met(line)
        self.read(line, text)

    def introduce(self) -> None:
        """Tell everybody who can be reached through here."""
        known = [[line.signer, line.lock, line.nonce] for line in self.lines.values() if line.open]
        for line in self.lines.values():
            if line.open:
                self.send(line, ["k", [row for row in known if row[1] != line.lock]])

    # Direct connections

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _peer(self, line: Line) -> Peer | None:
        """A new connection on this line; what an older one still reports is nobody's."""
        if self.make is None:
            return None
        line.drop()
        line.tried_at = self.now()
        peer: list[Peer] = []

        def mine() -> bool:
            return bool(peer) and line.peer is peer[0]

        made = self.make(
            lambda: self.opened(line) if mine() else None,
            lambda text: self._heard(line, text) if mine() else None,
            lambda: self.closed(line) if mine() else None,
        )
        peer.append(made)
        line.peer = made
        return made

    async def _dial(self, line: Line) -> None:
        peer = self._peer(line)
        if peer is None:
            return
        line.attempt += 1
        line.tries += 1
        attempt = line.attempt
        try:
            offer = await peer.offer()
        except Refused as refused:
            self.count(refused)
            self.closed(line)
            return
        if line.peer is peer:
            self.send(line, ["o", attempt, text_of(offer)])

    async def _answer(self, line: Line, attempt: int, offer: bytes) -> None:
        if self.make is None:
            self.send(line, ["x"])
            return
        peer = self._peer(line)
        if peer is None:
            return
        line.attempt = attempt
        try:
            answer = await peer.accept(offer)
        except Refused as refused:
            self.count(refused)
            self.closed(line)
            return
        if line.peer is peer:
            self.send(line, ["a", attempt, text_of(answer)])

    async def _complete(self, line: Line, peer: Peer, answer: bytes) -> None:
        try:
            await peer.complete(answer)
        except Refused as refused:
            self.count(refused)
            if line.peer is peer:
                self.closed(line)

    def opened(self, line: Line) -> None:
        line.open, line.tries, line.heard, line.since = True, 0, self.now(), self.now()
        self.introduce()
        self.upper.changed()

    def closed(self, line: Line) -> None:
        line.drop()
        line.dial_at = self.now() + DIALS[min(line.tries, len(DIALS) - 1)]
        self.introduce()
        self.upper.changed()

    def _heard(self, line: Line, text: str) -> None:
        try:
            if text[:1] != "h":
                self.read(line, text)
        except Refused as refused:
            self.count(refused)

    # Time

    def tick(self) -> None:
        now = self.now()
        self._look_up(now)
        for line in list(self.lines.values()):
            self._watch(line, now)
            if line.peer is None and self._may_dial(line, now):
                line.dial_at = now + GIVEN_UP
                self._run(self._dial(line))
            elif line.peer is not None and not line.open and now - line.tried_at > GIVEN_UP:
                self.closed(line)

    def _look_up(self, now: int) -> None:
        """If this page has slept for long the others have given its connections up, whatever it knows of it."""
        slept, self.awake = now - self.awake, now
        for line in self.lines.values() if slept > LOST else ():
            if line.open:
                line.tries = 0
                self.closed(line)

    def _watch(self, line: Line, now: int) -> None:
        """Whoever is silent is asked, whichever way they are reached."""
        silent = now - line.heard
        if line.open and silent > LOST:
            line.tries = 0
            self.closed(line)
        pause = PING // 2 if silent < LOST else ASLEEP
        if silent > PING and now - line.pinged > pause and not line.gone and (line.open or self._reach(line)):
            line.pinged = now
            self.send(line, ["p"])

    def _reach(self, line: Line) -> bool:
        """By the endpoint, or through somebody."""
        return (self.relay and line.seat >= 0) or any(
            lock in self.lines and self.lines[lock].open for lock in line.through
        )

    def _may_dial(self, line: Line, now: int) -> bool:
        wanted = self.make is not None and line.direct and not line.gone
        return wanted and self._reach(line) and self.me.lock < line.lock and now >= line.dial_at

    def hurry(self) -> None:
        """The page is seen again: what is not open is dialled at once, what is open is asked."""
        for line in self.lines.values():
            line.dial_at, line.tries = self.now(), 0
            if line.open:
                self.send(line, ["p"])

    def leave(self) -> None:
        for line in self.lines.values():
            self.send(line, ["b"])
            line.drop()
        self.strays.close()
