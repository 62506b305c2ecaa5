"""Złodzieje!: what all questions share in which a card is drawn, or played."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor
from random import Random

from engine import PLAYERS
from engine.core import HIDDEN, NATURE, Answer, Chance, Question, Refused
from engine.thieves.box import (
    ALARM,
    DEALT,
    DOUBLE_LOOT,
    GETAWAY,
    KINDS,
    LOOT,
    NAMES,
    POLICE,
    ROADBLOCK,
    THIEF,
)
from engine.thieves.table import Table, deck

SEATS = PLAYERS["thieves"]

CARD: tuple[Answer, ...] = tuple(("card", kind) for kind in range(len(KINDS) + 1))
UNSEEN = CARD[HIDDEN]
UNSEEN_HAND: Answer = ("hand",) + (HIDDEN,) * DEALT
ACTION = {"alarm": ALARM, "roadblock": ROADBLOCK, "thief": THIEF, "double_loot": DOUBLE_LOOT}  # by verb


def _plays(seats: int, seat: int, kind: int) -> tuple[Answer, ...]:
    """What `seat` may do with a card."""
    if kind in LOOT:
        others = [other for other in range(seats) if other != seat]
        return (("lay", kind), *(("give", kind, other) for other in others))
    if kind in POLICE:
        return (("police", kind),)
    return tuple((verb,) for verb, action in ACTION.items() if action == kind)


# By number of seats, seat and kind.
PLAYS = [
    [[_plays(seats, seat, kind) for kind in range(len(KINDS) + 1)] for seat in range(seats)]
    for seats in range(SEATS[-1] + 1)
]
# What one card adds to another that is held with it: nothing if they are alike.
ADDED = [
    [[[[*other * (one != other)] for other in of_seat] for one in of_seat] for of_seat in at_table]
    for at_table in PLAYS
]
# What may be done with two cards: a full hand is two such pairs.
PAIRS = [
    [[[[*one, *other * (one != other)] for other in of_seat] for one in of_seat] for of_seat in at_table]
    for at_table in PLAYS
]


class Drawn(Chance[Table]):
    """A card off the deck; only who draws it sees it, but a getaway is laid open at once."""

    __slots__ = ()
    to: int

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [CARD[kind] for kind in sorted(set(t.left))]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if a == UNSEEN and seat == NATURE and deck(t):
            return  # what the others are told
        super().check(t, seat, a)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        if a[0] != "card":
            return Refused("not_an_answer", verb=a[0])
        return Refused("thieves.card.not_in_deck", card=NAMES.get(a[1], "?"))

    def sample(self, t: Table, rnd: Random) -> Answer:
        return CARD[t.left[floor(rnd.random() * len(t.left))]]

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to or a[1] == GETAWAY else UNSEEN


class CardPlay(Question[Table]):
    """Play one card: from the hand, or one that double loot brought."""

    __slots__ = ()

    def cards(self, t: Table) -> list[int]:
        raise NotImplementedError

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return plays(t, seat, self.cards(t))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        cards = self.cards(t)
        if seat == self.seat and HIDDEN in cards:  # somebody else's: any card this table does not see elsewhere
            kinds = [kind for kind in KINDS if kind != GETAWAY and (kind in cards or kind in t.left)]
            if a == ("lay", HIDDEN) or a in plays(t, seat, kinds):
                return
        super().check(t, seat, a)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        verb, *values = a
        kind = ACTION.get(verb) or (values[0] if verb in ("lay", "give", "police") and values else None)
        if kind is None:
            return Refused("not_an_answer", verb=verb)
        card = NAMES.get(kind, "?")
        if kind not in self.cards(t):
            return Refused("thieves.play.not_held", card=card)
        if verb in ("lay", "give") and kind not in LOOT:
            return Refused("thieves.play.not_loot", card=card)
        if verb == "police":
            return Refused("thieves.play.not_police", card=card)
        if verb == "give" and len(values) == 2:
            return Refused("thieves.give.to_oneself" if values[1] == seat else "thieves.give.nobody", seat=values[1])
        if verb == "roadblock":
            return Refused("thieves.roadblock.not_there" if values else "thieves.roadblock.must_block")
        return Refused("not_an_answer", verb=verb)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        """Loot before oneself is laid face down."""
        return ("lay", HIDDEN) if a[0] == "lay" and viewer != seat else a


def plays(t: Table, seat: int, cards: Iterable[int]) -> list[Answer]:
    """What may be done with some cards, sorted. A roadblock without a target may be played, to no effect."""
    found: list[Answer] = []
    choices, last = PLAYS[t.seats][seat], HIDDEN
    for kind in cards:
        if kind != last:
            if kind == ROADBLOCK and t.police:
                found += [("roadblock", police) for police in POLICE if police in t.police]
            else:
                found += choices[kind]
            last = kind
    return found
