"""The curtain's part of `update`: lifted by who is asked, dropped by hand, and when nobody sees the page."""

from __future__ import annotations

from collections.abc import Callable

from ui.messages import Commands, Focus, Msg
from ui.model import Model, Play
from ui.selectors import coverable, covered, look, people


def _lift(model: Model, msg: Msg) -> Commands:
    """The person the curtain waits for is there: `arg` says who, for a hold that ends late is nobody's."""
    play = model.play
    seat = covered(play) if play else None
    if play is None or seat is None or msg.arg != str(seat):
        return []
    play.eyes = seat
    model.hush()
    return [Focus("data-home")]


def _cover(model: Model, msg: Msg) -> Commands:
    """Down again: somebody else leans over."""
    play = model.play
    if play is None or not coverable(play):
        return []
    model.hush()
    return _down(play)


def _hidden(model: Model, msg: Msg) -> Commands:
    """The device was put to sleep, or another window lies over the table: whoever wakes it may be somebody else."""
    play = model.play
    return _down(play) if play and play.eyes is not None and len(people(play)) > 1 else []


def _down(play: Play) -> Commands:
    play.eyes = None
    look(play)
    return [Focus("data-home")] if covered(play) is not None else []


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {"lift": _lift, "cover": _cover, "hidden": _hidden}
