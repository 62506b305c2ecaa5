"""Made-up raids and ends of thieves, counted a second time by the names of the cards, as the rule sheet says it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine import thieves
from engine.core import NATURE, NOBODY, Over
from engine.options import Options, settle
from engine.thieves.box import CARDS, NAMES
from engine.thieves.raid import Raid
from engine.thieves.rules import Count, Draw, First
from engine.thieves.score import ledger, points, winners
from engine.thieves.table import Result, Table
from tests.engine.thieves.census import all_cards
from tests.engine.thieves.positions import KIND, beats, laid

ENDS = 500  # for each number of players

IN_A_RAID = {"money_0": 0, "money_1": 1, "money_2": 2, "money_3": 3, "ring": 3, "horseshoe": 1}
AT_THE_END = {"money_0": 0, "money_1": 1, "money_2": 2, "money_3": 3, "ring": 1, "horseshoe": 3}


def made_up(seats: int, rnd: Random) -> tuple[Table, Options]:
    """Returns a table with loot before the players, by any house rules. Half the tables have few cards: many ties."""
    given: dict[str, Any] = {
        option.name: rnd.choice(option.choices) for option in thieves.OPTIONS if hasattr(option, "choices")
    }
    if rnd.random() < 0.5:
        given["deck"] = {card.name: rnd.randint(card.count, 9) for card in CARDS if card.name in IN_A_RAID}
    settled = settle(thieves, seats, given)
    t, _ = thieves.new(seats, settled)
    loot = [name for name in IN_A_RAID for _ in range(settled["deck"][name])]
    rnd.shuffle(loot)
    most = rnd.choice((1, 2, 6))
    for seat in range(seats):
        names = [loot.pop() for _ in range(min(len(loot), rnd.randint(0, most)))]
        t.loot[seat] = laid(seat, " ".join(rnd.choice((name, f"[{name}]")) for name in names))
    t.police = [KIND["two_cars"], KIND["two_cars"]]
    t.last_caught = tuple(seat for seat in range(seats) if rnd.random() < 0.3)
    for kind in [*t.police, *(card.kind for cards in t.loot for card in cards)]:
        t.left.remove(kind)
    assert all_cards(t) == t.house.box
    return t, settled


def loot_of(t: Table) -> list[list[str]]:
    return [[NAMES[card.kind] for card in cards] for cards in t.loot]


def losers_by_hand(loot: list[list[str]], rule: str) -> list[int]:
    """Returns the seats that a raid catches."""
    sums = {seat: sum(IN_A_RAID[name] for name in names) for seat, names in enumerate(loot)}
    richest = [seat for seat in sums if sums[seat] > 0 and all(sums[seat] >= other for other in sums.values())]
    if len(richest) < 2 or rule == "all":
        return richest
    if rule == "nobody":
        return []
    return [seat for seat in richest if all(len(loot[seat]) <= len(loot[other]) for other in richest)]


def winners_by_hand(loot: list[list[str]], last_caught: tuple[int, ...], rule: str) -> list[int]:
    """Returns the seats that win one game."""
    sums = [sum(AT_THE_END[name] for name in names) for names in loot]
    first = [seat for seat, points in enumerate(sums) if not any(other > points for other in sums)]
    if rule == "fewest_cards":
        return [seat for seat in first if not any(len(loot[other]) < len(loot[seat]) for other in first)]
    if rule == "last_raid" and not set(first) <= set(last_caught):
        return [seat for seat in first if seat not in last_caught]
    return first


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", thieves.SEATS)
def test_made_up_raids_catch_the_same_players_in_two_ways(seats: int) -> None:
    rnd = Random(f"raids of {seats}")
    found: Counter[int] = Counter()
    for _ in range(ENDS):
        t, options = made_up(seats, rnd)
        loot, before = loot_of(t), [list(cards) for cards in t.loot]
        losers = losers_by_hand(loot, options["raid_tie"])
        was_caught = t.last_caught
        assert beats(t, Raid(Draw(0))) == Draw(0)
        assert loot_of(t) == [[] if seat in losers else names for seat, names in enumerate(loot)]
        back = Counter(KIND[name] for seat in losers for name in loot[seat]) + Counter({KIND["two_cars"]: 2})
        assert (t.police, all_cards(t)) == ([], t.house.box)
        assert not back - Counter(t.left)
        assert t.last_caught == (tuple(losers) or was_caught)
        shown = options["shown_loot"] == "stays_open"
        faces = [[card.up for card in cards] for cards in t.loot]
        assert faces == [
            [] if seat in losers else [card.up or shown for card in cards] for seat, cards in enumerate(before)
        ]
        found[len(losers)] += 1
    assert set(found) >= {0, 1, 2, 3}


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", thieves.SEATS)
def test_made_up_ends_are_counted_alike_in_two_ways(seats: int) -> None:
    rnd = Random(f"ends of {seats}")
    ties = matches = 0
    for _ in range(ENDS):
        t, options = made_up(seats, rnd)
        loot, match = loot_of(t), options["match"] == "seven_gems"
        sums = [sum(AT_THE_END[name] for name in names) for names in loot]
        first = winners_by_hand(loot, t.last_caught, options["tie"])
        before = tuple(rnd.choice((0, 0, 1, 2, 5, 6)) for _ in range(seats))  # gems of the games before, as if of one
        if match:
            t.results = (Result(((),) * seats, before),)
        got = gems_by_hand(sums, first)
        total = [had + more for had, more in zip(before, got, strict=True)]
        question = Count()
        after = question.answer(t, NATURE, question.outcome(t))
        if not match:
            assert (points(t), thieves.scores(t)) == (sums, sums)
        after = beats(t, after)
        lines = [sum(line.points for line in ledger(t) if line.seat == seat) for seat in range(seats)]
        if match:
            matches += 1
            assert thieves.scores(t) == total == lines
            assert isinstance(after, Over if max(total) >= 7 else First)
            assert (after.seat == NOBODY) is (max(total) >= 7)
            assert winners(t) == [seat for seat in range(seats) if total[seat] == max(total)]
        else:
            assert (lines, winners(t)) == (sums, first)
        ties += sums.count(max(sums)) > 1
    assert min(ties, matches) > 50


def gems_by_hand(sums: list[int], first: list[int]) -> list[int]:
    """Returns the gems of one game: the winner gets two, and only beside a single winner the second gets one."""
    gems = [0] * len(sums)
    for seat in first:
        gems[seat] = 2
    if len(first) == 1:
        rest = [sums[seat] for seat in range(len(sums)) if seat != first[0]]
        for seat in range(len(sums)):
            if seat != first[0] and sums[seat] == sorted(rest)[-1]:
                gems[seat] = 1
    return gems
