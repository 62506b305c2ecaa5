"""A board for any game that writes everything it is given on the page, word for word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine import notation
from engine.core import Entry, Question
from engine.values import TypedValue
from ui.boards import Context, Line
from ui.html.parts import button
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts, Value


def felt(ctx: Context) -> Node:
    known = [repr(ctx.view), repr(list(ctx.log)), repr(ctx.question), *sorted(ctx.picked), *sorted(ctx.unfolded)]
    words = [notation.text(ctx.game.WORDS, answer) for answer in ctx.answers]
    return h(
        "div.table.plain",
        None,
        h("p", {"data-home": True, "tabindex": -1}, ctx.name(ctx.viewer)),
        [h("p", {"key": n, "data-fly": fact}, fact) for n, fact in enumerate(known)],
        [button({"data-answer": w, "key": w}, w) for w in words],
    )


def status(ctx: Context) -> Sequence[Child]:
    return [repr(ctx.view)]


def tell(before: Any, entry: Entry, after: Any, asked: Question[Any]) -> Sequence[Line]:
    return [Line(entry[0], "refused.link.game", {"value": f"{entry} {before} {after}"})]


def rest_after(before: Any, entry: Entry, after: Any) -> int:
    return 0


def say_value(value: TypedValue) -> Value:
    return value.plain


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    return []


def score(ctx: Context, number: int) -> str:
    return repr(number)


def result(ctx: Context) -> Sequence[Node]:
    return [h("p", None, repr(ctx.view))]


def replace_board(patch: pytest.MonkeyPatch, game: str) -> None:
    """Makes this the board of the game, until the patch is undone."""
    import sys

    patch.setitem(sys.modules, f"ui.boards.{game}", sys.modules[__name__])
