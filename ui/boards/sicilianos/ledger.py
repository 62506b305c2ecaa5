"""The ledger as a table: the parts of every seat's sum. Each figure unfolds to its notes or businesses and the rule."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import LedgerLine
from engine.sicilianos.box import CARDS, KINDS, Business
from engine.sicilianos.result import CATEGORIES, businesses_of, ledger, scores
from engine.sicilianos.table import NOBODY
from ui.boards import Context
from ui.boards.kit.ledger import cell, explanation, figure, pending_row, points_class, table_parts
from ui.boards.kit.ledger import row as table_row
from ui.boards.sicilianos.cards import business, family_name
from ui.html.parts import seat_mark
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts

#: each row of the table with the ledger categories that it sums up
ROWS: dict[str, tuple[str, ...]] = {
    "clean": ("washed",),
    "dirty": ("dirty", "stake"),
    **{category: (category,) for category in CATEGORIES},
}


def business_of(card: int) -> Business:
    """Returns the business that has this number among the cards of the box."""
    colour, kind = divmod(card - CARDS[-1] - 1, len(KINDS))
    return colour + 1, kind + 1


def ledger_table(ctx: Context, *, counted_rows: Sequence[str] = tuple(ROWS)) -> Node:
    """Draws all rows. Rows that are not in `done` are not counted yet and stay without figures."""
    lines = ledger(ctx.view)
    seats = range(len(ctx.chairs))
    body: list[Child] = []
    for row in ROWS:
        if row not in counted_rows:
            title = ctx.t(f"sicilianos.row.{row}")
            body.append(pending_row("pending", "span.figure.nil", row, title, len(seats)))
            continue
        body.append(counted_row(ctx, row, lines))
        body += [explanation_row(ctx, row, seat, lines) for seat in seats if f"sic-{row}-{seat}" in ctx.unfolded]
    return h(
        "table.ledger",
        {"key": "books", "--n": len(seats)},
        table_parts(ctx, seats, ctx.t("sicilianos.books.row"), body, total_row(ctx)),
    )


def lines_of(lines: Sequence[LedgerLine], row: str, seat: int) -> list[LedgerLine]:
    return [line for line in lines if line.seat == seat and line.category in ROWS[row]]


def counted_row(ctx: Context, row: str, lines: Sequence[LedgerLine]) -> Node:
    t, title = ctx.t, ctx.t(f"sicilianos.row.{row}")
    cells = []
    for seat in range(len(ctx.chairs)):
        points = sum(line.points for line in lines_of(lines, row, seat))
        label = t("sicilianos.books.cell", who=ctx.name(seat), row=title, points=t.signed(points))
        css_class = points_class(points)
        cells.append(figure(ctx, seat, "button.figure", f"sic-{row}-{seat}", css_class, label, t.signed(points)))
    return table_row(row, title, cells)


def total_row(ctx: Context) -> Node:
    t = ctx.t
    sums = scores(ctx.view)
    cells = [cell(seat, t.signed(n), kind="minus" if n < 0 else None) for seat, n in enumerate(sums)]
    return table_row(None, t("sicilianos.row.sum"), cells)


def explanation_row(ctx: Context, row: str, seat: int, lines: Sequence[LedgerLine]) -> Node:
    """Draws the notes or businesses that make up a figure, and the rule."""
    t, own_lines = ctx.t, lines_of(lines, row, seat)
    content: Child
    if row in ("clean", "dirty"):
        content = h(
            "ul.line-list", None, [h("li", {"key": n}, line_in_words(t, line)) for n, line in enumerate(own_lines)]
        )
    else:
        cards = [business_of(card) for line in own_lines for card in line.cards]
        content = h("ul.business-list", None, [h("li", {"key": n}, business(t, *each)) for n, each in enumerate(cards)])
    heading = t("sicilianos.books.of", who=ctx.name(seat), row=t(f"sicilianos.row.{row}"))
    shown = content if own_lines else h("p", None, t("sicilianos.books.nothing"))
    columns = len(ctx.chairs) + 1
    return explanation("tr.why", row, seat, columns, heading, shown, rule=t(f"sicilianos.rule.{row}"))


def line_in_words(t: Texts, line: LedgerLine) -> str:
    """Describes a line of the ledger in words."""
    if line.category == "dirty":
        return t("sicilianos.line.dirty", n=sum(line.cards), sum=t.signed(line.points))
    notes = t("sicilianos.plus").join(map(t.number, line.cards))
    return t(f"sicilianos.line.{line.category}", n=line.round, notes=notes, sum=t.signed(line.points))


def everybodys_businesses(ctx: Context) -> Node:
    """Draws everybody's businesses, face up."""
    t = ctx.t
    rows = []
    for seat in range(len(ctx.chairs)):
        owned = businesses_of(ctx.view, seat)
        cards: Child = h(
            "ul.business-list", None, [h("li", {"key": n}, business(t, *each)) for n, each in enumerate(owned)]
        )
        if not owned:
            cards = h("p.none", None, t("sicilianos.businesses.none"))
        rows.append(h("li", {"key": seat}, seat_mark(ctx.chairs[seat]), h("b", None, ctx.name(seat)), cards))
    return h("ul.owners", {"key": "owners", "aria-label": t("sicilianos.businesses")}, rows)


def score(ctx: Context, number: int) -> str:
    """Returns a final score in words; empty if there is a Godfather, because then nothing is summed."""
    summed = ctx.view.godfather == NOBODY
    return ctx.t("result.points", n=number, points=ctx.t.number(number)) if summed else ""


def result(ctx: Context) -> list[Node]:
    """Draws the Godfather's businesses or, without a Godfather, the ledger; below it everybody's businesses."""
    t, view = ctx.t, ctx.view
    if view.godfather == NOBODY:
        return [h("section.sic-books.sicilianos", {"key": "books"}, ledger_table(ctx), everybodys_businesses(ctx))]
    (line,) = ledger(view)
    businesses = [business_of(card) for card in line.cards]
    family = family_name(t, businesses[0][0])
    return [
        h(
            "section.sic-books.sicilianos",
            {"key": "godfather"},
            h("p", None, t("sicilianos.result.godfather", who=ctx.name(view.godfather), family=family)),
            h(
                "ul.business-list.large",
                None,
                [h("li", {"key": n}, business(t, *each)) for n, each in enumerate(businesses)],
            ),
            h("p", None, t("sicilianos.result.others")),
            everybodys_businesses(ctx),
        )
    ]
