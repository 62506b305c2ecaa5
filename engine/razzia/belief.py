"""Razzia!: the view of a seat. Nothing is hidden but the order of the deck, and the table does not hold an order."""

from __future__ import annotations

from random import Random

from engine.razzia.rules import Table


def view(t: Table, viewer: int) -> Table:
    """Returns a copy: every viewer sees the whole table."""
    return t.copy()


def fill(t: Table, rnd: Random) -> Table:
    """Returns a copy: a view has no holes."""
    return t.copy()


def whole(t: Table) -> bool:
    """Returns True: a view has no holes."""
    return True
