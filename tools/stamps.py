"""Stamps that let a set-up or build step be skipped: a step is repeated only if a hash of its inputs has changed."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from tools.paths import BUILD, ROOT, write_if_changed


def digest(paths: Iterable[Path], *texts: str) -> str:
    """Returns one hash over files (names and contents) and words."""
    total = hashlib.sha256(json.dumps(texts).encode())
    for path in sorted(paths):
        total.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


class Stamp:
    """A record on disk that `step` was done for `inputs`, with the files it made."""

    def __init__(self, step: str, inputs: str) -> None:
        self.path = BUILD / "stamps" / f"{step}.json"
        self.inputs = inputs

    def is_fresh(self) -> bool:
        """Returns True if the step was done for these inputs and all files it made still exist."""
        if not self.path.is_file():
            return False
        done = json.loads(self.path.read_text("utf-8"))
        return bool(done["inputs"] == self.inputs) and all((ROOT / name).exists() for name in done["outputs"])

    def save(self, outputs: Iterable[Path]) -> None:
        names = sorted(path.relative_to(ROOT).as_posix() for path in outputs)
        text = json.dumps({"inputs": self.inputs, "outputs": names}, indent=1)
        write_if_changed(self.path, text.encode())
