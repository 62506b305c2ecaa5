"""A table before its first card: who sits where. The one who opened it holds the truth, the others ask.

Values only. What comes from elsewhere is read by `read` and `Lobby.asked`, and refused if it does not fit. No two seats
have the same name: who sits or plays there has the right to it, a free seat's name gives way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine import GAMES, strict_json
from engine.bots import LEVELS
from engine.core import Refused
from engine.options import changed, settle
from engine.seats import EMBLEMS, PERSON, apart, checked, clean
from peer.crypto.keys import to_base64
from peer.game.setup import VOTERS, Member, Place, Setup
from peer.wire.shapes import code, fixed, many, one_of, plain, whole

LONGEST = 12_000


class Spot(NamedTuple):
    """A seat: its name and emblem, a person or a bot's level, on which device, and what gives it to another one."""

    name: str
    emblem: str
    plays: str = PERSON
    device: str = ""  # the device's lock; nobody's yet if empty
    claim: str = ""  # hash of the token of a rejoin link

    @property
    def free(self) -> bool:
        return self.plays == PERSON and not self.device


@dataclass(frozen=True, slots=True)
class Lobby:
    game: str
    version: int
    options: Mapping[str, Any]
    spots: tuple[Spot, ...]

    @property
    def text(self) -> str:
        return json.dumps([self.game, self.version, self.options, self.spots], separators=(",", ":"))

    @property
    def full(self) -> bool:
        return not any(spot.free for spot in self.spots)

    def _with(self, seat: int, spot: Spot) -> Lobby:
        spots = list(self.spots)
        spots[seat] = spot
        names = [one.name for one in spots if not one.free]
        for place, one in enumerate(spots):
            if one.free:
                names = apart([*names, one.name])
                spots[place] = one._replace(name=names[-1])
        return replace(self, spots=tuple(spots))

    def called(self, seat: int) -> list[str]:
        """The names that nobody on that seat can have: the others' who sit or play."""
        return [spot.name for other, spot in enumerate(self.spots) if other != seat and not spot.free]

    def sit(self, device: str, seat: int, name: str, claim: str) -> Lobby:
        """Take a free seat, or give one's own another name. Raises `Refused` for a name that cannot be had."""
        spot = self._spot(seat)
        if spot.plays != PERSON or spot.device not in ("", device):
            raise Refused("net.seat_taken", who=spot.name)
        devices = {one.device for one in self.spots if one.device} | {device}
        if any(claim == one.claim for place, one in enumerate(self.spots) if place != seat):
            raise Refused("net.token")
        if len(devices) > VOTERS:
            raise Refused("net.too_many_devices", most=VOTERS)
        return self._with(seat, spot._replace(name=checked(name, self.called(seat)), device=device, claim=claim))

    def stand(self, device: str, seat: int) -> Lobby:
        spot = self._spot(seat)
        if spot.device != device:
            raise Refused("net.not_your_seat", seat=seat)
        return self._with(seat, spot._replace(device="", claim=""))

    def plays(self, seat: int, level: str) -> Lobby:
        """The one who opened the table: a bot sits there, or anybody may."""
        spot = self._spot(seat)
        if level not in (PERSON, *LEVELS):
            raise Refused("net.word")
        return self._with(seat, spot._replace(plays=level, device="", claim=""))

    def _spot(self, seat: int) -> Spot:
        if not 0 <= seat < len(self.spots):
            raise Refused("net.no_such_seat", seat=seat)
        return self.spots[seat]

    def asked(self, device: str, message: list[Any]) -> Lobby:
        """What a guest wishes."""
        match message:
            case ["sit", seat, str(name), claim]:
                return self.sit(device, _seat(seat), name[:1000], _own(claim))
            case ["stand", seat]:
                return self.stand(device, _seat(seat))
        raise Refused("net.not_a_message")

    def setup(self, opener: str, signers: Mapping[str, str], salt: bytes, round_: int = 1) -> Setup:
        """The table as it is begun: the opener's device first, which plays the bots too."""
        if not self.full:
            raise Refused("net.not_full")
        absent = [spot.name for spot in self.spots if spot.device and spot.device not in signers]
        if absent:
            raise Refused("net.absent", who=", ".join(absent))
        order = list(dict.fromkeys([opener, *(spot.device for spot in self.spots if spot.device)]))
        places = tuple(
            Place("person" if spot.plays == PERSON else "bot", order.index(spot.device or opener))
            for spot in self.spots
        )
        claims = tuple((spot.claim, seat) for seat, spot in enumerate(self.spots) if spot.claim)
        return Setup(
            self.game,
            self.version,
            self.options,
            tuple(spot.name for spot in self.spots),
            places,
            tuple(Member(signers[lock], lock) for lock in order),
            claims,
            to_base64(salt),
            round_,
        )

    @property
    def looks(self) -> list[list[str]]:
        """What the log does not say of a seat: its emblem, and who plays a bot."""
        return [[spot.emblem, spot.plays] for spot in self.spots]


_seat = whole(0, 7)
_claim = code(43)
_own = code(43, 43)
_level = one_of(PERSON, *LEVELS)
_emblem = one_of(*EMBLEMS)


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value or clean(value) != value:
        raise Refused("net.names")
    return value


def _options(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Refused("net.setup")
    return value


_SPOT = fixed(_name, _emblem, _level, code(43), _claim)
_LOBBY = fixed(plain(20), whole(), _options, many(_SPOT, 8))
_LOOKS = many(fixed(_emblem, _level), 8)


def read(text: str) -> Lobby:
    """The table a text describes; `Refused` if it is none that can be played here."""
    game, version, options, spots = _LOBBY(strict_json.loads(text, LONGEST))
    if game not in GAMES:
        raise Refused("net.unknown_game", game=game)
    if version != GAMES[game].VERSION:
        raise Refused("net.version", version=version, known=GAMES[game].VERSION)
    if len(spots) not in GAMES[game].SEATS or changed(GAMES[game], settle(GAMES[game], len(spots), options)) != options:
        raise Refused("net.setup")
    laid = [Spot(*spot) for spot in spots]
    # told apart, not refused: a lobby of an older evening is not lost
    names = apart(spot.name for spot in laid)
    told = (spot._replace(name=name) for spot, name in zip(laid, names, strict=True))
    return Lobby(game, version, options, tuple(told))


def looks(value: Any, setup: Setup) -> tuple[tuple[str, str], ...]:
    """One for each seat of that set-up."""
    found: tuple[tuple[str, str], ...] = _LOOKS(value)
    if len(found) != len(setup.places):
        raise Refused("net.setup")
    return found
