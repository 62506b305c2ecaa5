"""The seats around the table: their money and their part in tonight; and the house: night, notes and cards left."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.bars.belief import purse
from engine.bars.box import bars, notes_in_play
from engine.bars.notes import Look, Place
from engine.bars.rules import Pick
from engine.bars.settle import Propose, Reply, SecretReply
from engine.bars.table import ACCEPTED, CHALLENGED, NONE, Table
from engine.bars.words import notes_left
from engine.core import HIDDEN
from ui.boards import Context
from ui.boards.bars.cards import bar_name, bill, face_down
from ui.boards.bars.scene import LEDGER, SHEETS, Scene, bar_of
from ui.boards.kit.seats import name_plate
from ui.html.parts import back, for_screen_readers, seat_mark
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts

#: the number of notes that are drawn of those a seat has won tonight
NOTES_DRAWN = 3


def people(ctx: Context, scene: Scene) -> Node:
    """All other seats clockwise from the viewer's left, then the house. The viewer's own seat is at the bottom."""
    first = scene.own_seat if scene.own_seat is not None else -1
    seats = [(first + 1 + i) % len(ctx.chairs) for i in range(len(ctx.chairs))]
    return h(
        "div.crowd",
        {"key": "crowd"},
        [person(ctx, scene, seat) for seat in seats if seat != scene.own_seat],
        house(ctx, scene),
    )


def person(ctx: Context, scene: Scene, seat: int) -> Node:
    return h(
        "section.seat",
        {"key": seat, "class": seat_classes(ctx, scene, seat), "aria-label": ctx.name(seat)},
        disc(ctx, seat),
        name_and_standing(ctx, scene, seat),
        money(ctx, scene, seat),
        pocket(ctx, scene, seat),
    )


def seat_classes(ctx: Context, scene: Scene, seat: int) -> str | None:
    """Returns the classes of a seat: is it asked, has it just won, does it take part in the split?"""
    classes = ["asked"] if seat == ctx.asked else []
    if scene.wins and scene.wins[-1][2] == seat and scene.wins[-1][1] == scene.bar:
        classes.append("took")
    if scene.current_split and seat in (scene.current_split.proposer, *scene.current_split.others):
        classes.append("claims")
    return " ".join(classes) or None


def disc(ctx: Context, seat: int) -> Node:
    """The emblem of a seat, with the mark of the dealer if it is the dealer's."""
    dealer: Child = None
    if seat == ctx.view.dealer:
        dealer = (
            h("span.puck", {"aria-hidden": True}, ctx.t("bars.dealer.letter")),
            for_screen_readers(ctx.t("bars.dealer")),
        )
    return h("span.disc", None, seat_mark(ctx.chairs[seat]), dealer)


def name_and_standing(ctx: Context, scene: Scene, seat: int) -> Node:
    return name_plate("div.who", ctx.name(seat), standing(ctx, scene, seat))


def standing(ctx: Context, scene: Scene, seat: int) -> str:
    """Returns a few words about the seat's part in what is happening."""
    t, question = ctx.t, ctx.question
    if isinstance(question, Pick):
        return t("bars.seat.picks" if seat in question.waiting else "bars.seat.picked")
    if isinstance(question, Place | Look) and seat == ctx.view.dealer:
        return t("bars.seat.places")
    if scene.current_split and (seat == scene.current_split.proposer or seat in scene.current_split.others):
        return standing_in_split(ctx, scene, seat)
    if isinstance(question, Propose) and seat == question.seat:
        return t("bars.seat.proposes")
    gain = sum(note for _, note in scene.won_notes[seat])
    if gain:
        return t("bars.seat.won", sum=t.number(gain))
    bar = bar_of(ctx, seat)
    if bar:
        return t("bars.seat.at", bar=bar_name(t, bar))
    return t("bars.dealer") if seat == ctx.view.dealer else ""


