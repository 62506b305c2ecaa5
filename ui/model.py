"""The model: everything the page knows, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from engine.core import Entry
from engine.notation import FirstSeat
from engine.session import Session, Step
from ui.boards import Chair, Line
from ui.text.i18n import Texts, Value

if TYPE_CHECKING:
    from peer.table.known import KnownTable
    from ui.messages import Commands
    from ui.room import Room

THEMES = ("auto", "night", "day")
SPEEDS = ("1", "2", "off")
PAUSES = ("run", "tap")
ON_OFF = ("off", "on")
RELAYS = ("auto", "only")
LONGEST_ADDRESS = 200
MOTIONS = ("auto", "full", "calm")


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the person: shown until the next action, or, if it `stays`, until the person puts it away."""

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    language: str = "en"
    theme: str = "auto"
    motion: str = "auto"
    speed: str = "1"
    pauses: str = "run"
    sound: str = "off"
    undo: str = "on"  # moves may be taken back at this table
    top: str = "off"  # table-top: the device lies in the middle of the table
    edges: str = ""  # the edge of each seat as digits; empty: the default
    relay: str = "auto"  # by link: "auto" connects directly where possible, "only" never does
    endpoint: str = ""  # by link: address of the endpoint; empty: the one the page names
    ice: str = ""  # by link: STUN and TURN servers, for direct connections


@dataclass(frozen=True, slots=True)
class Setup:
    """The game as it is laid out in the lobby: its seats, the house rules that differ from the default, and the seed if
    one was given."""

    game: str
    chairs: tuple[Chair, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """The description of a game in a save, besides its records."""

    id: str
    game: str
    version: int
    options: Mapping[str, Any]
    chairs: tuple[Chair, ...]
    seed: str
    started: int  # minutes since 1970, by the device's clock
    touched: int  # minutes since 1970, when the last record was stored
    entries: int = 0  # records, with take-backs and changes of seats
    asked: int | None = None
    over: bool = False
    first_seat: FirstSeat = 0  # in the answers of its records


@dataclass(frozen=True, slots=True)
class Damaged:
    """A save that cannot be read: the reason, and its text as stored. It is kept until a person deletes it."""

    id: str
    reason: str
    values: Mapping[str, Value]
    text: str


class Change(NamedTuple):
    """A change of a seat during the game: of its name, its emblem, or its player."""

    seat: int
    field: str
    old: str
    new: str


class Note(NamedTuple):
    """A line between the entries of the log: `at` entries came before it."""

    at: int
    line: Line


class Rest(NamedTuple):
    """The rest of the table after an entry, so that people can follow."""

    milliseconds: int
    after_beat: bool = False  # the entry was a beat, which people may want to read without a time limit


NO_REST = Rest(0)


@dataclass(frozen=True, slots=True)
class Undo:
    """A take-back: `seat` takes its last answer back."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChangeSeats:
    """Changes of seats, and the rest that they interrupted, which begins again after them."""

    changes: tuple[Change, ...]
    rest: Rest


@dataclass(frozen=True, slots=True)
class Idle:
    """The table does nothing by itself: it waits for a person or for another device, or the game is over."""


@dataclass(frozen=True, slots=True)
class Resting:
    """The table rests after its last entry, until the time is over or somebody taps.

    In a game by link it also waits here before a bot is asked again. `rest` is then the one that this wait
    interrupts, if any.
    """

    rest: Rest
    wait_id: int


@dataclass(frozen=True, slots=True)
class Thinking:
    """A bot of this device chooses the answer of a seat."""

    seat: int
    wait_id: int


@dataclass(frozen=True, slots=True)
class Keeping:
    """Something is being stored that was checked and is not shown yet. Only in a game on this device alone."""

    what: Step | Undo | ChangeSeats


Stage = Idle | Resting | Thinking | Keeping


class Remote(Protocol):
    """The source of the entries of a game that is not played on this device alone: a table by link.

    The table may rest, or let a bot think, while an answer of this device is on its way.
    """

    sent: Entry | None  # the answer that was sent and has not come back in the log

    def go_on(self, model: Model) -> Commands:
        """Shows what can be shown; returns the commands that let the game go on without a person."""

    def rest_over(self, model: Model) -> Commands:
        """The rest is over: shows the next entry, or lets a bot of this device answer."""

    def submit(self, entry: Entry) -> Commands:
        """Sends a checked answer to the table; it is shown when it comes back in the log."""

    def session(self, seat: int) -> Session:
        """Returns the session with what this seat may know."""

    def restart(self, model: Model) -> Commands:
        """Takes up the same table again, after an error."""


@dataclass(slots=True)
class Play:
    """A running game on the page: its session and lines, and the state of the page that belongs to it."""

    header: Header
    session: Session
    lines: list[tuple[Line, ...]]  # the lines of each entry
    serial: int  # the number of records so far: entries, take-backs, changes of seats
    viewer: int  # the seat the table is turned to
    revealed_to: int | None = None  # the person with the curtain lifted, who may see the own cards; None: nobody
    notes: list[Note] = field(default_factory=list)
    stage: Stage = Idle()  # what the table is doing
    picked: frozenset[str] = frozenset()
    unfolded: frozenset[str] = frozenset()
    read_out_from: int = 0  # lines before this one are not read out to screen readers any more
    result_seen: bool = False  # the result was put away
    unsaved: bool = False  # the last records could not be stored
    backlog: tuple[str, ...] = ()  # records that could not be stored: they are stored with the next one
    remote: Remote | None = None  # for a game by link: the source of its entries


@dataclass(slots=True)
class Model:
    """Everything the view draws from."""

    t: Texts
    setup: Setup
    settings: Settings = Settings()
    saves: tuple[Header | Damaged, ...] = ()
    play: Play | None = None
    dialog: str = ""  # the open dialog, with its argument after a colon
    log_open: bool = False  # the log beside the table is open
    wide: bool = True  # the window has room for the log beside the table
    notice: Notice | None = None
    error_report: str = ""  # the error report that is shown
    ready: bool = False  # the page can be shown
    storage_error: str = ""  # why the browser stores no games, if so: a reason of `peer.browser.database.StoreFailed`
    names: tuple[str, ...] = ()  # as people last gave them, by seat
    now: int = 0  # when the saves were listed, in minutes since 1970
    newer: bool = False  # a newer version of the page is ready
    #: the status of each save, for the list of saves: see `ui.update.saves`
    save_status: dict[tuple[str, str, int], tuple[str, ...]] = field(default_factory=dict)
    tables: tuple[KnownTable, ...] = ()  # the tables by link that this device knows
    room: Room | None = None  # the table by link the page is at
    last_wait_id: int = 0  # see `next_wait_id`

    def next_wait_id(self) -> int:
        """Returns a new number for something the table waits for. A result with another number is ignored."""
        self.last_wait_id += 1
        return self.last_wait_id

    def clear_notice(self) -> None:
        """Removes the notice, unless it stays until the person puts it away."""
        if self.notice is not None and not self.notice.stays:
            self.notice = None
