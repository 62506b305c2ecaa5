"""Sources of chance: a seed, a script, or the randomness of the operating system."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random, SystemRandom
from typing import Any

from engine.core import Answer, Chance, Refused


class Seeded:
    """A dealer with the same deal for the same seed: the n-th chance entry depends only on the seed, n and the table.

    It keeps no state between two calls, so a game that was reloaded goes on with the same deal.
    """

    def __init__(self, seed: str | int) -> None:
        self.seed = seed

    def __call__(self, question: Chance[Any], table: Any, number: int) -> Answer:
        return question.sample(table, Random(f"{self.seed}/{number}"))


class Scripted:
    """A dealer with given outcomes, in order. Beats need none."""

    def __init__(self, outcomes: Iterable[Answer]) -> None:
        self.outcomes = iter(outcomes)

    def __call__(self, question: Chance[Any], table: Any, number: int) -> Answer:
        outcome = next(self.outcomes, None)
        if outcome is None:
            raise Refused("dealer.script_ended", number=number)
        return outcome


class Host:
    """A dealer with the randomness of the operating system, which nobody can predict."""

    def __init__(self) -> None:
        self.rnd = SystemRandom()

    def __call__(self, question: Chance[Any], table: Any, number: int) -> Answer:
        return question.sample(table, self.rnd)
