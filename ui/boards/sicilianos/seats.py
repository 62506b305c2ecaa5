"""The seats around the table: everybody's hand as backs, businesses and money; and the viewer's own hand and money."""

from __future__ import annotations

from functools import lru_cache

from engine.core import SPECTATOR
from engine.sicilianos.box import COLOUR, COLOURS, NOTES, Money, worth
from engine.sicilianos.result import businesses_of
from engine.sicilianos.table import NOBODY, public_holdings, side
from ui.boards import Context
from ui.boards.kit.seats import name_plate
from ui.boards.sicilianos.cards import (
    back,
    back_with,
    banknote,
    business,
    card_name,
    face,
    family_class,
    family_name,
    hand_in_words,
    money_in_words,
)
from ui.boards.sicilianos.scene import Scene, picked_card, picked_note, replacing_pick
from ui.html.parts import for_screen_readers, seat_mark, symbol
from ui.html.tree import Attr, Child, Node, fixed, h
from ui.text.i18n import Texts

#: with at most this many players there is room to draw every dirty note of each seat
NOTES_DRAWN_UP_TO = 4


def other_seats(ctx: Context, scene: Scene) -> Node:
    """Draws the other seats clockwise; for a spectator all seats."""
    seats = range(len(ctx.chairs)) if ctx.viewer == SPECTATOR else ctx.seats_clockwise()[1:]
    return h("ol.around", {"key": "around", "--n": len(seats)}, [seat_panel(ctx, scene, seat) for seat in seats])


def seat_panel(ctx: Context, scene: Scene, seat: int) -> Node:
    t, view = ctx.t, ctx.view
    colours, notes = public_holdings(view, seat)
    owned = [colour for colour, _ in businesses_of(view, seat)]
    return h(
        "li.seat",
        {"key": seat, "class": seat_classes(ctx, scene, seat)},
        seat_mark(ctx.chairs[seat]),
        name_and_standing(ctx, scene, seat),
        h(
            "div.holds",
            {"aria-hidden": True},
            [family_holding(ctx, scene, seat, c, colours.count(c), owned.count(c)) for c in COLOURS],
        ),
        money(
            t,
            view.dirty[seat],
            view.clean[seat],
            notes,
            spot=f"purse-{seat}",
            draw_notes=len(ctx.chairs) <= NOTES_DRAWN_UP_TO,
        ),
        h(
            "button.look",
            scene.opener_attrs(ctx, f"seat-{seat}"),
            for_screen_readers(public_summary(ctx, seat, colours, owned)),
        ),
    )


def public_summary(ctx: Context, seat: int, colours: list[int], owned: list[int]) -> str:
    """Returns what everybody may know of a seat: the label of the control that opens its sheet."""
    t = ctx.t
    held = hand_in_words(t, [-colour for colour in colours])
    shops = t("sicilianos.and").join(family_name(t, colour) for colour in owned) or t("sicilianos.none")
    return t("sicilianos.seat.open", who=ctx.name(seat), hand=held, owned=shops)


def seat_classes(ctx: Context, scene: Scene, seat: int) -> str | None:
    classes = ["asked"] if seat == ctx.asked else []
    if scene.verdict and seat in scene.verdict.winners:
        classes.append("winner")
    return " ".join(classes) or None


def name_and_standing(ctx: Context, scene: Scene, seat: int) -> Node:
    return name_plate("div.who", ctx.name(seat), standing(ctx, scene, seat))


def standing(ctx: Context, scene: Scene, seat: int) -> str:
    """Returns in a few words what the seat is doing."""
    t, view = ctx.t, ctx.view
    if view.starter != NOBODY:
        return standing_in_war(ctx, scene, seat)
    if seat == ctx.asked:
        return t("sicilianos.seat.asked")
    return t("sicilianos.seat.cards", n=len(view.hands[seat]))


def standing_in_war(ctx: Context, scene: Scene, seat: int) -> str:
    t, view = ctx.t, ctx.view
    if scene.verdict and seat in scene.verdict.winners:
        return t("sicilianos.seat.wins")
    if not view.family[seat]:
        key = "sicilianos.seat.asked" if seat == ctx.asked else "sicilianos.seat.peace"
        return t(key)
    family = family_name(t, side(view, seat))
    if seat in view.turned:
        return t("sicilianos.seat.traitor", family=family)
    if seat in view.stopped:
        return t("sicilianos.seat.stopped", family=family)
    return t("sicilianos.seat.fights", family=family)


