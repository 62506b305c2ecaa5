"""The browser's promises, awaited in one way everywhere.

A browser may reject a promise with something that Pyodide cannot turn into a Python exception: in WebKit, errors of
`fetch`, `import()` and service workers have no stack. Whatever awaits such a promise in Python never ends. So Python
only awaits promises that are never rejected: those of `settle` in assets/boot.js.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from js import settle, window
from pyodide.ffi import to_js


class Rejected(Exception):
    """Raised when the browser refuses what it was asked. `name` is that of its error, for example "NotAllowedError"."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name


async def settled(owner: Any, method: str, *arguments: Any) -> Any:
    """Calls a method of a browser's object, and returns the result of the promise it returns. Raises `Rejected` if the
    promise is rejected or the call itself fails."""
    outcome = await settle(owner, method, *arguments)
    if outcome.refused:
        raise Rejected(str(outcome.name), str(outcome.message))
    return outcome.value


async def all_settled(owner: Any, method: str, calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Calls a method once for each list of arguments, and returns the results of all promises. Raises `Rejected` if one
    is rejected. It takes less time than a `settled` for each."""
    return list(await settled(window, "callAll", owner, method, to_js(calls)))
