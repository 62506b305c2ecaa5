"""The board of thieves: police and getaways in the middle, the seats around them with their loot, the question and the
viewer's hand below."""

from __future__ import annotations

from engine.thieves.box import CARS, LAST_GETAWAY, RAID_AT, ROADBLOCK
from engine.thieves.table import deck_size, police_cars
from ui.boards import Context
from ui.boards.kit.felt import felt_frame
from ui.boards.kit.lines import latest_sentence
from ui.boards.kit.prompt import sentence_home
from ui.boards.thieves.cards import face, say_value
from ui.boards.thieves.ledger import result, score
from ui.boards.thieves.log_lines import latest_line, rest_after, tell
from ui.boards.thieves.question import sentence_and_buttons
from ui.boards.thieves.rules import rules
from ui.boards.thieves.scene import Scene, make_scene, plays_of
from ui.boards.thieves.seats import other_seats, own_things, seat_classes
from ui.boards.thieves.sheets import over_the_table
from ui.html.parts import back, for_screen_readers, symbol
from ui.html.tree import Attr, Child, Node, h

__all__ = ["felt", "rest_after", "result", "rules", "say_value", "score", "status", "tell"]

REMOVED_SHOWN = 2


def felt(ctx: Context) -> Node:
    """Draws the felt. While a sheet is open over the table, everything below it is inert."""
    scene = make_scene(ctx)
    sheet = over_the_table(ctx, scene)
    seat = scene.bottom_seat
    sentence, buttons = sentence_and_buttons(ctx, scene)
    return felt_frame(
        ctx,
        "div.table.thieves",
        "div.board",
        sheet,
        other_seats(ctx, scene),
        middle(ctx, scene),
        h(
            "section.desk.deco",
            {"key": "own", "class": seat_classes(ctx, scene, seat, target=False), "aria-label": ctx.name(seat)},
            h(
                "div.plea",
                {"key": "say"},
                sentence_home("p.question", sentence, home=sheet is None),
                h("div.deeds", {"key": f"deeds-{len(buttons)}", "data-count": len(buttons)}, buttons),
            ),
            h("div.kit", {"key": "mine"}, own_things(ctx, scene)),
        ),
    )


def status(ctx: Context) -> list[str]:
    t, view = ctx.t, ctx.view
    facts = [
        t("thieves.status.getaways", getaways=view.getaways, limit=LAST_GETAWAY),
        t("thieves.status.police", cars=police_cars(view), limit=RAID_AT),
    ]
    if view.house.match:
        facts.insert(1, t("thieves.status.game", game=len(view.results) + 1))
    return facts


# The middle of the table


def middle(ctx: Context, scene: Scene) -> Node:
    t = ctx.t
    return h(
        "section.alley",
        {"key": "street", "aria-label": t("thieves.middle")},
        _draw_pile(ctx, scene),
        police_bays(ctx, scene),
        getaway_lanes(ctx, scene),
        _removed_cards(ctx, scene),
        h("p.last", {"aria-hidden": True}, latest_sentence(ctx, latest_line(ctx.log, ctx.view))),
        _middle_target(ctx, scene),
    )


def _draw_pile(ctx: Context, scene: Scene) -> Node:
    """Draws the deck, and up to twelve of the cards that a raid has just sent back, so that they move there."""
    t, left = ctx.t, deck_size(ctx.view)
    returned: list[Node] = [
        h("span.hidden-card", {"key": name, "data-fly": name}, back()) for name in scene.tracks.returned[:12]
    ]
    return h(
        "div.plot.drawpile",
        {"key": "deck"},
        h("h2.lab", None, t("thieves.left", n=left)),
        h("div.heap", {"data-spot": "deck"}, back() if left else h("span.slot"), returned),
    )


