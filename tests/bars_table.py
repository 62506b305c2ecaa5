"""Games of bars for the tests of its table."""

from __future__ import annotations

from functools import partial

from engine import GAMES
from tests import board_table
from ui.boards import board

BARS = GAMES["bars"]
BOARD = board("bars")
played = partial(board_table.played, "bars")