def family_holding(ctx: Context, scene: Scene, seat: int, colour: int, count: int, owned: int) -> Node:
    """Draws the backs that a seat holds of one family, and its businesses of that family."""
    t = ctx.t
    gained_by, gained_colour, spot = scene.gained_card
    drawn: Node = back(colour)
    if (gained_by, gained_colour) == (seat, colour):
        drawn = back_with(colour, {"data-fly": f"g{scene.entry_number}", "data-from": spot})
    return h(
        "span.hold",
        {
            "key": colour,
            "class": family_class(colour) if count else f"{family_class(colour)} no",
            "data-spot": f"hold-{seat}-{colour}",
        },
        drawn,
        h("b", None, t.number(count) if count else t("sicilianos.dash")),
        h("span.pips", None, [h("i", {"key": n}) for n in range(owned)]),
    )


@lru_cache(maxsize=400)
def money(t: Texts, dirty: Money, clean: Money, notes: int, *, spot: str, draw_notes: bool) -> Node:
    """Draws dirty and clean money. `draw_notes`: there is room to draw the dirty notes of each value."""
    return h(
        "div.money",
        {"data-spot": spot},
        h(
            "dl",
            None,
            h(
                "div.dirty",
                None,
                h("dt", None, t("sicilianos.dirty")),
                h("dd", None, t.number(worth(dirty)), h("small", None, t("sicilianos.notes", n=notes))),
            ),
            h("div.clean", None, h("dt", None, t("sicilianos.clean")), h("dd", None, t.number(worth(clean)))),
        ),
        h("span.slips", {"aria-hidden": True}, [banknotes(t, v, n) for v, n in zip(NOTES, dirty, strict=True)])
        if draw_notes
        else None,
    )


@lru_cache(maxsize=400)
def banknotes(t: Texts, value: int, count: int) -> Node:
    """Draws all dirty notes of one value."""
    style = None if count else "no"
    return fixed(
        h(
            "span.slip-count",
            {"key": value, "class": style},
            banknote(t, value, "dirty"),
            h("i", None, t("sicilianos.times", n=count)),
        )
    )


# The viewer's seat


def own_things(ctx: Context, scene: Scene) -> Node:
    """Draws name, hand, money and businesses of the viewer."""
    seat = ctx.viewer
    return h(
        "div.own",
        {"key": f"own-{seat}"},
        h(
            "header",
            None,
            seat_mark(ctx.chairs[seat]),
            name_and_standing(ctx, scene, seat),
            h(
                "button.more",
                scene.opener_attrs(ctx, f"seat-{seat}"),
                symbol("u-dots"),
                for_screen_readers(sheet_label(ctx, seat)),
            ),
        ),
        hand(ctx, scene),
        purse(ctx),
    )


def sheet_label(ctx: Context, seat: int) -> str:
    return ctx.t("sicilianos.seat.full", who=ctx.name(seat))


def hand(ctx: Context, scene: Scene) -> Node:
    """Draws the cards in hand, sorted by family. Cards that can be laid now can be picked."""
    t, view, seat = ctx.t, ctx.view, ctx.viewer
    cards = list(view.hands[seat])
    if view.down[seat] in cards:
        cards.remove(view.down[seat])  # it is face down on the table
    playable = {a[1] for a in ctx.answers if a[0] in ("war", "join", "add")} if ctx.viewer_is_asked else set()
    picked = picked_card(ctx)
    to, _, spot = scene.gained_card
    copies: dict[int, int] = {}
    items: list[Child] = []
    for place, card in enumerate(cards):
        copy = copies[card] = copies.get(card, -1) + 1
        just_arrived = to == seat and scene.last_entry is not None and card in arrived_cards(scene) and not copy
        attrs: dict[str, Attr] = {"data-fly": scene.flight_name(card) if card > 0 else None}
        if just_arrived:
            attrs |= {"data-from": spot, "data-turn": 1}
        new_family = place > 0 and COLOUR[cards[place - 1]] != COLOUR[card]
        items.append(hand_card(ctx, card, copy, attrs, playable=card in playable, picked=picked, new_family=new_family))
    return h(
        "ol.fan",
        {
            "key": "hand",
            "data-drop": "hand",
            "--n": max(len(cards), 1),
            "aria-label": t("sicilianos.hand", n=len(cards)),
        },
        items or h("li.none", {"key": "none"}, t("sicilianos.hand.none")),
    )


