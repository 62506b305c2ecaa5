"""The board of razzia: row, piles, police cards and centre cheque in the middle, the seats around, the question."""

from __future__ import annotations

from collections.abc import Sequence

from engine.razzia.box import EMPTY, POLICE, ROUNDS, SLOTS, THIEF
from engine.razzia.rules import Auction, Hands, Turn, TurnUp
from ui.boards import Context
from ui.boards.kit.felt import felt_frame
from ui.boards.kit.lines import latest_sentence
from ui.boards.kit.prompt import Prompt, bold_name, sentence_home
from ui.boards.razzia.cards import face, kind_name, names_in_words, say_value, serial
from ui.boards.razzia.ledger import round_ledgers
from ui.boards.razzia.log_lines import latest_line, rest_after, tell
from ui.boards.razzia.rules import rules
from ui.boards.razzia.scene import Scene, make_scene, picked_slots, thieves_usable
from ui.boards.razzia.seats import opponents, own_areas, seat_classes
from ui.boards.razzia.sheets import over_the_table
from ui.html.parts import back, button, cheque, for_screen_readers, symbol
from ui.html.tree import Attr, Child, Node, h

__all__ = ["felt", "rest_after", "result", "rules", "say_value", "score", "status", "tell"]


def felt(ctx: Context) -> Node:
    """Draws everything on the felt. While a sheet lies over the table, the rest is inert."""
    scene = make_scene(ctx)
    sheet = over_the_table(ctx, scene)
    return felt_frame(
        ctx,
        "div.table.razzia",
        "div.board",
        sheet,
        opponents(ctx, scene),
        middle(ctx, scene),
        h(
            "section.desk.deco",
            {"key": "me", "class": seat_classes(ctx, scene, ctx.viewer), "aria-label": ctx.name(ctx.viewer)},
            question_box(ctx, scene, home=sheet is None),
            own_areas(ctx, scene),
        ),
    )


def status(ctx: Context) -> list[str]:
    t, view = ctx.t, ctx.view
    return [
        t("razzia.status.round", round=view.round, rounds=ROUNDS),
        t("razzia.status.police", police=view.police, limit=view.raid_at),
    ]


def score(ctx: Context, number: int) -> str:
    return ctx.t("result.points", n=number, points=ctx.t.number(number))


def result(ctx: Context) -> Sequence[Node]:
    """Returns the ledger of every round."""
    return round_ledgers(ctx)


# The middle of the table


def middle(ctx: Context, scene: Scene) -> Node:
    t, view = ctx.t, ctx.view
    lying = sum(kind != EMPTY for kind in view.row)
    return h(
        "section.common",
        {"key": "common", "aria-label": t("razzia.common")},
        h(
            "div.group",
            None,
            h("div.line", None, h("h2.lab", None, t("razzia.loot", cards=lying, slots=SLOTS)), _latest(ctx)),
            h("ol.loot", {"data-drop": "centre"}, [slot(ctx, scene, place) for place in range(SLOTS)]),
        ),
        h("div.mid", None, piles(ctx), police_track(ctx, scene), centre(ctx)),
    )


def _latest(ctx: Context) -> Node:
    """The latest event, for people who looked away. Screen readers get it from the log."""
    return h("p.last", {"aria-hidden": True}, latest_sentence(ctx, latest_line(ctx.log, ctx.view, ctx.question)))


def slot(ctx: Context, scene: Scene, place: int) -> Node:
    """One of the seven slots of the row: empty, a card, or a toggle that picks the card for a thief."""
    t, kind = ctx.t, ctx.view.row[place]
    if kind == EMPTY:
        return h("li", {"key": place}, h("div.slot"))
    fly = f"c{scene.row[place]}"
    card_attrs: dict[str, Attr] = {"data-fly": fly, "data-from": "deck", "data-turn": 1, "key": fly}
    pick = toggle_attrs(ctx, place)
    if pick is None:
        return h("li", {"key": place}, face(t, kind, card_attrs))
    toggle = h(
        "button.pick",
        {**pick, "key": f"pick-{fly}", "data-drop": "row"},
        face(t, kind, {**card_attrs, "role": None, "aria-label": None, "aria-hidden": True}),
        for_screen_readers(t("razzia.pick", card=kind_name(t, kind), slot=place + 1)),
        h("span.tick", None, symbol("u-check")),
    )
    return h("li", {"key": place}, toggle)


def toggle_attrs(ctx: Context, place: int) -> dict[str, Attr] | None:
    """Returns the attributes of a slot's toggle, or None if thieves may not be used.

    The toggle is disabled if its card cannot be taken together with the picked ones.
    """
    if not thieves_usable(ctx):
        return None
    name = str(place + 1)
    if ctx.may("thieves", *sorted({*picked_slots(ctx), place})) or (ctx.yours and name in ctx.picked):
        return ctx.pick_attrs(name)
    return {**ctx.pick_attrs(name), "data-do": None, "aria-disabled": True}


def piles(ctx: Context) -> Node:
    t, left = ctx.t, sum(ctx.view.deck_counts)
    shown = min(left, 1 if ctx.options.get("piles") == "one" else 2)
    # a tap on the pile turns up a card too; keyboards and screen readers use the button
    draw: dict[str, Attr] = {"data-do": "answer", "data-arg": "draw", "class": "on"} if ctx.may("draw") else {}
    return h(
        "div.group",
        None,
        h("h2.lab", None, t("razzia.left", n=left)),
        h("div.deck", {"data-spot": "deck", **draw}, [back() for _ in range(shown)] or h("span.slot")),
    )


