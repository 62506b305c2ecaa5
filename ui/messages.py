"""The messages that tell the loop what happened, and the commands it gives to the runner."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.session import Session
from ui.model import Header, Settings, Setup


class Msg(NamedTuple):
    """Something happened: a control was used (`data-do`, `data-arg`, its value), or an effect has a result."""

    do: str
    arg: str = ""
    value: str = ""
    data: Any = None


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
    """Ask something of the table by link (`peer.browser.rooms`, loaded when it is first needed). Ends in messages whose
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
