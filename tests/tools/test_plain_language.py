"""The check of docstrings: it finds what it is there for, and nothing in this project."""

from __future__ import annotations

import pytest

from tools.paths import ROOT
from tools.plain_language import files, headless, main


@pytest.mark.parametrize(
    ("docstring", "refused"),
    [
        ("Who says good-bye is gone.", True),
        ("What, if anything, is left.", True),
        ("Whether it is over.", True),
        ("Returns True if it is over.", False),
        ("The log of a device.", False),
    ],
)
def test_a_docstring_without_a_subject_is_found(docstring: str, refused: bool) -> None:  # noqa: FBT001
    source = f'class Device:\n    def leave(self):\n        """{docstring}"""\n'
    assert list(headless(source)) == ([(3, docstring)] if refused else [])


def test_the_docstring_of_a_module_is_checked() -> None:
    assert list(headless('"""Whoever reads this."""\n')) == [(1, "Whoever reads this.")]


def test_every_docstring_of_the_project_has_a_subject() -> None:
    assert ROOT / "engine" / "core.py" in set(files())
    assert main() == 0
