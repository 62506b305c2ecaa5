"""The handshake: how a device proves its keys before anything it sends counts.

A greeting is sealed with the link's key, so anybody who has the link can write one in any device's name. It therefore
only tells which device to challenge. A device that returns the challenge, which was sealed for it alone, has proved its
keys and that it is present now. Until then nothing that is known changes. There is one unproven channel for each slot
at the endpoint and a few for each device that introduces others, and they are soon forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from engine import strict_json
from engine.core import Refused
from peer.channels.channel import EARLY, Channel, Route
from peer.channels.routes import ViaDevice, ViaEndpoint
from peer.crypto.keys import derive, to_base64
from peer.crypto.sealed import open_box, seal
from peer.wire.frames import PROTOCOL
from peer.wire.limits import Meter
from peer.wire.shapes import code, fixed, key, many, one_of, plain, whole

if TYPE_CHECKING:
    from peer.channels.channels import Channels

MOST = 40  # devices
SEATS = 64  # slots at the endpoint
ASK_AGAIN = 3_000
FORGOTTEN = 60_000  # milliseconds without a proof

_nonce = code(22, 16)
_HEY = fixed(one_of("hey"), whole(), plain(64), key, key, _nonce, whole(0, 1))
_KNOWN = many(fixed(key, key, _nonce), MOST)
_PASSED = fixed(key, key, _nonce)


class Handshake:
    def __init__(self, lines: Channels) -> None:
        self.lines = lines
        self.begun = lines.now()
        self.seats: dict[int, Channel] = {}  # by slot: the device there, proven or only claimed
        self.introduced: dict[str, dict[str, Channel]] = {}  # unproven channels, by introducer's and own seal key
        self.meters: dict[int, tuple[Meter, Meter]] = {}  # by slot: its texts and its greetings
        self.tops: dict[tuple[str, str, str], int] = {}  # the newest numbers of channels that had to make room

    # Greetings

    def hey(self, *, answer: bool) -> str:
        lines, me = self.lines, self.lines.me
        row = ["hey", PROTOCOL, lines.build, me.verify_key, me.seal_key, lines.nonce, int(answer)]
        return "h" + seal(lines.key, "hey", json.dumps(row).encode())

    def hint(self, text: str, way: Route) -> Channel | None:
        """Reads a greeting, answers it if that is asked for, and returns the channel to the device that it names.

        Returns None if that is this device itself, or one with another version of the page. Raises `Refused`.
        """
        lines = self.lines
        content = open_box(lines.key, "hey", text[1:])
        _, protocol, build, signer, lock, nonce, answer = _HEY(
            strict_json.loads(content.decode("utf-8", "replace"), 1000)
        )
        if lock == lines.me.seal_key:
            return None
        same = (protocol, build) == (PROTOCOL, lines.build)
        line = self.line(signer, lock, nonce) if same else None
        if answer:
            way.say(self.hey(answer=False))  # with another version, too: both sides show it
        if not same:
            lines.user.stranger(build)
        return line

    def greeted(self, seat: int, text: str) -> None:
        """Handles a greeting from a slot at the endpoint. Raises `Refused`."""
        way = ViaEndpoint(self.lines, seat)
        line = self.hint(text, way)
        if line is None:
            return
        self.seats.setdefault(seat, line)
        while len(self.seats) > SEATS:
            del self.seats[next(iter(self.seats))]
        self.seats[seat] = line
        if self.lines.proven(line) and line.seat == seat:
            self.lines.met(line)
        else:
            self.ask(line, way)

    def lets(self, seat: int, *, greeting: bool) -> bool:
        """Returns True if that slot's rate limit allows one more text, or one more greeting."""
        now = self.lines.now()
        if len(self.meters) > 4 * SEATS:
            self.meters.clear()
        texts, greetings = self.meters.setdefault(seat, (Meter(now, 100, 600), Meter(now, 1, 8)))
        return greetings.take(now) if greeting else texts.take(now)

    def slept(self, most: int) -> None:
        for texts, _ in self.meters.values():
            texts.slept(most)

    # Introductions

    def listed(self, by: Channel, known: list[Any]) -> None:
        """Handles the list of devices that `by` reaches. It replaces the list before. Raises `Refused`."""
        found = _KNOWN(known)
        locks = {lock for _, lock, _ in found}
        for line in self.lines.by_key.values():
            if line.seal_key not in locks:
                line.through.discard(by.seal_key)
        former = self.introduced.pop(by.seal_key, {})
        self.introduced[by.seal_key] = {lock: line for lock, line in former.items() if lock in locks}
        for signer, lock, nonce in found:
            told = self.through(by, signer, lock, nonce)
            if told is not None and self.lines.proven(told):
                told.through.add(by.seal_key)

    def through(self, by: Channel, signer: str, lock: str, nonce: str) -> Channel | None:
        """Returns the channel to a device that `by` names; a new device is challenged. Returns None if that is this
        device itself, or if `by` has named too many. Raises `Refused`."""
        _PASSED([signer, lock, nonce])
        who = (signer, lock, nonce)
        mine = self.introduced.setdefault(by.seal_key, {})
        for known in (self.lines.by_key.get(lock), mine.get(lock)):
            if known is not None and known.who == who:
                return known
        if lock == self.lines.me.seal_key or not by.guests.take(self.lines.now()):
            return None
        made = mine[lock] = self.line(signer, lock, nonce)
        self.ask(made, ViaDevice(self.lines, by, lock))
        return made

    # Proofs

    def _waiting(self) -> Iterator[Channel]:
        introduced = chain.from_iterable(lines.values() for lines in self.introduced.values())
        return chain(self.seats.values(), self.lines.by_code.named, introduced)

    def line(self, signer: str, lock: str, nonce: str) -> Channel:
        """Returns the only channel to that device on that visit, and makes it if there is none. Raises `Refused` for an
        invalid seal key."""
        who, lines, now = (signer, lock, nonce), self.lines, self.lines.now()
        for line in chain(lines.by_key.values(), self._waiting()):
            if line.who == who:
                return line
        lines.me.shared(lock)
        # if the device was known before and forgotten, own messages must not be numbered from the beginning again
        made = Channel(lines.me, lines.nonce, signer, lock, nonce, now, first=(now - self.begun) // 10)
        made.asks = to_base64(derive(lines.me.secret, "asks", lines.nonce, *who, now))
        made.floor = self.tops.get(who, 0)
        return made

    def ask(self, line: Channel, way: Route) -> None:
        line.pinged = self.lines.now()
        for text in line.sealed(["p", line.asks]):
            way.say(text)

    def proves(self, line: Channel, message: list[Any]) -> bool:
        """Returns True if the message returns the challenge. Messages before that are kept in `early`."""
        match message:
            case ["q", asks] if asks == line.asks:
                return True
            case ["p" | "q", *_]:
                pass
            case _ if len(line.early) < EARLY:
                line.early.append(message)
        return False

    def admit(self, line: Channel, *, invited: bool) -> None:
        """Accepts a proven channel. A new visit replaces the one before and inherits its mute, strikes and rate limits.
        Raises `Refused` if there are too many devices."""
        lines = self.lines.by_key
        old = lines.get(line.seal_key)
        if old is not None:
            old.drop()
            line.muted, line.strikes, line.all, line.wishes = old.muted, old.strikes, old.all, old.wishes
        elif len(lines) >= MOST:
            self._make_room(invited=invited)
        lines[line.seal_key] = line
        line.heard = line.near = line.dial_at = self.lines.now()
        for mine in self.introduced.values():
            mine.pop(line.seal_key, None)

    def _make_room(self, *, invited: bool) -> None:
        """Removes the channel of a device that is away, or, for an invited newcomer, of one that was only introduced.
        Never removes devices of the table or muted ones. Raises `Refused` if there is no other."""
        lines, now, relay = self.lines.by_key, self.lines.now(), self.lines.relay

        def rank(line: Channel) -> tuple[int, int]:
            away = line.state(now, relay=relay) == "gone"
            return 0 if away else 2 if line.seat >= 0 or line.by_code else 1, line.heard

        spare = [line for line in lines.values() if not line.muted and not self.lines.user.belongs(line.seal_key)]
        last = min(spare, key=rank, default=None)
        if last is None or rank(last)[0] > int(invited):
            raise Refused("net.crowd")
        last.drop()
        if len(self.tops) >= 4 * MOST:
            self.tops.clear()
        self.tops[last.who] = last.top
        del lines[last.seal_key]

    def tick(self, now: int) -> None:
        """Repeats challenges, and forgets devices that do not answer."""
        for seat, line in list(self.seats.items()):
            if not self.lines.proven(line) and now - line.heard > FORGOTTEN:
                del self.seats[seat]
            elif not self.lines.proven(line) and now - line.pinged > ASK_AGAIN:
                self.ask(line, ViaEndpoint(self.lines, seat))
        for lock, named in list(self.introduced.items()):
            by = self.lines.by_key.get(lock)
            if by is None or by.gone:
                del self.introduced[lock]
                continue
            for line in list(named.values()):
                if now - line.heard > FORGOTTEN:
                    del named[line.seal_key]
                elif now - line.pinged > ASK_AGAIN:
                    self.ask(line, ViaDevice(self.lines, by, line.seal_key))
