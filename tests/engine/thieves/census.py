"""The count of everything in the box of thieves."""

from __future__ import annotations

from typing import Any

from engine.session import Session
from engine.thieves.box import GETAWAY


def check(session: Session) -> None:
    assert all_cards(session.table) == session.table.house.box


def all_cards(t: Any) -> tuple[int, ...]:
    found = [*t.left, *[GETAWAY] * t.getaways, *t.police, *t.gone]
    found += [card.kind for loot in t.loot for card in loot]
    for cards in (*t.hands, *t.apart):
        found += cards
    return tuple(sorted(filter(None, found)))
