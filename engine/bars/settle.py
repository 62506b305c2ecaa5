"""Razzia: what happens in the bars, one after the other. Two or more claimants split the money or fight for it.

`then` is the question that follows when a bar is settled: the next bar, at last the end of the night.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from random import Random
from typing import NamedTuple

from engine.bars.box import BAR, NUMBER, RAID
from engine.bars.offers import candidates
from engine.bars.table import ACCEPTED, CHALLENGED, NONE, Notes, Table, claimants, ranked, win, without
from engine.core import (
    HIDDEN,
    NATURE,
    NOBODY,
    Answer,
    Beat,
    Chance,
    Question,
    Refused,
    clockwise,
    not_an_answer,
    not_asked,
)
from engine.values import Amount

ACCEPT: Answer = ("accept",)
CHALLENGE: Answer = ("challenge",)
SEALED: Answer = ("sealed",)  # a reply that this viewer may not see yet


def seats_by_bar(t: Table) -> list[list[int]]:
    """Returns the seats that went to each bar, by bar."""
    by_bar: list[list[int]] = [[], [], [], [], [], [], []]
    for seat, card in enumerate(t.shown):
        by_bar[BAR[card]].append(seat)
    return by_bar


def settle_bars(t: Table, by_bar: list[list[int]], then: Question[Table]) -> Question[Table]:
    """Returns the question of the first bar with a card in it, which leads to the other bars in order, then to `then`.

    What happens in one bar changes nothing in the others, so all these questions can be made at once.
    """
    for bar in range(t.bars, 0, -1):
        if by_bar[bar]:
            claiming = claimants(t, by_bar[bar]) if t.notes[bar] else []
            if len(claiming) > 1:
                proposer, *others = claiming
                if len(others) > 1:
                    others = [seat for seat in clockwise(proposer, t.seats) if seat in others]
                then = Propose(proposer, bar, tuple(others), then)
            else:
                then = Settle(bar, claiming[0] if claiming else NOBODY, then)
    return then


@dataclass(slots=True)
class Settle(Beat[Table]):
    """A bar without a split: there is no money, or no claimant and the money stays, or the only claimant takes it."""

    bar: int
    taker: int  # the only claimant, or NOBODY
    then: Question[Table]
    key = "bars.settle"

    def outcome(self, t: Table) -> Answer:
        if self.taker != NOBODY:
            return ("take", self.bar, self.taker)
        return ("stay" if t.notes[self.bar] else "empty", self.bar)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if self.taker != NOBODY:
            how = "raid" if RAID[t.shown[self.taker]] else "alone"
            win(t, self.taker, self.bar, how, t.notes[self.bar])
        return self.then


@dataclass(slots=True)
class Propose(Question[Table]):
    """The claimant with the highest card offers notes to each other claimant, clockwise, and keeps the rest.

    An offer may be empty. There can be millions of proposals: `answers` are sensible ones, `check` allows all legal
    ones. Each offer is written from the highest note down.
    """

    seat: int
    bar: int
    others: tuple[int, ...]
    then: Question[Table]
    key = "bars.propose"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return list(candidates(tuple(sorted(t.notes[self.bar], reverse=True)), len(self.others)))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a[0] != "propose":
            raise not_an_answer(a)
        if len(a) - 1 != len(self.others):
            raise Refused("bars.propose.claimants", lists=len(a) - 1, claimants=len(self.others))
        lying = list(t.notes[self.bar])
        for notes in a[1:]:
            if list(notes) != sorted(notes, reverse=True):
                raise Refused("bars.propose.order", notes=notes)
            for value in notes:
                if value not in t.notes[self.bar]:
                    raise Refused("bars.propose.not_there", note=Amount(value), bar=self.bar)
                if value not in lying:
                    count = t.notes[self.bar].count(value)
                    raise Refused("bars.propose.too_many", note=Amount(value), bar=self.bar, count=count)
                lying.remove(value)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        split = Split(self.bar, seat, self.others, a[1:], self.then)
        if t.house.secret_replies and len(self.others) > 1:
            return SecretReply(self.others[0], self.others, split)
        return Reply(self.others[0], 0, split, ())


class Split(NamedTuple):
    """A proposal: the notes that the proposer offers to the other claimants, and the question that follows."""

    bar: int
    proposer: int
    others: tuple[int, ...]
    offers: tuple[Notes, ...]
    then: Question[Table]

    def offer(self, seat: int) -> Notes:
        """Returns the notes offered to `seat`."""
        return self.offers[self.others.index(seat)]


@dataclass(slots=True)
class Reply(Question[Table]):
    """Clockwise from the proposer, each other claimant accepts (and leaves with the offer) or challenges."""

    seat: int
    place: int  # among the others
    split: Split
    challengers: tuple[int, ...]  # of those before this seat
    key = "bars.reply"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [ACCEPT, CHALLENGE]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        split, challengers = self.split, self.challengers
        if a == ACCEPT:
            win(t, seat, split.bar, "share", split.offers[self.place])
        else:
            challengers += (seat,)
        place = self.place + 1
        if place < len(split.others):
            return Reply(split.others[place], place, split, challengers)
        return conclude(t, split, challengers)


@dataclass(slots=True)
class SecretReply(Question[Table]):
    """House rule: three or more claimants reply at the same time, and see no reply before all are given."""

    seat: int
    waiting: tuple[int, ...]
    split: Split
    key = "bars.secret_reply"

    def seats(self) -> tuple[int, ...]:
        return self.waiting

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [ACCEPT, CHALLENGE]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        # Only a table that does not see this seat's hand may hide its reply.
        if not (a == SEALED and seat in self.waiting and HIDDEN in t.hands[seat]):
            Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.said[seat] = ACCEPTED if a == ACCEPT else CHALLENGED if a == CHALLENGE else HIDDEN
        waiting = without(self.waiting, seat)
        return SecretReply(waiting[0], waiting, self.split) if waiting else Replies(self.split)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat else SEALED


@dataclass(slots=True)
class Replies(Beat[Table]):
    """House rule: the secret replies are shown, in the order of the claimants."""

    split: Split
    key = "bars.replies"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("replies", *[t.said[seat] for seat in self.split.others])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        known = self.outcome(t)
        if seat != NATURE:
            raise not_asked(seat)
        if a[0] != "replies" or len(a) != len(known):
            raise not_an_answer(a)
        for before, reply in zip(known[1:], a[1:], strict=True):
            if reply not in (ACCEPTED, CHALLENGED) or before not in (HIDDEN, reply):
                raise Refused("bars.replies.other")

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        challengers = []
        for other, reply in zip(self.split.others, a[1:], strict=True):
            t.said[other] = NONE
            if reply == ACCEPTED:
                win(t, other, self.split.bar, "share", self.split.offer(other))
            else:
                challengers.append(other)
        return conclude(t, self.split, challengers)


def conclude(t: Table, split: Split, challengers: Sequence[int]) -> Question[Table]:
    """Pays the proposer if all others accepted, else returns the duel for the notes that were not paid out.

    There is no duel if no note is left.
    """
    pot = t.notes[split.bar]
    if not challengers:
        win(t, split.proposer, split.bar, "proposal", pot)
    elif pot:
        high, *others, low = ranked(t, [split.proposer, *challengers])
        return Duel(split.bar, high, low, tuple(others), split.then)
    return split.then


@dataclass(slots=True)
class Duel(Chance[Table]):
    """Each of two players adds a die to the number of the card. The higher sum wins; at equal sums the lower card.

    The highest card meets the lowest first, then the winner meets the highest of the rest, and so on. The answer names
    the die of `high`, who has the higher card, and then the die of `low`.
    """

    bar: int
    high: int
    low: int
    others: tuple[int, ...]  # the duelists still to come, the highest card first
    then: Question[Table]
    key = "bars.duel"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("dice", high, low) for high in range(1, 7) for low in range(1, 7)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        high, low = divmod(floor(rnd.random() * 36), 6)
        return ("dice", high + 1, low + 1)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        high, low = NUMBER[t.shown[self.high]] + a[1], NUMBER[t.shown[self.low]] + a[2]
        winner = self.high if high > low else self.low
        if self.others:
            first, *others = self.others
            one, two = ranked(t, [winner, first])
            return Duel(self.bar, one, two, tuple(others), self.then)
        win(t, winner, self.bar, "duel", t.notes[self.bar])
        return self.then
