"""The browser's names as Pyodide gives them. Untyped on purpose: the files that import them are few."""

from typing import Any

def __getattr__(name: str) -> Any: ...
