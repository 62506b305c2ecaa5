"""The seats: hand and loot of each, the seats that the next raid would hit, and the targets for a picked card."""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache

from engine.thieves.box import HAND, KINDS, LOOT, ROADBLOCK
from engine.thieves.cards import CardPlay
from engine.thieves.rules import Deal, Draw, DrawTwo, PlayBoth
from engine.thieves.thief import Thief
from ui.boards import Context
from ui.boards.kit.seats import name_plate
from ui.boards.thieves.cards import face, face_down, kind_name, unlabelled_card
from ui.boards.thieves.scene import SHEETS, Scene, SeenLoot, SeenWorth, plays_of, single_pick_attrs
from ui.html.parts import back, for_screen_readers, icon, seat_mark, symbol
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Texts

TICK = h("span.tick", None, symbol("u-check"))


def other_seats(ctx: Context, scene: Scene) -> Node:
    """Draws the other seats, clockwise."""
    seats = len(ctx.chairs)
    around = [(scene.bottom_seat + i) % seats for i in range(1, seats)]
    return h("div.rogues", {"key": "rogues"}, [seat_panel(ctx, scene, seat) for seat in around])


def seat_panel(ctx: Context, scene: Scene, seat: int) -> Node:
    target = seat_target(ctx, scene, seat)
    return h(
        "section.seat",
        {"key": seat, "class": seat_classes(ctx, scene, seat, target=takes_card(target)), "aria-label": ctx.name(seat)},
        open_button(ctx, scene, seat),
        h("span.mark", {"data-spot": f"seat-{seat}"}, seat_mark(ctx.chairs[seat])),
        name_and_standing(ctx, scene, seat),
        hand_backs(ctx, seat),
        worth_list(ctx.t, scene.worths[seat], is_richest=seat in scene.richest),
        loot_list(ctx, scene, seat),
        target,
    )


def seat_classes(ctx: Context, scene: Scene, seat: int, *, target: bool) -> str | None:
    """Returns the CSS classes of a seat: `asked` if it is its turn, `target` if the picked card can go there."""
    classes = ["asked"] if seat == (scene.acting_seat if ctx.asked is None or ctx.asked < 0 else ctx.asked) else []
    if target:
        classes.append("target")
    return " ".join(classes) or None


def open_button(ctx: Context, scene: Scene, seat: int) -> Node:
    """Draws a control over the whole seat that opens the sheet with its loot."""
    label = ctx.t("thieves.closer", who=ctx.name(seat), n=len(scene.loot[seat]))
    return h("button.look", {**SHEETS.opener_attrs(ctx, scene.sheet, f"loot-{seat}"), "aria-label": label})


def seat_target(ctx: Context, scene: Scene, seat: int) -> Node | None:
    """Draws the target over a seat: a tap gives it the picked card, and a card can be dropped there.

    It is hidden from screen readers and the tab key, because the buttons beside the question do the same.
    """
    if not scene.viewer_is_asked:
        return None
    answer = answer_of_target(ctx, scene, seat)
    words = scene.answer_attrs(ctx, *answer).get("data-answer") if answer else None
    return h("span.aim", {"key": "aim", "data-drop": "seats", "data-answer": words, "aria-hidden": True})


def takes_card(node: Node | None) -> bool:
    return node is not None and "data-answer" in node.attrs


def answer_of_target(ctx: Context, scene: Scene, seat: int) -> tuple[object, ...] | None:
    """Returns the answer that a tap on this seat gives with the picked card; None if there is none."""
    if scene.picked_index >= 0:
        kind = scene.playable[scene.picked_index]
        plays = plays_of(ctx, kind)
        if ("lay", kind) in plays:
            return ("lay", kind) if seat == scene.bottom_seat else ("give", kind, seat)
    if scene.picked_loot and scene.picked_loot[0] != seat:
        return ("take", *scene.picked_loot, seat)
    return None


def name_and_standing(ctx: Context, scene: Scene, seat: int) -> Node:
    return name_plate("div.who", ctx.name(seat), standing(ctx, scene, seat))


def standing(ctx: Context, scene: Scene, seat: int) -> str:
    """Returns in a few words what the seat is doing."""
    t, question = ctx.t, ctx.question
    if seat == scene.acting_seat:
        match question:
            case Draw() | DrawTwo():
                return t("thieves.seat.draws")
            case PlayBoth():
                return t("thieves.seat.both", n=sum(map(len, ctx.view.apart)))
            case CardPlay():
                return t("thieves.seat.turn")
            case Thief():
                return t("thieves.seat.thief")
        if seat == ctx.asked:
            return t("thieves.seat.asked")
    return t("thieves.seat.hand", n=len(ctx.view.hands[seat]))


