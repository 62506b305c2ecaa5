"""The rules of Cracksmen."""

from __future__ import annotations

import pytest

from engine import GAMES
from engine.core import NATURE, Refused
from engine.session import Session


def dealt() -> Session:
    """Returns a game of two with a vault on the table."""
    session = Session(GAMES["cracksmen"], 2)
    session.extend([(NATURE, ("hand", 1, 5, 9)), (NATURE, ("hand", 2, 6, 10)), (NATURE, ("safe", 3))])
    return session


def test_the_highest_tool_opens_the_safe() -> None:
    session = dealt()
    session.extend([(1, ("use", 2)), (0, ("use", 5)), (NATURE, ("reveal", 5, 2))])
    assert session.table.points == [4, 0]
    assert session.table.hands == [[1, 9], [6, 10]]


def test_a_tool_of_another_hand_is_refused() -> None:
    with pytest.raises(Refused, match=r"cracksmen\.use\.not_yours"):
        dealt().do(0, ("use", 10))


def test_there_is_a_safe_for_each_night() -> None:
    with pytest.raises(Refused, match=r"cracksmen\.deck\.too_few"):
        Session(GAMES["cracksmen"], 2, {"deck": {"till": 0, "safe": 0}})
