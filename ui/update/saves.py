"""The shelf's part of `update`: saved games, and how far each of them is.

A header does not say how far its game is, and to follow all games on a long shelf takes a while: they are followed one
after the other, as long as somebody looks at the list.
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
    """`data` is the header and the session, or nothing where the game does not open."""
    save, session = msg.data
    model.far[place(model, save)] = _facts(model, save, session) if session else ()
    return _next(model)


def _next(model: Model) -> Commands:
    if model.dialog != "saves":
        return []
    left = (save for save in model.saves if isinstance(save, Header) and place(model, save) not in model.far)
    save = next(left, None)
    return [] if save is None else [Peek(save)]


def _facts(model: Model, save: Header, session: Session) -> tuple[str, ...]:
    """What the top bar says first, or who won and with what."""
    desk, ctx = board(save.game), context(begun(save, session, [], 0), model.t)
    if not session.over:
        return tuple(map(str, desk.status(ctx)[:2]))
    winners, scores = session.game.winners(session.table), session.game.scores(session.table)
    names = ", ".join(save.chairs[seat].name for seat in winners)
    return (model.t("result.won", who=names) if len(winners) == 1 else names, desk.score(ctx, scores[winners[0]]))


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {"saves": _saves, "peeked": _peeked}
