"""The lobby of a table, before its first card: who sits where. The opener's copy counts; guests send requests.

Values only. Input from other devices is read by `read` and `Lobby.apply_request`, which refuse what does not fit. No
two seats have the same name: the name of a taken seat stays, and the name of a free seat is changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine import GAMES, strict_json
from engine.bots import LEVELS
from engine.core import Nonsense, Refused
from engine.options import changed_options, is_playable, settle
from engine.seats import EMBLEMS, PERSON, checked_name, clean_name, distinct_names
from peer.crypto.keys import to_base64
from peer.game.setup import DEFAULT_PATIENCE, MAX_VOTERS, PATIENCES, Member, Place, Setup, patience_shape
from peer.wire.messages import MAX_LOBBY, Sit, Stand
from peer.wire.shapes import base64url, integer, list_of, one_of, printable_ascii, tuple_of


class Spot(NamedTuple):
    """A seat: its name and emblem, a person or a bot's level, its device, and the claim that can move it."""

    name: str
    emblem: str
    plays: str = PERSON
    device: str = ""  # the device's seal key; empty if nobody sits here
    claim: str = ""  # hash of the seat's rejoin token

    @property
    def free(self) -> bool:
        return self.plays == PERSON and not self.device


@dataclass(frozen=True, slots=True)
class Lobby:
    """The lobby as a value: the methods that change it return a new one."""

    game: str
    version: int
    options: Mapping[str, Any]
    spots: tuple[Spot, ...]
    patience: int = DEFAULT_PATIENCE  # as in `Setup`

    @property
    def text(self) -> str:
        patience = [self.patience] if self.patience != DEFAULT_PATIENCE else []
        return strict_json.dumps_ascii([self.game, self.version, self.options, self.spots, *patience])

    @property
    def full(self) -> bool:
        return not any(spot.free for spot in self.spots)

    def _replace_spot(self, seat: int, spot: Spot) -> Lobby:
        """Returns the lobby with that spot replaced, and other names for free seats where theirs are taken."""
        spots = list(self.spots)
        spots[seat] = spot
        names = [one.name for one in spots if not one.free]
        for place, one in enumerate(spots):
            if one.free:
                names = distinct_names([*names, one.name])
                spots[place] = one._replace(name=names[-1])
        return replace(self, spots=tuple(spots))

    def names_of(self, device: str) -> list[str]:
        """Returns the names on the seats of that device."""
        return [spot.name for spot in self.spots if spot.device == device]

    def taken_names(self, seat: int) -> list[str]:
        """Returns the names that are not available on that seat: those of all other seats that are taken."""
        return [spot.name for other, spot in enumerate(self.spots) if other != seat and not spot.free]

    def sit(self, device: str, seat: int, name: str, claim: str) -> Lobby:
        """Returns the lobby with the device on a free seat, or with another name on its own. Raises `Refused`."""
        spot = self._spot(seat)
        if spot.plays != PERSON or spot.device not in ("", device):
            raise Refused("net.seat_taken", who=spot.name)
        seal_keys = {one.device for one in self.spots if one.device} | {device}
        if any(claim == one.claim for place, one in enumerate(self.spots) if place != seat):
            raise Refused("net.token")
        if len(seal_keys) > MAX_VOTERS:
            raise Refused("net.too_many_devices", most=MAX_VOTERS)
        return self._replace_spot(
            seat, spot._replace(name=checked_name(name, self.taken_names(seat)), device=device, claim=claim)
        )

    def stand(self, device: str, seat: int) -> Lobby:
        spot = self._spot(seat)
        if spot.device != device:
            raise Refused("net.not_your_seat", seat=seat)
        return self._replace_spot(seat, spot._replace(device="", claim=""))

    def set_player(self, seat: int, level: str) -> Lobby:
        """Returns the lobby with a bot of that level on the seat, or with the seat free for a person. Only the opener
        may do this. Raises `Refused`."""
        spot = self._spot(seat)
        if level not in (PERSON, *LEVELS):
            raise Refused("net.word")
        return self._replace_spot(seat, spot._replace(plays=level, device="", claim=""))

    def set_patience(self, minutes: int) -> Lobby:
        """Returns the lobby with another patience. Only the opener may do this. Raises `Refused`."""
        if minutes not in PATIENCES:
            raise Refused("net.word")
        return replace(self, patience=minutes)

    def _spot(self, seat: int) -> Spot:
        if not 0 <= seat < len(self.spots):
            raise Refused("net.no_such_seat", seat=seat)
        return self.spots[seat]

    def apply_request(self, device: str, message: Sit | Stand) -> Lobby:
        """Returns the lobby after a guest's request. Raises `Refused`."""
        match message:
            case Sit(seat, name, claim):
                return self.sit(device, seat, name, claim)
            case Stand(seat):
                return self.stand(device, seat)

    def setup(self, opener: str, verify_keys: Mapping[str, str], salt: bytes, round_: int = 1) -> Setup:
        """Returns the setup of the game that begins now. The opener's device is number 0 and plays the bots too.
        `verify_keys`: those of all devices that are here, by seal key. Raises `Refused`."""
        if not self.full:
            raise Refused("net.not_full")
        absent = [spot.name for spot in self.spots if spot.device and spot.device not in verify_keys]
        if absent:
            raise Refused("net.absent", who=", ".join(absent))
        seal_keys = list(dict.fromkeys([opener, *(spot.device for spot in self.spots if spot.device)]))
        places = tuple(
            Place("person" if spot.plays == PERSON else "bot", seal_keys.index(spot.device or opener))
            for spot in self.spots
        )
        claims = tuple((spot.claim, seat) for seat, spot in enumerate(self.spots) if spot.claim)
        return Setup(
            self.game,
            self.version,
            self.options,
            tuple(spot.name for spot in self.spots),
            places,
            tuple(Member(verify_keys[seal_key], seal_key) for seal_key in seal_keys),
            claims,
            to_base64(salt),
            round_,
            patience=self.patience,
        )

    @property
    def looks(self) -> list[list[str]]:
        """The part of each seat that the log does not contain: its emblem, and a person or the level of its bot."""
        return [[spot.emblem, spot.plays] for spot in self.spots]


