"""The project's sources as syntax trees, for tests that read them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """Returns the syntax tree of a source. Each is parsed once for all tests of a process; they must not change it."""
    return ast.parse(path.read_text("utf-8"))
