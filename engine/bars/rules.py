"""Razzia: the questions of a night, in the order of the rule book."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import floor
from random import Random

from engine.bars import box, notes
from engine.bars.box import CARDS_KNOWN, HAND
from engine.bars.settle import settle, settle_at_once, visitors
from engine.bars.table import NONE, Table, house_rules, may_hold, play_cards, shuffle_discards
from engine.core import HIDDEN, NATURE, Answer, Beat, Chance, Over, Question, Refused, Together
from engine.options import Options

DEALERS: list[Answer] = [("dealer", seat) for seat in range(8)]
PICKS: tuple[Answer, ...] = tuple(("pick", card) for card in range(1 + max(CARDS_KNOWN)))


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """Cards and notes are shuffled; who deals first is still to be found."""
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


@dataclass(slots=True)
class DrawDealer(Chance[Table]):
    """The first dealer is found by lot."""

    key = "bars.dealer"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return DEALERS[: t.seats]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return DEALERS[floor(rnd.random() * t.seats)]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.dealer = a[1]
        return deal_after(t, t.dealer)


@dataclass(slots=True)
class ChooseDealer(Question[Table]):
    """House rule: the players agree on the first dealer; the first seat says whom they chose."""

    seat: int = 0
    key = "bars.choose_dealer"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return DEALERS[: t.seats]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.dealer = a[1]
        return deal_after(t, t.dealer)


def deal_after(t: Table, seat: int) -> Chance[Table]:
    """One card at a time from the left of the dealer, dealer last, until everyone has five.

    A card is needed and the pile is empty: only then the discards are shuffled.
    """
    return deal_to(t, seat + 1 if seat + 1 < t.seats else 0)


def deal_to(t: Table, to: int) -> Chance[Table]:
    if len(t.hands[to]) == HAND:
        return notes.TURN_UPS[1]
    return DEALS[to] if t.pile else RESHUFFLES[to]


@dataclass(slots=True)
class Deal(Chance[Table]):
    """A card from the pile, seen by nobody but its owner."""

    to: int
    key = "bars.deal"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        kept = {card for kept in t.kept for card in kept.cards}  # of those left, these are in hands for certain
        return [("deal", self.to, card) for card in t.left if card not in kept]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("deal", self.to, t.left[floor(rnd.random() * len(t.left))])

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
        card = a[2]
        if card:
            del t.left[bisect_left(t.left, card)]
        t.pile -= 1
        t.hands[self.to].append(card)
        return deal_after(t, self.to)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        """All cards that are due, one after the other."""
        left, hands, to, last, random = t.left, t.hands, self.to, t.seats - 1, rnd.random
        pile = len(left)
        while pile and len(hand := hands[to]) < HAND:
            hand.append(left.pop(floor(random() * pile)))
            pile -= 1
            to = to + 1 if to < last else 0
        t.pile = pile
        return deal_to(t, to).roll(t, rnd)

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


# The notes are laid out in notes.py


# The cards


def pick(t: Table) -> Question[Table]:
    return STILL[(1 << t.seats) - 1]


@dataclass(slots=True)
class Pick(Together[Table]):
    """Everyone picks one card secretly; nobody may pass."""

    seat: int
    waiting: tuple[int, ...]
    number: int  # of this question in STILL
    key = "bars.pick"

    def seats(self) -> tuple[int, ...]:
        return self.waiting

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [PICKS[card] for card in t.hands[seat]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat not in self.waiting:
            raise Refused("not_asked", seat=seat)
        if a not in self.answers(t, seat):
            raise Refused("bars.pick.not_yours", card=a[1]) if a[0] == "pick" else self.refusal(t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.picks[seat] = a[1]
        return STILL[self.number - (1 << seat)]

    def stray(self, t: Table, rnd: Random) -> Question[Table]:
        """The same without lists of answers."""
        picks, hands, random = t.picks, t.hands, rnd.random
        for seat in self.waiting:
            hand = hands[seat]
            picks[seat] = hand[floor(random() * len(hand))]
        return STILL[0]

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat else PICKS[HIDDEN]


@dataclass(slots=True)
class Reveal(Beat[Table]):
    """All picked cards are shown together, in the order of the seats."""

    key = "bars.reveal"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("reveal", *t.picks)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != NATURE:
            raise Refused("not_asked", seat=seat)
        cards = a[1:]
        if a[0] != "reveal" or len(cards) != t.seats:
            raise self.refusal(t, seat, a)
        for other, (card, picked) in enumerate(zip(cards, t.picks, strict=True)):
            if picked not in (HIDDEN, card) or cards.count(card) > 1 or not may_hold(t, other, card):
                raise Refused("bars.reveal.other", seat=other, card=card)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        play_cards(t, list(a[1:]))
        return notes.SHOW if t.extra_bar else settle(t, visitors(t), DISCARD)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        """The picked cards, and all that follows from them without a decision."""
        play_cards(t, t.picks)
        if t.extra_bar:
            return notes.SHOW
        question = settle_at_once(t, visitors(t), DISCARD)
        return DISCARD.roll(t, rnd) if question is DISCARD else question


def still(number: int) -> Question[Table]:
    """What is asked while those seats have not picked yet whose bits are set in `number`."""
    waiting = tuple([seat for seat in range(8) if number >> seat & 1])
    return Pick(waiting[0], waiting, number) if waiting else Reveal()


STILL = tuple(map(still, range(1 << 8)))  # the same questions every night


# The bars are settled in settle.py; then the night ends

DISCARDED: Answer = ("discard",)


@dataclass(slots=True)
class Discard(Beat[Table]):
    """The end of the night: cards played are discarded, the deal moves clockwise.

    The game ends after the night in which the stock of notes ran out; by house rule as soon as
    what is left is not enough for a whole night.
    """

    key = "bars.discard"

    def outcome(self, t: Table) -> Answer:
        return DISCARDED

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.discards += t.shown
        t.shown = [HIDDEN] * t.seats
        if len(t.stock) < (t.bars + 1 if t.house.short_night_left_out else 1):
            t.over = True
            return Over()
        t.night += 1
        t.dealer = (t.dealer + 1) % t.seats
        return deal_after(t, t.dealer)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        question = self.answer(t, NATURE, DISCARDED)
        return question.roll(t, rnd) if isinstance(question, Chance) else question


DISCARD = Discard()
