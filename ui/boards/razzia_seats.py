"""The seats around the table: cheques, family, points, what the row is worth to each, and their part in an auction."""

from __future__ import annotations

from functools import lru_cache

from engine.razzia.rules import Cards, Table, Turn
from ui.boards import Context
from ui.boards.razzia_cards import GROUPS, SORTED, face, face_down, listed, small_cheque, sums, tile
from ui.boards.razzia_scene import Scene
from ui.boards.razzia_worth import Set, Worth, sets, worth
from ui.i18n import Texts
from ui.parts import hidden, seat_mark, symbol
from ui.tree import Attr, Child, Node, h


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
        cheques(ctx, scene, seat),
        row_worth(ctx, scene, seat),
        cells(ctx, scene, seat),
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
        return in_auction(ctx, scene, seat)
    if not view.open[seat]:
        return t("razzia.seat.out")
    if seat == ctx.asked and isinstance(ctx.question, Turn):
        return t("razzia.seat.turn")
    if seat == scene.drawing:
        return t("razzia.seat.draws")
    return t("razzia.seat.cheques", n=len(view.open[seat]))


def in_auction(ctx: Context, scene: Scene, seat: int) -> str:
    t, calls = ctx.t, scene.calls
    assert calls is not None
    if seat == ctx.asked:
        return t("razzia.seat.asked")
    if seat in calls.offers:
        return t("razzia.seat.best" if seat == scene.leader else "razzia.seat.offers", sum=t.money(calls.offers[seat]))
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


def cheques(ctx: Context, scene: Scene, seat: int) -> Node:
    """Open cheques, the offered one lifted, then the spent ones."""
    t, view = ctx.t, ctx.view
    offered = scene.calls.offers.get(seat) if scene.calls else None
    own = seat == ctx.viewer and seat == ctx.asked
    shown = [
        small_cheque(t, value, "out" if value == offered else "", f"q{value}" if own or value == offered else None)
        for value in view.open[seat]
    ]
    for place, value in enumerate(view.spent[seat]):
        if scene.spent_hidden:
            shown.append(face_down(place))
        else:
            shown.append(small_cheque(t, value, "spent", f"q{value}" if value == scene.just_spent else None))
    return h("div.chqs", None, hidden(cheque_words(t, view, seat, spent_hidden=scene.spent_hidden)), shown)


def cheque_words(t: Texts, view: Table, seat: int, *, spent_hidden: bool) -> str:
    said = t("razzia.cheques.open", sums=sums(t, view.open[seat]) or t("razzia.none"))
    if not (spent := view.spent[seat]):
        return said
    if spent_hidden:
        return f"{said} {t('razzia.cheques.hidden', n=len(spent))}"
    return f"{said} {t('razzia.cheques.spent', sums=sums(t, spent))}"


def row_worth(ctx: Context, scene: Scene, seat: int) -> Node:
    """What the row would bring the seat; a dash for who can win nothing."""
    found = worth(ctx.view.family, seat, ctx.view.row) if scene.contested(ctx.view, seat) else None
    return _row_worth(ctx.t, found)


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


def cells(ctx: Context, scene: Scene, seat: int) -> Node:
    """The family in seventeen small places, the same for all; all of them together open it."""
    t, family = ctx.t, ctx.view.family[seat]
    fresh = scene.fresh if seat == scene.taker else {}
    shown = [
        _cell(t, kind, family[kind]) if kind not in fresh else _arriving(t, kind, family[kind], fresh[kind])
        for kind in SORTED
    ]
    words = t("razzia.family.of", who=ctx.name(seat), cards=listed(t, family))
    return h("button.cells", {**scene.opener(ctx, f"family-{seat}"), "aria-label": words}, shown)


@lru_cache(maxsize=400)
def _cell(t: Texts, kind: int, count: int) -> Node:
    return h(
        "span.cell",
        {"class": None if count else "no", "aria-hidden": True},
        tile(kind),
        t.number(count) if count else "–",
    )


def _arriving(t: Texts, kind: int, count: int, fly: str) -> Node:
    """A place a card is just coming to."""
    mark = tile(kind)
    return h(
        "span.cell", {"aria-hidden": True}, h(mark.tag, {**mark.attrs, "data-fly": fly}, mark.kids), t.number(count)
    )


def mine(ctx: Context, scene: Scene) -> Node:
    """The viewer's own things."""
    t, view, seat = ctx.t, ctx.view, ctx.viewer
    found = worth(view.family, seat, view.row) if scene.contested(view, seat) else None
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
            cheques(ctx, scene, seat),
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
    """The viewer's family as piles, what is scored together side by side, each set with its worth now and next."""
    t, view, seat = ctx.t, ctx.view, ctx.viewer
    family = view.family[seat]
    worths = {found.group: found for found in sets(view.family, seat)}
    fresh = scene.fresh if seat == scene.taker else {}
    piles = sum(max(1, sum(family[kind] > 0 for kind in kinds)) for kinds in GROUPS.values())
    words = t("razzia.family.of", who=ctx.name(seat), cards=listed(t, family))
    return h(
        "button.fam",
        {**scene.opener(ctx, f"family-{seat}"), "aria-label": words, "--n": piles},
        h("span.famin", {"aria-hidden": True}, [group(t, name, family, worths[name], fresh) for name in GROUPS]),
    )


def group(t: Texts, name: str, family: Cards, found: Set, fresh: dict[int, str]) -> Node:
    kinds = [kind for kind in GROUPS[name] if family[kind]]
    piles: list[Child] = [pile(t, kind, family[kind], fresh.get(kind)) for kind in kinds]
    return h(
        "span.grpc",
        {"key": name, "class": None if kinds else "none"},
        h("span.stk", None, piles or ghost(GROUPS[name][0])),
        _caption(t, found),
    )


@lru_cache(maxsize=20)
def ghost(kind: int) -> Node:
    return h("span.pile.ghost", None, h("span.slot", None, h("span.em", None, tile(kind).kids)))


def pile(t: Texts, kind: int, count: int, fly: str | None) -> Node:
    return _pile(t, kind, count) if fly is None else _make_pile(t, kind, count, fly)


@lru_cache(maxsize=400)
def _pile(t: Texts, kind: int, count: int) -> Node:
    return _make_pile(t, kind, count, None)


def _make_pile(t: Texts, kind: int, count: int, fly: str | None) -> Node:
    badge = h("span.n", None, t.number(count)) if count > 1 else None
    card = face(t, kind, {"data-fly": fly}) if fly else face(t, kind)
    return h("span.pile", {"class": "one" if count == 1 else None, "key": kind}, card, badge)


@lru_cache(maxsize=400)
def _caption(t: Texts, found: Set) -> Node:
    now = h("b", None, t.number(found.now))
    return h(
        "span.capt",
        None,
        h("span", None, t.rich(f"razzia.set.{found.group}", points=now)),
        h("small", None, t.rich("razzia.set.more", points=t.signed(found.more))),
    )


def sign(attrs: dict[str, Attr], name: str) -> Node:
    return h("span", attrs, symbol(name))
