"""The current question as the board shows it: one sentence, and the buttons that answer it."""

from __future__ import annotations

from typing import Any

from engine.thieves.alarm import NONE, Alarm, LayOne
from engine.thieves.box import (
    ALARM,
    AT_END,
    AT_RAID,
    CARS,
    DOUBLE_LOOT,
    HORSESHOE,
    LOOT,
    NAMES,
    POLICE,
    RAID_AT,
    RING,
    ROADBLOCK,
    THIEF,
)
from engine.thieves.cards import CardPlay
from engine.thieves.raid import Caught, Raid
from engine.thieves.rules import Count, Deal, Draw, DrawTwo, First, Gems, Play, PlayBoth
from engine.thieves.table import police_cars
from engine.thieves.thief import LET_GO, Look
from engine.thieves.thief import Thief as Sent
from ui.boards import Context
from ui.boards.kit.prompt import Prompt, bold_name
from ui.boards.thieves.cards import kind_icon, kind_name, with_article
from ui.boards.thieves.scene import Scene, find_acting_seat, plays_of
from ui.boards.thieves.seats import loot_name
from ui.html.parts import button, seat_mark
from ui.html.tree import Child, Node, h

#: the verbs of the action cards, as they stand in answers and in the keys of texts
VERBS = {ALARM: "alarm", ROADBLOCK: "roadblock", THIEF: "thief", DOUBLE_LOOT: "double_loot"}


def sentence_and_buttons(ctx: Context, scene: Scene) -> Prompt:
    """Returns the question for the person who answers; for others what the table waits for, and a disabled button."""
    question = ctx.question
    if not scene.viewer_is_asked:
        return watching_sentence(ctx, question), idle_buttons(ctx, question)
    match question:
        case CardPlay():
            return play_prompt(ctx, scene)
        case LayOne():
            return one_each_prompt(ctx, scene)
        case Sent():
            return thief_prompt(ctx, scene)
    return watching_sentence(ctx, question), idle_buttons(ctx, question)


WAITING_KEYS: dict[type, str] = {
    First: "first",
    Deal: "deal",
    Draw: "draw",
    DrawTwo: "draw_two",
    Look: "look",
    Alarm: "alarm",
    Raid: "raid",
    Caught: "caught",
    Count: "count",
    Gems: "gems",
    LayOne: "one_each",
    Sent: "thief",
    Play: "play",
    PlayBoth: "play",
}


def watching_sentence(ctx: Context, question: Any) -> list[Child]:
    """Returns the sentence for a viewer who is not asked: it is somebody else's turn, or chance decides."""
    key = f"thieves.watch.{WAITING_KEYS.get(type(question), 'over')}"
    seat = find_acting_seat(question)
    return ctx.t.rich(key, **({"who": bold_name(ctx, seat)} if seat >= 0 else {}))


def idle_buttons(ctx: Context, question: Any) -> list[Node]:
    """Returns a disabled button that keeps the place of the buttons; none when the game is over."""
    return [button({"aria-disabled": True, "key": "quiet"}, ctx.t("thieves.act.play"))] if ctx.asked is not None else []


# Play a card


def play_prompt(ctx: Context, scene: Scene) -> Prompt:
    t, seat = ctx.t, scene.bottom_seat
    if scene.picked_index < 0:
        key = "thieves.ask.play"
        if isinstance(ctx.question, PlayBoth):
            key = "thieves.ask.both" if len(scene.playable) > 1 else "thieves.ask.second"
        return t.rich(key, who=bold_name(ctx, seat)), idle_buttons(ctx, ctx.question)
    kind = scene.playable[scene.picked_index]
    if kind in LOOT:
        return loot_prompt(ctx, scene, kind)
    if kind in POLICE:
        return police_prompt(ctx, scene, kind)
    return action_prompt(ctx, scene, kind)


def loot_prompt(ctx: Context, scene: Scene, kind: int) -> Prompt:
    """Offers to lay loot face down before the player, or face up before another player."""
    t, seat = ctx.t, scene.bottom_seat
    seats = len(ctx.chairs)
    keep = button(scene.answer_attrs(ctx, "lay", kind), t("thieves.act.lay"), kind="pri keep")
    gives = [give_button(ctx, scene, kind, (seat + i) % seats) for i in range(1, seats)]
    return t.rich(f"thieves.ask.loot.{worth_key(kind)}", card=bold_card(ctx, kind), **worths(kind)), [keep, *gives]


def worth_key(kind: int) -> str:
    return NAMES[kind] if kind in (RING, HORSESHOE) else "money"


def worths(kind: int) -> dict[str, int]:
    return {"raid": AT_RAID[kind], "end": AT_END[kind]}


def bold_card(ctx: Context, kind: int) -> Node:
    return h("b", None, kind_name(ctx.t, kind))


def label_starting_with(shown: str, full: str) -> str:
    """Returns a button's label. It begins with the words on the button, so that voice control can find it by them."""
    return f"{shown}: {full}"


