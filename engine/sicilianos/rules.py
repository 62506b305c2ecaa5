"""Sicilianos: setup and turn, as questions in the order of the rule book. The roll is in `roll`, the war in `war`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor
from random import Random

from engine.core import Answer, Chance, Question, Refused
from engine.options import Options
from engine.sicilianos import roll, war
from engine.sicilianos.box import (
    CARDS,
    COLOURS,
    FACES,
    FIRST_HAND,
    FIRST_MONEY,
    FULL_HAND,
    KINDS,
    NO_MONEY,
    VALUES,
    values_in,
    worth,
)
from engine.sicilianos.laying import bad_laying, face_down, laid_unseen, laying
from engine.sicilianos.table import House, Table, colours_of

FIRST_LINES = tuple((0, seat, "dirty", FIRST_MONEY, -worth(FIRST_MONEY)) for seat in range(6))  # of the ledger
ROLL: Answer = ("roll",)
TAKE: tuple[Answer, ...] = tuple(("take", colour) for colour in range(7))


def house_of(options: Options) -> House:
    deck, shops, targets, die = (tuple(options[name].values()) for name in ("deck", "businesses", "targets", "die"))
    return boxed(options["stake"], options["lone_starter"], options["different"], deck, shops, targets, die)


@lru_cache(64)
def boxed(stake: str, lone_starter: str, different: str, *decks: tuple[int, ...]) -> House:
    """The house rules, and the decks as the table needs them: what there is of each colour."""
    deck, shops, targets, die = decks
    return House(
        open_stake=stake == "open",
        lone_starter_wins=lone_starter == "wins",
        counts_sets=different == "sets",
        twins=max(deck) > 1,
        cards=by_colour(deck, VALUES, CARDS),
        shops=by_colour(shops, KINDS, list(KINDS) * len(COLOURS)),
        targets=by_colour(targets, COLOURS, list(COLOURS) * len(COLOURS)),
        faces=tuple(face for face, count in zip(FACES, die, strict=True) for _ in range(count)),
    )


def by_colour(counts: Sequence[int], each: Sequence[int], things: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The things there are of each colour, 0 (no colour) first; a colour has as many sorts as `each`."""
    rows = [range(first, first + len(each)) for first in range(0, len(counts), len(each))]
    return ((), *(tuple(things[place] for place in row for _ in range(counts[place])) for row in rows))


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """Everybody has their money, the family cards lie in six piles, and the first seat takes the first card."""
    house = house_of(options)
    t = Table(
        seats,
        house,
        bonus=(0,) * seats,
        book=list(FIRST_LINES[:seats]),
        piles=[(-colour,) * len(cards) for colour, cards in enumerate(house.cards)],
        left=list(house.cards),
        founded=[()] * len(house.cards),
        hands=[()] * seats,
        dirty=[FIRST_MONEY] * seats,
        clean=[NO_MONEY] * seats,
        family=[0] * seats,
        down=[0] * seats,
        stakes=[0] * seats,
        trail=[[] for _ in house.cards],
    )
    return t, TAKES[0]


# Setup.


@dataclass(slots=True)
class Take(Question[Table]):
    """Going round four times, each player takes the top card of a pile of a colour they do not hold yet."""

    seat: int
    key = "sicilianos.take"
    strays = True

    def colours(self, t: Table) -> list[int]:
        held, piles = colours_of(t.hands[self.seat]), t.piles
        return [colour for colour in COLOURS if piles[colour] and colour not in held]

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [TAKE[colour] for colour in self.colours(t)]

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        match a:
            case ("take", int(colour)) if colour in colours_of(t.hands[seat]):
                return Refused("sicilianos.take.colour_held", colour=colour)
            case ("take", int(colour)) if colour in COLOURS:
                return Refused("sicilianos.take.empty_pile", colour=colour)
        return Refused("not_an_answer", verb=a[0])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        return roll.Draw(a[1], seat, self.following(t))

    def following(self, t: Table) -> Question[Table]:
        if self.seat + 1 < t.seats:
            return TAKES[self.seat + 1]
        return TAKES[0] if len(t.hands[self.seat]) + 1 < FIRST_HAND else Starter()

    def stray(self, t: Table, rnd: Random) -> Question[Table]:
        """With the card that is drawn."""
        colours, then = self.colours(t), self.following(t)
        roll.draw_top(t, colours[floor(rnd.random() * len(colours))], self.seat, rnd)
        return then


TAKES = tuple(map(Take, range(6)))  # questions are never changed: one of each is enough


@dataclass(slots=True)
class Starter(Chance[Table]):
    """Who has the first turn goes by lot."""

    key = "sicilianos.starter"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("starter", first) for first in range(t.seats)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("starter", rnd.randrange(t.seats))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        return Turn(a[1], t.house.open_stake)


# The turn.


@dataclass(slots=True)
class Turn(Question[Table]):
    """Roll, or start a war with a card and a note; with ten cards in hand it must be a war."""

    seat: int
    open_stake: bool
    key = "sicilianos.turn"
    strays = True

    def answers(self, t: Table, seat: int) -> list[Answer]:
        hand = t.hands[seat]
        found = [ROLL] if len(hand) < FULL_HAND else []
        war_with, last = laying("war", values_in(t.dirty[seat])), 0
        for card in hand:
            if card != last:  # a hand is sorted: alike cards stand together
                found += war_with[card]
            last = card
        return found

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if not laid_unseen(t, self.seat, seat, a, "war", open_stake=self.open_stake):
            Question.check(self, t, seat, a)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        if a == ROLL:
            return Refused("sicilianos.roll.full_hand", cards=FULL_HAND)
        return bad_laying(t, seat, a, "war")

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        return roll.DICE[seat] if a == ROLL else war.start(t, seat, a[1], a[2])

    def stray(self, t: Table, rnd: Random) -> Question[Table]:
        """Without a list of all cards with all notes."""
        seat, hand = self.seat, t.hands[self.seat]
        rolls = 1 if len(hand) < FULL_HAND else 0
        cards, notes = tuple(dict.fromkeys(hand)) if t.house.twins else hand, values_in(t.dirty[seat])
        number = floor(rnd.random() * (rolls + len(cards) * len(notes))) - rolls
        if number < 0:
            return roll.DICE[seat].roll(t, rnd)
        return war.start(t, seat, cards[number // len(notes)], notes[number % len(notes)])

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return face_down(seat, a, viewer, open_stake=self.open_stake)


# By stakes, number of seats and who was last at turn.
NEXT = {
    open_stake: [[Turn((seat + 1) % seats, open_stake) for seat in range(seats)] for seats in range(7)]
    for open_stake in (False, True)
}


def turn_after(t: Table, seat: int) -> Question[Table]:
    return NEXT[t.house.open_stake][t.seats][seat]
