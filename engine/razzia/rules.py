"""Razzia!: the table and its questions, in the order of the rule book."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

from engine import core
from engine.core import Answer, Beat, Chance, LedgerLine, Over, Question, Refused, not_an_answer, not_asked
from engine.options import Options
from engine.razzia import box
from engine.razzia.box import (
    BODYGUARD,
    BUSINESSES,
    CAR,
    CENTRE,
    COIN,
    CROSSED,
    DRIVER,
    EMPTY,
    HANDS,
    JEWELS,
    POLICE,
    ROUNDS,
    SLOTS,
    THIEF,
    Family,
    raid_at,
)
from engine.values import Amount, Slot

Cheques = tuple[int, ...]  # their values
Slots = tuple[int, ...]  # of the row, counted from 0
Cards = tuple[int, ...]  # the kind of each card
Held = tuple[int, ...]  # what a category scores of a seat: its `Family`, or its `Cheques`

NO_OFFER, NO_BIDDER = 0, -1  # the best offer and its seat while there is none


class Scored(NamedTuple):
    """One scored category of one round: what each seat held (its family, or its cheques), and the points it got."""

    round: int
    category: str
    held: tuple[Held, ...]
    points: list[int]


@dataclass(slots=True)
class House:
    """The house rules that change which answers are legal, or who wins."""

    thief_takes_thief: bool
    empty_auction: bool
    highest_cheque_wins_ties: bool


@dataclass(slots=True)
class Table(core.Table):
    """The table of a game. No seat has private information; only the order of the deck is unknown."""

    seats: int
    house: House
    raid_at: int
    round: int = 1
    police: int = 0
    centre: int = CENTRE
    row: list[int] = field(default_factory=list)  # the cards in the seven slots, EMPTY where there is none
    deck_counts: list[int] = field(default_factory=list)  # how many cards of each kind are in the deck
    open: list[Cheques] = field(default_factory=list)  # by seat, the cheques that may be offered, ascending
    spent: list[Cheques] = field(default_factory=list)  # by seat, the cheques that are face down until the next round
    family: list[Family] = field(default_factory=list)  # by seat, how many cards of each kind it owns
    points: list[int] = field(default_factory=list)
    scored: list[Scored] = field(default_factory=list)


DRAW: Answer = ("draw",)
CALL: Answer = ("call",)
PASS: Answer = ("pass",)


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """Returns the table with a full deck and cheque 1 in the centre. The first question deals the cheques."""
    house = House(
        thief_takes_thief=options["thief_takes_thief"] == "allowed",
        empty_auction=options["empty_auction"] == "allowed",
        highest_cheque_wins_ties=options["tie"] == "highest_cheque",
    )
    table = Table(
        seats,
        house,
        raid_at(seats),
        row=[EMPTY] * SLOTS,
        deck_counts=[0, *options["deck"].values()],
        open=[()] * seats,
        spent=[()] * seats,
        family=[(0,) * (POLICE + 1)] * seats,
        points=[0] * seats,
    )
    return table, Hands()


@dataclass(slots=True)
class Hands(Chance[Table]):
    """The hands of cheques are dealt to the seats at random. A hand is named by its lowest cheque."""

    key = "razzia.hands"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("hands", *lowest) for lowest in permutations([hand[0] for hand in HANDS[t.seats]])]

    def sample(self, t: Table, rnd: Random) -> Answer:
        lowest_cheques = [hand[0] for hand in HANDS[t.seats]]
        rnd.shuffle(lowest_cheques)
        return ("hands", *lowest_cheques)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        hands = {hand[0]: hand for hand in HANDS[t.seats]}
        t.open = [hands[lowest] for lowest in a[1:]]
        return start_round(t)


def start_round(t: Table) -> Question[Table]:
    """Returns the first turn of a round: the player with the highest cheque starts."""
    highest = [hand[-1] for hand in t.open]
    return turn_from(t, highest.index(max(highest)))


def turn_from(t: Table, seat: int) -> Question[Table]:
    """Returns the turn of `seat`, or of the next seat clockwise with an open cheque.

    The round ends when no seat has an open cheque, or when no card is left to turn up.
    """
    if any(t.deck_counts):
        for _ in range(t.seats):
            if t.open[seat]:
                return Turn(seat)
            seat = seat + 1 if seat + 1 < t.seats else 0
    return Score(1)


@dataclass(slots=True)
class Turn(Question[Table]):
    """The player does exactly one of these: A turn up a card, B use thieves, C call a forced auction."""

    seat: int
    key = "razzia.turn"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        answers = [DRAW]
        if thieves := t.family[seat][THIEF]:
            takable = [slot for slot in range(SLOTS) if t.row[slot] and self.may_take(t, slot)]
            for count in range(1, min(thieves, len(takable)) + 1):
                answers += [("thieves", *slots) for slots in combinations(takable, count)]
        if t.house.empty_auction or any(t.row):
            answers.append(CALL)
        return answers

    def may_take(self, t: Table, slot: int) -> bool:
        return t.house.thief_takes_thief or t.row[slot] != THIEF

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat):
            return
        if a == CALL:
            raise Refused("razzia.call.empty_row")
        if a[0] != "thieves":
            raise not_an_answer(a)
        raise self.thieves_refusal(t, a[1:])

    def thieves_refusal(self, t: Table, slots: Slots) -> Refused:
        """Returns why thieves may not take the cards of these slots."""
        thieves = t.family[self.seat][THIEF]
        if not thieves:
            return Refused("razzia.thieves.none")
        if not slots:
            return Refused("razzia.thieves.no_card")
        if len(slots) > thieves:
            return Refused("razzia.thieves.too_few", thieves=thieves, cards=len(slots))
        if len(set(slots)) < len(slots):
            return Refused("razzia.thieves.twice")
        empty = next((slot for slot in slots if not t.row[slot]), None)
        if empty is not None:
            return Refused("razzia.thieves.empty_slot", slot=Slot(empty + 1))
        if not all(self.may_take(t, slot) for slot in slots):
            return Refused("razzia.thieves.takes_thief")
        return Refused("razzia.thieves.order")  # slots must be named in ascending order

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == DRAW:
            return TurnUp(seat)
        if a == CALL:
            return next_bidder(t, after=seat, caller=seat, best=NO_OFFER, best_bidder=NO_BIDDER, forced=True)
        # Used thieves leave the game. Those that are taken now do not count: `answers` has counted before.
        family = list(t.family[seat])
        family[THIEF] -= len(a) - 1
        for slot in a[1:]:
            family[t.row[slot]] += 1
            t.row[slot] = EMPTY
        t.family[seat] = tuple(family)
        return turn_after(t, seat)


def turn_after(t: Table, seat: int) -> Question[Table]:
    """Returns the turn that follows the turn of `seat`."""
    return turn_from(t, seat + 1 if seat + 1 < t.seats else 0)


@dataclass(slots=True)
class TurnUp(Chance[Table]):
    """Action A of a turn: `by` turns up a card. Loot goes into the first free slot, police into the police row.

    A full row starts a normal auction at once, and so does every police card. The raid ends the round without an
    auction.
    """

    by: int
    key = "razzia.card"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("card", kind) for kind, count in enumerate(t.deck_counts) if count]

    def sample(self, t: Table, rnd: Random) -> Answer:
        place = int(rnd.random() * sum(t.deck_counts))
        for kind, count in enumerate(t.deck_counts):
            place -= count
            if place < 0:
                return ("card", kind)
        raise AssertionError("the deck is empty")

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        kind = a[1]
        t.deck_counts[kind] -= 1
        if kind == POLICE:
            t.police += 1
            if t.police >= t.raid_at:
                return Score(1)
        else:
            t.row[t.row.index(EMPTY)] = kind
            if EMPTY in t.row:
                return turn_after(t, self.by)
        return next_bidder(t, after=self.by, caller=self.by, best=NO_OFFER, best_bidder=NO_BIDDER, forced=False)


def next_bidder(t: Table, after: int, caller: int, best: int, best_bidder: int, *, forced: bool) -> Question[Table]:
    """Returns the question to the next bidder, clockwise from `after`, the caller last; or closes the auction.

    A seat without an open cheque above the best offer passes without being asked.
    """
    hands, seat = t.open, after
    while True:
        seat += 1
        if seat == t.seats:
            seat = 0
        hand = hands[seat]
        if hand and hand[-1] > best:
            return Auction(seat, caller, best, best_bidder, forced)
        if seat == caller:
            return close_auction(t, caller, best, best_bidder)


@dataclass(slots=True)
class Auction(Question[Table]):
    """The bidder passes, or offers one open cheque higher than the best offer so far.

    In a forced auction the caller must offer if nobody else did.
    """

    seat: int
    caller: int
    best: int  # the best offer, or NO_OFFER
    best_bidder: int  # the seat that made the best offer, or NO_BIDDER
    forced: bool
    key = "razzia.auction"

    def must_offer(self) -> bool:
        return self.forced and self.seat == self.caller and self.best_bidder < 0

    def answers(self, t: Table, seat: int) -> list[Answer]:
        best = self.best
        answers: list[Answer] = [("offer", value) for value in t.open[seat] if value > best]
        if not self.must_offer():
            answers.append(PASS)
        return answers

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat):
            return
        if a == PASS:
            raise Refused("razzia.auction.must_offer")
        if a[0] != "offer":
            raise not_an_answer(a)
        if a[1] not in t.open[seat]:
            raise Refused("razzia.auction.not_yours", value=Amount(a[1]))
        raise Refused("razzia.auction.not_higher", value=Amount(a[1]), best=Amount(self.best))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        best, best_bidder = (self.best, self.best_bidder) if a == PASS else (a[1], seat)
        if seat == self.caller:
            return close_auction(t, seat, best, best_bidder)
        return next_bidder(t, seat, self.caller, best, best_bidder, forced=self.forced)


def close_auction(t: Table, caller: int, best: int, best_bidder: int) -> Question[Table]:
    """Carries out the result of an auction and returns the turn that follows, to the left of the caller.

    The highest offer takes all loot and the cheque in the centre, which is spent until the next round; the offered
    cheque replaces it. If nobody offers, the loot stays after a police card, and a full row leaves the game.
    """
    if best_bidder >= 0:
        family = list(t.family[best_bidder])
        for kind in t.row:
            family[kind] += 1
        family[EMPTY] = 0  # the empty slots were counted too
        t.family[best_bidder] = tuple(family)
        t.row = [EMPTY] * SLOTS
        t.open[best_bidder] = tuple([value for value in t.open[best_bidder] if value != best])
        t.spent[best_bidder] += (t.centre,)
        t.centre = best
    elif EMPTY not in t.row:
        t.row = [EMPTY] * SLOTS
    return turn_after(t, caller)


EVERY_ROUND = ("thieves", "coins", "bodyguards", "cars", "jewels")
AT_THE_END = ("different", "same", "cheques")
CATEGORIES = EVERY_ROUND + AT_THE_END
COUNTED: dict[str, Iterable[int]] = {
    "thieves": (THIEF,),
    "coins": (COIN,),
    "bodyguards": (BODYGUARD,),
    "cars": (CAR, DRIVER),
    "jewels": JEWELS,
    "different": BUSINESSES,
    "same": BUSINESSES,
}
# the function of `box` that scores a category has its name
SCORERS: dict[str, Callable[[list[Held]], list[int]]] = {name: getattr(box, name) for name in CATEGORIES}


def is_last_round(t: Table) -> bool:
    """Returns True in the third round, and in a round after which no card is left."""
    return t.round == ROUNDS or not any(t.deck_counts)


@dataclass(slots=True)
class Score(Beat[Table]):
    """The end of a round: each category is scored on its own, businesses and cheques only after the last round."""

    number: int  # of the category, counted from 1
    key = "razzia.score"

    def outcome(self, t: Table) -> Answer:
        return ("score", self.number)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        category = CATEGORIES[self.number - 1]
        held = t.family if category != "cheques" else [own_cheques(t, seat) for seat in range(t.seats)]
        points = SCORERS[category](held)
        t.scored.append(Scored(t.round, category, tuple(held), points))
        t.points = [had + got for had, got in zip(t.points, points, strict=True)]
        if is_last_round(t):
            return Score(self.number + 1) if self.number < len(CATEGORIES) else Over()
        return Score(self.number + 1) if self.number < len(EVERY_ROUND) else Clear()


def own_cheques(t: Table, seat: int) -> Cheques:
    """Returns all cheques of a seat, open and spent, ascending."""
    return tuple(sorted(t.open[seat] + t.spent[seat]))


CROSSED_CLEARED = (0,) * (max(CROSSED) + 1)  # the counts of a family up to its last crossed kind


@dataclass(slots=True)
class Clear(Beat[Table]):
    """Between two rounds: crossed cards, loot and police leave the game, all cheques of the seats become open."""

    key = "razzia.clear"

    def outcome(self, t: Table) -> Answer:
        return ("clear",)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.family = [CROSSED_CLEARED + family[len(CROSSED_CLEARED) :] for family in t.family]
        t.row = [EMPTY] * SLOTS
        t.police = 0
        t.open = [own_cheques(t, seat) for seat in range(t.seats)]
        t.spent = [()] * t.seats
        t.round += 1
        return start_round(t)


def winners(t: Table) -> list[int]:
    """Returns the seats with the most points. A tie is shared, or by house rule broken by the highest own cheque."""
    ahead = [seat for seat in range(t.seats) if t.points[seat] == max(t.points)]
    if t.house.highest_cheque_wins_ties:
        best = max(max(own_cheques(t, seat), default=0) for seat in ahead)
        return [seat for seat in ahead if max(own_cheques(t, seat), default=0) == best]
    return ahead


def ledger(t: Table) -> list[LedgerLine]:
    """Returns one line for each seat and category of each round, with the cards that counted and their points."""
    return [
        LedgerLine(round_, seat, category, counted_cards(category, held[seat]), points[seat])
        for round_, category, held, points in t.scored
        for seat in range(t.seats)
    ]


def counted_cards(category: str, held: Held) -> Cards:
    """Returns the cards (or cheques) that count in a category."""
    if category == "cheques":
        return held
    return tuple(kind for kind in COUNTED[category] for _ in range(held[kind]))
