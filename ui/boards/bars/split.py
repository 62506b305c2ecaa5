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
from ui.boards.bars.cards import bill, note_names, notes_in_words
from ui.boards.bars.history import SEALED, SplitState
from ui.boards.bars.scene import Scene
from ui.boards.bars.seats import seat_disc
from ui.html.parts import button, for_screen_readers
from ui.html.tree import Attr, Node, h
from ui.text.i18n import Texts

#: by reply to a proposal, the class of the tray, and the text in it
TRAY_CLASSES = {ACCEPTED: "paid", CHALLENGED: "against", SEALED: "sealed"}
REPLY_TEXTS = {ACCEPTED: "bars.reply.accepted", CHALLENGED: "bars.reply.challenged", SEALED: "bars.reply.sealed"}

# The proposal while it is made


def pot(ctx: Context, bar: int) -> Notes:
    """Returns the notes that are split, the highest first."""
    return tuple(sorted(ctx.view.notes[bar], reverse=True))


def owners(ctx: Context, asked: Propose) -> list[int]:
    """Returns for each note of the pot the seat that would get it, by what is picked."""
    return [
        next((seat for seat in asked.others if f"n{place}-{seat}" in ctx.picked), asked.seat)
        for place in range(len(ctx.view.notes[asked.bar]))
    ]


def lifted_notes(ctx: Context, asked: Propose) -> set[int]:
    """Returns the places in the pot of the notes that are picked up, to be given to somebody."""
    return {place for place in range(len(ctx.view.notes[asked.bar])) if f"up-{place}" in ctx.picked}


def proposal(ctx: Context, asked: Propose) -> Answer:
    notes, note_owners = pot(ctx, asked.bar), owners(ctx, asked)
    return (
        "propose",
        *(
            tuple(note for note, owner in zip(notes, note_owners, strict=True) if owner == seat)
            for seat in asked.others
        ),
    )


def proposer_keeps(ctx: Context, asked: Propose) -> int:
    notes = pot(ctx, asked.bar)
    return sum(note for note, owner in zip(notes, owners(ctx, asked), strict=True) if owner == asked.seat)


def picks_for(asked: Propose, note_owners: Iterable[int], picked_places: Iterable[int] = ()) -> set[str]:
    """Returns what has to be picked so that the notes go to the seats `whose`, and the notes at `up` are picked up."""
    picks = {f"n{place}-{owner}" for place, owner in enumerate(note_owners) if owner != asked.seat}
    return picks | {f"up-{place}" for place in picked_places}


def even_owners(ctx: Context, asked: Propose) -> list[int]:
    """Returns the owners of the notes in a nearly even split: each note goes to the seat that has the least so far."""
    has = dict.fromkeys((asked.seat, *asked.others), 0)
    note_owners: list[int] = []
    for note in pot(ctx, asked.bar):
        poorest = min(has, key=lambda seat: has[seat])
        has[poorest] += note
        note_owners.append(poorest)
    return note_owners


def proposal_buttons(ctx: Context, asked: Propose) -> list[Node]:
    t, note_owners = ctx.t, owners(ctx, asked)
    words = notation.text(ctx.game.WORDS, proposal(ctx, asked))
    attrs: dict[str, Attr] = {"key": "propose", "data-answer": words if ctx.yours else None}
    even_split, all_own = even_owners(ctx, asked), [asked.seat] * len(note_owners)
    keep = h("b", None, t.number(proposer_keeps(ctx, asked)))
    return [
        button(
            {**attrs, "aria-disabled": not ctx.yours}, h("span", None, t.rich("bars.act.propose", sum=keep)), kind="pri"
        ),
        button(preset_attrs(ctx, asked, even_split, quiet=even_split == note_owners, key="even"), t("bars.act.even")),
        button(preset_attrs(ctx, asked, all_own, quiet=all_own == note_owners, key="all"), t("bars.act.all")),
    ]


def preset_attrs(ctx: Context, asked: Propose, note_owners: list[int], *, quiet: bool, key: str) -> dict[str, Attr]:
    attrs = {**ctx.pick_only_attrs(picks_for(asked, note_owners)), "key": key}
    return {**attrs, "data-do": None, "aria-disabled": True} if quiet or not ctx.yours else attrs


