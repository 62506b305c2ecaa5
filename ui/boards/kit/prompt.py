"""The sentence of the question, in its place below the table."""

from __future__ import annotations

from typing import TypeAlias

from ui.boards import Context
from ui.boards.kit.seats import name_node
from ui.html.parts import sentence_node
from ui.html.tree import Child, Node, h

#: a question as it is shown: the sentence, and the buttons that answer it
Prompt: TypeAlias = tuple[list[Child], list[Node]]


def sentence_home(tag: str, sentence: Child, *, home: bool) -> Node:
    """Returns the element with the sentence of the question.

    `home`: it gets the focus when the focused control has disappeared; False while a sheet is open.
    """
    return h(tag, {"role": "status", "tabindex": -1, "data-home": home}, sentence_node(sentence))


def bold_name(ctx: Context, seat: int) -> Node:
    return name_node(ctx.chairs[seat], ctx.t)
