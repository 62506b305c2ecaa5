"""The ledger: the money each seat has won in each way, and for each sum the notes, night and bar behind it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bars.belief import purse
from engine.bars.table import WAYS_TO_WIN, Win
from engine.core import HIDDEN
from ui.boards import Context
from ui.boards.bars.cards import bar_name, bill
from ui.boards.bars.scene import LEDGER, Scene, ledger_control
from ui.html.parts import for_screen_readers, icon_button, seat_mark
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts


def over_the_table(ctx: Context, scene: Scene) -> Node | None:
    """Returns the sheet with the ledger if it lies over the table, otherwise None."""
    if not scene.ledger_open:
        return None
    t = ctx.t
    close = {**ledger_control(ctx, scene, way_out=True), "key": "close"}
    return h(
        "section.leaf",
        {"key": LEDGER, "aria-labelledby": "bars-leaf"},
        h(
            "header",
            None,
            h("h2", {"id": "bars-leaf", "tabindex": -1, "data-home": True}, t("bars.books")),
            icon_button("u-close", t("bars.close"), close),
        ),
        ledger(ctx, scene),
    )


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
    totals = [h("td", {"key": seat}, t.number(view.money[seat])) for seat in seats]
    lost = sum(map(sum, view.notes)) if view.over else 0
    return [
        h(
            "table.accounts",
            {"key": "accounts", "--n": len(seats)},
            h(
                "thead",
                None,
                h(
                    "tr",
                    None,
                    h("td", None, for_screen_readers(t("bars.books.how"))),
                    [_head(ctx, seat) for seat in seats],
                ),
            ),
            h("tbody", None, rows),
            h("tfoot", None, h("tr", None, h("th", {"scope": "row"}, t("bars.books.total")), totals)),
        ),
        h("p.hint2", {"key": "hint"}, t("bars.books.hint")),
        *([h("p.hint2", {"key": "lost"}, t("bars.books.lost", sum=t.number(lost)))] if lost else []),
        *([h("p.hint2", {"key": "hidden"}, t("bars.books.hidden"))] if len(seats) < len(ctx.chairs) else []),
    ]


def _head(ctx: Context, seat: int) -> Node:
    return h("th", {"scope": "col", "key": seat}, seat_mark(ctx.chairs[seat]), h("span", None, ctx.name(seat)))


def _row(ctx: Context, how: str, wins_by_seat: dict[int, list[Win]]) -> Node:
    t, title = ctx.t, ctx.t(f"bars.how.{how}")
    cells = []
    for seat, wins in wins_by_seat.items():
        money = sum(sum(win[4]) for win in wins)
        label = t("bars.books.cell", who=ctx.name(seat), how=title, sum=t.number(money))
        attrs = {**ctx.unfold_attrs(f"how-{how}-{seat}"), "class": None if money else "nil"}
        cells.append(
            h(
                "td",
                {"key": seat},
                h("button.cash", attrs, h("span", {"aria-hidden": True}, t.number(money)), for_screen_readers(label)),
            )
        )
    return h("tr", {"key": how}, h("th", {"scope": "row"}, title), cells)


def _explanation_row(ctx: Context, how: str, seat: int, wins: Sequence[Win], *, columns: int) -> Node:
    """The unfolded row below a way of winning: the notes behind a sum, and the rule."""
    t = ctx.t
    each = [
        h("li", {"key": n}, h("span", None, t("bars.books.where", night=night, bar=bar_name(t, bar))), _notes(t, notes))
        for n, (night, bar, _, _, notes) in enumerate(wins)
    ]
    return h(
        "tr.because",
        {"key": f"why-{how}-{seat}"},
        h(
            "td",
            {"colspan": columns},
            h("p", None, h("b", None, t("bars.books.of", who=ctx.name(seat), how=t(f"bars.how.{how}")))),
            h("ul.won2", None, each) if each else h("p", None, t("bars.books.none")),
            h("p", None, t(f"bars.rule.{how}")),
        ),
    )


def _notes(t: Texts, notes: Sequence[int]) -> Node:
    shown = [bill(t, note, {"key": n}) for n, note in enumerate(sorted(notes, reverse=True))]
    return h("span.slips", None, shown, for_screen_readers(t("bars.and").join(map(t.number, notes))))