def police_bays(ctx: Context, scene: Scene) -> Node:
    """Draws the police on the table and the places left until the raid. A card of two cars is as wide as two."""
    t, view = ctx.t, ctx.view
    cars_there = police_cars(view)
    cards: list[Child] = []
    for name, kind in scene.tracks.police:
        laid_by = scene.tracks.laid_by[name]
        attrs: dict[str, Attr] = {
            "data-fly": name,
            "data-from": f"hand-{laid_by}" if laid_by == scene.bottom_seat else f"seat-{laid_by}",
            "data-turn": 1,
        }
        cards.append(
            h("li", {"key": name, "--w": CARS[kind]}, _roadblock_target(ctx, scene, kind, face(t, kind, attrs)))
        )
    empty_bays = [
        h(
            "li",
            {"key": n, "class": "brink" if n == RAID_AT - 1 else None, "aria-hidden": True},
            h("span.slot", None, t.number(n + 1)),
        )
        for n in range(cars_there, RAID_AT)
    ]
    return h(
        "div.plot.stakeout",
        {"key": "police"},
        h("h2.lab", None, t("thieves.police", cars=cars_there, limit=RAID_AT)),
        h("ol.bays", {"--n": max(cars_there, RAID_AT)}, cards, empty_bays),
    )


def _roadblock_target(ctx: Context, scene: Scene, kind: int, card: Node) -> Node:
    """Draws a police car card as a target of the picked roadblock, if there is one."""
    if not scene.viewer_is_asked:
        return card
    picked = scene.picked_index >= 0 and scene.playable[scene.picked_index] == ROADBLOCK
    words = scene.answer_attrs(ctx, "roadblock", kind).get("data-answer") if picked else None
    target = h("span.aim", {"data-drop": "police", "data-answer": words, "aria-hidden": True})
    return h("span.lit", {"class": "target" if words else None}, card, target)


def _middle_target(ctx: Context, scene: Scene) -> Node | None:
    """Draws the target for cards that can be played in one way only: they can be dropped there, or picked and then
    played by a tap on it."""
    if not scene.viewer_is_asked:
        return None
    plays = plays_of(ctx, scene.playable[scene.picked_index]) if scene.picked_index >= 0 else []
    one_way_only = len(plays) == 1 and len(plays[0]) < 3
    words = (
        scene.answer_attrs(ctx, *plays[0]).get("data-answer")
        if one_way_only and plays[0][0] not in ("lay", "give")
        else None
    )
    if words and plays[0][0] == "roadblock" and len(plays[0]) > 1:
        words = None
    return h("span.aim", {"key": "aim", "data-drop": "middle", "data-answer": words, "aria-hidden": True})


def getaway_lanes(ctx: Context, scene: Scene) -> Node:
    """Draws the getaways on the table and the places left until the seventh, which ends the game."""
    t, view = ctx.t, ctx.view
    names = scene.tracks.getaways
    cards = [
        h(
            "li",
            {"key": n},
            h("span.escape", {"data-fly": names[n], "data-from": "deck", "data-turn": 1}, symbol("car")),
        )
        for n in range(len(names))
    ]
    empty_lanes = [
        h(
            "li",
            {"key": n, "class": "brink" if n == LAST_GETAWAY - 1 else None, "aria-hidden": True},
            h("span.slot", None, t.number(n + 1)),
        )
        for n in range(len(names), LAST_GETAWAY)
    ]
    words = t("thieves.getaways", getaways=view.getaways, limit=LAST_GETAWAY)
    return h("div.plot.exits", {"key": "exits"}, h("h2.lab", None, words), h("ol.lanes", None, cards, empty_lanes))


def _removed_cards(ctx: Context, scene: Scene) -> Node:
    """Draws the cards that left the game last: used actions, and police that a roadblock stopped."""
    t, gone = ctx.t, ctx.view.gone
    names = scene.tracks.removed
    shown = list(zip(names, gone, strict=True))[-REMOVED_SHOWN:]
    cards: list[Child] = []
    for name, kind in shown:
        laid_by = scene.tracks.laid_by[name]
        attrs: dict[str, Attr] = {
            "data-fly": name,
            "data-from": f"hand-{laid_by}" if laid_by == scene.bottom_seat else f"seat-{laid_by}",
            "key": name,
        }
        cards.append(h("li", attrs, face(t, kind)))
    return h(
        "div.plot.gone",
        {"key": "gone"},
        h("h2.lab", None, t("thieves.gone", n=len(gone))),
        h(
            "ul.dump",
            None,
            cards or h("li", None, h("span.slot", {"aria-hidden": True}), for_screen_readers(t("thieves.none"))),
        ),
    )
