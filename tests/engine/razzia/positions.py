"""Razzia positions built by hand, in the words of the rule book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine import GAMES, notation
from engine.core import Question, Refused
from engine.options import settle
from engine.razzia.box import EMPTY, KINDS, NAMES, POLICE, SLOTS
from engine.razzia.rules import Table, Turn, new

RAZZIA = GAMES["razzia"]
KIND = {name: kind for kind, name in NAMES.items()}
HANDS_OF_FOUR = [(2, 6, 13), (3, 7, 12), (4, 8, 11), (5, 9, 10)]
A, B, C, D = range(4)


def counts(**cards: int) -> tuple[int, ...]:
    """Returns a family such as `counts(ring=2, car=1)`."""
    return tuple(cards.get(NAMES.get(kind, ""), 0) for kind in range(POLICE + 1))


def row(*names: str) -> list[int]:
    """Returns a row with loot in the first slots; `-` leaves one empty."""
    kinds = [EMPTY if name == "-" else KIND[name] for name in names]
    return kinds + [EMPTY] * (SLOTS - len(kinds))


def table(seats: int = 4, **changes: Any) -> Table:
    """Returns the table after the deal, with some things changed. Hands of four are those of the book's example."""
    options = {name: changes.pop(name) for name in [o.name for o in RAZZIA.OPTIONS] if name in changes}
    t, question = new(seats, settle(RAZZIA, seats, options))
    question.answer(t, -1, question.answers(t, -1)[0])
    for name, value in changes.items():
        setattr(t, name, value)
    return t


def play(t: Table, question: Question[Table], *moves: tuple[int, str]) -> Question[Table]:
    """Carries out moves such as `(seat, "offer 7")`, each checked; NATURE is -1."""
    for seat, text in moves:
        answer = notation.parse(RAZZIA.WORDS, text)
        question.check(t, seat, answer)
        question = question.answer(t, seat, answer)
    return question


def texts(t: Table, question: Question[Table]) -> list[str]:
    """Returns the answers of the asked seat, as texts."""
    return [notation.text(RAZZIA.WORDS, answer) for answer in question.answers(t, question.seat)]


def turn(t: Table, seat: int, *moves: tuple[int, str]) -> Question[Table]:
    """Carries out a turn of `seat` and the moves that follow."""
    return play(t, Turn(seat), *moves)


def reason(t: Table, question: Question[Table], seat: int, *answer: object) -> tuple[str, dict[str, object]]:
    """Returns the reason and the values with which an answer is refused."""
    with pytest.raises(Refused) as caught:
        question.check(t, seat, answer)
    return caught.value.reason, caught.value.values


def deck(**cards: int) -> list[int]:
    """Returns the cards left in the deck."""
    return list(counts(**cards))


def families(*held: dict[str, int]) -> list[tuple[int, ...]]:
    return [counts(**cards) for cards in held]


def points(function: Any, families: Sequence[dict[str, int]]) -> list[int]:
    return list(function([counts(**cards) for cards in families]))


__all__ = ["HANDS_OF_FOUR", "KINDS", "RAZZIA", "A", "B", "C", "D"]
__all__ += ["counts", "deck", "families", "play", "points", "reason", "row", "table", "texts", "turn"]
