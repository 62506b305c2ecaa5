"""A fifth game that is not shipped, to prove that a new game is a folder of files and one line in `GAMES`.

`files/` has the files of the game Cracksmen, each at the path at which CONTRIBUTING asks for it. `copy_with_fifth_game`
makes a copy of this project to which they are added.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from tools.paths import NODE_MODULES, ROOT, VENDOR, VENV

NAME = "cracksmen"
FILES = Path(__file__).parent / "files"
REGISTRY = Path("engine/__init__.py")
LINE = f'        "{NAME}": range(2, 4),\n'
SOURCES = (
    "engine",
    "peer",
    "ui",
    "signaling",
    "tools",
    "stubs",
    "assets",
    "tests",
    "e2e",
    "bench",
    "docs",
    "requirements",
)
#: the tests that make copies
OWN_TESTS = "test_fifth_game.py"
#: what the set-up has made, which the copy only refers to
MADE = (VENV, NODE_MODULES, VENDOR)


def own_files() -> list[Path]:
    """Returns the paths of the game's files, inside a project."""
    return sorted(path.relative_to(FILES) for path in files_in(FILES))


def files_in(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def copy_with_fifth_game(target: Path) -> Path:
    """Copies the sources of this project, without the tests that make such copies, and adds the fifth game: its files,
    and its line in `GAMES`. Byte code is copied too: it fits the copies, which are as old as the sources."""
    half_written = "*.pyc.*"  # byte code that another process is writing
    ignored = shutil.ignore_patterns(half_written, VENDOR.name, OWN_TESTS)
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, target / folder, ignore=ignored)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, target)
    for made in MADE:
        if made.exists():
            (target / made.relative_to(ROOT)).symlink_to(made)
    for path in own_files():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        assert not (target / path).exists(), f"{path} is a file of the project"
        shutil.copy(FILES / path, target / path)
    registry = (target / REGISTRY).read_text("utf-8")
    head, end, tail = registry.rpartition("    }\n)")
    (target / REGISTRY).write_text(head + LINE + end + tail, "utf-8")
    return target
