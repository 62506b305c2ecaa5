"""The bots by name. A policy answers a question from its own view of the table."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.core import Answer, Game, Policy, Question, Refused
from engine.session import Session


def choose_at_random(question: Question[Any], view: Any, seat: int, rnd: Random) -> Answer:
    """Returns any of the answers, each equally likely."""
    answers = question.answers(view, seat)
    return answers[int(rnd.random() * len(answers))]


#: the policy of each level; set-up links use these names of levels
POLICIES = {"b1": "random", "b2": "greedy"}
#: from the easiest on: b1 plays any legal answer, b2 weighs what it sees
LEVELS = tuple(POLICIES)


def names(game: Game) -> list[str]:
    """Returns the names of the bots that play `game`."""
    return ["random", *game.BOTS]


def policy(game: Game, name: str) -> Policy:
    """Returns the bot with this name or level. Raises `Refused` if the game has none."""
    name = POLICIES.get(name, name)
    if name == "random":
        return choose_at_random
    if name not in game.BOTS:
        raise Refused("bot.unknown", bot=name[:40], known=names(game))
    return game.BOTS[name]


def choose(session: Session, seat: int, level: str, seed: str) -> Answer:
    """Returns the answer of the bot at `seat`, from the view of its seat. Game and seed determine the answer."""
    rnd = Random(f"{seed}/bot/{seat}/{len(session.log)}")
    return policy(session.game, level)(session.question, session.view(seat), seat, rnd)
