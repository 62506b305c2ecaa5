"""The bots by name: a policy answers a question from its own view of the table."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.core import Answer, Game, Policy, Question, Refused


def choose_at_random(question: Question[Any], view: Any, seat: int, rnd: Random) -> Answer:
    """Any of the answers, all alike."""
    answers = question.answers(view, seat)
    return answers[int(rnd.random() * len(answers))]


LEVELS = {"b1": "random", "b2": "greedy"}  # how set-up links call them


def names(game: Game) -> list[str]:
    """The bots that play `game`."""
    return ["random", *game.BOTS]


def policy(game: Game, name: str) -> Policy:
    """The bot called `name`, or by its level."""
    name = LEVELS.get(name, name)
    if name == "random":
        return choose_at_random
    if name not in game.BOTS:
        raise Refused("bot.unknown", bot=name[:40], known=names(game))
    return game.BOTS[name]
