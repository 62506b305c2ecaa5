"""A board for any game: the table in words, the answers as buttons. For games whose own board is not drawn yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import notation
from engine.core import Entry
from ui.boards import Context, Line
from ui.i18n import Texts
from ui.parts import button
from ui.tree import Child, Node, h


def felt(ctx: Context) -> Node:
    answers = [button(ctx.ask(*a), notation.text(ctx.game.WORDS, a)) for a in ctx.answers[:60]]
    return h(
        "div.table.plain",
        None,
        h("pre", None, "\n".join(ctx.game.lines(ctx.view))),
        h(
            "div.me.deco",
            None,
            h("p.q", {"data-home": True, "tabindex": "-1"}, ctx.question.key),
            h("div.acts", None, answers),
        ),
    )


def status(ctx: Context) -> Sequence[Child]:
    return ()


def tell(before: Any, entry: Entry, after: Any) -> Sequence[Line]:
    return ()


def beat(before: Any, entry: Entry, after: Any) -> int:
    return 300


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    return ()


def result(ctx: Context) -> Sequence[Node]:
    return ()
