"""Names of people: whatever is typed or pasted becomes a short, visible text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.names import LONGEST, clean


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("Theo", "Theo"),
        ("  Anna   Mária ", "Anna Mária"),
        ("<b>Vera</b>", "<b>Vera</b>"),
        ("A\u202eevil\u202c", "Aevil"),
        ("a\u200bb\u200dc\ufeffd", "abcd"),
        ("line\nbreak\ttab\x00\x1b", "line break tab"),
        ("Zsófia", unicodedata.normalize("NFC", "Zsófia")),
        ("e" + "\u0301" * 50, "\u00e9\u0301\u0301"),
        ("\u0301\u0302x", "x"),
        ("x" * 10_000, "x" * LONGEST),
        ("\u3164\u2800\u115f", ""),
        ("\ud800", ""),
        ("שלום", "שלום"),
    ],
)
def test_names_are_made_harmless(given_: str, kept: str) -> None:
    assert clean(given_) == kept


@settings(deadline=None)
@given(st.text(max_size=80))
def test_cleaning_once_is_enough(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert len(once) <= LONGEST
    assert once == unicodedata.normalize("NFC", once)
    assert not any(unicodedata.category(letter)[0] == "C" for letter in once)
