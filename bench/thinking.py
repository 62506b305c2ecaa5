"""The thinking time of the bots: milliseconds for a decision, including the view of the table.

It runs here and, given to tools/pyodide.mjs with the project mounted at /host, in the interpreter that the page ships.
Each decision counts with the best of three, so that other load on the machine does not count.
"""

from __future__ import annotations

import json
import sys
from random import Random
from time import perf_counter

if "ARGUMENTS" in globals():  # in Pyodide
    sys.path.insert(0, "/host")

from engine import GAMES, bots
from engine.dealers import Seeded
from engine.session import Session

TRIES = 3
GAMES_EACH = 3
MOST_ENTRIES = 2000


def decisions(name: str, level: str, seats: int) -> list[float]:
    """Returns the times of all decisions in a few games between bots of one level, the shortest first."""
    game = GAMES[name]
    policy = bots.policy(game, level)
    times: list[float] = []
    for seed in range(GAMES_EACH):
        session, dealer = Session(game, seats), Seeded(str(seed))
        session.deal_all(dealer)
        while not session.over and len(session.log) < MOST_ENTRIES:
            seat = session.question.seats()[0]
            best, answer = 1e9, ()
            for _ in range(TRIES):
                rnd = Random(len(session.log))
                since = perf_counter()
                answer = policy(session.question, session.view(seat), seat, rnd)
                best = min(best, perf_counter() - since)
            times.append(best * 1000)
            session.do(seat, answer)
            session.deal_all(dealer)
    return sorted(times)


def measured() -> dict[str, dict[str, float]]:
    """Returns the figures of each game and level, with the most seats, which is slowest."""
    figures = {}
    for name, game in GAMES.items():
        for level in bots.LEVELS:
            times = decisions(name, level, game.SEATS[-1])
            figures[f"{name} {level}"] = {
                "decisions": len(times),
                "median": times[len(times) // 2],
                "longest of a hundred": times[len(times) * 99 // 100],
                "longest": times[-1],
            }
    return figures


if __name__ == "__main__":
    print(json.dumps(measured()))
