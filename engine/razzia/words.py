"""Razzia!: the notation of its entries and its table."""

from __future__ import annotations

from collections.abc import Mapping

from engine.notation import Number, Rest, Word, Words
from engine.razzia.box import HIGHEST, LOOT, NAMES, SLOTS
from engine.razzia.rules import CATEGORIES, Table

CHEQUE = Number(1, HIGHEST)
SLOT = Number(0, SLOTS - 1, base=1)

WORDS: Words = {
    "hands": (Rest(CHEQUE),),
    "draw": (),
    "card": (Word(NAMES),),
    "thieves": (Rest(SLOT),),
    "call": (),
    "offer": (CHEQUE,),
    "pass": (),
    "score": (Word(dict(enumerate(CATEGORIES, 1))),),
    "clear": (),
}

#: sentences of the command line for decks that cannot be played with
SENTENCES: Mapping[str, str] = {
    "razzia.deck.empty": "the deck needs a card",
}


def lines(t: Table) -> list[str]:
    """Returns the table as text: row, police, cheques, families, points."""
    row = " ".join(NAMES.get(kind, "-") for kind in t.row)
    rows = [
        f"round {t.round}  deck {sum(t.deck_counts)}  police {t.police}/{t.raid_at}  centre {t.centre}",
        f"row: {row}",
    ]
    for seat in range(t.seats):
        family = " ".join(f"{NAMES[kind]}:{t.family[seat][kind]}" for kind in LOOT if t.family[seat][kind])
        cheques = " ".join(map(str, t.open[seat])) or "-"
        spent = " ".join(map(str, t.spent[seat])) or "-"
        rows.append(f"seat {seat + 1}  points {t.points[seat]}  open {cheques}  spent {spent}  family {family or '-'}")
    return rows
