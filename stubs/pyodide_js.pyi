"""Pyodide's own interface, from inside."""

from typing import Any

async def loadPackage(names: Any) -> None: ...  # noqa: N802  (its name)
