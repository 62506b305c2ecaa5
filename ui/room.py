"""The model of a table by link: its state, the chat, and the codes on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from peer.table.news import News
from ui.saves.setup_link import ByLink

#: the signs people can send with one tap; their texts are in the catalogue
SIGNS = ("hello", "nice", "ouch", "hurry", "think", "thanks", "again", "bye")


@dataclass(frozen=True, slots=True)
class Word:
    """A chat message: a sign, or a text, which is never markup. `number` counts the messages."""

    number: int
    who: str
    sign: str
    text: str


@dataclass(slots=True)
class Room:
    """The state of the table by link where this device is."""

    news: News
    words: tuple[Word, ...] = ()
    qr: tuple[str, int, str] = ("", 0, "")  # the QR code: its text, its size, and its drawing as an SVG path
    share: bool = False  # the browser can open a share sheet
    scan: bool = False  # the browser can read QR codes
    scanning: str = ""  # the message to which a scanned code is sent

    def at(self, found: ByLink) -> bool:
        return found.fragment == self.news.fragment and not found.by_hand
