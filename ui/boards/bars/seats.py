"""The seats around the table: their money and their part in tonight; and the house: night, notes and cards left."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.bars.box import bars, notes_in_play
from engine.bars.hidden import purse
from engine.bars.notes import Look, Place
from engine.bars.rules import Pick
from engine.bars.settle import Propose, Reply, SecretReply
from engine.bars.table import ACCEPTED, CHALLENGED, NONE, Table
from engine.bars.words import notes_left
from engine.core import HIDDEN
from ui.boards import Context
from ui.boards.bars.cards import bar_name, bill, face_down
from ui.boards.bars.scene import Scene, at, books
from ui.html.parts import back, hidden, seat_mark
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts

#: the number of notes that are drawn of those a seat has won tonight
DRAWN = 3


def people(ctx: Context, now: Scene) -> Node:
    """All other seats clockwise from the viewer's left, then the house. The viewer's own seat is at the bottom."""
    first = now.me if now.me is not None else -1
    seats = [(first + 1 + i) % len(ctx.chairs) for i in range(len(ctx.chairs))]
    return h(
        "div.crowd",
        {"key": "crowd"},
        [person(ctx, now, seat) for seat in seats if seat != now.me],
        house(ctx, now),
    )


def person(ctx: Context, now: Scene, seat: int) -> Node:
    return h(
        "section.seat",
        {"key": seat, "class": marks(ctx, now, seat), "aria-label": ctx.name(seat)},
        disc(ctx, seat),
        who(ctx, now, seat),
        money(ctx, now, seat),
        pocket(ctx, now, seat),
    )


def marks(ctx: Context, now: Scene, seat: int) -> str | None:
    """Returns the classes of a seat: is it asked, has it just won, does it take part in the split?"""
    found = ["asked"] if seat == ctx.asked else []
    if now.wins and now.wins[-1][2] == seat and now.wins[-1][1] == now.bar:
        found.append("took")
    if now.now and seat in (now.now.proposer, *now.now.others):
        found.append("claims")
    return " ".join(found) or None


def disc(ctx: Context, seat: int) -> Node:
    """The emblem of a seat, with the mark of the dealer if it is the dealer's."""
    dealer: Child = None
    if seat == ctx.view.dealer:
        dealer = (h("span.puck", {"aria-hidden": True}, ctx.t("bars.dealer.letter")), hidden(ctx.t("bars.dealer")))
    return h("span.disc", None, seat_mark(ctx.chairs[seat]), dealer)


def who(ctx: Context, now: Scene, seat: int) -> Node:
    return _who(ctx.name(seat), standing(ctx, now, seat))


@lru_cache(maxsize=200)
def _who(name: str, does: str) -> Node:
    return h("div.who2", None, h("b", None, name), h("small", None, does))


def standing(ctx: Context, now: Scene, seat: int) -> str:
    """Returns a few words about the seat's part in what is happening."""
    t, question = ctx.t, ctx.question
    if isinstance(question, Pick):
        return t("bars.seat.picks" if seat in question.waiting else "bars.seat.picked")
    if isinstance(question, Place | Look) and seat == ctx.view.dealer:
        return t("bars.seat.places")
    if now.now and (seat == now.now.proposer or seat in now.now.others):
        return in_split(ctx, now, seat)
    if isinstance(question, Propose) and seat == question.seat:
        return t("bars.seat.proposes")
    gain = sum(note for _, note in now.won[seat])
    if gain:
        return t("bars.seat.won", sum=t.number(gain))
    bar = at(ctx, seat)
    if bar:
        return t("bars.seat.at", bar=bar_name(t, bar))
    return t("bars.dealer") if seat == ctx.view.dealer else ""


def in_split(ctx: Context, now: Scene, seat: int) -> str:
    t, told = ctx.t, now.now
    if told is None:
        return ""
    if told.throws:
        last = told.throws[-1]
        if seat in (last.high, last.low):
            return t("bars.seat.wins" if seat == last.winner(ctx.view) else "bars.seat.loses")
    if seat == told.proposer:
        return t("bars.seat.proposed")
    said = told.replies.get(seat)
    if said == ACCEPTED:
        return t("bars.seat.accepts")
    if said == CHALLENGED:
        return t("bars.seat.challenges")
    if said == HIDDEN:
        return t("bars.seat.sealed")
    return t(
        "bars.seat.asked" if seat == ctx.asked and isinstance(ctx.question, Reply | SecretReply) else "bars.seat.next"
    )


def money_of(ctx: Context, now: Scene, seat: int) -> int | None:
    """Returns the seat's money in thousands, as on the notes; None if only the number of notes may be shown."""
    view = ctx.view
    if view.house.money_hidden and HIDDEN in purse(view, now.eyes, seat):
        return None
    return int(view.money[seat])


def money(ctx: Context, now: Scene, seat: int) -> Node:
    has = money_of(ctx, now, seat)
    if has is None:
        return _notes(ctx.t, len(purse(ctx.view, now.eyes, seat)))
    return _money(ctx.t, has)


@lru_cache(maxsize=400)
def _money(t: Texts, money: int) -> Node:
    return h(
        "span.money",
        None,
        h("span", {"aria-hidden": True}, t.number(money)),
        hidden(t("bars.money", sum=t.number(money))),
    )


@lru_cache(maxsize=100)
def _notes(t: Texts, notes: int) -> Node:
    return h("span.money.unseen", None, t("bars.notes", n=notes))


def pocket(ctx: Context, now: Scene, seat: int) -> Node:
    """The card that a seat has picked, or notes it has won tonight; hidden from screen readers."""
    if ctx.view.picks[seat] != NONE:
        return h(
            "span.pocket",
            {"aria-hidden": True},
            h("span.picked", {"key": "picked", "data-spot": f"pick-{seat}"}, back()),
        )
    won = [bill(ctx.t, note, {"data-fly": name, "key": name}) for name, note in now.won[seat][-DRAWN:]]
    spot = None if any(ctx.view.shown) else f"pick-{seat}"
    return h("span.pocket", {"aria-hidden": True, "data-spot": spot}, won)


# The house


def nights(options: Mapping[str, Any], t: Table) -> int:
    """Returns the number of nights that the notes last."""
    notes = len(notes_in_play(tuple(options["notes"].values()), t.seats))
    whole, rest = divmod(notes, bars(t.seats) + 1)
    return whole if t.house.short_night_left_out else whole + (rest > 0)


def house(ctx: Context, now: Scene) -> Node:
    """The night, the notes and the cards that are left, on a button that opens the ledger."""
    t, view = ctx.t, ctx.view
    night, last = view.night, nights(ctx.options, view)
    left, cards = notes_left(view), view.pile
    facts = t(
        "bars.house", night=night, nights=last, notes=t("bars.notes.left", n=left), cards=t("bars.cards.left", n=cards)
    )
    return h(
        "section.house",
        {"key": "house", "aria-label": t("bars.house.name")},
        h(
            "button.till",
            books(ctx, now, way_out=False),
            hidden(facts),
            h("span.lab", {"aria-hidden": True}, t("bars.night", night=night, nights=last)),
            h(
                "span.left2",
                {"aria-hidden": True},
                h("span.stock", {"data-spot": "stock", "class": None if left else "none"}, face_down()),
                h("b", None, t.number(left)),
                h("span.pile2", {"data-spot": "deck"}, back()),
                h("b", None, t.number(cards)),
            ),
        ),
    )


def seat_disc(ctx: Context, seat: int) -> Node:
    """The emblem of a seat beside something that belongs to it; the name of the seat stands elsewhere."""
    return seat_mark(ctx.chairs[seat], "dot")