def arrived_cards(scene: Scene) -> tuple[int, ...]:
    """Returns the card that the last entry brought, as far as the viewer knows it; empty if it brought none."""
    a = scene.last_entry.answer if scene.last_entry else ("",)
    if a[0] in ("card", "stolen"):
        return (int(a[1]),)
    return ()


def hand_card(
    ctx: Context,
    card: int,
    copy: int,
    attrs: dict[str, Attr],
    *,
    playable: bool,
    picked: tuple[int, int] | None,
    new_family: bool,
) -> Node:
    t, pick_name = ctx.t, f"k{card}.{copy}"
    if card < 0:  # the curtain is down
        drawn = back_with(-card, {"role": "img", "aria-label": card_name(t, card)})
        return h("li", {"key": pick_name, "class": "first" if new_family else None}, drawn)
    style = "first" if new_family else None
    if not playable:
        not_playable = ctx.viewer_is_asked and ctx.question.key.removeprefix("sicilianos.") in (
            "turn",
            "join",
            "reinforce",
        )
        return h(
            "li",
            {"key": pick_name, "class": " ".join(filter(None, (style, "unplayable" if not_playable else ""))) or None},
            face(t, card, attrs),
        )
    chosen = picked == (card, copy)
    toggle: dict[str, Attr] = {**replacing_pick(ctx, pick_name), "data-drag": "town", "key": pick_name}
    return h(
        "li",
        {"key": pick_name, "class": " ".join(filter(None, (style, "chosen" if chosen else ""))) or None},
        h("button.pick", toggle, for_screen_readers(t("sicilianos.pick.card")), face(t, card, attrs)),
    )


def purse(ctx: Context) -> Node:
    """Draws the viewer's dirty notes (they can be picked as a stake), clean money, and businesses with their kinds."""
    t, view, seat = ctx.t, ctx.view, ctx.viewer
    dirty, clean = view.dirty[seat], view.clean[seat]
    can_stake = ctx.viewer_is_asked and any(a[0] in ("war", "join") for a in ctx.answers)
    staked = 0 if view.revealed else view.stakes[seat]
    left = tuple(count - (value == staked) for value, count in zip(NOTES, dirty, strict=True))
    notes = [note_in_purse(ctx, value, count, can_stake=can_stake) for value, count in zip(NOTES, left, strict=True)]
    owned = businesses_of(view, seat)
    title = t("sicilianos.purse.dirty", n=public_holdings(view, seat)[1], sum=worth(left))
    return h(
        "div.purse",
        {"key": "purse"},
        h(
            "section.pdirty",
            {"data-spot": f"purse-{seat}"},
            h("h3.lab", None, title),
            h("ol", {"aria-label": title}, notes),
        ),
        h(
            "section.pclean",
            None,
            h("h3.lab", None, t("sicilianos.clean")),
            h("p.big", None, banknote(t, 0, "clean"), h("b", None, t.number(worth(clean)))),
            for_screen_readers(money_in_words(t, clean)),
        ),
        h(
            "section.pshops",
            None,
            h("h3.lab", None, t("sicilianos.businesses")),
            h("ul", None, [h("li", {"key": n}, business(t, *each)) for n, each in enumerate(owned)])
            if owned
            else h("p.none", None, t("sicilianos.businesses.none")),
        ),
    )


def note_in_purse(ctx: Context, value: int, count: int, *, can_stake: bool) -> Node:
    """Draws the viewer's dirty notes of one value. While a stake is chosen, one can be picked."""
    t = ctx.t
    words = t("sicilianos.pick.note", n=count, value=value)
    inside = (banknote(t, value, "dirty"), h("i", {"aria-hidden": True}, t("sicilianos.times", n=count)))
    if not can_stake or not count:
        return h("li", {"key": value, "class": None if count else "no"}, inside, for_screen_readers(words))
    pick_name = f"n{value}"
    attrs: dict[str, Attr] = {**replacing_pick(ctx, pick_name), "key": pick_name, "data-drag": "town"}
    chosen = "chosen" if picked_note(ctx) == value else None
    return h("li", {"key": value, "class": chosen}, h("button.pick", attrs, inside, for_screen_readers(words)))
