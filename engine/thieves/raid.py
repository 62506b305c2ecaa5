"""Złodzieje!: the raid on the richest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from engine.core import Answer, Beat, Question, Refused
from engine.thieves.box import RAID_AT
from engine.thieves.table import (
    Cards,
    Landmark,
    Table,
    cars,
    check_shown,
    loot_kinds,
    put_back,
    richest,
    show_loot,
)


def raid_or(t: Table, then: Question[Table]) -> Question[Table]:
    """As soon as four or more police cars lie on the table: a raid, one however many they are."""
    return Raid(then) if cars(t) >= RAID_AT else then


@dataclass(slots=True)
class Raid(Beat[Table]):
    """All loot is shown at raid worth."""

    then: Question[Table]
    key = "thieves.raid"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("raid", *loot_kinds(t))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise Refused("not_asked", seat=seat)
        if a[0] != "raid":
            raise Refused("not_an_answer", verb=a[0])
        check_shown(t, a[1:])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        show_loot(t, a[1:], up=t.house.stays_open)
        return Caught(self.then)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        loot = loot_kinds(t)
        show_loot(t, loot, up=t.house.stays_open)
        carry_off(t, loot, richest(t, loot))
        return self.then


@dataclass(slots=True)
class Caught(Beat[Table]):
    """The richest loses all loot; it goes back into the deck with all police car cards on the table.

    Several are richest: all of them (house rules: of them only who has the fewest loot cards, or nobody).
    When the richest loot is worth nothing nobody loses any. The police goes back in any case.
    """

    then: Question[Table]
    key = "thieves.caught"

    def outcome(self, t: Table) -> Answer:
        return ("caught", *richest(t, loot_kinds(t)))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        carry_off(t, loot_kinds(t), a[1:])
        return self.then


def carry_off(t: Table, loot: Sequence[Cards], losers: Cards) -> None:
    """The losers' loot and the police go back into the deck; everybody remembers what lay open."""
    back = t.police
    lying = back + t.gone
    for kinds in loot:
        lying += kinds
    apart = tuple(chain.from_iterable(t.apart)) if t.apart else ()
    hands = tuple(map(tuple, t.hands))
    t.landmarks.append(Landmark((), tuple(lying), t.apart_by, hands, apart, len(t.drawn)))
    for loser in losers:
        back += loot[loser]
        t.loot[loser] = []
    put_back(t, back)
    t.police = []
    if losers:
        t.last_caught = losers
