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
from engine.thieves.table import cars
from engine.thieves.thief import LET_GO, Look
from engine.thieves.thief import Thief as Sent
from ui.boards import Context
from ui.boards.thieves.cards import kind_name, sign, the
from ui.boards.thieves.scene import Scene, acting, plays_of
from ui.boards.thieves.seats import named
from ui.html.parts import button, seat_mark
from ui.html.tree import Child, Node, h

Asked = tuple[list[Child], list[Node]]
#: the verbs of the action cards, as they stand in answers and in the keys of texts
VERBS = {ALARM: "alarm", ROADBLOCK: "roadblock", THIEF: "thief", DOUBLE_LOOT: "double_loot"}


def question(ctx: Context, now: Scene) -> Asked:
    """Returns the question for the person who answers; for others what the table waits for, and a disabled button."""
    asked = ctx.question
    if not now.mine:
        return watch(ctx, asked), quiet(ctx, asked)
    match asked:
        case CardPlay():
            return play(ctx, now)
        case LayOne():
            return lay_one(ctx, now)
        case Sent():
            return send(ctx, now)
    return watch(ctx, asked), quiet(ctx, asked)


def bold(ctx: Context, seat: int) -> Node:
    return h("b", None, ctx.name(seat))


WAITS: dict[type, str] = {
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


def watch(ctx: Context, asked: Any) -> list[Child]:
    """Returns the sentence for a viewer who is not asked: it is somebody else's turn, or chance decides."""
    key = f"thieves.watch.{WAITS.get(type(asked), 'over')}"
    seat = acting(asked)
    return ctx.t.rich(key, **({"who": bold(ctx, seat)} if seat >= 0 else {}))


def quiet(ctx: Context, asked: Any) -> list[Node]:
    """Returns a disabled button that keeps the place of the buttons; none when the game is over."""
    return [button({"aria-disabled": True, "key": "quiet"}, ctx.t("thieves.act.play"))] if ctx.asked is not None else []


# Play a card


def play(ctx: Context, now: Scene) -> Asked:
    t, seat = ctx.t, now.below
    if now.card < 0:
        key = "thieves.ask.play"
        if isinstance(ctx.question, PlayBoth):
            key = "thieves.ask.both" if len(now.cards) > 1 else "thieves.ask.second"
        return t.rich(key, who=bold(ctx, seat)), quiet(ctx, ctx.question)
    kind = now.cards[now.card]
    if kind in LOOT:
        return loot(ctx, now, kind)
    if kind in POLICE:
        return police(ctx, now, kind)
    return action(ctx, now, kind)


def loot(ctx: Context, now: Scene, kind: int) -> Asked:
    """Offers to lay loot face down before the player, or face up before another player."""
    t, seat = ctx.t, now.below
    seats = len(ctx.chairs)
    keep = button(now.ask(ctx, "lay", kind), t("thieves.act.lay"), kind="pri keep")
    gives = [give(ctx, now, kind, (seat + i) % seats) for i in range(1, seats)]
    return t.rich(f"thieves.ask.loot.{worth_key(kind)}", card=card_name(ctx, kind), **prices(kind)), [keep, *gives]


def worth_key(kind: int) -> str:
    return NAMES[kind] if kind in (RING, HORSESHOE) else "money"


def prices(kind: int) -> dict[str, int]:
    return {"raid": AT_RAID[kind], "end": AT_END[kind]}


def card_name(ctx: Context, kind: int) -> Node:
    return h("b", None, kind_name(ctx.t, kind))


def spoken(shown: str, whole: str) -> str:
    """Returns a button's label. It begins with the words on the button, so that voice control can find it by them."""
    return f"{shown}: {whole}"


def give(ctx: Context, now: Scene, kind: int, to: int) -> Node:
    t, name = ctx.t, ctx.name(to)
    label = spoken(t("thieves.act.give", who=name), t("thieves.act.give.label", card=the(t, kind), who=name))
    attrs = {**now.ask(ctx, "give", kind, to), "aria-label": label}
    return button(
        attrs, seat_mark(ctx.chairs[to]), h("span.to", None, t.rich("thieves.act.give", who=h("b", None, name)))
    )


def police(ctx: Context, now: Scene, kind: int) -> Asked:
    t, there = ctx.t, cars(ctx.view) + CARS[kind]
    key = "thieves.ask.police.raid" if there >= RAID_AT else "thieves.ask.police"
    sentence = t.rich(key, card=card_name(ctx, kind), cars=there, limit=RAID_AT)
    lay = button(now.ask(ctx, "police", kind), t("thieves.act.police", n=CARS[kind]), kind="pri")
    return sentence, [lay]


def action(ctx: Context, now: Scene, kind: int) -> Asked:
    t, verb = ctx.t, VERBS[kind]
    answers = plays_of(ctx, kind)
    idle = (kind == THIEF and not any(ctx.view.loot)) or answers == [("roadblock",)]
    key = f"thieves.ask.{verb}.none" if idle else f"thieves.ask.{verb}"
    if kind == ALARM:
        key = f"thieves.ask.alarm.{ctx.view.house.alarm}"
    sentence = t.rich(key, card=card_name(ctx, kind))
    if kind == ROADBLOCK and not idle:
        return sentence, [block(ctx, now, *answer[1:]) for answer in answers]
    return sentence, [button(now.ask(ctx, *answer), t(f"thieves.act.{verb}"), kind="pri") for answer in answers]


def block(ctx: Context, now: Scene, police_card: int) -> Node:
    t = ctx.t
    label = t("thieves.act.block", n=CARS[police_card])
    return button(now.ask(ctx, "roadblock", police_card), h("span.pic", None, sign(police_card)), label, kind="pri")


# One police car card each, by house rule


def lay_one(ctx: Context, now: Scene) -> Asked:
    t, seat = ctx.t, now.below
    if NONE in ctx.answers:
        sentence = t.rich("thieves.ask.one_each.none", who=bold(ctx, seat))
        return sentence, [button(now.ask(ctx, *NONE), t("thieves.act.none"), kind="pri")]
    lays = [
        button(now.ask(ctx, *answer), t("thieves.act.police", n=CARS[answer[1]]), kind="pri") for answer in ctx.answers
    ]
    return t.rich("thieves.ask.one_each", who=bold(ctx, seat)), lays


# The thief


def send(ctx: Context, now: Scene) -> Asked:
    """Asks first which card the thief takes, then which player gets it."""
    t, seat = ctx.t, now.below
    let = [button(now.ask(ctx, *LET_GO), t("thieves.act.let_go"))] if ctx.view.house.may_let_go else []
    if now.taking is None:
        return t.rich("thieves.ask.take", who=bold(ctx, seat)), [*quiet(ctx, ctx.question), *let]
    owner, place = now.taking
    said = h("b", None, named(t, now.loot[owner][place], place))
    seats = len(ctx.chairs)
    goals = [bring(ctx, now, (seat + i) % seats) for i in range(seats) if (seat + i) % seats != owner]
    return t.rich("thieves.ask.bring", card=said, owner=bold(ctx, owner)), [*goals, *let]


def bring(ctx: Context, now: Scene, to: int) -> Node:
    t, name = ctx.t, ctx.name(to)
    owner, place = now.taking or (0, 0)
    label = spoken(t("thieves.act.bring", who=name), t("thieves.act.bring.label", who=name))
    attrs = {**now.ask(ctx, "take", owner, place, to), "aria-label": label}
    return button(
        attrs, seat_mark(ctx.chairs[to]), h("span.to", None, t.rich("thieves.act.bring", who=h("b", None, name)))
    )
