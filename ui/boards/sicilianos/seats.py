"""The seats around the table: everybody's hand as backs, businesses and money; and the viewer's own hand and money."""

from __future__ import annotations

from functools import lru_cache

from engine.core import SPECTATOR
from engine.sicilianos.box import COLOUR, COLOURS, NOTES, Money, worth
from engine.sicilianos.result import businesses_of
from engine.sicilianos.table import NOBODY, shown, side
from ui.boards import Context
from ui.boards.sicilianos.cards import (
    back,
    back_of,
    bill,
    business,
    card_name,
    dress,
    face,
    family_name,
    hand_in_words,
    money_in_words,
)
from ui.boards.sicilianos.scene import Scene, answering, pick_instead, picked_card, picked_note
from ui.html.parts import hidden, seat_mark, symbol
from ui.html.tree import Attr, Child, Node, fixed, h
from ui.text.i18n import Texts

#: with at most this many players there is room to draw every dirty note of each seat
ROOMY = 4


def around(ctx: Context, now: Scene) -> Node:
    """Draws the other seats clockwise; for a spectator all seats."""
    seats = range(len(ctx.chairs)) if ctx.viewer == SPECTATOR else ctx.around()[1:]
    return h("ol.around", {"key": "around", "--n": len(seats)}, [boss(ctx, now, seat) for seat in seats])


def boss(ctx: Context, now: Scene, seat: int) -> Node:
    t, view = ctx.t, ctx.view
    colours, notes = shown(view, seat)
    owned = [colour for colour, _ in businesses_of(view, seat)]
    return h(
        "li.boss",
        {"key": seat, "class": marks(ctx, now, seat)},
        seat_mark(ctx.chairs[seat]),
        named(ctx.name(seat), standing(ctx, now, seat)),
        h(
            "div.holds",
            {"aria-hidden": True},
            [hold(ctx, now, seat, c, colours.count(c), owned.count(c)) for c in COLOURS],
        ),
        money(t, view.dirty[seat], view.clean[seat], notes, spot=f"purse-{seat}", each=len(ctx.chairs) <= ROOMY),
        h(
            "button.closer2",
            now.opener(ctx, f"seat-{seat}"),
            hidden(in_short(ctx, seat, colours, owned)),
        ),
    )


def in_short(ctx: Context, seat: int, colours: list[int], owned: list[int]) -> str:
    """Returns what everybody may know of a seat: the label of the control that opens its sheet."""
    t = ctx.t
    held = hand_in_words(t, [-colour for colour in colours])
    shops = t("sicilianos.and").join(family_name(t, colour) for colour in owned) or t("sicilianos.none")
    return t("sicilianos.seat.open", who=ctx.name(seat), hand=held, owned=shops)


def marks(ctx: Context, now: Scene, seat: int) -> str | None:
    found = ["asked2"] if seat == ctx.asked else []
    if now.verdict and seat in now.verdict.winners:
        found.append("winner")
    return " ".join(found) or None


@lru_cache(maxsize=200)
def named(name: str, does: str) -> Node:
    return h("div.nm3", None, h("b", None, name), h("small", None, does))


def standing(ctx: Context, now: Scene, seat: int) -> str:
    """Returns in a few words what the seat is doing."""
    t, view = ctx.t, ctx.view
    if view.starter != NOBODY:
        return at_war(ctx, now, seat)
    if seat == ctx.asked:
        return t("sicilianos.seat.asked")
    return t("sicilianos.seat.cards", n=len(view.hands[seat]))


def at_war(ctx: Context, now: Scene, seat: int) -> str:
    t, view = ctx.t, ctx.view
    if now.verdict and seat in now.verdict.winners:
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


def hold(ctx: Context, now: Scene, seat: int, colour: int, count: int, owned: int) -> Node:
    """Draws the backs that a seat holds of one family, and its businesses of that family."""
    t = ctx.t
    to, which, spot = now.gain
    drawn: Node = back(colour)
    if (to, which) == (seat, colour):
        drawn = back_of(colour, {"data-fly": f"g{now.number}", "data-from": spot})
    return h(
        "span.hold",
        {
            "key": colour,
            "class": dress(colour) if count else f"{dress(colour)} no",
            "data-spot": f"hold-{seat}-{colour}",
        },
        drawn,
        h("b", None, t.number(count) if count else t("sicilianos.dash")),
        h("span.pips", None, [h("i", {"key": n}) for n in range(owned)]),
    )


@lru_cache(maxsize=400)
def money(t: Texts, dirty: Money, clean: Money, notes: int, *, spot: str, each: bool) -> Node:
    """Draws dirty and clean money. `each`: there is room to draw the dirty notes of each value."""
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
        h("span.slips", {"aria-hidden": True}, [bills(t, v, n) for v, n in zip(NOTES, dirty, strict=True)])
        if each
        else None,
    )


@lru_cache(maxsize=400)
def bills(t: Texts, value: int, count: int) -> Node:
    """Draws all dirty notes of one value."""
    style = None if count else "no"
    return fixed(
        h(
            "span.slips1",
            {"key": value, "class": style},
            bill(t, value, "dirty"),
            h("i", None, t("sicilianos.times", n=count)),
        )
    )