def standing_in_split(ctx: Context, scene: Scene, seat: int) -> str:
    t, split_state = ctx.t, scene.current_split
    if split_state is None:
        return ""
    if split_state.throws:
        last = split_state.throws[-1]
        if seat in (last.high, last.low):
            return t("bars.seat.wins" if seat == last.winner(ctx.view) else "bars.seat.loses")
    if seat == split_state.proposer:
        return t("bars.seat.proposed")
    reply = split_state.replies.get(seat)
    if reply == ACCEPTED:
        return t("bars.seat.accepts")
    if reply == CHALLENGED:
        return t("bars.seat.challenges")
    if reply == HIDDEN:
        return t("bars.seat.sealed")
    return t(
        "bars.seat.asked" if seat == ctx.asked and isinstance(ctx.question, Reply | SecretReply) else "bars.seat.next"
    )


def visible_money(ctx: Context, scene: Scene, seat: int) -> int | None:
    """Returns the seat's money in thousands, as on the notes; None if only the number of notes may be shown."""
    view = ctx.view
    if view.house.money_hidden and HIDDEN in purse(view, scene.viewer, seat):
        return None
    return int(view.money[seat])


def money(ctx: Context, scene: Scene, seat: int) -> Node:
    amount = visible_money(ctx, scene, seat)
    if amount is None:
        return _notes(ctx.t, len(purse(ctx.view, scene.viewer, seat)))
    return _money(ctx.t, amount)


@lru_cache(maxsize=400)
def _money(t: Texts, money: int) -> Node:
    return h(
        "span.money",
        None,
        h("span", {"aria-hidden": True}, t.number(money)),
        for_screen_readers(t("bars.money", sum=t.number(money))),
    )


@lru_cache(maxsize=100)
def _notes(t: Texts, notes: int) -> Node:
    return h("span.money.unseen", None, t("bars.notes", n=notes))


def pocket(ctx: Context, scene: Scene, seat: int) -> Node:
    """The card that a seat has picked, or notes it has won tonight; hidden from screen readers."""
    if ctx.view.picks[seat] != NONE:
        return h(
            "span.pocket",
            {"aria-hidden": True},
            h("span.picked", {"key": "picked", "data-spot": f"pick-{seat}"}, back()),
        )
    won = [bill(ctx.t, note, {"data-fly": name, "key": name}) for name, note in scene.won_notes[seat][-NOTES_DRAWN:]]
    spot = None if any(ctx.view.shown) else f"pick-{seat}"
    return h("span.pocket", {"aria-hidden": True, "data-spot": spot}, won)


# The house


def night_count(options: Mapping[str, Any], t: Table) -> int:
    """Returns the number of nights that the notes last."""
    notes = len(notes_in_play(tuple(options["notes"].values()), t.seats))
    full_nights, notes_over = divmod(notes, bars(t.seats) + 1)
    return full_nights if t.house.short_night_left_out else full_nights + (notes_over > 0)


def house(ctx: Context, scene: Scene) -> Node:
    """The night, the notes and the cards that are left, on a button that opens the ledger."""
    t, view = ctx.t, ctx.view
    night, night_total = view.night, night_count(ctx.options, view)
    left, cards = notes_left(view), view.pile
    facts = t(
        "bars.house",
        night=night,
        nights=night_total,
        notes=t("bars.notes.left", n=left),
        cards=t("bars.cards.left", n=cards),
    )
    return h(
        "section.house",
        {"key": "house", "aria-label": t("bars.house.name")},
        h(
            "button.till",
            SHEETS.opener_attrs(ctx, scene.sheet, LEDGER, key=LEDGER),
            for_screen_readers(facts),
            h("span.lab", {"aria-hidden": True}, t("bars.night", night=night, nights=night_total)),
            h(
                "span.stock-left",
                {"aria-hidden": True},
                h("span.stock", {"data-spot": "stock", "class": None if left else "none"}, face_down()),
                h("b", None, t.number(left)),
                h("span.draw-pile", {"data-spot": "deck"}, back()),
                h("b", None, t.number(cards)),
            ),
        ),
    )


def seat_disc(ctx: Context, seat: int) -> Node:
    """The emblem of a seat beside something that belongs to it; the name of the seat stands elsewhere."""
    return seat_mark(ctx.chairs[seat], "dot")
