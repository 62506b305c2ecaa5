"""The model of a table by link: its state, the chat, and the codes on the screen."""

from __future__ import annotations

from dataclasses import dataclass, field

from peer.table.news import News, QrDrawn
from ui.model import Model
from ui.saves.setup_link import TableLink
from ui.text.lookalikes import Arrivals
from ui.text.names import shown_names

#: the signs people can send with one tap; their texts are in the catalogue
SIGNS = ("hello", "nice", "ouch", "hurry", "think", "thanks", "again", "bye")


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A chat message: a sign, or a text, which is never markup. `number` counts the messages."""

    number: int
    sender: str
    sign: str
    text: str


@dataclass(slots=True)
class Room:
    """The state of the table by link where this device is."""

    news: News
    chat: tuple[ChatMessage, ...] = ()
    qr: QrDrawn | None = None
    can_share: bool = False  # the browser can open a share sheet
    can_scan: bool = False  # the browser can read QR codes
    can_connect: bool = True  # the browser makes direct connections, and the settings allow them
    can_reach_far: bool = True  # direct connections reach other networks
    scan_message: str = ""  # the message to which a scanned code is sent
    arrivals: Arrivals = field(default_factory=Arrivals)
    #: for each seat in the lobby whose name looks like an earlier one, that one's seat
    lookalikes: dict[int, int] = field(default_factory=dict)

    def compare_names(self) -> None:
        """Compares the names in the lobby, if the table is there."""
        if self.news.phase == "lobby":
            opener = next((guest.seal_key for guest in self.news.guests if guest.opener), "")
            self.arrivals.note(self.news.spots, opener)
        self.lookalikes = self.arrivals.lobby_lookalikes(self.news.spots)

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the lobby, as they are shown."""
        return shown_names([spot.name for spot in self.news.spots], self.lookalikes)

    def is_at(self, link: TableLink) -> bool:
        return link.fragment == self.news.fragment and not link.is_code


def room_of(model: Model) -> Room:
    """Returns the table by link the page is at."""
    if model.room is None:
        raise LookupError("the page is at no table by link")
    return model.room
