"""What one drawing of the table needs to know besides the view: the auction, the cards' ways, which sheet is open."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Over
from engine.razzia.box import EMPTY, SLOTS
from engine.razzia.rules import Auction, Clear, Score, TurnUp
from ui.boards import Context
from ui.boards.razzia.family import Fresh
from ui.boards.razzia.story import Calls, calls, lying
from ui.html.tree import Attr

#: what a person can lay over the table, besides a family
SHEETS = ("scores", "worth")


@dataclass(frozen=True, slots=True)
class Scene:
    calls: Calls | None  # the running auction
    leader: int  # who has the best offer, -1 nobody
    drawing: int  # who is turning up a card, -1 nobody
    row: list[int]  # the row's cards by the entry that turned them up
    police: list[int]
    taker: int  # who took cards just now
    taken: int  # how many
    fresh: dict[int, str]  # kind -> the flight of the card that comes to its pile
    just_spent: int  # the cheque that was taken from the centre just now
    spent_hidden: bool
    counting: bool  # a round is being counted
    sheet: str  # the sheet that lies over the table, "" none

    def opener(self, ctx: Context, name: str, *, shown: bool = True) -> dict[str, Attr]:
        """A control that opens a sheet. The sheet's own way out has the same id, so that focus follows."""
        if self.sheet == name and shown:
            return {"type": "button", "disabled": True}
        return {**ctx.unfold(name), "id": f"razzia-{name}" if shown else None, "key": f"open-{name}"}

    def fresh_for(self, seat: int) -> Fresh:
        """The kinds of which a card is just coming to that seat."""
        return tuple(self.fresh.items()) if seat == self.taker else ()


def scene(ctx: Context) -> Scene:
    question, view = ctx.question, ctx.view
    running = isinstance(question, Auction)
    story = lying(ctx.log, running=running)
    last_line = ctx.resting and isinstance(question, Over)
    counting = last_line or isinstance(question, Score | Clear)
    fresh = {kind: f"c{number}" for number, kind in story.taken.items()}
    won = bool(fresh) or (not running and bool(ctx.log) and ctx.log[-1][1][0] in ("offer", "pass"))
    last_spent = [hand[-1] for seat, hand in enumerate(view.spent) if hand and seat == story.taker]
    return Scene(
        calls=calls(question, view, ctx.log) if isinstance(question, Auction) else None,
        leader=question.leader if isinstance(question, Auction) else -1,
        drawing=question.by if isinstance(question, TurnUp) else -1,
        row=story.row,
        police=story.police,
        taker=story.taker,
        taken=len(story.taken),
        fresh=fresh,
        just_spent=last_spent[0] if won and last_spent else 0,
        spent_hidden=ctx.options.get("spent_cheques") == "hidden",
        counting=counting,
        sheet="" if counting else open_sheet(ctx),
    )


def open_sheet(ctx: Context) -> str:
    names = (*SHEETS, *(f"family-{seat}" for seat in range(len(ctx.chairs))))
    return next((name for name in names if name in ctx.unfolded), "")


def thieves_out(ctx: Context) -> bool:
    """May thieves be used, or has that just been answered?"""
    return any(answer[0] == "thieves" for answer in ctx.answers) or bool(picked_slots(ctx))


def picked_slots(ctx: Context) -> list[int]:
    """The places picked, from left to right."""
    return [place for place in range(SLOTS) if str(place + 1) in ctx.picked and ctx.view.row[place] != EMPTY]
