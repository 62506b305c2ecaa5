"""The log says what has happened, and is read out. The sentence that asks or waits must not repeat it."""

from __future__ import annotations

import polib
import pytest

from tools.paths import ROOT
from ui.boards import PLAYABLE
from ui.text.i18n import LANGUAGES


@pytest.mark.parametrize("game", PLAYABLE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_beside_the_log_repeats_it(language: str, game: str) -> None:
    """In bars, one text was read out twice: while a look at one more note was waited for, and after it."""
    entries = polib.pofile(str(ROOT / "assets" / "lang" / language / f"{game}.po"))
    texts = {entry.msgid: {entry.msgstr, *entry.msgstr_plural.values()} - {""} for entry in entries}
    told = {text: key for key, some in texts.items() if key.startswith(f"{game}.log.") for text in some}
    asks = [key for key in texts if key not in told.values() and {"watch", "ask"} & set(key.split("."))]
    beside = {text: key for key in asks for text in texts[key]}
    assert {(told[text], beside[text]) for text in told.keys() & beside.keys()} == set()
