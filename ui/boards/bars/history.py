"""Tonight's splits, gathered from the log: the proposals, the replies, and the dice of the duels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.bars.box import NUMBER
from engine.bars.settle import Duel, Propose, Replies, Reply, SecretReply
from engine.bars.table import ACCEPTED, CHALLENGED, Notes, Table
from engine.core import HIDDEN
from engine.session import Answered

#: a reply to a proposal that was given, but may not be seen yet
SEALED = HIDDEN
REPLY_OF_VERB = {"accept": ACCEPTED, "challenge": CHALLENGED, "sealed": SEALED}


class Throw(NamedTuple):
    """One throw of a duel: two seats, two dice. `high` is the seat with the higher card."""

    high: int
    low: int
    waiting: tuple[int, ...]  # the duelists still to come, the highest card first
    dice: tuple[int, int]
    entry: int  # the number of its entry in the log

    def winner(self, t: Table) -> int:
        high, low = NUMBER[t.shown[self.high]] + self.dice[0], NUMBER[t.shown[self.low]] + self.dice[1]
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


def tonights_splits(t: Table, log: Sequence[Answered]) -> dict[int, SplitState]:
    """Returns tonight's splits by bar, in order. There are none before the cards are shown, or after they are gone."""
    splits: dict[int, SplitState] = {}
    if not any(t.shown):
        return splits
    revealed = next(number for number in range(len(log) - 1, -1, -1) if log[number].answer[0] == "reveal")
    for number in range(revealed, len(log)):
        seat, a, asked = log[number]
        match asked:
            case Propose(_, bar, others):
                splits[bar] = SplitState(bar, seat, others, a[1:])
            case Reply() | SecretReply():
                splits[asked.split.bar].replies[seat] = REPLY_OF_VERB[a[0]]
            case Replies(split):
                splits[split.bar].replies = dict(zip(split.others, a[1:], strict=True))
            case Duel(bar, high, low, waiting):
                splits[bar].throws.append(Throw(high, low, waiting, (a[1], a[2]), number))
    return splits
