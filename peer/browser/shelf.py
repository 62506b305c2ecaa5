"""The store of tables by link, in an IndexedDB database of its own: what a device must know after a reload.

Everything a device has sent is stored before. A header is stored under the table's code, each record under [code,
number]. `add` refuses a number that exists already, so two windows with one table cannot both act for the same seat.
"""

from __future__ import annotations

import asyncio
from typing import Any

from js import IDBKeyRange, indexedDB
from pyodide.ffi import JsException, create_proxy, to_js

from peer.browser.database import StoreFailed, as_store_failed, completion_of, result_of, transaction

NAME = "speakeasy-tables"
VERSION = 1
LAST_NUMBER = 10**9
STORES = ("tables", "records")


class TableStore:
    def __init__(self) -> None:
        self._database: Any = None

    async def open(self) -> None:
        if self._database is not None:
            return
        with as_store_failed():
            request = indexedDB.open(NAME, VERSION)
        on_upgrade = create_proxy(lambda event: _create_stores(event.target.result))
        request.onupgradeneeded = on_upgrade
        try:
            self._database = await result_of(request)
        finally:
            on_upgrade.destroy()  # it is seldom called: only for a new database
        # the browser's own function: there is no proxy to destroy
        self._database.onversionchange = self._database.close

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _begin(self, mode: str) -> Any:
        if self._database is None:
            raise StoreFailed("closed")
        return transaction(self._database, STORES, mode)

    async def read(self, code: str) -> tuple[str, list[str]] | None:
        """Returns a table's header and records; None if the table is not stored. Raises `StoreFailed`."""
        tx = self._begin("readonly")
        key_range = IDBKeyRange.bound(to_js([code, 0]), to_js([code, LAST_NUMBER]))
        header, records = await asyncio.gather(
            result_of(tx.objectStore("tables").get(code)),
            result_of(tx.objectStore("records").getAll(key_range)),
        )
        return (str(header), [str(text) for text in records]) if header is not None else None

    async def headers(self) -> list[str]:
        """Returns the headers of all tables. Does not create a database if there is none. Raises `StoreFailed`."""
        try:
            names = [str(one.name) for one in await indexedDB.databases()]
        except (JsException, AttributeError) as error:  # the browser stores nothing, or is too old for this call
            raise StoreFailed("closed") from error
        if NAME not in names:
            return []
        await self.open()
        return [str(text) for text in await result_of(self._begin("readonly").objectStore("tables").getAll())]

    async def forget(self, code: str) -> None:
        tx = self._begin("readwrite")
        tx.objectStore("tables").delete(code)
        tx.objectStore("records").delete(IDBKeyRange.bound(to_js([code, 0]), to_js([code, LAST_NUMBER])))
        await completion_of(tx)

    async def write(self, code: str, header: str, first: int, records: list[str]) -> None:
        """Stores the header and the records, numbered from `first`, in one transaction. Raises `StoreFailed`."""
        tx = self._begin("readwrite")
        with as_store_failed():
            tx.objectStore("tables").put(header, code)
            record_store = tx.objectStore("records")
            for number, text in enumerate(records, first):
                record_store.add(text, to_js([code, number]))
            tx.commit()
        await completion_of(tx)


def _create_stores(database: Any) -> None:
    for name in STORES:
        database.createObjectStore(name)
