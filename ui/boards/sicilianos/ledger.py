"""The ledger as a table: the parts of every seat's sum. Each figure unfolds to its notes or businesses and the rule."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Line
from engine.sicilianos.box import CARDS, KINDS, Business
from engine.sicilianos.result import CATEGORIES, businesses_of, ledger, scores
from engine.sicilianos.table import NOBODY
from ui.boards import Context
from ui.boards.sicilianos.cards import business, family_name
from ui.html.parts import hidden, seat_mark
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


def books(ctx: Context, *, done: Sequence[str] = tuple(ROWS)) -> Node:
    """Draws all rows. Rows that are not in `done` are not counted yet and stay without figures."""
    lines = ledger(ctx.view)
    seats = range(len(ctx.chairs))
    body: list[Child] = []
    for row in ROWS:
        if row not in done:
            body.append(pending(ctx.t, row, len(seats)))
            continue
        body.append(counted(ctx, row, lines))
        body += [why(ctx, row, seat, lines) for seat in seats if f"sic-{row}-{seat}" in ctx.unfolded]
    return h(
        "table.acct",
        {"key": "books", "--n": len(seats)},
        h(
            "thead",
            None,
            h("tr", None, h("td", None, hidden(ctx.t("sicilianos.books.row"))), [head(ctx, s) for s in seats]),
        ),
        h("tbody", None, body),
        h("tfoot", None, total(ctx)),
    )


def head(ctx: Context, seat: int) -> Node:
    return h("th", {"scope": "col", "key": seat}, seat_mark(ctx.chairs[seat]), h("span", None, ctx.name(seat)))


def of(lines: Sequence[Line], row: str, seat: int) -> list[Line]:
    return [line for line in lines if line.seat == seat and line.category in ROWS[row]]


def counted(ctx: Context, row: str, lines: Sequence[Line]) -> Node:
    t, title = ctx.t, ctx.t(f"sicilianos.row.{row}")
    cells = []
    for seat in range(len(ctx.chairs)):
        points = sum(line.points for line in of(lines, row, seat))
        words = t("sicilianos.books.cell", who=ctx.name(seat), row=title, points=t.signed(points))
        attrs = {**ctx.unfold(f"sic-{row}-{seat}"), "aria-label": words}
        mark = "minus2" if points < 0 else None if points else "nil2"
        cells.append(h("td", {"key": seat}, h("button.fig", {**attrs, "class": mark}, t.signed(points))))
    return h("tr", {"key": row}, h("th", {"scope": "row"}, title), cells)


def pending(t: Texts, row: str, seats: int) -> Node:
    cells = [h("td", {"key": seat}, h("span.fig.nil2", {"aria-hidden": True}, "·")) for seat in range(seats)]
    return h("tr.open2", {"key": row}, h("th", {"scope": "row"}, t(f"sicilianos.row.{row}")), cells)


def total(ctx: Context) -> Node:
    t = ctx.t
    sums = scores(ctx.view)
    cells = [h("td", {"key": s, "class": "minus2" if n < 0 else None}, t.signed(n)) for s, n in enumerate(sums)]
    return h("tr", None, h("th", {"scope": "row"}, t("sicilianos.row.sum")), cells)


def why(ctx: Context, row: str, seat: int, lines: Sequence[Line]) -> Node:
    """Draws the notes or businesses that make up a figure, and the rule."""
    t, found = ctx.t, of(lines, row, seat)
    inside: Child
    if row in ("clean", "dirty"):
        inside = h("ul.notes3", None, [h("li", {"key": n}, in_war(t, line)) for n, line in enumerate(found)])
    else:
        cards = [business_of(card) for line in found for card in line.cards]
        inside = h("ul.shops3", None, [h("li", {"key": n}, business(t, *each)) for n, each in enumerate(cards)])
    return h(
        "tr.why3",
        {"key": f"why-{row}-{seat}"},
        h(
            "td",
            {"colspan": len(ctx.chairs) + 1},
            h("p", None, h("b", None, t("sicilianos.books.of", who=ctx.name(seat), row=t(f"sicilianos.row.{row}")))),
            inside if found else h("p", None, t("sicilianos.books.nothing")),
            h("p", None, t(f"sicilianos.rule.{row}")),
        ),
    )


def in_war(t: Texts, line: Line) -> str:
    """Describes a line of the ledger in words."""
    if line.category == "dirty":
        return t("sicilianos.line.dirty", n=sum(line.cards), sum=t.signed(line.points))
    notes = t("sicilianos.plus").join(map(t.number, line.cards))
    return t(f"sicilianos.line.{line.category}", n=line.round, notes=notes, sum=t.signed(line.points))


def owned_by_all(ctx: Context) -> Node:
    """Draws everybody's businesses, face up."""
    t = ctx.t
    rows = []
    for seat in range(len(ctx.chairs)):
        owned = businesses_of(ctx.view, seat)
        cards: Child = h("ul.shops3", None, [h("li", {"key": n}, business(t, *each)) for n, each in enumerate(owned)])
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
        return [h("section.sic-books.sicilianos", {"key": "books"}, books(ctx), owned_by_all(ctx))]
    (line,) = ledger(view)
    ruled = [business_of(card) for card in line.cards]
    family = family_name(t, ruled[0][0])
    return [
        h(
            "section.sic-books.sicilianos",
            {"key": "godfather"},
            h("p", None, t("sicilianos.result.godfather", who=ctx.name(view.godfather), family=family)),
            h("ul.shops3.large", None, [h("li", {"key": n}, business(t, *each)) for n, each in enumerate(ruled)]),
            h("p", None, t("sicilianos.result.others")),
            owned_by_all(ctx),
        )
    ]
