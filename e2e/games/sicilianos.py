"""Sicilianos: a short game, and the picks that its answers need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from engine.core import Answer

if TYPE_CHECKING:
    from e2e.playthrough import Control, PageTwin

SHORT_GAME = "play=sicilianos&seats=p,b1,b1&seed=w1282"


def picks(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    if answer[0] in ("war", "join", "add"):
        yield twin.toggle(f"k{answer[1]}.0")
    if answer[0] in ("war", "join"):
        yield twin.toggle(f"n{answer[2]}")


def hasten(answers: Sequence[Answer], rnd: Random) -> Answer | None:
    """Returns a war or an ally with a high note, which costs much."""
    laid = [answer for answer in answers if answer[0] in ("war", "join")]
    return max(laid, key=lambda answer: int(answer[2])) if laid and rnd.random() < 0.8 else None
