"""The messages of the curtain: the person who is asked lifts it; it comes down by hand, when the page is hidden, or
when another person is asked."""

from __future__ import annotations

from collections.abc import Callable

from ui.messages import Commands, Focus, Msg
from ui.model import Model, Play
from ui.selectors import asked_here, can_cover, curtain_seat, is_person, people_seats


def turn_to_asked(play: Play) -> None:
    """Turns the table to the person who is asked. If that is another person, the curtain no longer counts as lifted."""
    seat = asked_here(play)
    if seat is None or not is_person(play, seat):
        return
    play.viewer = seat
    if play.remote is not None:
        play.session = play.remote.session(seat)
    if play.revealed_to != seat:
        play.revealed_to = None
    if curtain_seat(play) is not None:
        play.picked = play.unfolded = frozenset()


def _lift(model: Model, msg: Msg) -> Commands:
    """Lifts the curtain. `arg` is the seat of the person: a hold that ends after the seat has changed is ignored."""
    play = model.play
    seat = curtain_seat(play) if play else None
    if play is None or seat is None or msg.arg != str(seat):
        return []
    play.revealed_to = seat
    model.clear_notice()
    return [Focus("data-home")]


def _cover(model: Model, msg: Msg) -> Commands:
    """Puts the curtain down again, because somebody else might look."""
    play = model.play
    if play is None or not can_cover(play):
        return []
    model.clear_notice()
    return _put_down(play)


def _hidden(model: Model, msg: Msg) -> Commands:
    """Puts the curtain down when the page is hidden: the next person to use the device may be another one."""
    play = model.play
    return _put_down(play) if play and play.revealed_to is not None and len(people_seats(play)) > 1 else []


def _put_down(play: Play) -> Commands:
    play.revealed_to = None
    turn_to_asked(play)
    return [Focus("data-home")] if curtain_seat(play) is not None else []


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {"lift": _lift, "cover": _cover, "hidden": _hidden}
