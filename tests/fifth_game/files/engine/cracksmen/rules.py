"""Cracksmen: the table and its questions, in the order of a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import floor
from random import Random

from engine import core
from engine.core import (
    HIDDEN,
    NATURE,
    Answer,
    Beat,
    Chance,
    LedgerLine,
    Over,
    Question,
    Refused,
    not_an_answer,
    not_asked,
)
from engine.cracksmen.box import HAND, NAMES, POINTS, TOOLS
from engine.options import Options
from engine.values import SeatOf

NONE = -1  # no tool is chosen yet
UNSEEN_HAND: Answer = ("hand",) + (HIDDEN,) * HAND


@dataclass(slots=True)
class Table(core.Table):
    """The table of a game. A view has holes: the tools that its viewer may not see."""

    seats: int
    safe: int = 0  # the safe of this night; 0 before the first
    safes: list[int] = field(default_factory=list)  # the kinds of the safes that were not turned up yet
    left: list[int] = field(default_factory=list)  # the tools in the box (and in hidden hands), ascending
    chosen: list[int] = field(default_factory=list)  # by seat, face down: a tool, HIDDEN or NONE
    used: list[int] = field(default_factory=list)  # by seat, the tool of the last night; empty before
    points: list[int] = field(default_factory=list)
    opened: list[LedgerLine] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)


def new(seats: int, options: Options) -> tuple[Table, Question[Table]]:
    """Returns the table before the deal, and the deal to the first seat."""
    safes = [kind for kind, name in NAMES.items() for _ in range(options["deck"][name])]
    table = Table(seats, safes=safes, left=list(TOOLS), chosen=[NONE] * seats, points=[0] * seats)
    table.hands = [[] for _ in range(seats)]
    return table, Deal(0)


@dataclass(slots=True)
class Deal(Chance[Table]):
    """A seat gets its tools, which only its player sees."""

    to: int
    key = "cracksmen.hand"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("hand", *tools) for tools in combinations(t.left, HAND)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("hand", *sorted(rnd.sample(t.left, HAND)))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != NATURE or a != UNSEEN_HAND:
            Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.hands[self.to] = list(a[1:])
        t.left = [tool for tool in t.left if tool not in a]
        return Deal(self.to + 1) if self.to + 1 < t.seats else TurnUp()

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else UNSEEN_HAND


@dataclass(slots=True)
class TurnUp(Chance[Table]):
    """A night begins: the next safe is turned up."""

    key = "cracksmen.safe"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("safe", kind) for kind in sorted(set(t.safes))]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("safe", t.safes[floor(rnd.random() * len(t.safes))])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.safe = a[1]
        t.safes.remove(t.safe)
        return Use(0, tuple(range(t.seats)))


@dataclass(slots=True)
class Use(Question[Table]):
    """All players choose a tool, secretly and at the same time."""

    seat: int
    waiting: tuple[int, ...]
    key = "cracksmen.use"

    def seats(self) -> tuple[int, ...]:
        return self.waiting

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("use", tool) for tool in t.hands[seat]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat not in self.waiting:
            raise not_asked(seat)
        if a not in self.answers(t, seat):
            raise Refused("cracksmen.use.not_yours") if a[0] == "use" else not_an_answer(a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.chosen[seat] = a[1]
        waiting = tuple(other for other in self.waiting if other != seat)
        return Use(waiting[0], waiting) if waiting else Reveal()

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat else ("use", HIDDEN)


@dataclass(slots=True)
class Reveal(Beat[Table]):
    """All chosen tools are shown together. The highest opens the safe."""

    key = "cracksmen.reveal"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("reveal", *t.chosen)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != NATURE:
            raise not_asked(seat)
        tools = a[1:]
        if a[0] != "reveal" or len(set(tools)) < t.seats or len(tools) > t.seats:
            raise not_an_answer(a)
        for other, (tool, chosen) in enumerate(zip(tools, t.chosen, strict=True)):
            if chosen not in (HIDDEN, tool) or tool not in (t.left if HIDDEN in t.hands[other] else t.hands[other]):
                raise Refused("cracksmen.reveal.other", seat=SeatOf(other))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.used, t.chosen = list(a[1:]), [NONE] * t.seats
        for hand, tool in zip(t.hands, t.used, strict=True):
            hand.remove(tool if tool in hand else HIDDEN)
        t.left = [tool for tool in t.left if tool not in t.used]
        winner = t.used.index(max(t.used))
        t.points[winner] += POINTS[t.safe]
        t.opened.append(LedgerLine(len(t.opened) + 1, winner, NAMES[t.safe], (t.safe,), POINTS[t.safe]))
        return TurnUp() if t.hands[0] else Over()


def winners(t: Table) -> list[int]:
    """Returns the seats with the most points. A tie is shared."""
    return [seat for seat in range(t.seats) if t.points[seat] == max(t.points)]
