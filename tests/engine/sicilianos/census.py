"""The count of everything in the box of sicilianos."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.session import Session
from engine.sicilianos.box import COLOURS


def check(session: Session) -> None:
    t = session.table
    assert all_cards(t) == Counter(card for family in t.house.cards for card in family)
    assert all(count >= 0 for money in (*t.dirty, *t.clean) for count in money)


def all_cards(t: Any) -> Counter[int]:
    """Returns the cards in hands and piles, behind backs, and turned up in a war."""
    found = [card for cards in (*t.hands, *t.piles) for card in cards if card > 0]
    found += [card for colour in COLOURS for card in t.left[colour]]
    found += [card for _, card in t.lying]
    return Counter(found)
