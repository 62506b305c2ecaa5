"""The seats: hand and loot of each, the seats that the next raid would hit, and the targets for a picked card."""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache

from engine.thieves.box import HAND, KINDS, LOOT, ROADBLOCK
from engine.thieves.cards import CardPlay
from engine.thieves.rules import Draw, DrawTwo, PlayBoth
from engine.thieves.thief import Thief
from ui.boards import Context
from ui.boards.thieves.cards import face, face_down, kind_name, unsaid
from ui.boards.thieves.scene import Scene, Seen, Sum, choose, plays_of
from ui.html.parts import back, hidden, icon, seat_mark, symbol
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Texts

TICK = h("span.tick", None, symbol("u-check"))


def rogues(ctx: Context, now: Scene) -> Node:
    """Draws the other seats, clockwise."""
    seats = len(ctx.chairs)
    around = [(now.below + i) % seats for i in range(1, seats)]
    return h("div.rogues", {"key": "rogues"}, [rogue(ctx, now, seat) for seat in around])


def rogue(ctx: Context, now: Scene, seat: int) -> Node:
    target = aim(ctx, now, seat)
    return h(
        "section.rogue",
        {"key": seat, "class": marks(ctx, now, seat, target=is_target(target)), "aria-label": ctx.name(seat)},
        closer(ctx, now, seat),
        h("span.mark", {"data-spot": f"seat-{seat}"}, seat_mark(ctx.chairs[seat])),
        who(ctx, now, seat),
        held(ctx, seat),
        worth(ctx.t, now.sums[seat], hot=seat in now.hot),
        stash(ctx, now, seat),
        target,
    )


def marks(ctx: Context, now: Scene, seat: int, *, target: bool) -> str | None:
    """Returns the CSS classes of a seat: `asked` if it is its turn, `target` if the picked card can go there."""
    found = ["asked"] if seat == (now.acting if ctx.asked is None or ctx.asked < 0 else ctx.asked) else []
    if target:
        found.append("target")
    return " ".join(found) or None


def closer(ctx: Context, now: Scene, seat: int) -> Node:
    """Draws a control over the whole seat that opens the sheet with its loot.

    The close button of the sheet has the same id, so that the focus moves there and back.
    """
    name = f"loot-{seat}"
    label = ctx.t("thieves.closer", who=ctx.name(seat), n=len(now.loot[seat]))
    shut: dict[str, Attr] = {"type": "button", "disabled": True}
    attrs = shut if now.sheet == name else {**ctx.unfold(name), "id": f"thieves-{name}", "key": f"open-{name}"}
    return h("button.closer", {**attrs, "aria-label": label})


def aim(ctx: Context, now: Scene, seat: int) -> Node | None:
    """Draws the target over a seat: a tap gives it the picked card, and a card can be dropped there.

    It is hidden from screen readers and the tab key, because the buttons beside the question do the same.
    """
    if not now.mine:
        return None
    answer = target_of(ctx, now, seat)
    words = now.ask(ctx, *answer).get("data-answer") if answer else None
    return h("span.aim", {"key": "aim", "data-drop": "seats", "data-answer": words, "aria-hidden": True})


def is_target(node: Node | None) -> bool:
    return node is not None and "data-answer" in node.attrs


def target_of(ctx: Context, now: Scene, seat: int) -> tuple[object, ...] | None:
    """Returns the answer that a tap on this seat gives with the picked card; None if there is none."""
    if now.card >= 0:
        kind = now.cards[now.card]
        plays = plays_of(ctx, kind)
        if ("lay", kind) in plays:
            return ("lay", kind) if seat == now.below else ("give", kind, seat)
    if now.taking and now.taking[0] != seat:
        return ("take", *now.taking, seat)
    return None


def who(ctx: Context, now: Scene, seat: int) -> Node:
    return _who(ctx.name(seat), doing(ctx, now, seat))


@lru_cache(maxsize=200)
def _who(name: str, does: str) -> Node:
    return h("div.who", None, h("b", None, name), h("small", None, does))


def doing(ctx: Context, now: Scene, seat: int) -> str:
    """Returns in a few words what the seat is doing."""
    t, question = ctx.t, ctx.question
    if seat == now.acting:
        match question:
            case Draw() | DrawTwo():
                return t("thieves.seat.draws")
            case PlayBoth():
                return t("thieves.seat.both", n=sum(map(len, ctx.view.apart)))
            case CardPlay():
                return t("thieves.seat.turn")
            case Thief():
                return t("thieves.seat.thief")
        if seat == ctx.asked:
            return t("thieves.seat.asked")
    return t("thieves.seat.hand", n=len(ctx.view.hands[seat]))


