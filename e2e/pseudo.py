"""A pseudo-language for tests of the layout: English with accents, every text 40 % longer."""

from __future__ import annotations

import re
from functools import cache

import polib

from tools.paths import ROOT
from ui.text.i18n import Texts

ACCENTS = str.maketrans("aeiouyAEIOUYncsz", "áéîőűýÁÉÎŐŰÝńčšž")
PLACE = re.compile(r"(\{[a-z_]+\})")
LONGER = 0.4
FILLER = "áéîőű"
# not changed: names of people, single letters on cards, and words that are repeated in a control's name
KEPT = re.compile(r"lobby\.name\.\d|.*\.letter(\..*)?$|app\.name$|(log|rules)\.(word|open)$")


def stretched(text: str) -> str:
    """Returns a longer text: "Call an auction" becomes "Čáll áń áűčtîőń áéîőűá".

    Placeholders and final punctuation are kept. Long fillers are broken into words, so that lines can break.
    """
    parts = PLACE.split(text)
    length = sum(len(part) for part in parts[::2])
    if not length:
        return text
    more = max(1, round(length * LONGER))
    filler = (FILLER * (more // len(FILLER) + 1))[:more]
    if more > 4 or text.endswith("}"):
        filler = " " + " ".join(filler[n : n + 7] for n in range(0, more, 7))
    parts[::2] = [part.translate(ACCENTS) for part in parts[::2]]
    ended = re.match(r"(.*?)([\s.!?:…]*)$", "".join(parts), re.DOTALL)
    assert ended
    return f"{ended[1]}{filler}{ended[2]}"


@cache
def pseudo() -> bytes:
    """Returns the compiled catalogue."""
    found = polib.MOFile()
    english = ROOT / "assets" / "lang" / "en"
    for path in sorted(english.glob("*.po")):
        part = polib.pofile(str(path))
        for entry in part:
            if KEPT.match(entry.msgid):
                pass
            elif entry.msgid_plural:
                entry.msgstr_plural = {n: stretched(text) for n, text in entry.msgstr_plural.items()}
            else:
                entry.msgstr = stretched(entry.msgstr)
            found.append(entry)
        found.metadata = part.metadata
    return found.to_binary()


def texts() -> Texts:
    return Texts("en", pseudo())
