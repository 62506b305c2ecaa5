"""Thieves!: the raid on the richest. `then` is the question that follows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from engine.core import Answer, Beat, Question, not_an_answer, not_asked
from engine.thieves.box import RAID_AT
from engine.thieves.table import Landmark, Table, check_shown, loot_kinds, police_cars, put_back, richest, show_loot


def raid_or(t: Table, then: Question[Table]) -> Question[Table]:
    """Returns one raid if four or more police cars are on the table, else `then`."""
    return Raid(then) if police_cars(t) >= RAID_AT else then


@dataclass(slots=True)
class Raid(Beat[Table]):
    """All loot is shown and counts at raid worth."""

    then: Question[Table]
    key = "thieves.raid"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("raid", *loot_kinds(t))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a[0] != "raid":
            raise not_an_answer(a)
        check_shown(t, a[1:])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        show_loot(t, a[1:], up=t.house.stays_open)
        return Caught(self.then)


@dataclass(slots=True)
class Caught(Beat[Table]):
    """The richest player loses all loot. It goes back into the deck with all police car cards on the table.

    If several are richest, all of them lose (house rules: only those with the fewest loot cards, or none). If the
    richest loot is worth nothing, nobody loses any. The police goes back in any case.
    """

    then: Question[Table]
    key = "thieves.caught"

    def outcome(self, t: Table) -> Answer:
        return ("caught", *richest(t, loot_kinds(t)))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        losers = a[1:]
        remember_raid(t)
        returned = t.police
        for loser in losers:
            returned += [card.kind for card in t.loot[loser]]
            t.loot[loser] = []
        put_back(t, returned)
        t.police = []
        if losers:
            t.last_caught = losers
        return self.then


def remember_raid(t: Table) -> None:
    """Makes a landmark: everybody has seen all loot, the police and the cards out of the game."""
    visible = (*t.police, *t.gone, *chain(*loot_kinds(t)))
    hands, apart = tuple(map(tuple, t.hands)), tuple(chain(*t.apart))
    t.memory.landmarks.append(Landmark((), visible, t.apart_by, hands, apart, len(t.memory.drawn)))
