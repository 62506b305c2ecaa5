"""Sicilianos: the roll, as questions in the order of the rule book."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, permutations
from math import floor
from random import Random

from engine.core import NATURE, Answer, Chance, Question, Refused
from engine.sicilianos import rules, table  # `rules` is the circle: after a roll the next turn is asked
from engine.sicilianos.box import CARDS, COLOUR, COLOURS, FACES, FULL_HAND, ONE, TWO, Cards, with_card
from engine.sicilianos.table import CIRCLE, Table, holds, may_be, may_hide

DRAW: tuple[Answer, ...] = tuple(("draw", colour) for colour in range(7))
LOOK: tuple[Answer, ...] = tuple(("look", colour) for colour in range(7))
# By card, backs from the end as in COLOUR.
DRAWN: tuple[Answer, ...] = tuple(("card", card) for card in (0, *CARDS, *range(-len(COLOURS), 0)))
STOLEN: tuple[Answer, ...] = tuple(("stolen", card) for card in (0, *CARDS, *range(-len(COLOURS), 0)))
STEAL = {(colour, victim): ("steal", colour, victim) for colour in COLOURS for victim in range(6)}
# By face: all pairs of colours.
THROWS: dict[int, tuple[Answer, ...]] = {
    face: tuple(("dice", one, two, face) for one in COLOURS for two in COLOURS) for face in FACES
}


@dataclass(slots=True)
class Dice(Chance[Table]):
    """All three dice: two colours, and what to do."""

    by: int
    key = "sicilianos.dice"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [throw for face in dict.fromkeys(t.house.faces) for throw in THROWS[face]]

    def sample(self, t: Table, rnd: Random) -> Answer:
        faces = t.house.faces
        pairs = THROWS[faces[floor(rnd.random() * len(faces))]]
        return pairs[floor(rnd.random() * len(pairs))]

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        """The dice and the cards they bring in one go."""
        by, throw = self.by, self.sample(t, rnd)
        if throw[-1] != TWO or len(t.hands[by]) + 1 == FULL_HAND:
            return self.answer(t, NATURE, throw)
        for colour in tops(t, rolled_colours(throw)):
            draw_top(t, colour, by, rnd)
        return rules.turn_after(t, by)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        rolled, face = rolled_colours(a), a[-1]
        if face == TWO:
            return two(t, self.by, rolled)
        if face == ONE:
            return One(self.by, rolled) if any(t.piles) else rules.turn_after(t, self.by)
        held = held_by_others(t, self.by, rolled)
        return Steal(self.by, rolled, held) if held else rules.turn_after(t, self.by)


DICE = tuple(map(Dice, range(6)))


def rolled_colours(throw: Answer) -> tuple[int, ...]:
    _, first, second, _ = throw
    return (first, second) if first != second else (first,)


def tops(t: Table, rolled: tuple[int, ...]) -> list[int]:
    """The top card of each rolled colour, or two of the one colour; what is not there is not drawn."""
    if len(rolled) == 1:
        return [*rolled, *rolled][: len(t.piles[rolled[0]])]
    return [colour for colour in rolled if t.piles[colour]]


def two(t: Table, seat: int, rolled: tuple[int, ...]) -> Question[Table]:
    """*Two*: those cards. With nine in hand exactly one, of the rolled colour the player chooses."""
    there = tops(t, rolled)
    if len(t.hands[seat]) + 1 == FULL_HAND:
        if len(set(there)) == 2:
            return Nine(seat, rolled)
        there = there[:1]
    question = rules.turn_after(t, seat)
    for colour in reversed(there):
        question = Draw(colour, seat, question)
    return question


@dataclass(slots=True)
class Draw(Chance[Table]):
    """`to` draws the top card of a pile; nobody else sees it."""

    colour: int
    to: int
    then: Question[Table]
    key = "sicilianos.card"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        top = t.piles[self.colour][0]
        return [DRAWN[top]] if top > 0 else [DRAWN[card] for card in dict.fromkeys(t.left[self.colour])]

    def sample(self, t: Table, rnd: Random) -> Answer:
        top = t.piles[self.colour][0]
        if top > 0:  # somebody knows it already
            return DRAWN[top]
        left = t.left[self.colour]
        return DRAWN[left[floor(rnd.random() * len(left))]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if a != DRAWN[-self.colour] or seat != self.seat or not may_hide(t):
            Chance.check(self, t, seat, a)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        """Two cards are drawn in one go."""
        draw_top(t, self.colour, self.to, rnd)
        then = self.then
        return then.roll(t, rnd) if isinstance(then, Draw) else then

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        table.draw(t, self.colour, self.to, a[1])
        return self.then

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else DRAWN[-self.colour]


def draw_top(t: Table, colour: int, seat: int, rnd: Random) -> None:
    """Draw the top card of a pile, whichever it is, on a table that sees all."""
    pile = t.piles[colour]
    card = pile[0]
    if card < 0:
        left = t.left[colour]
        place = floor(rnd.random() * len(left))
        card = left[place]
        t.left[colour] = left[:place] + left[place + 1 :]
    t.piles[colour] = pile[1:]
    t.hands[seat] = with_card(t.hands[seat], card)
    t.trail[colour].append(("draw", seat, card))


@dataclass(slots=True)
class Nine(Question[Table]):
    """*Two* with nine cards in hand: one card, of a rolled colour."""

    seat: int
    rolled: tuple[int, ...]
    key = "sicilianos.nine"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [DRAW[colour] for colour in self.rolled]

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        if a[0] != "draw":
            return Refused("not_an_answer", verb=a[0])
        return Refused("sicilianos.draw.not_rolled", colours=self.rolled)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        return Draw(a[1], seat, rules.turn_after(t, seat))


@dataclass(slots=True)
class One(Question[Table]):
    """*One*: the top card of any pile, or look through a whole pile of a rolled colour and keep one card of it.

    If no pile has a card at all, nobody is asked and the turn is over.
    """

    seat: int
    rolled: tuple[int, ...]
    key = "sicilianos.one"
    strays = True

    def answers(self, t: Table, seat: int) -> list[Answer]:
        piles = t.piles
        found = [DRAW[colour] for colour in COLOURS if piles[colour]]
        found += [LOOK[colour] for colour in self.rolled if piles[colour]]
        return found

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        match a:
            case ("draw" | "look", int(colour)) if colour in COLOURS and not t.piles[colour]:
                return Refused("sicilianos.one.empty_pile", colour=colour)
            case ("look", int(colour)) if colour in COLOURS:
                return Refused("sicilianos.look.not_rolled", colour=colour, colours=self.rolled)
        return Refused("not_an_answer", verb=a[0])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        verb, colour = a
        return Draw(colour, seat, rules.turn_after(t, seat)) if verb == "draw" else Look(colour, seat)

    def stray(self, t: Table, rnd: Random) -> Question[Table]:
        """With the card that is drawn."""
        seat, found = self.seat, self.answers(t, self.seat)
        verb, colour = found[floor(rnd.random() * len(found))]
        if verb == "look":
            return Look(colour, seat)
        draw_top(t, colour, seat, rnd)
        return rules.turn_after(t, seat)


LISTED = 120  # outcomes of a long look that `answers` lists; `check` knows them all


@dataclass(slots=True)
class Look(Chance[Table]):
    """`to` looks through a whole pile: what was not known of its order is settled now, for them alone."""

    colour: int
    to: int
    key = "sicilianos.pile"

    def known(self, t: Table) -> Cards:
        """The bottom of the pile, whose order somebody knows already."""
        return tuple(card for card in t.piles[self.colour] if card > 0)

    def answers(self, t: Table, seat: int) -> list[Answer]:
        known = self.known(t)
        orders = islice(permutations(t.left[self.colour]), LISTED)
        return [("pile", *order, *known) for order in dict.fromkeys(orders)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        left = list(t.left[self.colour])
        random = rnd.random
        left.sort(key=lambda card: random())
        return ("pile", *left, *self.known(t))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise Refused("not_asked", seat=seat)
        pile, cards, verb = t.piles[self.colour], a[1:], a[0]
        if verb != "pile" or len(cards) != len(pile):
            raise self.refusal(t, seat, a)
        if t.blind and cards == (-self.colour,) * len(pile):
            return
        left = list(t.left[self.colour])
        for there, card in zip(pile, cards, strict=True):
            if there < 0 and card in left:
                left.remove(card)
            elif there != card or card < 0:
                raise Refused("sicilianos.pile.not_there", colour=self.colour)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        table.look(t, self.colour, self.to, a[1:])
        return Keep(self.to, self.colour)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("pile", *[-self.colour] * (len(a) - 1))


UNSEEN: Answer = ("keep", 0)


@dataclass(slots=True)
class Keep(Question[Table]):
    """Keep one card of the pile, named by its place from the top; the rest stays in order. Nobody sees which."""

    seat: int
    colour: int
    key = "sicilianos.keep"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("keep", place) for place in range(1, len(t.piles[self.colour]) + 1)]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if not (t.blind and a == UNSEEN and seat == self.seat):
            Question.check(self, t, seat, a)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        if a[0] != "keep":
            return Refused("not_an_answer", verb=a[0])
        return Refused("sicilianos.keep.no_card", cards=len(t.piles[self.colour]))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        table.keep(t, self.colour, seat, a[1])
        return rules.turn_after(t, seat)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat else UNSEEN


def held_by_others(t: Table, seat: int, rolled: tuple[int, ...]) -> tuple[Answer, ...]:
    """What can be stolen: of each rolled colour, from each other player who holds it."""
    others, hands = CIRCLE[t.seats][seat][1:], t.hands
    return tuple([STEAL[colour, other] for colour in rolled for other in others if holds(hands[other], colour)])


@dataclass(slots=True)
class Steal(Question[Table]):
    """*Steal*: a rolled colour, and another player who holds it. Nobody is asked if no other player does."""

    seat: int
    rolled: tuple[int, ...]
    held: tuple[Answer, ...]
    key = "sicilianos.steal"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return list(self.held)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        match a:
            case ("steal", int(colour), int(victim)):
                if colour not in self.rolled:
                    return Refused("sicilianos.steal.not_rolled", colour=colour, colours=self.rolled)
                if victim == seat:
                    return Refused("sicilianos.steal.from_yourself")
                return Refused("sicilianos.steal.holds_none", colour=colour, victim=victim)
        return Refused("not_an_answer", verb=a[0])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        _, colour, victim = a
        return Stolen(colour, seat, victim)


@dataclass(slots=True)
class Stolen(Chance[Table]):
    """One of the victim's cards of that colour, at random; only thief and victim see it."""

    colour: int
    to: int
    victim: int
    key = "sicilianos.stolen"

    def cards(self, t: Table) -> list[int]:
        return [card for card in t.hands[self.victim] if COLOUR[card] == self.colour]

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [STOLEN[card] for card in dict.fromkeys(self.cards(t))]

    def sample(self, t: Table, rnd: Random) -> Answer:
        cards = self.cards(t)
        return STOLEN[cards[floor(rnd.random() * len(cards))]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        match a:
            case ("stolen", int(card)) if t.blind and seat == self.seat and card in (-self.colour, *CARDS):
                if card == -self.colour or (COLOUR[card] == self.colour and may_be(t, card, t.hands[self.victim])):
                    return
        Chance.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        table.steal(t, self.colour, self.to, self.victim, a[1])
        return rules.turn_after(t, self.to)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer in (self.to, self.victim) else STOLEN[-self.colour]
