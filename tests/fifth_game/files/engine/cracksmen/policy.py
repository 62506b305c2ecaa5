"""The bot of Cracksmen: the better the safe, the higher its tool."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.core import Answer, Question
from engine.cracksmen.box import TILL, VAULT
from engine.cracksmen.rules import Table


def choose(question: Question[Any], view: Table, seat: int, rnd: Random) -> Answer:
    tools = sorted(view.hands[seat])
    return ("use", tools[round((view.safe - TILL) / (VAULT - TILL) * (len(tools) - 1))])
