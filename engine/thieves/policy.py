"""The bot of Thieves!: it weighs the loot of every player against the risk that the next raid takes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp
from random import Random
from typing import Any

from engine.core import HIDDEN, Answer, Question
from engine.thieves.alarm import LayOne
from engine.thieves.box import (
    AT_END,
    AT_RAID,
    CARS,
    GETAWAY,
    LAST_GETAWAY,
    LOOT,
    POLICE,
    RAID_AT,
    worth,
)
from engine.thieves.cards import CardPlay
from engine.thieves.table import Table, police_cars
from engine.thieves.thief import LET_GO, Thief

# These figures were found in tournaments between bots.
DRAWN_A_TURN = 1.3
RISK = 0.4  # the weight of the police cars on the table and of those to come
SURE = 0.9
DOUBT = 2.0  # the uncertainty of who is richest, because of hidden loot
RIVAL = 0.75  # the weight of the strongest rival; the other rivals share the rest
DOUBLE_IS_WORTH = 1.0
THIEF_WAITS_FOR = 0.5


@dataclass(slots=True)
class Outlook:
    """The view of one seat in figures. A hidden card counts as an average one."""

    seat: int
    raid: list[float]  # loot at raid worth, by seat
    end: list[float]  # at end worth
    cars: float
    cars_to_come: float  # expected on the table before the end

    def with_loot(self, seat: int, kind: int, sign: int = 1) -> Outlook:
        """Returns the outlook with one card more (`sign` 1), or less (-1)."""
        raid, end = list(self.raid), list(self.end)
        raid[seat] += sign * (AT_RAID[kind] if kind else average(AT_RAID))
        end[seat] += sign * (AT_END[kind] if kind else average(AT_END))
        return replace(self, raid=raid, end=end)

    def caught(self) -> list[float]:
        """Returns the probability of each seat to be caught by a raid now."""
        highest = max(self.raid)
        weights = [exp((loot - highest) / DOUBT) if loot > 0 else 0.0 for loot in self.raid]
        total = sum(weights)
        return [weight / total for weight in weights] if total else weights

    def value(self) -> float:
        """Returns the expected lead of this seat at the end, with the risk of raids."""
        if self.cars >= RAID_AT:
            return self.after_raid()
        risk = min(SURE, RISK * (self.cars + self.cars_to_come) / (RAID_AT + 1))
        kept = [end * (1 - risk * chance) for end, chance in zip(self.end, self.caught(), strict=True)]
        others = kept[: self.seat] + kept[self.seat + 1 :]
        return kept[self.seat] - RIVAL * max(others) - (1 - RIVAL) * sum(others) / len(others)

    def after_raid(self) -> float:
        """Returns the expected lead after a raid now, over all seats it may catch."""
        expected, chances = 0.0, self.caught()
        for seat, chance in enumerate(chances):
            if chance > 0.01:
                raid, end = list(self.raid), list(self.end)
                raid[seat] = end[seat] = 0
                expected += chance * replace(self, raid=raid, end=end, cars=0).value()
        return expected if any(chances) else replace(self, cars=0).value()


def average(prices: tuple[int, ...]) -> float:
    return worth(LOOT, prices) / len(LOOT)


def outlook(t: Table, seat: int) -> Outlook:
    raid, end = [], []
    for cards in t.loot:
        hidden = sum(card.kind == HIDDEN for card in cards)
        kinds = [card.kind for card in cards]
        raid.append(worth(kinds, AT_RAID) + hidden * average(AT_RAID))
        end.append(worth(kinds, AT_END) + hidden * average(AT_END))
    turns = turns_left(t)
    police = sum(CARS[kind] for kind in t.left) / max(1, len(t.left))
    return Outlook(seat, raid, end, police_cars(t), police * turns)


def turns_left(t: Table) -> float:
    """Returns the expected number of turns until the seventh getaway."""
    missing = LAST_GETAWAY - t.getaways
    return missing * len(t.left) / (t.left.count(GETAWAY) + 1) / DRAWN_A_TURN


def choose(question: Question[Any], view: Table, seat: int, rnd: Random) -> Answer:
    now = outlook(view, seat)
    answers = question.answers(view, seat)
    if isinstance(question, CardPlay):
        return max(answers, key=lambda a: play_value(view, now, a))
    if isinstance(question, Thief):
        return max(answers, key=lambda a: thief_value(view, now, a))
    if isinstance(question, LayOne):
        return max(answers, key=lambda a: police_value(now, CARS[a[1]] if len(a) > 1 else 0))
    raise AssertionError(f"not a question to a seat: {question.key}")


def police_value(now: Outlook, more: float) -> float:
    return replace(now, cars=now.cars + more).value()


def play_value(t: Table, now: Outlook, a: Answer) -> float:
    """Returns the value of the outlook after the play."""
    verb, seat = a[0], now.seat
    if verb == "lay":
        return now.with_loot(seat, a[1]).value()
    if verb == "give":
        return now.with_loot(a[2], a[1]).value()
    if verb == "police":
        return police_value(now, CARS[a[1]])
    if verb == "roadblock":
        return police_value(now, -CARS[a[1]]) if len(a) > 1 else now.value()
    if verb == "alarm":
        return police_value(now, cars_of_alarm(t, seat))
    if verb == "thief":
        takes = [thief_value(t, now, a) for a in Thief(seat, None).answers(t, seat)]  # type: ignore[arg-type]
        return max(takes, default=now.value() + THIEF_WAITS_FOR) - THIEF_WAITS_FOR
    return now.value() + DOUBLE_IS_WORTH


def cars_of_alarm(t: Table, seat: int) -> float:
    """Returns the expected number of police cars that an alarm brings on the table."""
    unseen = [kind for kind in t.left if kind != GETAWAY]
    rate = worth(unseen, CARS) / max(1, len(unseen))
    hidden = sum(hand.count(HIDDEN) for hand in t.hands)
    own = 0 if t.house.alarm == "others" else worth([kind for kind in t.hands[seat] if kind in POLICE], CARS)
    return hidden * rate + own


def thief_value(t: Table, now: Outlook, a: Answer) -> float:
    if a == LET_GO:
        return now.value()
    _, owner, place, to = a
    kind = t.loot[owner][place].kind
    return now.with_loot(owner, kind, -1).with_loot(to, kind).value()
