"""The question: one sentence, always in the same place, and the buttons that answer it."""

from __future__ import annotations

from engine.bars.box import BAR
from engine.bars.notes import Look, Place, TurnUp
from engine.bars.rules import ChooseDealer, Deal, DrawDealer, Pick, Reshuffle
from engine.bars.settle import ACCEPT, CHALLENGE, Propose, Reply, SecretReply
from engine.core import NATURE
from ui.boards import Context
from ui.boards.bars.cards import bar_name, rank
from ui.boards.bars.log_lines import latest_line
from ui.boards.bars.scene import Scene
from ui.boards.bars.seats import seat_disc
from ui.boards.bars.split import lifted_notes, pot, proposer_keeps
from ui.boards.bars.split import proposal_buttons as split_acts
from ui.boards.kit.lines import rich_line
from ui.boards.kit.prompt import Prompt, bold_name, sentence_home
from ui.html.parts import button
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Value


def question_box(ctx: Context, scene: Scene, *, home: bool) -> Node:
    sentence, buttons = sentence_and_buttons(ctx, scene)
    return h(
        "div.quest",
        {"key": "quest", "data-acts": len(buttons)},
        sentence_home("p.question", sentence, home=home),
        h("div.doing", {"data-count": len(buttons)}, buttons) if buttons else h("div.doing"),
    )


def sentence_and_buttons(ctx: Context, scene: Scene) -> Prompt:
    """Returns the sentence and the buttons.

    The sentence tells an asked person what may be done. Otherwise it says who is thinking, or what has just happened.
    """
    asked = ctx.question
    if not ctx.person_is_asked:
        return watching_sentence(ctx), []
    match asked:
        case ChooseDealer():
            return choose_dealer(ctx)
        case Place():
            return place(ctx), []
        case Pick():
            return pick(ctx, scene)
        case Propose():
            return propose(ctx, asked)
        case Reply() | SecretReply():
            return reply(ctx, scene)
    return watching_sentence(ctx), []


def bold(text: str) -> Node:
    return h("b", None, text)


def asked_name(ctx: Context) -> Node:
    return bold_name(ctx, ctx.asked if ctx.asked is not None else NATURE)


def choose_dealer(ctx: Context) -> Prompt:
    buttons = [
        button(ctx.answer_attrs("dealer", seat), seat_disc(ctx, seat), h("span", None, ctx.name(seat)))
        for seat in range(len(ctx.chairs))
    ]
    return ctx.t.rich("bars.ask.dealer", who=asked_name(ctx)), buttons


def place(ctx: Context) -> list[Child]:
    t, view = ctx.t, ctx.view
    if view.extra <= 0:
        return t.rich("bars.ask.place.unseen", who=asked_name(ctx))
    key = "bars.ask.place.down" if view.house.extra_face_down else "bars.ask.place"
    return t.rich(key, who=asked_name(ctx), sum=bold(t.number(view.extra)))


def pick(ctx: Context, scene: Scene) -> Prompt:
    t, card = ctx.t, scene.picked_card
    if not card:
        quiet: dict[str, Attr] = {"aria-disabled": True, "key": "pick"}
        return t.rich("bars.ask.pick", who=asked_name(ctx)), [button(quiet, t("bars.act.pick"), kind="pri")]
    attrs = {**ctx.answer_attrs("pick", card), "key": "pick"}
    sentence = t.rich("bars.ask.lifted", card=bold(rank(t, card)), bar=bold(bar_name(t, BAR[card])))
    return sentence, [button(attrs, t("bars.act.pick.this", card=rank(t, card)), kind="pri")]


def propose(ctx: Context, asked: Propose) -> Prompt:
    t, notes, picked_places = ctx.t, pot(ctx, asked.bar), lifted_notes(ctx, asked)
    values: dict[str, Value | Child] = {
        "who": asked_name(ctx),
        "bar": bar_name(t, asked.bar),
        "other": bold_name(ctx, asked.others[0]),
        "sum": bold(t.number(sum(notes[place] for place in picked_places))),
    }
    key = "bars.ask.propose"
    if len(asked.others) > 1:
        key = "bars.ask.propose.lifted" if picked_places else "bars.ask.propose.many"
    elif proposer_keeps(ctx, asked) < sum(notes):
        key = "bars.ask.propose.more"
    return t.rich(key, **values), split_acts(ctx, asked)


def reply(ctx: Context, scene: Scene) -> Prompt:
    t, split_state, seat = ctx.t, scene.current_split, ctx.asked
    if split_state is None or seat is None:
        return watching_sentence(ctx), []
    offer = sum(split_state.offer(seat))
    values: dict[str, Value | Child] = {
        "proposer": bold_name(ctx, split_state.proposer),
        "who": bold_name(ctx, seat),
        "sum": bold(t.number(offer)),
    }
    key = "bars.ask.reply" if offer else "bars.ask.reply.nothing"
    if isinstance(ctx.question, SecretReply):
        key += ".secret"
    accept_label = t.rich("bars.act.accept", sum=bold(t.number(offer))) if offer else t("bars.act.accept.nothing")
    return t.rich(key, **values), [
        button(ctx.answer_attrs(*ACCEPT), h("span", None, accept_label), kind="pri"),
        button(ctx.answer_attrs(*CHALLENGE), t("bars.act.challenge")),
    ]


def watching_sentence(ctx: Context) -> list[Child]:
    t, asked = ctx.t, ctx.question
    if ctx.asked is None:
        return [t("bars.watch.over")]
    if ctx.asked >= 0:
        return t.rich(f"{asked.key}.watch", who=bold_name(ctx, ctx.asked))
    match asked:
        case DrawDealer() | Deal() | Reshuffle() | TurnUp() | Look():
            dealer = bold_name(ctx, ctx.view.dealer) if ctx.view.dealer >= 0 else ""
            return t.rich(f"{asked.key}.watch", who=dealer)
    return latest_sentence(ctx)


def latest_sentence(ctx: Context) -> list[Child]:
    """The latest event, in the words of the log. Hidden from screen readers: they get it from the log."""
    line = latest_line(ctx)
    if line is None:
        return [ctx.t("bars.watch.on")]
    return [h("span", {"aria-hidden": True}, rich_line(ctx.chairs, ctx.t, line))]
