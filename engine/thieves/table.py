"""Złodzieje!: what lies on the table, and what everybody remembers of it."""

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

Cards = tuple[int, ...]  # kinds of cards

EVERYBODY = -1  # every bit set
FROM_HAND = -1  # drawn nobody knows when: hands are held as the player likes


class Origin(NamedTuple):
    """Where a card was before it came on the table, counted in landmarks: who held it, from when to when."""

    seat: int
    drawn: int  # how many landmarks had passed when it was drawn, FROM_HAND if that cannot be told
    played: int  # how many when it was played


@dataclass(slots=True)
class Loot:
    """One card of somebody's loot. It is never changed: tables share it."""

    kind: int
    up: bool
    known: int  # who remembers what it is: one bit a seat
    origin: Origin | None  # as long as not everybody has seen it

    def seen_by(self, viewer: int) -> bool:
        """Face up, shown in a raid, or once laid or owned by this viewer."""
        return self.known == EVERYBODY or (viewer >= 0 and bool(self.known >> viewer & 1))

    def told(self, kind: int) -> Loot:
        """The card as it is for who knows, or does not know, that it is of this kind."""
        return Loot(kind, self.up, self.known, self.origin)


_kind = attrgetter("kind")
_at_raid = AT_RAID.__getitem__


@cache
def face_down(kind: int, seat: int, drawn: int, played: int) -> Loot:
    """Loot as it is laid before oneself. The same few are needed again and again."""
    return Loot(kind, False, 1 << seat, Origin(seat, drawn, played))


# Loot that everybody knows, by kind: face up, and face down again after a raid.
OPEN = tuple([Loot(kind, True, EVERYBODY, None) for kind in range(len(KINDS) + 1)])
SHOWN = tuple([Loot(kind, False, EVERYBODY, None) for kind in range(len(KINDS) + 1)])
_open = OPEN.__getitem__

Played = tuple[int, int, int, int]  # a card that everybody saw after it had come from a hand: kind, and its Origin


class Landmark(NamedTuple):
    """A moment that taught everybody something lasting about cards they do not see.

    After an alarm: whose hands held no police car card. After a raid: all that lay open, so that what went back into
    the deck only then cannot be in a hand that has not drawn since.
    """

    dry: tuple[int, ...]  # seats
    open: Cards  # after a raid; empty after an alarm
    apart_by: int
    hands: tuple[Cards, ...]  # after a raid, what each held: its own memory
    apart: Cards  # and what `apart_by` kept apart
    drawn: int  # how many cards had been drawn into hands


@dataclass(slots=True, frozen=True)
class House:
    """The house rules that change what may be done, and the box."""

    raid_tie: str
    alarm: str
    stays_open: bool
    may_let_go: bool
    tie: str
    match: bool
    box: Cards  # all cards, sorted


class Result(NamedTuple):
    """One game of a match: what each had at the end, and the gems it got."""

    loot: tuple[Cards, ...]
    gems: Cards


@dataclass(slots=True)
class Table(core.Table):
    """Everything that lies on the table, the hands too. The deck has no order: a card is drawn when it is needed."""

    seats: int
    house: House
    results: tuple[Result, ...]  # the games of a match that are over
    apart_by: int  # who played the last double loot
    getaways: int  # laid open
    last_caught: tuple[int, ...]  # who lost loot in the last raid that took any
    left: list[int]  # the deck, sorted: it has no order; in a view, all cards not seen
    police: list[int]  # police car cards on the table, as they were laid
    gone: list[int]  # out of the game: used actions and blocked police
    landmarks: list[Landmark]
    drawn: list[int]  # the seats that drew cards into their hands, one by one
    played: list[Played]
    apart_since: list[int]  # landmarks passed when each of `apart` was drawn
    apart: list[list[int]]  # cards of double loot still to be played, the newest last
    hands: list[list[int]]  # sorted, by seat
    loot: list[list[Loot]]  # by seat


def lay_out(seats: int, options: Options) -> Table:
    """The table before the first game."""
    rules = map(options.__getitem__, ("raid_tie", "alarm", "shown_loot", "thief", "tie", "match"))
    return anew(seats, house_of(*rules, tuple(options["deck"].values())), ())


