"""Sicilianos: the table, and how family cards move on it.

The order of a pile is data only where somebody knows it. A card of which nobody knows which one it is (in a pile), or
which this table's viewer may not see, is written as its back, minus its colour. Every move of a card whose face is
not plain to everybody is kept in `trail`, as each witness saw it: that is all anybody ever knows, and a view is the
trail with holes, played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine import core
from engine.sicilianos.box import (
    COLOUR,
    NOTES,
    OF_COLOUR,
    PARTNER,
    TURNED,
    VALUE,
    Cards,
    Money,
    with_card,
    without,
    worth,
)

NOBODY = -1


@dataclass(slots=True, frozen=True)
class House:
    """The box and the house rules of this table."""

    open_stake: bool
    lone_starter_wins: bool
    counts_sets: bool
    cards: tuple[Cards, ...]  # the family cards, by colour
    twins: bool  # whether two of them are alike
    shops: tuple[tuple[int, ...], ...]  # the kinds of the businesses, by colour
    targets: tuple[tuple[int, ...], ...]  # whom the bomb hits, by its colour
    faces: tuple[int, ...]  # of the influence die


Move = tuple[Any, ...]  # ("draw", seat, card), … : see the functions below
Found = tuple[int, tuple[int, ...], int]  # a founding: seat, the kinds it saw (holes for others), the kind it took


@dataclass(slots=True)
class Table(core.Table):
    """Everything on the table. What is laid in a war counts as held until it is turned up.

    So `hands` and `dirty` stand as they were, and `down` and `stakes` say what was laid of them: a player in the war
    shows one card of the family and one note fewer than that (`shown` does the sum).
    """

    seats: int
    house: House
    blind: bool = False  # this is a view: it has holes
    war: int = 0  # how many wars there have been
    starter: int = NOBODY  # of this war
    revealed: bool = False  # this war's first reveal has been
    opened: bool = False  # all businesses have been turned up
    godfather: int = NOBODY
    looking: int = NOBODY  # who is choosing a business
    saw: tuple[int, ...] = ()  # the kinds they are choosing from
    lying: tuple[tuple[int, int], ...] = ()  # (seat, card) turned up in this war, in the order they were laid
    turned: tuple[int, ...] = ()  # the seats whose traitor has turned
    stopped: tuple[int, ...] = ()  # the seats that add no more cards
    bonus: tuple[int, ...] = ()  # paid on payday, by seat
    book: list[tuple[int, int, str, Cards, int]] = field(default_factory=list)  # the lines of the ledger so far
    # by colour
    piles: list[Cards] = field(default_factory=list)  # top first
    left: list[Cards] = field(default_factory=list)  # the cards behind the backs on this table, whichever is which
    founded: list[tuple[Found, ...]] = field(default_factory=list)
    # by seat
    hands: list[Cards] = field(default_factory=list)
    dirty: list[Money] = field(default_factory=list)
    clean: list[Money] = field(default_factory=list)
    # by seat, in a war
    family: list[int] = field(default_factory=list)  # the colour played, 0 for who stays out
    down: list[int] = field(default_factory=list)  # the card laid face down, 0 for none
    stakes: list[int] = field(default_factory=list)
    # by colour
    trail: list[list[Move]] = field(default_factory=list)


class Step(core.Beat[Table]):
    """Bookkeeping that in a fast game goes straight on to the bookkeeping that follows."""

    __slots__ = ()

    def roll(self, t: Table, rnd: Random) -> core.Question[Table]:
        then = self.answer(t, core.NATURE, self.outcome(t))
        return then.roll(t, rnd) if isinstance(then, Step) else then


def colours_of(cards: Iterable[int]) -> list[int]:
    return [COLOUR[card] for card in cards]


def holds(hand: Cards, colour: int) -> bool:
    """Whether there is a card of this colour in a hand."""
    return not OF_COLOUR[colour].isdisjoint(hand)


# All seats clockwise from one on: by number of seats and first seat.
CIRCLE = tuple([[(*range(first, seats), *range(first)) for first in range(seats)] for seats in range(7)])


# Moves. Each takes what this table may know: a back (or place 0) where its viewer did not see.


def draw(t: Table, colour: int, seat: int, card: int) -> None:
    """The top card of a pile goes into a hand; its player sees it."""
    pile = t.piles[colour]
    top = pile[0]
    if card < 0:
        t.blind = True
    elif top < 0:
        top = card
        t.left[colour] = without(t.left[colour], card)
    t.piles[colour] = pile[1:]
    t.hands[seat] = with_card(t.hands[seat], top)
    t.trail[colour].append(("draw", seat, card))


def look(t: Table, colour: int, seat: int, cards: Cards) -> None:
    """A player looks through the whole pile: from now on it has an order."""
    if cards[0] > 0:
        left = list(t.left[colour])
        for top, card in zip(t.piles[colour], cards, strict=True):
            if top < 0:
                left.remove(card)
        t.left[colour] = tuple(left)
        t.piles[colour] = cards
    t.trail[colour].append(("look", seat, cards))


def keep(t: Table, colour: int, seat: int, place: int) -> None:
    """The player keeps a card of the pile, counted from 1 at the top. Only they know which."""
    pile = t.piles[colour]
    t.trail[colour].append(("keep", seat, place))
    if not place and len(pile) == 1:
        place = 1  # there was no choice
    if place:
        t.hands[seat] = with_card(t.hands[seat], pile[place - 1])
        t.piles[colour] = pile[: place - 1] + pile[place:]
    else:
        _forget(t, colour, pile)
        t.hands[seat] = with_card(t.hands[seat], -colour)
        t.piles[colour] = (-colour,) * (len(pile) - 1)


def steal(t: Table, colour: int, thief: int, victim: int, card: int) -> None:
    """A card of this colour goes from hand to hand; thief and victim see it.

    Who did not see it, but knew some of the victim's cards, can no longer tell where those are.
    """
    t.trail[colour].append(("steal", thief, victim, card))
    hand = t.hands[victim]
    if card < 0:
        held = [other for other in hand if COLOUR[other] == colour]
        if held[0] == held[-1]:
            card = held[0]
        else:
            _forget(t, colour, held)
            t.hands[victim] = hand = tuple(sorted([-colour if COLOUR[o] == colour else o for o in hand]))
    elif card not in hand:
        t.left[colour] = without(t.left[colour], card)
        t.hands[victim] = without(hand, -colour)
        t.hands[thief] = with_card(t.hands[thief], card)
        return
    t.hands[victim] = without(hand, card)
    t.hands[thief] = with_card(t.hands[thief], card)


def show(t: Table, colour: int, seat: int, card: int) -> None:
    """A card laid face down is turned up: now it has left the hand."""
    t.trail[colour].append(("show", seat, card))
    hand = list(t.hands[seat])
    try:
        hand.remove(card)
    except ValueError:  # as far as this table saw, it was any of the colour
        hand.remove(-colour)
        t.left[colour] = without(t.left[colour], card)
    t.hands[seat] = tuple(hand)


def under(t: Table, colour: int, card: int) -> None:
    """A card everybody saw goes under its pile."""
    t.piles[colour] += (card,)
    t.trail[colour].append(("under", card))


def _forget(t: Table, colour: int, cards: Iterable[int]) -> None:
    t.left[colour] = tuple(sorted([*t.left[colour], *(card for card in cards if card > 0)]))


MOVES: dict[str, Callable[..., None]] = {
    "draw": draw,
    "look": look,
    "keep": keep,
    "steal": steal,
    "show": show,
    "under": under,
}


def may_be(t: Table, card: int, cards: Cards) -> bool:
    """Whether this card is, or as far as this table tells may be, one of these."""
    colour = COLOUR[card]
    return card in cards or (-colour in cards and card in t.left[colour])


def may_hide(t: Table) -> bool:
    """Whether a card may be given as a back: on a view, or before two cards were dealt openly to two seats."""
    return t.blind or sum(map(len, t.hands)) < 2


# Sums.


def in_war(t: Table) -> list[int]:
    """Who plays in this war, clockwise from the starter."""
    return [seat for seat in CIRCLE[t.seats][t.starter] if t.family[seat]]


def side(t: Table, seat: int) -> int:
    """The family a seat fights for."""
    return PARTNER[t.family[seat]] if seat in t.turned else t.family[seat]


def lying_for(t: Table, family: int) -> list[int]:
    """The cards that lie for a family, a turned traitor among them."""
    return [card for seat, card in t.lying if side(t, seat) == family]


def sums(t: Table) -> dict[int, int]:
    """The strength of every family for which a card lies."""
    found: dict[int, int] = {}
    families, turned = t.family, t.turned
    for seat, card in t.lying:
        family, value = families[seat], VALUE[card]
        if seat in turned:
            family, value = PARTNER[family], TURNED
        found[family] = found.get(family, 0) + value
    return found


def shown(t: Table, seat: int) -> tuple[list[int], int]:
    """What everybody sees in front of a seat: the colours of the cards in hand, and the number of dirty notes."""
    colours = sorted(colours_of(t.hands[seat]))
    if t.down[seat]:
        colours.remove(t.family[seat])
    laid = 1 if t.family[seat] and not t.revealed else 0
    return colours, sum(t.dirty[seat]) - laid


def bank(t: Table) -> list[int]:
    """The notes left in the bank, by value; it never runs out, so they may be fewer than none."""
    lying = [stake for stake in t.stakes if stake] if t.revealed else []
    return [
        14 - sum(money[place] for money in (*t.dirty, *t.clean)) - lying.count(value)
        for place, value in enumerate(NOTES)
    ]


def balance(t: Table, seat: int) -> int:
    return worth(t.clean[seat]) - worth(t.dirty[seat])
