"""Złodzieje!: what it was worth, and who has won."""

from __future__ import annotations

from engine.core import Line
from engine.thieves.box import AT_END, GEMS_FIRST, GEMS_SECOND, HORSESHOE, MONEY, RING, worth
from engine.thieves.table import Cards, Table, loot_kinds

COUNTED: dict[str, range | tuple[int, ...]] = {"money": MONEY, "ring": (RING,), "horseshoe": (HORSESHOE,)}


def points(t: Table) -> list[int]:
    """The loot of each seat at end worth, as far as it is seen; hands do not count."""
    return [worth(kinds, AT_END) for kinds in loot_kinds(t)]


def scores(t: Table) -> list[int]:
    """Points; in a match gems."""
    return gems_so_far(t) if t.house.match else points(t)


def ahead(t: Table) -> list[int]:
    """The highest sum wins; a tie is shared, or broken by house rule.

    The fewest loot cards win; or whoever lost loot in the last raid that took any drops out, if not all of them did.
    """
    sums = points(t)
    found = [seat for seat in range(t.seats) if sums[seat] == max(sums)]
    if t.house.tie == "fewest_cards":
        fewest = min(len(t.loot[seat]) for seat in found)
        return [seat for seat in found if len(t.loot[seat]) == fewest]
    if t.house.tie == "last_raid":
        return [seat for seat in found if seat not in t.last_caught] or found
    return found


def gems(t: Table) -> Cards:
    """What this game brings: the winner two, the second one.

    A shared win: two each and nobody is second. Several are second: one each. Who lost a tie for the win is second.
    """
    first, sums = ahead(t), points(t)
    best = max(sums[seat] for seat in range(t.seats) if seat not in first) if len(first) < t.seats else None
    second = [seat for seat in range(t.seats) if seat not in first and sums[seat] == best and len(first) == 1]
    return tuple([GEMS_FIRST if seat in first else GEMS_SECOND if seat in second else 0 for seat in range(t.seats)])


def gems_so_far(t: Table) -> list[int]:
    """The gems of each seat in the match."""
    return [sum(result.gems[seat] for result in t.results) for seat in range(t.seats)]


def winners(t: Table) -> list[int]:
    """Who has won the game, or most gems of a match; a match ends shared when they are equal."""
    if t.house.match:
        found = gems_so_far(t)
        return [seat for seat in range(t.seats) if found[seat] == max(found)]
    return ahead(t)


def ledger(t: Table) -> list[Line]:
    """Where every point came from: the loot of each seat by category; in a match the gems of each game."""
    if t.house.match:
        return [
            Line(game, seat, "first" if got == GEMS_FIRST else "second", result.loot[seat], got)
            for game, result in enumerate(t.results, 1)
            for seat, got in enumerate(result.gems)
            if got
        ]
    return [
        Line(1, seat, category, cards, worth(cards, AT_END))
        for seat, kinds in enumerate(loot_kinds(t))
        for category, counted in COUNTED.items()
        if (cards := tuple(sorted(kind for kind in kinds if kind in counted)))
    ]
