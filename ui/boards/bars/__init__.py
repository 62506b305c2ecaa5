"""The board of bars: the seats, the bars, and before the viewer the hand, the notes to be split, or the dice."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bars.box import BAR
from engine.bars.rules import Pick
from engine.bars.words import notes_left
from engine.core import HIDDEN
from ui.boards import Context
from ui.boards.bars.ask import quest
from ui.boards.bars.cards import bill, by_bar, card_name, face
from ui.boards.bars.duel import duel
from ui.boards.bars.ledger import ledger, over_the_table
from ui.boards.bars.rules import rules
from ui.boards.bars.scene import DUEL, NOTE, SPLIT, Scene, scene
from ui.boards.bars.seats import disc, marks, money, nights, people, pocket, who
from ui.boards.bars.split import split
from ui.boards.bars.street import street
from ui.boards.bars.tell import beat, tell
from ui.html.parts import back, hidden, symbol
from ui.html.tree import Attr, Child, Node, h

__all__ = ["beat", "felt", "result", "rules", "score", "status", "tell"]


def felt(ctx: Context) -> Node:
    """Draws everything on the felt. While the ledger lies over the table, the rest is inert."""
    now = scene(ctx)
    above = over_the_table(ctx, now)
    return h(
        "div.table.bars",
        {"data-seats": len(ctx.chairs), "data-stage": now.stage, "class": "dimmed" if above else None},
        h(
            "div.lay",
            {"key": "lay", "inert": above is not None},
            people(ctx, now),
            street(ctx, now),
            desk(ctx, now, home=above is None),
        ),
        above,
    )


def status(ctx: Context) -> list[str]:
    t, view = ctx.t, ctx.view
    return [
        t("bars.night", night=view.night, nights=nights(ctx.options, view)),
        t("bars.notes.left", n=notes_left(view)),
    ]


def score(ctx: Context, number: int) -> str:
    return ctx.t.number(number)


def result(ctx: Context) -> Sequence[Node]:
    """Returns the ledger: who won which notes, and how."""
    return ledger(ctx, scene(ctx))


# Before the viewer


def desk(ctx: Context, now: Scene, *, home: bool) -> Node:
    """The place before the viewer: the question, what it is about, and the viewer's own things."""
    me = now.me
    attrs: dict[str, Attr] = {
        "key": "desk",
        "class": marks(ctx, now, me) if me is not None else None,
        "aria-label": ctx.name(me) if me is not None else ctx.t("bars.desk"),
    }
    return h(
        "section.desk.deco", attrs, quest(ctx, now, home=home), h("div.bench", None, stage(ctx, now), own(ctx, now))
    )


def stage(ctx: Context, now: Scene) -> Node:
    """The notes to be split, the dice of a duel, or the note that the dealer has looked at."""
    if now.stage == SPLIT:
        return split(ctx, now)
    if now.stage == DUEL:
        return duel(ctx, now)
    note: Child = None
    if now.stage == NOTE and ctx.view.extra > 0:
        attrs: dict[str, Attr] = {"data-fly": "extra", "data-spot": "extra", "data-from": "stock", "data-turn": 1}
        attrs["data-drag"] = "put"
        note = bill(ctx.t, ctx.view.extra, attrs)
    return h("div.spare", {"key": "spare"}, note)


def own(ctx: Context, now: Scene) -> Node:
    """The viewer's money and hand; empty for a spectator."""
    me = now.me
    if me is None:
        return h("div.own", {"key": "none"})
    return h(
        "div.own",
        {"key": f"own-{me}"},
        h("header.ident", None, disc(ctx, me), who(ctx, now, me), money(ctx, now, me), pocket(ctx, now, me)),
        h("ul.hand", {"aria-label": ctx.t("bars.hand", who=ctx.name(me))}, hand(ctx, now, me)),
    )


def hand(ctx: Context, now: Scene, me: int) -> list[Node]:
    """The cards of a hand in the order of the bars. The place of a played card stays empty, so that no other moves."""
    view = ctx.view
    fresh = ctx.log[-1][1][2] if now.last == "deal" and ctx.log[-1][1][1] == me else HIDDEN
    gone = played(ctx, me)
    cards = [
        h("li", {"key": "gone"}, h("span.slot")) if card == gone else in_hand(ctx, now, card, fresh)
        for card in by_bar(filter(None, (*view.hands[me], gone)))
    ]
    unseen = [h("li", {"key": f"back-{n}"}, back()) for n in range(view.hands[me].count(HIDDEN))]
    return [*cards, *unseen]


def played(ctx: Context, me: int) -> int:
    """Returns the card that the seat played last; HIDDEN before that, and once another one was dealt for it."""
    for _, answer in reversed(ctx.log):
        if answer[0] == "reveal":
            return int(answer[1 + me])
        if answer[:2] == ("deal", me):
            break
    return HIDDEN


def in_hand(ctx: Context, now: Scene, card: int, fresh: int) -> Node:
    """A card of the hand. It is a toggle while a card can be picked."""
    t, view = ctx.t, ctx.view
    attrs: dict[str, Attr] = {"data-fly": f"c{card}"}
    if card == fresh:
        attrs |= {"data-from": "deck", "data-turn": 1}
    choose = isinstance(ctx.question, Pick) and now.me == ctx.asked and ctx.yours
    if not choose:
        down = now.me is not None and view.picks[now.me] == card
        said = t("bars.hand.picked", card=card_name(t, card)) if down else ""
        return h("li", {"key": card, "class": "down" if down else None}, face(t, card, attrs, said))
    name = f"card-{card}"
    lifted = now.lifted == card
    toggle = {
        **ctx.pick_only(() if lifted else (name,)),
        "aria-pressed": lifted,
        "id": f"bars-{name}",
        "data-drag": f"club-{BAR[card]}",
    }
    shown = face(t, card, {**attrs, "role": None, "aria-label": None, "aria-hidden": True})
    return h(
        "li",
        {"key": card},
        h("button.choose", toggle, shown, hidden(card_name(t, card)), h("span.tick", None, symbol("u-check"))),
    )
