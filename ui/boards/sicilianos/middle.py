"""The middle of the table: six families side by side, each with its businesses, its part in the war and its pile."""

from __future__ import annotations

from engine.sicilianos.box import COLOUR_NAMES, COLOURS, PARTNER, TURNED
from engine.sicilianos.result import shops_left
from engine.sicilianos.roll import Keep
from engine.sicilianos.table import side, sums
from ui.boards import Context
from ui.boards.kit.lines import latest_sentence
from ui.boards.sicilianos.cards import (
    back,
    back_with,
    badge,
    banknote,
    card_name,
    colour_die,
    face,
    family_class,
    family_name,
    influence_die,
)
from ui.boards.sicilianos.log_lines import latest_line
from ui.boards.sicilianos.scene import Scene, rolled_colours
from ui.html.parts import for_screen_readers, icon, seat_mark
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Texts


def middle(ctx: Context, scene: Scene) -> Node:
    t, view = ctx.t, ctx.view
    title = t("sicilianos.war.number", n=view.war) if scene.at_war else t("sicilianos.families")
    return h(
        "section.town",
        {"key": "town", "data-drop": "town", "aria-label": title, "class": "war" if scene.at_war else None},
        h(
            "header",
            None,
            h("h2.lab", None, title),
            h("p.last", {"aria-hidden": True}, latest_sentence(ctx, latest_line(ctx.log))),
            dice_node(t, scene, ctx),
        ),
        searched_pile(ctx, scene, ctx.question.colour)
        if isinstance(ctx.question, Keep) and ctx.viewer_is_asked
        else families(ctx, scene),
    )


def dice_node(t: Texts, scene: Scene, ctx: Context) -> Node | None:
    """Draws the three dice of the last roll; greyed once the roll is carried out."""
    if not scene.roll:
        return None
    label = t("sicilianos.dice", who=ctx.name(scene.roll.seat))
    return h(
        "div.cubes",
        {
            "key": f"dice-{scene.roll.entry_number}",
            "role": "group",
            "aria-label": label,
            "class": None if scene.roll_in_effect else "old",
        },
        [colour_die(t, colour) for colour in scene.roll.colours],
        influence_die(t, scene.roll.face),
    )


def families(ctx: Context, scene: Scene) -> Node:
    totals = sums(ctx.view) if scene.at_war else {}
    return h("ol.fams", {"key": "fams"}, [family_column(ctx, scene, colour, totals) for colour in COLOURS])


def family_column(ctx: Context, scene: Scene, colour: int, totals: dict[int, int]) -> Node:
    """Draws one family: the owners of its businesses, its lane in the war, its pile."""
    classes = [family_class(colour)]
    if scene.roll_in_effect and colour in rolled_colours(scene.roll):
        classes.append("rolled")
    if scene.verdict:
        if colour == scene.verdict.family:
            classes.append("won")
        elif colour in scene.verdict.tied:
            classes.append("tied")
    return h(
        "li.clan",
        {"key": colour, "class": " ".join(classes)},
        family_head(ctx, scene, colour),
        war_lane(ctx, scene, colour, totals) if scene.at_war else None,
        pile(ctx, colour, small=scene.at_war),
    )


def family_head(ctx: Context, scene: Scene, colour: int) -> Node:
    """Draws the family's name and its businesses: their owners, and how many are left."""
    t, view = ctx.t, ctx.view
    owners = [owner for owner, _, _ in view.founded[colour]]
    left = shops_left(view, colour)
    name = family_name(t, colour)
    shops = [h("span.theirs", {"key": n}, seat_mark(ctx.chairs[owner])) for n, owner in enumerate(owners)]
    free = [h("span.free", {"key": n}, icon("shop")) for n in range(len(owners), len(owners) + left)]
    owned = t("sicilianos.and").join(ctx.name(owner) for owner in owners) or t("sicilianos.none")
    label = t("sicilianos.family.open", family=name, left=left, owners=owned)
    return h(
        "button.fhead",
        scene.opener_attrs(ctx, f"family-{colour}"),
        badge(colour),
        h("b", {"aria-hidden": True}, name),
        for_screen_readers(label),
        h("span.shops", {"aria-hidden": True, "data-spot": f"shop-{colour}"}, shops, free),
    )


