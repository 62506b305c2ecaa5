"""Games of bars for the tests of its board."""

from __future__ import annotations

from functools import partial

from engine import GAMES
from tests.ui.boards import games
from ui.boards import board

BARS = GAMES["bars"]
BOARD = board("bars")
played = partial(games.played, "bars")
