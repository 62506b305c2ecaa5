"""Razzia! by Reiner Knizia: three rounds of auctions against the raid, 2 to 5 players."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from engine import PLAYERS
from engine.core import Policy
from engine.razzia import policy
from engine.razzia.box import OPTIONS
from engine.razzia.rules import Table, ledger, new, winners
from engine.razzia.words import WORDS, lines

__all__ = ["BOTS", "NAME", "OPTIONS", "SEATS", "VERSION", "WORDS"]
__all__ += ["fill", "ledger", "lines", "new", "scores", "view", "whole", "winners"]

NAME = "razzia"
VERSION = 1
SEATS = PLAYERS["razzia"]
BOTS: Mapping[str, Policy] = {"greedy": policy.choose}


def view(t: Table, viewer: int) -> Table:
    """Everybody sees everything but the order of the deck, and that is nowhere."""
    return t.copy()


def fill(t: Table, rnd: Random) -> Table:
    """A view has no holes."""
    return t.copy()


def whole(t: Table) -> bool:
    """It always is."""
    return True


def scores(t: Table) -> list[int]:
    return t.points
