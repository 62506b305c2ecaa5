"""The result: the ranking, and where the points came from."""

from __future__ import annotations

from ui.boards import board
from ui.html.parts import button, seat_mark, symbol
from ui.html.tree import Child, Node, h
from ui.model import Model, Play
from ui.selectors import context
from ui.view.common import dialog


def result(model: Model, play: Play) -> Node:
    """The dialog at the end of a game: the ranking, and below it what the board adds."""
    t, session = model.t, play.session
    chairs, game_board, ctx = play.header.chairs, board(play.header.game), context(play, t)
    scores, winners = session.game.scores(session.table), session.game.winners(session.table)
    order = sorted(range(len(chairs)), key=lambda seat: (seat not in winners, -scores[seat]))
    title = t("result.won", who=chairs[winners[0]].name) if len(winners) == 1 else t("result.shared")
    ranks = [
        h(
            "li",
            {"key": seat, "class": "won" if seat in winners else None},
            seat_mark(chairs[seat]),
            h("b", None, chairs[seat].name, h("span.vh", None, t("result.winner")) if seat in winners else None),
            symbol("u-crown", kind="crown") if seat in winners else None,
            h("span.score", None, game_board.score(ctx, scores[seat])),
        )
        for seat in order
    ]
    return dialog(
        t,
        "result",
        title,
        h("ol.ranks", None, ranks),
        h("div.prose", None, *game_board.result(ctx)),
        footer=(
            _again(model, play),
            button({"data-do": "dialog.close"}, t("result.look")),
            button({"data-do": "leave"}, t("menu.leave")),
        ),
        kind="wide result",
    )


def _again(model: Model, play: Play) -> Child:
    """The control that starts another game. At a table by link only the opener can do that."""
    if play.remote is None:
        return button({"data-do": "again"}, model.t("result.again"), kind="pri")
    from ui.view.room import table as room_table

    return room_table.next_game_button(model)
