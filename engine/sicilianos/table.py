"""Sicilianos: the table, and how family cards move on it.

The order of a pile is stored only where some player knows it. A card is written as its back, minus its colour, if
nobody knows which card it is (in a pile), or if the viewer of this table may not see it. `trail` keeps every move of a
card that is not public, as far as each player saw it. A view is made by repeating the trail with holes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from engine import core
from engine.core import clockwise
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
    """The house rules and the contents of the box."""

    open_stake: bool
    lone_starter_wins: bool
    counts_sets: bool
    counts_equal_antiques_once: bool  # among the sets, as in version 1 of the rules
    cards: tuple[Cards, ...]  # the family cards, by colour
    shops: tuple[tuple[int, ...], ...]  # the kinds of the businesses, by colour
    targets: tuple[tuple[int, ...], ...]  # the families that a bomb can hit, by its colour
    faces: tuple[int, ...]  # of the influence die


Move = tuple[Any, ...]  # ("draw", seat, card), …: the name and arguments of one of the functions below
Founded = tuple[int, tuple[int, ...], int]  # a founding: seat, the kinds it chose from, the kind it took; 0 is unseen


@dataclass(slots=True)
class Table(core.Table):
    """The table of a game. A card or a note that is laid in a war counts as held until it is turned up.

    Until then `hands` and `dirty` still hold what `down` and `stakes` say was laid. `shown` returns what everybody sees
    in front of a player: without the laid card and note.
    """

    seats: int
    house: House
    blind: bool = False  # this is a view with holes
    war: int = 0  # the number of wars so far
    starter: int = NOBODY  # of this war, NOBODY between wars
    revealed: bool = False  # the first reveal of this war is over
    opened: bool = False  # all businesses have been turned up
    godfather: int = NOBODY
    looking: int = NOBODY  # the seat that is choosing a business
    saw: tuple[int, ...] = ()  # the kinds it is choosing from
    lying: tuple[tuple[int, int], ...] = ()  # (seat, card) turned up in this war, in the order they were laid
    turned: tuple[int, ...] = ()  # the seats whose traitor has turned
    stopped: tuple[int, ...] = ()  # the seats that add no more cards
    bonus: tuple[int, ...] = ()  # paid on payday, by seat
    book: list[tuple[int, int, str, Cards, int]] = field(default_factory=list)  # the lines of the ledger so far
    # by colour
    piles: list[Cards] = field(default_factory=list)  # the top card first
    left: list[Cards] = field(default_factory=list)  # the cards behind the backs on this table, in no order
    founded: list[tuple[Founded, ...]] = field(default_factory=list)
    # by seat
    hands: list[Cards] = field(default_factory=list)
    dirty: list[Money] = field(default_factory=list)
    clean: list[Money] = field(default_factory=list)
    # by seat, in a war
    family: list[int] = field(default_factory=list)  # the colour played, 0 for a seat that stays out
    down: list[int] = field(default_factory=list)  # the card that is face down, 0 for none
    stakes: list[int] = field(default_factory=list)
    # by colour
    trail: list[list[Move]] = field(default_factory=list)


def colours_of(cards: Iterable[int]) -> list[int]:
    return [COLOUR[card] for card in cards]


def holds(hand: Cards, colour: int) -> bool:
    """Returns True if a hand has a card of this colour."""
    return not OF_COLOUR[colour].isdisjoint(hand)


# Moves. Each takes what the viewer of this table may know: a back, or place 0, for what it did not see.


def draw(t: Table, colour: int, seat: int, card: int) -> None:
    """Moves the top card of a pile into a hand. Its player sees it."""
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
    """Shows a whole pile to a player. From now on the pile has an order."""
    if cards[0] > 0:
        left = list(t.left[colour])
        for top, card in zip(t.piles[colour], cards, strict=True):
            if top < 0:
                left.remove(card)
        t.left[colour] = tuple(left)
        t.piles[colour] = cards
    t.trail[colour].append(("look", seat, cards))


def keep(t: Table, colour: int, seat: int, place: int) -> None:
    """Moves a card of a pile into the hand of a player, who alone knows its place, counted from 1 at the top."""
    pile = t.piles[colour]
    t.trail[colour].append(("keep", seat, place))
    if not place and len(pile) == 1:
        place = 1  # the only card
    if place:
        t.hands[seat] = with_card(t.hands[seat], pile[place - 1])
        t.piles[colour] = pile[: place - 1] + pile[place:]
    else:
        _forget(t, colour, pile)
        t.hands[seat] = with_card(t.hands[seat], -colour)
        t.piles[colour] = (-colour,) * (len(pile) - 1)


def steal(t: Table, colour: int, thief: int, victim: int, card: int) -> None:
    """Moves a card of this colour from hand to hand. Thief and victim see it.

    A viewer that did not see it, but knew some of the victim's cards, can no longer tell where these are.
    """
    t.trail[colour].append(("steal", thief, victim, card))
    hand = t.hands[victim]
    if card < 0:
        held = [other for other in hand if COLOUR[other] == colour]
        if held[0] == held[-1]:
            card = held[0]
        else:
            _forget(t, colour, held)
            t.hands[victim] = hand = tuple(sorted([-colour if COLOUR[other] == colour else other for other in hand]))
    elif card not in hand:
        t.left[colour] = without(t.left[colour], card)
        t.hands[victim] = without(hand, -colour)
        t.hands[thief] = with_card(t.hands[thief], card)
        return
    t.hands[victim] = without(hand, card)
    t.hands[thief] = with_card(t.hands[thief], card)


def show(t: Table, colour: int, seat: int, card: int) -> None:
    """Turns up a face-down card, which leaves the hand only now."""
    t.trail[colour].append(("show", seat, card))
    hand = list(t.hands[seat])
    try:
        hand.remove(card)
    except ValueError:  # this table knew only its back
        hand.remove(-colour)
        t.left[colour] = without(t.left[colour], card)
    t.hands[seat] = tuple(hand)


def under(t: Table, colour: int, card: int) -> None:
    """Puts a card that everybody saw under its pile."""
    t.piles[colour] += (card,)
    t.trail[colour].append(("under", card))


def _forget(t: Table, colour: int, cards: Iterable[int]) -> None:
    """Adds the known ones of these cards to those behind the backs: their places are not known any more."""
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
    """Returns True if this card may be one of these, as far as this table tells."""
    colour = COLOUR[card]
    return card in cards or (-colour in cards and card in t.left[colour])


def may_hide(t: Table) -> bool:
    """Returns True if an answer may name a back: on a view, and while fewer than two cards have been dealt openly."""
    return t.blind or sum(map(len, t.hands)) < 2


# Sums


def from_starter(t: Table) -> list[int]:
    """Returns all seats clockwise, the starter of the war first."""
    return clockwise(t.starter - 1, t.seats)


def in_war(t: Table) -> list[int]:
    """Returns the seats that play in this war, clockwise from the starter."""
    return [seat for seat in from_starter(t) if t.family[seat]]


def side(t: Table, seat: int) -> int:
    """Returns the family that a seat fights for."""
    return PARTNER[t.family[seat]] if seat in t.turned else t.family[seat]


def lying_for(t: Table, family: int) -> list[int]:
    """Returns the cards that lie for a family, with a traitor that has turned to it."""
    return [card for seat, card in t.lying if side(t, seat) == family]


def sums(t: Table) -> dict[int, int]:
    """Returns the strength of every family for which a card lies."""
    totals: dict[int, int] = {}
    families, turned = t.family, t.turned
    for seat, card in t.lying:
        family, value = families[seat], VALUE[card]
        if seat in turned:
            family, value = PARTNER[family], TURNED
        totals[family] = totals.get(family, 0) + value
    return totals


def public_holdings(t: Table, seat: int) -> tuple[list[int], int]:
    """Returns what everybody sees in front of a seat: the colours of its hand, and the number of its dirty notes."""
    colours = sorted(colours_of(t.hands[seat]))
    if t.down[seat]:
        colours.remove(t.family[seat])
    laid = 1 if t.family[seat] and not t.revealed else 0
    return colours, sum(t.dirty[seat]) - laid


def bank(t: Table) -> list[int]:
    """Returns the notes left in the bank, by value. The bank never runs out, so a number may be below zero."""
    lying = [stake for stake in t.stakes if stake] if t.revealed else []
    return [
        14 - sum(money[place] for money in (*t.dirty, *t.clean)) - lying.count(value)
        for place, value in enumerate(NOTES)
    ]


def balance(t: Table, seat: int) -> int:
    return worth(t.clean[seat]) - worth(t.dirty[seat])
