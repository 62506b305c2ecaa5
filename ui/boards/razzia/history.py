"""Facts that are in the log but not on the table: the state of the running auction, and which card is which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.core import NATURE, Entry, clockwise
from engine.razzia.box import EMPTY, POLICE, SLOTS
from engine.razzia.rules import Auction, Table

AUCTION_VERBS = ("offer", "pass")


class AuctionState(NamedTuple):
    """The state of an auction: the part of each seat in it."""

    offers: dict[int, int]  # the cheque by seat
    passed: frozenset[int]  # passed when they were asked
    cannot_raise: frozenset[int]  # pass without being asked: no cheque above the best offer
    without_cheques: frozenset[int]  # have no open cheque at all
    waiting: tuple[int, ...]  # still to be asked after the asked seat, in order


class RowHistory(NamedTuple):
    """The cards of a round, identified by the entries that turned them up, and those the last entry took away."""

    row: list[int]  # by slot, the number of the entry; -1 if the slot is empty
    taker: int  # the seat that took cards with the last entry, NATURE if there is none
    taken: dict[int, int]  # the kinds of the cards it took, by the number of the entry
    police: list[int]  # the numbers of the entries that turned up police cards


def auction_start(log: Sequence[Entry]) -> int:
    """Returns the length of the log at the beginning of the auction that is running, or has just ended."""
    start = len(log)
    while start and log[start - 1][1][0] in AUCTION_VERBS:
        start -= 1
    return start


def auction_state(question: Auction, t: Table, log: Sequence[Entry]) -> AuctionState:
    """Returns the state of the running auction."""
    entries = log[auction_start(log) :]
    offers = {seat: a[1] for seat, a in entries if a[0] == "offer"}
    passed = frozenset(seat for seat, a in entries if a[0] == "pass")
    order = list(clockwise(question.caller, t.seats))
    after = order[order.index(question.seat) + 1 :]
    out = frozenset(seat for seat in order if not t.open[seat])
    can_offer = [seat for seat in after if t.open[seat] and t.open[seat][-1] > question.best]
    silent = frozenset(order) - out - passed - offers.keys() - {question.seat, *can_offer}
    return AuctionState(offers, passed, silent, out, tuple(can_offer))


def nobody_left_to_ask(question: Auction, t: Table) -> bool:
    """Returns True if a pass ends this auction, provided that there is no offer yet: nobody else can be asked."""
    order = list(clockwise(question.caller, t.seats))
    return not any(t.open[seat] for seat in order[order.index(question.seat) + 1 :])


def follow_cards(log: Sequence[Entry], *, auction_runs: bool) -> RowHistory:
    """Follows every card of this round from the deck.

    `running`: the auction at the end of the log still goes on, so its offers have not won anything yet.
    """
    start = max((number for number, (_, a) in enumerate(log) if a == ("clear",)), default=-1) + 1
    row, police = _Row(), list[int]()
    taker, taken = NATURE, dict[int, int]()
    for number in range(start, len(log)):
        seat, a = log[number]
        taker, taken = NATURE, {}
        if a[0] == "card" and a[1] == POLICE:
            police.append(number)
        elif a[0] == "card":
            row.put(number, a[1])
        elif a[0] == "thieves":
            taker, taken = seat, row.take(a[1:])
        elif a[0] in AUCTION_VERBS and _ends_auction(log, number, auction_runs=auction_runs):
            taker = _winner(log, number)
            if taker != NATURE or row.full:
                taken = row.take(range(SLOTS))
    return RowHistory(row.numbers, taker, taken if taker != NATURE else {}, police)


class _Row:
    """The seven slots: for each card the number of the entry that turned it up, and its kind."""

    def __init__(self) -> None:
        self.numbers, self.kinds = [-1] * SLOTS, [EMPTY] * SLOTS

    @property
    def full(self) -> bool:
        return -1 not in self.numbers

    def put(self, number: int, kind: int) -> None:
        place = self.numbers.index(-1)
        self.numbers[place], self.kinds[place] = number, kind

    def take(self, places: Sequence[int]) -> dict[int, int]:
        taken = {self.numbers[place]: self.kinds[place] for place in places if self.numbers[place] >= 0}
        for place in places:
            self.numbers[place], self.kinds[place] = -1, EMPTY
        return taken


def _ends_auction(log: Sequence[Entry], number: int, *, auction_runs: bool) -> bool:
    """Returns True if this offer or pass ended its auction."""
    return not auction_runs if number + 1 == len(log) else log[number + 1][1][0] not in AUCTION_VERBS


def _winner(log: Sequence[Entry], number: int) -> int:
    """Returns the seat with the highest offer of the auction that ended with that entry, NATURE if there was none."""
    entries = log[auction_start(log[: number + 1]) : number + 1]
    return max(((a[1], seat) for seat, a in entries if a[0] == "offer"), default=(0, NATURE))[1]


def turned_by(log: Sequence[Entry]) -> int:
    """Returns the seat that turned up the last card, NATURE if the log does not end with a card."""
    if len(log) > 1 and log[-1][1][0] == "card":
        return log[-2][0]
    return NATURE
