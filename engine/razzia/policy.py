"""The bot of Razzia!: it estimates the worth of the row for every seat, and the worth of a cheque."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.core import Answer, Question
from engine.razzia import box
from engine.razzia.box import BUSINESSES, CAR, EMPTY, HIGHEST, ROUNDS, THIEF, Family
from engine.razzia.rules import CALL, DRAW, PASS, Auction, Table, Turn


def standing(t: Table, seat: int, family: Family) -> float:
    """Returns the worth of `family` for `seat`: points if the round ended now, and an estimate of later points."""
    families = [family if other == seat else t.family[other] for other in range(t.seats)]
    one = [family]
    rounds = ROUNDS - t.round
    now = box.thieves(one)[0] + box.coins(one)[0] + box.cars(one)[0] + box.jewels(one)[0]
    guards = box.bodyguards(families)[seat] * (1 + 0.6 * rounds)
    late = (box.different(one)[0] + box.same(one)[0]) * (1 - 0.15 * rounds)
    pairs = sum(family[kind] == 2 for kind in BUSINESSES)
    return now + guards + late + pairs * (0.5 + 0.4 * rounds) + 0.8 * rounds * family[CAR] + 0.5 * family[THIEF]


def with_row(t: Table, family: Family, row: list[int]) -> Family:
    """Returns the family with the cards of the row added."""
    counts = list(family)
    for kind in row:
        counts[kind] += 1
    counts[EMPTY] = 0
    return tuple(counts)


def row_worth(t: Table, seat: int) -> float:
    """Returns what the row would add to the worth of the family of `seat`."""
    family = t.family[seat]
    return standing(t, seat, with_row(t, family, t.row)) - standing(t, seat, family)


def patience(t: Table, seat: int) -> float:
    """Returns the expected worth of keeping a cheque: less near the raid, less with more cheques left."""
    calm = (t.raid_at - t.police) / t.raid_at
    return (6.5 if len(t.open[seat]) == 1 else 5.0) * calm


def price(t: Table, cheque: int) -> float:
    """Returns the cost of giving `cheque` for the one in the centre, in later rounds and in the last scoring."""
    return (cheque - t.centre) * 3.0 / HIGHEST


def choose(question: Question[Any], view: Table, seat: int, rnd: Random) -> Answer:
    if isinstance(question, Auction):
        return bid(question, view, seat)
    if isinstance(question, Turn):
        return act(question, view, seat)
    raise AssertionError(f"not a question to a seat: {question.key}")


def bid(question: Auction, t: Table, seat: int) -> Answer:
    """Offers the lowest cheque that beats the best offer, if row and exchange are worth more than waiting."""
    offers = [a for a in question.answers(t, seat) if a != PASS]
    lowest = min(a[1] for a in offers)
    if question.must_offer():
        return ("offer", lowest)
    gain = row_worth(t, seat)
    if question.best_bidder >= 0:  # otherwise this rival would take the row
        gain += 0.3 * max(row_worth(t, question.best_bidder), 0)
    return ("offer", lowest) if gain - price(t, lowest) > patience(t, seat) else PASS


def act(question: Turn, t: Table, seat: int) -> Answer:
    """Uses thieves for cards clearly worth more than themselves, calls an auction for a good row, else draws."""
    best, most = DRAW, 1.0
    own = standing(t, seat, t.family[seat])
    for a in question.answers(t, seat):
        if a[0] == "thieves":
            taken = [t.row[slot] for slot in a[1:]]
            family = list(with_row(t, t.family[seat], taken))
            family[THIEF] -= len(taken)
            gain = standing(t, seat, tuple(family)) - own
            if gain > most:
                best, most = a, gain
    if best != DRAW:
        return best
    worth = row_worth(t, seat)
    rivals = [row_worth(t, other) for other in range(t.seats) if other != seat and t.open[other]]
    price_now = price(t, t.open[seat][0])
    if (
        worth - price_now > patience(t, seat) + 1
        and worth >= max(rivals, default=0) - 1
        and CALL in question.answers(t, seat)
    ):
        return CALL
    return DRAW
