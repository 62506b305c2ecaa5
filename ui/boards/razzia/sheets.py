"""Sheets that lie over the table: a family, the worth of the row, the scores, and the end of a round."""

from __future__ import annotations

from engine.razzia.box import POLICE
from engine.razzia.rules import EVERY_ROUND, Score
from ui.boards import Context
from ui.boards.kit.ledger import cell, points_class, row, seat_heads
from ui.boards.razzia.cards import GROUPS, face, kind_name, names_in_words, tile
from ui.boards.razzia.ledger import counting_sheet, ledger, round_ledgers, rule, scored_in_round
from ui.boards.razzia.scene import SHEETS, Scene
from ui.boards.razzia.seats import cheques_of
from ui.boards.razzia.valuation import COUNTS, END_CATEGORIES, gains, group_points, score_if_ended
from ui.html.parts import seat_mark
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts


def over_the_table(ctx: Context, scene: Scene) -> Node | None:
    """Returns the sheet that lies over the table now, or None."""
    if scene.counting:
        first = isinstance(ctx.question, Score) and not scored_in_round(ctx.view, ctx.view.round)
        return round_end(ctx) if first else counting_sheet(ctx)
    name, _, seat = scene.sheet.partition("-")
    if name == "scores":
        return scores(ctx, scene)
    if name == "worth":
        return row_worth(ctx)
    return family(ctx, scene, int(seat)) if name == "family" else None


def round_end(ctx: Context) -> Node:
    """Announces the end of a round: a raid, no more cards, or no more cheques."""
    t, view = ctx.t, ctx.view
    raid = view.police >= view.raid_at
    if raid:
        reason = t("razzia.raid.why", police=view.police)
    elif not any(view.deck_counts):
        reason = t("razzia.over.deck")
    else:
        reason = t("razzia.over.cheques")
    return SHEETS.frame(
        "end",
        h("span.siren", {"aria-hidden": True}) if raid else None,
        SHEETS.title(t("razzia.raid" if raid else "razzia.over")),
        h("p", None, reason),
        h("ul.tiles", {"aria-hidden": True}, [h("li", {"key": n}, tile(POLICE)) for n in range(view.police)])
        if raid
        else None,
        kind="splash raid" if raid else "splash",
    )


def scores(ctx: Context, scene: Scene) -> Node:
    """The scores: this round as it would be counted now, then the rounds before it, the latest first."""
    t, view = ctx.t, ctx.view
    body: list[Child] = []
    if ctx.asked is not None:
        expected = score_if_ended(view, with_cheques=not scene.spent_hidden)
        body.append(
            h(
                "section.razzia-books",
                {"key": "now", "aria-label": t("razzia.scores.now", round=view.round)},
                h("h3", None, t("razzia.scores.now", round=view.round)),
                ledger(ctx, "now", expected, total=False),
            )
        )
    return SHEETS.opened(ctx, "scores", t("razzia.scores"), body, reversed(round_ledgers(ctx)))


def row_worth(ctx: Context) -> Node:
    """The points that the row would bring each seat, category by category."""
    t, view = ctx.t, ctx.view
    seats = range(len(ctx.chairs))
    gains_by_seat = [gains(view.family, seat, view.row) for seat in seats]
    lying = [kind for kind in view.row if kind]

    def line(category: str) -> Node:
        points = [gains_by_seat[seat][category] for seat in seats]
        cells = [cell(seat, t.signed(each), kind=points_class(each)) for seat, each in enumerate(points)]
        return row(category, t(f"razzia.category.{category}"), cells)

    def total(label: str, categories: tuple[str, ...]) -> Node:
        sums = [sum(gains_by_seat[seat][category] for category in categories) for seat in seats]
        cells = [cell(seat, h("b", None, t.signed(each)), kind=points_class(each)) for seat, each in enumerate(sums)]
        return row(label, t(label), cells, "sum")

    table = h(
        "table.ledger",
        {"--n": len(seats)},
        h("thead", None, h("tr", None, h("td"), seat_heads(ctx, seats))),
        h("tbody", None, [line(c) for c in EVERY_ROUND], total("razzia.worth.now", EVERY_ROUND)),
        h("tbody", None, [line(c) for c in END_CATEGORIES], total("razzia.worth.end", END_CATEGORIES)),
    )
    loot: Child = h(
        "ul.loot",
        {"aria-label": names_in_words(t, lying)},
        [h("li", {"key": n}, face(t, k)) for n, k in enumerate(lying)],
    )
    if not lying:
        loot = h("p", None, t("razzia.row.empty"))
    return SHEETS.opened(
        ctx,
        "worth",
        t("razzia.worth"),
        loot,
        h("div.razzia-books", None, table),
        h("p.hint", None, t("razzia.worth.hint")),
    )


def family(ctx: Context, scene: Scene, seat: int) -> Node:
    """A seat's family, group by group: the cards, their points now and with one more card, and the rule."""
    t, view = ctx.t, ctx.view
    title = h(
        "span.title", None, seat_mark(ctx.chairs[seat]), h("span", None, t("razzia.family.title", who=ctx.name(seat)))
    )
    rows: list[Child] = []
    for group in group_points(tuple(view.family), seat):
        kinds = [kind for kind in GROUPS[group.group] if view.family[seat][kind]]
        piles = [
            h(
                "li",
                {"key": kind},
                face(t, kind),
                h("span.pile-name", {"aria-hidden": True}, name_and_count(t, kind, view.family[seat][kind])),
            )
            for kind in kinds
        ]
        categories = COUNTS[group.group][0]
        rows.append(
            h(
                "li",
                {"key": group.group},
                h("h3", None, t(f"razzia.group.{group.group}")),
                h(
                    "p.nums",
                    None,
                    t.rich(
                        "razzia.set.both",
                        now=h("b", None, t.signed(group.points)),
                        more=h("b", None, t.signed(group.gain)),
                    ),
                ),
                h("ul.piles", None, piles) if piles else h("p.none", None, t("razzia.none")),
                h("p.rule", None, [f"{rule(t, category)} " for category in categories]),
            )
        )
    cheques = cheques_of(ctx, scene, seat, shown=False)
    return SHEETS.opened(ctx, f"family-{seat}", title, cheques, h("ul.sets", None, rows))


def name_and_count(t: Texts, kind: int, count: int) -> str:
    """Returns the name of a card, with the number of cards if there is more than one."""
    return t("razzia.held", number=t.number(count), kind=kind_name(t, kind)) if count > 1 else kind_name(t, kind)
