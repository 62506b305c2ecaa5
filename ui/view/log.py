"""The log of the game beside the table, and its latest lines as text for screen readers."""

from __future__ import annotations

from ui.boards import Line
from ui.boards.kit.lines import line_values, rich_line
from ui.html.parts import button, icon_button, seat_mark, symbol
from ui.html.tree import Child, Node, h
from ui.model import Model, Play
from ui.selectors import all_lines, undo_allowed, undo_seat
from ui.text.i18n import Texts
from ui.view.people import seat_list

LINES_SHOWN = (
    80  # the log shows this many of the latest lines, or up to half as many more; the record has the whole game
)


LINES_READ_OUT = 6


def log_panel(model: Model, play: Play) -> Node:
    t = model.t
    lines = all_lines(play)
    first = _first_shown(len(lines))
    rows = [_row(play, t, number, lines[number]) for number in range(first, len(lines))]
    return h(
        "aside.rail",
        {"id": "rail", "aria-label": t("log.word"), "hidden": not model.log_open},
        h(
            "header",
            None,
            h("h2.lab", None, t("log.word")),
            icon_button("u-close", t("log.close"), {"data-do": "rail"}),
        ),
        seat_list(play, t),
        h(
            "ol.log",
            {"key": f"from-{first}", "tabindex": "0", "aria-label": t("log.word"), "data-latest": True},
            rows,
        ),
        h(
            "div.raft",
            None,
            button({"data-do": "undo", "aria-disabled": undo_seat(model) is None}, symbol("u-undo"), t("table.undo")),
        )
        if undo_allowed(model)
        else None,
    )


def _first_shown(count: int) -> int:
    """Returns the number of the first line that is shown.

    Old lines are dropped rarely, and many at a time. The list is then built anew, so none of its lines has to move.
    """
    half = LINES_SHOWN // 2
    return max(0, (count - LINES_SHOWN) // half * half)


def _row(play: Play, t: Texts, number: int, line: Line) -> Node:
    """A line of the log. Its node is cached in `play.drawn` until the line or the language changes."""
    drawn = play.drawn_lines.get(number)
    if drawn is None or drawn[0] is not line or drawn[1] is not t:
        mark: Child = seat_mark(play.header.chairs[line.seat], "dot") if line.seat >= 0 else h("span.dot.none")
        node = h(
            "li",
            {"key": number, "class": "loud" if line.important else None},
            mark,
            h("span", None, rich_line(play.header.chairs, t, line)),
        )
        drawn = play.drawn_lines[number] = (line, t, node)
    return drawn[2]


def read_out(play: Play, t: Texts) -> list[Node]:
    """Returns the latest lines as text, keyed by number: a live region announces each new line once, in order."""
    lines, chairs = all_lines(play), play.header.chairs
    first = max(play.read_out_from, len(lines) - LINES_READ_OUT)
    return [h("p", {"key": n}, t(lines[n].key, **line_values(chairs, lines[n]))) for n in range(first, len(lines))]
