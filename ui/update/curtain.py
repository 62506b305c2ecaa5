"""The messages of the curtain: the person who is asked lifts it; it comes down by hand, or when the page is hidden."""

from __future__ import annotations

from collections.abc import Callable

from ui.messages import Commands, Focus, Msg
from ui.model import Model, Play
from ui.selectors import coverable, covered, look, people


def _lift(model: Model, msg: Msg) -> Commands:
    """Lifts the curtain. `arg` is the seat of the person: a hold that ends after the seat has changed is ignored."""
    play = model.play
    seat = covered(play) if play else None
    if play is None or seat is None or msg.arg != str(seat):
        return []
    play.eyes = seat
    model.hush()
    return [Focus("data-home")]


def _cover(model: Model, msg: Msg) -> Commands:
    """Puts the curtain down again, because somebody else might look."""
    play = model.play
    if play is None or not coverable(play):
        return []
    model.hush()
    return _down(play)


def _hidden(model: Model, msg: Msg) -> Commands:
    """Puts the curtain down when the page is hidden: the next person to use the device may be another one."""
    play = model.play
    return _down(play) if play and play.eyes is not None and len(people(play)) > 1 else []


def _down(play: Play) -> Commands:
    play.eyes = None
    look(play)
    return [Focus("data-home")] if covered(play) is not None else []


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {"lift": _lift, "cover": _cover, "hidden": _hidden}
