"""Counts of everything in a box: on a full table, nothing may be missing after any entry.

Each game has its own: the function `check` in `tests/engine/<game>/census.py`.
"""

from __future__ import annotations

from importlib import import_module

from engine.session import Session


def check(session: Session) -> None:
    """Raises AssertionError if a card or money of this table is missing, or is there twice."""
    import_module(f"tests.engine.{session.game.NAME}.census").check(session)
