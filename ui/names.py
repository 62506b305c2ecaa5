"""Names people give themselves: text of anybody's making, made harmless and short."""

from __future__ import annotations

import unicodedata

LONGEST = 24
MARKS = 2
#: fills an empty-looking line though it is counted a letter
BLANK = "\u115f\u1160\u3164\uffa0\u2800"


def clean(given: str) -> str:
    """NFC; nothing invisible (control, bidi, zero-width, unassigned); at most 24 characters, two marks in a row."""
    text = unicodedata.normalize("NFC", given[:1000])
    kept: list[str] = []
    marks = 0
    for letter in text:
        kind = unicodedata.category(letter)
        if kind[0] == "Z" or letter in "\t\n\r":
            letter, kind = " ", "Zs"
        if kind[0] == "C" or letter in BLANK:
            continue
        if kind[0] == "M":
            marks += 1
            if not kept or marks > MARKS:
                continue
        else:
            marks = 0
        if letter == " " and (not kept or kept[-1] == " "):
            continue
        kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept))[:LONGEST].strip()
