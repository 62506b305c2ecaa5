"""The values that one drawing of the table needs besides the view: whose turn it is, the loot as the viewer sees it,
and what is picked."""

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
from ui.boards.thieves.story import Story, story
from ui.html.tree import Attr


class Seen(NamedTuple):
    """One card of loot as this viewer sees it."""

    name: str  # stays with the card wherever it moves: the key of its animation
    kind: int  # 0 if only its back is seen
    up: bool


class Sum(NamedTuple):
    """The worth of a seat's loot as far as the viewer sees it."""

    raid: int
    end: int
    unseen: int  # the number of cards that are not seen, and not counted


@dataclass(frozen=True, slots=True)
class Scene:
    below: int  # the seat at the bottom of the table: the viewer's; for a spectator the acting seat
    acting: int  # the seat whose turn or action it is; NATURE if it is nobody's
    mine: bool  # the viewer is asked, and may answer
    told: Story
    loot: list[list[Seen]]  # by seat
    sums: list[Sum]  # by seat
    hot: frozenset[int]  # the richest seats at raid worth, as far as the viewer sees
    cards: list[int]  # the cards of which the viewer has to play one; empty if the viewer is not asked for one
    card: int  # the index of the picked card in `cards`, -1 if none is picked
    taking: tuple[int, int] | None  # owner and index of the loot picked for the thief
    sheet: str  # the name of the open sheet, "" if none is open

    def ask(self, ctx: Context, *answer: Any) -> dict[str, Attr]:
        """Returns the attributes of a control that gives this answer; it is disabled unless the viewer is asked."""
        attrs = ctx.ask(*answer)
        if self.mine or "data-answer" not in attrs:
            return attrs
        return {"type": "button", "aria-disabled": True, "key": attrs["key"]}


def acting(question: Question[Any]) -> int:
    """Returns the seat whose turn it is, also while chance answers; NATURE if it is nobody's."""
    match question:
        case Draw(to) | DrawTwo(to, _) | Deal(to, _) | Look(to, _):
            return to
        case Alarm(by, _):
            return by
        case Raid(then) | Caught(then):
            return acting(then)
    return question.seat if question.seat >= 0 else NATURE


def scene(ctx: Context) -> Scene:
    view, question = ctx.view, ctx.question
    now = acting(question)
    mine = ctx.yours and ctx.viewer == ctx.asked
    told = story(ctx.log, view.seats, over=ctx.asked is None)
    loot = [seen(ctx, told, seat) for seat in range(view.seats)]
    sums = [total(cards) for cards in loot]
    top = max(found.raid for found in sums)
    cards = to_play(ctx, mine=mine)
    return Scene(
        below=ctx.viewer if ctx.viewer >= 0 else max(now, 0),
        acting=now,
        mine=mine,
        told=told,
        loot=loot,
        sums=sums,
        hot=frozenset(seat for seat, found in enumerate(sums) if top and found.raid == top),
        cards=cards,
        card=next((place for place in range(len(cards)) if f"card={place}" in ctx.picked), -1),
        taking=picked_loot(ctx, mine=mine),
        sheet=next((f"loot-{seat}" for seat in range(view.seats) if f"loot-{seat}" in ctx.unfolded), ""),
    )


def seen(ctx: Context, told: Story, seat: int) -> list[Seen]:
    """Returns a seat's loot as the viewer sees it.

    With the house rule `by_memory` loot that lies face down is not shown again, except to a new owner until their next
    answer.
    """
    open_now = isinstance(ctx.question, Caught | Gems) or ctx.asked is None
    by_memory = ctx.options.get("own_loot") == "by_memory"
    found = []
    for name, card in zip(told.loot[seat], ctx.view.loot[seat], strict=True):
        up = card.up or open_now
        hidden = by_memory and not up and told.looked.get(name) != ctx.viewer
        found.append(Seen(name, 0 if hidden else card.kind, up))
    return found


def total(cards: list[Seen]) -> Sum:
    kinds = [card.kind for card in cards]
    return Sum(sum(AT_RAID[kind] for kind in kinds), sum(AT_END[kind] for kind in kinds), kinds.count(0))


def to_play(ctx: Context, *, mine: bool) -> list[int]:
    """Returns the cards of which the viewer has to play one now."""
    question = ctx.question
    return question.cards(ctx.view) if mine and isinstance(question, CardPlay) else []


def picked_loot(ctx: Context, *, mine: bool) -> tuple[int, int] | None:
    if not (mine and isinstance(ctx.question, Thief)):
        return None
    return next(
        (
            (owner, place)
            for owner, cards in enumerate(ctx.view.loot)
            for place in range(len(cards))
            if f"take={owner}.{place}" in ctx.picked
        ),
        None,
    )


def plays_of(ctx: Context, kind: int) -> list[Answer]:
    """Returns the answers that play a card of this kind."""
    return [a for a in ctx.answers if ACTION.get(a[0], a[1] if len(a) > 1 else 0) == kind]


def choose(ctx: Context, what: str) -> dict[str, Attr]:
    """Returns the attributes of a toggle; to pick it puts back any other."""
    picked = what in ctx.picked
    return {**ctx.pick_only(() if picked else (what,)), "aria-pressed": picked}
