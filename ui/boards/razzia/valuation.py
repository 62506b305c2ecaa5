"""The worth of the row to each seat, and of each group in a family, computed with the scoring of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.razzia.box import BODYGUARD, BUSINESSES, CAR, COIN, DRIVER, EMPTY, JEWELS, THIEF, Family
from engine.razzia.rules import AT_THE_END, EVERY_ROUND, SCORERS, Scored, Table, is_last_round, own_cheques

#: the categories that count only at the end, apart from the cheques
END_CATEGORIES = AT_THE_END[:-1]
CHEQUES = AT_THE_END[-1]


class Worth(NamedTuple):
    """The points the row would bring a seat: if the round ended now, and in the categories that count at the end."""

    now: int
    end: int


class GroupPoints(NamedTuple):
    """One group of a seat's family: its points now, and the points that the best next card of the group would add."""

    group: str
    points: int
    gain: int


#: by group, the categories it is counted in, and the kinds of its cards
COUNTS: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "jewels": (("jewels",), tuple(JEWELS)),
    "coins": (("coins",), (COIN,)),
    "bodyguards": (("bodyguards",), (BODYGUARD,)),
    "thieves": (("thieves",), (THIEF,)),
    "businesses": (END_CATEGORIES, tuple(BUSINESSES)),
    "cars": (("cars",), (CAR, DRIVER)),
}


def family_with(family: Family, cards: Iterable[int]) -> Family:
    """Returns the family with these cards added to it."""
    counts = list(family)
    for kind in cards:
        counts[kind] += 1
    counts[EMPTY] = 0
    return tuple(counts)


def with_family(families: Sequence[Family], seat: int, family: Family) -> list[Family]:
    return [family if other == seat else families[other] for other in range(len(families))]


def points(families: Sequence[Family], seat: int, category: str) -> int:
    return SCORERS[category](list(families))[seat]


def gains(families: Sequence[Family], seat: int, row: Iterable[int]) -> dict[str, int]:
    """Returns by category how the seat's points would change if it took the row, and all other families stayed."""
    families_after = with_family(families, seat, family_with(families[seat], row))
    return {
        category: points(families_after, seat, category) - points(families, seat, category)
        for category in (*EVERY_ROUND, *END_CATEGORIES)
    }


@lru_cache(maxsize=100)
def worth(families: tuple[Family, ...], seat: int, row: tuple[int, ...]) -> Worth:
    """Returns the points that the row would bring the seat."""
    by = gains(families, seat, row)
    return Worth(sum(by[category] for category in EVERY_ROUND), sum(by[category] for category in END_CATEGORIES))


@lru_cache(maxsize=100)
def group_points(families: tuple[Family, ...], seat: int) -> tuple[GroupPoints, ...]:
    """Returns every group of the seat's family, with its points."""
    groups: list[GroupPoints] = []
    for group, (categories, kinds) in COUNTS.items():
        now = sum(points(families, seat, category) for category in categories)
        after = [
            sum(
                points(with_family(families, seat, family_with(families[seat], [kind])), seat, category)
                for category in categories
            )
            for kind in kinds
        ]
        groups.append(GroupPoints(group, now, max(after) - now))
    return tuple(groups)


def score_if_ended(t: Table, *, with_cheques: bool) -> list[Scored]:
    """Returns the scoring as it would be if the round ended now, with or without the cheques."""
    categories = EVERY_ROUND + (AT_THE_END if is_last_round(t) else ())
    scored: list[Scored] = []
    for category in categories:
        if category == CHEQUES and not with_cheques:
            continue
        held = [own_cheques(t, seat) for seat in range(t.seats)] if category == CHEQUES else t.family
        scored.append(Scored(t.round, category, tuple(held), SCORERS[category](list(held))))
    return scored
