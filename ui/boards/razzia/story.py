"""What the log tells beyond the table: how the running auction stands, and which card is which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.core import NATURE, Entry, clockwise
from engine.razzia.box import EMPTY, POLICE, SLOTS
from engine.razzia.rules import Auction, Table

SPEAKING = ("offer", "pass")


class Calls(NamedTuple):
    """An auction as it stands: what each seat said, who passed by itself, who is still to be asked."""

    offers: dict[int, int]
    passed: frozenset[int]
    silent: frozenset[int]  # passed, or will pass, by itself: no cheque above the best
    out: frozenset[int]  # has no open cheque at all
    waiting: tuple[int, ...]  # still to be asked, in order, the asked one not among them


class Lying(NamedTuple):
    """The cards of the row by the number of the entry that turned them up, and what was last taken from it."""

    row: list[int]  # by slot, -1 where none lies
    taker: int  # who took cards with the last entry, -1 if nobody did
    taken: dict[int, int]  # entry number -> kind
    police: list[int]  # the entries of this round's police cards


def auction_start(log: Sequence[Entry]) -> int:
    """How many entries the log had when the auction that is running, or just over, began."""
    start = len(log)
    while start and log[start - 1][1][0] in SPEAKING:
        start -= 1
    return start


def calls(question: Auction, t: Table, log: Sequence[Entry]) -> Calls:
    """Everybody's part in the auction."""
    spoken = log[auction_start(log) :]
    offers = {seat: a[1] for seat, a in spoken if a[0] == "offer"}
    passed = frozenset(seat for seat, a in spoken if a[0] == "pass")
    order = list(clockwise(question.caller, t.seats))
    after = order[order.index(question.seat) + 1 :]
    out = frozenset(seat for seat in order if not t.open[seat])
    able = [seat for seat in after if t.open[seat] and t.open[seat][-1] > question.best]
    silent = frozenset(order) - out - passed - offers.keys() - {question.seat, *able}
    return Calls(offers, passed, silent, out, tuple(able))


def nobody_left(question: Auction, t: Table) -> bool:
    """Was a pass in this auction, as long as nobody had offered, the last word in it?"""
    order = list(clockwise(question.caller, t.seats))
    return not any(t.open[seat] for seat in order[order.index(question.seat) + 1 :])


def lying(log: Sequence[Entry], *, running: bool) -> Lying:
    """Follow every card of this round from the deck. `running`: the last offers have not won anything yet."""
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
        elif a[0] in SPEAKING and _last_word(log, number, running=running):
            taker = _winner(log, number)
            if taker != NATURE or row.full:
                taken = row.take(range(SLOTS))
    return Lying(row.numbers, taker, taken if taker != NATURE else {}, police)


class _Row:
    """The seven places: the entry that turned each card up, and its kind."""

    def __init__(self) -> None:
        self.numbers, self.kinds = [-1] * SLOTS, [EMPTY] * SLOTS

    @property
    def full(self) -> bool:
        return -1 not in self.numbers

    def put(self, number: int, kind: int) -> None:
        place = self.numbers.index(-1)
        self.numbers[place], self.kinds[place] = number, kind

    def take(self, places: Sequence[int]) -> dict[int, int]:
        found = {self.numbers[place]: self.kinds[place] for place in places if self.numbers[place] >= 0}
        for place in places:
            self.numbers[place], self.kinds[place] = -1, EMPTY
        return found


def _last_word(log: Sequence[Entry], number: int, *, running: bool) -> bool:
    """Did this offer or pass end its auction?"""
    return not running if number + 1 == len(log) else log[number + 1][1][0] not in SPEAKING


def _winner(log: Sequence[Entry], number: int) -> int:
    """Who made the highest offer of the auction that ended with that entry, NATURE if nobody did."""
    spoken = log[auction_start(log[: number + 1]) : number + 1]
    return max(((a[1], seat) for seat, a in spoken if a[0] == "offer"), default=(0, NATURE))[1]


def turned_by(log: Sequence[Entry]) -> int:
    """Who turned up the last card, NATURE if the log does not end with one."""
    if len(log) > 1 and log[-1][1][0] == "card":
        return log[-2][0]
    return NATURE