_optional_claim = base64url(43)
_level = one_of(PERSON, *LEVELS)
_emblem = one_of(*EMBLEMS)


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value or clean_name(value) != value:
        raise Nonsense("net.names")
    return value


def _options(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Nonsense("net.setup")
    return value


_SPOT = tuple_of(_name, _emblem, _level, base64url(43), _optional_claim)
_LOBBY = tuple_of(printable_ascii(20), integer(), _options, list_of(_SPOT, 8), patience_shape, optional=1)
_LOOKS = list_of(tuple_of(_emblem, _level), 8)


def read(text: str) -> Lobby:
    """Returns the lobby a text describes. Raises `Refused` if it cannot be played here, `Nonsense` if it is none."""
    game, version, options, spots, *patience = _LOBBY(strict_json.loads(text, MAX_LOBBY))
    if game not in GAMES:
        raise Refused("net.unknown_game", game=game)
    if not is_playable(GAMES[game], version):
        raise Refused("net.version", version=version, known=GAMES[game].VERSION)
    if len(spots) not in GAMES[game].SEATS:
        raise Nonsense("net.setup")
    settled = settle(GAMES[game], len(spots), options, version)
    if changed_options(GAMES[game], settled, version) != options:
        raise Nonsense("net.setup")
    spots_read = [Spot(*spot) for spot in spots]
    # equal names are made distinct, not refused, so that a lobby stored by an older version is not lost
    names = distinct_names(spot.name for spot in spots_read)
    distinct = (spot._replace(name=name) for spot, name in zip(spots_read, names, strict=True))
    return Lobby(game, version, options, tuple(distinct), *patience)


def read_looks(value: Any, setup: Setup) -> tuple[tuple[str, str], ...]:
    """Returns the checked looks, one for each seat of that setup. Raises `Nonsense`."""
    result: tuple[tuple[str, str], ...] = _LOOKS(value)
    if len(result) != len(setup.places):
        raise Nonsense("net.setup")
    return result
