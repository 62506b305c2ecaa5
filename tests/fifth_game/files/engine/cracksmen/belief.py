"""Cracksmen: what a viewer knows, and full tables that agree with it."""

from __future__ import annotations

from random import Random

from engine.core import HIDDEN
from engine.cracksmen.rules import Table


def view(t: Table, viewer: int) -> Table:
    """Returns a copy without the tools in other hands, and without those that others have chosen."""
    v = t.copy()
    for seat in range(t.seats):
        if seat != viewer:
            v.left += filter(None, t.hands[seat])
            v.hands[seat] = [HIDDEN] * len(t.hands[seat])
            v.chosen[seat] = min(t.chosen[seat], HIDDEN)  # everybody sees that it chose: NONE is below HIDDEN
    v.left.sort()
    return v


def fill(v: Table, rnd: Random) -> Table:
    """Returns a full table that agrees with the view: every unseen tool is equally likely in every place."""
    full = v.copy()
    rnd.shuffle(full.left)
    for seat, hand in enumerate(full.hands):
        if HIDDEN in hand:
            full.hands[seat] = sorted(full.left.pop() for _ in hand)
            if v.chosen[seat] == HIDDEN:
                full.chosen[seat] = rnd.choice(full.hands[seat])
    full.left.sort()
    return full


def whole(v: Table) -> bool:
    """Returns True if the view has no holes."""
    return not any(HIDDEN in hand for hand in v.hands)
