"""A split: the notes before the people. The proposer moves them about, then all see who would get what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine import notation
from engine.bars.box import NUMBER
from engine.bars.greedy import chances
from engine.bars.settle import Propose, Reply, SecretReply
from engine.bars.table import ACCEPTED, CHALLENGED, Notes
from engine.core import Answer
from ui.boards import Context
from ui.boards.bars_cards import bill, named, sums
from ui.boards.bars_scene import Scene
from ui.boards.bars_seats import seat_disc
from ui.boards.bars_story import SEALED, Told
from ui.i18n import Texts
from ui.parts import button, hidden
from ui.tree import Attr, Node, h

#: what somebody has said to a proposal: the look of the tray, and the words in it
STATES = {ACCEPTED: "paid", CHALLENGED: "against", SEALED: "sealed"}
REPLIES = {ACCEPTED: "bars.reply.accepted", CHALLENGED: "bars.reply.challenged", SEALED: "bars.reply.sealed"}

# What the proposer is thinking of


def pot(ctx: Context, bar: int) -> Notes:
    """The notes that are shared, the highest first."""
    return tuple(sorted(ctx.view.notes[bar], reverse=True))


def owners(ctx: Context, asks: Propose) -> list[int]:
    """To whom each note of the pot goes as things are picked."""
    return [
        next((seat for seat in asks.others if f"n{place}-{seat}" in ctx.picked), asks.seat)
        for place in range(len(ctx.view.notes[asks.bar]))
    ]


def receiver(ctx: Context, asks: Propose) -> int:
    """Who gets the next note that is tapped."""
    return next((seat for seat in asks.others if f"to-{seat}" in ctx.picked), asks.others[0])


def proposal(ctx: Context, asks: Propose) -> Answer:
    notes, whose = pot(ctx, asks.bar), owners(ctx, asks)
    return (
        "propose",
        *(tuple(note for note, owner in zip(notes, whose, strict=True) if owner == seat) for seat in asks.others),
    )


def kept(ctx: Context, asks: Propose) -> int:
    notes = pot(ctx, asks.bar)
    return sum(note for note, owner in zip(notes, owners(ctx, asks), strict=True) if owner == asks.seat)


def wish(ctx: Context, asks: Propose, whose: Iterable[int], to: int) -> set[str]:
    """What has to be picked so that the notes go to these, the next to `to`."""
    given = {f"n{place}-{owner}" for place, owner in enumerate(whose) if owner != asks.seat}
    return given | ({f"to-{to}"} if to != asks.others[0] else set())


def even(ctx: Context, asks: Propose) -> list[int]:
    """Who gets which note if everybody is to have as much as possible alike: each note to the one with the least."""
    has = dict.fromkeys((asks.seat, *asks.others), 0)
    whose: list[int] = []
    for note in pot(ctx, asks.bar):
        poorest = min(has, key=lambda seat: has[seat])
        has[poorest] += note
        whose.append(poorest)
    return whose


def acts(ctx: Context, asks: Propose) -> list[Node]:
    t, to, whose = ctx.t, receiver(ctx, asks), owners(ctx, asks)
    answer = proposal(ctx, asks)
    words = notation.text(ctx.game.WORDS, answer)
    attrs: dict[str, Attr] = {
        "key": "propose",
        "data-answer": words if ctx.yours else None,
        "aria-disabled": not ctx.yours,
    }
    share, mine = even(ctx, asks), [asks.seat] * len(whose)
    keep = h("b", None, t.money(kept(ctx, asks)))
    return [
        button(attrs, h("span", None, t.rich("bars.act.propose", sum=keep)), kind="pri"),
        button(preset(ctx, asks, share, to, quiet=share == whose, key="even"), t("bars.act.even")),
        button(preset(ctx, asks, mine, to, quiet=mine == whose, key="all"), t("bars.act.all")),
    ]


def preset(ctx: Context, asks: Propose, whose: list[int], to: int, *, quiet: bool, key: str) -> dict[str, Attr]:
    attrs = {**ctx.pick_only(wish(ctx, asks, whose, to)), "key": key}
    return {**attrs, "data-do": None, "aria-disabled": True} if quiet or not ctx.yours else attrs


# The trays


def split(ctx: Context, now: Scene) -> Node:
    question, told = ctx.question, now.now
    if isinstance(question, Propose):
        return h("div.split", {"key": "split", "data-count": 1 + len(question.others)}, proposing(ctx, question))
    if told is None:
        return h("div.split", {"key": "split"})
    return h("div.split", {"key": "split", "data-count": 1 + len(told.others)}, proposed(ctx, told), odds(ctx, told))


def proposing(ctx: Context, asks: Propose) -> list[Node]:
    """The proposer's own notes, and a tray for each other claimant."""
    notes, whose = pot(ctx, asks.bar), owners(ctx, asks)
    names = named(asks.bar, notes)
    to = receiver(ctx, asks)
    trays: list[Node] = []
    for seat in (asks.seat, *asks.others):
        mine = [place for place, owner in enumerate(whose) if owner == seat]
        shown = [slip(ctx, asks, place, notes[place], names[place], seat, to) for place in mine]
        trays.append(tray(ctx, asks, seat, to, sum(notes[place] for place in mine), shown))
    return trays


