"""The log of the game beside the table, and its latest lines as text for screen readers."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ui.boards import Chair, Line
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
    rows = [_row(t, play.header.chairs, number, lines[number]) for number in range(first, len(lines))]
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


@lru_cache(maxsize=2 * LINES_SHOWN)
def _row(t: Texts, chairs: tuple[Chair, ...], number: int, line: Line) -> Node:
    """A line of the log. All lines that are shown fit into the cache, so a picture draws only the new ones."""
    mark: Child = seat_mark(chairs[line.seat], "dot") if line.seat >= 0 else h("span.dot.none")
    return h(
        "li",
        {"key": number, "class": "loud" if line.important else None},
        mark,
        h("span", None, rich_line(chairs, t, line)),
    )


def read_out(play: Play, t: Texts) -> list[Node]:
    """Returns the latest lines as text, keyed by number: a live region announces each new line once, in order."""
    lines = all_lines(play)
    chairs = [replace(chair, name=chair.spoken_name(t)) if chair.like else chair for chair in play.header.chairs]
    first = max(play.read_out_from, len(lines) - LINES_READ_OUT)
    return [h("p", {"key": n}, t(lines[n].key, **line_values(chairs, lines[n]))) for n in range(first, len(lines))]
