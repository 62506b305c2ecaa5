"""Cracksmen, invented for these tests: three nights, a safe each night, and one secret tool each. 2 or 3 players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine import GAMES
from engine.core import Game, LedgerLine, Policy
from engine.cracksmen import policy
from engine.cracksmen.belief import fill, view, whole
from engine.cracksmen.box import OPTIONS
from engine.cracksmen.rules import Table, new, winners
from engine.cracksmen.words import SENTENCES, WORDS, lines
from engine.options import Rules

__all__ = ["BOTS", "EARLIER", "NAME", "OPTIONS", "SEATS", "SENTENCES", "VERSION", "WORDS"]
__all__ += ["fill", "ledger", "lines", "new", "scores", "view", "whole", "winners"]

NAME = "cracksmen"
VERSION = 1
EARLIER: Mapping[int, Rules] = {}
SEATS = GAMES.seats["cracksmen"]
BOTS: Mapping[str, Policy] = {"greedy": policy.choose}


def scores(t: Table) -> list[int]:
    return t.points


def ledger(t: Table) -> list[LedgerLine]:
    return t.opened


if TYPE_CHECKING:  # mypy checks this package against the protocol
    from engine import cracksmen

    CHECKED: Game = cracksmen
