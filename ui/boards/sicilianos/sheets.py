"""The sheets over the table: a seat or a family in detail, and payday."""

from __future__ import annotations

from engine.sicilianos.box import COLOURS, NOTES, PARTNER, Money, worth
from engine.sicilianos.result import CATEGORIES, Payday, businesses_of, shops_left
from engine.sicilianos.table import NOBODY
from ui.boards import Context
from ui.boards.sicilianos.cards import back_with, badge, banknote, business, card_name, face, family_name
from ui.boards.sicilianos.ledger import everybodys_businesses, ledger_table
from ui.boards.sicilianos.scene import SHEETS, Scene
from ui.html.parts import for_screen_readers, seat_mark
from ui.html.tree import Child, Node, h
from ui.text.i18n import Texts


def over_the_table(ctx: Context, scene: Scene) -> Node | None:
    """Draws the open sheet; returns None if none is open."""
    if scene.game_ending:
        return payday_sheet(ctx)
    name, _, number = scene.sheet.partition("-")
    if name == "seat":
        return seat_sheet(ctx, int(number))
    return family_sheet(ctx, int(number)) if name == "family" else None


def opened_sheet(ctx: Context, name: str, title: Child, *body: Child) -> Node:
    return SHEETS.opened(ctx, name, title, h("div.page", None, body))


def seat_sheet(ctx: Context, number: int) -> Node:
    """Draws all that the viewer knows of a seat."""
    t, view = ctx.t, ctx.view
    held, owned = view.hands[number], businesses_of(view, number)
    cards = [h("li", {"key": n}, known_card(t, card)) for n, card in enumerate(held)]
    title = h("span.title", None, seat_mark(ctx.chairs[number]), h("span", None, ctx.name(number)))
    return opened_sheet(
        ctx,
        f"seat-{number}",
        title,
        h("h3", None, t("sicilianos.hand", n=len(held))),
        h("ul.card-list", None, cards) if held else h("p", None, t("sicilianos.hand.none")),
        h("h3", None, t("sicilianos.sheet.dirty", n=sum(view.dirty[number]), sum=worth(view.dirty[number]))),
        note_list(t, view.dirty[number], "dirty"),
        h("h3", None, t("sicilianos.sheet.clean", n=sum(view.clean[number]), sum=worth(view.clean[number]))),
        note_list(t, view.clean[number], "clean"),
        h("h3", None, t("sicilianos.businesses")),
        h("ul.business-list", None, [h("li", {"key": n}, business(t, *each)) for n, each in enumerate(owned)])
        if owned
        else h("p", None, t("sicilianos.businesses.none")),
    )


def known_card(t: Texts, card: int) -> Node:
    """Draws a card: its face if the viewer knows it, else its back."""
    if card > 0:
        return face(t, card, {})
    return back_with(-card, {"role": "img", "aria-label": card_name(t, card)})


def note_list(t: Texts, money: Money, state: str) -> Node:
    rows = [
        h(
            "li",
            {"key": value},
            banknote(t, value, state),
            h("span", {"aria-hidden": True}, t("sicilianos.times", n=count)),
            for_screen_readers(t("sicilianos.notes.of", n=count, value=value)),
        )
        for value, count in zip(NOTES, money, strict=True)
        if count
    ]
    return h("ul.note-list", None, rows) if rows else h("p", None, t("sicilianos.none"))


def family_sheet(ctx: Context, colour: int) -> Node:
    """Draws a family: partner, bombs, businesses, and what the viewer knows of its pile."""
    t, view = ctx.t, ctx.view
    name = family_name(t, colour)
    targets = view.house.targets
    hits = [family_name(t, c) for c in targets[colour]]
    hit_by = [family_name(t, c) for c in COLOURS if colour in targets[c]]
    owners = [
        h("li", {"key": n}, seat_mark(ctx.chairs[owner]), h("span", None, ctx.name(owner)), business(t, colour, kind))
        for n, (owner, _, kind) in enumerate(view.founded[colour])
    ]
    pile = view.piles[colour]
    top = t("sicilianos.search.top") if pile else t("sicilianos.pile.empty")
    none = t("sicilianos.none")
    return opened_sheet(
        ctx,
        f"family-{colour}",
        h("span.title", None, badge(colour), h("span", None, name)),
        h(
            "ul.facts",
            None,
            h("li", None, t("sicilianos.sheet.partner", family=name, other=family_name(t, PARTNER[colour]))),
            h("li", None, t("sicilianos.sheet.hits", family=name, families=t("sicilianos.and").join(hits) or none)),
            h("li", None, t("sicilianos.sheet.hit_by", family=name, families=t("sicilianos.and").join(hit_by) or none)),
        ),
        h("h3", None, t("sicilianos.sheet.shops", n=shops_left(view, colour))),
        h("ul.owner-list", None, owners) if owners else h("p", None, t("sicilianos.sheet.shops.none")),
        h("h3", None, t("sicilianos.pile", n=len(pile), family=name)),
        h("p", None, top),
        h("ol.card-list", None, [h("li", {"key": n}, known_card(t, card)) for n, card in enumerate(pile)]),
        h("p.hint", None, t("sicilianos.sheet.pile")),
    )


def payday_sheet(ctx: Context) -> Node:
    """Draws the end of the game: businesses are turned up, then the ledger is filled row by row."""
    t, view, question = ctx.t, ctx.view, ctx.question
    godfather = view.godfather != NOBODY
    body: Child
    if isinstance(question, Payday):
        counted_rows = ("clean", "dirty", *CATEGORIES[: question.number - 1])
        body = [ledger_table(ctx, counted_rows=counted_rows), everybodys_businesses(ctx)]
    else:
        body = h("p", None, end_reason(ctx))
    return SHEETS.frame(
        "payday",
        SHEETS.header(t("sicilianos.godfather" if godfather else "sicilianos.payday")),
        h("div.page", None, body),
        kind="end" if isinstance(question, Payday) else "end splash",
    )


def end_reason(ctx: Context) -> str:
    t, view = ctx.t, ctx.view
    if view.godfather != NOBODY:
        return t("sicilianos.godfather.why", who=ctx.name(view.godfather))
    without_notes = [ctx.name(seat) for seat, money in enumerate(view.dirty) if not any(money)]
    return t("sicilianos.payday.why", who=t("sicilianos.and").join(without_notes))
