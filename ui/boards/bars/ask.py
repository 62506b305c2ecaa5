"""The question: one sentence, always in the same place, and the buttons that answer it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.bars.box import BAR
from engine.bars.notes import Look, Place, TurnUp
from engine.bars.rules import ChooseDealer, Deal, DrawDealer, Pick, Reshuffle
from engine.bars.settle import ACCEPT, CHALLENGE, Propose, Reply, SecretReply
from engine.core import NATURE
from ui.boards import Context
from ui.boards.bars.cards import bar_name, rank
from ui.boards.bars.scene import Scene, person_asked
from ui.boards.bars.seats import seat_disc
from ui.boards.bars.split import acts as split_acts
from ui.boards.bars.split import kept, lifted, pot
from ui.boards.bars.tell import latest
from ui.html.parts import button, whole
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Value

Asked = tuple[list[Child], list[Node]]


def quest(ctx: Context, now: Scene, *, home: bool) -> Node:
    words, acts = question(ctx, now)
    attrs: dict[str, Attr] = {"role": "status", "tabindex": -1, "data-home": home}
    return h(
        "div.quest",
        {"key": "quest", "data-acts": len(acts)},
        h("p.say", attrs, whole(words)),
        h("div.doing", {"data-count": len(acts)}, acts) if acts else h("div.doing"),
    )


def question(ctx: Context, now: Scene) -> Asked:
    """Returns the sentence and the buttons.

    The sentence tells an asked person what may be done. Otherwise it says who is thinking, or what has just happened.
    """
    asked = ctx.question
    if not person_asked(ctx):
        return watch(ctx), []
    match asked:
        case ChooseDealer():
            return choose_dealer(ctx)
        case Place():
            return place(ctx), []
        case Pick():
            return pick(ctx, now)
        case Propose():
            return propose(ctx, asked)
        case Reply() | SecretReply():
            return reply(ctx, now)
    return watch(ctx), []


def bold(text: str) -> Node:
    return h("b", None, text)


def asked_name(ctx: Context) -> Node:
    return bold(ctx.name(ctx.asked if ctx.asked is not None else NATURE))


def choose_dealer(ctx: Context) -> Asked:
    buttons = [
        button(ctx.ask("dealer", seat), seat_disc(ctx, seat), h("span", None, ctx.name(seat)))
        for seat in range(len(ctx.chairs))
    ]
    return ctx.t.rich("bars.ask.dealer", who=asked_name(ctx)), buttons


def place(ctx: Context) -> list[Child]:
    t, view = ctx.t, ctx.view
    if view.extra <= 0:
        return t.rich("bars.ask.place.unseen", who=asked_name(ctx))
    key = "bars.ask.place.down" if view.house.extra_face_down else "bars.ask.place"
    return t.rich(key, who=asked_name(ctx), sum=bold(t.number(view.extra)))


def pick(ctx: Context, now: Scene) -> Asked:
    t, card = ctx.t, now.lifted
    if not card:
        quiet: dict[str, Attr] = {"aria-disabled": True, "key": "pick"}
        return t.rich("bars.ask.pick", who=asked_name(ctx)), [button(quiet, t("bars.act.pick"), kind="pri")]
    attrs = {**ctx.ask("pick", card), "key": "pick"}
    sentence = t.rich("bars.ask.lifted", card=bold(rank(t, card)), bar=bold(bar_name(t, BAR[card])))
    return sentence, [button(attrs, t("bars.act.pick.this", card=rank(t, card)), kind="pri")]


def propose(ctx: Context, asks: Propose) -> Asked:
    t, notes, up = ctx.t, pot(ctx, asks.bar), lifted(ctx, asks)
    values: dict[str, Value | Child] = {
        "who": asked_name(ctx),
        "bar": bar_name(t, asks.bar),
        "other": bold(ctx.name(asks.others[0])),
        "sum": bold(t.number(sum(notes[place] for place in up))),
    }
    key = "bars.ask.propose"
    if len(asks.others) > 1:
        key = "bars.ask.propose.lifted" if up else "bars.ask.propose.many"
    elif kept(ctx, asks) < sum(notes):
        key = "bars.ask.propose.more"
    return t.rich(key, **values), split_acts(ctx, asks)


def reply(ctx: Context, now: Scene) -> Asked:
    t, told, seat = ctx.t, now.now, ctx.asked
    if told is None or seat is None:
        return watch(ctx), []
    offer = sum(told.offer(seat))
    values: dict[str, Value | Child] = {
        "proposer": bold(ctx.name(told.proposer)),
        "who": bold(ctx.name(seat)),
        "sum": bold(t.number(offer)),
    }
    key = "bars.ask.reply" if offer else "bars.ask.reply.nothing"
    if isinstance(ctx.question, SecretReply):
        key += ".secret"
    yes = t.rich("bars.act.accept", sum=bold(t.number(offer))) if offer else t("bars.act.accept.nothing")
    return t.rich(key, **values), [
        button(ctx.ask(*ACCEPT), h("span", None, yes), kind="pri"),
        button(ctx.ask(*CHALLENGE), t("bars.act.challenge")),
    ]


def watch(ctx: Context) -> list[Child]:
    t, asked = ctx.t, ctx.question
    if ctx.asked is None:
        return [t("bars.watch.over")]
    if ctx.asked >= 0:
        return t.rich(f"{asked.key}.watch", who=bold(ctx.name(ctx.asked)))
    match asked:
        case DrawDealer() | Deal() | Reshuffle() | TurnUp() | Look():
            dealer = bold(ctx.name(ctx.view.dealer)) if ctx.view.dealer >= 0 else ""
            return t.rich(f"{asked.key}.watch", who=dealer)
    return happened(ctx)


def happened(ctx: Context) -> list[Child]:
    """The latest event, in the words of the log. Hidden from screen readers: they get it from the log."""
    line = latest(ctx)
    if line is None:
        return [ctx.t("bars.watch.on")]
    who: Mapping[str, Any] = {"who": bold(ctx.name(line.seat))} if line.seat != NATURE else {}
    values = {
        name: bold(ctx.name(value.seat)) if hasattr(value, "seat") else value for name, value in line.values.items()
    }
    return [h("span", {"aria-hidden": True}, ctx.t.rich(line.key, **{**who, **values}))]
