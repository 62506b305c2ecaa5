"""Thieves!: points, gems and winners."""

from __future__ import annotations

from engine.core import LedgerLine
from engine.thieves.box import AT_END, GEMS_FIRST, GEMS_SECOND, HORSESHOE, MONEY, RING, worth
from engine.thieves.table import Cards, Table, loot_kinds

COUNTED: dict[str, range | tuple[int, ...]] = {"money": MONEY, "ring": (RING,), "horseshoe": (HORSESHOE,)}


def points(t: Table) -> list[int]:
    """Returns the loot of each seat at end worth, as far as it is seen. Hands do not count."""
    return [worth(kinds, AT_END) for kinds in loot_kinds(t)]


def scores(t: Table) -> list[int]:
    """Returns points, or gems in a match."""
    return gems_so_far(t) if t.house.match else points(t)


def ahead(t: Table) -> list[int]:
    """Returns the seats with the highest sum. A tie is shared, or broken by house rule.

    By house rule the fewest loot cards win; or a seat that lost loot in the last raid that took any drops out, unless
    all of the tied seats lost loot then.
    """
    sums = points(t)
    tied = [seat for seat in range(t.seats) if sums[seat] == max(sums)]
    if t.house.tie == "fewest_cards":
        fewest = min(len(t.loot[seat]) for seat in tied)
        return [seat for seat in tied if len(t.loot[seat]) == fewest]
    if t.house.tie == "last_raid":
        return [seat for seat in tied if seat not in t.last_caught] or tied
    return tied


def gems(t: Table) -> Cards:
    """Returns the gems of this game, by seat: two for the winner, one for the second.

    A shared win brings two each, and nobody is second. Several seconds get one each. A seat that lost a tie for the win
    is second.
    """
    first, sums = ahead(t), points(t)
    best = max(sums[seat] for seat in range(t.seats) if seat not in first) if len(first) < t.seats else None
    second = [seat for seat in range(t.seats) if seat not in first and sums[seat] == best and len(first) == 1]
    return tuple([GEMS_FIRST if seat in first else GEMS_SECOND if seat in second else 0 for seat in range(t.seats)])


def gems_so_far(t: Table) -> list[int]:
    """Returns the gems of each seat in the match so far."""
    return [sum(result.gems[seat] for result in t.results) for seat in range(t.seats)]


def winners(t: Table) -> list[int]:
    """Returns the seats that have won the game, or in a match those with most gems: a tie is shared."""
    if t.house.match:
        totals = gems_so_far(t)
        return [seat for seat in range(t.seats) if totals[seat] == max(totals)]
    return ahead(t)


def ledger(t: Table) -> list[LedgerLine]:
    """Returns the lines of the points: the loot of each seat by category; in a match the gems of each game."""
    if t.house.match:
        return [
            LedgerLine(game, seat, "first" if got == GEMS_FIRST else "second", result.loot[seat], got)
            for game, result in enumerate(t.results, 1)
            for seat, got in enumerate(result.gems)
            if got
        ]
    return [
        LedgerLine(1, seat, category, cards, worth(cards, AT_END))
        for seat, kinds in enumerate(loot_kinds(t))
        for category, counted in COUNTED.items()
        if (cards := tuple(sorted(kind for kind in kinds if kind in counted)))
    ]
