"""Razzia: sensible proposals, for bots and for the suggestions that light up. What is legal, `Propose.check` says."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, prod

from engine.core import Answer

Notes = tuple[int, ...]
Offers = tuple[Notes, ...]

MOST = 36  # as many proposals are listed whole; of more only a choice
LEVELS = (1, 2, 3, 4, 5)  # quarters of an even share


@lru_cache(maxsize=4096)
def candidates(pot: Notes, others: int) -> tuple[Answer, ...]:
    """Proposals of the notes in `pot` (the highest first) to so many others, from the meanest to the most generous."""
    found = every(pot, others) if how_many(pot, others) <= MOST else some(pot, others)
    return tuple(("propose", *offers) for offers in sorted(found, key=lambda offers: (sum(map(sum, offers)), offers)))


def how_many(pot: Notes, others: int) -> int:
    """All proposals there are: each value's notes fall to the proposer and the others in every way."""
    return prod([comb(pot.count(value) + others, others) for value in set(pot)])


def every(pot: Notes, others: int) -> list[Offers]:
    """All proposals. Equal notes are all alike, so each value's are handed out as a multiset of owners."""
    values = sorted(set(pot), reverse=True)
    ways = [list(combinations_with_replacement(range(others + 1), pot.count(value))) for value in values]
    found = []
    for owners in product(*ways):
        offers: list[Notes] = [()] * (others + 1)  # the last is the proposer's own
        for value, owned in zip(values, owners, strict=True):
            for owner in owned:
                offers[owner] += (value,)
        found.append(tuple(offers[:-1]))
    return found


def some(pot: Notes, others: int) -> set[Offers]:
    """Nothing for anybody; something for one alone; something for everyone: up to a little over an even share."""
    found: set[Offers] = {((),) * others}
    groups = [range(others), *([one] for one in range(others))]
    for level in LEVELS:
        share = sum(pot) * level // (4 * (others + 1))
        for group in groups:
            left = list(pot)
            offers: list[Notes] = [()] * others
            for one in group:
                offers[one] = nearest(left, share)
            found.add(tuple(offers))
    return found


def nearest(left: list[int], share: int) -> Notes:
    """Take from `left` the notes that come near to a share from below, the highest first."""
    taken: Notes = ()
    for value in list(left):
        if value <= share - sum(taken):
            taken += (value,)
            left.remove(value)
    return taken
