"""Razzia: what a viewer knows, and every full table that agrees with it."""

from __future__ import annotations

from random import Random

from engine.bars.table import ACCEPTED, CHALLENGED, Table, put_back, take_note
from engine.core import HIDDEN


def view(t: Table, viewer: int) -> Table:
    """A copy without the others' hands, picks and secret replies, and without the extra note if it is the dealer's.

    What this viewer has not seen lies in `left` and `stock`, as it would for somebody who counts along.
    Money won is not hidden, also not by the house rule: everybody saw every note change hands.
    """
    seen = t.copy()
    for seat in range(t.seats):
        if seat != viewer:
            seen.left += filter(None, t.hands[seat])
            seen.hands[seat] = [HIDDEN] * len(t.hands[seat])
            seen.picks[seat] = min(t.picks[seat], HIDDEN)  # that it picked, everybody sees; NONE is below HIDDEN
            seen.said[seat] = min(t.said[seat], HIDDEN)
    seen.left.sort()
    if t.extra > 0 and t.dealer != viewer:
        put_back(seen, t.extra)
        seen.extra = HIDDEN
    return seen


def fill(t: Table, rnd: Random) -> Table:
    """A full table that agrees with the view: every unseen card equally likely in every place it may be.

    A card that was in some hand when the discards were shuffled is in a hand still, and in one that
    has kept so many cards since.
    """
    full = t.copy()
    hidden = [seat for seat in range(t.seats) if HIDDEN in t.hands[seat]]
    new: dict[int, list[int]] = {seat: [] for seat in hidden}
    left = set(t.left)
    for kept in t.kept:
        cards = sorted(left.intersection(kept.cards))
        left.difference_update(cards)
        rnd.shuffle(cards)
        for seat in hidden:
            for _ in range(kept.held[seat]):
                new[seat].append(cards.pop())
    cards = sorted(left)
    rnd.shuffle(cards)
    for seat in hidden:
        while len(new[seat]) < len(t.hands[seat]):
            new[seat].append(cards.pop())
        full.hands[seat] = new[seat]
    full.left = sorted(cards)
    for seat in hidden:
        if t.picks[seat] == HIDDEN:
            full.picks[seat] = rnd.choice(full.hands[seat])
        if t.said[seat] == HIDDEN:
            full.said[seat] = rnd.choice((ACCEPTED, CHALLENGED))
    if t.extra == HIDDEN:
        full.extra = rnd.choice(full.stock)
        take_note(full, full.extra)
    return full


def whole(t: Table) -> bool:
    """Whether nothing is hidden: no hand, and no note."""
    return t.extra != HIDDEN and not any(HIDDEN in hand for hand in t.hands)


def purse(t: Table, viewer: int, seat: int) -> tuple[int, ...]:
    """The notes a seat has won, as the screen may show them to `viewer`: all open, or by house rule
    only how many there are until the game is over; one's own are always open."""
    notes = tuple(note for _, _, winner, _, won in t.wins if winner == seat for note in won)
    if t.house.money_hidden and viewer != seat and not t.over:
        return (HIDDEN,) * len(notes)
    return notes
