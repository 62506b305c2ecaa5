"""The seats around the table: cheques, family, points, what the row is worth to each, and their part in an auction."""

from __future__ import annotations

from functools import lru_cache

from engine.razzia.rules import Turn
from ui.boards import Context
from ui.boards.razzia_family import cells, cheques, piles
from ui.boards.razzia_scene import Scene
from ui.boards.razzia_story import Calls
from ui.boards.razzia_worth import Worth, sets, worth
from ui.i18n import Texts
from ui.parts import hidden, seat_mark
from ui.tree import Node, h


def opponents(ctx: Context, scene: Scene) -> Node:
    """Everybody but the viewer, clockwise."""
    return h("div.opps", {"key": "opps"}, [opponent(ctx, scene, seat) for seat in ctx.around()[1:]])


def opponent(ctx: Context, scene: Scene, seat: int) -> Node:
    t, view = ctx.t, ctx.view
    return h(
        "section.opp",
        {"key": f"seat-{seat}", "class": marks(ctx, scene, seat), "aria-label": ctx.name(seat)},
        seat_mark(ctx.chairs[seat]),
        who(ctx, scene, seat),
        score(t, view.points[seat]),
        cheques_of(ctx, scene, seat),
        row_worth(ctx, seat),
        cells_of(ctx, scene, seat),
    )


def marks(ctx: Context, scene: Scene, seat: int) -> str | None:
    """Classes: the lamp for who is asked, a frame for who has offered, a bright one for the best offer."""
    found = ["asked"] if seat == ctx.asked else []
    if scene.calls:
        if seat in scene.calls.offers:
            found.append("best" if seat == scene.leader else "bid")
        elif seat in scene.calls.passed or seat in scene.calls.silent:
            found.append("passed")
    if not ctx.view.open[seat]:
        found.append("out")
    return " ".join(found) or None


def who(ctx: Context, scene: Scene, seat: int) -> Node:
    return h("div.who", None, h("b", None, ctx.name(seat)), h("small", None, standing(ctx, scene, seat)))


def standing(ctx: Context, scene: Scene, seat: int) -> str:
    """What the seat is doing now, in a few words."""
    t, view = ctx.t, ctx.view
    if scene.calls:
        return in_auction(ctx, scene.calls, scene.leader, seat)
    if not view.open[seat]:
        return t("razzia.seat.out")
    if seat == ctx.asked and isinstance(ctx.question, Turn):
        return t("razzia.seat.turn")
    if seat == scene.drawing:
        return t("razzia.seat.draws")
    return t("razzia.seat.cheques", n=len(view.open[seat]))


def in_auction(ctx: Context, calls: Calls, leader: int, seat: int) -> str:
    t = ctx.t
    if seat == ctx.asked:
        return t("razzia.seat.asked")
    if seat in calls.offers:
        return t("razzia.seat.best" if seat == leader else "razzia.seat.offers", sum=t.money(calls.offers[seat]))
    if seat in calls.out:
        return t("razzia.seat.out")
    if seat in calls.passed:
        return t("razzia.seat.passed")
    if seat in calls.silent:
        return t("razzia.seat.silent")
    place = calls.waiting.index(seat)
    if place == 0:
        return t("razzia.seat.next")
    return t("razzia.seat.last" if place == len(calls.waiting) - 1 else "razzia.seat.later")


@lru_cache(maxsize=400)
def score(t: Texts, points: int) -> Node:
    return h("span.score", None, t.number(points), hidden(t("razzia.points", n=points)))


def cheques_of(ctx: Context, scene: Scene, seat: int) -> Node:
    view = ctx.view
    lifted = scene.calls.offers.get(seat, 0) if scene.calls else 0
    own = seat == ctx.viewer and seat == ctx.asked
    flying = (*(view.open[seat] if own else ()), lifted, scene.just_spent)
    return cheques(ctx.t, view.open[seat], view.spent[seat], lifted, flying, face_up=not scene.spent_hidden)


def worth_to(ctx: Context, seat: int) -> Worth | None:
    """What the row would bring the seat; None for who can win nothing."""
    view = ctx.view
    if not view.open[seat] or not any(view.row):
        return None
    return worth(tuple(view.family), seat, tuple(view.row))


def row_worth(ctx: Context, seat: int) -> Node:
    return _row_worth(ctx.t, worth_to(ctx, seat))


@lru_cache(maxsize=400)
def _row_worth(t: Texts, found: Worth | None) -> Node:
    now, end = (t.signed(found.now), t.signed(found.end)) if found else (t("razzia.dash"), t("razzia.dash"))
    row = h("span.pre", None, f"{t('razzia.row')} ")
    return h(
        "dl.worth",
        None,
        h("div", None, h("dt", None, row, t("razzia.row.now")), h("dd", None, now)),
        h("div", None, h("dt", None, row, t("razzia.row.end")), h("dd", None, end)),
    )


def cells_of(ctx: Context, scene: Scene, seat: int) -> Node:
    opener = tuple(scene.opener(ctx, f"family-{seat}").items())
    return cells(ctx.t, ctx.name(seat), ctx.view.family[seat], scene.fresh_for(seat), opener)


def mine(ctx: Context, scene: Scene) -> Node:
    """The viewer's own things."""
    t, view, seat = ctx.t, ctx.view, ctx.viewer
    found = worth_to(ctx, seat)
    now, end = (t.signed(found.now), t.signed(found.end)) if found else (t("razzia.dash"), t("razzia.dash"))
    points = h("b", None, t.number(view.points[seat]))
    return h(
        "div.mine",
        None,
        h(
            "div.idn",
            None,
            h("header", None, seat_mark(ctx.chairs[seat]), who(ctx, scene, seat)),
            h(
                "button.score.open",
                {
                    **scene.opener(ctx, "scores"),
                    "aria-label": t("razzia.scores.open", n=view.points[seat], points=t.number(view.points[seat])),
                },
                points,
            ),
            cheques_of(ctx, scene, seat),
            h(
                "button.worth.open",
                {**scene.opener(ctx, "worth"), "aria-label": t("razzia.worth.open", now=now, end=end)},
                h("span", None, t.rich("razzia.me.now", points=h("b", None, now))),
                h("span", None, t.rich("razzia.me.end", points=h("b", None, end))),
            ),
        ),
        own_family(ctx, scene),
    )


def own_family(ctx: Context, scene: Scene) -> Node:
    view, seat = ctx.view, ctx.viewer
    worths = sets(tuple(view.family), seat)
    opener = tuple(scene.opener(ctx, f"family-{seat}").items())
    return piles(ctx.t, ctx.name(seat), view.family[seat], worths, scene.fresh_for(seat), opener)
