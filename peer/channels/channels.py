"""All channels of a device: which devices are present, by which route each can be reached, and when to try another.

Devices connect directly where two browsers can. Meanwhile, and where they cannot, the endpoint or another device relays
their texts. Each device introduces the devices it reaches to all others. Of two devices the one with the smaller seal
key dials, so that they never dial each other at once.
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
ASLEEP = 10_000  # milliseconds between two pings to a device that has been silent for long
PILED_UP = 2_000  # messages that may wait for a device that was suspended
TELL = 500  # milliseconds between two introductions

#: kinds of messages that cost other devices nothing, or that are counted elsewhere
PLENTY = ("p", "q", "f", "v", "w")

Make = Callable[[Callable[[], None], Callable[[str], None], Callable[[], None]], DirectConnection]


class ChannelUser(Protocol):
    """The owner of the channels: it receives the messages and learns what changes."""

    def met(self, line: Channel) -> None:
        """Called when a device is connected: for the first time, on a new visit, or again by a new route."""

    def message(self, line: Channel, message: list[Any]) -> None: ...

    def left(self, line: Channel) -> None:
        """Called when that device has said that it leaves."""

    def changed(self) -> None: ...

    def stranger(self, build: str) -> None:
        """Called when a device with another version of the page has sent a greeting."""

    def muted(self, line: Channel, why: str) -> None:
        """Called when a device was muted because it kept breaking the protocol."""

    def missed(self) -> None:
        """Called when a pairing was given up because no device connected."""

    def belongs(self, lock: str) -> bool:
        """Returns True if the device with that seal key belongs to the table."""


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
        self.told = -TELL  # when the reachable devices were last introduced to all others
        self.telling = False  # True while an introduction is due: the last one is out of date

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

    # Reports from the endpoint

    def entered(self) -> None:
        """Forgets all slots: this device has joined a room, and it may not be the same room as before."""
        self.handshake.seats.clear()
        for line in self.by_key.values():
            line.seat = -1

    def greet(self, seat: int) -> None:
        if self.endpoint is not None:
            self.endpoint.say(seat, self.handshake.hey(answer=True))

    def went(self, seat: int) -> None:
        """Handles a device's departure from the endpoint. Its direct connection has three seconds to prove itself."""
        self.handshake.seats.pop(seat, None)
        for line in self.by_key.values():
            if line.seat == seat:
                line.seat = -1
                line.heard = min(line.heard, self.now() - LOST + 3_000)
                line.near = min(line.near, line.heard)
                self.ping(line)
        self.user.changed()

    def said(self, seat: int, text: str) -> None:
        """Reads a text from that slot. Errors in it are only counted."""
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
        """Counts a violation that only this device can have committed, and mutes it after too many."""
        self.count(refused)
        if self.proven(line) and not line.muted and line.strikes.one_more(self.now()):
            self.mute(line)
            self.user.muted(line, refused.reason)

    def mute(self, line: Channel) -> None:
        """Ignores this device from now on and closes its direct connection."""
        line.muted = True
        line.drop()

    # Messages

    def send(self, line: Channel, message: list[Any]) -> None:
        """Sends a message. A failure is only counted, so that a loop over all devices goes on."""
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
        """Sends the text by the endpoint, or through a device that reaches the other one (first the device that has
        relayed from it before). Returns False if there is no such route."""
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
        """Asks for a sign of life, by every route that may still lead to that device."""
        line.pinged = self.now()
        if line.open and line.peer is not None:
            for text in line.sealed(["p"]):
                line.peer.send(text)
        if not line.open or line.stale or self.now() - line.heard > QUIET:
            for text in line.sealed(["p"]):
                self._relayed(line, text)

    def read(self, line: Channel, text: str, way: Route) -> None:
        """Reads a text for this channel. Raises `Refused` if it need not be from the channel's device: anybody
        can send one. Violations that must be the device's own count as strikes."""
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
        if message[0] == "p":  # answered by the route it came by: the ping tests that route
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
        """Returns True if the channel's device has proved its keys, perhaps by this very message. Notes the route."""
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
        """Notes a sign of life. If only the direct connection is silent, closes it, so that a new one is made. After a
        long silence of the whole channel, forgets the failed attempts to connect."""
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
        """Handles requests to dial, introductions and relayed texts. All other messages go to the user."""
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
        except Refused as refused:  # the relaying device could not read it, and is not to blame
            self.count(refused)

    def introduce(self) -> None:
        """Tells all devices which others can be reached through this one. A further call within a short time is
        delayed."""
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
        if self.endpoint is not None and line.peer is not None:  # the endpoint is the slower route
            for text in self.endpoint.withdraw(line.seat):
                line.peer.send(text)
        self.introduce()
        self.user.changed()

    def closed(self, line: Channel) -> None:
        was_open = line.open
        line.drop()
        line.dial_at = self.now() + DIALS[min(line.tries, len(DIALS) - 1)]
        if was_open and self.me.seal_key > line.seal_key and self._reach(line):
            self.send(line, ["d", line.attempt])  # only the other side may dial
        self.introduce()
        self.user.changed()

    def hear(self, line: Channel, text: str) -> None:
        """Reads a text from the direct connection of this channel: only its device can have sent it."""
        try:
            if text[:1] != "h":
                self.read(line, text, Direct(line))
        except Refused as refused:
            if refused.reason == "net.twice":  # it came by another route before
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
        """Detects that this page was suspended. Other devices may have given up its connections, unnoticed here, so all
        are pinged. Messages that piled up meanwhile do not exceed the rate limits."""
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
        """Pings a silent device, by whatever route it is reached.

        A silent connection is kept until its device is heard by another route: it may be the only one.
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
        """Returns True if the device can be reached by the endpoint or through another device."""
        return (self.relay and line.seat >= 0) or any(
            lock in self.by_key and self.by_key[lock].open and not self.by_key[lock].stale for lock in line.through
        )

    def _may_dial(self, line: Channel, now: int) -> bool:
        wanted = self.make is not None and line.direct and not line.gone and not line.muted
        return wanted and self._reach(line) and self.me.seal_key < line.seal_key and now >= line.dial_at

    def hurry(self) -> None:
        """Pings all devices and dials at once where there is no connection: the page is visible again."""
        for line in self.by_key.values():
            line.dial_at, line.tries = self.now(), 0
            self.ping(line)

    def leave(self) -> None:
        for line in self.by_key.values():
            self.send(line, ["b"])
            line.drop()
        self.by_code.close()
