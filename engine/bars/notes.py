"""Razzia: the notes of a night, one for each bar, and one more that the dealer places.

`then` is the question that follows: usually the choice of cards. By house rule the extra note is shown after the cards,
and then the end of the night follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from random import Random

from engine.bars import box
from engine.bars.settle import seats_by_bar, settle_bars
from engine.bars.table import NONE, Table, take_note
from engine.core import HIDDEN, NATURE, Answer, Beat, Chance, Question, Refused, not_an_answer, not_asked


@dataclass(slots=True)
class TurnUp(Chance[Table]):
    """The dealer turns up one note for each bar, in order.

    When the stock is too small for all bars and the dealer, its notes go to the bars in order, and the dealer places
    none: a short night.
    """

    bar: int
    then: Question[Table]
    key = "bars.note"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("note", self.bar, value) for value in dict.fromkeys(t.stock)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("note", self.bar, t.stock[floor(rnd.random() * len(t.stock))])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        take_note(t, a[2])
        t.notes[self.bar] += (a[2],)
        if not t.stock:
            return self.then
        return TurnUp(self.bar + 1, self.then) if self.bar < t.bars else Look(t.dealer, self.then)


@dataclass(slots=True)
class Look(Chance[Table]):
    """The dealer alone looks at one more note."""

    dealer: int
    then: Question[Table]
    key = "bars.look"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("look", value) for value in dict.fromkeys(t.stock)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("look", t.stock[floor(rnd.random() * len(t.stock))])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        # Only a table that does not see the dealer's hand may hide this note.
        if not (a == ("look", HIDDEN) and seat == NATURE and HIDDEN in t.hands[self.dealer]):
            Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.extra = a[1]
        if a[1]:
            take_note(t, a[1])
        return Place(self.dealer, self.then)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.dealer else ("look", HIDDEN)


@dataclass(slots=True)
class Place(Question[Table]):
    """The dealer puts the extra note on any bar."""

    seat: int
    then: Question[Table]
    key = "bars.place"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("place", bar) for bar in box.ALL_BARS[: t.bars]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a not in self.answers(t, seat):
            raise Refused("bars.place.closed", bar=a[1], bars=t.bars) if a[0] == "place" else not_an_answer(a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.extra_bar = a[1]
        return self.then if t.house.extra_face_down else Show(self.then)


@dataclass(slots=True)
class Show(Beat[Table]):
    """The extra note is turned up once it is placed; by house rule only after the chosen cards are shown."""

    then: Question[Table]
    key = "bars.show"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("show", t.extra_bar, t.extra)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        unseen = t.extra == HIDDEN and seat == NATURE and a[:2] == ("show", t.extra_bar)
        if not (unseen and len(a) == 3 and a[2] in t.stock):
            Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        _, bar, value = a
        if t.extra == HIDDEN:
            take_note(t, value)
        t.notes[bar] += (value,)
        t.extra, t.extra_bar = NONE, 0
        return settle_bars(t, seats_by_bar(t), self.then) if t.house.extra_face_down else self.then
