"""Refusals as sentences for people: the one route from a refused answer, link, save or request to a notice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.core import Refused
from engine.values import SeatOf, Slot, TypedValue
from ui.boards import PLAYABLE, board
from ui.model import Header, Model, Notice
from ui.text.i18n import Ref, Texts, Value

SOMEBODY = Ref("room.somebody")  # a player or a device whose name is not known here


class At(NamedTuple):
    """The game and the people a refusal is about: its values are written as this game's board does."""

    game: str = ""  # empty if it is not known
    names: tuple[str, ...] = ()  # of the players, by seat
    devices: tuple[tuple[int, ...], ...] = ()  # by link: the seats of each device

    def name(self, seat: int | str) -> Value:
        return self.names[seat] if isinstance(seat, int) and 0 <= seat < len(self.names) else SOMEBODY

    def people(self, device: int | str) -> str | Ref:
        """Returns the names of the people of a device."""
        known = isinstance(device, int) and 0 <= device < len(self.devices)
        names = [self.names[seat] for seat in self.devices[int(device)] if seat < len(self.names)] if known else []
        return ", ".join(names) or SOMEBODY


class DeviceOf(TypedValue):
    """A device of a table by link. People read the names of those who play on it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Because(TypedValue):
    """A refusal that is the reason of another one, by its id."""

    refused: Refused


@dataclass(frozen=True, slots=True)
class Sentence:
    """A notice as a value of another one; empty if its reason has no text."""

    notice: Notice

    def say(self, t: Texts) -> str:
        return t(self.notice.key, **self.notice.values) if t.has(self.notice.key) else ""


#: a table by link reports seats and devices as plain numbers: their types, by name
TYPES_BY_LINK: dict[str, type[TypedValue]] = {"seat": SeatOf, "device": DeviceOf}


def at_table(model: Model) -> At:
    """Returns the game and the people the page shows: the running game, a table by link before it, or the lobby."""
    play, room = model.play, model.room
    if play is not None:
        return at_save(play.header)._replace(devices=room.news.devices if room else ())
    if room is not None:
        return At(room.news.game, room.names, room.news.devices)
    return At(model.setup.game, tuple(chair.name for chair in model.setup.chairs))


def at_save(header: Header) -> At:
    return At(header.game, tuple(chair.name for chair in header.chairs))


def refusal(refused: Refused, at: At, *, stays: bool = False) -> Notice:
    """Returns the notice for a refusal: its reason names the text, its values fill the places in the text."""
    values = {name: _by_link(name, value) for name, value in refused.typed.items()}
    if refused.reason.startswith("net."):
        values["who"] = values.get("who") or values.get("device", SOMEBODY)
    return Notice(f"refused.{refused.reason}", {name: _said(value, at) for name, value in values.items()}, stays)


def _by_link(name: str, value: object) -> object:
    return TYPES_BY_LINK[name](value) if name in TYPES_BY_LINK and type(value) is int else value


def _said(value: object, at: At) -> Value:
    match value:
        case SeatOf(seat):
            return at.name(seat)
        case DeviceOf(device):
            return at.people(device)
        case Slot(number):
            return number
        case Because(_, refused):
            return Sentence(refusal(refused, at))
        case TypedValue(given):
            return board(at.game).say_value(value) if at.game in PLAYABLE else given
        case int() | str() | Ref():
            return value
        case _:
            return str(value)
