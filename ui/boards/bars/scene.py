"""Facts for one drawing of the table that follow from the context: tonight's splits, the current bar, won notes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.bars.box import BAR
from engine.bars.notes import Place
from engine.bars.settle import Duel, Propose, Replies, Reply, SecretReply, Settle
from engine.bars.table import Win
from engine.core import HIDDEN, NATURE, SPECTATOR
from ui.boards import Context
from ui.boards.bars.cards import won_note_names
from ui.boards.bars.history import SplitState, tonights_splits
from ui.boards.kit.sheet import Sheets, open_sheet_name

HAND, NOTE, SPLIT, DUEL = "hand", "note", "split", "duel"
LEDGER = "books"
SHEETS = Sheets("bars", "section.sheet", "bars-leaf", "bars.close")


@dataclass(frozen=True, slots=True)
class Scene:
    """The facts for one drawing, computed once by `scene`."""

    own_seat: int | None  # the seat at the bottom; None for a spectator
    viewer: int  # the seat whose view is drawn: SPECTATOR while the curtain covers the hand of `me`
    last_verb: str  # the verb of the last entry, "" if there is none
    splits: dict[int, SplitState]  # tonight's splits by bar
    bar: int  # the bar that is being settled, 0 if there is none
    stage: str  # the things before the viewer: HAND, NOTE, SPLIT or DUEL
    wins: list[Win]  # tonight's
    won_notes: list[list[tuple[str, int]]]  # by seat, the notes won tonight, with their names
    picked_card: int  # the card of the hand that is picked, 0 if there is none
    sheet: str  # LEDGER while the ledger lies over the table, otherwise ""

    @property
    def current_split(self) -> SplitState | None:
        """The split in the bar that is being settled, or None."""
        return self.splits.get(self.bar)


def make_scene(ctx: Context) -> Scene:
    view, last = ctx.view, ctx.log[-1].answer[0] if ctx.log else ""
    me = ctx.viewer if 0 <= ctx.viewer < len(ctx.chairs) else None
    splits = tonights_splits(view, ctx.log)
    wins = [win for win in view.wins if win[0] == view.night] if any(view.shown) else []
    bar = being_settled(ctx, last, splits)
    return Scene(
        own_seat=me,
        viewer=SPECTATOR if me is None or HIDDEN in view.hands[me] else me,
        last_verb=last,
        splits=splits,
        bar=bar,
        stage=stage(ctx, last, me),
        wins=wins,
        won_notes=won_note_names(wins, view.notes, len(ctx.chairs)),
        picked_card=picked_card(ctx, me),
        sheet=open_sheet_name(ctx, (LEDGER,)),
    )


def being_settled(ctx: Context, last: str, splits: dict[int, SplitState]) -> int:
    """Returns the bar where something has just happened while chance is asked, otherwise the bar of the question."""
    question = ctx.question
    if ctx.asked == NATURE and last in ("take", "stay", "empty"):
        return int(ctx.log[-1].answer[1])
    if ctx.asked == NATURE and last in ("accept", "challenge", "replies", "dice") and splits:
        return list(splits)[-1]
    match question:
        case Propose() | Duel() | Settle():
            return question.bar
        case Reply() | SecretReply() | Replies():
            return question.split.bar
    return 0


def stage(ctx: Context, last: str, me: int | None) -> str:
    match ctx.question:
        case Propose() | Reply() | SecretReply() | Replies():
            # the dice of a duel stay in view until a seat is asked
            return SPLIT if last != "dice" or ctx.asked != NATURE else DUEL
        case Duel():
            return DUEL
        case Place(seat):
            return NOTE if seat == me else HAND
    return DUEL if last == "dice" and ctx.asked == NATURE else HAND


def picked_card(ctx: Context, me: int | None) -> int:
    if me is None:
        return 0
    return next((card for card in ctx.view.hands[me] if card and f"card-{card}" in ctx.picked), 0)


def bar_of(ctx: Context, seat: int) -> int:
    """Returns the bar of the card that the seat has played tonight, 0 before it is shown."""
    card = ctx.view.shown[seat]
    return BAR[card] if card else 0
