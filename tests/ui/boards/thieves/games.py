"""Games of thieves for the tests of its board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

from engine import GAMES, notation
from engine.session import Session
from tests.ui.boards import games
from tests.ui.boards.games import all_nodes
from ui.boards import board
from ui.html.tree import Node

THIEVES = GAMES["thieves"]
BOARD = board("thieves")
played = partial(games.played, "thieves")


def scripted(seats: int, *entries: str, options: Mapping[str, Any] | None = None) -> Session:
    """Plays a game with these answers in words, those of NATURE included."""
    session = Session(THIEVES, seats, options or {})
    for words in entries:
        session.do(session.question.seat, notation.parse(THIEVES.WORDS, words))
    return session


def random_rules(rnd: Random) -> dict[str, Any]:
    return {option.name: rnd.choice(option.choices) for option in THIEVES.OPTIONS if hasattr(option, "choices")}


def button_answers(node: Node) -> set[str]:
    """Returns the answers that have a button: `offered` without the targets for pointers."""
    return {
        each.attrs["data-answer"] for each in all_nodes(node) if "data-answer" in each.attrs and each.tag == "button"
    }
