"""The ledger: the money each seat has won in each way, and for each sum the notes, night and bar behind it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bars.belief import purse
from engine.bars.table import WAYS_TO_WIN, Win
from engine.core import HIDDEN
from ui.boards import Context
from ui.boards.bars.cards import bar_name, bill
from ui.boards.bars.scene import LEDGER, SHEETS, Scene
from ui.boards.kit.ledger import cell, explanation, figure, points_class, row, table_parts
from ui.html.parts import for_screen_readers
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts


def over_the_table(ctx: Context, scene: Scene) -> Node | None:
    """Returns the sheet with the ledger if it lies over the table, otherwise None."""
    if not scene.sheet:
        return None
    return SHEETS.opened(ctx, LEDGER, ctx.t("bars.books"), ledger(ctx, scene), key=LEDGER)


def seats_shown(ctx: Context, scene: Scene) -> list[int]:
    """Returns the seats whose money may be shown to the viewer."""
    view, seats = ctx.view, range(len(ctx.chairs))
    if not view.house.money_hidden or view.over:
        return list(seats)
    return [seat for seat in seats if HIDDEN not in purse(view, scene.viewer, seat)]


def ledger(ctx: Context, scene: Scene) -> list[Node]:
    t, view = ctx.t, ctx.view
    seats = seats_shown(ctx, scene)
    rows: list[Child] = []
    for how in WAYS_TO_WIN:
        wins_by_seat = {seat: [win for win in view.wins if win[2] == seat and win[3] == how] for seat in seats}
        rows.append(_row(ctx, how, wins_by_seat))
        rows += [
            _explanation_row(ctx, how, seat, wins, columns=len(seats) + 1)
            for seat, wins in wins_by_seat.items()
            if f"how-{how}-{seat}" in ctx.unfolded
        ]
    totals = [cell(seat, t.number(view.money[seat])) for seat in seats]
    lost = sum(map(sum, view.notes)) if view.over else 0
    return [
        h(
            "table.ledger",
            {"key": "accounts", "--n": len(seats)},
            table_parts(ctx, seats, t("bars.books.how"), rows, row(None, t("bars.books.total"), totals)),
        ),
        h("p.hint", {"key": "hint"}, t("bars.books.hint")),
        *([h("p.hint", {"key": "lost"}, t("bars.books.lost", sum=t.number(lost)))] if lost else []),
        *([h("p.hint", {"key": "hidden"}, t("bars.books.hidden"))] if len(seats) < len(ctx.chairs) else []),
    ]


def _row(ctx: Context, how: str, wins_by_seat: dict[int, list[Win]]) -> Node:
    t, title = ctx.t, ctx.t(f"bars.how.{how}")
    cells = []
    for seat, wins in wins_by_seat.items():
        money = sum(sum(win[4]) for win in wins)
        label = t("bars.books.cell", who=ctx.name(seat), how=title, sum=t.number(money))
        shown = (h("span", {"aria-hidden": True}, t.number(money)), for_screen_readers(label))
        cells.append(figure(ctx, seat, "button.figure", f"how-{how}-{seat}", points_class(money), None, *shown))
    return row(how, title, cells)


def _explanation_row(ctx: Context, how: str, seat: int, wins: Sequence[Win], *, columns: int) -> Node:
    """The unfolded row below a way of winning: the notes behind a sum, and the rule."""
    t = ctx.t
    each = [
        h("li", {"key": n}, h("span", None, t("bars.books.where", night=night, bar=bar_name(t, bar))), _notes(t, notes))
        for n, (night, bar, _, _, notes) in enumerate(wins)
    ]
    heading = t("bars.books.of", who=ctx.name(seat), how=t(f"bars.how.{how}"))
    shown = h("ul.won-notes", None, each) if each else h("p", None, t("bars.books.none"))
    return explanation("tr.why", how, seat, columns, heading, shown, rule=t(f"bars.rule.{how}"))


def _notes(t: Texts, notes: Sequence[int]) -> Node:
    shown = [bill(t, note, {"key": n}) for n, note in enumerate(sorted(notes, reverse=True))]
    return h("span.slips", None, shown, for_screen_readers(t("bars.and").join(map(t.number, notes))))