def hand_backs(ctx: Context, seat: int) -> Node:
    """Draws the backs of a hand, and of the cards that double loot brought."""
    view = ctx.view
    apart = sum(map(len, view.apart)) if view.apart_by == seat else 0
    just_drew = last_drawer(ctx) == seat
    cards = [
        h(
            "span.hidden-card",
            {"key": n, "data-fly": f"h{seat}-{n}", "data-from": "deck" if just_drew else None},
            back(),
        )
        for n in range(len(view.hands[seat]))
    ]
    double_loot_backs = [
        h("span.hidden-card.loose", {"key": f"a{n}", "data-fly": f"a{seat}-{n}", "data-from": "deck"}, back())
        for n in range(apart)
    ]
    words = for_screen_readers(ctx.t("thieves.seat.hand", n=len(view.hands[seat])))
    return h("div.grip", None, words, h("span.fan", {"aria-hidden": True}, cards, double_loot_backs))


def last_drawer(ctx: Context) -> int:
    """Returns the seat that drew with the last entry, -1 if none did."""
    match ctx.log[-1].question if ctx.log else None:
        case Deal(to) | Draw(to) | DrawTwo(to):
            return to
    return -1


@lru_cache(maxsize=400)
def worth_list(t: Texts, seen: SeenWorth, *, is_richest: bool) -> Node:
    """Draws the worth of a seat's loot in a raid and at the end, with a plus sign if some of it is not seen."""
    more = "+" if seen.unseen else ""
    at_least = for_screen_readers(t("thieves.least")) if seen.unseen else None
    cuffs = h("span.cuffs", None, icon("handcuffs"), for_screen_readers(t("thieves.hot"))) if is_richest else None
    return h(
        "dl.worth",
        {"class": "hot" if is_richest else None},
        h(
            "div",
            None,
            h("dt", None, t("thieves.worth.raid")),
            h("dd", None, cuffs, t.number(seen.raid) + more, at_least),
        ),
        h("div", None, h("dt", None, t("thieves.worth.end")), h("dd", None, t.number(seen.end) + more, at_least)),
    )


# The loot of a seat


def loot_list(ctx: Context, scene: Scene, seat: int) -> Node:
    """Draws all loot of a seat in its order. While the viewer sends a thief, each card can be picked."""
    t, cards = ctx.t, scene.loot[seat]
    label = t("thieves.loot.of", who=ctx.name(seat), n=len(cards))
    if not cards:
        return h(
            "ul.stash.bare", {"aria-label": label}, h("li", None, h("span.slot"), for_screen_readers(t("thieves.none")))
        )
    return h(
        "ul.stash",
        {"--n": len(cards), "aria-label": label},
        [loot_item(ctx, scene, seat, place, card) for place, card in enumerate(cards)],
    )


def loot_item(ctx: Context, scene: Scene, seat: int, place: int, card: SeenLoot) -> Node:
    laid_by = scene.tracks.laid_by.get(card.key, seat)
    attrs: dict[str, Attr] = {
        "key": card.key,
        "class": "fresh" if card.key in scene.tracks.moved else None,
        "data-fly": card.key,
        "data-from": f"hand-{seat}" if laid_by == scene.bottom_seat else f"seat-{laid_by}",
    }
    if not (scene.viewer_is_asked and isinstance(ctx.question, Thief)):
        return h("li", attrs, loot_card(ctx.t, card))
    words = for_screen_readers(ctx.t("thieves.pick.loot", card=loot_name(ctx.t, card, place), who=ctx.name(seat)))
    toggle = {**single_pick_attrs(ctx, f"take={seat}.{place}"), "data-drag": "seats"}
    drawn = unlabelled_card(ctx.t, card.kind, face_up=card.up and card.kind > 0)
    return h("li", attrs, h("button.lift", toggle, drawn, words, TICK))


def loot_card(t: Texts, card: SeenLoot) -> Node:
    return face(t, card.kind) if card.up and card.kind else face_down(t, card.kind)


def loot_name(t: Texts, card: SeenLoot, place: int) -> str:
    """Returns a card of loot in words, by its place if the viewer does not know it."""
    if not card.kind:
        return t("thieves.loot.place", place=place + 1)
    name = kind_name(t, card.kind)
    return name if card.up else t("thieves.remembered", card=name)


# The viewer's seat


