"""The board of bars: the seats, the bars, and before the viewer the hand, the notes to be split, or the dice."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bars.box import BAR
from engine.bars.rules import Pick
from engine.bars.words import notes_left
from engine.core import HIDDEN
from ui.boards import Context
from ui.boards.bars.cards import bill, by_bar, card_name, face, say_value
from ui.boards.bars.duel import duel
from ui.boards.bars.ledger import ledger, over_the_table
from ui.boards.bars.log_lines import rest_after, tell
from ui.boards.bars.question import question_box
from ui.boards.bars.rules import rules
from ui.boards.bars.scene import DUEL, NOTE, SPLIT, Scene, make_scene
from ui.boards.bars.seats import disc, money, name_and_standing, night_count, people, pocket, seat_classes
from ui.boards.bars.split import split
from ui.boards.bars.street import street
from ui.boards.kit.felt import felt_frame
from ui.html.parts import back, for_screen_readers, symbol
from ui.html.tree import Attr, Child, Node, h

__all__ = ["felt", "rest_after", "result", "rules", "say_value", "score", "status", "tell"]


def felt(ctx: Context) -> Node:
    """Draws everything on the felt. While the ledger lies over the table, the rest is inert."""
    scene = make_scene(ctx)
    sheet = over_the_table(ctx, scene)
    return felt_frame(
        ctx,
        "div.table.bars",
        "div.board",
        sheet,
        people(ctx, scene),
        street(ctx, scene),
        own_place(ctx, scene, home=sheet is None),
        attrs={"data-stage": scene.stage},
    )


def status(ctx: Context) -> list[str]:
    t, view = ctx.t, ctx.view
    return [
        t("bars.night", night=view.night, nights=night_count(ctx.options, view)),
        t("bars.notes.left", n=notes_left(view)),
    ]


def score(ctx: Context, number: int) -> str:
    return ctx.t.number(number)


def result(ctx: Context) -> Sequence[Node]:
    """Returns the ledger: who won which notes, and how."""
    return ledger(ctx, make_scene(ctx))


# Before the viewer


def own_place(ctx: Context, scene: Scene, *, home: bool) -> Node:
    """The place before the viewer: the question, what it is about, and the viewer's own things."""
    me = scene.own_seat
    attrs: dict[str, Attr] = {
        "key": "desk",
        "class": seat_classes(ctx, scene, me) if me is not None else None,
        "aria-label": ctx.name(me) if me is not None else ctx.t("bars.desk"),
    }
    return h(
        "section.desk.deco",
        attrs,
        question_box(ctx, scene, home=home),
        h("div.bench", None, stage(ctx, scene), own_things(ctx, scene)),
    )


def stage(ctx: Context, scene: Scene) -> Node:
    """The notes to be split, the dice of a duel, or the note that the dealer has looked at."""
    if scene.stage == SPLIT:
        return split(ctx, scene)
    if scene.stage == DUEL:
        return duel(ctx, scene)
    note: Child = None
    if scene.stage == NOTE and ctx.view.extra > 0:
        attrs: dict[str, Attr] = {"data-fly": "extra", "data-spot": "extra", "data-from": "stock", "data-turn": 1}
        attrs["data-drag"] = "put"
        note = bill(ctx.t, ctx.view.extra, attrs)
    return h("div.spare", {"key": "spare"}, note)


def own_things(ctx: Context, scene: Scene) -> Node:
    """The viewer's money and hand; empty for a spectator."""
    me = scene.own_seat
    if me is None:
        return h("div.own", {"key": "none"})
    return h(
        "div.own",
        {"key": f"own-{me}"},
        h(
            "header.ident",
            None,
            disc(ctx, me),
            name_and_standing(ctx, scene, me),
            money(ctx, scene, me),
            pocket(ctx, scene, me),
        ),
        h("ul.hand", {"aria-label": ctx.t("bars.hand", who=ctx.name(me))}, hand(ctx, scene, me)),
    )


def hand(ctx: Context, scene: Scene, me: int) -> list[Node]:
    """The cards of a hand in the order of the bars. The place of a played card stays empty, so that no other moves."""
    view = ctx.view
    just_dealt = ctx.log[-1].answer[2] if scene.last_verb == "deal" and ctx.log[-1].answer[1] == me else HIDDEN
    played_card = played(ctx, me)
    cards = [
        h("li", {"key": "gone"}, h("span.slot")) if card == played_card else hand_card(ctx, scene, card, just_dealt)
        for card in by_bar(filter(None, (*view.hands[me], played_card)))
    ]
    unseen = [h("li", {"key": f"back-{n}"}, back()) for n in range(view.hands[me].count(HIDDEN))]
    return [*cards, *unseen]


def played(ctx: Context, me: int) -> int:
    """Returns the card that the seat played last; HIDDEN before that, and once another one was dealt for it."""
    for _, answer, _ in reversed(ctx.log):
        if answer[0] == "reveal":
            return int(answer[1 + me])
        if answer[:2] == ("deal", me):
            break
    return HIDDEN


def hand_card(ctx: Context, scene: Scene, card: int, just_dealt: int) -> Node:
    """A card of the hand. It is a toggle while a card can be picked."""
    t, view = ctx.t, ctx.view
    attrs: dict[str, Attr] = {"data-fly": f"c{card}"}
    if card == just_dealt:
        attrs |= {"data-from": "deck", "data-turn": 1}
    can_pick = isinstance(ctx.question, Pick) and scene.own_seat == ctx.asked and ctx.yours
    if not can_pick:
        is_picked = scene.own_seat is not None and view.picks[scene.own_seat] == card
        label = t("bars.hand.picked", card=card_name(t, card)) if is_picked else ""
        return h("li", {"key": card, "class": "down" if is_picked else None}, face(t, card, attrs, label))
    name = f"card-{card}"
    is_lifted = scene.picked_card == card
    toggle = {
        **ctx.pick_only_attrs(() if is_lifted else (name,)),
        "aria-pressed": is_lifted,
        "id": f"bars-{name}",
        "data-drag": f"club-{BAR[card]}",
    }
    shown = face(t, card, {**attrs, "role": None, "aria-label": None, "aria-hidden": True})
    return h(
        "li",
        {"key": card},
        h(
            "button.choose",
            toggle,
            shown,
            for_screen_readers(card_name(t, card)),
            h("span.tick", None, symbol("u-check")),
        ),
    )