@lru_cache(maxsize=16)
def house_of(
    raid_tie: str, alarm: str, shown_loot: str, thief: str, tie: str, match: str, deck: tuple[int, ...]
) -> House:
    return House(
        raid_tie=raid_tie,
        alarm=alarm,
        stays_open=shown_loot == "stays_open",
        may_let_go=thief == "may_let_go",
        tie=tie,
        match=match == "seven_gems",
        box=tuple([kind for kind, count in zip(KINDS, deck, strict=True) for _ in range(count)]),
    )


def anew(seats: int, house: House, results: tuple[Result, ...]) -> Table:
    """The table before a game: all cards are in the deck."""
    return Table(
        # In the order of the declaration; named, they would take half as long again.
        seats,
        house,
        results,
        0,  # apart_by
        0,  # getaways
        (),  # last_caught
        list(house.box),  # left
        [],  # police
        [],  # gone
        [],  # landmarks
        [],  # drawn
        [],  # played
        [],  # apart_since
        [],  # apart
        [[] for _ in range(seats)],  # hands
        [[] for _ in range(seats)],  # loot
    )


def clear(t: Table) -> None:
    """Take all cards back into the deck for the next game of a match."""
    fresh = anew(t.seats, t.house, t.results)
    for field in fields(t):
        setattr(t, field.name, getattr(fresh, field.name))


def left_of(t: Table, seat: int) -> int:
    return seat + 1 if seat + 1 < t.seats else 0


def take(t: Table, cards: list[int], kind: int) -> None:
    """Take a card out of a hand. Where the hand is not seen the card is one of those unseen until now."""
    try:
        cards.remove(kind)
    except ValueError:
        cards.remove(HIDDEN)
        t.left.remove(kind)


def record(t: Table, kind: int, seat: int, drawn: int, played: int) -> None:
    """Remember a card that everybody has seen now, if a landmark passed while it was, or may have been, in a hand."""
    if 0 < played > drawn:
        t.played.append((kind, seat, drawn, played))


def put_back(t: Table, cards: list[int]) -> None:
    """Shuffle cards back into the deck."""
    t.left += cards
    t.left.sort()


def show_loot(t: Table, shown: Sequence[Cards], *, up: bool) -> None:
    """Everybody sees all loot."""
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
    """The loot of each seat."""
    return [tuple(map(_kind, cards)) for cards in t.loot]


def check_shown(t: Table, shown: Sequence[Cards]) -> None:
    """Loot laid open is what this table knows it to be; where it does not know, a loot card not seen elsewhere."""
    need = []
    if len(shown) != t.seats:
        raise Refused("thieves.shown.seats", seats=t.seats)
    for seat, (cards, kinds) in enumerate(zip(t.loot, shown, strict=True)):
        if len(cards) != len(kinds):
            raise Refused("thieves.shown.number", seat=seat, cards=len(cards))
        for card, kind in zip(cards, kinds, strict=True):
            if card.kind == HIDDEN and kind in LOOT:
                need.append(kind)
            elif card.kind != kind:
                raise Refused("thieves.shown.other_card", seat=seat)
    check_unseen(t, need)


def check_unseen(t: Table, kinds: Sequence[int]) -> None:
    """This table has not seen these cards elsewhere."""
    for kind in kinds:
        if t.left.count(kind) < kinds.count(kind):
            raise Refused("thieves.shown.too_many", card=NAMES.get(kind, "?"))


def deck(t: Table) -> int:
    """How many cards are in the deck: what was not seen, without the hidden cards elsewhere."""
    hidden = sum(cards.count(HIDDEN) for cards in (*t.hands, *t.apart))
    return len(t.left) - hidden - sum(card.kind == HIDDEN for cards in t.loot for card in cards)


def cars(t: Table) -> int:
    """The police cars on the table."""
    return len(t.police) + t.police.count(TWO_CARS)


def richest(t: Table, loot: Sequence[Cards]) -> Cards:
    """Who loses all loot in a raid: the richest at raid worth; who of several is a house rule."""
    sums = [sum(map(_at_raid, kinds)) for kinds in loot]
    top = max(sums)
    if not top:
        return ()
    if sums.count(top) == 1:
        return (sums.index(top),)
    found = [seat for seat in range(t.seats) if sums[seat] == top]
    if t.house.raid_tie == "nobody":
        return ()
    if t.house.raid_tie == "fewest_cards":
        fewest = min(len(loot[seat]) for seat in found)
        found = [seat for seat in found if len(loot[seat]) == fewest]
    return tuple(found)