def own_things(ctx: Context, scene: Scene) -> list[Node]:
    """Draws the seat at the bottom: its name, its hand, what double loot brought, and its loot."""
    t, seat = ctx.t, scene.bottom_seat
    target = seat_target(ctx, scene, seat)
    identity = h(
        "div.mug",
        {"key": "mark"},
        h("span.mark", None, seat_mark(ctx.chairs[seat])),
        name_and_standing(ctx, scene, seat),
    )
    loot_area = h(
        "div.hoard",
        {"key": "hoard", "class": "target" if takes_card(target) else None},
        open_button(ctx, scene, seat),
        h("h2.lab", None, t("thieves.loot.own")),
        worth_list(t, scene.worths[seat], is_richest=seat in scene.richest),
        loot_list(ctx, scene, seat),
        target,
    )
    return [
        identity,
        h("div.cards", {"key": f"cards-{seat}"}, hand(ctx, scene), double_loot_cards(ctx, scene)),
        loot_area,
    ]


def hand(ctx: Context, scene: Scene) -> Node:
    """Draws the hand. Cards of one kind are interchangeable.

    The card that was played last leaves its place empty, so that the others stay where they are.
    """
    t, view, seat = ctx.t, ctx.view, scene.bottom_seat
    kinds = view.hands[seat]
    choosing = bool(scene.playable) and not isinstance(ctx.question, PlayBoth)
    new_kind = drawn_kind(ctx, seat)
    rows: list[Child] = []
    for place, kind in enumerate(kinds):
        name = f"h{seat}-{kind}-{kinds[:place].count(kind)}"
        is_drawn = kind == new_kind and kind not in kinds[:place]
        rows.append(card_item(ctx, scene, place, kind, name, choosing=choosing, drawn=is_drawn))
    gap_index = bisect(kinds, scene.tracks.last_played.get(seat, KINDS[-1]))
    rows[gap_index:gap_index] = [h("li.gap", {"key": f"gap-{n}"}, h("span.slot")) for n in range(len(kinds), HAND)]
    words = t("thieves.hand.of", who=ctx.name(seat), n=len(kinds))
    attrs: dict[str, Attr] = {"aria-label": words, "data-spot": f"hand-{seat}"}
    return h("ul.palm", {**attrs, "class": "idle" if scene.playable and not choosing else None}, rows)


def drawn_kind(ctx: Context, seat: int) -> int:
    """Returns the kind of the card this seat has just drawn, -1 if it drew none."""
    if last_drawer(ctx) != seat or ctx.log[-1].answer[0] != "card":
        return -1
    return int(ctx.log[-1].answer[1])


def card_item(ctx: Context, scene: Scene, place: int, kind: int, name: str, *, choosing: bool, drawn: bool) -> Node:
    """Draws a card in hand, or one that double loot brought; it is a toggle while one has to be chosen."""
    attrs: dict[str, Attr] = {"key": name, "data-fly": name, "data-from": "deck" if drawn else None}
    if drawn and kind:
        attrs["data-turn"] = 1
    if not kind:
        return h("li", attrs, face_down(ctx.t, 0))
    if not choosing:
        return h("li", attrs, face(ctx.t, kind))
    words = for_screen_readers(ctx.t("thieves.pick.card", card=kind_name(ctx.t, kind)))
    toggle = {**single_pick_attrs(ctx, f"card={place}"), "data-drag": drop_place(ctx, kind)}
    return h("li", attrs, h("button.lift", toggle, unlabelled_card(ctx.t, kind, face_up=True), words, TICK))


def drop_place(ctx: Context, kind: int) -> str:
    """Returns where a card can be dropped: loot on a seat, a roadblock on the police, everything else in the middle."""
    if kind in LOOT:
        return "seats"
    return "police" if kind == ROADBLOCK and ctx.view.police else "middle"


def double_loot_cards(ctx: Context, scene: Scene) -> Node | None:
    """Draws the cards that double loot brought. The newest pair is played first."""
    t, view, seat = ctx.t, ctx.view, scene.bottom_seat
    if not view.apart or view.apart_by != seat:
        return None
    choosing = bool(scene.playable) and isinstance(ctx.question, PlayBoth)
    newest = view.apart[-1]
    rows = [
        card_item(
            ctx,
            scene,
            place,
            kind,
            f"a{len(view.apart)}-{kind}-{newest[:place].count(kind)}",
            choosing=choosing,
            drawn=True,
        )
        for place, kind in enumerate(newest)
    ]
    waiting = [kind for cards in view.apart[:-1] for kind in cards]
    later = [
        h("li.later", {"key": f"w{n}"}, face(t, kind) if kind else face_down(t, 0)) for n, kind in enumerate(waiting)
    ]
    return h(
        "div.pair",
        {"key": "both"},
        h("h2.lab", None, t("thieves.both")),
        h("ul.palm", {"aria-label": t("thieves.both.of", who=ctx.name(seat))}, rows, later),
    )
