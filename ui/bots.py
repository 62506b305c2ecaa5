"""Bots at the table: which policy plays at which level, and where its randomness comes from.

They think on the page's thread: an answer takes less than a question to a worker and back (docs/bots.md).
"""

from __future__ import annotations

from random import Random

from engine import bots
from engine.bots import policy
from engine.core import Answer
from engine.session import Session

#: from the easiest on: b1 plays anything that is legal, b2 values what it sees
LEVELS = tuple(bots.LEVELS)


def choose(session: Session, seat: int, level: str, seed: str) -> Answer:
    """The answer of the bot at `seat`. It sees what its seat sees; the same game and seed give the same answer."""
    rnd = Random(f"{seed}/bot/{seat}/{len(session.log)}")
    return policy(session.game, level)(session.question, session.view(seat), seat, rnd)
