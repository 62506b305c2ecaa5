"""The questions of a war, with the effect of each answer in figures: join, traitor, bomb, reinforce, share,
founding."""

from __future__ import annotations

from typing import Any

from engine.core import Answer
from engine.sicilianos.box import COLOUR, KIND_NAMES, PARTNER, TRAITOR, TURNED, VALUE
from engine.sicilianos.result import Founding, Share, shops_left
from engine.sicilianos.table import side, sums
from engine.sicilianos.war import Bomb, Join, Reinforce, Traitor, bomb_of
from ui.boards import Context
from ui.boards.kit.prompt import bold_name
from ui.boards.sicilianos.cards import SHOP_ICONS, badge, card_name
from ui.boards.sicilianos.prompt import Prompt, family, lay_button, outcome_button, picked_sentence
from ui.boards.sicilianos.scene import Scene, picked_card, picked_note
from ui.html.parts import button, icon
from ui.html.tree import Node, h


def join(ctx: Context, question: Join, scene: Scene) -> Prompt:
    t = ctx.t
    stay_out = button(ctx.answer_attrs("out"), t("sicilianos.act.out"))
    if picked_card(ctx) or picked_note(ctx):
        return Prompt(picked_sentence(ctx, "join"), t("sicilianos.hint.join"), (lay_button(ctx, "join"), stay_out))
    laid = t("sicilianos.and").join(family(ctx, colour) for colour in ctx.view.family if colour)
    sentence = t.rich("sicilianos.ask.join", who=bold_name(ctx, question.seat), families=laid)
    return Prompt(sentence, t("sicilianos.hint.join"), (lay_button(ctx, "join"), stay_out))


def traitor(ctx: Context, question: Traitor, scene: Scene) -> Prompt:
    """Shows the strength of both families for either choice of the traitor."""
    t, view, seat = ctx.t, ctx.view, question.seat
    own_family = view.family[seat]
    partner = PARTNER[own_family]
    ally, totals = view.family.index(partner), sums(view)
    values: dict[str, Any] = {
        "family": family(ctx, own_family),
        "other": family(ctx, partner),
        "who": ctx.name(seat),
        "ally": ctx.name(ally),
    }
    loyal, turned = totals.get(own_family, 0), totals.get(partner, 0) + TURNED
    sentence = t.rich("sicilianos.ask.traitor", **{**values, "who": bold_name(ctx, seat)})
    hint = t("sicilianos.hint.traitor", **values, plain=TRAITOR, turned=TURNED)
    return Prompt(
        sentence,
        hint,
        (
            outcome_button(ctx, ("plain",), "sicilianos.act.loyal", own_family, totals.get(own_family, 0), loyal),
            outcome_button(ctx, ("traitor",), "sicilianos.act.traitor", partner, totals.get(partner, 0), turned),
        ),
    )


def bomb(ctx: Context, question: Bomb, scene: Scene) -> Prompt:
    """Offers every possible victim, with the strength of both families after the explosion."""
    t, view, seat = ctx.t, ctx.view, question.seat
    own_side, totals = side(view, seat), sums(view)
    bomb_value = TURNED if seat in view.turned else VALUE[bomb_of(view, seat)]
    sentence = t.rich("sicilianos.ask.bomb", who=bold_name(ctx, seat), family=family(ctx, view.family[seat]))
    targets = t("sicilianos.and").join(family(ctx, c) for c in view.house.targets[view.family[seat]])
    left_without_bomb = totals.get(own_side, 0) - bomb_value
    hint = t("sicilianos.hint.bomb", targets=targets, family=family(ctx, own_side), n=left_without_bomb)
    buttons = [
        outcome_button(
            ctx, ("plain",), "sicilianos.act.quiet", own_side, totals.get(own_side, 0), totals.get(own_side, 0)
        )
    ]
    buttons += [explosion_button(ctx, a, totals) for a in ctx.answers if a[0] == "explode"]
    return Prompt(sentence, hint, tuple(buttons))


def explosion_button(ctx: Context, a: Answer, totals: dict[int, int]) -> Node:
    t, view, card = ctx.t, ctx.view, a[1]
    owner = next(owner for owner, lying in view.lying if lying == card)
    victim_side = side(view, owner)
    value = TURNED if owner in view.turned else VALUE[card]
    change = t("sicilianos.becomes", before=totals[victim_side], after=totals[victim_side] - value)
    effect = h("small", None, t("sicilianos.effect", family=family(ctx, victim_side), change=change))
    word = t("sicilianos.act.explode", card=card_name(t, card), who=ctx.name(owner))
    return button(ctx.answer_attrs(*a), badge(COLOUR[card]), h("span", None, word, effect), kind="with-badge")


def reinforce(ctx: Context, question: Reinforce, scene: Scene) -> Prompt:
    t, view, seat = ctx.t, ctx.view, question.seat
    own_family, totals = view.family[seat], sums(view)
    others = [total for colour, total in totals.items() if colour != own_family]
    stop = button(ctx.answer_attrs("stop"), t("sicilianos.act.stop"))
    card = picked_card(ctx)
    own_sum, best = totals.get(own_family, 0), max(others, default=0)
    hint = t("sicilianos.hint.reinforce", family=family(ctx, own_family), n=own_sum, best=best)
    if card and ctx.may("add", card[0]):
        add = button(ctx.answer_attrs("add", card[0]), t("sicilianos.act.add", card=card_name(t, card[0])), kind="pri")
        sentence = t.rich("sicilianos.ask.add", who=bold_name(ctx, seat), card=h("b", None, card_name(t, card[0])))
        return Prompt(sentence, hint, (add, stop))
    add = button({"aria-disabled": True, "key": "add"}, t("sicilianos.act.add.none"))
    return Prompt(
        t.rich("sicilianos.ask.reinforce", who=bold_name(ctx, seat), family=family(ctx, own_family)), hint, (add, stop)
    )


def share(ctx: Context, question: Share, scene: Scene) -> Prompt:
    t, view = ctx.t, ctx.view
    both_stakes = view.stakes[question.seat] + view.stakes[question.ally]
    values = {"ally": ctx.name(question.ally), "family": family(ctx, question.family)}
    left = shops_left(view, question.family)
    hint = t("sicilianos.hint.share", n=left, **values, sum=both_stakes)
    return Prompt(
        t.rich("sicilianos.ask.share", who=bold_name(ctx, question.seat), **values),
        hint,
        (
            button(ctx.answer_attrs("business"), icon("shop"), t("sicilianos.act.business", n=left), kind="pri"),
            button(ctx.answer_attrs("money"), icon("banknote"), t("sicilianos.act.money", n=both_stakes), kind="pri"),
        ),
    )


def founding(ctx: Context, question: Founding, scene: Scene) -> Prompt:
    t = ctx.t
    buttons = [
        button(
            ctx.answer_attrs(*a),
            icon(SHOP_ICONS[a[1]]),
            t(f"sicilianos.act.found.{KIND_NAMES[a[1] - 1]}"),
            kind="pri",
        )
        for a in ctx.answers
        if a[1]
    ]
    sentence = t.rich("sicilianos.ask.founding", who=bold_name(ctx, question.seat), family=family(ctx, question.colour))
    return Prompt(sentence, t("sicilianos.hint.founding"), tuple(buttons))