# The trays


def split(ctx: Context, scene: Scene) -> Node:
    question, split_state = ctx.question, scene.current_split
    if isinstance(question, Propose):
        return h("div.split", {"key": "split", "data-count": 1 + len(question.others)}, editing_trays(ctx, question))
    if split_state is None:
        return h("div.split", {"key": "split"})
    return h(
        "div.split",
        {"key": "split", "data-count": 1 + len(split_state.others)},
        proposal_trays(ctx, split_state),
        odds(ctx, split_state),
    )


def editing_trays(ctx: Context, asked: Propose) -> list[Node]:
    """The trays while the proposal is made: that of the proposer, then one for each other claimant.

    Of two claimants, a tap moves a note to the other one's tray. Of more, notes are picked up, then put on a tray.
    """
    notes, note_owners = pot(ctx, asked.bar), owners(ctx, asked)
    names = note_names(asked.bar, notes)
    move = one_tap if len(asked.others) == 1 else two_taps
    trays: list[Node] = []
    for seat in (asked.seat, *asked.others):
        places = [place for place, owner in enumerate(note_owners) if owner == seat]
        shown = [
            slip(ctx, place, notes[place], names[place], *move(ctx, asked, note_owners, place)) for place in places
        ]
        trays.append(tray(ctx, asked, seat, sum(notes[place] for place in places), shown))
    return trays


def slip(ctx: Context, place: int, note: int, name: str, label: str, attrs: dict[str, Attr]) -> Node:
    """A note on a tray, which the proposer can move."""
    shown = bill(ctx.t, note, {"data-fly": name})
    if not ctx.yours:
        return h("li", {"key": place}, shown, for_screen_readers(ctx.t.number(note)))
    return h(
        "li", {"key": place}, h("button.slip", {**attrs, "id": f"bars-note-{place}"}, shown, for_screen_readers(label))
    )


def one_tap(ctx: Context, asked: Propose, note_owners: list[int], place: int) -> tuple[str, dict[str, Attr]]:
    """Returns the label and the attributes of a note if there are two claimants: a tap moves it over, or back."""
    other, note = asked.others[0], ctx.t.number(pot(ctx, asked.bar)[place])
    is_own = note_owners[place] == asked.seat
    after = [(other if is_own else asked.seat) if each == place else owner for each, owner in enumerate(note_owners)]
    label = ctx.t("bars.give" if is_own else "bars.take_back", sum=note, who=ctx.name(other))
    return label, {**ctx.pick_only_attrs(picks_for(asked, after)), "data-drag": f"tray-{after[place]}"}


def two_taps(ctx: Context, asked: Propose, note_owners: list[int], place: int) -> tuple[str, dict[str, Attr]]:
    """Returns the label and the attributes of a note if there are more: a tap picks it up, or puts it down again."""
    up = lifted_notes(ctx, asked)
    label = ctx.t("bars.lift", sum=ctx.t.number(pot(ctx, asked.bar)[place]), who=ctx.name(note_owners[place]))
    attrs = {**ctx.pick_only_attrs(picks_for(asked, note_owners, up ^ {place})), "aria-pressed": place in up}
    return label, {**attrs, "data-drag": " ".join(f"tray-{seat}" for seat in (asked.seat, *asked.others))}


