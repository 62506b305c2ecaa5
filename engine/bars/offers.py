"""Razzia: sensible proposals, for bots and for the suggestions that light up. What is legal, `Propose.check` says."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import compress, product

from engine.core import Answer

Notes = tuple[int, ...]

MOST = 16  # so many ways to hand the notes out are listed whole; of more only a choice
QUARTERS = (1, 2, 3, 4, 5)  # of an even share


@lru_cache(maxsize=4096)
def candidates(pot: Notes, others: int) -> tuple[Answer, ...]:
    """Proposals of the notes in `pot` (the highest first) to so many others, the meanest first."""
    found = every(pot, others) if (others + 1) ** len(pot) <= MOST else some(pot, others)
    return tuple(dict.fromkeys(found))


def every(pot: Notes, others: int) -> list[Answer]:
    """All proposals; with equal notes some stand there twice."""
    return [("propose", *[tuple(compress(pot, mine)) for mine in owned]) for owned in ways(len(pot), others)]


@cache
def ways(notes: int, others: int) -> list[list[list[bool]]]:
    """Every way so many notes may be owned: for each of the others, which notes are its own."""
    proposer = others
    owners = product(range(proposer, -1, -1), repeat=notes)
    return [[[owner == other for owner in owned] for other in range(others)] for owned in owners]


def some(pot: Notes, others: int) -> list[Answer]:
    """Nothing for anybody; an even share for one alone; for everyone a part of an even share, or a little more."""
    share = sum(pot) // (others + 1)
    found: list[list[Notes]] = [[()] * others]
    for one in range(others):
        offers: list[Notes] = [()] * others
        offers[one] = nearest(list(pot), share)
        found.append(offers)
    for quarters in QUARTERS:
        left = list(pot)
        found.append([nearest(left, share * quarters // 4) for _ in range(others)])
    return [("propose", *offers) for offers in found]


def nearest(left: list[int], share: int) -> Notes:
    """Take from `left` the notes that come near to a share from below, the highest first."""
    taken = []
    for value in left:
        if value <= share:
            share -= value
            taken.append(value)
    for value in taken:
        left.remove(value)
    return tuple(taken)
