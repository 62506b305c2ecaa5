"""Razzia: the bars are settled one by one; where two or more claim the money, they split it or fight for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from random import Random
from typing import NamedTuple

from engine.bars.box import BAR, NUMBER, RAID
from engine.bars.offers import candidates
from engine.bars.table import ACCEPTED, CHALLENGED, NONE, Notes, Table, claimants, ranked, win
from engine.core import HIDDEN, NATURE, NOBODY, Answer, Beat, Chance, Question, Refused, Together, clockwise

ACCEPT: Answer = ("accept",)
CHALLENGE: Answer = ("challenge",)
SEALED: Answer = ("sealed",)  # a reply this viewer may not see yet
DICE: tuple[Answer, ...] = tuple(("dice", one, two) for one in range(1, 7) for two in range(1, 7))


def visitors(t: Table) -> list[list[int]]:
    """By bar, the seats that went there."""
    there: list[list[int]] = [[], [], [], [], [], [], []]
    for seat, card in enumerate(t.shown):
        there[BAR[card]].append(seat)
    return there


def settle(t: Table, there: list[list[int]], then: Question[Table], first: int = 1) -> Question[Table]:
    """From the first bar on, each with a card in it, in order; `then` the night is over.

    What happens in one bar changes nothing in the others, so all that is to be asked is known at once.
    """
    for bar in range(t.bars, first - 1, -1):
        if there[bar]:
            found = claimants(t, there[bar]) if t.notes[bar] else []
            if len(found) > 1:
                proposer, *others = found
                if len(others) > 1:
                    others = [seat for seat in clockwise(proposer, t.seats) if seat in others]
                then = Propose(proposer, bar, tuple(others), then)
            else:
                then = Settle(bar, found[0] if found else NOBODY, then)
    return then


def settle_at_once(t: Table, there: list[list[int]], then: Question[Table]) -> Question[Table]:
    """The same for the fast path: bars nobody decides about are settled up to the first split."""
    shown, notes = t.shown, t.notes
    for bar, seats in enumerate(there):
        if seats and bar and notes[bar]:
            if len(seats) == 1:
                if not RAID[shown[seats[0]]]:
                    win(t, seats[0], bar, "alone", notes[bar])
                continue
            found = claimants(t, seats)
            if len(found) > 1:
                return settle(t, there, then, bar)
            if found:
                take(t, bar, found[0])
    return then


def take(t: Table, bar: int, taker: int) -> None:
    """The only claimant takes all the notes."""
    win(t, taker, bar, "raid" if RAID[t.shown[taker]] else "alone", t.notes[bar])


@dataclass(slots=True)
class Settle(Beat[Table]):
    """A bar without a split: no money, nothing happens; no claimant, the money stays; one claimant takes it."""

    bar: int
    taker: int
    then: Question[Table]
    key = "bars.settle"

    def outcome(self, t: Table) -> Answer:
        if self.taker != NOBODY:
            return ("take", self.bar, self.taker)
        return ("stay" if t.notes[self.bar] else "empty", self.bar)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if self.taker != NOBODY:
            take(t, self.bar, self.taker)
        return self.then

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        """With all that follows without a decision."""
        question: Question[Table] = self
        while isinstance(question, Settle):
            if question.taker != NOBODY:
                take(t, question.bar, question.taker)
            question = question.then
        return question


@dataclass(slots=True)
class Propose(Question[Table]):
    """Name for each other claimant, clockwise, the notes it gets, possibly none; what is not named is your own.

    There can be millions of proposals: `answers` are sensible candidates, `check` is the law.
    Each list of notes is written from the highest value down.
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
            raise Refused("not_asked", seat=seat)
        if a[0] != "propose":
            raise self.refusal(t, seat, a)
        if len(a) - 1 != len(self.others):
            raise Refused("bars.propose.claimants", lists=len(a) - 1, claimants=len(self.others))
        lying = list(t.notes[self.bar])
        for notes in a[1:]:
            if list(notes) != sorted(notes, reverse=True):
                raise Refused("bars.propose.order", notes=notes)
            for value in notes:
                if value not in t.notes[self.bar]:
                    raise Refused("bars.propose.not_there", note=value, bar=self.bar)
                if value not in lying:
                    count = t.notes[self.bar].count(value)
                    raise Refused("bars.propose.too_many", note=value, bar=self.bar, count=count)
                lying.remove(value)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        split = Split(self.bar, seat, self.others, a[1:], self.then)
        if t.house.secret_replies and len(self.others) > 1:
            return SecretReply(self.others[0], self.others, split)
        return Reply(self.others[0], 0, split, ())


class Split(NamedTuple):
    """A proposal on the table: who offers which notes to whom, and what comes after."""

    bar: int
    proposer: int
    others: tuple[int, ...]
    offers: tuple[Notes, ...]
    then: Question[Table]

    def offer(self, seat: int) -> Notes:
        return self.offers[self.others.index(seat)]


@dataclass(slots=True)
class Reply(Question[Table]):
    """Clockwise from the proposer, each other claimant accepts (is paid and leaves) or challenges."""

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
class SecretReply(Together[Table]):
    """House rule: three or more claimants reply all at once, and nobody sees a reply before all are in."""

    seat: int
    waiting: tuple[int, ...]
    split: Split
    key = "bars.secret_reply"

    def seats(self) -> tuple[int, ...]:
        return self.waiting

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [ACCEPT, CHALLENGE]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        # Only a table that may not see this seat's hand may not see its reply either.
        if not (a == SEALED and seat in self.waiting and HIDDEN in t.hands[seat]):
            Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.said[seat] = ACCEPTED if a == ACCEPT else CHALLENGED if a == CHALLENGE else HIDDEN
        waiting = tuple([other for other in self.waiting if other != seat])
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
            raise Refused("not_asked", seat=seat)
        if a[0] != "replies" or len(a) != len(known):
            raise self.refusal(t, seat, a)
        for was, said in zip(known[1:], a[1:], strict=True):
            if said not in (ACCEPTED, CHALLENGED) or was not in (HIDDEN, said):
                raise Refused("bars.replies.other")

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        challengers = []
        for other, said in zip(self.split.others, a[1:], strict=True):
            t.said[other] = NONE
            if said == ACCEPTED:
                win(t, other, self.split.bar, "share", self.split.offer(other))
            else:
                challengers.append(other)
        return conclude(t, self.split, challengers)


def conclude(t: Table, split: Split, challengers: Sequence[int]) -> Question[Table]:
    """Everyone accepted: the proposer keeps the rest. Else the duel for every note not paid out.

    If no note is left there is nothing to fight for, and no duel.
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
    """Card and one die each: the higher sum wins, at equal sums the lower card.

    The highest card meets the lowest first, the winner then the highest of those left, and so on.
    The dice are named in the order `high`, `low`; of these `high` has the higher card.
    """

    bar: int
    high: int
    low: int
    others: tuple[int, ...]  # who still waits, the highest card first
    then: Question[Table]
    key = "bars.duel"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return list(DICE)

    def sample(self, t: Table, rnd: Random) -> Answer:
        return DICE[floor(rnd.random() * len(DICE))]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        high, low = NUMBER[t.shown[self.high]] + a[1], NUMBER[t.shown[self.low]] + a[2]
        winner = self.high if high > low else self.low
        if self.others:
            first, *others = self.others
            one, two = ranked(t, [winner, first])
            return Duel(self.bar, one, two, tuple(others), self.then)
        win(t, winner, self.bar, "duel", t.notes[self.bar])
        return self.then
