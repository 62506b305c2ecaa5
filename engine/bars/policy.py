"""The bot of Razzia: it counts the unseen cards and estimates the chances of its own cards in a duel."""

from __future__ import annotations

from functools import lru_cache
from math import comb, exp
from random import Random
from typing import Any

from engine.bars.box import BAR, NUMBER, RAID
from engine.bars.notes import Place
from engine.bars.rules import ChooseDealer, Pick
from engine.bars.settle import ACCEPT, CHALLENGE, Propose, Reply, SecretReply, Split
from engine.bars.table import Table, ranked, without
from engine.core import Answer, Question

AVERAGE = 3.5  # of the gamblers' numbers
LURE = 0.5  # how strongly money attracts the others: 0 not at all
PATIENCE = 0.3  # the later worth of one point of a card's number, in thousands


def choose(question: Question[Any], view: Table, seat: int, rnd: Random) -> Answer:
    if isinstance(question, Pick):
        return pick(view, seat)
    if isinstance(question, Place):
        return place(view, seat)
    if isinstance(question, Propose):
        return propose(question, view)
    if isinstance(question, Reply):
        others = question.split.others
        return reply(question.split, question.challengers, others[others.index(seat) + 1 :], view, seat)
    if isinstance(question, SecretReply):
        return reply(question.split, (), without(question.split.others, seat), view, seat)
    if isinstance(question, ChooseDealer):
        return ("dealer", seat)
    raise AssertionError(f"not a question to a seat: {question.key}")


# The night


def pots(t: Table) -> list[float]:
    """Returns the money in each bar. A face-down note counts as an average one."""
    money: list[float] = [sum(notes) for notes in t.notes]
    if t.extra_bar:
        money[t.extra_bar] += t.extra or sum(t.stock) / len(t.stock)
    return money


def pick(t: Table, seat: int) -> Answer:
    worth = worths(t, seat, pots(t))
    return ("pick", max(t.hands[seat], key=worth.__getitem__))


def place(t: Table, seat: int) -> Answer:
    """Places the extra note on the bar where the best card of the hand gains most by it."""
    before = pots(t)
    best, most = 1, -1.0
    for bar in range(1, t.bars + 1):
        after = list(before)
        after[bar] += t.extra
        worth = max(worths(t, seat, after).values())
        if worth > most:
            best, most = bar, worth
    return ("place", best)


def worths(t: Table, seat: int, pot: list[float]) -> dict[int, float]:
    """Returns the expected worth of each card of the hand."""
    gamblers, raids = [0.0] * (t.bars + 1), [0.0] * (t.bars + 1)
    lure = [value**LURE for value in pot]
    for card in t.left:
        (raids if RAID[card] else gamblers)[BAR[card]] += lure[BAR[card]]
    total = sum(gamblers) + sum(raids) or 1.0
    expected = {}
    for card in t.hands[seat]:
        bar = BAR[card]
        chance = share_of_pot(t.seats - 1, gamblers[bar] / total, raids[bar] / total, card)
        expected[card] = pot[bar] * chance - PATIENCE * NUMBER[card]
    return expected


def share_of_pot(others: int, gambler: float, raid: float, card: int) -> float:
    """Returns the expected share of the pot for a card.

    Each of the others comes to its bar as a gambler or as a raid with the given probabilities.
    """
    if not RAID[card]:
        # There must be no raid. With k more gamblers, k + 1 share the pot.
        away = 1 - gambler - raid
        return sum([times(others, k, gambler) * away ** (others - k) * hope(card, k) for k in range(others + 1)])
    expected = 0.0
    for k in range(others):  # k more raids, and at least one gambler
        rest = others - k
        some_gambler = (1 - raid) ** rest - (1 - raid - gambler) ** rest
        expected += times(others, k, raid) * some_gambler * hope(card, k)
    return expected


def times(others: int, k: int, chance: float) -> float:
    """Returns the number of ways to choose k of the others, times the probability that these k come."""
    return comb(others, k) * chance**k


def hope(card: int, rivals: int) -> float:
    """Returns the expected share of the pot against so many rivals with average cards."""
    if not rivals:
        return 1.0
    average = 4.5 if RAID[card] else AVERAGE
    edge = min(max(0.5 + (NUMBER[card] - average) * 0.12, 0.05), 0.95)
    return edge**rivals if rivals < 3 else edge**rivals * 0.8


# The split


@lru_cache(maxsize=1024)
def beats(high: int, low: int) -> float:
    """Returns the probability that the higher card wins a duel. Equal sums go to the lower card."""
    return sum(high + one > low + two for one in range(1, 7) for two in range(1, 7)) / 36


def chances(t: Table, seats: list[int]) -> dict[int, float]:
    """Returns each duelist's probability to win the pot.

    The highest card meets the lowest, the winner meets the highest of the rest, and so on.
    """
    high, *others = ranked(t, seats)
    low = others.pop()
    edge = beats(NUMBER[t.shown[high]], NUMBER[t.shown[low]])
    winning = {high: edge, low: 1 - edge}
    for next_one in others:
        wins_of_next = 0.0
        for seat, chance in winning.items():
            one, two = ranked(t, [seat, next_one])
            edge = beats(NUMBER[t.shown[one]], NUMBER[t.shown[two]])
            wins = edge if one == seat else 1 - edge
            winning[seat] = chance * wins
            wins_of_next += chance * (1 - wins)
        winning[next_one] = wins_of_next
    return winning


def propose(question: Propose, t: Table) -> Answer:
    """Chooses the proposal that saves most against the duel: offers a little below what the duel is worth to each."""
    seats = [question.seat, *question.others]
    pot = sum(t.notes[question.bar])
    fair = {seat: chance * pot for seat, chance in chances(t, seats).items()}

    def gain(answer: Answer) -> float:
        return sum(saved(fair[seat], sum(notes), pot) for seat, notes in zip(question.others, answer[1:], strict=True))

    return max(question.answers(t, question.seat), key=gain)


def saved(fair: float, offer: float, pot: float) -> float:
    """Returns the expected saving on one claimant. The lower the offer, the likelier a challenge."""
    accepts = 1 / (1 + exp((fair - offer) / (0.12 * pot)))
    return accepts * (fair - offer)


def reply(split: Split, challengers: tuple[int, ...], later: tuple[int, ...], t: Table, seat: int) -> Answer:
    """Accepts an offer worth at least the chance in the duel, assuming that the later claimants accept."""
    chance = chances(t, [split.proposer, *challengers, seat])[seat]
    pot = sum(t.notes[split.bar]) - sum([sum(split.offer(other)) for other in later])
    return ACCEPT if sum(split.offer(seat)) >= chance * pot else CHALLENGE
