"""The store of tables by link, in an IndexedDB database of its own: what a device must know after a reload.

Everything a device has sent is stored before. A header is stored under the table's code, each record under [code,
number]. `add` refuses a number that exists already, so two windows with one table cannot both act for the same seat.
"""

from __future__ import annotations

import asyncio

from js import indexedDB

from peer.browser.database import (
    RECORDS,
    Database,
    StoreFailed,
    all_records,
    as_store_failed,
    completion_of,
    result_of,
)
from peer.browser.promises import Rejected, settled

NAME = "speakeasy-tables"
VERSION = 1
TABLES = "tables"


class TableStore(Database):
    """The store of tables by link."""

    def __init__(self) -> None:
        super().__init__(NAME, VERSION, TABLES)

    async def read(self, code: str) -> tuple[str, list[str]] | None:
        """Returns a table's header and records; None if the table is not stored. Raises `StoreFailed`."""
        tx = self._begin("readonly")
        header, records = await asyncio.gather(
            result_of(tx.objectStore(TABLES).get(code)),
            result_of(tx.objectStore(RECORDS).getAll(all_records(code))),
        )
        return (str(header), [str(text) for text in records]) if header is not None else None

    async def headers(self) -> list[str]:
        """Returns the headers of all tables. Does not create a database if there is none. Raises `StoreFailed`."""
        try:
            names = [str(one.name) for one in await settled(indexedDB, "databases")]
        except (Rejected, AttributeError) as error:  # the browser stores nothing, or is too old for this call
            raise StoreFailed("closed") from error
        if NAME not in names:
            return []
        await self.open()
        return [str(text) for text in await result_of(self._begin("readonly").objectStore(TABLES).getAll())]

    async def write(self, code: str, header: str, first: int, records: list[str]) -> None:
        """Stores the header and the records, numbered from `first`, in one transaction. Raises `StoreFailed`."""
        tx = self._begin("readwrite")
        with as_store_failed():
            self._put(tx, code, header, first, records)
            tx.commit()
        await completion_of(tx)
