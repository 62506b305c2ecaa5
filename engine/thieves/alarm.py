"""Złodzieje!: the alarm, and its house rules."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import HIDDEN, Answer, Beat, Question, Refused
from engine.thieves.box import NAMES, ONE_CAR, POLICE, TWO_CARS
from engine.thieves.raid import raid_or
from engine.thieves.table import FROM_HAND, Landmark, Table, check_unseen, left_of, record, take

NONE: Answer = ("none",)


@dataclass(slots=True)
class Alarm(Beat[Table]):
    """Every player, the one at turn too, lays all police car cards from hand; then one check, one raid.

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
        """Where a hand is not seen, police car cards that this table does not see elsewhere."""
        expected = self.outcome(t)
        if seat != self.seat or a[0] != expected[0] or len(a) != len(expected):
            Beat.check(self, t, seat, a)
            raise Refused("not_an_answer", verb=a[0])
        need: list[int] = []
        for hand, laid, known in zip(t.hands, a[1:], expected[1:], strict=True):
            if laid != known:
                if HIDDEN not in hand or known or len(laid) > len(hand) or not set(laid) <= set(POLICE):
                    raise Refused("thieves.alarm.other_cards")
                need += laid
        check_unseen(t, need)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        for laid_by, laid in enumerate(a[1:]):
            for kind in laid:
                lay_police(t, laid_by, kind)
        keeps = self.by if t.house.alarm == "others" else -1
        dry = tuple([asked for asked in range(t.seats) if asked != keeps])
        t.landmarks.append(Landmark(dry, (), t.apart_by, (), (), len(t.drawn)))
        return raid_or(t, self.then)


def lay_police(t: Table, seat: int, kind: int) -> None:
    take(t, t.hands[seat], kind)
    t.police.append(kind)
    record(t, kind, seat, FROM_HAND, len(t.landmarks))


def ask_one(t: Table, seat: int, by: int, then: Question[Table]) -> Question[Table]:
    """`seat`, or the next before `by` who has a hand; after the last of them one check."""
    while not t.hands[seat]:
        seat = left_of(t, seat)
        if seat == by:
            return raid_or(t, then)
    return LayOne(seat, by, then)


@dataclass(slots=True)
class LayOne(Question[Table]):
    """The alarm by house rule: from the player at turn clockwise, everyone who holds a police car card lays one.

    Whether somebody holds one only they can see, so everybody with a hand is asked.
    """

    seat: int
    by: int
    then: Question[Table]
    key = "thieves.one_each"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        hand = t.hands[seat]
        return [("police", kind) for kind in POLICE if kind in hand] or [NONE]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        hand = t.hands[self.seat]
        if seat == self.seat and HIDDEN in hand:
            police = [("police", kind) for kind in POLICE if kind in t.left]
            if a == NONE or a in police:
                return
        Question.check(self, t, seat, a)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        if a == NONE:
            return Refused("thieves.one_each.must_lay")
        if a[0] != "police":
            return Refused("not_an_answer", verb=a[0])
        return Refused("thieves.play.not_held", card=NAMES.get(a[1], "?"))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == NONE:
            t.landmarks.append(Landmark((seat,), (), t.apart_by, (), (), len(t.drawn)))
        else:
            lay_police(t, seat, a[1])
        following = left_of(t, seat)
        return raid_or(t, self.then) if following == self.by else ask_one(t, following, self.by, self.then)