def held(ctx: Context, seat: int) -> Node:
    """Draws the backs of a hand, and of the cards that double loot brought."""
    view = ctx.view
    apart = sum(map(len, view.apart)) if view.apart_by == seat else 0
    just = drawn_by(ctx) == seat
    cards = [
        h("span.h", {"key": n, "data-fly": f"h{seat}-{n}", "data-from": "deck" if just else None}, back())
        for n in range(len(view.hands[seat]))
    ]
    loose = [
        h("span.h.loose", {"key": f"a{n}", "data-fly": f"a{seat}-{n}", "data-from": "deck"}, back())
        for n in range(apart)
    ]
    words = hidden(ctx.t("thieves.seat.hand", n=len(view.hands[seat])))
    return h("div.grip", None, words, h("span.fan", {"aria-hidden": True}, cards, loose))


def drawn_by(ctx: Context) -> int:
    """Returns the seat that drew with the last entry, -1 if none did."""
    if not ctx.log or ctx.log[-1][1][0] not in ("card", "hand"):
        return -1
    match ctx.question:
        case Draw(to) | DrawTwo(to, _):
            return to
    return ctx.question.seat


@lru_cache(maxsize=400)
def worth(t: Texts, found: Sum, *, hot: bool) -> Node:
    """Draws the worth of a seat's loot in a raid and at the end, with a plus sign if some of it is not seen."""
    more = "+" if found.unseen else ""
    least = hidden(t("thieves.least")) if found.unseen else None
    cuffs = h("span.cuffs", None, icon("handcuffs"), hidden(t("thieves.hot"))) if hot else None
    return h(
        "dl.worth",
        {"class": "hot" if hot else None},
        h(
            "div",
            None,
            h("dt", None, t("thieves.worth.raid")),
            h("dd", None, cuffs, t.number(found.raid) + more, least),
        ),
        h("div", None, h("dt", None, t("thieves.worth.end")), h("dd", None, t.number(found.end) + more, least)),
    )


# The loot of a seat


def stash(ctx: Context, now: Scene, seat: int) -> Node:
    """Draws all loot of a seat in its order. While the viewer sends a thief, each card can be picked."""
    t, cards = ctx.t, now.loot[seat]
    label = t("thieves.loot.of", who=ctx.name(seat), n=len(cards))
    if not cards:
        return h("ul.stash.bare", {"aria-label": label}, h("li", None, h("span.slot"), hidden(t("thieves.none"))))
    return h(
        "ul.stash",
        {"--n": len(cards), "aria-label": label},
        [loot(ctx, now, seat, place, card) for place, card in enumerate(cards)],
    )


def loot(ctx: Context, now: Scene, seat: int, place: int, card: Seen) -> Node:
    came = now.told.came.get(card.name, seat)
    attrs: dict[str, Attr] = {
        "key": card.name,
        "class": "fresh" if card.name in now.told.fresh else None,
        "data-fly": card.name,
        "data-from": f"hand-{seat}" if came == now.below else f"seat-{came}",
    }
    if not (now.mine and isinstance(ctx.question, Thief)):
        return h("li", attrs, picture(ctx.t, card))
    words = hidden(ctx.t("thieves.pick.loot", card=named(ctx.t, card, place), who=ctx.name(seat)))
    toggle = {**choose(ctx, f"take={seat}.{place}"), "data-drag": "seats"}
    drawn = unsaid(ctx.t, card.kind, up=card.up and card.kind > 0)
    return h("li", attrs, h("button.lift", toggle, drawn, words, TICK))


def picture(t: Texts, card: Seen) -> Node:
    return face(t, card.kind) if card.up and card.kind else face_down(t, card.kind)


def named(t: Texts, card: Seen, place: int) -> str:
    """Returns a card of loot in words, by its place if the viewer does not know it."""
    if not card.kind:
        return t("thieves.loot.place", place=place + 1)
    name = kind_name(t, card.kind)
    return name if card.up else t("thieves.remembered", card=name)


# The viewer's seat


