"""Cracksmen: the notation of its entries and its table."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core import HIDDEN
from engine.cracksmen.box import HAND, NAMES, TOOLS
from engine.cracksmen.rules import Table
from engine.notation import UNKNOWN, Rest, Word, Words

TOOL = Word({tool: str(tool) for tool in TOOLS})

WORDS: Words = {
    "hand": (TOOL,) * HAND,
    "safe": (Word(NAMES),),
    "use": (TOOL,),
    "reveal": (Rest(TOOL, most=3),),
}

#: sentences of the command line for decks that cannot be played with
SENTENCES: Mapping[str, str] = {
    "cracksmen.deck.too_few": "{least} nights need {least} safes, and this deck has {safes}",
}


def lines(t: Table) -> list[str]:
    """Returns the table as text: the safe, then points and hand by seat."""
    rows = [f"night {len(t.opened)}  safe {NAMES.get(t.safe, '-')}"]
    for seat, hand in enumerate(t.hands):
        tools = " ".join(UNKNOWN if tool == HIDDEN else str(tool) for tool in hand)
        rows.append(f"seat {seat + 1}  points {t.points[seat]}  tools {tools or '-'}")
    return rows
