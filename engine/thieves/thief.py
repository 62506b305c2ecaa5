"""Złodzieje!: the thief."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from random import Random

from engine.core import HIDDEN, Answer, Beat, Question, Refused
from engine.thieves.box import LOOT
from engine.thieves.table import Loot, Table

LET_GO: Answer = ("let_go",)


@dataclass(slots=True)
class Thief(Question[Table]):
    """One loot card of any player, oneself included, is put before any player other than its owner, facing as it lies.

    It is named by player and place, unseen. House rule: it may be let go. Without loot the thief has no effect.
    """

    seat: int
    then: Question[Table]
    key = "thieves.thief"
    strays = True

    def answers(self, t: Table, seat: int) -> list[Answer]:
        seats = range(t.seats)
        found: list[Answer] = [
            ("take", owner, place, to)
            for owner in seats
            for place in range(len(t.loot[owner]))
            for to in seats
            if to != owner
        ]
        if t.house.may_let_go:
            found.append(LET_GO)
        return found

    def stray(self, t: Table, rnd: Random) -> Question[Table]:
        """Without a list of all cards with all players."""
        others = t.seats - 1
        place, to = divmod(floor(rnd.random() * (sum(map(len, t.loot)) * others + t.house.may_let_go)), others)
        for owner, cards in enumerate(t.loot):
            if place < len(cards):
                return self.answer(t, self.seat, ("take", owner, place, to + (to >= owner)))
            place -= len(cards)
        return self.then

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        if a == LET_GO:
            return Refused("thieves.thief.must_take")
        if a[0] != "take":
            return Refused("not_an_answer", verb=a[0])
        owner, place, to = a[1:]
        if owner == to:
            return Refused("thieves.thief.same_player", seat=owner)
        if not (owner in range(t.seats) and to in range(t.seats)):
            return Refused("thieves.thief.nobody", seat=to if owner in range(t.seats) else owner)
        return Refused("thieves.thief.no_such_card", seat=owner, place=place + 1, cards=len(t.loot[owner]))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == LET_GO:
            return self.then
        owner, place, to = a[1:]
        card = t.loot[owner].pop(place)
        t.loot[to].append(card)
        return self.then if card.seen_by(to) else Look(to, self.then)


@dataclass(slots=True)
class Look(Beat[Table]):
    """The new owner of a face-down card looks at it: the last of their loot."""

    to: int
    then: Question[Table]
    key = "thieves.look"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("look", t.loot[self.to][-1].kind)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        """The others are told only that it happens."""
        if seat == self.seat and a[0] == "look":
            known = t.loot[self.to][-1].kind
            if a[1] in (HIDDEN, known) or (known == HIDDEN and a[1] in LOOT and a[1] in t.left):
                return
            raise Refused("thieves.shown.other_card", seat=self.to)
        Beat.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        card = t.loot[self.to][-1]
        if a[1] and card.kind == HIDDEN:
            t.left.remove(a[1])
        t.loot[self.to][-1] = Loot(card.kind or a[1], card.up, card.known | 1 << self.to, card.origin)
        return self.then

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("look", HIDDEN)
