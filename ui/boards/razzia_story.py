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
    """Follow every card from the deck. `running`: an auction is going on, so its offers have not won anything yet."""
    row, kinds, police = [-1] * SLOTS, [EMPTY] * SLOTS, list[int]()
    offers: list[Entry] = []
    taker, taken = -1, dict[int, int]()

    def take(slots: Sequence[int]) -> dict[int, int]:
        found = {row[slot]: kinds[slot] for slot in slots if row[slot] >= 0}
        for slot in slots:
            row[slot], kinds[slot] = -1, EMPTY
        return found

    last = len(log) - 1
    for number, (seat, a) in enumerate(log):
        taker, taken = -1, {}
        match a:
            case ("card", kind) if kind == POLICE:
                police.append(number)
            case ("card", kind):
                slot = row.index(-1)
                row[slot], kinds[slot] = number, kind
            case ("thieves", *slots):
                taker, taken = seat, take(slots)
            case ("offer" | "pass", *_):
                offers.append((seat, a))
                over = not running if number == last else log[number + 1][1][0] not in SPEAKING
                if over:
                    best = max(offers, key=lambda entry: entry[1][1] if entry[1][0] == "offer" else 0)
                    if best[1][0] == "offer":
                        taker, taken = best[0], take(range(SLOTS))
                    elif -1 not in row:
                        take(range(SLOTS))
                    offers = []
            case ("clear",):
                take(range(SLOTS))
                police = []
    return Lying(row, taker, taken, police)


def turned_by(log: Sequence[Entry]) -> int:
    """Who turned up the last card, NATURE if the log does not end with one."""
    if len(log) > 1 and log[-1][1][0] == "card":
        return log[-2][0]
    return NATURE
