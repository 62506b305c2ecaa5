"""Thieves!: the deal, the turn and the end, as questions. Thief, alarm and raid have their own modules;
`cards.py` has the base of the questions that draw or play a card."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import floor
from random import Random

from engine.core import Answer, Beat, Chance, Over, Question, Refused, not_an_answer, not_asked
from engine.options import Options
from engine.thieves.alarm import Alarm, ask_one
from engine.thieves.box import (
    DEALT,
    DOUBLE,
    GEMS_TO_WIN,
    GETAWAY,
    HAND,
    LAST_GETAWAY,
    NAMES,
)
from engine.thieves.cards import UNSEEN_HAND, CardPlay, Drawn, card_of
from engine.thieves.raid import raid_or
from engine.thieves.score import gems, gems_so_far
from engine.thieves.table import (
    FROM_HAND,
    OPEN,
    Result,
    Table,
    check_shown,
    clear,
    face_down,
    lay_out,
    left_of,
    loot_kinds,
    record,
    show_loot,
    take,
)
from engine.thieves.thief import Thief
from engine.values import CardOf


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """Returns the table with all cards in the deck, and the question for the first player."""
    return lay_out(seats, options), First()


# The setup


@dataclass(slots=True)
class First(Chance[Table]):
    """The first player is drawn at random."""

    key = "thieves.first"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("first", first) for first in range(t.seats)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("first", floor(rnd.random() * t.seats))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        return Deal(a[1], t.seats)


@dataclass(slots=True)
class Deal(Chance[Table]):
    """Each player is dealt three cards, without getaways. After the deal the getaways are in the deck again."""

    to: int
    remaining: int  # players that are still to be dealt to, with this one
    key = "thieves.deal"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        left = Counter(t.left)
        kinds = sorted(set(left) - {GETAWAY})
        rare = {kind for kind in kinds if left[kind] < DEALT}  # a hand could hold too many of these alone
        return [
            ("hand", *cards)
            for cards in combinations_with_replacement(kinds, DEALT)
            if rare.isdisjoint(cards) or all(cards.count(kind) <= left[kind] for kind in rare)
        ]

    def sample(self, t: Table, rnd: Random) -> Answer:
        cards = t.left[t.left.count(GETAWAY) :]
        return ("hand", *sorted([cards.pop(floor(rnd.random() * len(cards))) for _ in range(DEALT)]))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a[0] != "hand":
            raise not_an_answer(a)
        if a == UNSEEN_HAND:  # the others only see that cards are dealt
            return
        cards = a[1:]
        if len(cards) != DEALT or list(cards) != sorted(cards):
            raise Refused("thieves.deal.cards", cards=DEALT)
        for kind in cards:
            if kind == GETAWAY or cards.count(kind) > t.left.count(kind):
                raise Refused("thieves.card.not_in_deck", card=CardOf(NAMES.get(kind, "?")))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.hands[self.to] = list(a[1:])
        if a != UNSEEN_HAND:
            for kind in a[1:]:
                t.left.remove(kind)
        following = left_of(t, self.to)
        return Deal(following, self.remaining - 1) if self.remaining > 1 else Draw(following)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else UNSEEN_HAND


# 1. Draw


def lay_getaway(t: Table, then: Question[Table]) -> Question[Table]:
    """Lays a getaway open; another card replaces it. The seventh getaway ends the game at once."""
    t.left.remove(GETAWAY)
    t.getaways += 1
    return then if t.getaways < LAST_GETAWAY else Count()


@dataclass(slots=True)
class Draw(Drawn):
    """The player draws until they hold four cards: several cards after an alarm."""

    to: int
    key = "thieves.draw"

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        kind, hand = a[1], t.hands[self.to]
        if kind == GETAWAY:
            return lay_getaway(t, self)
        if kind:
            t.left.remove(kind)
        insort(hand, kind)
        t.memory.drawn.append(self.to)
        return Play(self.to) if len(hand) == HAND else self


# 2. Play


@dataclass(slots=True)
class Play(CardPlay):
    """The player plays exactly one card from the hand."""

    seat: int
    key = "thieves.play"

    def cards(self, t: Table) -> list[int]:
        return t.hands[self.seat]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        take(t, t.hands[seat], card_of(a))
        return carry_out(t, seat, a, FROM_HAND, Draw(left_of(t, seat)))


def carry_out(t: Table, seat: int, a: Answer, drawn: int, then: Question[Table]) -> Question[Table]:
    """Carries out what a played card does. `then` is asked when all of that is done.

    `drawn` says when the card was drawn, as in `Origin`.
    """
    verb, kind, passed = a[0], card_of(a), len(t.memory.landmarks)
    if verb == "lay":
        t.loot[seat].append(face_down(kind, seat, drawn, passed))
        return then
    record(t, kind, seat, drawn, passed)
    if verb == "give":
        t.loot[a[2]].append(OPEN[kind])
        return then
    if verb == "police":
        t.police.append(kind)
        return raid_or(t, then)
    t.gone.append(kind)
    if verb == "roadblock":
        for blocked in a[1:]:
            t.police.remove(blocked)
            t.gone.append(blocked)
        return then
    if verb == "alarm":
        return ask_one(t, seat, seat, then) if t.house.alarm == "one_each" else Alarm(seat, then)
    if verb == "thief":
        return Thief(seat, then) if any(t.loot) else then
    t.apart_by = seat
    t.apart.append([])
    t.memory.apart_since.append(passed)
    return DrawTwo(seat, then)


# Double loot


@dataclass(slots=True)
class DrawTwo(Drawn):
    """The player draws two cards and keeps them apart from the hand. The seventh getaway ends the game."""

    to: int
    then: Question[Table]
    key = "thieves.draw_two"

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        kind = a[1]
        if kind == GETAWAY:
            return lay_getaway(t, self)
        if kind:
            t.left.remove(kind)
        insort(t.apart[-1], kind)
        return self if len(t.apart[-1]) < DOUBLE else PlayBoth(self.to, self.then)


@dataclass(slots=True)
class PlayBoth(CardPlay):
    """The player plays both cards now, in either order. The first is finished, with its raid, before the second.

    If one of them is double loot, its two cards are played before the one that waits.
    """

    seat: int
    then: Question[Table]
    key = "thieves.play_both"

    def cards(self, t: Table) -> list[int]:
        return t.apart[-1]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        take(t, t.apart[-1], card_of(a))
        drawn = t.memory.apart_since[-1]
        if t.apart[-1]:
            return carry_out(t, seat, a, drawn, self)
        t.apart.pop()
        t.memory.apart_since.pop()
        return carry_out(t, seat, a, drawn, self.then)


# The end


@dataclass(slots=True)
class Count(Beat[Table]):
    """The end of the game: all loot is laid open and counts at end worth. Hands do not count."""

    key = "thieves.count"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("count", *loot_kinds(t))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a[0] != "count":
            raise not_an_answer(a)
        check_shown(t, a[1:])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        show_loot(t, a[1:], up=True)
        return Gems() if t.house.match else Over()


@dataclass(slots=True)
class Gems(Beat[Table]):
    """House rule: in a match, the first and the second of each game get gems.

    The match ends after the game in which a player has seven gems. Until then all cards are dealt again.
    """

    key = "thieves.gems"

    def outcome(self, t: Table) -> Answer:
        return ("gems", *gems(t))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.results += (Result(tuple(loot_kinds(t)), a[1:]),)
        if max(gems_so_far(t)) >= GEMS_TO_WIN:
            return Over()
        clear(t)
        return First()
