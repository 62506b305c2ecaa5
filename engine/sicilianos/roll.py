"""Sicilianos: what the dice bring. `then` is the turn of the next player."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, permutations
from math import floor
from random import Random

from engine.core import Answer, Chance, Question, Refused, clockwise, not_an_answer, not_asked
from engine.sicilianos import table
from engine.sicilianos.box import CARDS, COLOUR, COLOURS, FULL_HAND, ONE, TWO, Cards
from engine.sicilianos.table import Table, holds, may_be, may_hide
from engine.values import SeatOf


@dataclass(slots=True)
class Dice(Chance[Table]):
    """The player rolls all three dice: two show a colour, the third what to do with these colours."""

    by: int
    then: Question[Table]
    key = "sicilianos.dice"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        faces = dict.fromkeys(t.house.faces)
        return [("dice", first, second, face) for face in faces for first in COLOURS for second in COLOURS]

    def sample(self, t: Table, rnd: Random) -> Answer:
        faces = t.house.faces
        face = faces[floor(rnd.random() * len(faces))]
        first, second = divmod(floor(rnd.random() * len(COLOURS) ** 2), len(COLOURS))
        return ("dice", COLOURS[first], COLOURS[second], face)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        _, first, second, face = a
        rolled = (first, second) if first != second else (first,)
        if face == TWO:
            return two(t, self.by, rolled, self.then)
        if face == ONE:
            return One(self.by, rolled, self.then) if any(t.piles) else self.then
        held = held_by_others(t, self.by, rolled)
        return Steal(self.by, rolled, held, self.then) if held else self.then


# Two


def two(t: Table, seat: int, rolled: tuple[int, ...], then: Question[Table]) -> Question[Table]:
    """*Two*: the player draws the top card of each rolled colour, or two cards if both dice show one colour.

    A card that is missing is not drawn. With nine cards in hand it is one card, of a rolled colour of their choice.
    """
    if len(rolled) == 1:
        drawn = (rolled * 2)[: len(t.piles[rolled[0]])]
    else:
        drawn = tuple([colour for colour in rolled if t.piles[colour]])
    if len(t.hands[seat]) + 1 == FULL_HAND:
        if len(set(drawn)) == 2:
            return Nine(seat, rolled, then)
        drawn = drawn[:1]
    question = then
    for colour in reversed(drawn):
        question = Draw(colour, seat, question)
    return question


@dataclass(slots=True)
class Draw(Chance[Table]):
    """`to` draws the top card of a pile. Nobody else sees it."""

    colour: int
    to: int
    then: Question[Table]
    key = "sicilianos.card"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        top = t.piles[self.colour][0]
        cards = [top] if top > 0 else list(dict.fromkeys(t.left[self.colour]))
        return [("card", card) for card in cards]

    def sample(self, t: Table, rnd: Random) -> Answer:
        top = t.piles[self.colour][0]
        if top > 0:  # some player knows it already
            return ("card", top)
        left = t.left[self.colour]
        return ("card", left[floor(rnd.random() * len(left))])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if a != ("card", -self.colour) or seat != self.seat or not may_hide(t):
            Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        table.draw(t, self.colour, self.to, a[1])
        return self.then

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("card", -self.colour)


@dataclass(slots=True)
class Nine(Question[Table]):
    """*Two* with nine cards in hand: the player draws one card, of a rolled colour."""

    seat: int
    rolled: tuple[int, ...]
    then: Question[Table]
    key = "sicilianos.nine"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("draw", colour) for colour in self.rolled]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a[0] != "draw":
            raise not_an_answer(a)
        if a not in self.answers(t, seat):
            raise Refused("sicilianos.draw.not_rolled", colours=self.rolled)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        return Draw(a[1], seat, self.then)


# One


@dataclass(slots=True)
class One(Question[Table]):
    """*One*: the player draws the top card of any pile, or looks through the pile of a rolled colour and keeps a card.

    If all piles are empty, nobody is asked and the turn is over.
    """

    seat: int
    rolled: tuple[int, ...]
    then: Question[Table]
    key = "sicilianos.one"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        draws: list[Answer] = [("draw", colour) for colour in COLOURS if t.piles[colour]]
        return draws + [("look", colour) for colour in self.rolled if t.piles[colour]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat):
            return
        match a:
            case ("draw" | "look", int(colour)) if colour in COLOURS and not t.piles[colour]:
                raise Refused("sicilianos.one.empty_pile", colour=colour)
            case ("look", int(colour)) if colour in COLOURS:
                raise Refused("sicilianos.look.not_rolled", colour=colour, colours=self.rolled)
        raise not_an_answer(a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        verb, colour = a
        return Draw(colour, seat, self.then) if verb == "draw" else Look(colour, seat, self.then)


LISTED = 120  # `Look.answers` lists so many outcomes of a large pile; `check` allows all of them


@dataclass(slots=True)
class Look(Chance[Table]):
    """`to` looks through a whole pile. The order that nobody knew is drawn now, and only `to` sees it."""

    colour: int
    to: int
    then: Question[Table]
    key = "sicilianos.pile"

    def known(self, t: Table) -> Cards:
        """Returns the bottom of the pile, whose order some player knows already."""
        return tuple(card for card in t.piles[self.colour] if card > 0)

    def answers(self, t: Table, seat: int) -> list[Answer]:
        known = self.known(t)
        orders = islice(permutations(t.left[self.colour]), LISTED)
        return [("pile", *order, *known) for order in dict.fromkeys(orders)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        left = list(t.left[self.colour])
        left.sort(key=lambda card: rnd.random())
        return ("pile", *left, *self.known(t))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        pile, cards, verb = t.piles[self.colour], a[1:], a[0]
        if verb != "pile" or len(cards) != len(pile):
            raise not_an_answer(a)
        if t.blind and cards == (-self.colour,) * len(pile):
            return
        left = list(t.left[self.colour])
        for known, card in zip(pile, cards, strict=True):
            if known < 0 and card in left:
                left.remove(card)
            elif known != card or card < 0:
                raise Refused("sicilianos.pile.not_there", colour=self.colour)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        table.look(t, self.colour, self.to, a[1:])
        return Keep(self.to, self.colour, self.then)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("pile", *[-self.colour] * (len(a) - 1))


UNSEEN: Answer = ("keep", 0)


@dataclass(slots=True)
class Keep(Question[Table]):
    """The player keeps one card of the pile, named by its place from the top. Nobody else sees which."""

    seat: int
    colour: int
    then: Question[Table]
    key = "sicilianos.keep"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("keep", place) for place in range(1, len(t.piles[self.colour]) + 1)]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat) or (t.blind and a == UNSEEN):
            return
        if a[0] != "keep":
            raise not_an_answer(a)
        raise Refused("sicilianos.keep.no_card", cards=len(t.piles[self.colour]))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        table.keep(t, self.colour, seat, a[1])
        return self.then

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat else UNSEEN


# Steal


def held_by_others(t: Table, seat: int, rolled: tuple[int, ...]) -> tuple[Answer, ...]:
    """Returns what can be stolen: each rolled colour, from each other player who holds a card of it."""
    others = clockwise(seat, t.seats)[:-1]
    return tuple([("steal", colour, other) for colour in rolled for other in others if holds(t.hands[other], colour)])


@dataclass(slots=True)
class Steal(Question[Table]):
    """*Steal*: the player names a rolled colour, and another player who holds it.

    If no other player holds one, nobody is asked and the turn is over.
    """

    seat: int
    rolled: tuple[int, ...]
    held: tuple[Answer, ...]
    then: Question[Table]
    key = "sicilianos.steal"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return list(self.held)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.held:
            return
        match a:
            case ("steal", int(colour), int(victim)):
                if colour not in self.rolled:
                    raise Refused("sicilianos.steal.not_rolled", colour=colour, colours=self.rolled)
                if victim == seat:
                    raise Refused("sicilianos.steal.from_yourself")
                raise Refused("sicilianos.steal.holds_none", colour=colour, victim=SeatOf(victim))
        raise not_an_answer(a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        _, colour, victim = a
        return Stolen(colour, seat, victim, self.then)


@dataclass(slots=True)
class Stolen(Chance[Table]):
    """One of the victim's cards of that colour is drawn at random. Only thief and victim see it."""

    colour: int
    to: int
    victim: int
    then: Question[Table]
    key = "sicilianos.stolen"

    def cards(self, t: Table) -> list[int]:
        return [card for card in t.hands[self.victim] if COLOUR[card] == self.colour]

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("stolen", card) for card in dict.fromkeys(self.cards(t))]

    def sample(self, t: Table, rnd: Random) -> Answer:
        cards = self.cards(t)
        return ("stolen", cards[floor(rnd.random() * len(cards))])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        match a:
            case ("stolen", int(card)) if t.blind and seat == self.seat and card in (-self.colour, *CARDS):
                if card == -self.colour or (COLOUR[card] == self.colour and may_be(t, card, t.hands[self.victim])):
                    return
        Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        table.steal(t, self.colour, self.to, self.victim, a[1])
        return self.then

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer in (self.to, self.victim) else ("stolen", -self.colour)
