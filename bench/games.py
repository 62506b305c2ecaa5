"""The speed of our games: random play, and the table copy that every search makes."""

from __future__ import annotations

import time
import timeit
from random import Random

from engine import GAMES
from engine.core import playout
from engine.options import settle

#: games in one short run: on a noisy machine, some of many short runs are not disturbed
SHORT = 12
RUNS = 50
COPIES = 2000


def best_speed(name: str, seats: int) -> float:
    """Returns the decisions per second of the best of many short runs."""
    return max(decisions_per_second(name, seats, SHORT, seed) for seed in range(RUNS))


def decisions_per_second(name: str, seats: int, games: int, seed: int = 1) -> float:
    """Returns the decisions per CPU second of random play. Chance entries take time but are not counted."""
    game = GAMES[name]
    options = settle(game, seats, {})
    rnd = Random(seed)
    decisions = 0
    start = time.process_time()
    for _ in range(games):
        decisions += playout(*game.new(seats, options), rnd)
    return decisions / (time.process_time() - start)


def copy_microseconds(name: str, seats: int, seed: int = 1) -> float:
    """Returns the time of a copy of a table in mid-game, in the best of many short runs."""
    game = GAMES[name]
    table, question = game.new(seats, settle(game, seats, {}))
    rnd = Random(seed)
    for _ in range(60):
        answers = question.answers(table, question.seat)
        if not answers:
            break
        question = question.answer(table, question.seat, rnd.choice(answers))
    return min(timeit.repeat(table.copy, number=COPIES, repeat=RUNS, timer=time.process_time)) / COPIES * 1e6
