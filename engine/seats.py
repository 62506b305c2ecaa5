"""Names of players: untrusted text that is made harmless and short. At one table all names differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from engine.core import Refused

PERSON = "p"  # a seat is played by a person, or by a bot of some level (`engine.bots.LEVELS`)
#: the emblems of the eight seats, in order
EMBLEMS = ("rose", "anchor", "clover", "bee", "moon", "shell", "fish", "key")

LONGEST_NAME = 24  # characters
MOST_MARKS = 2  # combining marks after one letter
#: characters that look empty although Unicode counts them as letters
BLANK = "\u115f\u1160\u3164\uffa0\u2800"


def clean_name(given: str) -> str:
    """Returns a name in NFC with at most 24 characters and two marks in a row.

    It has no invisible characters (control, bidi, zero-width, unassigned).
    """
    return _visible(given)[0][:LONGEST_NAME].strip()


def checked_name(given: str, others: Iterable[str]) -> str:
    """Returns a typed name with blanks put right. Raises `Refused` if it is taken, or needs any other change."""
    name, unchanged = _visible(given)
    if not unchanged:
        raise Refused("name.unseen")
    if not name:
        raise Refused("name.empty")
    if len(name) > LONGEST_NAME:
        raise Refused("name.long", most=LONGEST_NAME)
    if name.casefold() in map(str.casefold, others):
        raise Refused("name.taken", who=name)
    return name


def distinct_names(names: Iterable[str]) -> list[str]:
    """Returns names that all differ: a name that is taken by an earlier one gets a number.

    This is for names that are not typed now, but come from a link or an earlier game.
    """
    result: list[str] = []
    for name in names:
        number, distinct = 1, name
        while distinct.casefold() in map(str.casefold, result):
            number += 1
            distinct = f"{name[: LONGEST_NAME - 1 - len(str(number))].rstrip()} {number}"
        result.append(distinct)
    return result


def _visible(given: str) -> tuple[str, bool]:
    """Returns the visible part of a text, and True if nothing but blanks was changed for that."""
    text = unicodedata.normalize("NFC", given[:1000])
    letters: list[str] = []
    marks, unchanged = 0, True
    for letter in text:
        kind = unicodedata.category(letter)
        if kind[0] == "Z" or letter in "\t\n\r":
            letter, kind = " ", "Zs"
        if kind[0] == "C" or letter in BLANK:
            unchanged = False
            continue
        if kind[0] == "M":
            marks += 1
            if not letters or marks > MOST_MARKS:
                unchanged = False
                continue
        else:
            marks = 0
        if letter == " " and (not letters or letters[-1] == " "):
            continue
        letters.append(letter)
    return unicodedata.normalize("NFC", "".join(letters)).strip(), unchanged
