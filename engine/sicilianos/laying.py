"""Sicilianos: a card and a note that a player lays face down, to start a war or to join it."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core import Answer, Refused, not_an_answer
from engine.sicilianos.box import COLOUR, Cards, Money, values_in
from engine.sicilianos.table import Table
from engine.values import Amount, CardOf


def layings(verb: str, cards: Iterable[int], money: Money) -> list[Answer]:
    """Returns the answers with each different card and each different note. Equal cards give the same answers."""
    notes = values_in(money)
    return [(verb, card, note) for card in dict.fromkeys(cards) for note in notes]


def free_cards(t: Table, seat: int) -> Cards:
    """Returns the cards in hand of the colours that nobody has played in this war."""
    return tuple([card for card in t.hands[seat] if COLOUR[card] not in t.family])


def lay(t: Table, seat: int, card: int, note: int) -> None:
    t.family[seat] = COLOUR[card]
    t.down[seat] = card
    t.stakes[seat] = note


def face_down(seat: int, a: Answer, viewer: int, *, open_stake: bool) -> Answer:
    """Returns the answer as others see it: the colour of the card, and the note only if stakes are open."""
    if len(a) != 3 or viewer == seat:
        return a
    return (a[0], -COLOUR[a[1]], a[2] if open_stake else 0)


def is_masked_laying(t: Table, asked: int, seat: int, a: Answer, verb: str, *, open_stake: bool) -> bool:
    """Returns True if this is the masked answer of another player, and possible as far as this view tells."""
    match a:
        case (done, int(back), int(note)) if t.blind and seat == asked and done == verb and back in range(-6, 0):
            notes = values_in(t.dirty[seat]) if open_stake else (0,)
            return note in notes and -back in [COLOUR[card] for card in free_cards(t, seat)]
    return False


def laying_refusal(t: Table, seat: int, a: Answer, verb: str) -> Refused:
    """Returns the refusal of a card and a note that this player may not lay."""
    match a:
        case (done, int(card), int(note)) if done == verb:
            if card not in t.hands[seat]:
                return Refused(f"sicilianos.{verb}.not_in_hand", card=CardOf(card))
            if card not in free_cards(t, seat):
                return Refused(f"sicilianos.{verb}.colour_laid", colour=COLOUR[card])
            return Refused(f"sicilianos.{verb}.no_such_note", note=Amount(note))
    return not_an_answer(a)
