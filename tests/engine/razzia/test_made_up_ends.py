"""Made-up ends of rounds and games of razzia, counted a second time from lists of cards, as the rule sheet says it."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import NATURE, Beat, Over, Question
from engine.razzia import box
from engine.razzia.rules import Score, Table, ledger, winners
from tests.engine.razzia.positions import RAZZIA, counts, table

ENDS = 500  # for each number of players

JEWELS = ("ring", "watch", "brooch", "necklace", "diamond")
BUSINESSES = ("casino", "transport", "film", "racetrack", "estate", "nightclub", "restaurant")
STAYING = ("car", "bodyguard", *BUSINESSES)
CHEQUES = {2: 9, 3: 13, 4: 13, 5: 16}  # the highest by number of players


def made_up_end(seats: int, rnd: Random) -> Table:
    """Returns a table at the end of a round: often with few kinds, so that there are ties, or with many of one kind."""
    most = rnd.choice((1, 2, 4, 6))
    kinds = rnd.sample(sorted(box.NAMES.values()), rnd.randint(1, 18))
    families = [{kind: rnd.randint(0, most) for kind in kinds if kind != "police"} for _ in range(seats)]
    values = list(range(1, CHEQUES[seats] + 1))
    rnd.shuffle(values)
    centre, *others = values
    held = [others[seat::seats] for seat in range(seats)]
    opened = [rnd.randint(0, len(cheques)) for cheques in held]
    return table(
        seats,
        tie=rnd.choice(("shared", "highest_cheque")),
        round=rnd.choice((1, 2, 3, 3)),
        points=[rnd.choice((0, 0, rnd.randint(-9, 60))) for _ in range(seats)],
        family=[counts(**family) for family in families],
        open=[tuple(sorted(cheques[:number])) for cheques, number in zip(held, opened, strict=True)],
        spent=[tuple(cheques[number:]) for cheques, number in zip(held, opened, strict=True)],
        centre=centre,
    )


def cards_of(t: Table, seat: int) -> list[str]:
    return [box.NAMES[kind] for kind, count in enumerate(t.family[seat]) for _ in range(count)]


def extremes(numbers: list[int], most: int, fewest: int) -> list[int]:
    """Returns the points of whoever has most and of whoever has fewest; nothing if all have equally many."""
    ranked = sorted(numbers)
    if ranked[0] == ranked[-1]:
        return [0 for _ in numbers]
    return [most if number == ranked[-1] else fewest if number == ranked[0] else 0 for number in numbers]


def points_by_hand(t: Table) -> list[int]:
    """Counts what every seat gets for this round, card by card."""
    points = [0] * t.seats
    for seat in range(t.seats):
        cards = cards_of(t, seat)
        for card in cards:
            if card == "thief":
                points[seat] += 2
            elif card == "coin":
                points[seat] += 3
            elif card == "driver" or (card == "car" and "driver" in cards):
                points[seat] += 1
        different = {card for card in cards if card in JEWELS}
        points[seat] += {0: -5, 1: 0, 2: 0, 3: 5, 4: 10, 5: 15}[len(different)]
        if t.round == 3:
            different = {card for card in cards if card in BUSINESSES}
            points[seat] += 10 if len(different) == 7 else len(different)
            for business in different:
                points[seat] += 10 if cards.count(business) > 3 else 5 if cards.count(business) == 3 else 0
    parts = [extremes([cards_of(t, seat).count("bodyguard") for seat in range(t.seats)], 5, -2)]
    if t.round == 3:
        parts.append(extremes([sum(t.open[seat]) + sum(t.spent[seat]) for seat in range(t.seats)], 5, -5))
    return [sum(each) for each in zip(points, *parts, strict=True)]


def winners_by_hand(t: Table, points: list[int], tie: str) -> list[int]:
    """Sorts the seats by their points, and by their highest cheque where that breaks a tie."""
    keys = [
        (points[seat], max([0, *t.open[seat], *t.spent[seat]]) * (tie == "highest_cheque")) for seat in range(t.seats)
    ]
    best = sorted(keys)[-1]
    return [seat for seat, key in enumerate(keys) if key == best]


def score(t: Table) -> Question[Table]:
    """Carries out the scoring up to the next turn or the end."""
    question: Question[Table] = Score(1)
    while isinstance(question, Beat):
        question = question.answer(t, NATURE, question.outcome(t))
    return question


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_made_up_ends_are_counted_alike_in_two_ways(seats: int) -> None:
    rnd = Random(f"ends of {seats}")
    ties = 0
    for _ in range(ENDS):
        t = made_up_end(seats, rnd)
        before, last = t.copy(), t.round == 3
        expected = points_by_hand(t)
        if rnd.random() < 0.3:
            t.points = [rnd.choice((20, 21)) - got for got in expected]  # so that there are ties
        totals = [had + got for had, got in zip(t.points, expected, strict=True)]
        assert isinstance(score(t), Over) is last
        assert t.points == totals == RAZZIA.scores(t)
        lines = [sum(line.points for line in ledger(t) if line.seat == seat) for seat in range(seats)]
        assert lines == expected
        if last:
            tie = "highest_cheque" if t.house.highest_cheque_wins_ties else "shared"
            assert winners(t) == winners_by_hand(t, totals, tie)
            ties += totals.count(max(totals)) > 1
        else:
            stay = [[card for card in cards_of(before, seat) if card in STAYING] for seat in range(seats)]
            assert [cards_of(t, seat) for seat in range(seats)] == stay
    assert ties > 5
