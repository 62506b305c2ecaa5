"""The messages of a table by link before the game begins: seats, their names and their players."""

from __future__ import annotations

from collections.abc import Callable

from engine.bots import LEVELS
from engine.core import Refused
from engine.seats import PERSON, checked_name, distinct_names
from peer.game.setup import PATIENCES
from peer.table.commands import SetPatience, SetPlayer, Sit, Stand
from peer.table.lobby import Spot
from ui.messages import Commands, Msg, Remember, RoomRequest
from ui.model import Model
from ui.refusals import at_table, refusal
from ui.room import room_of
from ui.selectors import seat_named


def _sit(model: Model, msg: Msg) -> Commands:
    """Takes the seat in `arg`; the value may give a name. For a seat of this device the value is its new name."""
    seat = seat_named(msg.arg, len(_spots(model)))
    if seat is None:
        return []
    spot = _spots(model)[seat]
    others = [one.name for one in _spots(model) if one is not spot and not one.free]
    try:
        typed = checked_name(msg.value, others) if msg.value or _is_mine(model, spot) else ""
    except Refused as refused:
        model.notice = refusal(refused, at_table(model))
        return []
    model.clear_notice()
    commands: Commands = [RoomRequest(Sit(seat, typed or _last_name(model, others) or spot.name))]
    if typed:
        model.names = (typed, *model.names[1:])
        commands.append(Remember(model.settings, model.names))
    return commands


def _last_name(model: Model, others: list[str]) -> str:
    """Returns the name from the last visit for the first person of this device, else an empty text.

    Nobody typed it now, so if somebody else has the name already it gets a number instead of a refusal.
    """
    stored = next((name for name in model.names if name), "")
    if not stored or any(_is_mine(model, spot) for spot in _spots(model)):
        return ""
    return distinct_names([*others, stored])[-1]


def _is_mine(model: Model, spot: Spot) -> bool:
    return bool(spot.device) and spot.device == room_of(model).news.me


def _spots(model: Model) -> tuple[Spot, ...]:
    return room_of(model).news.spots if model.room else ()


def _stand(model: Model, msg: Msg) -> Commands:
    seat = seat_named(msg.arg, len(_spots(model)))
    return [] if seat is None else [RoomRequest(Stand(seat))]


def _level(model: Model, msg: Msg) -> Commands:
    seat = seat_named(msg.arg, len(_spots(model)))
    level = msg.value or PERSON  # without a level the seat is made free for any person
    return [] if seat is None or level not in (PERSON, *LEVELS) else [RoomRequest(SetPlayer(seat, level))]


def _patience(model: Model, msg: Msg) -> Commands:
    """Sets for how many minutes people may think before others may let a bot sit in."""
    minutes = next((minutes for minutes in PATIENCES if str(minutes) == msg.value), None)
    return [] if minutes is None else [RoomRequest(SetPatience(minutes))]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    "room.sit": _sit,
    "room.stand": _stand,
    "room.plays": _level,
    "room.patience": _patience,
}
