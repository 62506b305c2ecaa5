"""The messages of the list of saves, and the status of each save.

A header does not have the status of its game, and it takes a while to replay many games. So they are replayed one after
the other, and only as long as the list is open.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.session import Session
from ui.boards import board
from ui.messages import Commands, Msg, Peek
from ui.model import Header, Model
from ui.selectors import context, place
from ui.update.table import begun


def _saves(model: Model, msg: Msg) -> Commands:
    model.saves, model.unkept, model.now = msg.data
    return _next(model)


def _peeked(model: Model, msg: Msg) -> Commands:
    """Stores the status of a save. `data` is the header and the session; None if the game cannot be opened."""
    save, session = msg.data
    model.far[place(model, save)] = _facts(model, save, session) if session else ()
    return _next(model)


def _next(model: Model) -> Commands:
    """Returns the command to replay the next save without a status, while the list is open."""
    if model.dialog != "saves":
        return []
    left = (save for save in model.saves if isinstance(save, Header) and place(model, save) not in model.far)
    save = next(left, None)
    return [] if save is None else [Peek(save)]


def _facts(model: Model, save: Header, session: Session) -> tuple[str, ...]:
    """Returns the first two facts of the top bar, or, when the game is over, the winners and their score."""
    desk, ctx = board(save.game), context(begun(save, session, [], 0), model.t)
    if not session.over:
        return tuple(map(str, desk.status(ctx)[:2]))
    winners, scores = session.game.winners(session.table), session.game.scores(session.table)
    names = ", ".join(save.chairs[seat].name for seat in winners)
    return (model.t("result.won", who=names) if len(winners) == 1 else names, desk.score(ctx, scores[winners[0]]))


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {"saves": _saves, "peeked": _peeked}
