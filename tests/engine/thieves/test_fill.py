"""Filled views of thieves are evenly distributed over all possible tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from math import comb
from random import Random
from typing import Any

import pytest

from engine import thieves
from engine.core import HIDDEN, Answer, Question
from engine.session import Session
from engine.thieves.table import Table
from tests.engine.anything import steps, viewers
from tests.engine.thieves.positions import KIND, A, table

SMALL = dict.fromkeys(KIND, 0) | {"getaway": 7, "money_1": 6, "two_cars": 5, "alarm": 2}
SMALL |= {"ring": 1, "thief": 1, "double_loot": 1}


# What can lie where, found by trying everything


def possible(session: Session, viewer: int) -> dict[Hashable, Table]:
    """Returns all tables that agree with the masked log of `viewer`."""
    t, question = thieves.new(session.seats, session.options)
    found: dict[Hashable, Table] = {key(t): t}
    for asked, (seat, seen) in zip(session.asked, session.masked(viewer), strict=True):
        assert asked == question
        following: dict[Hashable, Table] = {}
        for one in found.values():
            for a in ways(asked, one, seat, seen, viewer):
                copy = one.copy()
                question = asked.answer(copy, seat, a)
                following[key(copy)] = copy
        found = following
    return found


def ways(asked: Question[Any], t: Table, seat: int, seen: Answer, viewer: int) -> list[Answer]:
    """Returns the answers that look like `seen`."""
    if HIDDEN in seen or (seen[0] in ("raid", "count", "police_laid") and HIDDEN not in seen):
        return [a for a in asked.answers(t, seat) if asked.mask(seat, a, viewer) == seen]
    return [seen] if seen in asked.answers(t, seat) else []


def key(t: Table) -> Hashable:
    return (
        tuple(map(tuple, t.hands)),
        tuple(map(tuple, t.apart)),
        tuple(tuple(card.kind for card in cards) for cards in t.loot),
    )


def weight(t: Table) -> int:
    """Returns in how many ways the single cards of the box can lie like this."""
    places = [Counter(cards) for cards in (*t.hands, *t.apart, t.left)]
    places += [Counter([card.kind]) for cards in t.loot for card in cards]
    total = 1
    for kind in set(t.house.box):
        rest = sum(place[kind] for place in places)
        for place in places:
            total *= comb(rest, place[kind])
            rest -= place[kind]
    return total


def small_game(seed: int, **house: Any) -> Session:
    """Returns a game with few kinds of card and many raids, some time after its first alarm or raid."""
    rnd = Random(seed)
    while True:
        session = Session(thieves, 3, {"deck": SMALL, **house})
        taught = [len(one.log) for one in steps(session, rnd) if one.table.memory.landmarks]
        if taught:
            session.rewind(rnd.choice(taught))
            return session


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", [0, 1, 2, 4, 6, 12, 13, 14, 16, 20, 22, 26])  # the small ones
def test_fills_are_uniform_over_all_possible_deals(seed: int) -> None:
    """Against the set of all tables found by trying every card at every hidden entry, by a chi-square test."""
    session = small_game(
        seed,
        alarm=("everyone", "others", "one_each")[seed % 3],
        shown_loot=("turns_back", "stays_open")[seed % 2],
    )
    viewer = viewers(3)[seed % 4]
    tables = possible(session, viewer)
    assert key(session.table) in tables
    assert_even(session.view(viewer), tables, Random(seed))


def assert_even(view: Table, tables: dict[Hashable, Table], rnd: Random, draws: int = 600) -> None:
    drawn = Counter(key(thieves.fill(view, rnd)) for _ in range(draws))
    assert set(drawn) <= set(tables)
    weights = {name: weight(t) for name, t in tables.items()}
    scale = draws / sum(weights.values())
    # Rare tables are taken together, so that each cell expects some draws.
    cells, rare_seen, rare = [], 0, 0.0
    for name, ways_ in weights.items():
        if ways_ * scale >= 5:
            cells.append((drawn[name], ways_ * scale))
        else:
            rare_seen += drawn[name]
            rare += ways_ * scale
    if rare:
        cells.append((rare_seen, max(rare, 1.0)))
    chi = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    degrees = max(1, len(cells) - 1)
    assert chi < degrees + 5 * (2 * degrees) ** 0.5 + 5, (chi, degrees)


def test_a_table_weighs_as_many_deals_as_lead_to_it() -> None:
    t = table(3, hands={A: "money_1 money_1"})
    assert weight(t) == comb(8, 2)
