"""What one drawing of the table needs to know besides the view: tonight's story, which bar is on, what lies where."""

from __future__ import annotations

from dataclasses import dataclass

from engine.bars.box import BAR
from engine.bars.notes import Place
from engine.bars.settle import Duel, Propose, Replies, Reply, SecretReply, Settle
from engine.bars.table import Win
from engine.core import HIDDEN, NATURE, SPECTATOR
from engine.seats import PERSON
from ui.boards import Context
from ui.boards.bars.cards import flights
from ui.boards.bars.story import Told, tonight
from ui.html.tree import Attr

HAND, NOTE, SPLIT, DUEL = "hand", "note", "split", "duel"
BOOKS = "books"


@dataclass(frozen=True, slots=True)
class Scene:
    me: int | None  # the seat at the bottom; None when a spectator looks
    eyes: int  # who looks: the curtain may be down before the seat at the bottom
    last: str  # the verb of the last entry
    told: dict[int, Told]
    bar: int  # the bar that is being settled, 0 none
    stage: str  # what lies before the viewer: HAND, NOTE, SPLIT or DUEL
    wins: list[Win]  # tonight's
    won: list[list[tuple[str, int]]]  # tonight's won notes by seat, with their names
    lifted: int  # the card of the hand that is picked up, 0 none
    sheet: bool

    @property
    def now(self) -> Told | None:
        """The split in the bar that is being settled."""
        return self.told.get(self.bar)


def scene(ctx: Context) -> Scene:
    view, last = ctx.view, ctx.log[-1][1][0] if ctx.log else ""
    me = ctx.viewer if 0 <= ctx.viewer < len(ctx.chairs) else None
    told = tonight(view, ctx.log)
    wins = [win for win in view.wins if win[0] == view.night] if any(view.shown) else []
    bar = being_settled(ctx, last, told)
    return Scene(
        me=me,
        eyes=SPECTATOR if me is None or HIDDEN in view.hands[me] else me,
        last=last,
        told=told,
        bar=bar,
        stage=stage(ctx, last, me),
        wins=wins,
        won=flights(wins, view.notes, len(ctx.chairs)),
        lifted=lifted(ctx, me),
        sheet=BOOKS in ctx.unfolded,
    )


def person_asked(ctx: Context) -> bool:
    return ctx.asked is not None and ctx.asked >= 0 and ctx.chairs[ctx.asked].plays == PERSON


def being_settled(ctx: Context, last: str, told: dict[int, Told]) -> int:
    """While nobody is asked, the bar where something has just happened; else the one it is about."""
    question = ctx.question
    if ctx.asked == NATURE and last in ("take", "stay", "empty"):
        return int(ctx.log[-1][1][1])
    if ctx.asked == NATURE and last in ("accept", "challenge", "replies", "dice") and told:
        return list(told)[-1]
    match question:
        case Propose() | Duel() | Settle():
            return question.bar
        case Reply() | SecretReply() | Replies():
            return question.split.bar
    return 0


def stage(ctx: Context, last: str, me: int | None) -> str:
    match ctx.question:
        case Propose() | Reply() | SecretReply() | Replies():
            # the dice of a duel lie there until somebody has to see what is next
            return SPLIT if last != "dice" or ctx.asked != NATURE else DUEL
        case Duel():
            return DUEL
        case Place(seat):
            return NOTE if seat == me else HAND
    return DUEL if last == "dice" and ctx.asked == NATURE else HAND


def lifted(ctx: Context, me: int | None) -> int:
    if me is None:
        return 0
    return next((card for card in ctx.view.hands[me] if card and f"card-{card}" in ctx.picked), 0)


def books(ctx: Context, now: Scene, *, way_out: bool) -> dict[str, Attr]:
    """The control that opens the books. Their own way out has the same id, so that focus follows."""
    if now.sheet != way_out:
        return {"type": "button", "disabled": True}
    opened = None if way_out else now.sheet
    return {**ctx.unfold(BOOKS), "id": "bars-books", "aria-expanded": opened, "key": "books"}


def at(ctx: Context, seat: int) -> int:
    """The bar a seat went to tonight, 0 none yet."""
    card = ctx.view.shown[seat]
    return BAR[card] if card else 0
