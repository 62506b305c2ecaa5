"""The seats around the table: cheques, family, points, the worth of the row, and their part in an auction."""

from __future__ import annotations

from functools import lru_cache

from engine.razzia.rules import Turn
from engine.seats import PERSON
from ui.boards import Context
from ui.boards.kit.seats import name_plate
from ui.boards.razzia.family import Attrs, cells, cheques, piles
from ui.boards.razzia.history import AuctionState
from ui.boards.razzia.scene import Scene, thieves_usable
from ui.boards.razzia.valuation import Worth, group_points, worth
from ui.html.parts import for_screen_readers, seat_mark
from ui.html.tree import Node, h
from ui.text.i18n import Texts


def opponents(ctx: Context, scene: Scene) -> Node:
    """All seats clockwise. The viewer's is on the page too, but hidden, until another seat is the viewer."""
    return h("div.opps", {"key": "opps"}, [opponent(ctx, scene, seat) for seat in ctx.seats_clockwise()])


def opponent(ctx: Context, scene: Scene, seat: int) -> Node:
    t, shown = ctx.t, seat != ctx.viewer
    attrs = {"key": seat, "hidden": not shown, "class": seat_classes(ctx, scene, seat), "aria-label": ctx.name(seat)}
    opener = tuple(scene.opener_attrs(ctx, f"family-{seat}", shown=shown).items())
    return h(
        "section.seat",
        attrs,
        seat_mark(ctx.chairs[seat]),
        name_and_standing(ctx, scene, seat),
        score(t, ctx.view.points[seat]),
        cheques_of(ctx, scene, seat, shown=shown),
        row_worth(ctx, seat),
        cells(t, ctx.name(seat), ctx.view.family[seat], scene.arriving_at(seat) if shown else (), opener),
    )


def seat_classes(ctx: Context, scene: Scene, seat: int) -> str | None:
    """Returns the classes of a seat: is it asked, has it offered or passed, does it lead, has it taken cards?"""
    classes = ["asked"] if seat == ctx.asked else []
    if scene.auction:
        if seat in scene.auction.offers:
            classes.append("best" if seat == scene.best_bidder else "bid")
        elif seat in scene.auction.passed or seat in scene.auction.cannot_raise:
            classes.append("passed")
    elif seat == scene.taker:
        classes.append("took")
    return " ".join(classes) or None


def name_and_standing(ctx: Context, scene: Scene, seat: int) -> Node:
    return name_plate("div.who", ctx.name(seat), standing(ctx, scene, seat))


def standing(ctx: Context, scene: Scene, seat: int) -> str:
    """Returns a few words about the seat's part in what is happening."""
    t, view = ctx.t, ctx.view
    if scene.auction:
        return in_auction(ctx, scene.auction, scene.best_bidder, seat)
    if seat == scene.taker and scene.taken_count:
        return t("razzia.seat.took", n=scene.taken_count)
    if not view.open[seat]:
        return t("razzia.seat.out")
    if seat == ctx.asked and isinstance(ctx.question, Turn):
        return t("razzia.seat.turn")
    if seat == scene.turning_up:
        return t("razzia.seat.draws")
    return t("razzia.seat.cheques", n=len(view.open[seat]))


def in_auction(ctx: Context, auction: AuctionState, best_bidder: int, seat: int) -> str:
    t = ctx.t
    if seat == ctx.asked:
        return t("razzia.seat.asked")
    if seat in auction.offers:
        return t("razzia.seat.best" if seat == best_bidder else "razzia.seat.offers", sum=t.money(auction.offers[seat]))
    if seat in auction.without_cheques:
        return t("razzia.seat.out")
    if seat in auction.passed:
        return t("razzia.seat.passed")
    if seat in auction.cannot_raise:
        return t("razzia.seat.silent")
    place = auction.waiting.index(seat)
    if place == 0:
        return t("razzia.seat.next")
    return t("razzia.seat.last" if place == len(auction.waiting) - 1 else "razzia.seat.later")


@lru_cache(maxsize=400)
def score(t: Texts, points: int) -> Node:
    return h("span.score", None, t.number(points), for_screen_readers(t("razzia.points", n=points)))


