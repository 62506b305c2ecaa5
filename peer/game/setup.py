"""A table before its first entry: game, house rules, devices, seats. Its hash is the origin of the log's heads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from engine import GAMES, strict_json
from engine.core import Game, Nonsense, Refused
from engine.notation import FirstSeat
from engine.options import is_playable
from engine.seats import clean_name, distinct_names
from engine.session import Session
from peer.crypto.keys import to_base64
from peer.wire.bodies import HASH_LENGTH, MAX_DEVICES
from peer.wire.envelope import MARK_LENGTH
from peer.wire.messages import MAX_SETUP
from peer.wire.shapes import base64url, integer, list_of, one_of, printable_ascii, public_key, tuple_of

MAX_ROUNDS = 9_999  # games at one table, at most
MAX_VOTERS = 8  # more devices may watch and have seats, without a vote
PATIENCES = (1, 5, 0)  # minutes; 0: people may think as long as they like
DEFAULT_PATIENCE = 5


class Member(NamedTuple):
    """A device, as others know it: the public halves of its keys."""

    verify_key: str
    seal_key: str


class Place(NamedTuple):
    """The player of a seat: a person or a bot, on a device."""

    kind: str
    device: int


class Setup(NamedTuple):
    """The set-up of a table. Devices are numbered from 0, the opener. All of these have a vote."""

    game: str
    version: int
    options: Mapping[str, Any]
    names: tuple[str, ...]  # by seat, as they were signed
    places: tuple[Place, ...]  # by seat
    devices: tuple[Member, ...]
    claims: tuple[tuple[str, int], ...]  # hash of a rejoin token, and the seat it gives
    salt: str  # random, so that no two tables have the same hash
    round: int = 1  # number of the game at this table
    first_seat: FirstSeat = 0  # in the rows of answers; 1 in set-ups of protocols 1 and 2
    patience: int = DEFAULT_PATIENCE  # minutes a person may think before a bot may answer instead; 0: any time

    @property
    def text(self) -> str:
        """The text that is signed. Set-ups of protocols 1 and 2 do not have the last two fields."""
        fields = self[:-2] if self.first_seat else self
        return json.dumps(fields, separators=(",", ":"), sort_keys=True)

    @property
    def origin(self) -> str:
        return to_base64(sha256(b"table/" + self.text.encode("ascii")).digest())

    @property
    def mark(self) -> str:
        """The short name of the table in every frame and envelope."""
        return self.origin[:MARK_LENGTH]

    @property
    def seal_keys(self) -> frozenset[str]:
        """The seal keys of the devices the game began with."""
        return frozenset(member.seal_key for member in self.devices)

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names as they are shown: distinct and not empty, whatever names were signed."""
        return tuple(distinct_names(name or str(seat) for seat, name in enumerate(self.names, 1)))

    def session(self) -> Session:
        return Session(GAMES[self.game], len(self.places), self.options, self.version, first_seat=self.first_seat)


def _options(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Nonsense("net.setup")
    return value


def patience_shape(value: Any) -> int:
    if type(value) is not int or value not in PATIENCES:
        raise Nonsense("net.setup")
    return value


_place = tuple_of(one_of("person", "bot"), integer(0, MAX_DEVICES - 1))
_EARLY_SHAPES = (  # in set-ups of protocols 1 and 2
    printable_ascii(20),
    integer(),
    _options,
    list_of(lambda value: value, 8),
    list_of(_place, 8),
    list_of(tuple_of(public_key, public_key), MAX_VOTERS),
    list_of(tuple_of(base64url(HASH_LENGTH, HASH_LENGTH), integer(0, 7)), 8),
    base64url(HASH_LENGTH, 16),
    integer(1, MAX_ROUNDS),
)
_EARLY_SETUP, _SETUP = tuple_of(*_EARLY_SHAPES), tuple_of(*_EARLY_SHAPES, integer(0, 0), patience_shape)


def read(text: str) -> Setup:
    """Returns the set-up that a text describes. Raises `Refused` if it cannot be played here, `Nonsense` if it is
    none."""
    value = strict_json.loads(text, MAX_SETUP)
    is_early = isinstance(value, list) and len(value) == len(_EARLY_SHAPES)
    parts = (_EARLY_SETUP if is_early else _SETUP)(value)
    game, version, options, names, places, devices, claims, salt, round_ = parts[: len(_EARLY_SHAPES)]
    if game not in GAMES:
        raise Refused("net.unknown_game", game=game)
    setup = Setup(
        game,
        version,
        options,
        names,
        tuple(Place(*place) for place in places),
        tuple(Member(*member) for member in devices),
        claims,
        salt,
        round_,
        *((1, DEFAULT_PATIENCE) if is_early else parts[len(_EARLY_SHAPES) :]),
    )
    _check(setup, GAMES[game])
    return setup


def _check(setup: Setup, game: Game) -> None:
    if not is_playable(game, setup.version):
        raise Refused("net.version", version=setup.version, known=game.VERSION)
    if not setup.devices or len(set(setup.devices)) < len(setup.devices) or len(setup.names) != len(setup.places):
        raise Nonsense("net.setup")
    if any(place.device >= len(setup.devices) for place in setup.places):
        raise Nonsense("net.setup")
    if any(not isinstance(name, str) or clean_name(name) != name for name in setup.names):
        raise Nonsense("net.names")
    if setup.session().written_options != setup.options:
        raise Nonsense("net.setup")
