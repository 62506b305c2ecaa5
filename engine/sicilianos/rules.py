"""Sicilianos: the setup and the turn. What the dice bring is in `roll`, the war is in `war`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engine.core import Answer, Chance, Question, Refused, not_an_answer, not_asked
from engine.options import Options
from engine.sicilianos import war
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
    worth,
)
from engine.sicilianos.laying import face_down, is_masked_laying, laying_refusal, layings
from engine.sicilianos.roll import Dice, Draw
from engine.sicilianos.table import House, Table, colours_of

ROLL: Answer = ("roll",)


def house_of(options: Options) -> House:
    """Returns the house rules of a table."""
    deck, shops, targets, die = (tuple(options[name].values()) for name in ("deck", "businesses", "targets", "die"))
    rules = (options["stake"], options["lone_starter"], options["different"], options.get("equal_antiques", ""))
    return _house(*rules, deck, shops, targets, die)


@lru_cache(64)
def _house(stake: str, lone_starter: str, different: str, equal_antiques: str, *decks: tuple[int, ...]) -> House:
    """Turns the counts of the decks into what the table needs: the things there are of each colour."""
    deck, shops, targets, die = decks
    return House(
        open_stake=stake == "open",
        lone_starter_wins=lone_starter == "wins",
        counts_sets=different == "sets",
        counts_equal_antiques_once=equal_antiques == "count_once",
        cards=by_colour(deck, VALUES, CARDS),
        shops=by_colour(shops, KINDS, list(KINDS) * len(COLOURS)),
        targets=by_colour(targets, COLOURS, list(COLOURS) * len(COLOURS)),
        faces=tuple(face for face, count in zip(FACES, die, strict=True) for _ in range(count)),
    )


def by_colour(counts: Sequence[int], sorts: Sequence[int], things: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Returns the things there are of each colour, as often as counted. Index 0, no colour, is empty.

    A colour has one count for each of `sorts`; `things` names what is counted at each place.
    """
    rows = [range(first, first + len(sorts)) for first in range(0, len(counts), len(sorts))]
    return ((), *(tuple(things[place] for place in row for _ in range(counts[place])) for row in rows))


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """Returns the table with the money dealt and six piles of family cards. The first seat takes the first card."""
    house = house_of(options)
    t = Table(
        seats,
        house,
        bonus=(0,) * seats,
        book=[(0, seat, "dirty", FIRST_MONEY, -worth(FIRST_MONEY)) for seat in range(seats)],
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
    return t, Take(0)


# Setup


@dataclass(slots=True)
class Take(Question[Table]):
    """In four rounds, each player takes the top card of a pile of a colour that they do not hold yet."""

    seat: int
    key = "sicilianos.take"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        held = colours_of(t.hands[seat])
        return [("take", colour) for colour in COLOURS if t.piles[colour] and colour not in held]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat):
            return
        match a:
            case ("take", int(colour)) if colour in colours_of(t.hands[seat]):
                raise Refused("sicilianos.take.colour_held", colour=colour)
            case ("take", int(colour)) if colour in COLOURS:
                raise Refused("sicilianos.take.empty_pile", colour=colour)
        raise not_an_answer(a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if seat + 1 < t.seats:
            return Draw(a[1], seat, Take(seat + 1))
        another_round = len(t.hands[seat]) + 1 < FIRST_HAND
        return Draw(a[1], seat, Take(0) if another_round else Starter())


@dataclass(slots=True)
class Starter(Chance[Table]):
    """The first player to take a turn is drawn at random."""

    key = "sicilianos.starter"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("starter", first) for first in range(t.seats)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("starter", rnd.randrange(t.seats))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        return Turn(a[1], t.house.open_stake)


# The turn


@dataclass(slots=True)
class Turn(Question[Table]):
    """The player rolls the dice, or starts a war with a card and a note. With ten cards in hand it must be a war."""

    seat: int
    open_stake: bool
    key = "sicilianos.turn"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        wars = layings("war", t.hands[seat], t.dirty[seat])
        return wars if len(t.hands[seat]) >= FULL_HAND else [ROLL, *wars]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if is_masked_laying(t, self.seat, seat, a, "war", open_stake=self.open_stake):
            return
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat):
            return
        if a == ROLL:
            raise Refused("sicilianos.roll.full_hand", cards=FULL_HAND)
        raise laying_refusal(t, seat, a, "war")

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        following = Turn((seat + 1) % t.seats, self.open_stake)
        return Dice(seat, following) if a == ROLL else war.start(t, seat, a[1], a[2], following)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return face_down(seat, a, viewer, open_stake=self.open_stake)
