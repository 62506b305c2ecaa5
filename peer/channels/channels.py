"""All lines of a device: who is there, by which way each can be reached, and when to try another way.

Directly where two browsers can connect; through the endpoint or another device meanwhile, and where they cannot. Who
is reached by anybody is introduced to all. Of two devices the one with the smaller lock dials, so that both never do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine.core import Refused
from peer.channels.by_code import CodeConnections
from peer.channels.channel import DIRECT, LOST, QUIET, Channel, DirectConnection, Route
from peer.channels.dialing import Dialing
from peer.channels.endpoint import Endpoint
from peer.channels.handshake import Handshake
from peer.channels.routes import Direct, ViaDevice, ViaEndpoint
from peer.crypto.keys import Keys, from_base64
from peer.wire.limits import Meter

DIALS = (0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000)
GIVEN_UP = 15_000
PING = 2_000
ASLEEP = 10_000  # between two questions to who has not answered for long
PILED_UP = 2_000  # messages that may wait for a device that was suspended
TELL = 500  # milliseconds between two introductions

#: messages that cost nobody anything, or are counted elsewhere
PLENTY = ("p", "q", "f", "v", "w")

Make = Callable[[Callable[[], None], Callable[[str], None], Callable[[], None]], DirectConnection]


class ChannelUser(Protocol):
    """Who uses the lines."""

    def met(self, line: Channel) -> None:
        """That device is there, for the first time or on a new visit."""

    def message(self, line: Channel, message: list[Any]) -> None: ...

    def left(self, line: Channel) -> None:
        """It said good-bye."""

    def changed(self) -> None: ...

    def stranger(self, build: str) -> None:
        """Somebody with another version of the page knocks."""

    def muted(self, line: Channel, why: str) -> None:
        """It kept at what no honest device does, and is heard no more."""

    def missed(self) -> None:
        """Nobody came by a code."""

    def belongs(self, lock: str) -> bool:
        """Whether that device belongs to the table."""


class Channels:
    def __init__(
        self,
        me: Keys,
        key: bytes,
        nonce: str,
        build: str,
        upper: ChannelUser,
        now: Callable[[], int],
        make: Make | None,
    ) -> None:
        self.me, self.key, self.nonce, self.build = me, key, nonce, build
        self.user, self.now, self.make = upper, now, make
        self.endpoint: Endpoint | None = None
        self.by_key: dict[str, Channel] = {}
        self.handshake, self.by_code, self.dialing = Handshake(self), CodeConnections(self), Dialing(self)
        self.refused: dict[str, int] = {}
        self.awake = now()  # when this device last did anything
        self.told = -TELL  # when everybody was told who can be reached through here
        self.telling = False  # that it is not true any more

    @property
    def relay(self) -> bool:
        return self.endpoint is not None and self.endpoint.state == "in"

    def proven(self, line: Channel) -> bool:
        return self.by_key.get(line.seal_key) is line

    def met(self, line: Channel) -> None:
        line.gone = False
        self.user.met(line)
        self.tick()
        self.user.changed()

    # The endpoint's news

    def entered(self) -> None:
        """The room, once more: it may be another one, with other places."""
        self.handshake.seats.clear()
        for line in self.by_key.values():
            line.seat = -1

    def greet(self, seat: int) -> None:
        if self.endpoint is not None:
            self.endpoint.say(seat, self.handshake.hey(answer=True))

    def went(self, seat: int) -> None:
        """The endpoint does not see that device any more; a direct line has three seconds to prove itself."""
        self.handshake.seats.pop(seat, None)
        for line in self.by_key.values():
            if line.seat == seat:
                line.seat = -1
                line.heard = min(line.heard, self.now() - LOST + 3_000)
                line.near = min(line.near, line.heard)
                self.ping(line)
        self.user.changed()

    def said(self, seat: int, text: str) -> None:
        """A text from that seat. Whatever is wrong with it is counted and forgotten."""
        try:
            greeting = text[:1] == "h"
            if not self.handshake.lets(seat, greeting=greeting):
                raise Refused("net.flood")
            line = self.handshake.seats.get(seat)
            if greeting:
                self.handshake.greeted(seat, text)
            elif line is not None:
                self.read(line, text, ViaEndpoint(self, seat))
            elif self.handshake.lets(seat, greeting=True):
                self.greet(seat)
        except Refused as refused:
            self.count(refused)

    def count(self, refused: Refused) -> None:
        self.refused[refused.reason] = self.refused.get(refused.reason, 0) + 1

    def strike(self, line: Channel, refused: Refused) -> None:
        """What no honest device says, and nobody else can have said for it."""
        self.count(refused)
        if self.proven(line) and not line.muted and line.strikes.one_more(self.now()):
            self.mute(line)
            self.user.muted(line, refused.reason)

    def mute(self, line: Channel) -> None:
        """It is heard no more, and its connection closed."""
        line.muted = True
        line.drop()

    # Messages

    def send(self, line: Channel, message: list[Any]) -> None:
        """What cannot be sent to one device is counted, and all others get theirs."""
        try:
            for text in line.sealed(message):
                self._carry(line, text)
        except Refused as refused:
            self.count(refused)

    def _carry(self, line: Channel, text: str) -> None:
        directly = line.open and not line.stale
        if (directly or not self._relayed(line, text)) and line.open and line.peer is not None:
            line.peer.send(text)

    def _relayed(self, line: Channel, text: str) -> bool:
        """By the endpoint, or through who has brought its words before, or says that it reaches it."""
        if self.relay and line.seat >= 0 and self.endpoint is not None:
            self.endpoint.say(line.seat, text)
            return True
        for lock in sorted(line.through, key=lambda lock: lock != line.way):
            other = self.by_key.get(lock)
            if other is not None and other.open and not other.stale:
                self.send(other, ["v", line.seal_key, text])
                return True
        return False

    def ping(self, line: Channel) -> None:
        """Ask whether it is there, by every way that may still lead to it."""
        line.pinged = self.now()
        if line.open and line.peer is not None:
            for text in line.sealed(["p"]):
                line.peer.send(text)
        if not line.open or line.stale or self.now() - line.heard > QUIET:
            for text in line.sealed(["p"]):
                self._relayed(line, text)

    def read(self, line: Channel, text: str, way: Route) -> None:
        """A text for this line. Raises `Refused` for what its device may not have said: anybody can carry such."""
        if line.muted:
            return
        message = line.opened(text, way.name)
        now = self.now()
        self._look_up(now)
        if message is None:
            return
        if not line.all.take(now):
            self.strike(line, Refused("net.flood"))
            return
        if message[0] == "p":  # answered where it came from: that is what was asked
            for answer in line.sealed(["q", *(str(word)[:60] for word in message[1:2])]):
                way.say(answer)
        if self._is_there(line, message, way, now):
            early, line.early = line.early, []
            for one in (*early, message):
                try:
                    self._take(line, one)
                except Refused as refused:
                    self.strike(line, refused)

    def _is_there(self, line: Channel, message: list[Any], way: Route, now: int) -> bool:
        """Whether it is known whose words these are; it may be from now on, or by this way."""
        fresh = not self.proven(line)
        if fresh:
            if not self.handshake.proves(line, message):
                return False
            self.handshake.admit(line, invited=not isinstance(way, ViaDevice))
        moved = way.leads_to(line)
        self._heard(line, way.name, now)
        if fresh or moved:
            self.met(line)
        return True

    def _heard(self, line: Channel, way: str, now: int) -> None:
        """It is there. If it was silent for long, what was tried meanwhile does not count; where only its connection
        is silent that is given up: it can be made anew."""
        if way == DIRECT:
            line.near = now
            if line.stale:
                line.stale = False
                self.introduce()
        elif line.stale:
            line.tries = 0
            self.closed(line)
        if now - line.heard > LOST and not line.open:
            line.drop()
            line.tries, line.dial_at = 0, now
        line.heard = now

    def _take(self, line: Channel, message: list[Any]) -> None:
        if message[0] not in PLENTY and not line.wishes.take(self.now()):
            raise Refused("net.flood")
        match message:
            case ["p" | "q", *_]:
                pass
            case ["o", int(attempt), str(offer)]:
                self.dialing.run(self.dialing.answer(line, attempt, from_base64(offer)))
            case ["a", int(attempt), str(answer)]:
                if line.peer is not None and attempt == line.attempt and not line.open:
                    self.dialing.run(self.dialing.complete(line, line.peer, from_base64(answer)))
            case ["x"]:
                line.direct = False
                line.drop()
            case ["b"]:
                line.gone = True
                line.drop()
                self.user.left(line)
                self.user.changed()
            case _:
                self._for_others(line, message)

    def _for_others(self, line: Channel, message: list[Any]) -> None:
        """Introductions, and what is passed on; all else is for whoever uses the lines."""
        match message:
            case ["d", int(attempt)]:
                if line.peer is not None and attempt == line.attempt:
                    line.drop()
                    line.tries, line.dial_at = 0, self.now()
            case ["k", list(known)]:
                self.handshake.listed(line, known)
                self.user.changed()
            case ["v", str(lock), str(text)]:
                to = self.by_key.get(lock)
                reached = to is not None and (to.open or (self.relay and to.seat >= 0))
                if to is not None and reached and line.carried.take(self.now()):
                    self.send(to, ["w", *line.who, text])
            case ["w", str(signer), str(lock), str(nonce), str(text)]:
                self._passed(line, signer, lock, nonce, text)
            case _:
                self.user.message(line, message)

    def _passed(self, by: Channel, signer: str, lock: str, nonce: str, text: str) -> None:
        line = self.handshake.through(by, signer, lock, nonce)
        if line is None:
            return
        try:
            self.read(line, text, ViaDevice(self, by, lock))
        except Refused as refused:  # who carried it has not read it
            self.count(refused)

    def introduce(self) -> None:
        """Tell everybody who can be reached through here; not again and again."""
        now = self.now()
        self.telling = now - self.told < TELL
        if self.telling:
            return
        self.told = now
        known = [list(line.who) for line in self.by_key.values() if line.open and not line.stale and not line.muted]
        for line in self.by_key.values():
            if line.open:
                self.send(line, ["k", [row for row in known if row[1] != line.seal_key]])

    # Direct connections

    def opened(self, line: Channel) -> None:
        line.open, line.stale, line.tries, line.heard, line.near = True, False, 0, self.now(), self.now()
        if self.endpoint is not None and line.peer is not None:  # which is slower
            for text in self.endpoint.withdraw(line.seat):
                line.peer.send(text)
        self.introduce()
        self.user.changed()

    def closed(self, line: Channel) -> None:
        was_open = line.open
        line.drop()
        line.dial_at = self.now() + DIALS[min(line.tries, len(DIALS) - 1)]
        if was_open and self.me.seal_key > line.seal_key and self._reach(line):
            self.send(line, ["d", line.attempt])  # the other side dials
        self.introduce()
        self.user.changed()

    def hear(self, line: Channel, text: str) -> None:
        """By its own connection: nobody else speaks there."""
        try:
            if text[:1] != "h":
                self.read(line, text, Direct(line))
        except Refused as refused:
            if refused.reason == "net.twice":  # it came by another way before
                self.count(refused)
            else:
                self.strike(line, refused)

    # Time

    def tick(self) -> None:
        now = self.now()
        self._look_up(now)
        self.handshake.tick(now)
        self.by_code.tick(now)
        if self.telling:
            self.introduce()
        for line in list(self.by_key.values()):
            self._watch(line, now)
            if line.peer is None and self._may_dial(line, now):
                line.dial_at = now + GIVEN_UP
                self.dialing.run(self.dialing.dial(line))
            elif line.peer is not None and not line.open and now - line.tried_at > GIVEN_UP:
                self.closed(line)

    def _look_up(self, now: int) -> None:
        """If this page has slept for long the others may have given its connections up, whatever it knows of it. What
        they have said meanwhile is no flood."""
        slept, self.awake = now - self.awake, now
        if slept <= LOST:
            return
        self.handshake.slept(PILED_UP)
        for line in self.by_key.values():
            meters: tuple[Meter, ...] = (line.all, line.wishes, line.carried)
            for meter in meters:
                meter.slept(PILED_UP)
            if line.open:
                line.tries, line.stale = 0, True
                self.ping(line)

    def _watch(self, line: Channel, now: int) -> None:
        """Whoever is silent is asked, whichever way they are reached.

        A connection that is silent is kept until its device is heard by another way: it may be the only one.
        """
        silent = now - line.heard
        if line.open and not line.stale and now - line.near > LOST:
            line.stale, line.tries = True, 0
            self.introduce()
            self.user.changed()
        pause = PING // 2 if silent < LOST else ASLEEP
        quiet = silent > PING or (line.open and now - line.near > PING)
        if quiet and now - line.pinged > pause and not (line.gone or line.muted) and (line.open or self._reach(line)):
            self.ping(line)

    def _reach(self, line: Channel) -> bool:
        """By the endpoint, or through somebody."""
        return (self.relay and line.seat >= 0) or any(
            lock in self.by_key and self.by_key[lock].open and not self.by_key[lock].stale for lock in line.through
        )

    def _may_dial(self, line: Channel, now: int) -> bool:
        wanted = self.make is not None and line.direct and not line.gone and not line.muted
        return wanted and self._reach(line) and self.me.seal_key < line.seal_key and now >= line.dial_at

    def hurry(self) -> None:
        """The page is seen again: what is not open is dialled at once, what is open is asked."""
        for line in self.by_key.values():
            line.dial_at, line.tries = self.now(), 0
            self.ping(line)

    def leave(self) -> None:
        for line in self.by_key.values():
            self.send(line, ["b"])
            line.drop()
        self.by_code.close()
