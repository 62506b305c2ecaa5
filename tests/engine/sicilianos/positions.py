"""Sicilianos positions built by hand, in the words of the rule book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from engine import notation, sicilianos
from engine.core import NATURE, Beat, Question, Refused
from engine.options import settle
from engine.sicilianos import table as tables
from engine.sicilianos.box import COLOUR, NO_MONEY, Cards, with_note
from engine.sicilianos.rules import Turn, new
from engine.sicilianos.table import Table
from engine.sicilianos.words import CARD, COLOUR_WORDS, KIND

A, B, C, D = range(4)
COLOUR_OF = {name: colour for colour, name in COLOUR_WORDS.items()}


def cards(text: str) -> Cards:
    """Returns the cards of a text such as `"yellow-1 blue-8"`, sorted as in a hand."""
    return tuple(sorted(CARD.parse(word) for word in text.split()))


def card(word: str) -> int:
    return CARD.parse(word)


def table(*hands: str, dirty: Sequence[Sequence[int]] = (), **options: Any) -> Table:
    """Returns a table with these hands, dealt card by card. `dirty` are the notes of each seat, by default all ten."""
    t, _ = new(len(hands), settle(sicilianos, len(hands), options))
    for seat, hand in enumerate(hands):
        for one in cards(hand):
            tables.draw(t, COLOUR[one], seat, one)
    for seat, notes in enumerate(dirty):
        t.dirty[seat] = money(*notes)
    return t


def money(*notes: int) -> tuple[int, ...]:
    found = NO_MONEY
    for note in notes:
        found = with_note(found, note, 1)
    return found


def put_under(t: Table, text: str) -> None:
    """Puts cards openly under their piles, the last named at the very bottom."""
    for word in text.split():
        one = card(word)
        t.left[COLOUR[one]] = tables.without(t.left[COLOUR[one]], one)
        pile = t.piles[COLOUR[one]]
        t.piles[COLOUR[one]] = (*pile[1:], one)


def empty(t: Table, *names: str) -> None:
    """Removes whole piles from the table."""
    for name in names:
        t.piles[COLOUR_OF[name]] = ()
        t.left[COLOUR_OF[name]] = ()


def own(t: Table, seat: int, *businesses: str) -> None:
    """Gives a seat businesses such as `"yellow-laundry"`."""
    for business in businesses:
        name, _, kind = business.partition("-")
        colour = COLOUR_OF[name]
        t.founded[colour] += ((seat, sicilianos.result.kinds_left(t, colour), KIND.parse(kind)),)


def play(t: Table, question: Question[Table], *moves: tuple[int, str]) -> Question[Table]:
    """Carries out moves such as `(seat, "join blue-8 50")`, each checked. Beats are carried out in between.

    A beat may be named too, to test its outcome.
    """
    for seat, text in moves:
        answer = notation.parse(sicilianos.WORDS, text)
        while isinstance(question, Beat) and (seat != NATURE or question.outcome(t)[0] != answer[0]):
            question = beat(t, question)
        question.check(t, seat, answer)
        question = question.answer(t, seat, answer)
    return question


def beat(t: Table, question: Beat[Table]) -> Question[Table]:
    outcome = question.outcome(t)
    question.check(t, NATURE, outcome)
    return question.answer(t, NATURE, outcome)


def beats(t: Table, question: Question[Table]) -> Question[Table]:
    """Carries out all beats up to the next other question."""
    while isinstance(question, Beat):
        question = beat(t, question)
    return question


def turn(t: Table, seat: int, *moves: tuple[int, str]) -> Question[Table]:
    """Carries out a turn of `seat` and the moves that follow."""
    return play(t, Turn(seat, t.house.open_stake), *moves)


def war(t: Table, *moves: tuple[int, str]) -> Question[Table]:
    """Carries out a war from the first card on, and then all beats up to the next question."""
    return beats(t, turn(t, moves[0][0], *moves))


def texts(t: Table, question: Question[Table]) -> list[str]:
    """Returns the answers of the asked seat, as texts."""
    return [notation.text(sicilianos.WORDS, answer) for answer in question.answers(t, question.seat)]


def reason(t: Table, question: Question[Table], text: str, seat: int | None = None) -> str:
    """Returns the reason for which an answer is refused."""
    with pytest.raises(Refused) as caught:
        question.check(t, question.seat if seat is None else seat, notation.parse(sicilianos.WORDS, text))
    return caught.value.reason


def box_of(t: Table) -> Counter[int]:
    """Returns all family cards of the box."""
    return Counter(one for family in t.house.cards for one in family)
