"""The ledger: the points of every seat in every category, and for each figure the cards and the rule behind it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.razzia.rules import AT_THE_END, EVERY_ROUND, Cards, Score, Scored, Table, cards_of, is_last
from ui.boards import Context
from ui.boards.razzia.cards import counts, kind_name, small_cheque, tile
from ui.boards.razzia.worth import CHEQUES
from ui.html.parts import button, hidden, seat_mark
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts


def ledger(
    ctx: Context,
    name: str,
    rows: Sequence[Scored],
    *,
    pending: Sequence[str] = (),
    total: bool = True,
    rising: bool = False,
) -> Node:
    """A table of categories and seats.

    `name` keeps what is unfolded in it apart from other tables. `pending` are categories that are still to be counted.
    `total` adds a row with the points of the whole game. `rising`: the points of the last row, and with them the sums,
    count up one by one.
    """
    t, seats = ctx.t, range(len(ctx.chairs))
    body: list[Child] = []
    for row in rows:
        body.append(_counted(ctx, name, row, fresh=rising and row is rows[-1]))
        body += [_why(ctx, row, seat) for seat in seats if _id(name, row, seat) in ctx.unfolded]
    body += [_pending(t, category, len(seats)) for category in pending]
    new = rows[-1].points if rising and rows else (0,) * len(seats)
    foot = [_sum(t, "razzia.ledger.sum", [sum(row.points[seat] for row in rows) for seat in seats], new)]
    if total:
        foot.append(_sum(t, "razzia.ledger.total", ctx.view.points, new, signed=False))
    corner = h("td", None, hidden(t("razzia.ledger.category")))
    return h(
        "table.led",
        {"key": f"led-{name}", "--n": len(seats)},
        h("thead", None, h("tr", None, corner, [_head(ctx, seat) for seat in seats])),
        h("tbody", None, body),
        h("tfoot", None, foot),
    )


def _id(name: str, row: Scored, seat: int) -> str:
    return f"{name}-{row.category}-{seat}"


def _head(ctx: Context, seat: int) -> Node:
    return h("th", {"scope": "col", "key": seat}, seat_mark(ctx.chairs[seat]), h("span", None, ctx.name(seat)))


def _counted(ctx: Context, name: str, row: Scored, *, fresh: bool) -> Node:
    t = ctx.t
    title = t(f"razzia.category.{row.category}")
    cells = [
        h(
            "td",
            {"key": seat},
            h(
                "button.pt",
                {
                    **ctx.unfold(_id(name, row, seat)),
                    "class": "minus" if points < 0 else "nil" if points == 0 else None,
                    "aria-label": t("razzia.ledger.cell", who=ctx.name(seat), category=title, points=t.signed(points)),
                },
                rising(t, points, points if fresh else 0),
            ),
        )
        for seat, points in enumerate(row.points)
    ]
    attrs = {"key": row.category, "class": "fresh" if fresh else None}
    return h("tr", attrs, h("th", {"scope": "row"}, title), cells)


def rising(t: Texts, number: int, new: int, *, signed: bool = True) -> Child:
    """A number. If `new` points have just been added to it, it counts up (or down) by them.

    The numbers it passes then stand above it, hidden from screen readers; the style sheet moves them past.
    """
    say = t.signed if signed else t.number
    if not new:
        return say(number)
    steps = range(number - new, number, 1 if new > 0 else -1)
    past = [h("i", {"key": n, "data-n": say(n)}) for n in steps]
    roll = h("span.roll", {"--n": abs(new)}, h("span.past", {"aria-hidden": True}, past), say(number))
    return h("span.up", None, roll)


def _pending(t: Texts, category: str, seats: int) -> Node:
    """The row of a category that is still to be counted."""
    cells = [h("td", {"key": seat}, h("span.pt.nil", {"aria-hidden": True}, "·")) for seat in range(seats)]
    return h("tr.pending", {"key": category}, h("th", {"scope": "row"}, t(f"razzia.category.{category}")), cells)


def _sum(t: Texts, label: str, numbers: Sequence[int], new: Sequence[int], *, signed: bool = True) -> Node:
    cells = [
        h(
            "td",
            {"key": seat, "class": "minus" if number < 0 else None},
            rising(t, number, points, signed=signed),
        )
        for seat, (number, points) in enumerate(zip(numbers, new, strict=True))
    ]
    return h("tr", {"key": label}, h("th", {"scope": "row"}, t(label)), cells)


def _why(ctx: Context, row: Scored, seat: int) -> Node:
    """The unfolded row below a category: the cards behind a seat's points, and the rule."""
    t = ctx.t
    cards = cards_of(row.category, row.held[seat])
    words = t("razzia.why", who=ctx.name(seat), points=t.signed(row.points[seat]))
    shown: Child = why_cheques(t, cards) if row.category == CHEQUES else why_cards(t, cards)
    facts: Child = None
    if row.category in ("bodyguards", CHEQUES):
        numbers = [sum(held) if row.category == CHEQUES else len(cards_of(row.category, held)) for held in row.held]
        facts = h("p", None, _compared(ctx, numbers, money=row.category == CHEQUES))
    return h(
        "tr.why",
        {"key": f"why-{row.category}-{seat}"},
        h(
            "td",
            {"colspan": len(ctx.chairs) + 1},
            h("p", None, h("b", None, words)),
            shown,
            facts,
            h("p", None, rule(t, row.category)),
        ),
    )


