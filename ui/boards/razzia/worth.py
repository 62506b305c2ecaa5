"""What things are worth: the row to each seat, a set now and with one more card. Counted by the box's own scoring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.razzia.box import BODYGUARD, BUSINESSES, CAR, COIN, DRIVER, EMPTY, JEWELS, THIEF
from engine.razzia.rules import AT_THE_END, EVERY_ROUND, POINTS, Cards, Scored, Table, is_last, own_cheques

#: what counts at the end apart from the cheques
LATE = AT_THE_END[:-1]
CHEQUES = AT_THE_END[-1]


class Worth(NamedTuple):
    """What the row would bring a seat: if the round ended now, and what it adds to the last scoring."""

    now: int
    end: int


class Set(NamedTuple):
    """What a seat has of one group: its points as they stand, and what the best next card of the group would add."""

    group: str
    now: int
    more: int


#: the categories each group is counted in, and the cards that make it grow
COUNTS: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "jewels": (("jewels",), tuple(JEWELS)),
    "coins": (("coins",), (COIN,)),
    "bodyguards": (("bodyguards",), (BODYGUARD,)),
    "thieves": (("thieves",), (THIEF,)),
    "businesses": (LATE, tuple(BUSINESSES)),
    "cars": (("cars",), (CAR, DRIVER)),
}


def joined(family: Cards, cards: Iterable[int]) -> Cards:
    """The family with these cards in it."""
    counts = list(family)
    for kind in cards:
        counts[kind] += 1
    counts[EMPTY] = 0
    return tuple(counts)


def with_family(families: Sequence[Cards], seat: int, family: Cards) -> list[Cards]:
    return [family if other == seat else families[other] for other in range(len(families))]


def points(families: Sequence[Cards], seat: int, category: str) -> int:
    return POINTS[category](list(families))[seat]


def gains(families: Sequence[Cards], seat: int, row: Iterable[int]) -> dict[str, int]:
    """What taking the row would change for the seat, by category; the others keep what they have."""
    after = with_family(families, seat, joined(families[seat], row))
    return {
        category: points(after, seat, category) - points(families, seat, category) for category in (*EVERY_ROUND, *LATE)
    }


@lru_cache(maxsize=100)
def worth(families: tuple[Cards, ...], seat: int, row: tuple[int, ...]) -> Worth:
    """Points if the round ended now, and apart from them what counts at the end."""
    by = gains(families, seat, row)
    return Worth(sum(by[category] for category in EVERY_ROUND), sum(by[category] for category in LATE))


@lru_cache(maxsize=100)
def sets(families: tuple[Cards, ...], seat: int) -> tuple[Set, ...]:
    """Every group of the seat's family."""
    found: list[Set] = []
    for group, (categories, kinds) in COUNTS.items():
        now = sum(points(families, seat, category) for category in categories)
        after = [
            sum(
                points(with_family(families, seat, joined(families[seat], [kind])), seat, category)
                for category in categories
            )
            for kind in kinds
        ]
        found.append(Set(group, now, max(after) - now))
    return tuple(found)


def if_it_ended(t: Table, *, with_cheques: bool) -> list[Scored]:
    """The scoring as it would be if the round ended now."""
    categories = EVERY_ROUND + (AT_THE_END if is_last(t) else ())
    found: list[Scored] = []
    for category in categories:
        if category == CHEQUES and not with_cheques:
            continue
        held = [own_cheques(t, seat) for seat in range(t.seats)] if category == CHEQUES else t.family
        found.append(Scored(t.round, category, tuple(held), POINTS[category](list(held))))
    return found
