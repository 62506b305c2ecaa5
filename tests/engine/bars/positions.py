"""Nights of Razzia built by hand, in the words of the rule book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import GAMES, notation
from engine.bars import box
from engine.bars.rules import Reveal
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
    """Returns a night in which each seat has chosen the named card and notes lie in the bars, before the reveal.

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
    return t, Reveal()


def shown(names: Sequence[str], notes: Mapping[str, Sequence[int]], **more: Any) -> tuple[Table, Asked]:
    """Returns the same night after the reveal."""
    t, question = picked(names, notes, **more)
    return t, play(t, question, f"reveal {' '.join(names)}")


def play(t: Table, question: Asked, *moves: str) -> Asked:
    """Carries out moves such as `propose 20 -` of the asked seat, each checked."""
    for text in moves:
        answer = notation.parse(BARS.WORDS, text)
        question.check(t, question.seat, answer)
        question = question.answer(t, question.seat, answer)
    return question


def beats(t: Table, question: Asked, *keys: str) -> tuple[Asked, list[str]]:
    """Lets NATURE answer while the question is one of `keys`. Returns these answers as texts."""
    said = []
    while question.key in keys:
        answer = question.answers(t, NATURE)[0]
        said.append(notation.text(BARS.WORDS, answer))
        question = question.answer(t, NATURE, answer)
    return question, said


def night(t: Table, question: Asked) -> tuple[Asked, list[str]]:
    """Settles all bars without a split, up to the next decision or the end of the night."""
    return beats(t, question, "bars.settle")


def texts(t: Table, question: Asked, seat: int | None = None) -> list[str]:
    """Returns the answers of the asked seat, as texts."""
    asked = question.seat if seat is None else seat
    return [notation.text(BARS.WORDS, answer) for answer in question.answers(t, asked)]


def entries(session: Session) -> list[str]:
    """Returns the log as texts."""
    return [notation.text(BARS.WORDS, answer) for _, answer in session.log]


def keys(session: Session) -> list[str]:
    """Returns the key of the question of each entry."""
    return [asked.key for asked in session.asked]
