"""The element with everything on the felt."""

from __future__ import annotations

from collections.abc import Mapping

from ui.boards import Context
from ui.html.tree import Attr, Child, Node, h


def felt_frame(
    ctx: Context,
    tag: str,
    lower: str,
    sheet: Node | None,
    *children: Child,
    attrs: Mapping[str, Attr] | None = None,
) -> Node:
    """Returns everything on the felt as one element. While a sheet lies over the table, the rest is dimmed and inert.

    `lower` is the tag, with one class, of the element with the children; the class is its key.
    """
    return h(
        tag,
        {"data-seats": len(ctx.chairs), **(attrs or {}), "class": "dimmed" if sheet else None},
        h(lower, {"key": lower.partition(".")[2], "inert": sheet is not None}, children),
        sheet,
    )
