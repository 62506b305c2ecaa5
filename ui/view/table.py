"""The screen of a running game: the top bar, the felt, the log, and the live region for screen readers."""

from __future__ import annotations

from ui.boards import Board, Context, board
from ui.edges import EDGES, edges, table_angle
from ui.html.parts import icon_button, seat_mark
from ui.html.tree import Child, Node, h
from ui.model import Model, Play
from ui.selectors import (
    asked,
    can_cover,
    context,
    curtain_seat,
    is_resting,
    undo_allowed,
    undo_seat,
)
from ui.text.i18n import Texts
from ui.view.curtain import curtain
from ui.view.log import log_panel, read_out


def table(model: Model, play: Play) -> Node:
    t, game_board = model.t, board(play.header.game)
    ctx = context(play, t)
    return h(
        "div.app",
        {"key": "table", "data-rail": "open" if model.log_open else "shut"},
        _bar(model, play, game_board, ctx),
        _felt(model, play, game_board.felt(ctx)),
        log_panel(model, play),
        h("div.vh", {"role": "log", "aria-live": "polite", "key": "heard"}, read_out(play, t)),
    )


def _felt(model: Model, play: Play, board_node: Node) -> Node:
    """The board and the curtain.

    If the device lies in the middle of the table, both are turned to the edge where the viewer sits, and the names
    of the seats stand at the edges.
    """
    t, in_middle = model.t, model.settings.top == "on"
    turn = h(
        "div.turn",
        {"key": "turn", "data-turned": table_angle(model.settings, play)},
        h("div.under", {"key": "under", "inert": curtain_seat(play) is not None}, board_node),
        curtain(play, t, handed_round=not in_middle),
    )
    edge_of_seat = edges(model.settings, len(play.header.chairs))
    margins = {f"--e{edge}": "34px" for edge in set(edge_of_seat)} if in_middle else {}
    return h(
        "main.felt",
        {"id": "main", "tabindex": "-1", "data-top": in_middle, **margins},
        h("div.ring", {"key": "ring"}, turn),
        [_edge(play, t, edge, edge_of_seat) for edge in sorted(set(edge_of_seat))] if in_middle else None,
    )


def _edge(play: Play, t: Texts, edge: int, edge_of_seat: tuple[int, ...]) -> Node:
    """The names of the seats at that edge. The style sheet turns them towards the people who sit there."""
    seats = [seat for seat, seat_edge in enumerate(edge_of_seat) if seat_edge == edge]
    if edge in (2, 3):
        seats.reverse()  # the seats run clockwise around the table; the names at these edges are turned
    chairs, asked_seat = play.header.chairs, asked(play.session)
    return h(
        "ul.edge",
        {"key": f"edge-{edge}", "data-edge": edge, "aria-label": t(f"top.{EDGES[edge]}")},
        [
            h(
                "li",
                {"key": seat, "class": "asked" if seat == asked_seat else None},
                seat_mark(chairs[seat], "dot"),
                h("b", None, chairs[seat].name),
            )
            for seat in seats
        ],
    )


def _bar(model: Model, play: Play, game_board: Board, ctx: Context) -> Node:
    t = model.t
    return h(
        "header.bar",
        None,
        h(
            "div.title",
            None,
            h("h1", None, t(f"game.{play.header.game}")),
            h("p.facts.lab", None, [h("span", {"key": n}, fact) for n, fact in enumerate(game_board.status(ctx))]),
        ),
        h("span.spacer"),
        _status_button(model, play),
        icon_button(
            "u-skip", t("table.skip"), {"data-do": "tap", "aria-disabled": not is_resting(play), "class": "skip"}
        ),
        icon_button("u-eye", t("curtain.cover"), {"data-do": "cover"}) if can_cover(play) else None,
        icon_button("u-undo", t("table.undo"), {"data-do": "undo", "aria-disabled": undo_seat(model) is None})
        if undo_allowed(model)
        else None,
        icon_button(
            "u-help", t("rules.open"), {"data-do": "dialog", "data-arg": "rules", "class": "how"}, t("rules.word")
        ),
        icon_button(
            "u-log",
            t("log.open"),
            {"data-do": "rail", "aria-expanded": model.log_open, "aria-controls": "rail"},
            t("log.word"),
        ),
        icon_button("u-menu", t("menu.title"), {"data-do": "dialog", "data-arg": "menu"}),
    )


def _status_button(model: Model, play: Play) -> Child:
    if play.remote is None or model.room is None:
        return None
    from ui.view.room.table import status_button

    return status_button(model, play)
