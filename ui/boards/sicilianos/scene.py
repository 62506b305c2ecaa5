"""The values that one drawing of the table needs besides the view: the dice, the result of the war, the card that has
just moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core import NATURE
from engine.session import Answered
from engine.sicilianos.box import COLOURS
from engine.sicilianos.result import Open, Payday, winners_of
from engine.sicilianos.roll import Dice, Draw, Keep, Stolen
from engine.sicilianos.table import NOBODY, sums
from ui.boards import Context
from ui.boards.kit.sheet import Sheets, open_sheet_name
from ui.html.tree import Attr

#: the questions that follow from a roll: while one of them is asked, the dice are still in effect
ROLL_QUESTIONS = ("dice", "card", "nine", "one", "pile", "keep", "steal", "stolen")

SHEETS = Sheets("sicilianos", "section.sheet", "sicilianos-sheet", "sicilianos.close")


@dataclass(frozen=True, slots=True)
class Roll:
    """The last roll of the dice."""

    entry_number: int  # of its entry; used as a key, so that every roll is a new node
    seat: int
    colours: tuple[int, int]
    face: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of the war on the table."""

    family: int  # the winning family, 0 if nobody won
    winners: tuple[int, ...]
    tied: frozenset[int]  # families that dropped out because their sums were equal


@dataclass(slots=True)
class Scene:
    at_war: bool
    roll: Roll | None
    roll_in_effect: bool  # the roll is still being carried out
    verdict: Verdict | None
    last_entry: Answered | None  # the last entry, masked for the viewer
    entry_number: int  # of the last entry; -1 if there is none
    game_ending: bool  # payday or a Godfather: the businesses are turned up
    gained_card: tuple[int, int, str]  # see `gained_card`
    sheet: str  # the name of the open sheet; "" if none is open
    copies_drawn: dict[int, int] = field(default_factory=dict)  # by card, the copies drawn so far in this drawing

    def next_copy(self, card: int) -> int:
        """Returns the number of the next copy of a card, counted from 0, and counts it.

        With a house deck several copies of a card may be on the table.
        """
        copy = self.copies_drawn.get(card, 0)
        self.copies_drawn[card] = copy + 1
        return copy

    def flight_name(self, card: int) -> str:
        copy = self.next_copy(card)
        return f"k{card}" if not copy else f"k{card}-{copy}"

    def opener_attrs(self, ctx: Context, name: str) -> dict[str, Attr]:
        return SHEETS.opener_attrs(ctx, self.sheet, name)


def make_scene(ctx: Context) -> Scene:
    log = ctx.log
    roll = last_roll(log)
    paying = isinstance(ctx.question, Open | Payday)
    seats = range(len(ctx.chairs))
    sheet_names = (*(f"seat-{seat}" for seat in seats), *(f"family-{colour}" for colour in COLOURS))
    return Scene(
        at_war=ctx.view.starter != NOBODY,
        roll=roll,
        roll_in_effect=roll is not None and ctx.question.key.removeprefix("sicilianos.") in ROLL_QUESTIONS,
        verdict=war_verdict(ctx),
        last_entry=log[-1] if log else None,
        entry_number=len(log) - 1,
        game_ending=paying,
        gained_card=gained_card(log),
        sheet="" if paying else open_sheet_name(ctx, sheet_names),
    )


def last_roll(log: Sequence[Answered]) -> Roll | None:
    """Returns the last roll, or None if a war has begun since or nobody has rolled yet."""
    for number in range(len(log) - 1, -1, -1):
        _, a, asked = log[number]
        if isinstance(asked, Dice):
            return Roll(number, asked.by, (a[1], a[2]), a[3])
        if a[0] in ("war", "starter"):
            return None
    return None


def war_verdict(ctx: Context) -> Verdict | None:
    """Returns the result of the war on the table, or None if there is no war or it is not decided yet."""
    view = ctx.view
    if view.starter == NOBODY:
        return None
    for _, a, _ in reversed(ctx.log):
        if a[0] == "war":
            return None
        if a[0] == "result":
            family = a[1]
            winners = tuple(winners_of(view, family)) if family else ()
            return Verdict(family, winners, tied_families(view))
    return None


def tied_families(view: object) -> frozenset[int]:
    totals = sums(view)  # type: ignore[arg-type]  # a table of this game
    strengths = list(totals.values())
    return frozenset(family for family, strength in totals.items() if strengths.count(strength) > 1)


# The card and the note a person picks for a war


def picked_card(ctx: Context) -> tuple[int, int] | None:
    """Returns the card picked from the hand and the number of its copy."""
    if not ctx.viewer_is_asked:
        return None
    for what in ctx.picked:
        head, _, copy = what[1:].partition(".")
        if what[0] == "k" and head.isdecimal() and copy.isdecimal() and int(head) in ctx.view.hands[ctx.viewer]:
            return int(head), int(copy)
    return None


def picked_note(ctx: Context) -> int:
    """Returns the value of the picked note, 0 if none is picked."""
    return next((int(what[1:]) for what in ctx.picked if what[0] == "n" and what[1:].isdecimal()), 0)


def replacing_pick(ctx: Context, what: str) -> dict[str, Attr]:
    """Returns the attributes of a toggle that picks `what` and puts back any other pick of the same sort."""
    others = sorted(other for other in ctx.picked if other[0] == what[0] and other != what)
    return {**ctx.pick_attrs(what), "data-arg": " ".join((what, *others))}


def gained_card(log: Sequence[Answered]) -> tuple[int, int, str]:
    """Returns the seat that got a card by the last entry, the card's colour, and the spot it came from.

    The seat is NATURE if nobody got one.
    """
    match log[-1].question if log else None:
        case Draw(colour, to) | Keep(to, colour):
            return to, colour, f"pile-{colour}"
        case Stolen(colour, to, victim):
            return to, colour, f"hold-{victim}-{colour}"
    return NATURE, 0, ""


def rolled_colours(roll: Roll | None) -> tuple[int, ...]:
    """Returns the rolled colours without duplicates."""
    return tuple(dict.fromkeys(roll.colours)) if roll else ()
