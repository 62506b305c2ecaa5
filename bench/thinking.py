"""How long the bots think: milliseconds a decision, a view of the table included. Runs here and, given to
tools/pyodide.mjs with the project mounted at /host, in the interpreter the page ships.

Each decision counts with the best of three, so that what is measured is the bot and not what else the machine does.
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
    """Every decision of a few games among bots of one level, shortest first."""
    game = GAMES[name]
    policy = bots.policy(game, level)
    found: list[float] = []
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
            found.append(best * 1000)
            session.do(seat, answer)
            session.deal_all(dealer)
    return sorted(found)


def measured() -> dict[str, dict[str, float]]:
    """The slowest game of each kind: with the most seats."""
    told = {}
    for name, game in GAMES.items():
        for level in bots.LEVELS.values():
            found = decisions(name, level, game.SEATS[-1])
            told[f"{name} {level}"] = {
                "decisions": len(found),
                "median": found[len(found) // 2],
                "longest of a hundred": found[len(found) * 99 // 100],
                "longest": found[-1],
            }
    return told


if __name__ == "__main__":
    print(json.dumps(measured()))
