"""Thieves!: the alarm and its house rules. `then` is the question that follows."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import HIDDEN, Answer, Beat, Question, Refused, not_an_answer, not_asked
from engine.thieves.box import NAMES, ONE_CAR, POLICE, TWO_CARS
from engine.thieves.raid import raid_or
from engine.thieves.table import FROM_HAND, Landmark, Table, check_unseen, left_of, record, take
from engine.values import CardOf

NONE: Answer = ("none",)


@dataclass(slots=True)
class Alarm(Beat[Table]):
    """Every player, also the one at turn, lays all police car cards of the hand. There is one raid at most.

    House rule: the player at turn keeps theirs.
    """

    by: int
    then: Question[Table]
    key = "thieves.alarm"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        keeps = self.by if t.house.alarm == "others" else -1
        police = [
            () if seat == keeps else (ONE_CAR,) * hand.count(ONE_CAR) + (TWO_CARS,) * hand.count(TWO_CARS)
            for seat, hand in enumerate(t.hands)
        ]
        return ("police_laid", *police)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        """A hidden hand may lay any police car cards that this table does not see elsewhere."""
        if seat != self.seat:
            raise not_asked(seat)
        expected = self.outcome(t)
        if a[0] != expected[0] or len(a) != len(expected):
            raise not_an_answer(a)
        unknown: list[int] = []
        for hand, laid, known in zip(t.hands, a[1:], expected[1:], strict=True):
            if laid != known:
                if HIDDEN not in hand or known or len(laid) > len(hand) or not set(laid) <= set(POLICE):
                    raise Refused("thieves.alarm.other_cards")
                unknown += laid
        check_unseen(t, unknown)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        for laid_by, laid in enumerate(a[1:]):
            for kind in laid:
                lay_police(t, laid_by, kind)
        keeps = self.by if t.house.alarm == "others" else -1
        dry = tuple([asked for asked in range(t.seats) if asked != keeps])
        remember_dry(t, dry)
        return raid_or(t, self.then)


def lay_police(t: Table, seat: int, kind: int) -> None:
    """Lays a police car card from a hand on the table."""
    take(t, t.hands[seat], kind)
    t.police.append(kind)
    record(t, kind, seat, FROM_HAND, len(t.memory.landmarks))


def remember_dry(t: Table, seats: tuple[int, ...]) -> None:
    """Makes a landmark: the hands of these seats hold no police car card."""
    t.memory.landmarks.append(Landmark(seats, (), t.apart_by, (), (), len(t.memory.drawn)))


def ask_one(t: Table, seat: int, by: int, then: Question[Table]) -> Question[Table]:
    """Returns the question to `seat`, or to the next before `by` that has a hand; after the last, a raid or `then`."""
    while not t.hands[seat]:
        seat = left_of(t, seat)
        if seat == by:
            return raid_or(t, then)
    return LayOne(seat, by, then)


@dataclass(slots=True)
class LayOne(Question[Table]):
    """House rule: from the player at turn clockwise, everyone who holds a police car card lays one of them.

    Only the player can see if there is one, so every player with a hand is asked.
    """

    seat: int
    by: int
    then: Question[Table]
    key = "thieves.one_each"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        hand = t.hands[seat]
        return [("police", kind) for kind in POLICE if kind in hand] or [NONE]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat):
            return
        if HIDDEN in t.hands[seat] and (a == NONE or a in [("police", kind) for kind in POLICE if kind in t.left]):
            return
        if a == NONE:
            raise Refused("thieves.one_each.must_lay")
        if a[0] != "police":
            raise not_an_answer(a)
        raise Refused("thieves.play.not_held", card=CardOf(NAMES.get(a[1], "?")))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == NONE:
            remember_dry(t, (seat,))
        else:
            lay_police(t, seat, a[1])
        following = left_of(t, seat)
        return raid_or(t, self.then) if following == self.by else ask_one(t, following, self.by, self.then)