# The viewer's seat


def own(ctx: Context, now: Scene) -> Node:
    """Draws name, hand, money and businesses of the viewer."""
    seat = ctx.viewer
    return h(
        "div.own2",
        {"key": f"own-{seat}"},
        h(
            "header",
            None,
            seat_mark(ctx.chairs[seat]),
            named(ctx.name(seat), standing(ctx, now, seat)),
            h("button.more", now.opener(ctx, f"seat-{seat}"), symbol("u-dots"), hidden(in_full(ctx, seat))),
        ),
        hand(ctx, now),
        purse(ctx),
    )


def in_full(ctx: Context, seat: int) -> str:
    return ctx.t("sicilianos.seat.full", who=ctx.name(seat))


def hand(ctx: Context, now: Scene) -> Node:
    """Draws the cards in hand, sorted by family. Cards that can be laid now can be picked."""
    t, view, seat = ctx.t, ctx.view, ctx.viewer
    cards = list(view.hands[seat])
    if view.down[seat] in cards:
        cards.remove(view.down[seat])  # it is face down on the table
    playable = {a[1] for a in ctx.answers if a[0] in ("war", "join", "add")} if answering(ctx) else set()
    picked = picked_card(ctx)
    to, _, spot = now.gain
    copies: dict[int, int] = {}
    items: list[Child] = []
    for place, card in enumerate(cards):
        copy = copies[card] = copies.get(card, -1) + 1
        new = to == seat and now.last is not None and card in came(now) and not copy
        attrs: dict[str, Attr] = {"data-fly": now.fly(card) if card > 0 else None}
        if new:
            attrs |= {"data-from": spot, "data-turn": 1}
        first = place > 0 and COLOUR[cards[place - 1]] != COLOUR[card]
        items.append(in_hand(ctx, card, copy, attrs, playable=card in playable, picked=picked, first=first))
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


def came(now: Scene) -> tuple[int, ...]:
    """Returns the card that the last entry brought, as far as the viewer knows it; empty if it brought none."""
    a = now.last[1] if now.last else ("",)
    if a[0] in ("card", "stolen"):
        return (int(a[1]),)
    return ()


def in_hand(
    ctx: Context,
    card: int,
    copy: int,
    attrs: dict[str, Attr],
    *,
    playable: bool,
    picked: tuple[int, int] | None,
    first: bool,
) -> Node:
    t, what = ctx.t, f"k{card}.{copy}"
    if card < 0:  # the curtain is down
        drawn = back_of(-card, {"role": "img", "aria-label": card_name(t, card)})
        return h("li", {"key": what, "class": "first" if first else None}, drawn)
    style = "first" if first else None
    if not playable:
        quiet = answering(ctx) and ctx.question.key.removeprefix("sicilianos.") in ("turn", "join", "reinforce")
        return h(
            "li",
            {"key": what, "class": " ".join(filter(None, (style, "quiet2" if quiet else ""))) or None},
            face(t, card, attrs),
        )
    chosen = picked == (card, copy)
    toggle: dict[str, Attr] = {**pick_instead(ctx, what), "data-drag": "town", "key": what}
    return h(
        "li",
        {"key": what, "class": " ".join(filter(None, (style, "chosen" if chosen else ""))) or None},
        h("button.pick2", toggle, hidden(t("sicilianos.pick.card")), face(t, card, attrs)),
    )


def purse(ctx: Context) -> Node:
    """Draws the viewer's dirty notes (they can be picked as a stake), clean money, and businesses with their kinds."""
    t, view, seat = ctx.t, ctx.view, ctx.viewer
    dirty, clean = view.dirty[seat], view.clean[seat]
    staking = answering(ctx) and any(a[0] in ("war", "join") for a in ctx.answers)
    laid = 0 if view.revealed else view.stakes[seat]
    left = tuple(count - (value == laid) for value, count in zip(NOTES, dirty, strict=True))
    notes = [note(ctx, value, count, staking=staking) for value, count in zip(NOTES, left, strict=True)]
    owned = businesses_of(view, seat)
    title = t("sicilianos.purse.dirty", n=shown(view, seat)[1], sum=worth(left))
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
            h("p.big", None, bill(t, 0, "clean"), h("b", None, t.number(worth(clean)))),
            hidden(money_in_words(t, clean)),
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


def note(ctx: Context, value: int, count: int, *, staking: bool) -> Node:
    """Draws the viewer's dirty notes of one value. While a stake is chosen, one can be picked."""
    t = ctx.t
    words = t("sicilianos.pick.note", n=count, value=value)
    inside = (bill(t, value, "dirty"), h("i", {"aria-hidden": True}, t("sicilianos.times", n=count)))
    if not staking or not count:
        return h("li", {"key": value, "class": None if count else "no"}, inside, hidden(words))
    what = f"n{value}"
    attrs: dict[str, Attr] = {**pick_instead(ctx, what), "key": what, "data-drag": "town"}
    chosen = "chosen" if picked_note(ctx) == value else None
    return h("li", {"key": value, "class": chosen}, h("button.pick2", attrs, inside, hidden(words)))
