"""Texts for people. Every sentence is a catalogue entry with a symbolic key; English is a catalogue like the others.

    t("lobby.start")                              a plain text
    t("lobby.seats", n=4)                         plural forms are chosen by `n`
    t.rich("razzia.log.offers", who=h("b", None, "Vera"), sum=t.money(7))      texts and nodes, for `h(…, *children)`

In a catalogue `{who}` is a place for a value. Values are only filled in, nothing is ever evaluated. Numbers given as
`int` are formatted for the language; format money with `money`, gains and losses with `signed`. Words that change with
the language (a card's name) are entries of their own: `t(f"razzia.kind.{kind}")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from typing import Protocol

from ui.html.tree import Child

#: languages with a complete catalogue, with the names they give themselves
LANGUAGES = {"en": "English", "hu": "Magyar", "fr": "Français", "nl": "Nederlands", "pl": "Polski"}
#: the separator between groups of three digits: to an English reader 13.000 means thirteen, to a Dutch one 13,000 does
GROUP_SEPARATORS = {
    "en": ",",
    "hu": ".",
    "nl": ".",
    "fr": "\N{NARROW NO-BREAK SPACE}",
    "pl": "\N{NARROW NO-BREAK SPACE}",
}
MINUS = "\N{MINUS SIGN}"

_PLACE = re.compile(r"\{([a-z_]+)\}")


class LocalizedValue(Protocol):
    """A value whose text depends on the language: a card's name, a sum."""

    def say(self, t: Texts) -> str: ...


@dataclass(frozen=True, slots=True)
class Ref:
    """A value that is another entry of the catalogue: Ref("razzia.kind.7")."""

    key: str

    def say(self, t: Texts) -> str:
        return t(self.key)


@dataclass(frozen=True, slots=True)
class Money:
    """A value that is a sum of money, in thousands."""

    thousands: int

    def say(self, t: Texts) -> str:
        return t.money(self.thousands)


@dataclass(frozen=True, slots=True)
class Signed:
    """A value that is a number of points won or lost, written with its sign."""

    points: int

    def say(self, t: Texts) -> str:
        return t.signed(self.points)


Value = str | int | LocalizedValue


class Texts:
    """The texts of one language."""

    def __init__(self, language: str, catalogue: bytes | None) -> None:
        self.language = language
        self._catalogue: NullTranslations = GNUTranslations(BytesIO(catalogue)) if catalogue else NullTranslations()

    def __call__(self, key: str, **values: Value) -> str:
        entry = self._entry(key, values)
        return _PLACE.sub(lambda place: self._value(place, values), entry) if "{" in entry else entry

    def has(self, key: str) -> bool:
        return self._catalogue.gettext(key) != key

    def rich(self, key: str, **values: Value | Child) -> list[Child]:
        """Returns the text in pieces, so that a value may be a node (a bold name, an emblem)."""
        return list(self._pieces(self._entry(key, values), values))

    def number(self, n: int) -> str:
        digits = f"{abs(n):,}".replace(",", GROUP_SEPARATORS[self.language])
        return f"{MINUS}{digits}" if n < 0 else digits

    def signed(self, n: int) -> str:
        return f"+{self.number(n)}" if n > 0 else self.number(n)

    def money(self, thousands: int) -> str:
        return self.number(thousands * 1000)

    def _entry(self, key: str, values: object) -> str:
        """Returns the text with its places unfilled. `n` chooses the plural form if the entry has any."""
        n = values.get("n") if isinstance(values, dict) else None
        if type(n) is int:
            entry = self._catalogue.ngettext(key, key, abs(n))
            if entry != key:
                return entry
        return self._catalogue.gettext(key)

    def _pieces(self, entry: str, values: dict[str, Value | Child]) -> Iterator[Child]:
        end = 0
        for place in _PLACE.finditer(entry):
            yield entry[end : place.start()]
            end = place.end()
            value = values.get(place[1], place[0])
            yield self._text(value) if isinstance(value, int) or hasattr(value, "say") else value
        yield entry[end:]

    def _value(self, place: re.Match[str], values: dict[str, Value]) -> str:
        return self._text(values.get(place[1], place[0]))

    def _text(self, value: object) -> str:
        if isinstance(value, int):
            return self.number(value)
        say: Callable[[Texts], str] | None = getattr(value, "say", None)
        return say(self) if say else str(value)


def best_language(wanted: list[str]) -> str:
    """Returns the first of the browser's languages that has a catalogue, else English."""
    for tag in wanted:
        code = tag.lower().split("-")[0]
        if code in LANGUAGES:
            return code
    return "en"
