"""The project's paths, the error that is shown to people, and a few helpers for files and output."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_MODULES = ROOT / "node_modules"
VENDOR = ROOT / "assets" / "vendor"
BUILD = ROOT / "build"
DIST = ROOT / "dist"
VENV = ROOT / ".venv"
VENV_BENCH = ROOT / ".venv-bench"
BIN = "bin"


class ToolError(Exception):
    """An error that a person has to read or act on: printed as one sentence, without a traceback."""


def report(text: str) -> None:
    print(text, flush=True)


def write_if_changed(path: Path, data: bytes) -> None:
    """Writes a file atomically, and leaves it alone if it has this content already."""
    if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.write_bytes(data)
    new.replace(path)


@contextmanager
def exclusive_lock() -> Iterator[None]:
    """Holds a file lock, so that two set-ups or builds in the same clone do not run at the same time."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
