"""Counts of everything in a box: on a full table, nothing may be missing after any entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.bars.box import cards_in_play, notes_in_play
from engine.razzia.box import CENTRE, EMPTY, HANDS, KINDS, POLICE
from engine.session import Session
from engine.sicilianos.box import COLOURS
from engine.thieves.box import GETAWAY


def razzia(session: Session) -> None:
    """Cards may have left the game, so there may be fewer than in the box. Cheques never leave it."""
    t = session.table
    for kind, boxed in zip(KINDS, session.options["deck"].values(), strict=True):
        lying = t.row.count(kind) + sum(family[kind] for family in t.family) + (t.police if kind == POLICE else 0)
        assert 0 <= t.deck_counts[kind] <= boxed
        assert lying <= boxed - t.deck_counts[kind], kind
    assert not any(family[EMPTY] for family in t.family)
    cheques = [t.centre, *[value for hand in (*t.open, *t.spent) for value in hand]]
    dealt = [value for hand in HANDS[t.seats] for value in hand] if any(map(any, (*t.open, *t.spent))) else []
    assert sorted(cheques) == sorted([CENTRE, *dealt])


def bars(session: Session) -> None:
    t, options = session.table, session.options
    assert bars_cards(t) == list(cards_in_play(tuple(options["cards"].values()), t.seats))
    assert bars_notes(t) == list(notes_in_play(tuple(options["notes"].values()), t.seats))
    assert sum(t.money) == sum(sum(notes) for *_, notes in t.wins)


def bars_cards(t: Any) -> list[int]:
    return sorted([*t.left, *t.discards, *(card for hand in t.hands for card in hand), *filter(None, t.shown)])


def bars_notes(t: Any) -> list[int]:
    found = [*t.stock, *(note for bar in t.notes for note in bar), *(note for *_, notes in t.wins for note in notes)]
    return sorted([*found, t.extra] if t.extra > 0 else found)


def sicilianos(session: Session) -> None:
    t = session.table
    assert sicilianos_cards(t) == Counter(card for family in t.house.cards for card in family)
    assert all(count >= 0 for money in (*t.dirty, *t.clean) for count in money)


def sicilianos_cards(t: Any) -> Counter[int]:
    """Returns the cards in hands and piles, behind backs, and turned up in a war."""
    found = Counter(card for hand in t.hands for card in hand if card > 0)
    found += Counter(card for pile in t.piles for card in pile if card > 0)
    found += Counter(card for colour in COLOURS for card in t.left[colour])
    return found + Counter(card for _, card in t.lying)


def thieves(session: Session) -> None:
    assert thieves_cards(session.table) == session.table.house.box


def thieves_cards(t: Any) -> tuple[int, ...]:
    found = [*t.left, *[GETAWAY] * t.getaways, *t.police, *t.gone]
    found += [card.kind for loot in t.loot for card in loot]
    for cards in (*t.hands, *t.apart):
        found += cards
    return tuple(sorted(filter(None, found)))


CENSUS: dict[str, Callable[[Session], None]] = {
    "razzia": razzia,
    "bars": bars,
    "sicilianos": sicilianos,
    "thieves": thieves,
}
