"""Sicilianos: laying a card and a note face down, to start a war or to join it."""

from __future__ import annotations

from functools import cache

from engine.core import Answer, Refused
from engine.sicilianos.box import CARDS, COLOUR, values_in
from engine.sicilianos.table import Table


@cache
def laying(verb: str, values: tuple[int, ...]) -> tuple[tuple[Answer, ...], ...]:
    """By card (backs from the end, as in COLOUR): the card with each of these notes."""
    cards = (0, *CARDS, *range(-6, 0))
    return tuple([tuple([(verb, card, value) for value in values]) for card in cards])


def face_down(seat: int, a: Answer, viewer: int, *, open_stake: bool) -> Answer:
    """Others see the card's colour, and the note only if stakes are open."""
    if len(a) != 3 or viewer == seat:
        return a
    return (a[0], -COLOUR[a[1]], a[2] if open_stake else 0)


def laid_unseen(t: Table, asked: int, seat: int, a: Answer, verb: str, *, open_stake: bool) -> bool:
    """Whether this is how somebody else's laying looks to the viewer of this table."""
    match a:
        case (done, int(back), int(note)) if t.blind and seat == asked and done == verb and back in range(-6, 0):
            notes = values_in(t.dirty[seat]) if open_stake else (0,)
            return note in notes and free(t, -back) and any(COLOUR[card] == -back for card in t.hands[seat])
    return False


def bad_laying(t: Table, seat: int, a: Answer, verb: str) -> Refused:
    match a:
        case (done, int(card), int(note)) if done == verb:
            if card not in t.hands[seat]:
                return Refused(f"sicilianos.{verb}.not_in_hand", card=card)
            if not free(t, COLOUR[card]):
                return Refused(f"sicilianos.{verb}.colour_laid", colour=COLOUR[card])
            return Refused(f"sicilianos.{verb}.no_such_note", note=note)
    return Refused("not_an_answer", verb=a[0])


def free(t: Table, colour: int) -> bool:
    return colour not in t.family


def lay(t: Table, seat: int, card: int, note: int) -> None:
    t.family[seat] = COLOUR[card]
    t.down[seat] = card
    t.stakes[seat] = note
