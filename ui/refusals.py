"""Refusals as sentences for people."""

from __future__ import annotations

from engine.core import Refused
from ui.model import Notice


def refusal(refused: Refused, *, stays: bool = False) -> Notice:
    """Returns the notice for a refusal: its reason names the text, its values fill the places in the text."""
    values = {name: value if isinstance(value, int | str) else str(value) for name, value in refused.values.items()}
    return Notice(f"refused.{refused.reason}", values, stays)
