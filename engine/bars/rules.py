"""Razzia: the questions of a night, in the order of the rule book."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.bars import box
from engine.bars.box import BAR, CARDS_KNOWN, HAND
from engine.bars.split import propose
from engine.bars.table import (
    NONE,
    House,
    Table,
    claimants,
    may_hold,
    play_card,
    put_back,
    shuffle_discards,
    take_card,
    take_note,
    win,
)
from engine.core import HIDDEN, NATURE, Answer, Beat, Chance, Line, Over, Question, Refused
from engine.options import Options

DEALERS: tuple[Answer, ...] = tuple(("dealer", seat) for seat in range(8))
PLACES: tuple[Answer, ...] = tuple(("place", bar) for bar in range(1 + max(box.ALL_BARS)))
PICKS: tuple[Answer, ...] = tuple(("pick", card) for card in range(1 + max(CARDS_KNOWN)))


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """Cards and notes are shuffled; who deals first is still to be found."""
    bars = box.bars(seats)
    house = House(
        dealer_chosen=options["first_dealer"] == "chosen",
        short_night_left_out=options["short_night"] == "left_out",
        secret_replies=options["replies"] == "secret",
        money_hidden=options["money"] == "hidden",
        extra_face_down=options["extra_note"] == "face_down",
    )
    cards = box.cards_in_play(options["cards"], seats)
    table = Table(
        seats,
        bars,
        house,
        pile=len(cards),
        left=cards,
        stock=box.notes_in_play(options["notes"], seats),
        hands=[()] * seats,
        picks=[NONE] * seats,
        shown=[HIDDEN] * seats,
        said=[NONE] * seats,
        notes=[()] * (bars + 1),
        money=[0] * seats,
    )
    return table, ChooseDealer() if house.dealer_chosen else DrawDealer()


# The deal


@dataclass(slots=True)
class DrawDealer(Chance[Table]):
    """The first dealer is found by lot."""

    key = "bars.dealer"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return list(DEALERS[: t.seats])

    def sample(self, t: Table, rnd: Random) -> Answer:
        return DEALERS[int(rnd.random() * t.seats)]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.dealer = a[1]
        return deal_after(t, t.dealer)


@dataclass(slots=True)
class ChooseDealer(Question[Table]):
    """House rule: the players agree on the first dealer; the first seat says whom they chose."""

    seat: int = 0
    key = "bars.choose_dealer"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return list(DEALERS[: t.seats])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.dealer = a[1]
        return deal_after(t, t.dealer)


def deal_after(t: Table, seat: int) -> Question[Table]:
    """One card at a time from the left of the dealer, dealer last, until everyone has five.

    A card is needed and the pile is empty: only then the discards are shuffled.
    """
    to = seat + 1 if seat + 1 < t.seats else 0
    if len(t.hands[to]) == HAND:
        return turn_up_notes(t)
    return DEALS[to] if t.pile else RESHUFFLES[to]


@dataclass(slots=True)
class Deal(Chance[Table]):
    """A card from the pile, seen by nobody but its owner."""

    to: int
    key = "bars.deal"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("deal", self.to, card) for card in t.left]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("deal", self.to, t.left[int(rnd.random() * len(t.left))])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat == NATURE and a == ("deal", self.to, HIDDEN):
            # A table sees all cards of a hand or none.
            if any(t.hands[self.to]):
                raise Refused("bars.deal.unseen", seat=self.to)
            return
        Question.check(self, t, seat, a)
        if HIDDEN in t.hands[self.to]:
            raise Refused("bars.deal.seen", seat=self.to)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        take_card(t, self.to, a[2])
        return deal_after(t, self.to)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("deal", self.to, HIDDEN)


@dataclass(slots=True)
class Reshuffle(Beat[Table]):
    """All cards played on earlier nights become the new pile, in the middle of the deal; cards in hands stay out."""

    to: int  # who waits for a card
    key = "bars.reshuffle"

    def outcome(self, t: Table) -> Answer:
        return ("reshuffle",)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        shuffle_discards(t)
        return DEALS[self.to]


DEALS = tuple(Deal(seat) for seat in range(8))
RESHUFFLES = tuple(Reshuffle(seat) for seat in range(8))


# The notes


def turn_up_notes(t: Table) -> Question[Table]:
    return TURN_UPS[1]


@dataclass(slots=True)
class TurnUp(Chance[Table]):
    """The dealer turns up one note for each bar, in order.

    When fewer notes are left than bars + 1 they go one each to the bars in order, without dealer's choice.
    """

    bar: int
    key = "bars.note"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("note", self.bar, value) for value in dict.fromkeys(t.stock)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("note", self.bar, t.stock[int(rnd.random() * len(t.stock))])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        bar = self.bar
        take_note(t, a[2])
        t.notes[bar] += (a[2],)
        if not t.stock:  # nothing left for the next bar, or for the dealer's choice: a short night
            return pick(t)
        return TURN_UPS[bar + 1] if bar < t.bars else LOOK


TURN_UPS = tuple(TurnUp(bar) for bar in range(1 + max(box.ALL_BARS)))


@dataclass(slots=True)
class Look(Chance[Table]):
    """The dealer alone looks at one more note."""

    dealer: int
    key = "bars.look"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("look", value) for value in dict.fromkeys(t.stock)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("look", t.stock[int(rnd.random() * len(t.stock))])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        # Only a table that may not see the dealer's hand may not see this note.
        if not (a == ("look", HIDDEN) and seat == NATURE and HIDDEN in t.hands[self.dealer]):
            Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.extra = a[1]
        if a[1]:
            take_note(t, a[1])
        return PLACE[self.dealer]

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.dealer else ("look", HIDDEN)
