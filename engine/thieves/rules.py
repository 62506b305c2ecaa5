"""Złodzieje!: the questions in the order of the rule book."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import floor
from random import Random

from engine.core import NATURE, Answer, Beat, Chance, Over, Question, Refused
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
    ROADBLOCK,
)
from engine.thieves.cards import ACTION, ADDED, PAIRS, SEATS, UNSEEN_HAND, CardPlay, Drawn, plays
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
    show_loot,
    take,
)
from engine.thieves.thief import Thief


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """All cards are in the deck; nobody has been dealt any."""
    return lay_out(seats, options), FIRST


@dataclass(slots=True)
class First(Chance[Table]):
    """The first player, by lot."""

    key = "thieves.first"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("first", first) for first in range(t.seats)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("first", floor(rnd.random() * t.seats))

    def answer(self, t: Table, seat: int, a: Answer) -> Deal:
        return Deal(a[1], t.seats)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        return self.answer(t, NATURE, self.sample(t, rnd)).roll(t, rnd)


@dataclass(slots=True)
class Deal(Chance[Table]):
    """The getaways are set aside and three of the other cards dealt to each. Then the getaways join the deck."""

    to: int
    more: int  # players still to be dealt to
    key = "thieves.deal"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        kinds = sorted(set(t.left) - {GETAWAY})
        return [
            ("hand", *cards)
            for cards in combinations_with_replacement(kinds, DEALT)
            if all(cards.count(kind) <= t.left.count(kind) for kind in cards)
        ]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise Refused("not_asked", seat=seat)
        if a[0] != "hand":
            raise Refused("not_an_answer", verb=a[0])
        cards = a[1:]
        if a == UNSEEN_HAND:
            return  # what the others are told
        if len(cards) != DEALT or list(cards) != sorted(cards):
            raise Refused("thieves.deal.cards", cards=DEALT)
        for kind in cards:
            if kind == GETAWAY or cards.count(kind) > t.left.count(kind):
                raise Refused("thieves.card.not_in_deck", card=NAMES.get(kind, "?"))

    def sample(self, t: Table, rnd: Random) -> Answer:
        cards, random = t.left[t.left.count(GETAWAY) :], rnd.random
        return ("hand", *sorted([cards.pop(floor(random() * len(cards))) for _ in range(DEALT)]))

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else UNSEEN_HAND

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        to, hand = self.to, list(a[1:])
        t.hands[to] = hand
        if a != UNSEEN_HAND:
            for kind in hand:
                t.left.remove(kind)
        following = left_of(t, to)
        return Deal(following, self.more - 1) if self.more > 1 else DRAWS[following]

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        left, hands, to, random = t.left, t.hands, self.to, rnd.random
        getaways = left.count(GETAWAY)
        others = len(left) - getaways
        for _ in range(self.more):
            hand = hands[to]
            for more in range(others, others - DEALT, -1):
                hand.append(left.pop(getaways + floor(random() * more)))
            others -= DEALT
            hand.sort()
            to = left_of(t, to)
        return DRAWS[to]


def getaway(t: Table, then: Question[Table]) -> Question[Table]:
    """A getaway is laid open and replaced. The seventh ends the game at once."""
    t.left.remove(GETAWAY)
    t.getaways += 1
    return then if t.getaways < LAST_GETAWAY else COUNT


@dataclass(slots=True)
class Draw(Drawn):
    """1. The player at turn draws until they hold four: several cards after an alarm."""

    to: int
    key = "thieves.draw"

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        to = self.to
        kind, hand = a[1], t.hands[to]
        if kind == GETAWAY:
            return getaway(t, self)
        if kind:
            t.left.remove(kind)
        insort(hand, kind)
        t.drawn.append(to)
        return PLAY[to] if len(hand) == HAND else self

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        to, left, drawn = self.to, t.left, t.drawn
        hand = t.hands[to]
        while True:
            kind = left.pop(floor(rnd.random() * len(left)))
            if kind == GETAWAY:
                t.getaways += 1
                if t.getaways >= LAST_GETAWAY:
                    return COUNT
            else:
                insort(hand, kind)
                drawn.append(to)
                if len(hand) == HAND:
                    return PLAY[to]


@dataclass(slots=True)
class Play(CardPlay):
    """2. Play exactly one card from the hand."""

    seat: int
    key = "thieves.play"
    strays = True

    def cards(self, t: Table) -> list[int]:
        return t.hands[self.seat]

    def answers(self, t: Table, seat: int) -> list[Answer]:
        hand = t.hands[seat]
        if len(hand) == HAND:
            first, second, third, fourth = hand
            if fourth < ROADBLOCK or not (t.police and ROADBLOCK in hand):
                pairs = PAIRS[t.seats][seat]
                more = pairs if second != third else ADDED[t.seats][seat]
                return pairs[first][second] + more[third][fourth]
        return plays(t, seat, hand)

    def stray(self, t: Table, rnd: Random) -> Question[Table]:
        """On a table that sees all, with the cards that are drawn next."""
        seat = self.seat
        hand, following = t.hands[seat], FOLLOWING[t.seats][seat]
        answers = self.answers(t, seat)
        a = answers[floor(rnd.random() * len(answers))]
        kind = ACTION[a[0]] if a[0] in ACTION else a[1]
        hand.remove(kind)
        then = carry_out(t, seat, a, kind, FROM_HAND, following)
        return following.roll(t, rnd) if then is following else then

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        kind = ACTION[a[0]] if a[0] in ACTION else a[1]
        take(t, t.hands[seat], kind)
        return carry_out(t, seat, a, kind, FROM_HAND, FOLLOWING[t.seats][seat])


def carry_out(t: Table, seat: int, a: Answer, kind: int, drawn: int, then: Question[Table]) -> Question[Table]:
    """What the card does; `then` is asked when all of that is done."""
    verb, passed = a[0], len(t.landmarks)
    if verb == "lay":
        t.loot[seat].append(face_down(kind, seat, drawn, passed))
        return then
    if 0 < passed > drawn:  # `record`, spelt out: it is asked for every card
        t.played.append((kind, seat, drawn, passed))
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
    t.apart_since.append(len(t.landmarks))
    return DrawTwo(seat, then)


@dataclass(slots=True)
class DrawTwo(Drawn):
    """Double loot: draw two cards and keep them apart from the hand. The seventh getaway ends the game."""

    to: int
    then: Question[Table]
    key = "thieves.draw_two"

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        kind = a[1]
        if kind == GETAWAY:
            return getaway(t, self)
        if kind:
            t.left.remove(kind)
        insort(t.apart[-1], kind)
        return self if len(t.apart[-1]) < DOUBLE else PlayBoth(self.to, self.then)


@dataclass(slots=True)
class PlayBoth(CardPlay):
    """Play both now, in either order, the first fully, with its raid, before the second.

    Of a double loot among them both cards are played before the one that waits.
    """

    seat: int
    then: Question[Table]
    key = "thieves.play_both"

    def cards(self, t: Table) -> list[int]:
        return t.apart[-1]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        kind = ACTION[a[0]] if a[0] in ACTION else a[1]
        take(t, t.apart[-1], kind)
        drawn = t.apart_since[-1]
        if t.apart[-1]:
            return carry_out(t, seat, a, kind, drawn, self)
        t.apart.pop()
        t.apart_since.pop()
        return carry_out(t, seat, a, kind, drawn, self.then)


@dataclass(slots=True)
class Count(Beat[Table]):
    """The end: all loot is laid open and counts at end worth; hands do not count."""

    key = "thieves.count"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("count", *loot_kinds(t))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat or a[0] != "count":
            Beat.check(self, t, seat, a)
            raise Refused("not_an_answer", verb=a[0])
        check_shown(t, a[1:])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        show_loot(t, a[1:], up=True)
        return Gems() if t.house.match else OVER

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        show_loot(t, loot_kinds(t), up=True)
        return Gems() if t.house.match else OVER


@dataclass(slots=True)
class Gems(Beat[Table]):
    """A match by house rule: gems for the first and the second of a game.

    It ends after the game in which someone has seven; otherwise all cards are dealt anew.
    """

    key = "thieves.gems"

    def outcome(self, t: Table) -> Answer:
        return ("gems", *gems(t))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.results += (Result(tuple(loot_kinds(t)), a[1:]),)
        if max(gems_so_far(t)) >= GEMS_TO_WIN:
            return OVER
        clear(t)
        return FIRST


# Questions are never changed, so these need not be made again each turn.
FIRST = First()
COUNT = Count()
OVER = Over()
DRAWS = tuple([Draw(seat) for seat in range(SEATS[-1])])
FOLLOWING = [DRAWS[1:seats] + DRAWS[:1] for seats in range(SEATS[-1] + 1)]  # who is at turn next
PLAY = tuple([Play(seat) for seat in range(SEATS[-1])])
