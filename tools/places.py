"""Where things are, and the one error a person reads."""

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


class Stop(Exception):
    """Something a person has to know or do: shown as one sentence, without a traceback."""


def say(text: str) -> None:
    print(text, flush=True)


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and leave it alone when it already says the same."""
    if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.write_bytes(data)
    new.replace(path)


@contextmanager
def alone() -> Iterator[None]:
    """Two set-ups or builds in the same clone wait for each other."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