def tray(ctx: Context, asked: Propose, seat: int, money: int, shown: list[Node]) -> Node:
    """The tray with the notes a seat would get. A tap on it, or on its button, puts the picked up notes there."""
    t, up = ctx.t, lifted_notes(ctx, asked)
    tray_label = t(
        "bars.tray.keeps" if seat == asked.seat else "bars.tray.gets", who=ctx.name(seat), sum=t.number(money)
    )
    head = (seat_disc(ctx, seat), h("b", None, ctx.name(seat)), h("span.sum", None, t.number(money)))
    attrs: dict[str, Attr] = {"key": seat, "class": "keeps" if seat == asked.seat else None, "aria-label": tray_label}
    title: Node = h("h3.whose", {"key": "name"}, head)
    if ctx.yours:
        attrs["data-drop"] = f"tray-{seat}"
    if ctx.yours and up:
        owners_after = [seat if place in up else owner for place, owner in enumerate(owners(ctx, asked))]
        drop_attrs = ctx.pick_only_attrs(picks_for(asked, owners_after))
        notes = pot(ctx, asked.bar)
        label = t("bars.tray.here", sum=t.number(sum(notes[place] for place in up)), who=ctx.name(seat))
        title = h(
            "button.whose",
            {**drop_attrs, "key": "here"},
            h("span.face", {"aria-hidden": True}, head),
            for_screen_readers(label),
        )
        attrs |= {
            "data-do": "pick",
            "data-arg": drop_attrs["data-arg"],
            "class": "open keeps" if seat == asked.seat else "open",
        }
    return h(
        "section.tray", attrs, title, h("ul.slips", None, shown) if shown else h("p.none", None, t("bars.tray.none"))
    )


def proposal_trays(ctx: Context, split_state: SplitState) -> list[Node]:
    """The trays of a proposal, with the replies so far. A seat that has accepted has its notes already."""
    t, rest = ctx.t, list(ctx.view.notes[split_state.bar])
    unpaid = [seat for seat in split_state.others if split_state.replies.get(seat) != ACCEPTED]
    for seat in unpaid:
        for note in split_state.offer(seat):
            rest.remove(note)
    notes_by_seat = {
        split_state.proposer: tuple(sorted(rest, reverse=True)),
        **{seat: split_state.offer(seat) for seat in reversed(unpaid)},
    }
    bundles: dict[int, Node] = {}
    staying: list[int] = []
    for seat, notes in notes_by_seat.items():
        bundles[seat] = bundle(t, notes, note_names(split_state.bar, notes, staying=staying))
        staying += notes
    keeps = t("bars.tray.keeps", who=ctx.name(split_state.proposer), sum=t.number(sum(rest)))
    own_tray = h(
        "section.tray.keeps",
        {"key": split_state.proposer, "aria-label": keeps},
        heading(ctx, split_state.proposer, sum(rest)),
        bundles[split_state.proposer],
    )
    return [own_tray, *(offer_tray(ctx, split_state, seat, bundles.get(seat)) for seat in split_state.others)]


def offer_tray(ctx: Context, split_state: SplitState, seat: int, notes: Node | None) -> Node:
    t, reply_code, offer = ctx.t, split_state.replies.get(seat), sum(split_state.offer(seat))
    state = TRAY_CLASSES[reply_code] if reply_code is not None else "to" if seat == ctx.asked else None
    reply = h("p.reply", {"key": "reply"}, t(REPLY_TEXTS[reply_code])) if reply_code is not None else None
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
    return h("div.slips", None, shown, for_screen_readers(notes_in_words(t, notes)))


# The chances in a duel


def odds(ctx: Context, split_state: SplitState) -> Node | None:
    """For the asked seat: the rivals in a duel so far, the sum, and the chances. None if nobody here replies now."""
    t, view, seat = ctx.t, ctx.view, ctx.asked
    if seat is None or not ctx.yours or seat != ctx.viewer or not isinstance(ctx.question, Reply | SecretReply):
        return None
    rivals = [
        split_state.proposer,
        *(other for other in split_state.others if split_state.replies.get(other) == CHALLENGED),
    ]
    chance = chances(view, [*rivals, seat])[seat]
    alone = len(split_state.others) == 1
    facts = t(
        "bars.odds" if alone else "bars.odds.many",
        who=ctx.name(seat),
        percent=round(100 * chance),
        sum=t.number(sum(view.notes[split_state.bar])),
    )
    meet = [
        h("span.versus", {"key": one}, h("b", None, t.number(NUMBER[view.shown[one]])), seat_disc(ctx, one))
        for one in (seat, *rivals)
    ]
    return h("div.odds", {"key": "odds"}, h("span.meet", {"aria-hidden": True}, meet), h("p", None, facts))
