"""Facts that are in the log but not on the table: the state of the running auction, and which card is which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engine.core import NATURE, Question, clockwise
from engine.razzia.box import POLICE, SLOTS
from engine.razzia.rules import Auction, Clear, Table
from engine.session import Answered


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


def auction_start(log: Sequence[Answered]) -> int:
    """Returns the length of the log at the beginning of the auction that is running, or has just ended."""
    start = len(log)
    while start and isinstance(log[start - 1].question, Auction):
        start -= 1
    return start


def auction_state(question: Auction, t: Table, log: Sequence[Answered]) -> AuctionState:
    """Returns the state of the running auction."""
    entries = log[auction_start(log) :]
    offers = {entry.seat: entry.answer[1] for entry in entries if entry.answer[0] == "offer"}
    passed = frozenset(entry.seat for entry in entries if entry.answer[0] == "pass")
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


def best_bidder(entry: Answered) -> int:
    """Returns the seat with the best offer after an offer or a pass, NATURE if there is none."""
    asked = entry.question
    return asked.best_bidder if isinstance(asked, Auction) and entry.answer[0] == "pass" else entry.seat


def follow_cards(log: Sequence[Answered], question: Question[Any]) -> RowHistory:
    """Follows every card of this round from the deck. `question` is the one that follows the last entry."""
    cleared = (number for number in range(len(log) - 1, -1, -1) if isinstance(log[number].question, Clear))
    start = next(cleared, -1) + 1
    row, police, taker, taken = [-1] * SLOTS, list[int](), NATURE, list[int]()
    for number in range(start, len(log)):
        taker, taken = NATURE, []
        match log[number].answer:
            case ("card", kind) if kind == POLICE:
                police.append(number)
            case ("card", _):
                row[row.index(-1)] = number
            case ("thieves", *slots):
                taker, taken = log[number].seat, take_cards(row, slots)
            case ("offer" | "pass", *_):
                following = log[number + 1].question if number + 1 < len(log) else question
                if not isinstance(following, Auction):
                    taker = best_bidder(log[number])
                    taken = take_cards(row, range(SLOTS)) if taker != NATURE or -1 not in row else []
    kinds = {number: log[number].answer[1] for number in taken} if taker != NATURE else {}
    return RowHistory(row, taker, kinds, police)


def take_cards(row: list[int], slots: Iterable[int]) -> list[int]:
    """Empties these slots of a row. Returns the numbers of the entries that turned up their cards."""
    taken = [row[slot] for slot in slots if row[slot] >= 0]
    for slot in slots:
        row[slot] = -1
    return taken
