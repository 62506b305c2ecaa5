"""Refuses docstrings that begin with a clause without a subject: a part of `make lint`.

A docstring says what a thing is or does: "Returns …", "Sends …", "The log of a device: …". One that begins with
"Who …" or "What …" makes its reader guess.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.paths import ROOT, report

FOLDERS = ("engine", "peer", "ui", "signaling", "tools", "tests", "e2e", "bench")
HEADLESS = {"who", "whom", "whose", "whoever", "what", "whatever", "whether", "how"}
# The begin of such a string; most sources have none, and need not be parsed
SUSPICIOUS = re.compile(rf"""["'][\s\\]*({"|".join(sorted(HEADLESS))})\b""", re.IGNORECASE)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def headless(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and the first line of every docstring that begins with such a word."""
    for node in ast.walk(ast.parse(source)) if SUSPICIOUS.search(source) else ():
        if isinstance(node, Documented) and (text := ast.get_docstring(node)):
            first = text.split(maxsplit=1)[0].strip(",.;:…").lower()
            if first in HEADLESS:
                yield node.body[0].lineno, text.splitlines()[0]


def files() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted(path for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)


def main() -> int:
    found = 0
    for path in files():
        for line, text in headless(path.read_text("utf-8")):
            found += 1
            report(f"{path.relative_to(ROOT)}:{line}: a docstring without a subject: {text}")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
