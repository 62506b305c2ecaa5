"""A duel: two cards, two dice, and the seats that wait for the winner."""

from __future__ import annotations

from engine.bars.box import NUMBER
from engine.bars.settle import Duel
from ui.boards import Context
from ui.boards.bars.cards import bill, card_name, face, note_names, rolling_die
from ui.boards.bars.history import SplitState, Throw
from ui.boards.bars.scene import Scene
from ui.boards.bars.seats import seat_disc
from ui.html.parts import for_screen_readers
from ui.html.tree import Attr, Node, h


def duel(ctx: Context, scene: Scene) -> Node:
    """The duel with the dice that were just thrown; before the throw only its two cards."""
    split_state, question = scene.current_split, ctx.question
    if split_state is None:
        return h("div.fight", {"key": "duel"})
    throw = split_state.throws[-1] if split_state.throws and scene.last_verb == "dice" else None
    if throw is not None:
        high, low = throw.high, throw.low
    elif isinstance(question, Duel):
        high, low = question.high, question.low
    else:
        return h("div.fight", {"key": "duel"})
    return h(
        "div.fight",
        {"key": "duel"},
        duelist(ctx, split_state, high, throw, "left"),
        prize(ctx, split_state, throw),
        duelist(ctx, split_state, low, throw, "right"),
    )


def duelist(ctx: Context, split_state: SplitState, seat: int, throw: Throw | None, side: str) -> Node:
    t, card = ctx.t, ctx.view.shown[seat]
    number = NUMBER[card]
    state = "" if throw is None else " wins" if throw.winner(ctx.view) == seat else " loses"
    thrown: list[Node] = [h("span.die.blank", {"aria-hidden": True, "key": "blank"}, t("bars.die.blank"))]
    total = h("b.total", {"key": "none", "aria-hidden": True}, t.number(number))
    if throw is not None:
        thrown = [rolling_die(throw.die(seat), f"d{throw.entry}")]
        total = h("b.total.late", {"key": throw.entry, "aria-hidden": True}, t.number(number + throw.die(seat)))
    label = t("bars.duel.card", who=ctx.name(seat), card=card_name(t, card))
    if throw is not None:
        label = t("bars.duel.sum", who=ctx.name(seat), card=number, die=throw.die(seat), sum=number + throw.die(seat))
    attrs: dict[str, Attr] = {"aria-hidden": True, "role": None, "aria-label": None}
    return h(
        "div.duelist",
        {"key": seat, "class": side + state},
        h("h3.whose", None, seat_disc(ctx, seat), h("b", None, ctx.name(seat)), for_screen_readers(label)),
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


def prize(ctx: Context, split_state: SplitState, throw: Throw | None) -> Node:
    """The notes that the duel is for, and the seats that wait; or its winner, when the notes are gone."""
    t, view = ctx.t, ctx.view
    pot = tuple(sorted(view.notes[split_state.bar], reverse=True))
    waiting = throw.waiting if throw else ctx.question.others if isinstance(ctx.question, Duel) else ()
    if not pot and throw:
        return h(
            "div.prize",
            {"key": "prize"},
            h("p", None, t.rich("bars.duel.won", who=h("b", None, ctx.name(throw.winner(view))))),
        )
    bills = [
        bill(t, note, {"data-fly": name, "key": name})
        for name, note in zip(note_names(split_state.bar, pot), pot, strict=True)
    ]
    queue = (
        h(
            "p.queue",
            None,
            h("span", None, t("bars.duel.next")),
            [seat_disc(ctx, seat) for seat in waiting],
            for_screen_readers(t("bars.and").join(map(ctx.name, waiting))),
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
