"""The ledger: a table with a row for each category and a column for each seat. Its figures unfold to explanations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ui.boards import Context
from ui.html.parts import for_screen_readers, seat_mark
from ui.html.tree import Attr, Child, Node, h


def table_parts(ctx: Context, seats: Iterable[int], corner: str, rows: Child, foot: Child) -> list[Node]:
    """Returns what is in the table. `corner`: the head of the first column, for screen readers."""
    return [
        h("thead", None, h("tr", None, h("td", None, for_screen_readers(corner)), seat_heads(ctx, seats))),
        h("tbody", None, rows),
        h("tfoot", None, foot),
    ]


def seat_heads(ctx: Context, seats: Iterable[int]) -> list[Node]:
    return [
        h("th", {"scope": "col", "key": seat}, seat_mark(ctx.chairs[seat]), h("span", None, ctx.name(seat)))
        for seat in seats
    ]


def row(key: str | None, title: str, cells: Sequence[Node], kind: str | None = None) -> Node:
    """Returns a row of the table. `kind`: its class."""
    return h("tr", {"key": key, "class": kind}, h("th", {"scope": "row"}, title), cells)


def cell(seat: int, *children: Child, kind: str | None = None) -> Node:
    return h("td", {"key": seat, "class": kind}, children)


def figure(ctx: Context, seat: int, tag: str, name: str, kind: str | None, label: str | None, *shown: Child) -> Node:
    """Returns a cell with a button that unfolds `name`, the explanation of its figure. `kind`: the button's class."""
    attrs: dict[str, Attr] = {**ctx.unfold_attrs(name), "class": kind, "aria-label": label}
    return cell(seat, h(tag, attrs, shown))


def pending_row(kind: str, figure_tag: str, key: str, title: str, seats: int) -> Node:
    """Returns the row of a category that is still to be counted, of class `kind`."""
    return row(key, title, [cell(n, h(figure_tag, {"aria-hidden": True}, "·")) for n in range(seats)], kind)


def explanation(tag: str, category: str, seat: int, columns: int, heading: str, *body: Child, rule: str) -> Node:
    """Returns the row below a category that explains the figure of one seat, and ends with the rule."""
    return h(
        tag,
        {"key": f"why-{category}-{seat}"},
        h("td", {"colspan": columns}, h("p", None, h("b", None, heading)), body, h("p", None, rule)),
    )


def points_class(points: int) -> str | None:
    return "minus" if points < 0 else None if points else "nil"