def tray(ctx: Context, asks: Propose, seat: int, to: int, money: int, shown: list[Node]) -> Node:
    t, many = ctx.t, len(asks.others) > 1
    head = (seat_disc(ctx, seat), h("b", None, ctx.name(seat)), h("span.sum", None, t.number(money)))
    keeps = seat == asks.seat
    said = t("bars.tray.keeps" if keeps else "bars.tray.gets", who=ctx.name(seat), sum=t.money(money))
    title: Node = h("h3.whose", None, head, hidden(said))
    if many and not keeps and ctx.yours:
        on = seat == to
        attrs = {**ctx.pick_only(wish(ctx, asks, owners(ctx, asks), seat)), "aria-pressed": on, "key": f"to-{seat}"}
        label = t("bars.tray.choose", who=ctx.name(seat), sum=t.money(money))
        title = h("button.whose", {**attrs, "aria-label": label}, head)
    state = "keeps" if keeps else "to" if many and seat == to else None
    return h(
        "section.tray",
        {"key": seat, "class": state, "aria-label": said},
        title,
        h("ul.slips", None, shown) if shown else h("p.none", None, t("bars.tray.none")),
    )


def slip(ctx: Context, asks: Propose, place: int, note: int, name: str, seat: int, to: int) -> Node:
    """A note that a tap moves: to who gets the next, or back."""
    t = ctx.t
    shown = bill(t, note, {"data-fly": name})
    if not ctx.yours:
        return h("li", {"key": place}, shown, hidden(t.money(note)))
    goes = to if seat == asks.seat else asks.seat
    whose = owners(ctx, asks)
    whose[place] = goes
    key = "bars.give" if seat == asks.seat else "bars.take_back"
    label = t(key, sum=t.money(note), who=ctx.name(to if seat == asks.seat else seat))
    attrs = {**ctx.pick_only(wish(ctx, asks, whose, to)), "aria-label": label, "id": f"bars-note-{place}"}
    return h("li", {"key": place}, h("button.slip", attrs, shown))


def proposed(ctx: Context, told: Told) -> list[Node]:
    """What everybody would get, and what has been said to it. Who accepted has its notes already."""
    t, rest = ctx.t, list(ctx.view.notes[told.bar])
    unpaid = [seat for seat in told.others if told.replies.get(seat) != ACCEPTED]
    for seat in unpaid:
        for note in told.offer(seat):
            rest.remove(note)
    holds = {told.proposer: tuple(sorted(rest, reverse=True)), **{seat: told.offer(seat) for seat in reversed(unpaid)}}
    bundles: dict[int, Node] = {}
    gone: list[int] = []
    for seat, notes in holds.items():
        bundles[seat] = bundle(t, notes, named(told.bar, notes, gone=gone))
        gone += notes
    keeps = t("bars.tray.keeps", who=ctx.name(told.proposer), sum=t.money(sum(rest)))
    mine = h(
        "section.tray.keeps",
        {"key": told.proposer, "aria-label": keeps},
        heading(ctx, told.proposer, sum(rest)),
        bundles[told.proposer],
    )
    return [mine, *(offered(ctx, told, seat, bundles.get(seat)) for seat in told.others)]


def offered(ctx: Context, told: Told, seat: int, notes: Node | None) -> Node:
    t, said, offer = ctx.t, told.replies.get(seat), sum(told.offer(seat))
    state = STATES[said] if said is not None else "to" if seat == ctx.asked else None
    reply = h("p.reply", {"key": "reply"}, t(REPLIES[said])) if said is not None else None
    label = t("bars.tray.gets", who=ctx.name(seat), sum=t.money(offer))
    return h(
        "section.tray", {"key": seat, "class": state, "aria-label": label}, heading(ctx, seat, offer), notes, reply
    )


def heading(ctx: Context, seat: int, money: int) -> Node:
    return h(
        "h3.whose", None, seat_disc(ctx, seat), h("b", None, ctx.name(seat)), h("span.sum", None, ctx.t.number(money))
    )


def bundle(t: Texts, notes: Notes, names: Sequence[str]) -> Node:
    if not notes:
        return h("p.none", None, t("bars.tray.none"))
    shown = [bill(t, note, {"data-fly": name, "key": name}) for name, note in zip(names, notes, strict=True)]
    return h("div.slips", None, shown, hidden(sums(t, notes)))


# What a duel would be


def odds(ctx: Context, told: Told) -> Node | None:
    """To who is asked: whom the duel would be against, for how much, and how good the chances are."""
    t, view, seat = ctx.t, ctx.view, ctx.asked
    if seat is None or not ctx.yours or seat != ctx.viewer or not isinstance(ctx.question, Reply | SecretReply):
        return None
    rivals = [told.proposer, *(other for other in told.others if told.replies.get(other) == CHALLENGED)]
    chance = chances(view, [*rivals, seat])[seat]
    alone = len(told.others) == 1
    facts = t(
        "bars.odds" if alone else "bars.odds.many",
        who=ctx.name(seat),
        percent=round(100 * chance),
        sum=t.money(sum(view.notes[told.bar])),
    )
    meet = [
        h("span.vs", {"key": one}, h("b", None, t.number(NUMBER[view.shown[one]])), seat_disc(ctx, one))
        for one in (seat, *rivals)
    ]
    return h("div.odds", {"key": "odds"}, h("span.meet", {"aria-hidden": True}, meet), h("p", None, facts))
