"""The ledger: the points of every seat in every category, and for each figure the cards and the rule behind it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.razzia.rules import (
    AT_THE_END,
    EVERY_ROUND,
    Cards,
    Cheques,
    Score,
    Scored,
    Table,
    counted_cards,
    is_last_round,
)
from ui.boards import Context
from ui.boards.kit.ledger import cell, explanation, figure, pending_row, points_class, table_parts
from ui.boards.kit.ledger import row as table_row
from ui.boards.razzia.cards import count_by_kind, kind_name, small_cheque, tile
from ui.boards.razzia.scene import SHEETS
from ui.boards.razzia.valuation import CHEQUES
from ui.html.parts import button, for_screen_readers
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts


def ledger(
    ctx: Context,
    name: str,
    rows: Sequence[Scored],
    *,
    pending: Sequence[str] = (),
    total: bool = True,
    counting_up: bool = False,
) -> Node:
    """A table of categories and seats.

    `name` keeps what is unfolded in it apart from other tables. `pending` are categories that are still to be counted.
    `total` adds a row with the points of the whole game. `counting_up`: the points of the last row, and with them the
    sums, count up one by one.
    """
    t, seats = ctx.t, range(len(ctx.chairs))
    body: list[Child] = []
    for row in rows:
        body.append(_category_row(ctx, name, row, just_counted=counting_up and row is rows[-1]))
        body += [_explanation_row(ctx, row, seat) for seat in seats if _cell_id(name, row, seat) in ctx.unfolded]
    body += [
        pending_row("pending", "span.figure.nil", category, t(f"razzia.category.{category}"), len(seats))
        for category in pending
    ]
    new_points = rows[-1].points if counting_up and rows else (0,) * len(seats)
    foot = [_sum_row(t, "razzia.ledger.sum", [sum(row.points[seat] for row in rows) for seat in seats], new_points)]
    if total:
        foot.append(_sum_row(t, "razzia.ledger.total", ctx.view.points, new_points, signed=False))
    return h(
        "table.ledger",
        {"key": f"led-{name}", "--n": len(seats)},
        table_parts(ctx, seats, t("razzia.ledger.category"), body, foot),
    )


def _cell_id(name: str, row: Scored, seat: int) -> str:
    return f"{name}-{row.category}-{seat}"


def _category_row(ctx: Context, name: str, row: Scored, *, just_counted: bool) -> Node:
    t = ctx.t
    title = t(f"razzia.category.{row.category}")
    cells = [
        figure(
            ctx,
            seat,
            "button.figure",
            _cell_id(name, row, seat),
            points_class(points),
            t("razzia.ledger.cell", who=ctx.name(seat), category=title, points=t.signed(points)),
            count_up(t, points, points if just_counted else 0),
        )
        for seat, points in enumerate(row.points)
    ]
    return table_row(row.category, title, cells, "fresh" if just_counted else None)


def count_up(t: Texts, number: int, new_points: int, *, signed: bool = True) -> Child:
    """A number. If `new` points have just been added to it, it counts up (or down) by them.

    The numbers it passes then stand above it, hidden from screen readers; the style sheet moves them past.
    """
    format_number = t.signed if signed else t.number
    if not new_points:
        return format_number(number)
    steps = range(number - new_points, number, 1 if new_points > 0 else -1)
    passed = [h("i", {"key": n, "data-n": format_number(n)}) for n in steps]
    roll = h(
        "span.roll", {"--n": abs(new_points)}, h("span.past", {"aria-hidden": True}, passed), format_number(number)
    )
    return h("span.up", None, roll)


def _sum_row(t: Texts, label: str, numbers: Sequence[int], new_points: Sequence[int], *, signed: bool = True) -> Node:
    cells = [
        cell(seat, count_up(t, number, points, signed=signed), kind="minus" if number < 0 else None)
        for seat, (number, points) in enumerate(zip(numbers, new_points, strict=True))
    ]
    return table_row(label, t(label), cells)


def _explanation_row(ctx: Context, row: Scored, seat: int) -> Node:
    """The unfolded row below a category: the cards behind a seat's points, and the rule."""
    t = ctx.t
    cards = counted_cards(row.category, row.held[seat])
    words = t("razzia.why", who=ctx.name(seat), points=t.signed(row.points[seat]))
    shown: Child = explain_cheques(t, cards) if row.category == CHEQUES else explain_cards(t, cards)
    facts: Child = None
    if row.category in ("bodyguards", CHEQUES):
        numbers = [
            sum(held) if row.category == CHEQUES else len(counted_cards(row.category, held)) for held in row.held
        ]
        facts = h("p", None, _all_numbers(ctx, numbers, money=row.category == CHEQUES))
    columns = len(ctx.chairs) + 1
    return explanation("tr.why", row.category, seat, columns, words, shown, facts, rule=rule(t, row.category))


