"""Razzia: the deal, the secret choice of cards and the end of a night.

The notes of a night are in `notes`, what happens in the bars is in `settle`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import floor
from random import Random

from engine.bars import box
from engine.bars.box import HAND
from engine.bars.notes import Show, TurnUp
from engine.bars.settle import seats_by_bar, settle_bars
from engine.bars.table import NONE, Table, house_rules, may_hold, play_cards, shuffle_discards, without
from engine.core import HIDDEN, NATURE, Answer, Beat, Chance, Over, Question, Refused, not_an_answer, not_asked
from engine.options import Options
from engine.values import CardOf, SeatOf


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """Returns the table with shuffled cards and notes, and the question for the first dealer."""
    bars = box.bars(seats)
    cards = list(box.cards_in_play(tuple(options["cards"].values()), seats))
    table = Table(
        seats,
        bars,
        house_rules(options),
        pile=len(cards),
        left=cards,
        stock=list(box.notes_in_play(tuple(options["notes"].values()), seats)),
        hands=[[] for _ in range(seats)],
        picks=[NONE] * seats,
        shown=[HIDDEN] * seats,
        said=[NONE] * seats,
        notes=[()] * (bars + 1),
        money=[0] * seats,
    )
    return table, ChooseDealer() if table.house.dealer_chosen else DrawDealer()


# The deal


def dealers(t: Table) -> list[Answer]:
    return [("dealer", seat) for seat in range(t.seats)]


@dataclass(slots=True)
class DrawDealer(Chance[Table]):
    """The first dealer is drawn at random."""

    key = "bars.dealer"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return dealers(t)

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("dealer", floor(rnd.random() * t.seats))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.dealer = a[1]
        return deal_after(t, t.dealer)


@dataclass(slots=True)
class ChooseDealer(Question[Table]):
    """House rule: the players agree on the first dealer, and the first seat enters their choice."""

    seat: int = 0
    key = "bars.choose_dealer"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return dealers(t)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.dealer = a[1]
        return deal_after(t, t.dealer)


def deal_after(t: Table, seat: int) -> Question[Table]:
    """Returns the deal of the next card, to the left of `seat`; or the first note when every hand has five cards.

    Cards are dealt one at a time, beginning to the left of the dealer. The discards are shuffled only when a card is
    needed and the pile is empty.
    """
    to = seat + 1 if seat + 1 < t.seats else 0
    if len(t.hands[to]) == HAND:
        return TurnUp(1, everybody_picks(t.seats))
    return Deal(to) if t.pile else Reshuffle(to)


@dataclass(slots=True)
class Deal(Chance[Table]):
    """A card from the pile goes to a hand. Only its owner sees it."""

    to: int
    key = "bars.deal"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        in_hands = {card for kept in t.kept for card in kept.cards}  # `left` of a view holds cards in hands, too
        return [("deal", self.to, card) for card in t.left if card not in in_hands]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("deal", self.to, t.left[floor(rnd.random() * len(t.left))])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat == NATURE and a == ("deal", self.to, HIDDEN):
            # A table sees all cards of a hand or none.
            if any(t.hands[self.to]):
                raise Refused("bars.deal.unseen", seat=SeatOf(self.to))
            return
        Question.check(self, t, seat, a)
        if HIDDEN in t.hands[self.to]:
            raise Refused("bars.deal.seen", seat=SeatOf(self.to))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        card = a[2]
        if card:
            del t.left[bisect_left(t.left, card)]
        t.pile -= 1
        t.hands[self.to].append(card)
        return deal_after(t, self.to)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("deal", self.to, HIDDEN)


@dataclass(slots=True)
class Reshuffle(Beat[Table]):
    """The cards played on earlier nights become the new pile, during the deal. Cards in hands stay there."""

    to: int  # the seat that gets the next card
    key = "bars.reshuffle"

    def outcome(self, t: Table) -> Answer:
        return ("reshuffle",)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        shuffle_discards(t)
        return Deal(self.to)


# The notes: see notes.py


# The cards


def everybody_picks(seats: int) -> Pick:
    return Pick(0, tuple(range(seats)))


@dataclass(slots=True)
class Pick(Question[Table]):
    """All players choose one card each, secretly and at the same time. No player may pass."""

    seat: int
    waiting: tuple[int, ...]
    key = "bars.pick"

    def seats(self) -> tuple[int, ...]:
        return self.waiting

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("pick", card) for card in t.hands[seat]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat not in self.waiting:
            raise not_asked(seat)
        if a not in self.answers(t, seat):
            raise Refused("bars.pick.not_yours", card=CardOf(a[1])) if a[0] == "pick" else not_an_answer(a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.picks[seat] = a[1]
        waiting = without(self.waiting, seat)
        return Pick(waiting[0], waiting) if waiting else Reveal()

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat else ("pick", HIDDEN)


@dataclass(slots=True)
class Reveal(Beat[Table]):
    """All chosen cards are shown together, in the order of the seats."""

    key = "bars.reveal"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("reveal", *t.picks)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != NATURE:
            raise not_asked(seat)
        cards = a[1:]
        if a[0] != "reveal" or len(cards) != t.seats:
            raise not_an_answer(a)
        for other, (card, picked) in enumerate(zip(cards, t.picks, strict=True)):
            if picked not in (HIDDEN, card) or cards.count(card) > 1 or not may_hold(t, other, card):
                raise Refused("bars.reveal.other", seat=SeatOf(other), card=CardOf(card))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        play_cards(t, list(a[1:]))
        return Show(DISCARD) if t.extra_bar else settle_bars(t, seats_by_bar(t), DISCARD)


# The bars: see settle.py


# The end of the night


@dataclass(slots=True)
class Discard(Beat[Table]):
    """The played cards are discarded and the next seat clockwise becomes the dealer.

    The game ends after the night in which the stock of notes ran out; by house rule as soon as the stock is too small
    for a whole night.
    """

    key = "bars.discard"

    def outcome(self, t: Table) -> Answer:
        return ("discard",)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.discards += t.shown
        t.shown = [HIDDEN] * t.seats
        if len(t.stock) < (t.bars + 1 if t.house.short_night_left_out else 1):
            t.over = True
            return Over()
        t.night += 1
        t.dealer = (t.dealer + 1) % t.seats
        return deal_after(t, t.dealer)


DISCARD = Discard()
