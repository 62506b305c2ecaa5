"""The messages of a table by link before the game begins: seats, their names and their players."""

from __future__ import annotations

from collections.abc import Callable

from engine.bots import LEVELS
from engine.core import Refused
from engine.seats import PERSON, apart, checked
from peer.table.lobby import Spot
from ui.messages import Commands, Msg, Net, Remember
from ui.model import Model
from ui.refusals import refusal


def _sit(model: Model, msg: Msg) -> Commands:
    """Takes the seat in `arg`; the value may give a name. For a seat of this device the value is its new name."""
    seat = _seat(model, msg)
    if seat is None:
        return []
    spot = _spots(model)[seat]
    others = [one.name for one in _spots(model) if one is not spot and not one.free]
    try:
        typed = checked(msg.value, others) if msg.value or _mine(model, spot) else ""
    except Refused as refused:
        model.notice = refusal(refused)
        return []
    model.hush()
    commands: Commands = [Net("sit", (seat, typed or _known(model, others) or spot.name))]
    if typed:
        model.names = (typed, *model.names[1:])
        commands.append(Remember(model.settings, model.names))
    return commands


def _known(model: Model, others: list[str]) -> str:
    """Returns the name from the last visit for the first person of this device, else an empty text.

    Nobody typed it now, so if somebody else has the name already it gets a number instead of a refusal.
    """
    given = next((name for name in model.names if name), "")
    if not given or any(_mine(model, spot) for spot in _spots(model)):
        return ""
    return apart([*others, given])[-1]


def _mine(model: Model, spot: Spot) -> bool:
    return bool(spot.device) and spot.device == model.room.news.me


def _spots(model: Model) -> tuple[Spot, ...]:
    return model.room.news.spots if model.room else ()


def _seat(model: Model, msg: Msg) -> int | None:
    return int(msg.arg) if msg.arg.isascii() and msg.arg.isdigit() and int(msg.arg) < len(_spots(model)) else None


def _stand(model: Model, msg: Msg) -> Commands:
    seat = _seat(model, msg)
    return [] if seat is None else [Net("stand", seat)]


def _level(model: Model, msg: Msg) -> Commands:
    seat = _seat(model, msg)
    level = msg.value or PERSON  # without a level the seat is made free for any person
    return [] if seat is None or level not in (PERSON, *LEVELS) else [Net("plays", (seat, level))]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    "room.sit": _sit,
    "room.stand": _stand,
    "room.plays": _level,
}
