"""Thieves!: the thief."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import HIDDEN, Answer, Beat, Question, Refused, not_an_answer, not_asked
from engine.thieves.box import LOOT
from engine.thieves.table import Loot, Table
from engine.values import SeatOf, Slot

LET_GO: Answer = ("let_go",)


@dataclass(slots=True)
class Thief(Question[Table]):
    """The player moves one loot card of any player, also of themselves, to a player other than its owner.

    The card is named by player and place, and stays face up or face down. The player may also let the thief go without
    a card. House rule: the thief must take one. Without any loot the thief has no effect.
    """

    seat: int
    then: Question[Table]
    key = "thieves.thief"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        seats = range(t.seats)
        answers: list[Answer] = [
            ("take", owner, place, to)
            for owner in seats
            for place in range(len(t.loot[owner]))
            for to in seats
            if to != owner
        ]
        if t.house.may_let_go:
            answers.append(LET_GO)
        return answers

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat):
            return
        if a == LET_GO:
            raise Refused("thieves.thief.must_take")
        if a[0] != "take":
            raise not_an_answer(a)
        owner, place, to = a[1:]
        if owner == to:
            raise Refused("thieves.thief.same_player", seat=SeatOf(owner))
        if not (owner in range(t.seats) and to in range(t.seats)):
            raise Refused("thieves.thief.nobody", seat=SeatOf(to if owner in range(t.seats) else owner))
        raise Refused("thieves.thief.no_such_card", seat=SeatOf(owner), place=Slot(place + 1), cards=len(t.loot[owner]))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == LET_GO:
            return self.then
        owner, place, to = a[1:]
        card = t.loot[owner].pop(place)
        t.loot[to].append(card)
        return self.then if card.seen_by(to) else Look(to, self.then)


@dataclass(slots=True)
class Look(Beat[Table]):
    """The new owner of a face-down card looks at it. It is the last card of their loot."""

    to: int
    then: Question[Table]
    key = "thieves.look"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("look", t.loot[self.to][-1].kind)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        """The others only see that a card is looked at."""
        if seat != self.seat:
            raise not_asked(seat)
        if a[0] != "look":
            raise not_an_answer(a)
        known = t.loot[self.to][-1].kind
        if a[1] not in (HIDDEN, known) and not (known == HIDDEN and a[1] in LOOT and a[1] in t.left):
            raise Refused("thieves.shown.other_card", seat=SeatOf(self.to))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        card = t.loot[self.to][-1]
        if a[1] and card.kind == HIDDEN:
            t.left.remove(a[1])
        t.loot[self.to][-1] = Loot(card.kind or a[1], card.up, card.known | 1 << self.to, card.origin)
        return self.then

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("look", HIDDEN)
