"""A duel: two cards, two dice, and the seats that wait for the winner."""

from __future__ import annotations

from engine.bars.box import NUMBER
from engine.bars.settle import Duel
from ui.boards import Context
from ui.boards.bars.cards import bill, card_name, face, named, rolling
from ui.boards.bars.scene import Scene
from ui.boards.bars.seats import seat_disc
from ui.boards.bars.story import Throw, Told
from ui.html.parts import hidden
from ui.html.tree import Attr, Node, h


def duel(ctx: Context, now: Scene) -> Node:
    """The duel with the dice that were just thrown; before the throw only its two cards."""
    told, question = now.now, ctx.question
    if told is None:
        return h("div.fight", {"key": "duel"})
    throw = told.throws[-1] if told.throws and now.last == "dice" else None
    if throw is not None:
        high, low = throw.high, throw.low
    elif isinstance(question, Duel):
        high, low = question.high, question.low
    else:
        return h("div.fight", {"key": "duel"})
    return h(
        "div.fight",
        {"key": "duel"},
        duelist(ctx, told, high, throw, "left3"),
        prize(ctx, told, throw),
        duelist(ctx, told, low, throw, "right3"),
    )


def duelist(ctx: Context, told: Told, seat: int, throw: Throw | None, side: str) -> Node:
    t, card = ctx.t, ctx.view.shown[seat]
    number = NUMBER[card]
    state = "" if throw is None else " wins" if throw.winner(ctx.view) == seat else " loses"
    thrown: list[Node] = [h("span.die.blank", {"aria-hidden": True, "key": "blank"}, t("bars.die.blank"))]
    total = h("b.sum3", {"key": "none", "aria-hidden": True}, t.number(number))
    if throw is not None:
        thrown = [rolling(throw.die(seat), f"d{throw.entry}")]
        total = h("b.sum3.late", {"key": throw.entry, "aria-hidden": True}, t.number(number + throw.die(seat)))
    said = t("bars.duel.card", who=ctx.name(seat), card=card_name(t, card))
    if throw is not None:
        said = t("bars.duel.sum", who=ctx.name(seat), card=number, die=throw.die(seat), sum=number + throw.die(seat))
    attrs: dict[str, Attr] = {"aria-hidden": True, "role": None, "aria-label": None}
    return h(
        "div.duelist",
        {"key": seat, "class": side + state},
        h("h3.whose", None, seat_disc(ctx, seat), h("b", None, ctx.name(seat)), hidden(said)),
        h(
            "div.throw",
            {"aria-hidden": True},
            face(t, card, attrs),
            h("i", None, t("bars.plus")),
            thrown,
            h("i", None, t("bars.equals")),
            total,
        ),
    )


def prize(ctx: Context, told: Told, throw: Throw | None) -> Node:
    """The notes that the duel is for, and the seats that wait; or its winner, when the notes are gone."""
    t, view = ctx.t, ctx.view
    pot = tuple(sorted(view.notes[told.bar], reverse=True))
    waiting = [seat for seat in told.left(view) if throw is None or seat != throw.winner(view)]
    if throw is None and isinstance(ctx.question, Duel):
        waiting = list(ctx.question.others)
    if not pot and throw:
        return h(
            "div.prize",
            {"key": "prize"},
            h("p", None, t.rich("bars.duel.won", who=h("b", None, ctx.name(throw.winner(view))))),
        )
    bills = [
        bill(t, note, {"data-fly": name, "key": name}) for name, note in zip(named(told.bar, pot), pot, strict=True)
    ]
    queue = (
        h(
            "p.queue",
            None,
            h("span", None, t("bars.duel.next")),
            [seat_disc(ctx, seat) for seat in waiting],
            hidden(t("bars.and").join(map(ctx.name, waiting))),
        )
        if waiting
        else None
    )
    return h(
        "div.prize",
        {"key": "prize"},
        h("b.stake", None, t.number(sum(pot))),
        h("div.slips", {"aria-hidden": True}, bills),
        queue,
    )
