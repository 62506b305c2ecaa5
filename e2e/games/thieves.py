"""Thieves!: a short game, and the picks that its answers need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core import Answer
from engine.thieves.cards import ACTION, CardPlay

if TYPE_CHECKING:
    from e2e.playthrough import Control, PageTwin

SHORT_GAME = "play=thieves&seats=p,b1,b1&seed=w650&deck=getaway:14&alarm=one_each&thief=may_let_go"


def picks(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    question = twin.session.question
    if isinstance(question, CardPlay):
        kind = ACTION.get(answer[0], answer[1] if len(answer) > 1 else 0)
        yield twin.toggle(f"card={question.cards(twin.session.table).index(kind)}")
    elif answer[0] == "take":
        yield twin.toggle(f"take={answer[1]}.{answer[2]}")
