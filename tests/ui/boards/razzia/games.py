"""Games of razzia for the tests of its board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from engine import GAMES, notation
from engine.dealers import Scripted
from engine.razzia import box
from engine.session import Session
from tests.ui.boards import games
from ui.boards import board
from ui.boards.razzia.cards import count_by_kind

RAZZIA = GAMES["razzia"]
BOARD = board("razzia")
played = partial(games.played, "razzia")


def scripted(seats: int, *entries: str, options: Mapping[str, Any] | None = None) -> Session:
    """Returns a game that was played by these entries. The hands are dealt in seat order; cards are given by name."""
    session = Session(RAZZIA, seats, options or {})
    hands = ("hands", *(hand[0] for hand in box.HANDS[seats]))
    session.deal(Scripted([hands]))
    for words in entries:
        answer = notation.parse(RAZZIA.WORDS, words)
        session.do(session.question.seat, answer)
    return session


def family(**cards: int) -> box.Family:
    kinds = {name: kind for kind, name in box.NAMES.items()}
    return count_by_kind(kinds[name] for name, count in cards.items() for _ in range(count))