def own(ctx: Context, now: Scene) -> list[Node]:
    """Draws the seat at the bottom: its name, its hand, what double loot brought, and its loot."""
    t, seat = ctx.t, now.below
    target = aim(ctx, now, seat)
    mine = h(
        "div.mug",
        {"key": "mark"},
        h("span.mark", None, seat_mark(ctx.chairs[seat])),
        who(ctx, now, seat),
    )
    place = h(
        "div.hoard",
        {"key": "hoard", "class": "target" if is_target(target) else None},
        closer(ctx, now, seat),
        h("h2.lab", None, t("thieves.loot.own")),
        worth(t, now.sums[seat], hot=seat in now.hot),
        stash(ctx, now, seat),
        target,
    )
    return [mine, h("div.cards", {"key": f"cards-{seat}"}, hand(ctx, now), apart(ctx, now)), place]


def hand(ctx: Context, now: Scene) -> Node:
    """Draws the hand. Cards of one kind are interchangeable.

    The card that was played last leaves its place empty, so that the others stay where they are.
    """
    t, view, seat = ctx.t, ctx.view, now.below
    kinds = view.hands[seat]
    choosing = bool(now.cards) and not isinstance(ctx.question, PlayBoth)
    just = just_drawn(ctx, seat)
    rows: list[Child] = []
    for place, kind in enumerate(kinds):
        name = f"h{seat}-{kind}-{kinds[:place].count(kind)}"
        first = kind == just and kind not in kinds[:place]
        rows.append(held_card(ctx, now, place, kind, name, choosing=choosing, drawn=first))
    gap = bisect(kinds, now.told.played.get(seat, KINDS[-1]))
    rows[gap:gap] = [h("li.gap", {"key": f"gap-{n}"}, h("span.slot")) for n in range(len(kinds), HAND)]
    words = t("thieves.hand.of", who=ctx.name(seat), n=len(kinds))
    attrs: dict[str, Attr] = {"aria-label": words, "data-spot": f"hand-{seat}"}
    return h("ul.palm", {**attrs, "class": "idle" if now.cards and not choosing else None}, rows)


def just_drawn(ctx: Context, seat: int) -> int:
    """Returns the kind of the card this seat has just drawn, -1 if it drew none."""
    if drawn_by(ctx) != seat or ctx.log[-1][1][0] != "card":
        return -1
    return int(ctx.log[-1][1][1])


def held_card(ctx: Context, now: Scene, place: int, kind: int, name: str, *, choosing: bool, drawn: bool) -> Node:
    """Draws a card in hand, or one that double loot brought; it is a toggle while one has to be chosen."""
    attrs: dict[str, Attr] = {"key": name, "data-fly": name, "data-from": "deck" if drawn else None}
    if drawn and kind:
        attrs["data-turn"] = 1
    if not kind:
        return h("li", attrs, face_down(ctx.t, 0))
    if not choosing:
        return h("li", attrs, face(ctx.t, kind))
    words = hidden(ctx.t("thieves.pick.card", card=kind_name(ctx.t, kind)))
    toggle = {**choose(ctx, f"card={place}"), "data-drag": drop_place(ctx, kind)}
    return h("li", attrs, h("button.lift", toggle, unsaid(ctx.t, kind, up=True), words, TICK))


def drop_place(ctx: Context, kind: int) -> str:
    """Returns where a card can be dropped: loot on a seat, a roadblock on the police, everything else in the middle."""
    if kind in LOOT:
        return "seats"
    return "police" if kind == ROADBLOCK and ctx.view.police else "middle"


def apart(ctx: Context, now: Scene) -> Node | None:
    """Draws the cards that double loot brought. The newest pair is played first."""
    t, view, seat = ctx.t, ctx.view, now.below
    if not view.apart or view.apart_by != seat:
        return None
    choosing = bool(now.cards) and isinstance(ctx.question, PlayBoth)
    newest = view.apart[-1]
    rows = [
        held_card(
            ctx,
            now,
            place,
            kind,
            f"a{len(view.apart)}-{kind}-{newest[:place].count(kind)}",
            choosing=choosing,
            drawn=True,
        )
        for place, kind in enumerate(newest)
    ]
    waiting = [kind for cards in view.apart[:-1] for kind in cards]
    later = [
        h("li.later", {"key": f"w{n}"}, face(t, kind) if kind else face_down(t, 0)) for n, kind in enumerate(waiting)
    ]
    return h(
        "div.pair",
        {"key": "both"},
        h("h2.lab", None, t("thieves.both")),
        h("ul.palm", {"aria-label": t("thieves.both.of", who=ctx.name(seat))}, rows, later),
    )
