"""Names people give themselves: text of anybody's making, made harmless and short. At one table no two are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from engine.core import Refused

PERSON = "p"  # who plays a seat: a person, or a bot by its level (`engine.bots.LEVELS`)
#: the eight seats' emblems, in order
EMBLEMS = ("rose", "anchor", "clover", "bee", "moon", "shell", "fish", "key")

LONGEST = 24
MARKS = 2
#: fills an empty-looking line though it is counted a letter
BLANK = "\u115f\u1160\u3164\uffa0\u2800"


def clean(given: str) -> str:
    """NFC; nothing invisible (control, bidi, zero-width, unassigned); at most 24 characters, two marks in a row."""
    return _seen(given)[0][:LONGEST].strip()


def checked(given: str, others: Iterable[str]) -> str:
    """A name as somebody typed it, blanks put right. Raises `Refused` for what could only be kept as another name."""
    name, whole = _seen(given)
    if not whole:
        raise Refused("name.unseen")
    if not name:
        raise Refused("name.empty")
    if len(name) > LONGEST:
        raise Refused("name.long", most=LONGEST)
    if name.casefold() in map(str.casefold, others):
        raise Refused("name.taken", who=name)
    return name


def apart(names: Iterable[str]) -> list[str]:
    """Names nobody typed just now, from a link or another evening: who is called like somebody before gets a number."""
    found: list[str] = []
    for name in names:
        number, told = 1, name
        while told.casefold() in map(str.casefold, found):
            number += 1
            told = f"{name[: LONGEST - 1 - len(str(number))].rstrip()} {number}"
        found.append(told)
    return found


def _seen(given: str) -> tuple[str, bool]:
    """What of it can be seen, and whether that is all of it, blanks apart."""
    text = unicodedata.normalize("NFC", given[:1000])
    kept: list[str] = []
    marks, whole = 0, True
    for letter in text:
        kind = unicodedata.category(letter)
        if kind[0] == "Z" or letter in "\t\n\r":
            letter, kind = " ", "Zs"
        if kind[0] == "C" or letter in BLANK:
            whole = False
            continue
        if kind[0] == "M":
            marks += 1
            if not kept or marks > MARKS:
                whole = False
                continue
        else:
            marks = 0
        if letter == " " and (not kept or kept[-1] == " "):
            continue
        kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept)).strip(), whole
