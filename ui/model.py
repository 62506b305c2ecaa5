"""The model: everything the page knows, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from engine.core import Entry
from engine.session import Session
from ui.boards import Chair, Line
from ui.html.tree import Node
from ui.text.i18n import Texts, Value

if TYPE_CHECKING:
    from ui.messages import Commands

THEMES = ("auto", "night", "day")
SPEEDS = ("1", "2", "off")
PAUSES = ("run", "tap")
SWITCH = ("off", "on")
RELAYS = ("auto", "only")
LONGEST_ADDRESS = 200
MOTIONS = ("auto", "full", "calm")


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the person, shown until the next thing happens; one that stays, until it is put away."""

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
    undo: str = "on"  # whether moves may be taken back at this table
    top: str = "off"  # the device lies in the middle of the table
    edges: str = ""  # which edge each seat sits at, if people said so
    relay: str = "auto"  # by link: directly where that goes, or never
    endpoint: str = ""  # by link: where people meet; empty: where the page says
    ice: str = ""  # by link: servers that help two devices to reach each other


@dataclass(frozen=True, slots=True)
class Setup:
    """What the lobby has laid out: the game, who sits where, the house rules that differ, the deal's seed if one was
    given."""

    game: str
    chairs: tuple[Chair, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """What a save says about its game besides the log."""

    id: str
    game: str
    version: int
    options: Mapping[str, Any]
    chairs: tuple[Chair, ...]
    seed: str
    started: int  # minutes since 1970, by the device's clock
    touched: int
    entries: int = 0
    asked: int | None = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class Damaged:
    """A save that cannot be read: why, and its text as it stands, kept until a person deletes it."""

    id: str
    reason: str
    values: Mapping[str, Value]
    text: str


@dataclass(frozen=True, slots=True)
class Undo:
    """A take-back on its way."""

    seat: int


class Change(NamedTuple):
    """A seat that changes in mid-game: its name, its emblem, or who plays."""

    seat: int
    field: str
    old: str
    new: str


class Note(NamedTuple):
    """A line of the log between two entries: `at` entries came before it."""

    at: int
    line: Line


class Door(Protocol):
    """Where a game's entries come from when they are not made and kept here alone: a table that is played by link."""

    def go_on(self, model: Model) -> Commands:
        """What happens next without anybody's hand."""

    def rested(self, model: Model) -> Commands:
        """The rest is over: the next entry may be shown."""

    def offer(self, play: Play, entry: Entry) -> Commands:
        """A checked answer goes out; it is shown when it comes back."""

    def session(self, seat: int) -> Session:
        """The game as this seat knows it."""

    def again(self, model: Model) -> Commands:
        """After an error: the same table once more."""


@dataclass(slots=True)
class Play:
    """A running game. The session and its lines live here; all else is what the people at the table have in hand."""

    header: Header
    session: Session
    lines: list[tuple[Line, ...]]  # what each entry of the log told
    serial: int  # records so far: entries, take-backs, changes of seats
    viewer: int  # the seat the table is turned to
    eyes: int | None = None  # the person who looks at the own cards; None: nobody yet
    notes: list[Note] = field(default_factory=list)
    pending: Entry | Undo | tuple[Change, ...] | None = None  # checked, being kept, not shown yet
    turn: int = 0  # counts what the table waits for; an older wait that ends late is nobody's
    waiting: bool = False
    thinking: bool = False
    rest: int = 0  # how long the table rests after the last entry
    step: bool = False  # it was a step of the books, to be read in peace
    picked: frozenset[str] = frozenset()
    unfolded: frozenset[str] = frozenset()
    heard: int = 0  # lines told before this one have been read out
    drawn: dict[int, tuple[Line, Texts, Node]] = field(default_factory=dict)  # the log's lines as last drawn
    result_seen: bool = False
    unsaved: bool = False
    backlog: tuple[str, ...] = ()  # the last records, if they could not be kept: the next one takes them along
    door: Door | None = None  # a game by link: its entries come from elsewhere


@dataclass(slots=True)
class Model:
    """Everything the view shows."""

    t: Texts
    setup: Setup
    settings: Settings = Settings()
    saves: tuple[Header | Damaged, ...] = ()
    play: Play | None = None
    dialog: str = ""  # which dialog is open, with its argument after a colon
    rail: bool = False
    wide: bool = True
    notice: Notice | None = None
    trouble: str = ""
    ready: bool = False
    unkept: str = ""  # why the browser keeps no games, if it does not: a reason of `store.Unkept`
    names: tuple[str, ...] = ()  # as last given, by seat
    now: int = 0  # the minute the saves were listed
    newer: bool = False  # a newer version of the page is ready
    #: how far each save is, for the list of saves: see `ui.update.saves`
    far: dict[tuple[str, str, int], tuple[str, ...]] = field(default_factory=dict)
    tables: tuple[Any, ...] = ()  # by link, that this device knows: `peer.table.known.Known`
    room: Any = None  # a table by link: `ui.room.Room`, imported when there is one

    def hush(self) -> None:
        """What was said is past, unless it stays until it is put away."""
        if self.notice is not None and not self.notice.stays:
            self.notice = None
