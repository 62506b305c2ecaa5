"""Games of sicilianos for the tests of its board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine import GAMES, notation
from engine.core import Answer
from engine.dealers import Seeded
from engine.session import Session
from tests.ui.boards.games import picks_on
from ui.boards import board
from ui.html.tree import Node

SICILIANOS = GAMES["sicilianos"]
BOARD = board("sicilianos")
HOUSES: dict[str, Mapping[str, Any]] = {
    "book": {},
    "house": {
        "stake": "open",
        "lone_starter": "nothing",
        "different": "sets",
        "deck": {"yellow-5": 4, "blue-8": 3, "red-1": 0},
        "targets": {"yellow-yellow": 1, "blue-red": 0},
        "businesses": {"green-laundry": 0, "green-antiques": 0, "white-antiques": 3},
    },
}


def played(seats: int, seed: int, options: Mapping[str, Any] | None = None, *, rolls: float = 0.3) -> Iterator[Session]:
    """Plays a random game and yields it before every entry, and once more when it is over.

    `rolls`: the probability that a seat rolls where it may.
    """
    session, rnd = Session(SICILIANOS, seats, options or {}), Random(seed)
    while not session.over:
        yield session
        if not session.deal(Seeded(seed)):
            seat = session.question.seat
            answers = session.answers(seat)
            session.do(seat, ("roll",) if ("roll",) in answers and rnd.random() < rolls else rnd.choice(answers))
    yield session


def answer_words(answer: Answer) -> str:
    return notation.text(SICILIANOS.WORDS, answer)


def toggle_args(node: Node) -> dict[str, str]:
    """Returns the argument of each toggle, by what it picks."""
    return {what.split()[0]: what for what in picks_on(node)}
