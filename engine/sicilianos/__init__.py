"""Sicilianos by Czarné: gang wars, traitors, bombs and clean money, 3 to 6 players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine import GAMES
from engine.core import Game, Policy
from engine.sicilianos import policy
from engine.sicilianos.belief import fill, view, whole
from engine.sicilianos.box import EARLIER, OPTIONS
from engine.sicilianos.result import ledger, scores, winners
from engine.sicilianos.rules import new
from engine.sicilianos.words import SENTENCES, WORDS, lines

__all__ = ["BOTS", "EARLIER", "NAME", "OPTIONS", "SEATS", "SENTENCES", "VERSION", "WORDS"]
__all__ += ["fill", "ledger", "lines", "new", "scores", "view", "whole", "winners"]

NAME = "sicilianos"
VERSION = 2
SEATS = GAMES.seats["sicilianos"]
BOTS: Mapping[str, Policy] = {"greedy": policy.choose}

if TYPE_CHECKING:  # mypy checks this package against the protocol
    from engine import sicilianos

    CHECKED: Game = sicilianos
