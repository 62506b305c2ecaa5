"""The events of a table by link for its page: the table's news, plain values, and everything else that happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.core import Entry, Refused
from engine.session import Session
from peer.order.outputs import Tell
from peer.table.commands import Command
from peer.table.lobby import Spot

UNREACHABLE = -1  # as the number of missing devices: no device that could let this one in can be reached


class Guest(NamedTuple):
    """A device that is at the table, or was."""

    seal_key: str
    state: str  # me, direct, relayed, through, quiet, gone
    seats: tuple[int, ...]
    opener: bool


class WaitingFor(NamedTuple):
    """The seats and devices the table waits for: seats that are asked, devices that owe something."""

    seats: tuple[int, ...]
    devices: tuple[int, ...]
    minutes: int  # for how long, whole minutes


class SeatState(NamedTuple):
    """A seat of the running game: who plays it now, and on which device."""

    kind: str  # person or bot
    mine: bool  # played on this device
    is_home: bool  # this device is the seat's home, and may take it back
    for_person: bool  # it was set up for a person, not for a bot
    state: str  # of its device, as in `Guest`
    minutes: int = 0  # since its device was last heard, whole minutes
    bot_reason: str = ""  # why this device may vote for a bot here, as in `device/bot_votes.py`; "" if it may not


@dataclass(frozen=True, slots=True)
class News:
    """The state of a table as the page shows it."""

    phase: str  # joining, lobby, playing
    fragment: str = ""  # of the link for guests
    opener: bool = False
    me: str = ""
    game: str = ""
    options: Mapping[str, Any] | None = None
    spots: tuple[Spot, ...] = ()
    guests: tuple[Guest, ...] = ()
    endpoint: str = "off"  # off, connecting, in, lost, none, replaced, or why there is no place: code, full, busy
    reason: str = ""  # why the table cannot be entered
    seated: tuple[SeatState, ...] = ()
    can_fork: bool = False  # a device is away, and the game could be continued here without the others
    waiting_for: WaitingFor | None = None
    leader: str = ""  # how the leader is reached: me, direct, ..., or "" when there is none
    devices: tuple[tuple[int, ...], ...] = ()  # seats by device
    bot_wishes: Mapping[int, int] | None = None  # seat -> number of voters that want a bot there
    own_wishes: tuple[int, ...] = ()  # seats for which this device is one of them
    patience: int = 0  # minutes a person may think before others may vote for a bot; 0: any time
    majority: int = 0
    voters: int = 0
    missing_devices: int = 0  # further devices needed before the table goes on, or lets this one in; or `UNREACHABLE`
    claims: bool = False  # a rejoin link was followed, and its seat is not here yet
    agreed: bool = False  # of two devices: this one lets the other go on while it is away
    bot_allowed: bool = False  # a bot may play here for an absent person, without the consent of another device
    seats_moved: str = (
        ""  # this device's seats have moved to another one: "soon" it may be closed, or "done": it may be now
    )
    deal_status: str = ""  # of a game with a dealer: "promised", or "kept" once the deal was checked
    words: str = ""  # four words made of the setup with all keys: they differ if an attacker is between devices
    code_offer: str = ""  # pairing: the code for the guest
    code_reply: str = ""  # pairing: the code for the device that made the offer
    code_minutes: int = 0  # for how long the reply has been waiting to be entered there, whole minutes


class GameStarted(NamedTuple):
    """A game begins or is resumed: the sessions of all seats here, or a spectator's, as far as the log is known."""

    id: str
    game: str
    options: Mapping[str, Any]
    names: tuple[str, ...]
    looks: tuple[tuple[str, str], ...]
    devices: tuple[int, ...]  # number of each seat's device, as the game began
    people: tuple[int, ...]
    bots: tuple[int, ...]  # of this device
    views: dict[int, Session]


class NewEntries(NamedTuple):
    """The entries committed since the last ones, by viewer; all lists have the same length."""

    entries: dict[int, list[Entry]]
    news: News | None = None  # what else has changed with them, so that the page draws both at once


class Refusal(NamedTuple):
    """A command or a request was refused."""

    refused: Refused
    command: type[Command] | None = None  # what was refused; None: a request to the opener


class OtherVersion(NamedTuple):
    """A device with another version of the page tried to connect."""


class HeaderNotStored(NamedTuple):
    """The header of the table could not be stored."""


class PairingMissed(NamedTuple):
    """No device connected by the pairing codes."""


class Fault(NamedTuple):
    """An error in a task of the table."""

    error: BaseException


class Forked(NamedTuple):
    """The whole log, with which the game continues on this device alone."""

    random: str  # 28 hexadecimal digits
    log: list[Entry]


class Abilities(NamedTuple):
    """The abilities of the browser and of the settings that a table by link can use."""

    share: bool  # it has a share sheet
    scan: bool  # it reads QR codes
    direct: bool  # it makes direct connections, and the settings allow them
    far: bool  # the settings name STUN or TURN servers, so that direct connections reach other networks


class QrDrawn(NamedTuple):
    """A QR code: its text, its size in modules, and its drawing as an SVG path."""

    text: str
    size: int
    path: str


class Scanned(NamedTuple):
    """The camera has read a QR code; "" if it was put away."""

    text: str


class Copied(NamedTuple):
    """A text was copied to the clipboard."""


class NotCopied(NamedTuple):
    """A text could not be copied to the clipboard."""

    text: str


#: what happens at a table without its device
OwnEvent = Refusal | OtherVersion | HeaderNotStored | PairingMissed | Fault | Forked
#: what a table tells its page; `Tell` is an output of its device
TableEvent = News | GameStarted | NewEntries | Tell | OwnEvent
#: these, and what the browser adds
Event = TableEvent | Abilities | QrDrawn | Scanned | Copied | NotCopied
