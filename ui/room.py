"""The model of a table by link: what the table tells, what was said there, and the codes on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from peer.table.news import News
from ui.saves.setup_link import ByLink

#: quick signs; the texts are in the catalogue
SIGNS = ("hello", "nice", "ouch", "hurry", "think", "thanks", "again", "bye")


@dataclass(frozen=True, slots=True)
class Word:
    """Something somebody said: only ever text. `number` counts them."""

    number: int
    who: str
    sign: str
    text: str


@dataclass(slots=True)
class Room:
    """What the page knows of the table by link it is at."""

    news: News
    words: tuple[Word, ...] = ()
    qr: tuple[str, int, str] = ("", 0, "")  # what it says, its size, its path
    share: bool = False  # the device has a share sheet
    scan: bool = False  # the browser reads codes
    scanning: str = ""  # what is done with the code

    def at(self, found: ByLink) -> bool:
        return found.fragment == self.news.fragment and not found.by_hand
