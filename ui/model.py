"""What the page knows, and the messages and commands that go in and out of it. Values only; nothing here does
anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from engine.core import Entry
from engine.session import Session
from ui.boards import Chair, Line
from ui.i18n import Texts, Value
from ui.tree import Node

GAMES_SHOWN = ("razzia", "bars", "sicilianos", "thieves")
THEMES = ("auto", "night", "day")
SPEEDS = ("1", "2", "off")
PAUSES = ("run", "tap")
SWITCH = ("off", "on")
RELAYS = ("auto", "only")
LONGEST_ADDRESS = 200
MOTIONS = ("auto", "full", "calm")


class Msg(NamedTuple):
    """Something happened: a control was used (`data-do`, `data-arg`, its value), or an effect has a result."""

    do: str
    arg: str = ""
    value: str = ""
    data: Any = None


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
    far: dict[tuple[str, str, int], tuple[str, ...]] = field(default_factory=dict)  # how far a save is: `ui.shelf`
    tables: tuple[Any, ...] = ()  # by link, that this device knows: `ui.net.tables.Known`
    room: Any = None  # a table by link: `ui.room.Room`, imported when there is one

    def hush(self) -> None:
        """What was said is past, unless it stays until it is put away."""
        if self.notice is not None and not self.notice.stays:
            self.notice = None


# Commands: what the runner in `effects` is asked to do. Each ends in a message, or in nothing. To make so many
# dataclasses would take a twentieth of a cold start.


class Begin(NamedTuple):
    """Open a new game from the set-up: give it a name, a seed and a save. Ends in "begun"."""

    setup: Setup


class Keep(NamedTuple):
    """Keep records of the game for good, all or none. Ends in "kept", or in "unkept" with the reason."""

    header: Header
    first: int
    records: tuple[str, ...]

    @property
    def serial(self) -> int:
        """The number of the last one."""
        return self.first + len(self.records) - 1


class TakeOver(NamedTuple):
    """Put a whole game on the shelf, and go on with it. Ends in "opened", or in "unremembered"."""

    header: Header
    records: tuple[str, ...]


class Think(NamedTuple):
    """Let a bot answer for a seat. Ends in "thought"."""

    session: Session
    seat: int
    level: str
    seed: str
    turn: int


class Wait(NamedTuple):
    """Ends in "rested" after so many milliseconds."""

    milliseconds: int
    turn: int


class Open(NamedTuple):
    """Read a save. Ends in "opened" or "unreadable"."""

    id: str


class ListSaves(NamedTuple):
    """Ends in "saves"."""


class Peek(NamedTuple):
    """Follow a save to its last entry, to see how far it is. Ends in "peeked"."""

    header: Header


class Delete(NamedTuple):
    id: str


class Remember(NamedTuple):
    """Keep settings and names for the next visit."""

    settings: Settings
    names: tuple[str, ...]


class Speak(NamedTuple):
    """Get a language's texts. Ends in "texts"."""

    language: str


class Copy(NamedTuple):
    """Put a text on the clipboard. Ends in "copied", or "uncopied"."""

    text: str


class CopyLink(NamedTuple):
    """The same for an address that starts with this page's own."""

    fragment: str


class Address(NamedTuple):
    """What the address bar says after the #: where a reload comes back to."""

    fragment: str
    replace: bool = False


class Focus(NamedTuple):
    """Put the focus on the element with this attribute."""

    name: str
    value: str = ""


class TakeNewer(NamedTuple):
    """Go on with the newer version of the page."""


class Hurry(NamedTuple):
    """End all motion now."""


class Sound(NamedTuple):
    """Let these be heard."""

    names: tuple[str, ...]


class Net(NamedTuple):
    """Ask something of the table by link (`ui.net.rooms`, loaded when it is first needed). Ends in messages whose
    names begin with "room."."""

    what: str
    data: Any = None
    settings: Settings | None = None  # where a table is opened or visited


Command = (
    Begin
    | Keep
    | TakeOver
    | Think
    | Wait
    | Open
    | ListSaves
    | Peek
    | Delete
    | Remember
    | Speak
    | Copy
    | CopyLink
    | Address
    | Focus
    | TakeNewer
    | Hurry
    | Sound
    | Net
)
Commands = list[Command]
