"""The values that the parts of the board share while the table is drawn once: whose turn it is, the loot as the viewer
sees it, and what is picked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.core import NATURE, Answer, Question
from engine.thieves.alarm import Alarm
from engine.thieves.box import AT_END, AT_RAID
from engine.thieves.cards import ACTION, CardPlay
from engine.thieves.raid import Caught, Raid
from engine.thieves.rules import Deal, Draw, DrawTwo, Gems
from engine.thieves.thief import Look, Thief
from ui.boards import Context
from ui.boards.kit.sheet import Sheets, open_sheet_name
from ui.boards.thieves.history import CardTracks, track_cards
from ui.html.tree import Attr

SHEETS = Sheets(game="thieves", tag="section.sheet", title_id="thieves-sheet", close="thieves.close")


class SeenLoot(NamedTuple):
    """One card of loot as this viewer sees it."""

    key: str  # of its animation; it stays with the card wherever it moves
    kind: int  # 0 if only its back is seen
    up: bool  # face up on the table, or shown to all at a raid or at the end


class SeenWorth(NamedTuple):
    """The worth of a seat's loot as far as the viewer sees it."""

    raid: int
    end: int
    unseen: int  # the number of cards that are not seen, and not counted


@dataclass(frozen=True, slots=True)
class Scene:
    bottom_seat: int  # the seat at the bottom of the table: the viewer's; for a spectator the acting seat
    acting_seat: int  # the seat whose turn or action it is; NATURE if it is nobody's
    viewer_is_asked: bool  # the viewer is asked, and may answer
    tracks: CardTracks  # how the cards have moved so far
    loot: list[list[SeenLoot]]  # by seat
    worths: list[SeenWorth]  # by seat
    richest: frozenset[int]  # the richest seats at raid worth, as far as the viewer sees
    playable: list[int]  # the cards of which the viewer has to play one; empty if the viewer is not asked for one
    picked_index: int  # the index of the picked card in `playable`, -1 if none is picked
    picked_loot: tuple[int, int] | None  # owner and index of the loot picked for the thief
    sheet: str  # the name of the open sheet, "" if none is open

    def answer_attrs(self, ctx: Context, *answer: Any) -> dict[str, Attr]:
        """Returns the attributes of a control that gives this answer; it is disabled unless the viewer is asked."""
        attrs = ctx.answer_attrs(*answer)
        if self.viewer_is_asked or "data-answer" not in attrs:  # without `data-answer` it is disabled already
            return attrs
        return {"type": "button", "aria-disabled": True, "key": attrs["key"]}


def find_acting_seat(question: Question[Any]) -> int:
    """Returns the seat whose turn or action it is, also while chance answers; NATURE if it is nobody's."""
    match question:
        case Draw(to) | DrawTwo(to, _) | Deal(to, _) | Look(to, _):  # `to` gets or sees the card
            return to
        case Alarm(by, _):  # `by` has played the alarm
            return by
        case Raid(then) | Caught(then):  # `then` is the question that follows
            return find_acting_seat(then)
    return question.seat if question.seat >= 0 else NATURE


def make_scene(ctx: Context) -> Scene:
    view, question = ctx.view, ctx.question
    acting_seat = find_acting_seat(question)
    tracks = track_cards(ctx.log, view.seats, over=ctx.over)
    loot = [seen_loot(ctx, tracks, seat) for seat in range(view.seats)]
    worths = [seen_worth(cards) for cards in loot]
    highest = max(worth.raid for worth in worths)
    playable = playable_cards(ctx)
    return Scene(
        bottom_seat=ctx.viewer if ctx.viewer >= 0 else max(acting_seat, 0),
        acting_seat=acting_seat,
        viewer_is_asked=ctx.viewer_is_asked,
        tracks=tracks,
        loot=loot,
        worths=worths,
        richest=frozenset(seat for seat, worth in enumerate(worths) if highest and worth.raid == highest),
        playable=playable,
        picked_index=next((index for index in range(len(playable)) if f"card={index}" in ctx.picked), -1),
        picked_loot=picked_loot(ctx),
        sheet=open_sheet_name(ctx, (f"loot-{seat}" for seat in range(view.seats))),
    )


def seen_loot(ctx: Context, tracks: CardTracks, seat: int) -> list[SeenLoot]:
    """Returns a seat's loot as the viewer sees it.

    With the choice `by_memory` of the house rule `own_loot`, loot that lies face down is not shown again, except to a
    new owner until their next answer.
    """
    all_shown = isinstance(ctx.question, Caught | Gems) or ctx.over
    by_memory = ctx.options.get("own_loot") == "by_memory"
    cards = []
    for key, card in zip(tracks.loot[seat], ctx.view.loot[seat], strict=True):
        up = card.up or all_shown
        hidden = by_memory and not up and tracks.looked_by.get(key) != ctx.viewer
        cards.append(SeenLoot(key, 0 if hidden else card.kind, up))
    return cards


def seen_worth(cards: list[SeenLoot]) -> SeenWorth:
    kinds = [card.kind for card in cards]
    return SeenWorth(sum(AT_RAID[kind] for kind in kinds), sum(AT_END[kind] for kind in kinds), kinds.count(0))


def playable_cards(ctx: Context) -> list[int]:
    """Returns the cards of which the viewer has to play one now."""
    question = ctx.question
    return question.cards(ctx.view) if ctx.viewer_is_asked and isinstance(question, CardPlay) else []


def picked_loot(ctx: Context) -> tuple[int, int] | None:
    if not (ctx.viewer_is_asked and isinstance(ctx.question, Thief)):
        return None
    return next(
        (
            (owner, index)
            for owner, cards in enumerate(ctx.view.loot)
            for index in range(len(cards))
            if f"take={owner}.{index}" in ctx.picked
        ),
        None,
    )


def plays_of(ctx: Context, kind: int) -> list[Answer]:
    """Returns the answers that play a card of this kind.

    The verb of an action names the kind; other plays name it in the answer.
    """
    return [a for a in ctx.answers if ACTION.get(a[0], a[1] if len(a) > 1 else 0) == kind]


def single_pick_attrs(ctx: Context, name: str) -> dict[str, Attr]:
    """Returns the attributes of a toggle; picking it puts back everything else."""
    picked = name in ctx.picked
    return {**ctx.pick_only_attrs(() if picked else (name,)), "aria-pressed": picked}
