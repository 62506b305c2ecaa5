"""Razzia: what a viewer knows, and full tables that agree with it."""

from __future__ import annotations

from random import Random

from engine.bars.table import ACCEPTED, CHALLENGED, Table, put_back, take_note
from engine.core import HIDDEN


def view(t: Table, viewer: int) -> Table:
    """Returns a copy without the others' hands, choices and secret replies, and without the dealer's extra note.

    Cards and notes that the viewer has not seen are counted in `left` and `stock`. Money is not hidden, not even by the
    house rule: everybody saw every note change hands.
    """
    v = t.copy()
    for seat in range(t.seats):
        if seat != viewer:
            v.left += filter(None, t.hands[seat])
            v.hands[seat] = [HIDDEN] * len(t.hands[seat])
            v.picks[seat] = min(t.picks[seat], HIDDEN)  # everybody sees that it chose: NONE is below HIDDEN
            v.said[seat] = min(t.said[seat], HIDDEN)
    v.left.sort()
    if t.extra > 0 and t.dealer != viewer:
        put_back(v, t.extra)
        v.extra = HIDDEN
    return v


def fill(v: Table, rnd: Random) -> Table:
    """Returns a full table that agrees with the view: every unseen card is equally likely in every place it may be.

    A card that was in some hand when the discards were shuffled is in a hand still, and in one that has kept so many
    cards since then.
    """
    full = v.copy()
    hidden = [seat for seat in range(v.seats) if HIDDEN in v.hands[seat]]
    hands: dict[int, list[int]] = {seat: [] for seat in hidden}
    unseen = set(v.left)
    for kept in v.kept:
        cards = sorted(unseen.intersection(kept.cards))
        unseen.difference_update(cards)
        rnd.shuffle(cards)
        for seat in hidden:
            for _ in range(kept.held[seat]):
                hands[seat].append(cards.pop())
    cards = sorted(unseen)
    rnd.shuffle(cards)
    for seat in hidden:
        while len(hands[seat]) < len(v.hands[seat]):
            hands[seat].append(cards.pop())
        full.hands[seat] = hands[seat]
    full.left = sorted(cards)
    for seat in hidden:
        if v.picks[seat] == HIDDEN:
            full.picks[seat] = rnd.choice(full.hands[seat])
        if v.said[seat] == HIDDEN:
            full.said[seat] = rnd.choice((ACCEPTED, CHALLENGED))
    if v.extra == HIDDEN:
        full.extra = rnd.choice(full.stock)
        take_note(full, full.extra)
    return full


def whole(v: Table) -> bool:
    """Returns True if the view has no holes: no hidden hand and no hidden note."""
    return v.extra != HIDDEN and not any(HIDDEN in hand for hand in v.hands)


def purse(t: Table, viewer: int, seat: int) -> tuple[int, ...]:
    """Returns the notes that a seat has won, as the page may show them to `viewer`.

    By house rule the notes of others are HIDDEN until the game is over, so that only their number shows.
    """
    notes = tuple(note for _, _, winner, _, won in t.wins if winner == seat for note in won)
    if t.house.money_hidden and viewer != seat and not t.over:
        return (HIDDEN,) * len(notes)
    return notes
