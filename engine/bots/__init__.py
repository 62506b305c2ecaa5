"""The bots by name: a policy answers a question from its own view of the table."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.core import Answer, Game, Policy, Question, Refused
from engine.session import Session


def choose_at_random(question: Question[Any], view: Any, seat: int, rnd: Random) -> Answer:
    """Any of the answers, all alike."""
    answers = question.answers(view, seat)
    return answers[int(rnd.random() * len(answers))]


#: the policy of each level; set-up links call the levels so
POLICIES = {"b1": "random", "b2": "greedy"}
#: from the easiest on: b1 plays anything that is legal, b2 values what it sees
LEVELS = tuple(POLICIES)


def names(game: Game) -> list[str]:
    """The bots that play `game`."""
    return ["random", *game.BOTS]


def policy(game: Game, name: str) -> Policy:
    """The bot called `name`, or by its level."""
    name = POLICIES.get(name, name)
    if name == "random":
        return choose_at_random
    if name not in game.BOTS:
        raise Refused("bot.unknown", bot=name[:40], known=names(game))
    return game.BOTS[name]


def choose(session: Session, seat: int, level: str, seed: str) -> Answer:
    """The answer of the bot at `seat`. It sees what its seat sees; the same game and seed give the same answer."""
    rnd = Random(f"{seed}/bot/{seat}/{len(session.log)}")
    return policy(session.game, level)(session.question, session.view(seat), seat, rnd)
