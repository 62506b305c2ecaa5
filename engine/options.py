"""House rules and house decks: the options that the players may change before the game, and their checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core import Game, Refused
from engine.values import CardOf

Options = dict[str, Any]  # option name -> a choice (str), or a deck (card name -> count)


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of card in the box: how many there are, and the source of that number."""

    name: str
    count: int
    source: str  # sheet, found, derived or house


@dataclass(frozen=True, slots=True)
class Choice:
    """A house rule: one of some words. The first is the default."""

    name: str
    choices: tuple[str, ...]

    @property
    def default(self) -> str:
        return self.choices[0]

    def settle(self, value: Any, seats: int) -> str:
        """Returns the checked value. Raises `Refused` for another word."""
        if value not in self.choices:
            raise Refused("option.choice", option=self.name, value=str(value)[:40], choices=self.choices)
        return str(value)

    def parse(self, text: str) -> str:
        return text


@dataclass(frozen=True, slots=True)
class Deck:
    """A house deck: how many cards of each kind are in the box. Only the changed kinds are given."""

    name: str
    cards: tuple[Card, ...]
    validate: Callable[[dict[str, int], int], None]  # raises `Refused` for a deck that the game cannot be played with
    most: int = 60

    @property
    def default(self) -> dict[str, int]:
        return {card.name: card.count for card in self.cards}

    def settle(self, value: Any, seats: int) -> dict[str, int]:
        """Returns the checked counts of all kinds. Raises `Refused` for a deck that cannot be played with."""
        deck = self.default
        if not isinstance(value, Mapping):
            raise Refused("option.deck", option=self.name)
        for name, count in value.items():
            if name not in deck:
                raise Refused("option.deck_card", option=self.name, card=CardOf(str(name)[:40]))
            if type(count) is not int or not 0 <= count <= self.most:
                raise Refused(
                    "option.deck_count", option=self.name, card=CardOf(name), value=str(count)[:40], most=self.most
                )
            deck[name] = count
        self.validate(deck, seats)
        return deck

    def parse(self, text: str) -> dict[str, int]:
        """Returns the counts in a text such as `ring:5,police:18`, as it is written on the command line."""
        counts: dict[str, int] = {}
        for part in text.split(","):
            name, _, count = part.partition(":")
            if not (count.isascii() and count.isdigit() and len(count) < 4):
                raise Refused(
                    "option.deck_count", option=self.name, card=CardOf(name[:40]), value=count[:40], most=self.most
                )
            if name in counts:
                raise Refused("option.deck_twice", option=self.name, card=CardOf(name[:40]))
            counts[name] = int(count)
        return counts


Option = Choice | Deck


def unchanged(options: Options) -> Options:
    return options


@dataclass(frozen=True, slots=True)
class Rules:
    """A version of a game's rules. `Game.EARLIER` has the earlier ones, by number.

    A game stays one of the version that it began under: it is stored, sent and hashed with that number, and with the
    options of that time. `convert` translates these, settled, into options of the present rules under which the game
    is played exactly as it was then. It may add an option that nobody can choose.
    """

    options: tuple[Option, ...]
    convert: Callable[[Options], Options] = unchanged


def is_playable(game: Game, version: object) -> bool:
    """Returns True if games of this version of the rules are played here: the present one, or an earlier one."""
    return type(version) is int and (version == game.VERSION or version in game.EARLIER)


def rules_of(game: Game, version: int | None = None) -> Rules:
    """Returns a playable version of the rules. None is the present version, here and below."""
    return Rules(game.OPTIONS) if version is None or version == game.VERSION else game.EARLIER[version]


def settle(game: Game, seats: int, given: Mapping[str, Any], version: int | None = None) -> Options:
    """Returns all options of that version of the rules: the given ones, checked, and the defaults of the others."""
    if type(seats) is not int or seats not in game.SEATS:
        raise Refused("option.seats", value=str(seats)[:40], least=game.SEATS[0], most=game.SEATS[-1])
    known = {option.name: option for option in rules_of(game, version).options}
    for name in given:
        if name not in known:
            raise Refused("option.unknown", option=str(name)[:40])
    return {name: option.settle(given.get(name, option.default), seats) for name, option in known.items()}


def with_defaults(game: Game, given: Mapping[str, Any]) -> Options:
    """Returns all options as they were given so far, without checks."""
    return {
        option.name: {**option.default, **given.get(option.name, {})}
        if isinstance(option, Deck)
        else given.get(option.name, option.default)
        for option in game.OPTIONS
    }


def changed_options(game: Game, options: Options, version: int | None = None) -> Options:
    """Returns only the options that differ from the defaults, for the header of a record and for a link."""
    kept: Options = {}
    for option in rules_of(game, version).options:
        value, default = options[option.name], option.default
        if isinstance(option, Deck):
            value = {name: count for name, count in value.items() if count != default[name]}
            if value:
                kept[option.name] = value
        elif value != default:
            kept[option.name] = value
    return kept
