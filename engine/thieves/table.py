"""Thieves!: the table, and what everybody remembers of the cards that were seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from engine import core
from engine.core import HIDDEN, Refused
from engine.options import Options
from engine.thieves.box import AT_RAID, KINDS, LOOT, NAMES, TWO_CARS
from engine.values import CardOf, SeatOf

Cards = tuple[int, ...]  # kinds of cards

EVERYBODY = -1  # in `Loot.known`: every bit is set
FROM_HAND = -1  # in `Origin.drawn`: nobody else can tell when a card of a hand was drawn


class Origin(NamedTuple):
    """The past of a played card: the hand it was in, and from when to when. Time is counted in landmarks."""

    seat: int
    drawn: int  # the number of landmarks passed when it was drawn, or FROM_HAND
    played: int  # the number of landmarks passed when it was played


@dataclass(slots=True)
class Loot:
    """One card of a player's loot. It is never changed, because tables share it."""

    kind: int
    up: bool  # it is face up
    known: int  # the seats that know its kind, one bit each
    origin: Origin | None  # None as soon as everybody has seen it

    def seen_by(self, viewer: int) -> bool:
        """Returns True if the card is face up, was shown in a raid, or was once laid or owned by this viewer."""
        return self.known == EVERYBODY or (viewer >= 0 and bool(self.known >> viewer & 1))

    def with_kind(self, kind: int) -> Loot:
        """Returns the card with another kind: HIDDEN for a view, a drawn one to fill a view."""
        return Loot(kind, self.up, self.known, self.origin)


_kind = attrgetter("kind")
_at_raid = AT_RAID.__getitem__


@cache
def face_down(kind: int, seat: int, drawn: int, played: int) -> Loot:
    """Returns loot as a player lays it before themselves. The same few cards are needed again and again."""
    return Loot(kind, False, 1 << seat, Origin(seat, drawn, played))


# Loot that everybody knows, by kind: face up, or face down again after a raid.
OPEN = tuple([Loot(kind, True, EVERYBODY, None) for kind in range(len(KINDS) + 1)])
SHOWN = tuple([Loot(kind, False, EVERYBODY, None) for kind in range(len(KINDS) + 1)])
_open = OPEN.__getitem__

Played = tuple[int, int, int, int]  # a played card that everybody has seen: its kind, and its Origin


class Landmark(NamedTuple):
    """An alarm or a raid: it taught everybody something lasting about hidden cards.

    After an alarm it is known whose hands held no police car card. After a raid it is known which cards lay open: a
    card that went back into the deck only then cannot be in a hand that has not drawn since.
    """

    dry: tuple[int, ...]  # after an alarm, the seats without a police car card
    open: Cards  # after a raid, the open cards; empty after an alarm
    apart_by: int  # the player of the last double loot
    hands: tuple[Cards, ...]  # after a raid, what each seat held: a viewer knows only its own
    apart: Cards  # after a raid, what `apart_by` kept apart
    drawn: int  # the number of cards drawn into hands so far


class Memory(NamedTuple):
    """The drawn and played cards, as far as everybody remembers them. Only the belief uses it, no rule does."""

    landmarks: list[Landmark]
    drawn: list[int]  # the seats that drew cards into their hands, in order
    played: list[Played]
    apart_since: list[int]  # landmarks passed when each of `Table.apart` was drawn


@dataclass(slots=True, frozen=True)
class House:
    """The house rules that change which answers are legal, and the contents of the box."""

    raid_tie: str
    alarm: str
    stays_open: bool
    may_let_go: bool
    tie: str
    match: bool
    box: Cards  # all cards, sorted


class Result(NamedTuple):
    """One game of a match: the loot of each seat at the end, and the gems it got."""

    loot: tuple[Cards, ...]
    gems: Cards


@dataclass(slots=True)
class Table(core.Table):
    """The table of a game. The deck has no order: a card is drawn when it is needed."""

    seats: int
    house: House
    results: tuple[Result, ...]  # the finished games of a match
    apart_by: int  # the player of the last double loot
    getaways: int  # laid open
    last_caught: tuple[int, ...]  # the seats that lost loot in the last raid that took any
    left: list[int]  # the deck, sorted; in a view, all cards not seen
    police: list[int]  # police car cards on the table, as they were laid
    gone: list[int]  # out of the game: used actions and blocked police
    apart: list[list[int]]  # cards of double loot still to be played, the newest last
    hands: list[list[int]]  # sorted, by seat
    loot: list[list[Loot]]  # by seat
    memory: Memory


def lay_out(seats: int, options: Options) -> Table:
    """Returns the table before the first game."""
    rules = map(options.__getitem__, ("raid_tie", "alarm", "shown_loot", "thief", "tie", "match"))
    return full_deck(seats, house_of(*rules, tuple(options["deck"].values())), ())