def _all_numbers(ctx: Context, numbers: Sequence[int], *, money: bool) -> str:
    """Returns the numbers of all seats in words, for a category in which they are compared."""
    t = ctx.t
    each = [
        t("razzia.compared", who=ctx.name(seat), number=t.money(number) if money else t.number(number))
        for seat, number in enumerate(numbers)
    ]
    return t("razzia.and").join(each)


def rule(t: Texts, category: str) -> str:
    return t(f"razzia.rule.{category}")


def explain_cards(t: Texts, cards: Cards) -> Node:
    held = count_by_kind(cards)
    kinds = [kind for kind in range(len(held)) if held[kind]]
    if not kinds:
        return h("p.held", None, t("razzia.none"))
    return h(
        "ul.held",
        None,
        [
            h(
                "li",
                {"key": kind},
                tile(kind),
                h("span", None, t("razzia.held", number=t.number(held[kind]), kind=kind_name(t, kind))),
            )
            for kind in kinds
        ],
    )


def explain_cheques(t: Texts, values: Cheques) -> Node:
    return h(
        "p.held",
        None,
        [h("span.one", {"key": value}, small_cheque(t, value), for_screen_readers(t.money(value))) for value in values],
    )


def scored_in_round(view: Table, number: int) -> list[Scored]:
    return [row for row in view.scored if row.round == number]


def still_to_count(ctx: Context, done: Sequence[Scored]) -> tuple[str, ...]:
    """Returns the categories of this round that are still to be counted."""
    if not isinstance(ctx.question, Score):
        return ()
    every = EVERY_ROUND + (AT_THE_END if is_last_round(ctx.view) else ())
    return every[len(done) :]


def counting_sheet(ctx: Context) -> Node:
    """The sheet of a round that is being counted. Its ledger grows row by row."""
    t, view = ctx.t, ctx.view
    done = scored_in_round(view, view.round)
    pending = still_to_count(ctx, done)
    key = "razzia.count.going" if pending else "razzia.count.done"
    after = t("razzia.count.result") if is_last_round(view) else t("razzia.count.go", round=view.round + 1)
    label = t("razzia.count.skip") if pending else after
    go_on = button({"data-do": "tap"}, label, kind="pri")
    return SHEETS.frame(
        "counting",
        SHEETS.header(t(key, round=view.round), go_on),
        ledger(ctx, f"r{view.round}", done, pending=pending, counting_up=True),
        h("p.hint", None, t("razzia.count.hint")),
        kind="razzia-books",
    )


def round_ledgers(ctx: Context) -> list[Node]:
    """Returns the ledgers of all rounds, the first round first."""
    t, view = ctx.t, ctx.view
    numbers = sorted({row.round for row in view.scored})
    return [
        h(
            "section.razzia-books",
            {"key": f"round-{number}", "aria-label": t("razzia.round", round=number)},
            h("h3", None, t("razzia.round", round=number)),
            ledger(ctx, f"r{number}", scored_in_round(view, number), total=number == numbers[-1]),
        )
        for number in numbers
    ]