def _compared(ctx: Context, numbers: Sequence[int], *, money: bool) -> str:
    """Returns the numbers of all seats in words, for a category in which they are compared."""
    t = ctx.t
    each = [
        t("razzia.compared", who=ctx.name(seat), number=t.money(number) if money else t.number(number))
        for seat, number in enumerate(numbers)
    ]
    return t("razzia.and").join(each)


def rule(t: Texts, category: str) -> str:
    return t(f"razzia.rule.{category}")


def why_cards(t: Texts, cards: Cards) -> Node:
    held = counts(cards)
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


def why_cheques(t: Texts, values: Cards) -> Node:
    return h(
        "p.held",
        None,
        [h("span.one", {"key": value}, small_cheque(t, value), hidden(t.money(value))) for value in values],
    )


def round_of(view: Table, number: int) -> list[Scored]:
    return [row for row in view.scored if row.round == number]


def still_to_count(ctx: Context, done: Sequence[Scored]) -> tuple[str, ...]:
    """Returns the categories of this round that are still to be counted."""
    if not isinstance(ctx.question, Score):
        return ()
    every = EVERY_ROUND + (AT_THE_END if is_last(ctx.view) else ())
    return every[len(done) :]


def counting(ctx: Context) -> Node:
    """The sheet of a round that is being counted. Its ledger grows row by row."""
    t, view = ctx.t, ctx.view
    done = round_of(view, view.round)
    pending = still_to_count(ctx, done)
    key = "razzia.count.going" if pending else "razzia.count.done"
    after = t("razzia.count.result") if is_last(view) else t("razzia.count.go", round=view.round + 1)
    word = t("razzia.count.skip") if pending else after
    go_on = button({"data-do": "tap"}, word, kind="pri")
    return h(
        "section.sheet.razzia-books",
        {"key": "counting", "aria-labelledby": "razzia-sheet"},
        h(
            "header",
            None,
            h("h2", {"id": "razzia-sheet", "tabindex": -1, "data-home": True}, t(key, round=view.round)),
            go_on,
        ),
        ledger(ctx, f"r{view.round}", done, pending=pending, rising=True),
        h("p.hint", None, t("razzia.count.hint")),
    )


def rounds(ctx: Context) -> list[Node]:
    """Returns the ledgers of all rounds, the first round first."""
    t, view = ctx.t, ctx.view
    numbers = sorted({row.round for row in view.scored})
    return [
        h(
            "section.razzia-books",
            {"key": f"round-{number}", "aria-label": t("razzia.round", round=number)},
            h("h3", None, t("razzia.round", round=number)),
            ledger(ctx, f"r{number}", round_of(view, number), total=number == numbers[-1]),
        )
        for number in numbers
    ]
