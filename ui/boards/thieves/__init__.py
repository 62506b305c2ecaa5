"""The board of thieves: police and getaways in the middle, the seats around them with their loot, the question and the
viewer's hand below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core import NATURE
from engine.thieves.box import CARS, LAST_GETAWAY, RAID_AT, ROADBLOCK
from engine.thieves.table import cars, deck
from ui.boards import Context
from ui.boards.thieves.ask import question
from ui.boards.thieves.cards import face
from ui.boards.thieves.ledger import result, score
from ui.boards.thieves.rules import rules
from ui.boards.thieves.scene import Scene, plays_of, scene
from ui.boards.thieves.seats import marks, own, rogues
from ui.boards.thieves.sheets import over_the_table
from ui.boards.thieves.tell import beat, latest, tell
from ui.html.parts import back, hidden, symbol, whole
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Value

__all__ = ["beat", "felt", "result", "rules", "score", "status", "tell"]

GONE_SHOWN = 2


def felt(ctx: Context) -> Node:
    """Draws the felt. While a sheet is open over the table, everything below it is inert."""
    now = scene(ctx)
    above = over_the_table(ctx, now)
    seat = now.below
    words, acts = question(ctx, now)
    home: dict[str, Attr] = {"role": "status", "tabindex": -1, "data-home": above is None}
    return h(
        "div.table.thieves",
        {"data-seats": len(ctx.chairs), "class": "dimmed" if above else None},
        h(
            "div.heist",
            {"key": "heist", "inert": above is not None},
            rogues(ctx, now),
            street(ctx, now),
            h(
                "section.den.deco",
                {"key": "own", "class": marks(ctx, now, seat, target=False), "aria-label": ctx.name(seat)},
                h(
                    "div.plea",
                    {"key": "say"},
                    h("p.words", home, whole(words)),
                    h("div.deeds", {"key": f"deeds-{len(acts)}", "data-count": len(acts)}, acts),
                ),
                h("div.kit", {"key": "mine"}, own(ctx, now)),
            ),
        ),
        above,
    )


def status(ctx: Context) -> list[str]:
    t, view = ctx.t, ctx.view
    found = [
        t("thieves.status.getaways", getaways=view.getaways, limit=LAST_GETAWAY),
        t("thieves.status.police", cars=cars(view), limit=RAID_AT),
    ]
    if view.house.match:
        found.insert(1, t("thieves.status.game", game=len(view.results) + 1))
    return found


# The middle of the table


def street(ctx: Context, now: Scene) -> Node:
    t = ctx.t
    return h(
        "section.alley",
        {"key": "street", "aria-label": t("thieves.middle")},
        _pile(ctx, now),
        stakeout(ctx, now),
        exits(ctx, now),
        _gone(ctx, now),
        h("p.last", {"aria-hidden": True}, _latest(ctx)),
        _middle(ctx, now),
    )


def _latest(ctx: Context) -> str:
    """Returns the most recent event in words. Screen readers get it from the log instead."""
    line = latest(ctx.log, ctx.view)
    if line is None:
        return ""
    values: Mapping[str, Any] = line.values
    said: dict[str, Value] = {name: ctx.name(v.seat) if hasattr(v, "seat") else v for name, v in values.items()}
    if line.seat != NATURE:
        said["who"] = ctx.name(line.seat)
    return ctx.t(line.key, **said)


def _pile(ctx: Context, now: Scene) -> Node:
    """Draws the deck, and up to twelve of the cards that a raid has just sent back, so that they move there."""
    t, left = ctx.t, deck(ctx.view)
    back_again: list[Node] = [h("span.h", {"key": name, "data-fly": name}, back()) for name in now.told.fled[:12]]
    return h(
        "div.plot.drawpile",
        {"key": "deck"},
        h("h2.lab", None, t("thieves.left", n=left)),
        h("div.heap", {"data-spot": "deck"}, back() if left else h("span.slot"), back_again),
    )


def stakeout(ctx: Context, now: Scene) -> Node:
    """Draws the police on the table and the places left until the raid. A card of two cars is as wide as two."""
    t, view = ctx.t, ctx.view
    parked = cars(view)
    cards: list[Child] = []
    for name, kind in now.told.police:
        came = now.told.came[name]
        attrs: dict[str, Attr] = {
            "data-fly": name,
            "data-from": f"hand-{came}" if came == now.below else f"seat-{came}",
            "data-turn": 1,
        }
        cards.append(h("li", {"key": name, "--w": CARS[kind]}, _blockable(ctx, now, kind, face(t, kind, attrs))))
    free = [
        h(
            "li",
            {"key": n, "class": "brink" if n == RAID_AT - 1 else None, "aria-hidden": True},
            h("span.slot", None, t.number(n + 1)),
        )
        for n in range(parked, RAID_AT)
    ]
    return h(
        "div.plot.stakeout",
        {"key": "police"},
        h("h2.lab", None, t("thieves.police", cars=parked, limit=RAID_AT)),
        h("ol.bays", {"--n": max(parked, RAID_AT)}, cards, free),
    )


def _blockable(ctx: Context, now: Scene, kind: int, card: Node) -> Node:
    """Draws a police car card as a target of the picked roadblock, if there is one."""
    if not now.mine:
        return card
    picked = now.card >= 0 and now.cards[now.card] == ROADBLOCK
    words = now.ask(ctx, "roadblock", kind).get("data-answer") if picked else None
    aim = h("span.aim", {"data-drop": "police", "data-answer": words, "aria-hidden": True})
    return h("span.lit", {"class": "target" if words else None}, card, aim)


def _middle(ctx: Context, now: Scene) -> Node | None:
    """Draws the target for cards that can be played in one way only: they can be dropped there, or picked and then
    played by a tap on it."""
    if not now.mine:
        return None
    plays = plays_of(ctx, now.cards[now.card]) if now.card >= 0 else []
    single = len(plays) == 1 and len(plays[0]) < 3
    words = now.ask(ctx, *plays[0]).get("data-answer") if single and plays[0][0] not in ("lay", "give") else None
    if words and plays[0][0] == "roadblock" and len(plays[0]) > 1:
        words = None
    return h("span.aim", {"key": "aim", "data-drop": "middle", "data-answer": words, "aria-hidden": True})


def exits(ctx: Context, now: Scene) -> Node:
    """Draws the getaways on the table and the places left until the seventh, which ends the game."""
    t, view = ctx.t, ctx.view
    names = now.told.getaways
    cards = [
        h(
            "li",
            {"key": n},
            h("span.escape", {"data-fly": names[n], "data-from": "deck", "data-turn": 1}, symbol("car")),
        )
        for n in range(len(names))
    ]
    free = [
        h(
            "li",
            {"key": n, "class": "brink" if n == LAST_GETAWAY - 1 else None, "aria-hidden": True},
            h("span.slot", None, t.number(n + 1)),
        )
        for n in range(len(names), LAST_GETAWAY)
    ]
    words = t("thieves.getaways", getaways=view.getaways, limit=LAST_GETAWAY)
    return h("div.plot.exits", {"key": "exits"}, h("h2.lab", None, words), h("ol.lanes", None, cards, free))


def _gone(ctx: Context, now: Scene) -> Node:
    """Draws the cards that left the game last: used actions, and police that a roadblock stopped."""
    t, gone = ctx.t, ctx.view.gone
    names = now.told.gone
    shown = list(zip(names, gone, strict=True))[-GONE_SHOWN:]
    cards: list[Child] = []
    for name, kind in shown:
        came = now.told.came[name]
        attrs: dict[str, Attr] = {
            "data-fly": name,
            "data-from": f"hand-{came}" if came == now.below else f"seat-{came}",
            "key": name,
        }
        cards.append(h("li", attrs, face(t, kind)))
    return h(
        "div.plot.gone",
        {"key": "gone"},
        h("h2.lab", None, t("thieves.gone", n=len(gone))),
        h("ul.dump", None, cards or h("li", None, h("span.slot", {"aria-hidden": True}), hidden(t("thieves.none")))),
    )
