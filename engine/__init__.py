"""The engine: table games as tables and questions. Pure Python, standard library only."""

from engine import bars, razzia, sicilianos, thieves
from engine.core import Game

GAMES: dict[str, Game] = {"razzia": razzia, "bars": bars, "sicilianos": sicilianos, "thieves": thieves}
