"""The port to everything outside a table: clock, chance, keys, shelf, lines, and the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ui.net.endpoint import Endpoint, Wire
from ui.net.keys import Keys
from ui.net.lines import Make
from ui.net.output import Timing


class World(Protocol):
    """Everything outside."""

    build: str
    timing: Timing
    dial: Callable[[Endpoint], Wire] | None  # None: there is no endpoint
    make: Make | None  # None: no direct connections

    def now(self) -> int: ...

    def random(self, size: int) -> bytes: ...

    async def sign(self, keys: Keys, data: bytes) -> str: ...

    async def verify(self, signer: str, data: bytes, signature: str) -> bool: ...

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        """Raises `Unsafe`."""

    def tell(self, what: str, data: Any = None) -> None:
        """Something the page should know."""
