"""The sheets over the table: the raid, the end, the count of a game in a match, and the loot of a seat in detail."""

from __future__ import annotations

from engine.thieves.box import AT_END, AT_RAID, CARS, GETAWAY, LAST_GETAWAY
from engine.thieves.raid import Caught, Raid
from engine.thieves.rules import Count, Gems
from engine.thieves.score import gems
from engine.thieves.table import loot_kinds, police_cars, richest
from ui.boards import Context
from ui.boards.thieves.cards import tiny_card
from ui.boards.thieves.scene import SHEETS, Scene
from ui.boards.thieves.seats import loot_card
from ui.html.parts import button, for_screen_readers, icon, seat_mark
from ui.html.tree import Child, Node, h


def over_the_table(ctx: Context, scene: Scene) -> Node | None:
    """Draws the open sheet; returns None if none is open."""
    match ctx.question:
        case Raid():
            return raid_announcement(ctx, scene)
        case Caught():
            return caught_sheet(ctx, scene)
        case Count():
            return end_announcement(ctx)
        case Gems():
            return count_sheet(ctx, scene)
    name, _, seat = scene.sheet.partition("-")
    return loot_sheet(ctx, scene, int(seat)) if name == "loot" else None


def announcement(ctx: Context, kind: str, title: str, why: str, pictures: list[Node]) -> Node:
    """Draws the announcement of a big event: a raid, or the end of the game."""
    return SHEETS.frame(
        kind,
        h("span.glare", {"aria-hidden": True}),
        SHEETS.title(title),
        h("p", None, why),
        h("ul.lineup", {"aria-hidden": True}, [h("li", {"key": n}, each) for n, each in enumerate(pictures)]),
        kind=f"splash {kind}",
    )


def raid_announcement(ctx: Context, scene: Scene) -> Node:
    """Draws the announcement of a raid with every police car: a card of two cars counts as two."""
    t = ctx.t
    shown = [tiny_card(t, kind) for _, kind in scene.tracks.police for _ in range(CARS[kind])]
    return announcement(ctx, "busted", t("thieves.raid"), t("thieves.raid.why", cars=police_cars(ctx.view)), shown)


def end_announcement(ctx: Context) -> Node:
    t = ctx.t
    shown = [tiny_card(t, GETAWAY) for _ in range(LAST_GETAWAY)]
    return announcement(ctx, "away", t("thieves.away"), t("thieves.away.why"), shown)


def caught_sheet(ctx: Context, scene: Scene) -> Node:
    """Draws the raid: all loot at raid worth, and the seats that lose theirs."""
    t, view = ctx.t, ctx.view
    losers = richest(view, loot_kinds(view))
    if not losers:
        highest = max(found.raid for found in scene.worths)
        verdict: Child = t("thieves.raid.tie" if highest else "thieves.raid.nothing")
    else:
        names = t("thieves.and").join(ctx.name(seat) for seat in losers)
        verdict = t.rich("thieves.raid.verdict", n=len(losers), who=h("b", None, names))
    return SHEETS.frame(
        "bust",
        SHEETS.header(t("thieves.raid"), _continue_button(ctx, "thieves.raid.go")),
        h("p.verdict", {"role": "status"}, verdict),
        _loot_of_all(ctx, scene, [found.raid for found in scene.worths], losers, "thieves.raid.points"),
        kind="bust",
    )


def _continue_button(ctx: Context, key: str, **values: int) -> Node:
    return button({"data-do": "tap"}, ctx.t(key, **values), kind="pri")


def _loot_of_all(ctx: Context, scene: Scene, sums: list[int], losers: tuple[int, ...], key: str) -> Node:
    """Draws everybody's loot side by side, with its worth."""
    t = ctx.t
    rows = []
    for seat in range(len(ctx.chairs)):
        cards = scene.loot[seat]
        rows.append(
            h(
                "li",
                {"key": seat, "class": "caught" if seat in losers else None},
                seat_mark(ctx.chairs[seat]),
                h("b.name", None, ctx.name(seat)),
                h("span.sum", None, t.number(sums[seat]), for_screen_readers(t(key, n=sums[seat]))),
                h("span.cuffs", None, icon("handcuffs")) if seat in losers else None,
                h(
                    "ul.fence",
                    {"--n": max(len(cards), 1)},
                    [h("li", {"key": n}, loot_card(t, card)) for n, card in enumerate(cards)]
                    or h("li.none", None, t("thieves.loot.none")),
                ),
            )
        )
    return h("ol.suspects", {"data-count": len(ctx.chairs)}, rows)


def count_sheet(ctx: Context, scene: Scene) -> Node:
    """Draws the end of a game in a match: everybody's loot, and the gems that each player gets."""
    t, view = ctx.t, ctx.view
    gems_won = gems(view)
    prizes = [
        h(
            "li",
            {"key": seat},
            seat_mark(ctx.chairs[seat]),
            t.rich("thieves.gems.got", who=h("b", None, ctx.name(seat)), n=n),
        )
        for seat, n in enumerate(gems_won)
        if n
    ]
    return SHEETS.frame(
        "counted",
        SHEETS.header(t("thieves.counted", game=len(view.results) + 1), _continue_button(ctx, "thieves.counted.go")),
        h("ul.prizes", None, prizes),
        _loot_of_all(ctx, scene, [found.end for found in scene.worths], (), "thieves.points"),
        kind="bust",
    )


def loot_sheet(ctx: Context, scene: Scene, seat: int) -> Node:
    """Draws the loot of a seat card by card with the worth of each, and the number of cards that are not seen."""
    t = ctx.t
    cards = [
        h(
            "li",
            {"key": card.key},
            loot_card(t, card),
            h(
                "span.cap",
                {"aria-hidden": not card.kind},
                t("thieves.worth.both", raid=AT_RAID[card.kind], end=AT_END[card.kind])
                if card.kind
                else t("thieves.hidden.short"),
            ),
        )
        for card in scene.loot[seat]
    ]
    title = h(
        "span.title", None, seat_mark(ctx.chairs[seat]), h("span", None, t("thieves.loot.title", who=ctx.name(seat)))
    )
    worth = scene.worths[seat]
    return SHEETS.opened(
        ctx,
        f"loot-{seat}",
        title,
        h(
            "p.sums",
            None,
            t.rich(
                "thieves.sums.unseen" if worth.unseen else "thieves.sums",
                n=worth.unseen,
                raid=h("b", None, t.number(worth.raid)),
                end=h("b", None, t.number(worth.end)),
            ),
        ),
        h("ul.fence.large", None, cards) if cards else h("p", None, t("thieves.loot.none")),
        h("p.hint", None, t("thieves.loot.hint")),
    )
