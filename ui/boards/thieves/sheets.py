"""The sheets over the table: the raid, the end, the count of a game in a match, and the loot of a seat in detail."""

from __future__ import annotations

from engine.thieves.box import AT_END, AT_RAID, CARS, GETAWAY, LAST_GETAWAY
from engine.thieves.raid import Caught, Raid
from engine.thieves.rules import Count, Gems
from engine.thieves.score import gems
from engine.thieves.table import cars, loot_kinds, richest
from ui.boards import Context
from ui.boards.thieves.cards import tile
from ui.boards.thieves.scene import Scene
from ui.boards.thieves.seats import picture
from ui.html.parts import button, hidden, icon, icon_button, seat_mark
from ui.html.tree import Attr, Child, Node, h

HOME: dict[str, Attr] = {"id": "thieves-sheet", "tabindex": -1, "data-home": True}


def over_the_table(ctx: Context, now: Scene) -> Node | None:
    """Draws the open sheet; returns None if none is open."""
    match ctx.question:
        case Raid():
            return siren(ctx, now)
        case Caught():
            return raid(ctx, now)
        case Count():
            return last_getaway(ctx)
        case Gems():
            return counted(ctx, now)
    name, _, seat = now.sheet.partition("-")
    return closer_look(ctx, now, int(seat)) if name == "loot" else None


def splash(ctx: Context, kind: str, title: str, why: str, pictures: list[Node]) -> Node:
    """Draws the announcement of a big event: a raid, or the end of the game."""
    return h(
        "section.dossier.splash",
        {"key": kind, "class": kind, "aria-labelledby": "thieves-sheet"},
        h("span.glare", {"aria-hidden": True}),
        h("h2", HOME, title),
        h("p", None, why),
        h("ul.lineup", {"aria-hidden": True}, [h("li", {"key": n}, each) for n, each in enumerate(pictures)]),
    )


def siren(ctx: Context, now: Scene) -> Node:
    """Draws the announcement of a raid with every police car: a card of two cars counts as two."""
    t = ctx.t
    shown = [tile(t, kind) for _, kind in now.told.police for _ in range(CARS[kind])]
    return splash(ctx, "busted", t("thieves.raid"), t("thieves.raid.why", cars=cars(ctx.view)), shown)


def last_getaway(ctx: Context) -> Node:
    t = ctx.t
    shown = [tile(t, GETAWAY) for _ in range(LAST_GETAWAY)]
    return splash(ctx, "away", t("thieves.away"), t("thieves.away.why"), shown)


def raid(ctx: Context, now: Scene) -> Node:
    """Draws the raid: all loot at raid worth, and the seats that lose theirs."""
    t, view = ctx.t, ctx.view
    losers = richest(view, loot_kinds(view))
    if not losers:
        top = max(found.raid for found in now.sums)
        verdict: Child = t("thieves.raid.tie" if top else "thieves.raid.nothing")
    else:
        names = t("thieves.and").join(ctx.name(seat) for seat in losers)
        verdict = t.rich("thieves.raid.verdict", n=len(losers), who=h("b", None, names))
    return h(
        "section.dossier.bust",
        {"key": "bust", "aria-labelledby": "thieves-sheet"},
        h("header", None, h("h2", HOME, t("thieves.raid")), _go_on(ctx, "thieves.raid.go")),
        h("p.verdict", {"role": "status"}, verdict),
        _suspects(ctx, now, [found.raid for found in now.sums], losers, "thieves.raid.points"),
    )


def _go_on(ctx: Context, key: str, **values: int) -> Node:
    return button({"data-do": "tap"}, ctx.t(key, **values), kind="pri")


def _suspects(ctx: Context, now: Scene, sums: list[int], marked: tuple[int, ...], key: str) -> Node:
    """Draws everybody's loot side by side, with its worth."""
    t = ctx.t
    rows = []
    for seat in range(len(ctx.chairs)):
        cards = now.loot[seat]
        rows.append(
            h(
                "li",
                {"key": seat, "class": "caught" if seat in marked else None},
                seat_mark(ctx.chairs[seat]),
                h("b.name", None, ctx.name(seat)),
                h("span.sum", None, t.number(sums[seat]), hidden(t(key, n=sums[seat]))),
                h("span.cuffs", None, icon("handcuffs")) if seat in marked else None,
                h(
                    "ul.fence",
                    {"--n": max(len(cards), 1)},
                    [h("li", {"key": n}, picture(t, card)) for n, card in enumerate(cards)]
                    or h("li.none", None, t("thieves.loot.none")),
                ),
            )
        )
    return h("ol.suspects", {"data-count": len(ctx.chairs)}, rows)


def counted(ctx: Context, now: Scene) -> Node:
    """Draws the end of a game in a match: everybody's loot, and the gems that each player gets."""
    t, view = ctx.t, ctx.view
    got = gems(view)
    prizes = [
        h(
            "li",
            {"key": seat},
            seat_mark(ctx.chairs[seat]),
            t.rich("thieves.gems.got", who=h("b", None, ctx.name(seat)), n=n),
        )
        for seat, n in enumerate(got)
        if n
    ]
    return h(
        "section.dossier.bust",
        {"key": "counted", "aria-labelledby": "thieves-sheet"},
        h(
            "header",
            None,
            h("h2", HOME, t("thieves.counted", game=len(view.results) + 1)),
            _go_on(ctx, "thieves.counted.go"),
        ),
        h("ul.prizes", None, prizes),
        _suspects(ctx, now, [found.end for found in now.sums], (), "thieves.points"),
    )


def closer_look(ctx: Context, now: Scene, seat: int) -> Node:
    """Draws the loot of a seat card by card with the worth of each, and the number of cards that are not seen."""
    t, name = ctx.t, f"loot-{seat}"
    close = {**ctx.unfold(name), "id": f"thieves-{name}", "aria-expanded": None, "key": "close"}
    cards = [
        h(
            "li",
            {"key": card.name},
            picture(t, card),
            h(
                "span.cap",
                {"aria-hidden": not card.kind},
                t("thieves.worth.both", raid=AT_RAID[card.kind], end=AT_END[card.kind])
                if card.kind
                else t("thieves.hidden.short"),
            ),
        )
        for card in now.loot[seat]
    ]
    title = h(
        "span.title", None, seat_mark(ctx.chairs[seat]), h("span", None, t("thieves.loot.title", who=ctx.name(seat)))
    )
    found = now.sums[seat]
    return h(
        "section.dossier",
        {"key": f"sheet-{name}", "aria-labelledby": "thieves-sheet"},
        h("header", None, h("h2", HOME, title), icon_button("u-close", t("thieves.close"), close)),
        h(
            "p.sums",
            None,
            t.rich(
                "thieves.sums.unseen" if found.unseen else "thieves.sums",
                n=found.unseen,
                raid=h("b", None, t.number(found.raid)),
                end=h("b", None, t.number(found.end)),
            ),
        ),
        h("ul.fence.large", None, cards) if cards else h("p", None, t("thieves.loot.none")),
        h("p.hint", None, t("thieves.loot.hint")),
    )