def cheques_of(ctx: Context, scene: Scene, seat: int, *, shown: bool) -> Node:
    """The seat's cheques. Those that the viewer may offer, and those that have just moved, have `data-fly` names."""
    view = ctx.view
    lifted = scene.auction.offers.get(seat, 0) if scene.auction else 0
    own = seat == ctx.viewer and seat == ctx.asked
    moving = {*(view.open[seat] if own else ()), lifted, scene.just_spent} if shown else set()
    flying = tuple(value for value in view.open[seat] + view.spent[seat] if value in moving)
    draggable = [(value, ctx.drag_attrs("centre", "offer", value)) for value in view.open[seat] if own and shown]
    drags = tuple((value, tuple(drag.items())) for value, drag in draggable if drag)
    return cheques(ctx.t, view.open[seat], view.spent[seat], lifted, flying, drags, face_up=not scene.spent_hidden)


def worth_to(ctx: Context, seat: int) -> Worth | None:
    """Returns the worth of the row to the seat; None if the seat has no open cheque, or the row is empty."""
    view = ctx.view
    if not view.open[seat] or not any(view.row):
        return None
    return worth(tuple(view.family), seat, tuple(view.row))


def row_worth(ctx: Context, seat: int) -> Node:
    return _row_worth(ctx.t, worth_to(ctx, seat))


def _in_words(t: Texts, value: Worth | None) -> tuple[str, str]:
    return (t.signed(value.now), t.signed(value.end)) if value else (t("razzia.dash"), t("razzia.dash"))


@lru_cache(maxsize=400)
def _row_worth(t: Texts, value: Worth | None) -> Node:
    now, end = _in_words(t, value)
    row = h("span.pre", None, f"{t('razzia.row')} ")
    return h(
        "dl.worth",
        None,
        h("div", None, h("dt", None, row, t("razzia.row.now")), h("dd", None, now)),
        h("div", None, h("dt", None, row, t("razzia.row.end")), h("dd", None, end)),
    )


def own_areas(ctx: Context, scene: Scene) -> list[Node]:
    """The viewer's cheques, points and family. Those of other people are there too, hidden until they are asked."""
    seats = [seat for seat, chair in enumerate(ctx.chairs) if chair.plays == PERSON or seat == ctx.viewer]
    return [own_area(ctx, scene, seat) for seat in seats]


def own_area(ctx: Context, scene: Scene, seat: int) -> Node:
    t, view, shown = ctx.t, ctx.view, seat == ctx.viewer
    value = worth_to(ctx, seat)
    family_opener = tuple(scene.opener_attrs(ctx, f"family-{seat}", shown=shown).items())
    arriving = scene.arriving_at(seat) if shown else ()
    drag = ctx.drag_attrs("row") if shown and seat == ctx.asked and thieves_usable(ctx) else {}
    thief = tuple({**drag, "data-do": "unfold", "data-arg": f"family-{seat}"}.items()) if drag else ()
    return h(
        "div.mine",
        {"key": f"mine-{seat}", "hidden": not shown},
        h(
            "div.identity",
            None,
            h("header", None, seat_mark(ctx.chairs[seat]), name_and_standing(ctx, scene, seat)),
            _own_score(t, view.points[seat], tuple(scene.opener_attrs(ctx, "scores", shown=shown).items())),
            cheques_of(ctx, scene, seat, shown=shown),
            _own_worth(t, value, tuple(scene.opener_attrs(ctx, "worth", shown=shown).items())),
        ),
        piles(
            t, ctx.name(seat), view.family[seat], group_points(tuple(view.family), seat), arriving, family_opener, thief
        ),
    )


@lru_cache(maxsize=200)
def _own_score(t: Texts, points: int, opener: Attrs) -> Node:
    number = h("b", None, t.number(points))
    return h("button.score.open", dict(opener), number, for_screen_readers(t("razzia.scores.open", n=points)))


@lru_cache(maxsize=200)
def _own_worth(t: Texts, value: Worth | None, opener: Attrs) -> Node:
    now, end = _in_words(t, value)
    return h(
        "button.worth.open",
        dict(opener),
        h("span", None, t.rich("razzia.me.now", points=h("b", None, now))),
        " ",
        h("span", None, t.rich("razzia.me.end", points=h("b", None, end))),
        for_screen_readers(t("razzia.worth.open")),
    )