@lru_cache(maxsize=16)
def house_of(
    raid_tie: str, alarm: str, shown_loot: str, thief: str, tie: str, match: str, deck: tuple[int, ...]
) -> House:
    """Returns the house rules. `deck` is the number of cards of each kind."""
    return House(
        raid_tie=raid_tie,
        alarm=alarm,
        stays_open=shown_loot == "stays_open",
        may_let_go=thief == "may_let_go",
        tie=tie,
        match=match == "seven_gems",
        box=tuple([kind for kind, count in zip(KINDS, deck, strict=True) for _ in range(count)]),
    )


def full_deck(seats: int, house: House, results: tuple[Result, ...]) -> Table:
    """Returns the table before a game: all cards are in the deck."""
    return Table(
        seats,
        house,
        results,
        apart_by=0,
        getaways=0,
        last_caught=(),
        left=list(house.box),
        police=[],
        gone=[],
        apart=[],
        hands=[[] for _ in range(seats)],
        loot=[[] for _ in range(seats)],
        memory=Memory([], [], [], []),
    )


def clear(t: Table) -> None:
    """Takes all cards back into the deck, for the next game of a match."""
    cleared = full_deck(t.seats, t.house, t.results)
    for field in fields(t):
        setattr(t, field.name, getattr(cleared, field.name))


def left_of(t: Table, seat: int) -> int:
    return seat + 1 if seat + 1 < t.seats else 0


def take(t: Table, cards: list[int], kind: int) -> None:
    """Takes a card out of a hand. If the hand is hidden, the card is one of those not seen until now."""
    try:
        cards.remove(kind)
    except ValueError:
        cards.remove(HIDDEN)
        t.left.remove(kind)


def record(t: Table, kind: int, seat: int, drawn: int, played: int) -> None:
    """Remembers a card that everybody has seen now, if it was, or may have been, in a hand at a landmark."""
    if 0 < played > drawn:
        t.memory.played.append((kind, seat, drawn, played))


def put_back(t: Table, cards: list[int]) -> None:
    """Puts cards back into the deck."""
    t.left += cards
    t.left.sort()


def show_loot(t: Table, shown: Sequence[Cards], *, up: bool) -> None:
    """Shows all loot to everybody. It stays face up if `up`, otherwise it lies again as it was."""
    for cards, kinds in zip(t.loot, shown, strict=True):
        for place, card in enumerate(cards):
            if card.origin:
                kind = kinds[place]
                if card.kind == HIDDEN:
                    t.left.remove(kind)
                record(t, kind, *card.origin)
                cards[place] = SHOWN[kind]
        if up:
            cards[:] = map(_open, kinds)


def loot_kinds(t: Table) -> list[Cards]:
    """Returns the loot of each seat as kinds of cards."""
    return [tuple(map(_kind, cards)) for cards in t.loot]


def check_shown(t: Table, shown: Sequence[Cards]) -> None:
    """Raises `Refused` unless this can be all loot, as far as this table knows it and has not seen it elsewhere."""
    unknown = []
    if len(shown) != t.seats:
        raise Refused("thieves.shown.seats", seats=t.seats)
    for seat, (cards, kinds) in enumerate(zip(t.loot, shown, strict=True)):
        if len(cards) != len(kinds):
            raise Refused("thieves.shown.number", seat=SeatOf(seat), cards=len(cards))
        for card, kind in zip(cards, kinds, strict=True):
            if card.kind == HIDDEN and kind in LOOT:
                unknown.append(kind)
            elif card.kind != kind:
                raise Refused("thieves.shown.other_card", seat=SeatOf(seat))
    check_unseen(t, unknown)


def check_unseen(t: Table, kinds: Sequence[int]) -> None:
    """Raises `Refused` if this table has seen some of these cards elsewhere."""
    for kind in kinds:
        if t.left.count(kind) < kinds.count(kind):
            raise Refused("thieves.shown.too_many", card=CardOf(NAMES.get(kind, "?")))


def deck_size(t: Table) -> int:
    """Returns the number of cards in the deck: the cards not seen, without the hidden cards elsewhere."""
    hidden = sum(cards.count(HIDDEN) for cards in (*t.hands, *t.apart))
    return len(t.left) - hidden - sum(card.kind == HIDDEN for cards in t.loot for card in cards)


def police_cars(t: Table) -> int:
    """Returns the number of police cars on the table. A card may show two."""
    return len(t.police) + t.police.count(TWO_CARS)


def richest(t: Table, loot: Sequence[Cards]) -> Cards:
    """Returns the seats that lose their loot in a raid: the richest at raid worth. A house rule decides a tie.

    If the richest loot is worth nothing, no seat loses any.
    """
    sums = [sum(map(_at_raid, kinds)) for kinds in loot]
    highest = max(sums)
    tied = [seat for seat in range(t.seats) if sums[seat] == highest]
    if not highest or (len(tied) > 1 and t.house.raid_tie == "nobody"):
        return ()
    if t.house.raid_tie == "fewest_cards":
        fewest = min(len(loot[seat]) for seat in tied)
        tied = [seat for seat in tied if len(loot[seat]) == fewest]
    return tuple(tied)
