"""Razzia by Stefan Dorra: twelve nights in six bars, 3 to 8 players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine import GAMES
from engine.bars import policy
from engine.bars.belief import fill, view, whole
from engine.bars.box import OPTIONS
from engine.bars.rules import new
from engine.bars.table import Table, ledger, winners
from engine.bars.words import SENTENCES, WORDS, lines
from engine.core import Game, Policy
from engine.options import Rules

__all__ = ["BOTS", "EARLIER", "NAME", "OPTIONS", "SEATS", "SENTENCES", "VERSION", "WORDS"]
__all__ += ["fill", "ledger", "lines", "new", "scores", "view", "whole", "winners"]

NAME = "bars"
VERSION = 1
EARLIER: Mapping[int, Rules] = {}
SEATS = GAMES.seats["bars"]
BOTS: Mapping[str, Policy] = {"greedy": policy.choose}


def scores(t: Table) -> list[int]:
    return t.money


if TYPE_CHECKING:  # mypy checks this package against the protocol
    from engine import bars

    CHECKED: Game = bars
