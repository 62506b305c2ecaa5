"""What the page is told of a table that is played by link: plain values, a new one whenever something changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.core import Entry
from engine.session import Session
from peer.table.lobby import Spot


class Guest(NamedTuple):
    """A device that is here, or was."""

    lock: str
    state: str  # me, direct, relayed, through, quiet, gone
    seats: tuple[int, ...]
    opener: bool


class Waits(NamedTuple):
    """Whom the table waits for: seats that are asked, devices that owe something, and since when."""

    seats: tuple[int, ...]
    devices: tuple[int, ...]
    minutes: int  # since when, whole minutes


class Seated(NamedTuple):
    """Who plays a seat now."""

    kind: str  # person or bot
    mine: bool
    home: bool  # whose it was: may take it back
    person: bool  # a person's from the start
    state: str  # of its device
    minutes: int = 0  # for how long it has not been heard


@dataclass(frozen=True, slots=True)
class News:
    phase: str  # joining, lobby, playing, closed
    fragment: str = ""  # of the link for guests
    opener: bool = False
    me: str = ""
    game: str = ""
    options: Mapping[str, Any] | None = None
    spots: tuple[Spot, ...] = ()
    guests: tuple[Guest, ...] = ()
    endpoint: str = "off"  # off, connecting, in, lost, none, replaced, or why there is no place: code, full, busy
    reason: str = ""  # why the table is closed, or cannot be entered
    seated: tuple[Seated, ...] = ()
    alone: bool = False  # somebody is away, and the game could go on here without them
    waits: Waits | None = None
    host: str = ""  # how the device that keeps the order is reached: me, direct, ..., or "" when there is none
    devices: tuple[tuple[int, ...], ...] = ()  # seats by device
    wishes: Mapping[int, int] | None = None  # seat -> how many want a bot there
    wished: tuple[int, ...] = ()  # seats for which this device is one of them
    majority: int = 0
    voters: int = 0
    lacks: int = 0  # devices that must be here too before the table goes on, or lets this one in; -1: nobody is here
    claims: bool = False  # a rejoin link was followed, and its seat is not here yet
    agreed: bool = False  # of two devices, this one lets the other go on while it is away
    let: bool = False  # a bot may sit in here for who is away, without asking anybody else
    left: str = ""  # this device's seats are on another one: "soon" it can be shut, or it is "done"
    deal: str = ""  # where one device deals: "promised", or "kept" when that was checked
    words: str = ""  # four words for who sits here with which keys: equal on every device, or somebody is in between
    code_offer: str = ""  # two-code way: the text for the guest
    code_reply: str = ""  # two-code way: the text for the host
    code_minutes: int = 0  # for how long it has not been entered there, whole minutes


class Begun(NamedTuple):
    """A game is taken up: the sessions of everybody who sits here, or a spectator's, as far as the log is known."""

    id: str
    game: str
    options: Mapping[str, Any]
    names: tuple[str, ...]
    looks: tuple[tuple[str, str], ...]
    mine: tuple[int, ...]
    bots: tuple[int, ...]  # of this device
    views: dict[int, Session]


class Came(NamedTuple):
    """What was committed since, by viewer; all lists are of the same length."""

    entries: dict[int, list[Entry]]
    news: News | None = None  # what else has changed with them: one picture shows both
