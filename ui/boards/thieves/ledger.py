"""The ledger as a table: the origin of every point, or in a match of every gem. Each figure unfolds to its cards and
the rule."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import LedgerLine
from engine.thieves.box import AT_END, worth
from engine.thieves.score import COUNTED, ledger, scores
from ui.boards import Context
from ui.boards.kit.ledger import cell, explanation, figure, points_class, table_parts
from ui.boards.kit.ledger import row as table_row
from ui.boards.thieves.cards import count_by_kind, kind_name, tiny_card
from ui.html.tree import Child, Node, h


def score(ctx: Context, number: int) -> str:
    """Returns a final score in words: points, or gems in a match."""
    key = "thieves.result.gems" if ctx.view.house.match else "result.points"
    return ctx.t(key, n=number, points=ctx.t.number(number))


def result(ctx: Context) -> Sequence[Node]:
    """Draws the ledger: a row for each kind of loot, or for each game of a match, and a column for each seat."""
    t, view = ctx.t, ctx.view
    lines = {(_row_of(line, match=view.house.match), line.seat): line for line in ledger(view)}
    rows = [str(game) for game in range(1, len(view.results) + 1)] if view.house.match else list(COUNTED)
    seats = range(len(ctx.chairs))
    body: list[Child] = []
    for row in rows:
        body.append(_figures_row(ctx, row, [lines.get((row, seat)) for seat in seats]))
        body += [
            _explanation_row(ctx, row, seat, lines.get((row, seat)))
            for seat in seats
            if f"why-{row}-{seat}" in ctx.unfolded
        ]
    totals = [cell(seat, t.number(n)) for seat, n in enumerate(scores(view))]
    corner = t("thieves.ledger.row.game" if view.house.match else "thieves.ledger.row")
    foot = table_row(None, t("thieves.ledger.total"), totals)
    table = h("table.ledger", {"--n": len(seats)}, table_parts(ctx, seats, corner, body, foot))
    return [h("section.takings", None, table, h("p.hint", None, t("thieves.ledger.hint")))]


def _row_of(line: LedgerLine, *, match: bool) -> str:
    return str(line.round) if match else line.category


def row_title(ctx: Context, row: str) -> str:
    if ctx.view.house.match:
        return ctx.t("thieves.ledger.game", game=int(row))
    return ctx.t(f"thieves.category.{row}")


def _figures_row(ctx: Context, row: str, lines: Sequence[LedgerLine | None]) -> Node:
    t, name = ctx.t, row_title(ctx, row)
    cells = []
    for seat, line in enumerate(lines):
        n = line.points if line else 0
        label = t("thieves.ledger.cell", who=ctx.name(seat), row=name, points=n)
        cells.append(figure(ctx, seat, "button.figure", f"why-{row}-{seat}", points_class(n), label, t.number(n)))
    return table_row(row, name, cells)


def _explanation_row(ctx: Context, row: str, seat: int, line: LedgerLine | None) -> Node:
    """Draws the cards that make up a figure, and the rule."""
    t, view = ctx.t, ctx.view
    if view.house.match:
        cards = view.results[int(row) - 1].loot[seat]
        rule = t(f"thieves.rule.{line.category if line else 'nothing'}")
        heading = t("thieves.why.game", who=ctx.name(seat), n=worth(cards, AT_END))
    else:
        cards = line.cards if line else ()
        rule = t(f"thieves.rule.{row}")
        heading = t("thieves.why", who=ctx.name(seat), row=row_title(ctx, row), points=line.points if line else 0)
    shown = [
        h("li", {"key": n}, tiny_card(t, kind), h("span.vh", None, kind_name(t, kind)))
        for n, kind in enumerate(sorted(cards))
    ]
    content = (
        h("ul.chits", {"aria-label": count_by_kind(t, cards)}, shown) if shown else h("p", None, t("thieves.loot.none"))
    )
    return explanation("tr.why", row, seat, len(ctx.chairs) + 1, heading, content, rule=rule)
