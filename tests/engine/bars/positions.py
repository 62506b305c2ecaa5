"""Nights of Razzia built by hand, in the words of the rule book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import GAMES, notation
from engine.bars import box
from engine.bars.rules import STILL
from engine.bars.table import Table
from engine.core import NATURE, Question
from engine.options import settle
from engine.session import Session

BARS = GAMES["bars"]
A, B, C, D, E, F, G, H = range(8)
CARD = {name: card for card, name in box.CARD_NAMES.items()}
BAR = {name: bar for bar, name in box.BAR_NAMES.items()}

Asked = Question[Table]


def start(seats: int, **options: Any) -> tuple[Table, Asked]:
    return BARS.new(seats, settle(BARS, seats, options))


def picked(
    names: Sequence[str],
    notes: Mapping[str, Sequence[int]],
    *,
    dealer: int = A,
    stock: int | None = None,
    **options: Any,
) -> tuple[Table, Asked]:
    """Everyone has picked the card named for it, notes lie on the bars; now the cards are to be shown.

    `stock` keeps only so many notes for later nights.
    """
    seats = len(names)
    t, _ = start(seats, **options)
    t.dealer = dealer
    t.picks = [CARD[name] for name in names]
    for card in t.picks:
        t.left.remove(card)
    t.hands = [[card, *(t.left.pop() for _ in range(4))] for card in t.picks]
    t.pile = len(t.left)
    for bar, values in notes.items():
        t.notes[BAR[bar]] = tuple(values)
        for value in values:
            t.stock.remove(value)
    if stock is not None:
        del t.stock[stock:]
    return t, STILL[0]


def shown(names: Sequence[str], notes: Mapping[str, Sequence[int]], **more: Any) -> tuple[Table, Asked]:
    """The same, and the cards have been shown."""
    t, question = picked(names, notes, **more)
    return t, play(t, question, f"reveal {' '.join(names)}")


def play(t: Table, question: Asked, *moves: str) -> Asked:
    """Carry out moves like `propose 20 -`, each through the law by the seat that is asked."""
    for text in moves:
        answer = notation.parse(BARS.WORDS, text)
        question.check(t, question.seat, answer)
        question = question.answer(t, question.seat, answer)
    return question


def beats(t: Table, question: Asked, *keys: str) -> tuple[Asked, list[str]]:
    """Let NATURE answer while the question is one of `keys`; gives what she said."""
    said = []
    while question.key in keys:
        answer = question.answers(t, NATURE)[0]
        said.append(notation.text(BARS.WORDS, answer))
        question = question.answer(t, NATURE, answer)
    return question, said


def night(t: Table, question: Asked) -> tuple[Asked, list[str]]:
    """Settle all bars nobody decides about, up to the next decision or the end of the night."""
    return beats(t, question, "bars.settle")


def texts(t: Table, question: Asked, seat: int | None = None) -> list[str]:
    """What the asked seat may answer."""
    asked = question.seat if seat is None else seat
    return [notation.text(BARS.WORDS, answer) for answer in question.answers(t, asked)]


def entries(session: Session) -> list[str]:
    """The log as text."""
    return [notation.text(BARS.WORDS, answer) for _, answer in session.log]


def keys(session: Session) -> list[str]:
    """The question each entry answered."""
    return [asked.key for asked in session.asked]
