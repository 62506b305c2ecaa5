"""Thieves! by Richard de Rijk: loot, police cars and a raid on the richest, 3 to 6 players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.core import Game, Policy
from engine.thieves import policy
from engine.thieves.belief import fill, view, whole
from engine.thieves.box import EARLIER, OPTIONS
from engine.thieves.cards import SEATS
from engine.thieves.rules import new
from engine.thieves.score import ledger, scores, winners
from engine.thieves.words import SENTENCES, WORDS, lines

__all__ = ["BOTS", "EARLIER", "NAME", "OPTIONS", "SEATS", "SENTENCES", "VERSION", "WORDS"]
__all__ += ["fill", "ledger", "lines", "new", "scores", "view", "whole", "winners"]

NAME = "thieves"
VERSION = 2
BOTS: Mapping[str, Policy] = {"greedy": policy.choose}

if TYPE_CHECKING:  # mypy checks this package against the protocol
    from engine import thieves

    CHECKED: Game = thieves
