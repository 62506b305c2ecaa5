"""The port to everything outside a table: clock, random numbers, keys, storage, connections, and the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from peer.channels.channels import MakeConnection
from peer.channels.endpoint import Endpoint, Socket
from peer.crypto.keys import Keys, SignedText
from peer.order.outputs import Timing
from peer.table.news import TableEvent


class Environment(Protocol):
    """The port itself: everything a table needs of its surroundings."""

    build: str
    timing: Timing
    dial: Callable[[Endpoint], Socket] | None  # None: there is no endpoint
    make: MakeConnection | None  # None: no direct connections

    def now(self) -> int: ...

    def random(self, size: int) -> bytes: ...

    async def sign(self, keys: Keys, data: bytes) -> str: ...

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        """Returns True if all these signatures are valid."""

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        """Stores the header, and the records from number `first` on. Raises `NotStored`."""

    def tell(self, event: TableEvent) -> None:
        """Passes an event to the page."""
