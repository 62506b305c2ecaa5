"""Made-up ends of wars and games of sicilianos, counted a second time by the names of the cards."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from engine import sicilianos
from engine.core import NATURE, Answer, Beat, Over, Question
from engine.options import settle
from engine.sicilianos.box import NOTES
from engine.sicilianos.result import Businesses, Clear, Founding, Open, Payday, Result, Share, ledger
from engine.sicilianos.rules import Turn, new
from engine.sicilianos.table import Table
from tests.engine.sicilianos.positions import COLOUR_OF, beats, card, money, own

ENDS = 400  # for each number of players

PARTNER = {"yellow": "black", "black": "yellow", "blue": "white", "white": "blue", "red": "green", "green": "red"}
FAMILIES = tuple(PARTNER)
KINDS = ("antiques", "restaurant", "laundry")


def random_money(rnd: Random, most: int) -> list[int]:
    return [rnd.choice(NOTES) for _ in range(rnd.randint(0, most))]


def sum_of(held: tuple[int, ...]) -> int:
    return sum(count * value for count, value in zip(held, NOTES, strict=True))


# Wars


class MadeUpWar:
    """A war whose cards all lie: who played which family, who has turned, what lies, and what was staked."""

    def __init__(self, seats: int, rnd: Random) -> None:
        self.seats = seats
        self.starter = rnd.randrange(seats)
        joined = [seat for seat in range(seats) if seat == self.starter or rnd.random() < 0.7]
        families = rnd.sample(FAMILIES, len(joined))
        self.family = dict(zip(joined, families, strict=True))
        self.turned: list[int] = []
        for seat in rnd.sample(joined, len(joined)):
            partner = PARTNER[self.family[seat]]
            others = [other for other in joined if other not in self.turned and self.family[other] == partner]
            served = [self.family[other] for other in joined if other in self.turned]
            if others and self.family[seat] not in [PARTNER[name] for name in served] and rnd.random() < 0.5:
                self.turned.append(seat)
        self.lying: list[tuple[int, str, int]] = []  # seat, family, value; cards that were blown up are not here
        for seat in joined:
            few = rnd.choice((1, 1, 3))
            values = (
                [8] * (rnd.random() < 0.8) if seat in self.turned else rnd.sample(range(1, 12), rnd.randint(0, few))
            )
            self.lying += [(seat, self.family[seat], value) for value in values]
        rnd.shuffle(self.lying)
        self.stakes = {seat: rnd.choice(NOTES) for seat in joined}
        self.lone_starter_wins = rnd.random() < 0.8
        self.shops = {f"{name}-{kind}": rnd.choice((0, 0, 1, 2)) for name in FAMILIES for kind in KINDS}

    def table(self) -> Table:
        options = {
            "businesses": self.shops,
            "lone_starter": "wins" if self.lone_starter_wins else "nothing",
        }
        t, _ = new(self.seats, settle(sicilianos, self.seats, options))
        t.war, t.starter, t.revealed = 1, self.starter, True
        t.dirty = [money(50)] * self.seats
        t.turned = tuple(self.turned)
        t.lying = tuple((seat, card(f"{name}-{value}")) for seat, name, value in self.lying)
        t.family = [COLOUR_OF[self.family[seat]] if seat in self.family else 0 for seat in range(self.seats)]
        t.stakes = [self.stakes.get(seat, 0) for seat in range(self.seats)]
        t.book = []
        return t

    def winner(self) -> str:
        """Returns the family that wins, "" if none does: sums are compared from the highest down."""
        if len(self.family) == 1 and not self.lone_starter_wins:
            return ""
        strength = {
            name: sum(4 if seat in self.turned else value for seat, _, value in self.cards_for(name))
            for name in FAMILIES
            if self.cards_for(name)
        }
        for sum_ in range(200, 0, -1):
            names = [name for name in strength if strength[name] == sum_]
            if len(names) == 1:
                return names[0]
        return ""

    def cards_for(self, name: str) -> list[tuple[int, str, int]]:
        return [one for one in self.lying if self.serves(one[0]) == name]

    def serves(self, seat: int) -> str:
        return PARTNER[self.family[seat]] if seat in self.turned else self.family[seat]

    def winning_seats(self) -> set[int]:
        """Returns the players of the winning side who have a card of their own lying for it."""
        return {seat for seat, _, _ in self.cards_for(self.winner())}


def play_spoils(t: Table, question: Question[Table], rnd: Random) -> tuple[Question[Table], list[Answer]]:
    """Carries out the spoils of a war up to its end, with random choices. Returns the choices too."""
    chosen: list[Answer] = []
    while not isinstance(question, Clear):
        answer = rnd.choice(question.answers(t, question.seat))
        if isinstance(question, Share | Founding):
            chosen.append(answer)
        else:
            assert isinstance(question, Result | Businesses)
        question = question.answer(t, question.seat, answer)
    return question, chosen


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", sicilianos.SEATS)
def test_made_up_wars_end_alike_in_two_ways(seats: int) -> None:
    rnd = Random(f"wars of {seats}")
    ends: Counter[str] = Counter()
    for _ in range(ENDS):
        war = MadeUpWar(seats, rnd)
        t = war.table()
        family, winners = war.winner(), war.winning_seats()
        next_turn = Turn(0, open_stake=False)
        assert Result(next_turn).outcome(t) == ("result", COLOUR_OF.get(family, 0))
        piles = {name: list(t.piles[COLOUR_OF[name]]) for name in FAMILIES}
        question, chosen = play_spoils(t, Result(next_turn), rnd)
        clean, founder = clean_by_hand(war, family, winners, chosen)
        assert [Counter(dict(zip(NOTES, held, strict=True))) for held in t.clean] == [
            Counter({value: notes.count(value) for value in NOTES}) for notes in clean
        ]
        shops = sum(war.shops[f"{family}-{kind}"] for kind in KINDS) if family else 0
        founded = [(owner, colour) for colour, of in enumerate(t.founded) for owner, _, _ in of]
        assert founded == ([(founder, COLOUR_OF[family])] if founder is not None and shops else [])
        assert beats(t, question) in (next_turn, Over())
        assert (t.family, t.stakes, t.lying) == ([0] * seats, [0] * seats, ())
        for name in FAMILIES:
            below = [card(f"{name}-{value}") for _, of, value in war.lying if of == name]
            assert list(t.piles[COLOUR_OF[name]]) == piles[name] + below
        washed = {line.seat: line.points for line in ledger(t) if line.category == "washed"}
        assert washed == {seat: sum(notes) for seat, notes in enumerate(clean) if notes}
        ends["nobody" if not winners else "allied" if len(winners) > 1 else "traitor" if winners & set(war.turned) else
             "alone"] += 1  # fmt: skip
    assert min(ends[end] for end in ("nobody", "allied", "traitor", "alone")) > 3, ends


def clean_by_hand(
    war: MadeUpWar, family: str, winners: set[int], chosen: list[Answer]
) -> tuple[list[list[int]], int | None]:
    """Returns the notes that became clean, by seat, and the seat that founds a business, if one does."""
    clean: list[list[int]] = [[] for _ in range(war.seats)]
    if not winners:
        return clean, None
    if len(winners) == 1:
        (only,) = winners
        clean[only] = [war.stakes[only]] * 2
        return clean, only
    (own_player,) = (seat for seat in winners if seat not in war.turned)
    (ally,) = winners - {own_player}
    founder, washer = (own_player, ally) if chosen[0] == ("business",) else (ally, own_player)
    clean[washer] = [war.stakes[own_player], war.stakes[ally]]
    return clean, founder


# Payday


def made_up_payday(seats: int, rnd: Random) -> tuple[Table, list[list[tuple[str, str]]], str]:
    """Returns a table before payday, the businesses of each seat, at most two of a family, and the rule on the 50."""
    rule = rnd.choice(("once", "sets"))
    deck = {f"{name}-{kind}": rnd.choice((1, 1, 2, 3)) for name in FAMILIES for kind in KINDS}
    t, _ = new(seats, settle(sicilianos, seats, {"different": rule, "businesses": deck}))
    shops = [name for name, count in deck.items() for _ in range(count)]
    rnd.shuffle(shops)
    owned: list[list[tuple[str, str]]] = [[] for _ in range(seats)]
    for shop in shops[: rnd.randint(0, 18)]:
        family, _, kind = shop.partition("-")
        seat = rnd.choice([*[0] * seats, *range(seats)])  # the first seat has most
        if sum(of == family for of, _ in owned[seat]) < 2:
            owned[seat].append((family, kind))
            own(t, seat, shop)
    for seat in range(seats):
        t.dirty[seat], t.clean[seat] = money(*random_money(rnd, 8)), money(*random_money(rnd, 12))
    t.book = []
    return t, owned, rule


def sets_by_hand(owned: list[tuple[str, str]]) -> int:
    """Returns the largest number of sets: every order of the restaurants and of the laundries beside the antiques."""
    antiques, restaurants, laundries = ([family for family, of in owned if of == kind] for kind in KINDS)
    shortest, *others = sorted((antiques, restaurants, laundries), key=len)
    return max(
        sum(len(set(three)) == 3 for three in zip(shortest, second, third, strict=True))
        for second in permutations(others[0], len(shortest))
        for third in permutations(others[1], len(shortest))
    )


def bonus_by_hand(owned: list[list[tuple[str, str]]], rule: str) -> list[int]:
    bonus = []
    for businesses in owned:
        sets = sets_by_hand(businesses)
        bonus.append(50 * (sets if rule == "sets" else min(sets, 1)))
    for kind in KINDS:
        numbers = [sum(of == kind for _, of in businesses) for businesses in owned]
        for seat, number in enumerate(numbers):
            if all(number > other for place, other in enumerate(numbers) if place != seat):
                bonus[seat] += 100
    return bonus


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", sicilianos.SEATS)
def test_made_up_paydays_are_counted_alike_in_two_ways(seats: int) -> None:
    rnd = Random(f"paydays of {seats}")
    several = 0
    for _ in range(ENDS):
        t, owned, rule = made_up_payday(seats, rnd)
        bonus = bonus_by_hand(owned, rule)
        assert beats(t, Open()) == Over()
        assert list(t.bonus) == bonus
        totals = [sum_of(t.clean[seat]) - sum_of(t.dirty[seat]) + bonus[seat] for seat in range(seats)]
        assert sicilianos.scores(t) == totals
        assert sicilianos.winners(t) == [seat for seat in range(seats) if totals[seat] == sorted(totals)[-1]]
        paid = [sum(line.points for line in ledger(t) if line.seat == seat) for seat in range(seats)]
        assert paid == bonus
        several += rule == "sets" and any(sets_by_hand(businesses) > 1 for businesses in owned)
    assert several > 20


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", sicilianos.SEATS)
def test_made_up_ends_of_wars_lead_to_a_godfather_payday_or_the_next_turn(seats: int) -> None:
    rnd = Random(f"checks of {seats}")
    ends: Counter[str] = Counter()
    for _ in range(ENDS):
        t, owned, _ = made_up_payday(seats, rnd)
        for seat in range(seats):
            t.dirty[seat] = money(*[5] * rnd.choice((0, 1, 1, 1, 1, 1, 1)))
        left = [name for name in FAMILIES if len(t.founded[COLOUR_OF[name]]) < len(t.house.shops[COLOUR_OF[name]])]
        family = rnd.choice(left)
        founder, colour = rnd.randrange(seats), COLOUR_OF[family]
        question, _ = play_spoils(t, Businesses(founder, colour, Turn(1, open_stake=False)), rnd)
        after = question.answer(t, NATURE, ("clear",))
        godfather = sum(of == family for of, _ in owned[founder]) == 2
        penniless = any(not any(held) for held in t.dirty)
        if godfather:
            assert isinstance(after, Open)
            assert isinstance(end_of(t, after), Over)
            assert sicilianos.scores(t) == [int(seat == founder) for seat in range(seats)]
            assert (sicilianos.winners(t), any(t.bonus)) == ([founder], False)
        elif penniless:
            assert after == Open()
            assert after.answer(t, NATURE, after.outcome(t)) == Payday(1)
        else:
            assert after == Turn(1, open_stake=False)
        ends["godfather" if godfather else "payday" if penniless else "turn"] += 1
    assert min(ends.values()) > 5, ends
    assert len(ends) == 3


def end_of(t: Table, question: Any) -> Any:
    while isinstance(question, Beat):
        question = question.answer(t, NATURE, question.outcome(t))
    return question
