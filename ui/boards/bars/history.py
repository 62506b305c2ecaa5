"""Tonight's splits, followed through the log: the proposals, the replies, and the dice of the duels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.bars.box import BAR, NUMBER
from engine.bars.settle import seats_by_bar
from engine.bars.table import ACCEPTED, CHALLENGED, Notes, Table, claimants, ranked
from engine.core import HIDDEN, Entry, clockwise

#: a reply to a proposal that was given, but may not be seen yet
SEALED = HIDDEN
REPLY_OF_VERB = {"accept": ACCEPTED, "challenge": CHALLENGED, "sealed": SEALED}


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
class SplitState:
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

    def still_in(self, t: Table) -> list[int]:
        """Returns the duelists that have not lost yet, the highest card first."""
        lost = {throw.low if throw.winner(t) == throw.high else throw.high for throw in self.throws}
        return [seat for seat in self.duelists(t) if seat not in lost]


def tonights_splits(t: Table, log: Sequence[Entry]) -> dict[int, SplitState]:
    """Returns tonight's splits by bar, in order. There are none before the cards are shown, or after they are gone."""
    splits: dict[int, SplitState] = {}
    if not any(t.shown):
        return splits
    split_state: SplitState | None = None
    for number in range(_reveal_entry(log), len(log)):
        seat, a = log[number]
        if a[0] == "propose":
            split_state = splits[BAR[t.shown[seat]]] = new_split(t, seat, a[1:])
        elif split_state is None:
            continue
        elif a[0] in REPLY_OF_VERB:
            split_state.replies[seat] = REPLY_OF_VERB[a[0]]
        elif a[0] == "replies":
            split_state.replies = dict(zip(split_state.others, a[1:], strict=True))
        elif a[0] == "dice":
            split_state.throws.append(new_throw(t, split_state, (a[1], a[2]), number))
    return splits


def _reveal_entry(log: Sequence[Entry]) -> int:
    """Returns the number of the entry that showed tonight's cards."""
    return next(number for number in range(len(log) - 1, -1, -1) if log[number][1][0] == "reveal")


def new_split(t: Table, seat: int, offers: tuple[Notes, ...]) -> SplitState:
    bar = BAR[t.shown[seat]]
    claimant_seats = claimants(t, seats_by_bar(t)[bar])
    others = tuple(other for other in clockwise(seat, t.seats) if other in claimant_seats and other != seat)
    return SplitState(bar, seat, others, offers)


def new_throw(t: Table, split_state: SplitState, dice: tuple[int, int], entry: int) -> Throw:
    """Returns a throw, with the two seats it was for.

    First the highest card meets the lowest; then each winner meets the highest of those that are left.
    """
    high, *others, low = split_state.duelists(t)
    if split_state.throws:
        waiting = others[len(split_state.throws) - 1]
        high, low = ranked(t, [split_state.throws[-1].winner(t), waiting])
    return Throw(high, low, dice, entry)
