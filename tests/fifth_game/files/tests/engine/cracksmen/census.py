"""The count of everything in the box of Cracksmen."""

from __future__ import annotations

from engine.cracksmen.box import TOOLS
from engine.session import Session


def check(session: Session) -> None:
    """Every tool is in the box, in a hand, or was used and has left the game; each of these only once."""
    t = session.table
    used = [tool for _, answer in session.log if answer[0] == "reveal" for tool in answer[1:]]
    assert sorted([*t.left, *[tool for hand in t.hands for tool in hand], *used]) == list(TOOLS)
    turned_up = [answer for _, answer in session.log if answer[0] == "safe"]
    assert len(t.safes) + len(turned_up) == sum(session.options["deck"].values())
