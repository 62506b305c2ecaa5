"""Single games in the browser tests: a short game of each, and the picks that its answers need.

A game may have a module here, `e2e/games/<game>.py`, with any of these names. The defaults are in `e2e.playthrough`.
- `SHORT_GAME`: a set-up link whose game is short and asks nearly every question; by default one with bots
- `picks(twin, answer)`: yields the controls to be picked before an answer can be given; by default it tries each one
- `hasten(answers, rnd)`: returns an answer that brings the end of the game nearer, or None; by default there is none
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def own(game: str, name: str, default: Any) -> Any:
    """Returns what the game's own module defines under this name, else the default."""
    module = f"e2e.games.{game}"
    return getattr(import_module(module), name, default) if find_spec(module) else default
