"""Razzia! by Reiner Knizia: three rounds of auctions against the raid, 2 to 5 players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine import GAMES
from engine.core import Game, Policy
from engine.options import Rules
from engine.razzia import policy
from engine.razzia.belief import fill, view, whole
from engine.razzia.box import OPTIONS
from engine.razzia.rules import Table, ledger, new, winners
from engine.razzia.words import SENTENCES, WORDS, lines

__all__ = ["BOTS", "EARLIER", "NAME", "OPTIONS", "SEATS", "SENTENCES", "VERSION", "WORDS"]
__all__ += ["fill", "ledger", "lines", "new", "scores", "view", "whole", "winners"]

NAME = "razzia"
VERSION = 1
EARLIER: Mapping[int, Rules] = {}
SEATS = GAMES.seats["razzia"]
BOTS: Mapping[str, Policy] = {"greedy": policy.choose}


def scores(t: Table) -> list[int]:
    return t.points


if TYPE_CHECKING:  # mypy checks this package against the protocol
    from engine import razzia

    CHECKED: Game = razzia
