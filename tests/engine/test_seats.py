"""Names of players: any typed or pasted text becomes short and visible."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Refused
from engine.seats import LONGEST_NAME, checked_name, clean_name, distinct_names


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
        ("x" * 10_000, "x" * LONGEST_NAME),
        ("\u3164\u2800\u115f", ""),
        ("\ud800", ""),
        ("שלום", "שלום"),
    ],
)
def test_names_are_cleaned(given_: str, kept: str) -> None:
    assert clean_name(given_) == kept


@settings(deadline=None)
@given(st.text(max_size=80))
def test_cleaning_a_name_twice_changes_nothing(text: str) -> None:
    once = clean_name(text)
    assert clean_name(once) == once
    assert len(once) <= LONGEST_NAME
    assert once == unicodedata.normalize("NFC", once)
    assert not any(unicodedata.category(letter)[0] == "C" for letter in once)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "name.empty"),
        (" \t ", "name.empty"),
        ("A\u202eevil\u202c", "name.unseen"),
        ("a\u200bb", "name.unseen"),
        ("\u3164", "name.unseen"),
        ("e" + "\u0301" * 50, "name.unseen"),
        ("x" * 10_000, "name.long"),
        ("x" * (LONGEST_NAME + 1), "name.long"),
        ("Vera", "name.taken"),
        (" vera", "name.taken"),
    ],
)
def test_a_bad_name_is_refused_with_a_reason(typed: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        checked_name(typed, ["Theo", "Vera"])
    assert refused.value.reason == reason


@given(st.text(max_size=80))
def test_an_accepted_name_is_kept_unchanged(text: str) -> None:
    try:
        name = checked_name(text, ())
    except Refused:
        return
    assert name == clean_name(text)
    assert " ".join(name.split()) == " ".join(unicodedata.normalize("NFC", text).split())


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["Theo", "Vera"], ["Theo", "Vera"]),
        (["Theo", "theo", "Theo"], ["Theo", "theo 2", "Theo 3"]),
        (["Theo 2", "Theo", "Theo"], ["Theo 2", "Theo", "Theo 3"]),
        (["x" * LONGEST_NAME] * 2, ["x" * LONGEST_NAME, "x" * (LONGEST_NAME - 2) + " 2"]),
    ],
)
def test_equal_names_are_made_distinct(names: list[str], told: list[str]) -> None:
    assert distinct_names(names) == told
    assert distinct_names(told) == told