# The war


def war_lane(ctx: Context, scene: Scene, colour: int, totals: dict[int, int]) -> Node:
    """Draws a family's part in the war: its players, their cards and stake, and its strength."""
    t, view = ctx.t, ctx.view
    if colour not in view.family:
        return h("div.lane.none", {"key": "lane"})
    seat = view.family.index(colour)
    allies = [ally for ally in view.turned if side(view, ally) == colour]
    cards = [(owner, card) for owner, card in view.lying if side(view, owner) == colour]
    revealed = scene.last_entry.answer[1] if scene.last_entry and scene.last_entry.answer[0] == "reveal" else ()
    lying: list[Child] = [
        card_in_lane(ctx, scene, owner, card, number, just_revealed=card in revealed)
        for number, (owner, card) in enumerate(cards)
    ]
    waiting = view.down[seat]
    has_turned = seat in view.turned
    return h(
        "div.lane",
        {"key": "lane", "class": "gone" if has_turned else None},
        h(
            "div.chief",
            None,
            seat_mark(ctx.chairs[seat]),
            h("span", None, ctx.name(seat)),
            [h("span.ally", {"key": f"ally-{ally}"}, seat_mark(ctx.chairs[ally])) for ally in allies],
            for_screen_readers(lane_words(ctx, seat, colour, allies)),
        ),
        stake(ctx, scene, seat),
        h(
            "ol.cards",
            {"--n": len(cards) + bool(waiting)},
            lying,
            face_down_card(ctx, scene, seat) if waiting else None,
        ),
        strength(t, colour, totals, waiting=bool(waiting)),
    )


def lane_words(ctx: Context, seat: int, colour: int, allies: list[int]) -> str:
    t, view = ctx.t, ctx.view
    if seat in view.turned:
        other = family_name(t, PARTNER[colour])
        return t("sicilianos.lane.turned", who=ctx.name(seat), family=family_name(t, colour), other=other)
    if allies:
        return t("sicilianos.lane.allied", ally=ctx.name(allies[0]))
    return ""


def card_in_lane(ctx: Context, scene: Scene, owner: int, card: int, number: int, *, just_revealed: bool) -> Node:
    """Draws a card turned up for a family. A card that turned traitor counts and is marked as 4."""
    t, turned = ctx.t, owner in ctx.view.turned
    attrs: dict[str, Attr] = {"data-fly": scene.flight_name(card)}
    if just_revealed:
        attrs |= {"data-from": f"down-{owner}", "data-turn": 1}
    drawn = face(t, card, attrs)
    if not turned:
        return h("li", {"key": f"{card}-{number}"}, drawn)
    note = h(
        "span.worth-four", None, t.number(TURNED), for_screen_readers(t("sicilianos.lane.traitor", who=ctx.name(owner)))
    )
    return h("li.turned", {"key": f"{card}-{number}"}, drawn, note)


def face_down_card(ctx: Context, scene: Scene, seat: int) -> Node:
    """Draws a card that was laid face down. Its player may look at it."""
    t, view = ctx.t, ctx.view
    card = view.down[seat]
    spot: dict[str, Attr] = {"data-spot": f"down-{seat}"}
    just_laid = scene.last_entry is not None and scene.last_entry.seat == seat
    if card > 0:
        own = h(
            "span.peek",
            spot,
            face(t, card, {"data-fly": scene.flight_name(card)}),
            for_screen_readers(t("sicilianos.laid.own")),
        )
        return h("li.down", {"key": "down"}, own)
    attrs: dict[str, Attr] = {
        "data-fly": f"d{seat}",
        "data-from": f"hold-{seat}-{-card}" if just_laid else None,
        "role": "img",
        "aria-label": t("sicilianos.laid", card=card_name(t, card)),
    }
    return h("li.down", {"key": "down"}, h("span.peek", spot, back_with(-card, attrs)))


