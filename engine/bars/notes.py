"""Razzia: the notes of a night, one for each bar, and the dealer's choice."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from random import Random

from engine.bars import box, rules  # `rules` is the circle: after the notes the cards are picked
from engine.bars.settle import settle, visitors
from engine.bars.table import NONE, Table, take_note
from engine.core import HIDDEN, NATURE, Answer, Beat, Chance, Question, Refused

PLACES: list[Answer] = [("place", bar) for bar in box.ALL_BARS]


@dataclass(slots=True)
class TurnUp(Chance[Table]):
    """The dealer turns up one note for each bar, in order.

    When fewer notes are left than bars + 1 they go one each to the bars in order, without dealer's choice.
    """

    bar: int
    key = "bars.note"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("note", self.bar, value) for value in dict.fromkeys(t.stock)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("note", self.bar, t.stock[floor(rnd.random() * len(t.stock))])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        take_note(t, a[2])
        t.notes[self.bar] += (a[2],)
        return turned_up(t, self.bar)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        """The notes for this bar and for all that follow, and the dealer's."""
        stock, notes, random = t.stock, t.notes, rnd.random
        left = len(stock)
        for bar in range(self.bar, t.bars + 1):
            notes[bar] += (stock.pop(floor(random() * left)),)
            left -= 1
            if not left:
                return rules.pick(t)
        t.extra = stock.pop(floor(random() * left))
        return PLACE[t.dealer]


def turned_up(t: Table, bar: int) -> Question[Table]:
    """If no note is left for the next bar, or for the dealer's choice, it is a short night."""
    if not t.stock:
        return rules.pick(t)
    return TURN_UPS[bar + 1] if bar < t.bars else LOOK[t.dealer]


TURN_UPS = tuple(TurnUp(bar) for bar in range(1 + max(box.ALL_BARS)))


@dataclass(slots=True)
class Look(Chance[Table]):
    """The dealer alone looks at one more note."""

    dealer: int
    key = "bars.look"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("look", value) for value in dict.fromkeys(t.stock)]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("look", t.stock[floor(rnd.random() * len(t.stock))])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        # Only a table that may not see the dealer's hand may not see this note.
        if not (a == ("look", HIDDEN) and seat == NATURE and HIDDEN in t.hands[self.dealer]):
            Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.extra = a[1]
        if a[1]:
            take_note(t, a[1])
        return PLACE[self.dealer]

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        t.extra = t.stock.pop(floor(rnd.random() * len(t.stock)))
        return PLACE[self.dealer]

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.dealer else ("look", HIDDEN)


@dataclass(slots=True)
class Place(Question[Table]):
    """The dealer puts the extra note on any bar."""

    seat: int
    key = "bars.place"
    strays = True

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return PLACES[: t.bars]

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        if a[0] == "place":
            return Refused("bars.place.closed", bar=a[1], bars=t.bars)
        return Refused("not_an_answer", verb=a[0])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.extra_bar = a[1]
        return rules.pick(t) if t.house.extra_face_down else SHOW

    def stray(self, t: Table, rnd: Random) -> Question[Table]:
        """With the note laid open, unless that waits for the cards."""
        bar = 1 + floor(rnd.random() * t.bars)
        if t.house.extra_face_down:
            t.extra_bar = bar
        else:
            lay_open(t, bar, t.extra)
        return rules.pick(t)


def lay_open(t: Table, bar: int, value: int) -> None:
    """The extra note joins the others on its bar."""
    t.notes[bar] += (value,)
    t.extra, t.extra_bar = NONE, 0


@dataclass(slots=True)
class Show(Beat[Table]):
    """The extra note lies open once placed; by house rule only when the picked cards have been shown."""

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
        lay_open(t, bar, value)
        return settle(t, visitors(t), rules.DISCARD) if t.house.extra_face_down else rules.pick(t)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        return self.answer(t, NATURE, ("show", t.extra_bar, t.extra))


PLACE = tuple(Place(seat) for seat in range(8))
LOOK = tuple(Look(seat) for seat in range(8))
SHOW = Show()
