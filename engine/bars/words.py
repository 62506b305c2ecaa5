"""Razzia: the notation of its entries and its table."""

from __future__ import annotations

from collections.abc import Mapping

from engine.bars.belief import purse
from engine.bars.box import BAR_NAMES, CARD_NAMES, NOTE_VALUES
from engine.bars.table import ACCEPTED, CHALLENGED, NONE, Table
from engine.core import HIDDEN, SPECTATOR
from engine.notation import UNKNOWN, List, Number, Rest, Seat, Word, Words

SEAT = Seat(8)
BAR = Word(BAR_NAMES)
CARD = Word(CARD_NAMES)
NOTE = Word({value: str(value) for value in NOTE_VALUES})
REPLY = Word({ACCEPTED: "accept", CHALLENGED: "challenge"})
DIE = Number(1, 6)

WORDS: Words = {
    "dealer": (SEAT,),
    "deal": (SEAT, CARD),
    "reshuffle": (),
    "note": (BAR, NOTE),
    "look": (NOTE,),
    "place": (BAR,),
    "show": (BAR, NOTE),
    "pick": (CARD,),
    "reveal": (Rest(CARD, most=8),),
    "empty": (BAR,),
    "stay": (BAR,),
    "take": (BAR, SEAT),
    "propose": (Rest(List(NOTE), most=7),),
    "accept": (),
    "challenge": (),
    "sealed": (),
    "replies": (Rest(REPLY, most=7),),
    "dice": (DIE, DIE),
    "discard": (),
}

#: sentences of the command line for decks that cannot be played with
SENTENCES: Mapping[str, str] = {
    "bars.cards.too_few": "{players} players need {needed} cards for their hands, and this deck has {cards}",
    "bars.notes.too_few": "a night with {players} players needs {needed} notes, and there are {notes}",
}


def lines(t: Table) -> list[str]:
    """Returns the table as text: night, bars, then by seat money, played card and hand."""
    dealer = t.dealer + 1 if t.dealer >= 0 else "-"
    rows = [f"night {t.night}  dealer {dealer}  pile {t.pile}  discards {len(t.discards)}  notes {notes_left(t)}"]
    for bar in range(1, t.bars + 1):
        lying = list(map(str, t.notes[bar]))
        if bar == t.extra_bar:
            lying.append(f"extra {NOTE.write(t.extra)}")
        rows.append(f"{BAR_NAMES[bar]}: {' '.join(lying) or '-'}")
    if t.extra != NONE and not t.extra_bar:
        rows.append(f"extra note: {NOTE.write(t.extra)}")
    for seat in range(t.seats):
        notes = purse(t, SPECTATOR, seat)
        money = UNKNOWN if HIDDEN in notes else str(sum(notes))
        hand = " ".join(CARD.write(card) for card in t.hands[seat])
        played = t.shown[seat] or t.picks[seat]
        card = "-" if played == NONE else CARD.write(played)
        rows.append(f"seat {seat + 1}  money {money} in {len(notes)}  played {card}  hand {hand or '-'}")
    return rows


def notes_left(t: Table) -> int:
    """Returns the number of notes in the stock, without a hidden extra note."""
    return len(t.stock) - (t.extra == HIDDEN)
