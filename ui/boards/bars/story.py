"""Tonight's splits, followed through the log: the proposals, the replies, and the dice of the duels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.bars.box import BAR, NUMBER
from engine.bars.settle import visitors
from engine.bars.table import ACCEPTED, CHALLENGED, Notes, Table, claimants, ranked
from engine.core import HIDDEN, Entry, clockwise

#: a reply to a proposal that was given, but may not be seen yet
SEALED = HIDDEN
SAID = {"accept": ACCEPTED, "challenge": CHALLENGED, "sealed": SEALED}


class Throw(NamedTuple):
    """One throw of a duel: two seats, two dice. `high` is the seat with the higher card."""

    high: int
    low: int
    dice: tuple[int, int]
    entry: int  # the number of its entry in the log

    def sums(self, t: Table) -> tuple[int, int]:
        return NUMBER[t.shown[self.high]] + self.dice[0], NUMBER[t.shown[self.low]] + self.dice[1]

    def winner(self, t: Table) -> int:
        high, low = self.sums(t)
        return self.high if high > low else self.low

    def die(self, seat: int) -> int:
        return self.dice[0] if seat == self.high else self.dice[1]


@dataclass(slots=True)
class Told:
    """A split: the proposal, and the replies and throws so far."""

    bar: int
    proposer: int
    others: tuple[int, ...]
    offers: tuple[Notes, ...]
    replies: dict[int, int] = field(default_factory=dict)
    throws: list[Throw] = field(default_factory=list)

    def offer(self, seat: int) -> Notes:
        return self.offers[self.others.index(seat)]

    def duelists(self, t: Table) -> list[int]:
        """Returns the proposer and the seats that challenged, the highest card first."""
        return ranked(t, [self.proposer, *(seat for seat in self.others if self.replies.get(seat) == CHALLENGED)])

    def left(self, t: Table) -> list[int]:
        """Returns the duelists that have not lost yet, the highest card first."""
        lost = {throw.low if throw.winner(t) == throw.high else throw.high for throw in self.throws}
        return [seat for seat in self.duelists(t) if seat not in lost]


def tonight(t: Table, log: Sequence[Entry]) -> dict[int, Told]:
    """Returns tonight's splits by bar, in order. There are none before the cards are shown, or after they are gone."""
    found: dict[int, Told] = {}
    if not any(t.shown):
        return found
    told: Told | None = None
    for number in range(_shown(log), len(log)):
        seat, a = log[number]
        if a[0] == "propose":
            told = found[BAR[t.shown[seat]]] = proposed(t, seat, a[1:])
        elif told is None:
            continue
        elif a[0] in SAID:
            told.replies[seat] = SAID[a[0]]
        elif a[0] == "replies":
            told.replies = dict(zip(told.others, a[1:], strict=True))
        elif a[0] == "dice":
            told.throws.append(thrown(t, told, (a[1], a[2]), number))
    return found


def _shown(log: Sequence[Entry]) -> int:
    """Returns the number of the entry that showed tonight's cards."""
    return next(number for number in range(len(log) - 1, -1, -1) if log[number][1][0] == "reveal")


def proposed(t: Table, seat: int, offers: tuple[Notes, ...]) -> Told:
    bar = BAR[t.shown[seat]]
    there = claimants(t, visitors(t)[bar])
    others = tuple(other for other in clockwise(seat, t.seats) if other in there and other != seat)
    return Told(bar, seat, others, offers)


def thrown(t: Table, told: Told, dice: tuple[int, int], entry: int) -> Throw:
    """Returns a throw, with the two seats it was for.

    First the highest card meets the lowest; then each winner meets the highest of those that are left.
    """
    high, *others, low = told.duelists(t)
    if told.throws:
        waiting = others[len(told.throws) - 1]
        high, low = ranked(t, [told.throws[-1].winner(t), waiting])
    return Throw(high, low, dice, entry)
