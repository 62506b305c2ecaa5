"""The messages that tell the loop what happened, and the commands it gives to the runner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.session import Session
from ui.model import Header, Settings, Setup

if TYPE_CHECKING:
    from peer.table.commands import Command as RoomCommand


class Msg(NamedTuple):
    """Something that happened: a control was used (`data-do`, `data-arg`, its value), or a command has a result."""

    do: str
    arg: str = ""
    value: str = ""
    data: Any = None


class Begin(NamedTuple):
    """Opens a new game from the set-up, with an id, a seed and a save. Ends in "begun"."""

    setup: Setup


class Keep(NamedTuple):
    """Stores records of the game, all or none; `first` is the number of the first one. Ends in "kept", or in "unkept"
    with the reason."""

    header: Header
    first: int
    records: tuple[str, ...]

    @property
    def serial(self) -> int:
        """The number of the last record."""
        return self.first + len(self.records) - 1


class SaveAndOpen(NamedTuple):
    """Stores a whole game as a new save, and opens it. Ends in "opened", with the reason if it could not be stored."""

    header: Header
    records: tuple[str, ...]


class Think(NamedTuple):
    """Lets a bot choose an answer for a seat; the result carries the same number. Ends in "thought"."""

    session: Session
    seat: int
    level: str
    seed: str
    wait_id: int  # see `Model.next_wait_id`


class Wait(NamedTuple):
    """Waits so many milliseconds; the result carries the same number. Ends in "rested"."""

    milliseconds: int
    wait_id: int  # see `Model.next_wait_id`


class Open(NamedTuple):
    """Reads a save and takes the game up. Ends in "opened" or "unreadable"."""

    id: str


class ListSaves(NamedTuple):
    """Lists the saves, and the tables by link known to this device. Ends in "saves", and "tables" if there are any."""


class ReplaySave(NamedTuple):
    """Replays a save to its last entry, for the list of saves. Ends in "peeked"."""

    header: Header


class Delete(NamedTuple):
    id: str


class Remember(NamedTuple):
    """Stores settings and names for the next visit. Ends in "unremembered" if that failed."""

    settings: Settings
    names: tuple[str, ...]


class LoadTexts(NamedTuple):
    """Loads a language's texts. Ends in "texts", or in "no_texts" with the language."""

    language: str


class Copy(NamedTuple):
    """Copies a text to the clipboard. Ends in "copied", or in "uncopied" with the text."""

    text: str


class CopyLink(NamedTuple):
    """Copies the address of this page with another fragment. Ends like `Copy`."""

    fragment: str


class Address(NamedTuple):
    """Sets the fragment of the address, to which a reload comes back; `replace` adds no step to the history."""

    fragment: str
    replace: bool = False


class Focus(NamedTuple):
    """Moves the focus to the first element with this attribute (and this value, if there is one)."""

    name: str
    value: str = ""


class LoadNewerVersion(NamedTuple):
    """Reloads the page in the newer version that is ready."""


class EndMotion(NamedTuple):
    """Ends all motion at once."""


class PlaySounds(NamedTuple):
    """Plays sounds, by name."""

    names: tuple[str, ...]


class RoomRequest(NamedTuple):
    """A command to the table by link (`peer.browser.rooms`, loaded when it is first needed). Its results are messages
    "room.event", whose data are the events of `peer.table.news`."""

    command: RoomCommand
    settings: Settings | None = None  # given only where a table is opened or visited


Command = (
    Begin
    | Keep
    | SaveAndOpen
    | Think
    | Wait
    | Open
    | ListSaves
    | ReplaySave
    | Delete
    | Remember
    | LoadTexts
    | Copy
    | CopyLink
    | Address
    | Focus
    | LoadNewerVersion
    | EndMotion
    | PlaySounds
    | RoomRequest
)


Commands = list[Command]
