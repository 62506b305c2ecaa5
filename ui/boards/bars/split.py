"""A split: a tray of notes for each claimant. The proposer moves notes; then everybody sees the proposal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine import notation
from engine.bars.box import NUMBER
from engine.bars.policy import chances
from engine.bars.settle import Propose, Reply, SecretReply
from engine.bars.table import ACCEPTED, CHALLENGED, Notes
from engine.core import Answer
from ui.boards import Context
from ui.boards.bars.cards import bill, named, sums
from ui.boards.bars.scene import Scene
from ui.boards.bars.seats import seat_disc
from ui.boards.bars.story import SEALED, Told
from ui.html.parts import button, hidden
from ui.html.tree import Attr, Node, h
from ui.text.i18n import Texts

#: by reply to a proposal, the class of the tray, and the text in it
STATES = {ACCEPTED: "paid", CHALLENGED: "against", SEALED: "sealed"}
REPLIES = {ACCEPTED: "bars.reply.accepted", CHALLENGED: "bars.reply.challenged", SEALED: "bars.reply.sealed"}

# The proposal while it is made


def pot(ctx: Context, bar: int) -> Notes:
    """Returns the notes that are split, the highest first."""
    return tuple(sorted(ctx.view.notes[bar], reverse=True))


def owners(ctx: Context, asks: Propose) -> list[int]:
    """Returns for each note of the pot the seat that would get it, by what is picked."""
    return [
        next((seat for seat in asks.others if f"n{place}-{seat}" in ctx.picked), asks.seat)
        for place in range(len(ctx.view.notes[asks.bar]))
    ]


def lifted(ctx: Context, asks: Propose) -> set[int]:
    """Returns the places in the pot of the notes that are picked up, to be given to somebody."""
    return {place for place in range(len(ctx.view.notes[asks.bar])) if f"up-{place}" in ctx.picked}


def proposal(ctx: Context, asks: Propose) -> Answer:
    notes, whose = pot(ctx, asks.bar), owners(ctx, asks)
    return (
        "propose",
        *(tuple(note for note, owner in zip(notes, whose, strict=True) if owner == seat) for seat in asks.others),
    )


def kept(ctx: Context, asks: Propose) -> int:
    notes = pot(ctx, asks.bar)
    return sum(note for note, owner in zip(notes, owners(ctx, asks), strict=True) if owner == asks.seat)


def wish(asks: Propose, whose: Iterable[int], up: Iterable[int] = ()) -> set[str]:
    """Returns what has to be picked so that the notes go to the seats `whose`, and the notes at `up` are picked up."""
    given = {f"n{place}-{owner}" for place, owner in enumerate(whose) if owner != asks.seat}
    return given | {f"up-{place}" for place in up}


def even(ctx: Context, asks: Propose) -> list[int]:
    """Returns the owners of the notes in a nearly even split: each note goes to the seat that has the least so far."""
    has = dict.fromkeys((asks.seat, *asks.others), 0)
    whose: list[int] = []
    for note in pot(ctx, asks.bar):
        poorest = min(has, key=lambda seat: has[seat])
        has[poorest] += note
        whose.append(poorest)
    return whose


def acts(ctx: Context, asks: Propose) -> list[Node]:
    t, whose = ctx.t, owners(ctx, asks)
    words = notation.text(ctx.game.WORDS, proposal(ctx, asks))
    attrs: dict[str, Attr] = {"key": "propose", "data-answer": words if ctx.yours else None}
    share, mine = even(ctx, asks), [asks.seat] * len(whose)
    keep = h("b", None, t.number(kept(ctx, asks)))
    return [
        button(
            {**attrs, "aria-disabled": not ctx.yours}, h("span", None, t.rich("bars.act.propose", sum=keep)), kind="pri"
        ),
        button(preset(ctx, asks, share, quiet=share == whose, key="even"), t("bars.act.even")),
        button(preset(ctx, asks, mine, quiet=mine == whose, key="all"), t("bars.act.all")),
    ]


def preset(ctx: Context, asks: Propose, whose: list[int], *, quiet: bool, key: str) -> dict[str, Attr]:
    attrs = {**ctx.pick_only(wish(asks, whose)), "key": key}
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
    """The trays while the proposal is made: that of the proposer, then one for each other claimant.

    Of two claimants, a tap moves a note to the other one's tray. Of more, notes are picked up, then put on a tray.
    """
    notes, whose = pot(ctx, asks.bar), owners(ctx, asks)
    names = named(asks.bar, notes)
    move = one_tap if len(asks.others) == 1 else two_taps
    trays: list[Node] = []
    for seat in (asks.seat, *asks.others):
        mine = [place for place, owner in enumerate(whose) if owner == seat]
        shown = [slip(ctx, place, notes[place], names[place], *move(ctx, asks, whose, place)) for place in mine]
        trays.append(tray(ctx, asks, seat, sum(notes[place] for place in mine), shown))
    return trays


def slip(ctx: Context, place: int, note: int, name: str, said: str, attrs: dict[str, Attr]) -> Node:
    """A note on a tray, which the proposer can move."""
    shown = bill(ctx.t, note, {"data-fly": name})
    if not ctx.yours:
        return h("li", {"key": place}, shown, hidden(ctx.t.number(note)))
    return h("li", {"key": place}, h("button.slip", {**attrs, "id": f"bars-note-{place}"}, shown, hidden(said)))


def one_tap(ctx: Context, asks: Propose, whose: list[int], place: int) -> tuple[str, dict[str, Attr]]:
    """Returns the label and the attributes of a note if there are two claimants: a tap moves it over, or back."""
    other, note = asks.others[0], ctx.t.number(pot(ctx, asks.bar)[place])
    mine = whose[place] == asks.seat
    after = [(other if mine else asks.seat) if each == place else owner for each, owner in enumerate(whose)]
    said = ctx.t("bars.give" if mine else "bars.take_back", sum=note, who=ctx.name(other))
    return said, {**ctx.pick_only(wish(asks, after)), "data-drag": f"tray-{after[place]}"}


def two_taps(ctx: Context, asks: Propose, whose: list[int], place: int) -> tuple[str, dict[str, Attr]]:
    """Returns the label and the attributes of a note if there are more: a tap picks it up, or puts it down again."""
    up = lifted(ctx, asks)
    said = ctx.t("bars.lift", sum=ctx.t.number(pot(ctx, asks.bar)[place]), who=ctx.name(whose[place]))
    attrs = {**ctx.pick_only(wish(asks, whose, up ^ {place})), "aria-pressed": place in up}
    return said, {**attrs, "data-drag": " ".join(f"tray-{seat}" for seat in (asks.seat, *asks.others))}


def tray(ctx: Context, asks: Propose, seat: int, money: int, shown: list[Node]) -> Node:
    """The tray with the notes a seat would get. A tap on it, or on its button, puts the picked up notes there."""
    t, up = ctx.t, lifted(ctx, asks)
    said = t("bars.tray.keeps" if seat == asks.seat else "bars.tray.gets", who=ctx.name(seat), sum=t.number(money))
    head = (seat_disc(ctx, seat), h("b", None, ctx.name(seat)), h("span.sum", None, t.number(money)))
    attrs: dict[str, Attr] = {"key": seat, "class": "keeps" if seat == asks.seat else None, "aria-label": said}
    title: Node = h("h3.whose", {"key": "name"}, head)
    if ctx.yours:
        attrs["data-drop"] = f"tray-{seat}"
    if ctx.yours and up:
        given = [seat if place in up else owner for place, owner in enumerate(owners(ctx, asks))]
        here = ctx.pick_only(wish(asks, given))
        notes = pot(ctx, asks.bar)
        label = t("bars.tray.here", sum=t.number(sum(notes[place] for place in up)), who=ctx.name(seat))
        title = h("button.whose", {**here, "key": "here"}, h("span.face", {"aria-hidden": True}, head), hidden(label))
        attrs |= {
            "data-do": "pick",
            "data-arg": here["data-arg"],
            "class": "open keeps" if seat == asks.seat else "open",
        }
    return h(
        "section.tray", attrs, title, h("ul.slips", None, shown) if shown else h("p.none", None, t("bars.tray.none"))
    )


def proposed(ctx: Context, told: Told) -> list[Node]:
    """The trays of a proposal, with the replies so far. A seat that has accepted has its notes already."""
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
    keeps = t("bars.tray.keeps", who=ctx.name(told.proposer), sum=t.number(sum(rest)))
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
    label = t("bars.tray.gets", who=ctx.name(seat), sum=t.number(offer))
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


# The chances in a duel


def odds(ctx: Context, told: Told) -> Node | None:
    """For the asked seat: the rivals in a duel so far, the sum, and the chances. None if nobody here replies now."""
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
        sum=t.number(sum(view.notes[told.bar])),
    )
    meet = [
        h("span.vs", {"key": one}, h("b", None, t.number(NUMBER[view.shown[one]])), seat_disc(ctx, one))
        for one in (seat, *rivals)
    ]
    return h("div.odds", {"key": "odds"}, h("span.meet", {"aria-hidden": True}, meet), h("p", None, facts))
