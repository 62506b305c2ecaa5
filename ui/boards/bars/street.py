"""The bars: the notes, the cards that were played there, and the winners."""

from __future__ import annotations

from functools import cache

from engine.bars.box import BAR
from engine.bars.notes import Place
from engine.bars.rules import Pick
from engine.core import HIDDEN
from ui.boards import Context
from ui.boards.bars.cards import (
    SYMBOLS,
    bar_class,
    bar_name,
    bill,
    card_name,
    die,
    face,
    face_down,
    note_names,
    notes_in_words,
)
from ui.boards.bars.scene import DUEL, SPLIT, Scene
from ui.boards.bars.seats import seat_disc
from ui.html.parts import for_screen_readers, symbol
from ui.html.tree import Attr, Child, Node, fixed, h
from ui.text.i18n import Texts


def street(ctx: Context, scene: Scene) -> Node:
    view = ctx.view
    visitors: list[list[int]] = [[] for _ in range(view.bars + 1)]
    for seat, card in enumerate(view.shown):
        visitors[BAR[card]].append(seat)
    clubs = [bar_panel(ctx, scene, bar, visitors[bar]) for bar in range(1, view.bars + 1)]
    return h(
        "ol.street", {"key": "street", "aria-label": ctx.t("bars.street", n=view.bars), "data-bars": view.bars}, clubs
    )


def bar_panel(ctx: Context, scene: Scene, bar: int, visitors: list[int]) -> Node:
    """A bar. During its split or duel, its notes are drawn before the viewer instead."""
    t = ctx.t
    current, targeted = bar == scene.bar, bool(scene.picked_card) and BAR[scene.picked_card] == bar
    state = "hot" if current else "aim" if targeted else "done" if settled(scene, bar) else ""
    attrs: dict[str, Attr] = {
        "key": bar,
        "class": f"{bar_class(bar)} {state}".rstrip(),
        "aria-current": "step" if current else None,
    }
    if isinstance(ctx.question, Pick) and ctx.yours:
        # a card may be dropped here; and a tap on the bar of the picked card plays it, like the button
        words = ctx.answer_attrs("pick", scene.picked_card).get("data-answer") if targeted else None
        attrs |= {"data-drop": f"club-{bar}", "data-answer": words}
    return h(
        "li.club",
        attrs,
        sign(t, bar),
        bills(ctx, scene, bar),
        total(ctx, scene, bar),
        cards_played(ctx, scene, visitors),
        put_button(ctx, bar) if isinstance(ctx.question, Place) and ctx.yours else None,
    )


def cards_played(ctx: Context, scene: Scene, visitors: list[int]) -> Node:
    """The cards that were played here, in one, two or three columns, as there is room.

    For each number of columns the style sheet gets the number of rows above the last one.
    """
    rows: dict[str, Attr] = {f"--m{columns}": (len(visitors) - 1) // columns for columns in (1, 2, 3)}
    return h("ol.plays", {"data-count": len(visitors), **rows}, [visitor(ctx, scene, seat) for seat in visitors])


@cache
def sign(t: Texts, bar: int) -> Node:
    return fixed(h("h2.sign", None, symbol(SYMBOLS[bar]), h("span", None, bar_name(t, bar))))


def settled(scene: Scene, bar: int) -> bool:
    return any(win[1] == bar for win in scene.wins)


def bills(ctx: Context, scene: Scene, bar: int) -> Node:
    """The notes, hidden from screen readers: `total` has the words for them."""
    t, view = ctx.t, ctx.view
    lying = view.notes[bar] if bar != scene.bar or scene.stage not in (SPLIT, DUEL) else ()
    shown: list[Child] = []
    newest = len(lying) - 1
    turned = scene.last_verb == "show" and ctx.log[-1].answer[1] == bar
    for place, (name, value) in enumerate(zip(note_names(bar, lying), lying, strict=True)):
        spot = "extra" if turned and place == newest else "stock"
        attrs: dict[str, Attr] = {"data-fly": name, "data-from": spot, "data-turn": 1}
        shown.append(h("li", {"key": name}, bill(t, value, attrs)))
    if bar == view.extra_bar:
        face_down_note = (
            face_down("extra")
            if view.extra == HIDDEN
            else bill(t, view.extra, {"data-fly": "extra", "data-spot": "extra"}, "peek")
        )
        shown.append(h("li", {"key": "extra"}, face_down_note))
    if isinstance(ctx.question, Place) and ctx.yours:
        shown.append(h("li", {"key": "free"}, h("span.free")))
    return h("ul.bills", {"aria-hidden": True}, shown)


def total(ctx: Context, scene: Scene, bar: int) -> Node:
    """The sum of the notes in a bar; or, when they have been won, the winners."""
    t, notes = ctx.t, ctx.view.notes[bar]
    winners = [(seat, sum(won)) for _, where, seat, _, won in scene.wins if where == bar]
    if winners and (bar != scene.bar or not notes):
        words = t("bars.and").join(t("bars.fate", who=ctx.name(seat), sum=t.number(won)) for seat, won in winners)
        marks = [
            h("span.gain", {"key": n}, seat_disc(ctx, seat), t.number(won)) for n, (seat, won) in enumerate(winners)
        ]
        return h("p.bar-total.fate", None, h("span", {"aria-hidden": True}, marks), for_screen_readers(words))
    extra = t("bars.extra.down") if bar == ctx.view.extra_bar else ""
    words = (
        t("bars.lying", n=len(notes), sum=t.number(sum(notes)), notes=notes_in_words(t, notes))
        if notes
        else t("bars.lying.none")
    )
    return h(
        "p.bar-total",
        None,
        h("span", {"aria-hidden": True}, t.number(sum(notes))),
        for_screen_readers(f"{words} {extra}".rstrip()),
    )


def visitor(ctx: Context, scene: Scene, seat: int) -> Node:
    """A card in a bar, the emblem of its owner, and the die that the owner threw last."""
    t, card = ctx.t, ctx.view.shown[seat]
    label = t("bars.played", who=ctx.name(seat), card=card_name(t, card))
    attrs: dict[str, Attr] = {"data-fly": f"c{card}", "data-from": f"pick-{seat}", "data-turn": 1}
    split_state = scene.splits.get(BAR[card])
    throws = [throw for throw in split_state.throws if seat in (throw.high, throw.low)] if split_state else []
    last = throws[-1] if throws else None
    lost = last is not None and last.winner(ctx.view) != seat
    return h(
        "li.visit",
        {"key": seat, "class": "lost" if lost else None},
        face(t, card, attrs, label),
        seat_disc(ctx, seat),
        die(last.die(seat), {"key": last.entry}) if last else None,
    )


def put_button(ctx: Context, bar: int) -> Node:
    """A button over the whole bar, which puts the dealer's note there."""
    t, view = ctx.t, ctx.view
    label = (
        t("bars.put", sum=t.number(view.extra), bar=bar_name(t, bar))
        if view.extra
        else t("bars.put.unseen", bar=bar_name(t, bar))
    )
    return h("button.put", {**ctx.answer_attrs("place", bar), "aria-label": label, "data-drop": "put"})
