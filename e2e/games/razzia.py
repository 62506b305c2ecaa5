"""Razzia!: a short game, and the picks that its answers need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from engine.core import Answer

if TYPE_CHECKING:
    from e2e.playthrough import Control, PageTwin

SHORT_GAME = (
    "play=razzia&seats=p,b1&seed=w201&deck="
    + "ring:2,watch:0,brooch:0,necklace:0,diamond:0,coin:3,thief:20,driver:2,car:4,bodyguard:4,casino:0,transport:0,"
    + "film:0,racetrack:0,estate:0,nightclub:0,restaurant:0,police:40"
)


def picks(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    if answer[0] == "thieves":
        for slot in answer[1:]:
            yield twin.toggle(str(slot + 1))
    if answer[0] == "call" and not any(twin.session.table.row):
        yield twin.toggle("call")


def hasten(answers: Sequence[Answer], rnd: Random) -> Answer | None:
    return ("draw",) if any(answer[0] == "draw" for answer in answers) and rnd.random() < 0.7 else None