def give_button(ctx: Context, scene: Scene, kind: int, to: int) -> Node:
    t, name = ctx.t, ctx.name(to)
    label = label_starting_with(
        t("thieves.act.give", who=name), t("thieves.act.give.label", card=with_article(t, kind), who=name)
    )
    attrs = {**scene.answer_attrs(ctx, "give", kind, to), "aria-label": label}
    return button(
        attrs, seat_mark(ctx.chairs[to]), h("span.to", None, t.rich("thieves.act.give", who=h("b", None, name)))
    )


def police_prompt(ctx: Context, scene: Scene, kind: int) -> Prompt:
    t, cars_after = ctx.t, police_cars(ctx.view) + CARS[kind]
    key = "thieves.ask.police.raid" if cars_after >= RAID_AT else "thieves.ask.police"
    sentence = t.rich(key, card=bold_card(ctx, kind), cars=cars_after, limit=RAID_AT)
    lay = button(scene.answer_attrs(ctx, "police", kind), t("thieves.act.police", n=CARS[kind]), kind="pri")
    return sentence, [lay]


def action_prompt(ctx: Context, scene: Scene, kind: int) -> Prompt:
    t, verb = ctx.t, VERBS[kind]
    answers = plays_of(ctx, kind)
    no_effect = (kind == THIEF and not any(ctx.view.loot)) or answers == [("roadblock",)]
    key = f"thieves.ask.{verb}.none" if no_effect else f"thieves.ask.{verb}"
    if kind == ALARM:
        key = f"thieves.ask.alarm.{ctx.view.house.alarm}"
    more = let_go_buttons(ctx, scene) if kind == THIEF and not no_effect else []
    if more:
        key = "thieves.ask.thief.or_nothing"
    sentence = t.rich(key, card=bold_card(ctx, kind))
    if kind == ROADBLOCK and not no_effect:
        return sentence, [roadblock_button(ctx, scene, *answer[1:]) for answer in answers]
    plays = [button(scene.answer_attrs(ctx, *answer), t(f"thieves.act.{verb}"), kind="pri") for answer in answers]
    return sentence, [*plays, *more]


def roadblock_button(ctx: Context, scene: Scene, police_card: int) -> Node:
    t = ctx.t
    label = t("thieves.act.block", n=CARS[police_card])
    return button(
        scene.answer_attrs(ctx, "roadblock", police_card),
        h("span.pic", None, kind_icon(police_card)),
        label,
        kind="pri",
    )


# One police car card each, by house rule


def one_each_prompt(ctx: Context, scene: Scene) -> Prompt:
    t, seat = ctx.t, scene.bottom_seat
    if NONE in ctx.answers:
        sentence = t.rich("thieves.ask.one_each.none", who=bold_name(ctx, seat))
        return sentence, [button(scene.answer_attrs(ctx, *NONE), t("thieves.act.none"), kind="pri")]
    lays = [
        button(scene.answer_attrs(ctx, *answer), t("thieves.act.police", n=CARS[answer[1]]), kind="pri")
        for answer in ctx.answers
    ]
    return t.rich("thieves.ask.one_each", who=bold_name(ctx, seat)), lays


# The thief


def thief_prompt(ctx: Context, scene: Scene) -> Prompt:
    """Asks first which card the thief takes, then which player gets it."""
    t, seat = ctx.t, scene.bottom_seat
    let_go = let_go_buttons(ctx, scene)
    if scene.picked_loot is None:
        key = "thieves.ask.take.or_nothing" if let_go else "thieves.ask.take"
        return t.rich(key, who=bold_name(ctx, seat)), [*idle_buttons(ctx, ctx.question), *let_go]
    owner, place = scene.picked_loot
    card_words = h("b", None, loot_name(t, scene.loot[owner][place], place))
    seats = len(ctx.chairs)
    bring_buttons = [bring_button(ctx, scene, (seat + i) % seats) for i in range(seats) if (seat + i) % seats != owner]
    return t.rich("thieves.ask.bring", card=card_words, owner=bold_name(ctx, owner)), [*bring_buttons, *let_go]


def let_go_buttons(ctx: Context, scene: Scene) -> list[Node]:
    """Returns the button to take nothing, unless a house rule forbids that.

    It is there, disabled, already beside the button that sends the thief: so it does not come up where that button was,
    and a double tap cannot let the thief go.
    """
    if not ctx.view.house.may_let_go:
        return []
    return [button(scene.answer_attrs(ctx, *LET_GO), ctx.t("thieves.act.let_go"))]


def bring_button(ctx: Context, scene: Scene, to: int) -> Node:
    t, name = ctx.t, ctx.name(to)
    owner, place = scene.picked_loot or (0, 0)
    label = label_starting_with(t("thieves.act.bring", who=name), t("thieves.act.bring.label", who=name))
    attrs = {**scene.answer_attrs(ctx, "take", owner, place, to), "aria-label": label}
    return button(
        attrs, seat_mark(ctx.chairs[to]), h("span.to", None, t.rich("thieves.act.bring", who=h("b", None, name)))
    )
