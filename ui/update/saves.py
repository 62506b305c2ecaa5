"""The messages of the list of saves, and the status of each save.

A header does not have the status of its game, and it takes a while to replay many games. So they are replayed one after
the other, and only as long as the list is open.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.session import Session
from ui.boards import board
from ui.messages import Commands, Msg, ReplaySave
from ui.model import Header, Model
from ui.selectors import context, save_key
from ui.update.table import new_play


def _saves(model: Model, msg: Msg) -> Commands:
    model.saves, model.storage_error, model.now = msg.data
    return _next(model)


def _peeked(model: Model, msg: Msg) -> Commands:
    """Stores the status of a save. `data` is the header and the session; None if the game cannot be opened."""
    save, session = msg.data
    model.save_status[save_key(model, save)] = _status(model, save, session) if session else ()
    return _next(model)


def _next(model: Model) -> Commands:
    """Returns the command to replay the next save without a status, while the list is open."""
    if model.dialog != "saves":
        return []
    remaining = (
        save for save in model.saves if isinstance(save, Header) and save_key(model, save) not in model.save_status
    )
    save = next(remaining, None)
    return [] if save is None else [ReplaySave(save)]


def _status(model: Model, save: Header, session: Session) -> tuple[str, ...]:
    """Returns the first two facts of the top bar, or, when the game is over, the winners and their score."""
    game_board, ctx = board(save.game), context(new_play(save, session, [], 0), model.t)
    if not session.over:
        return tuple(map(str, game_board.status(ctx)[:2]))
    winners, scores = session.game.winners(session.table), session.game.scores(session.table)
    names = ", ".join(save.chairs[seat].name for seat in winners)
    return (model.t("result.won", who=names) if len(winners) == 1 else names, game_board.score(ctx, scores[winners[0]]))


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {"saves": _saves, "peeked": _peeked}
