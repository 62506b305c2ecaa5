"""The port to everything outside a table: clock, chance, keys, shelf, lines, and the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from peer.channels.channels import Make
from peer.channels.endpoint import Endpoint, Wire
from peer.crypto.keys import Claim, Keys
from peer.order.outputs import Timing


class World(Protocol):
    """Everything outside."""

    build: str
    timing: Timing
    dial: Callable[[Endpoint], Wire] | None  # None: there is no endpoint
    make: Make | None  # None: no direct connections

    def now(self) -> int: ...

    def random(self, size: int) -> bytes: ...

    async def sign(self, keys: Keys, data: bytes) -> str: ...

    async def proven(self, claims: Sequence[Claim]) -> bool:
        """Whether all these signatures are true."""

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        """Raises `Unsafe`."""

    def tell(self, what: str, data: Any = None) -> None:
        """Something the page should know."""
