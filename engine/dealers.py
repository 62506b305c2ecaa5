"""Where chance comes from: a seed, a script, or the machine's own randomness."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random, SystemRandom
from typing import Any

from engine.core import Answer, Chance, Refused


class Seeded:
    """The same deal for the same seed: the n-th chance entry depends on the seed, n and the table alone.

    Nothing is remembered between two calls, so a game taken up again goes on with the same deal.
    """

    def __init__(self, seed: str | int) -> None:
        self.seed = seed

    def __call__(self, question: Chance[Any], table: Any, number: int) -> Answer:
        return question.sample(table, Random(f"{self.seed}/{number}"))


class Scripted:
    """Outcomes laid down beforehand, in order; beats answer for themselves."""

    def __init__(self, outcomes: Iterable[Answer]) -> None:
        self.outcomes = iter(outcomes)

    def __call__(self, question: Chance[Any], table: Any, number: int) -> Answer:
        outcome = next(self.outcomes, None)
        if outcome is None:
            raise Refused("dealer.script_ended", number=number)
        return outcome


class Host:
    """The device's own randomness: what nobody can foretell, not even who deals."""

    def __init__(self) -> None:
        self.rnd = SystemRandom()

    def __call__(self, question: Chance[Any], table: Any, number: int) -> Answer:
        return question.sample(table, self.rnd)
