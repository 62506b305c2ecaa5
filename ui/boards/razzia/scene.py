"""Facts for one drawing of the table that follow from the context: the auction, moved cards, the open sheet."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Over
from engine.razzia.box import EMPTY, SLOTS
from engine.razzia.rules import Auction, Clear, Score, TurnUp
from ui.boards import Context
from ui.boards.kit.sheet import Sheets, open_sheet_name
from ui.boards.razzia.family import Arriving
from ui.boards.razzia.history import AuctionState, auction_state, follow_cards
from ui.html.tree import Attr

SHEETS = Sheets("razzia", "section.sheet", "razzia-sheet", "razzia.close")


@dataclass(frozen=True, slots=True)
class Scene:
    """The facts for one drawing, computed once by `scene`."""

    auction: AuctionState | None  # the running auction
    best_bidder: int  # the seat with the best offer, -1 if there is none
    turning_up: int  # the seat that is turning up a card, -1 if there is none
    row: list[int]  # by slot, the number of the entry that turned its card up; -1 if it is empty
    police: list[int]  # the numbers of the entries that turned up this round's police cards
    taker: int  # the seat that took cards with the last entry, -1 if there is none
    taken_count: int  # how many it took
    arriving: dict[int, str]  # the kinds of the cards taken, with their `data-fly` names
    just_spent: int  # the cheque taken from the centre with the last entry, 0 if there is none
    spent_hidden: bool  # the house rule that spent cheques lie face down
    counting: bool  # a round is being counted
    sheet: str  # the name of the open sheet, "" if there is none

    def opener_attrs(self, ctx: Context, name: str, *, shown: bool = True) -> dict[str, Attr]:
        return SHEETS.opener_attrs(ctx, self.sheet, name, shown=shown)

    def arriving_at(self, seat: int) -> Arriving:
        """Returns the kinds of the cards that the seat has just taken, with their `data-fly` names."""
        return tuple(self.arriving.items()) if seat == self.taker else ()


def make_scene(ctx: Context) -> Scene:
    question, view = ctx.question, ctx.view
    auction_runs = isinstance(question, Auction)
    cards = follow_cards(ctx.log, question)
    last_row_shown = ctx.resting and isinstance(question, Over)
    counting = last_row_shown or isinstance(question, Score | Clear)
    fresh = {kind: f"c{number}" for number, kind in cards.taken.items()}
    sheet_names = ("scores", "worth", *(f"family-{seat}" for seat in range(len(ctx.chairs))))
    settled = bool(fresh) or (not auction_runs and bool(ctx.log) and isinstance(ctx.log[-1].question, Auction))
    last_spent = [hand[-1] for seat, hand in enumerate(view.spent) if hand and seat == cards.taker]
    return Scene(
        auction=auction_state(question, view, ctx.log) if isinstance(question, Auction) else None,
        best_bidder=question.best_bidder if isinstance(question, Auction) else -1,
        turning_up=question.by if isinstance(question, TurnUp) else -1,
        row=cards.row,
        police=cards.police,
        taker=cards.taker,
        taken_count=len(cards.taken),
        arriving=fresh,
        just_spent=last_spent[0] if settled and last_spent else 0,
        spent_hidden=ctx.options.get("spent_cheques") == "hidden",
        counting=counting,
        sheet="" if counting else open_sheet_name(ctx, sheet_names),
    )


def thieves_usable(ctx: Context) -> bool:
    """Returns True if thieves may be used now, or if cards are still picked for that answer."""
    return any(answer[0] == "thieves" for answer in ctx.answers) or bool(picked_slots(ctx))


def picked_slots(ctx: Context) -> list[int]:
    """Returns the picked slots of the row, from left to right."""
    return [place for place in range(SLOTS) if str(place + 1) in ctx.picked and ctx.view.row[place] != EMPTY]
