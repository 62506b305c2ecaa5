"""The samples of large products: as many cases as asked for, others with another seed, all of them in the long run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.samples import SEED, chosen
from tools.paths import ROOT

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


def run(folder: Path, *arguments: str) -> str:
    """Runs a test with ten cases, of which one is drawn, and returns pytest's output."""
    (folder / "test_numbers.py").write_text(
        "import pytest\n\n@pytest.mark.sample(1)\n@pytest.mark.parametrize('number', range(10))\n"
        "def test_number(number): pass\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml"]
    done = subprocess.run(
        [*command, "--rootdir", folder, *arguments, folder],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_sample_has_as_many_cases_as_the_mark_says(tmp_path: Path) -> None:
    assert "1 passed, 9 deselected" in run(tmp_path)
    assert "10 passed" in run(tmp_path, "--everything")


@pytest.mark.parametrize("case", ["3", "8"])
def test_a_case_that_is_named_on_its_own_always_runs(tmp_path: Path, case: str) -> None:
    assert f"test_number[{case}] PASSED" in run(tmp_path, "-k", f"test_number[{case}]")
