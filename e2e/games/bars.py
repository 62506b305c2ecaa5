"""Bars: a short game, and the picks that its answers need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.core import Answer

if TYPE_CHECKING:
    from e2e.playthrough import Control, PageTwin

SHORT_GAME = "play=bars&seats=p,p,b1,b1&seed=w74&first_dealer=chosen&notes=5:4,10:5,15:0,20:5,25:4,30:0,40:0,50:3"


def picks(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    if answer[0] == "pick":
        yield twin.toggle(f"card-{answer[1]}")
    if answer[0] != "propose":
        return
    question: Any = twin.session.question
    left = list(enumerate(sorted(twin.session.table.notes[question.bar], reverse=True)))
    for other, notes in zip(question.others, answer[1:], strict=True):
        for note in notes:
            place = next(each for each in left if each[1] == note)
            left.remove(place)
            own = f"bars-note-{place[0]}"
            yield twin.control(lambda node, own=own: node.attrs.get("id") == own, own)  # type: ignore[misc]
        if notes and len(question.others) > 1:
            to = 1 + question.others.index(other)
            here = [control for control in twin.controls() if control.node.key == "here"]
            yield here[to]
