"""Razzia: sensible proposals, for bots and for the suggestions of the page. `Propose.check` allows all legal ones."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import compress, product

from engine.core import Answer

Notes = tuple[int, ...]

MOST = 16  # up to so many ways to share the notes, all are listed; of more ways only a selection
QUARTERS = (1, 2, 3, 4, 5)  # of an even share, offered to each


@lru_cache(maxsize=4096)
def candidates(pot: Notes, others: int) -> tuple[Answer, ...]:
    """Returns proposals of the notes in `pot` (the highest first) to so many others, the lowest offers first."""
    proposals = every(pot, others) if (others + 1) ** len(pot) <= MOST else some(pot, others)
    return tuple(dict.fromkeys(proposals))


def every(pot: Notes, others: int) -> list[Answer]:
    """Returns all proposals. Equal notes lead to equal proposals."""
    return [("propose", *[tuple(compress(pot, mine)) for mine in owned]) for owned in ways(len(pot), others)]


@cache
def ways(notes: int, others: int) -> list[list[list[bool]]]:
    """Returns all ways to share so many notes: for each of the others, a flag for each note it gets."""
    proposer = others
    owners = product(range(proposer, -1, -1), repeat=notes)
    return [[[owner == other for owner in owned] for other in range(others)] for owned in owners]


def some(pot: Notes, others: int) -> list[Answer]:
    """Returns a selection: no note for the others; an even share for one of them; for all a part of an even share."""
    share = sum(pot) // (others + 1)
    proposals: list[list[Notes]] = [[()] * others]
    for one in range(others):
        offers: list[Notes] = [()] * others
        offers[one] = nearest(list(pot), share)
        proposals.append(offers)
    for quarters in QUARTERS:
        left = list(pot)
        proposals.append([nearest(left, share * quarters // 4) for _ in range(others)])
    return [("propose", *offers) for offers in proposals]


def nearest(left: list[int], share: int) -> Notes:
    """Takes notes from `left`, the highest first, whose sum comes near to `share` but not above it."""
    taken = []
    for value in left:
        if value <= share:
            share -= value
            taken.append(value)
    for value in taken:
        left.remove(value)
    return tuple(taken)
