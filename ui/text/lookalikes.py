"""Names that look alike: they are compared by skeletons, as Unicode Technical Standard 39 describes.

Two names look alike if they are drawn alike as they are written, or in small letters. Accents make names different, and
spaces do; punctuation does not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from peer.table.lobby import Spot
from ui.text.confusables import CONFUSABLES

#: what one person may read for another in ASCII: as it is written, and among small letters, where I is not like l
AS_WRITTEN = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O", "m": "rn"})
IN_SMALL_LETTERS = str.maketrans({"1": "l", "|": "l", "0": "o"})
#: combining marks that are not drawn: joiner and variation selectors
UNSEEN = dict.fromkeys(
    [0x34F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
)


class Skeletons(NamedTuple):
    """The skeletons of a name: as it is written, and in small letters, made small before and after the characters are
    replaced by those they look like."""

    as_written: str
    small: frozenset[str]

    def like(self, other: Skeletons) -> bool:
        return self.as_written == other.as_written or not self.small.isdisjoint(other.small)


class Arrivals:
    """The order in which this device saw the names of a table come: of two that look alike, the later one is marked.

    Each device decides for itself. A device that comes later, or is loaded again, takes the opener's names for the
    first ones, and the others by device and seat.
    """

    MOST = 64  # names that are remembered, also of people who have left: a person who changes seats is not later

    def __init__(self) -> None:
        self._seen: list[tuple[str, str]] = []  # device and name
        self._ranks: dict[str, int] = {}  # of the names that were in the lobby last

    def note(self, spots: Sequence[Spot], opener: str) -> None:
        """Notes the names in the lobby. `opener`: the seal key of the opener's device."""
        present = [(spot.device, spot.name) for spot in spots if not spot.free]
        new = [one for one in present if one not in self._seen]
        openers = ("", opener)  # bots have no device: the opener has named them
        self._seen += sorted(new, key=lambda one: one[0] not in openers)
        if len(self._seen) > self.MOST:
            self._seen = [one for one in self._seen if one in present]
        self._ranks = {one[1]: self._seen.index(one) for one in present}

    def lobby_lookalikes(self, spots: Sequence[Spot]) -> dict[int, int]:
        """Returns for each taken seat of the lobby whose name looks like an earlier one that one's seat."""
        taken = [seat for seat, spot in enumerate(spots) if not spot.free]
        return self._lookalikes([spot.name for spot in spots], taken)

    def game_lookalikes(self, names: Sequence[str], devices: Sequence[int]) -> dict[int, int]:
        """Returns the same for the seats of a game. `devices`: the number of each seat's device."""
        return self._lookalikes(names, sorted(range(len(names)), key=devices.__getitem__))

    def _lookalikes(self, names: Sequence[str], seats: Iterable[int]) -> dict[int, int]:
        return lookalikes(names, sorted(seats, key=lambda seat: self._ranks.get(names[seat], self.MOST)))


def lookalikes(names: Sequence[str], order: Iterable[int]) -> dict[int, int]:
    """Returns for each name that looks like an earlier one that one's index. `order` has the indexes of the names to
    compare, the earliest first."""
    found: dict[int, int] = {}
    earlier: list[int] = []
    for index in order:
        like = (one for one in earlier if skeletons(names[one]).like(skeletons(names[index])))
        if (first := next(like, None)) is not None:
            found[index] = first
        earlier.append(index)
    return found


@lru_cache(maxsize=64)
def skeletons(name: str) -> Skeletons:
    drawn = _prototypes(name)
    small = (drawn.casefold(), _prototypes(name.casefold()).casefold())
    return Skeletons(
        unicodedata.normalize("NFD", drawn.translate(AS_WRITTEN)),
        frozenset(unicodedata.normalize("NFD", text.translate(IN_SMALL_LETTERS)) for text in small),
    )


def _prototypes(name: str) -> str:
    """Returns the name with what its characters look like, without characters that make no difference."""
    compatible = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name)).translate(UNSEEN)
    drawn = compatible.translate(_table())
    plain = "".join(letter for letter in drawn if unicodedata.category(letter)[0] != "P")
    return " ".join(plain.split()) or drawn  # a name may consist of punctuation


@cache
def _table() -> dict[int, str]:
    table: dict[int, str] = {}
    for line in CONFUSABLES.split("\n"):
        prototype, _, characters = line.partition(": ")
        text = "".join(chr(int(number, 16)) for number in prototype.split())
        table |= dict.fromkeys((int(number, 16) for number in characters.split()), text)
    return table
