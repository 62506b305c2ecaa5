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
from ui.boards.sicilianos.cards import SHOPS, badge, card_name, icon
from ui.boards.sicilianos.prompt import Asked, bold, family, lay, laying, outcome
from ui.boards.sicilianos.scene import Scene, picked_card, picked_note
from ui.html.parts import button
from ui.html.tree import Node, h


def join(ctx: Context, asked: Join, now: Scene) -> Asked:
    t = ctx.t
    out = button(ctx.ask("out"), t("sicilianos.act.out"))
    if picked_card(ctx) or picked_note(ctx):
        return Asked(laying(ctx, "join"), t("sicilianos.hint.join"), (lay(ctx, "join"), out))
    laid = t("sicilianos.and").join(family(ctx, colour) for colour in ctx.view.family if colour)
    sentence = t.rich("sicilianos.ask.join", who=bold(ctx, asked.seat), families=laid)
    return Asked(sentence, t("sicilianos.hint.join"), (lay(ctx, "join"), out))


def traitor(ctx: Context, asked: Traitor, now: Scene) -> Asked:
    """Shows the strength of both families for either choice of the traitor."""
    t, view, seat = ctx.t, ctx.view, asked.seat
    mine = view.family[seat]
    other = PARTNER[mine]
    ally, totals = view.family.index(other), sums(view)
    values: dict[str, Any] = {
        "family": family(ctx, mine),
        "other": family(ctx, other),
        "who": ctx.name(seat),
        "ally": ctx.name(ally),
    }
    loyal, turned = totals.get(mine, 0), totals.get(other, 0) + TURNED
    sentence = t.rich("sicilianos.ask.traitor", **{**values, "who": bold(ctx, seat)})
    hint = t("sicilianos.hint.traitor", **values, plain=TRAITOR, turned=TURNED)
    return Asked(
        sentence,
        hint,
        (
            outcome(ctx, ("plain",), "sicilianos.act.loyal", mine, totals.get(mine, 0), loyal),
            outcome(ctx, ("traitor",), "sicilianos.act.traitor", other, totals.get(other, 0), turned),
        ),
    )


def bomb(ctx: Context, asked: Bomb, now: Scene) -> Asked:
    """Offers every possible victim, with the strength of both families after the explosion."""
    t, view, seat = ctx.t, ctx.view, asked.seat
    mine, totals = side(view, seat), sums(view)
    bomb_value = TURNED if seat in view.turned else VALUE[bomb_of(view, seat)]
    sentence = t.rich("sicilianos.ask.bomb", who=bold(ctx, seat), family=family(ctx, view.family[seat]))
    targets = t("sicilianos.and").join(family(ctx, c) for c in view.house.targets[view.family[seat]])
    without = totals.get(mine, 0) - bomb_value
    hint = t("sicilianos.hint.bomb", targets=targets, family=family(ctx, mine), n=without)
    acts = [outcome(ctx, ("plain",), "sicilianos.act.quiet", mine, totals.get(mine, 0), totals.get(mine, 0))]
    acts += [explosion(ctx, a, totals) for a in ctx.answers if a[0] == "explode"]
    return Asked(sentence, hint, tuple(acts))


def explosion(ctx: Context, a: Answer, totals: dict[int, int]) -> Node:
    t, view, card = ctx.t, ctx.view, a[1]
    owner = next(owner for owner, lying in view.lying if lying == card)
    hit = side(view, owner)
    value = TURNED if owner in view.turned else VALUE[card]
    change = t("sicilianos.becomes", before=totals[hit], after=totals[hit] - value)
    effect = h("small", None, t("sicilianos.effect", family=family(ctx, hit), change=change))
    word = t("sicilianos.act.explode", card=card_name(t, card), who=ctx.name(owner))
    return button(ctx.ask(*a), badge(COLOUR[card]), h("span", None, word, effect), kind="fam2")


def reinforce(ctx: Context, asked: Reinforce, now: Scene) -> Asked:
    t, view, seat = ctx.t, ctx.view, asked.seat
    mine, totals = view.family[seat], sums(view)
    others = [total for colour, total in totals.items() if colour != mine]
    stop = button(ctx.ask("stop"), t("sicilianos.act.stop"))
    card = picked_card(ctx)
    own_sum, best = totals.get(mine, 0), max(others, default=0)
    hint = t("sicilianos.hint.reinforce", family=family(ctx, mine), n=own_sum, best=best)
    if card and ctx.may("add", card[0]):
        add = button(ctx.ask("add", card[0]), t("sicilianos.act.add", card=card_name(t, card[0])), kind="pri")
        sentence = t.rich("sicilianos.ask.add", who=bold(ctx, seat), card=h("b", None, card_name(t, card[0])))
        return Asked(sentence, hint, (add, stop))
    add = button({"aria-disabled": True, "key": "add"}, t("sicilianos.act.add.none"))
    return Asked(t.rich("sicilianos.ask.reinforce", who=bold(ctx, seat), family=family(ctx, mine)), hint, (add, stop))


def share(ctx: Context, asked: Share, now: Scene) -> Asked:
    t, view = ctx.t, ctx.view
    both = view.stakes[asked.seat] + view.stakes[asked.ally]
    values = {"ally": ctx.name(asked.ally), "family": family(ctx, asked.family)}
    left = shops_left(view, asked.family)
    hint = t("sicilianos.hint.share", n=left, **values, sum=both)
    return Asked(
        t.rich("sicilianos.ask.share", who=bold(ctx, asked.seat), **values),
        hint,
        (
            button(ctx.ask("business"), icon("shop"), t("sicilianos.act.business", n=left), kind="pri"),
            button(ctx.ask("money"), icon("banknote"), t("sicilianos.act.money", n=both), kind="pri"),
        ),
    )


def founding(ctx: Context, asked: Founding, now: Scene) -> Asked:
    t = ctx.t
    acts = [
        button(
            ctx.ask(*a),
            icon(SHOPS[a[1]]),
            t(f"sicilianos.act.found.{KIND_NAMES[a[1] - 1]}"),
            kind="pri",
        )
        for a in ctx.answers
        if a[1]
    ]
    sentence = t.rich("sicilianos.ask.founding", who=bold(ctx, asked.seat), family=family(ctx, asked.colour))
    return Asked(sentence, t("sicilianos.hint.founding"), tuple(acts))
