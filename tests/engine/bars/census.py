"""The count of everything in the box of bars."""

from __future__ import annotations

from typing import Any

from engine.bars.box import cards_in_play, notes_in_play
from engine.session import Session


def check(session: Session) -> None:
    t, options = session.table, session.options
    assert all_cards(t) == list(cards_in_play(tuple(options["cards"].values()), t.seats))
    assert all_notes(t) == list(notes_in_play(tuple(options["notes"].values()), t.seats))
    assert sum(t.money) == sum(sum(notes) for *_, notes in t.wins)


def all_cards(t: Any) -> list[int]:
    return sorted([*t.left, *t.discards, *(card for hand in t.hands for card in hand), *filter(None, t.shown)])


def all_notes(t: Any) -> list[int]:
    found = [*t.stock, *(note for bar in t.notes for note in bar), *(note for *_, notes in t.wins for note in notes)]
    return sorted([*found, t.extra] if t.extra > 0 else found)