def police_track(ctx: Context, scene: Scene) -> Node:
    """The police cards of this round, and the free places up to the card that brings the raid."""
    t, view = ctx.t, ctx.view
    cards: list[Child] = [
        h(
            "li",
            {"key": n},
            face(
                t,
                POLICE,
                {
                    "data-fly": f"c{scene.police[n]}" if n < len(scene.police) else None,
                    "data-from": "deck",
                    "data-turn": 1,
                },
            ),
        )
        for n in range(view.police)
    ]
    free = [
        h(
            "li",
            {"key": n, "class": "raid" if n == view.raid_at - 1 else None},
            h("span.slot", {"aria-hidden": True}, t.number(n + 1)),
        )
        for n in range(view.police, view.raid_at)
    ]
    title = t("razzia.police", police=view.police, limit=view.raid_at)
    return h("div.group", None, h("h2.lab", None, title), h("ol.track", {"--n": view.raid_at}, cards, free))


def centre(ctx: Context) -> Node:
    t, value = ctx.t, ctx.view.centre
    attrs: dict[str, Attr] = {"data-fly": f"q{value}", "key": value}
    return h(
        "div.group.centre",
        {"data-drop": "centre"},
        h("h2.lab", None, t("razzia.centre")),
        cheque(t.money(value), serial(t, value), attrs, "full"),
    )


# The question


def question_box(ctx: Context, scene: Scene, *, home: bool) -> Node:
    sentence, buttons = sentence_and_buttons(ctx)
    acts = h("div.acts", {"data-count": len(buttons)}, buttons)
    return h("div.ask", None, sentence_home("p.question", sentence, home=home), acts)


def sentence_and_buttons(ctx: Context) -> Prompt:
    """Returns the question as one sentence, and the buttons that answer it."""
    asked = ctx.asked
    match ctx.question:
        case Turn(seat) if ctx.person_is_asked:
            return turn_question(ctx, seat)
        case Auction() if ctx.person_is_asked:
            return auction_question(ctx, ctx.question)
        case Turn() if asked is not None:
            return watching_sentence(ctx, "razzia.watch.turn", asked), []
        case Auction() if asked is not None:
            return watching_sentence(ctx, "razzia.watch.auction", asked), []
        case TurnUp(by):
            return watching_sentence(ctx, "razzia.watch.card", by), []
        case Hands():
            return [ctx.t("razzia.watch.hands")], []
    return [ctx.t("razzia.watch.over" if ctx.over else "razzia.watch.counting")], []


def watching_sentence(ctx: Context, key: str, seat: int) -> list[Child]:
    return ctx.t.rich(key, who=bold_name(ctx, seat))


def turn_question(ctx: Context, seat: int) -> Prompt:
    t, view = ctx.t, ctx.view
    slots = picked_slots(ctx)
    if slots:
        cards = h("b", None, names_in_words(t, [view.row[slot] for slot in slots]))
        return t.rich("razzia.ask.thieves", n=len(slots), cards=cards), turn_buttons(ctx, seat, slots)
    if "call" in ctx.picked:
        centre = h("b", None, t.money(view.centre))
        confirm = button(ctx.answer_attrs("call"), t("razzia.act.call.sure"), kind="pri")
        cancel = button({"data-do": "pick", "data-arg": "call"}, t("razzia.act.call.no"))
        return t.rich("razzia.ask.call", centre=centre), [confirm, cancel]
    who = bold_name(ctx, seat)
    if thieves_usable(ctx):
        return t.rich("razzia.ask.turn.thieves", who=who, n=view.family[seat][THIEF]), turn_buttons(ctx, seat, [])
    return t.rich("razzia.ask.turn", who=who), turn_buttons(ctx, seat, [])


def turn_buttons(ctx: Context, seat: int, slots: list[int]) -> list[Node]:
    """The buttons of a turn: turn up a card, use thieves, call an auction. Impossible ones are disabled."""
    t, view = ctx.t, ctx.view
    draw = button(ctx.answer_attrs("draw"), t("razzia.act.draw"), kind="" if slots else "pri")
    use = button(
        ctx.answer_attrs("thieves", *slots) if slots else {"aria-disabled": True, "key": "thieves"},
        t("razzia.act.thieves", n=len(slots) or max(1, view.family[seat][THIEF])),
        kind="pri" if slots else "",
    )
    if any(view.row) or not ctx.may("call"):
        return [draw, use, button(ctx.answer_attrs("call"), t("razzia.act.call"))]
    # an auction over an empty row is confirmed first
    confirm_first = {"data-do": "pick", "data-arg": "call", "key": "call?"}
    return [draw, use, button(confirm_first, t("razzia.act.call"))]


def auction_question(ctx: Context, asked: Auction) -> Prompt:
    t, seat = ctx.t, asked.seat
    if asked.best_bidder >= 0:
        values = {"who": bold_name(ctx, asked.best_bidder), "sum": h("b", None, t.money(asked.best))}
        sentence = t.rich("razzia.ask.higher", **values)
    else:
        key = "razzia.ask.must" if asked.must_offer() else "razzia.ask.first"
        sentence = t.rich(key, who=bold_name(ctx, seat))
    offers = [
        button(ctx.answer_attrs("offer", value), _offer_label(ctx, value), kind="pri offer")
        for value in ctx.view.open[seat]
        if value > asked.best
    ]
    return sentence, [*offers, button(ctx.answer_attrs("pass"), t("razzia.act.pass"))]


def _offer_label(ctx: Context, value: int) -> list[Child]:
    """The label of an offer. Where there is little room, only the first offer shows the words beside its sum."""
    words = ctx.t.rich("razzia.act.offer", sum=h("b", None, ctx.t.money(value)))
    return [h("span.say", None, part) if isinstance(part, str) else part for part in words]
