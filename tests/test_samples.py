"""The samples of large products: as many cases as asked for, others with another seed, all of them in the long run."""

from __future__ import annotations

import pytest

from tests.samples import SEED, chosen

NAMES = [f"test_it[{number}]" for number in range(10)]


def test_a_sample_is_the_same_for_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEED, "0123abcd")
    assert chosen(NAMES, 3, "test_it") == chosen(NAMES[::-1], 3, "test_it")
    assert len(chosen(NAMES, 3, "test_it")) == 3
    assert chosen(NAMES, 20, "test_it") == {*NAMES}


def test_every_case_is_drawn_by_some_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: set[str] = set()
    for number in range(60):
        monkeypatch.setenv(SEED, str(number))
        drawn |= chosen(NAMES, 2, "test_it")
    assert drawn == {*NAMES}


def test_different_tests_draw_different_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEED, "0123abcd")
    assert len({frozenset(chosen(NAMES, 3, f"test_{number}")) for number in range(20)}) > 1
