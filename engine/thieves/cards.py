"""Thieves!: the base of the questions that draw a card, and of those that play one."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor
from random import Random

from engine import GAMES
from engine.core import HIDDEN, Answer, Chance, Question, Refused, not_an_answer, not_asked
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
from engine.thieves.table import Table, deck_size
from engine.values import CardOf, SeatOf

SEATS = GAMES.seats["thieves"]

UNSEEN: Answer = ("card", HIDDEN)
UNSEEN_HAND: Answer = ("hand",) + (HIDDEN,) * DEALT
ACTION = {"alarm": ALARM, "roadblock": ROADBLOCK, "thief": THIEF, "double_loot": DOUBLE_LOOT}  # by verb
VERB = {kind: verb for verb, kind in ACTION.items()}


class Drawn(Chance[Table]):
    """A card from the deck. Only the player who draws it sees it, except for a getaway, which is laid open at once."""

    __slots__ = ()
    to: int

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("card", kind) for kind in sorted(set(t.left))]

    def sample(self, t: Table, rnd: Random) -> Answer:
        return ("card", t.left[floor(rnd.random() * len(t.left))])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat) or (a == UNSEEN and deck_size(t)):  # the others only see that a card is drawn
            return
        if a[0] != "card":
            raise not_an_answer(a)
        raise Refused("thieves.card.not_in_deck", card=CardOf(NAMES.get(a[1], "?")))

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to or a[1] == GETAWAY else UNSEEN


class CardPlay(Question[Table]):
    """The player plays one card: from the hand, or one that double loot brought."""

    __slots__ = ()

    def cards(self, t: Table) -> list[int]:
        """Returns the cards that may be played, sorted."""
        raise NotImplementedError

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return plays(t, seat, self.cards(t))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        cards = self.cards(t)
        if a in plays(t, seat, cards):
            return
        if HIDDEN in cards:  # another player's card may be any card that this view does not see elsewhere
            kinds = [kind for kind in KINDS if kind != GETAWAY and (kind in cards or kind in t.left)]
            if a == ("lay", HIDDEN) or a in plays(t, seat, kinds):
                return
        raise play_refusal(seat, a, cards)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        """Loot that a player lays before themselves is face down."""
        return ("lay", HIDDEN) if a[0] == "lay" and viewer != seat else a


def plays(t: Table, seat: int, cards: Iterable[int]) -> list[Answer]:
    """Returns what `seat` may do with some cards. Without police cars on the table, a roadblock has no effect."""
    others = [other for other in range(t.seats) if other != seat]
    answers: list[Answer] = []
    for kind in dict.fromkeys(cards):
        if kind in LOOT:
            answers.append(("lay", kind))
            answers += [("give", kind, other) for other in others]
        elif kind in POLICE:
            answers.append(("police", kind))
        elif kind == ROADBLOCK and t.police:
            answers += [("roadblock", police) for police in POLICE if police in t.police]
        elif kind in VERB:
            answers.append((VERB[kind],))
    return answers


def play_refusal(seat: int, a: Answer, cards: list[int]) -> Refused:
    """Returns the refusal of a play that is not possible with these cards."""
    verb, *values = a
    kind = ACTION.get(verb) or (values[0] if verb in ("lay", "give", "police") and values else None)
    if kind is None:
        return not_an_answer(a)
    card = CardOf(NAMES.get(kind, "?"))
    if kind not in cards:
        return Refused("thieves.play.not_held", card=card)
    if verb in ("lay", "give") and kind not in LOOT:
        return Refused("thieves.play.not_loot", card=card)
    if verb == "police":
        return Refused("thieves.play.not_police", card=card)
    if verb == "give" and len(values) == 2:
        return Refused(
            "thieves.give.to_oneself" if values[1] == seat else "thieves.give.nobody", seat=SeatOf(values[1])
        )
    if verb == "roadblock":
        return Refused("thieves.roadblock.not_there" if values else "thieves.roadblock.must_block")
    return not_an_answer(a)


def card_of(a: Answer) -> int:
    """Returns the card that an answer of `CardPlay` plays."""
    kind: int = ACTION[a[0]] if a[0] in ACTION else a[1]
    return kind