def stake(ctx: Context, scene: Scene, seat: int) -> Node:
    """Draws the note that a player has staked: face down, open, or gone."""
    t, view = ctx.t, ctx.view
    value = view.stakes[seat]
    is_lost = scene.verdict is not None and not value
    words = t("sicilianos.stake.value", n=value) if value else t("sicilianos.stake.down")
    just_laid = (
        scene.last_entry is not None and scene.last_entry.seat == seat and scene.last_entry.answer[0] in ("war", "join")
    )
    return h(
        "div.ante",
        {"class": "gone" if is_lost else None},
        h(
            "span.fly",
            {"data-fly": f"stake-{view.war}-{seat}", "data-from": f"purse-{seat}" if just_laid else None},
            banknote(t, value, "dirty" if value else "down"),
        ),
        for_screen_readers("" if is_lost else words),
    )


def strength(t: Texts, colour: int, totals: dict[int, int], *, waiting: bool) -> Node:
    """Draws the family's strength so far, marked as incomplete while a card lies face down."""
    total = totals.get(colour)
    words = t("sicilianos.strength", family=family_name(t, colour))
    return h(
        "p.sum",
        None,
        for_screen_readers(f"{words} "),
        h("b", None, t.number(total) if total is not None else t("sicilianos.open" if waiting else "sicilianos.dash")),
        h("i", None, t("sicilianos.more")) if waiting and total is not None else None,
    )


# The piles


def pile(ctx: Context, colour: int, *, small: bool) -> Node:
    """Draws a family's pile, face down. If the viewer may take or draw its top card, a tap on the pile does so."""
    t, count = ctx.t, len(ctx.view.piles[colour])
    label = t("sicilianos.pile", n=count, family=family_name(t, colour))
    inside = (
        h("span.spot", {"data-spot": f"pile-{colour}", "aria-hidden": True}, back(colour) if count else h("span.hole")),
        h("span.count", {"aria-hidden": True}, t.number(count)),
    )
    if small:  # in a war it is a count in the corner: nobody draws from it then
        return h("div.stack", {"key": "count"}, inside, for_screen_readers(label))
    verb = next((verb for verb in ("take", "draw") if ctx.may(verb, colour)), "")
    if not verb:
        return h("div.stack", {"key": "stack", "class": None if count else "out"}, inside, for_screen_readers(label))
    # a shortcut for pointers, hidden from screen readers and the tab key: the question has a button for the same answer
    attrs: dict[str, Attr] = {
        "data-do": "answer",
        "data-arg": f"{verb} {COLOUR_NAMES[colour - 1]}",
        "tabindex": -1,
        "data-drag": "hand",
    }
    return h(
        "div.stack.lit",
        {"key": "stack"},
        h("button.tap", {"type": "button", "aria-hidden": True, **attrs}, inside),
        for_screen_readers(label),
    )


def searched_pile(ctx: Context, scene: Scene, colour: int) -> Node:
    """Draws a pile spread out for the player who looks through it and keeps one card."""
    t = ctx.t
    cards = ctx.view.piles[colour]
    items = [
        h(
            "li",
            {"key": place},
            h(
                "button.keep",
                ctx.answer_attrs("keep", place),
                for_screen_readers(t("sicilianos.act.keep", n=place)),
                face(t, card, {"data-fly": scene.flight_name(card), "data-from": f"pile-{colour}"}),
            ),
        )
        for place, card in enumerate(cards, 1)
        if card > 0
    ]
    return h(
        "div.search",
        {"key": "search", "class": family_class(colour)},
        h("p.lab", None, t("sicilianos.search.top")),
        h("ol", {"aria-label": t("sicilianos.search", n=len(cards), family=family_name(t, colour))}, items),
    )
