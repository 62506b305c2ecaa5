"""The store of tables by link, in an IndexedDB database of its own: what a device must know after a reload.

Everything a device has sent is stored before. A header is stored under the table's code, each record under [code,
number]. `add` refuses a number that exists already, so two windows with one table cannot both act for the same seat.
"""

from __future__ import annotations

import asyncio
from typing import Any

from js import IDBKeyRange, indexedDB
from pyodide.ffi import JsException, create_proxy, to_js

from peer.browser.database import Unkept, answered, as_unkept, complete, transaction

NAME = "speakeasy-tables"
VERSION = 1
LAST = 10**9
STORES = ("tables", "records")


class Shelf:
    def __init__(self) -> None:
        self._database: Any = None

    async def open(self) -> None:
        if self._database is not None:
            return
        with as_unkept():
            request = indexedDB.open(NAME, VERSION)
        lay_out = create_proxy(lambda event: _lay_out(event.target.result))
        request.onupgradeneeded = lay_out
        try:
            self._database = await answered(request)
        finally:
            lay_out.destroy()  # it is seldom called: only for a new database
        # the browser's own function: there is no proxy to destroy
        self._database.onversionchange = self._database.close

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _begin(self, mode: str) -> Any:
        if self._database is None:
            raise Unkept("closed")
        return transaction(self._database, STORES, mode)

    async def read(self, code: str) -> tuple[str, list[str]] | None:
        """Returns a table's header and records; None if the table is not stored. Raises `Unkept`."""
        whole = self._begin("readonly")
        between = IDBKeyRange.bound(to_js([code, 0]), to_js([code, LAST]))
        header, records = await asyncio.gather(
            answered(whole.objectStore("tables").get(code)),
            answered(whole.objectStore("records").getAll(between)),
        )
        return (str(header), [str(text) for text in records]) if header is not None else None

    async def headers(self) -> list[str]:
        """Returns the headers of all tables. Does not create a database if there is none. Raises `Unkept`."""
        try:
            names = [str(one.name) for one in await indexedDB.databases()]
        except (JsException, AttributeError) as error:  # the browser stores nothing, or is too old for this call
            raise Unkept("closed") from error
        if NAME not in names:
            return []
        await self.open()
        return [str(text) for text in await answered(self._begin("readonly").objectStore("tables").getAll())]

    async def forget(self, code: str) -> None:
        whole = self._begin("readwrite")
        whole.objectStore("tables").delete(code)
        whole.objectStore("records").delete(IDBKeyRange.bound(to_js([code, 0]), to_js([code, LAST])))
        await complete(whole)

    async def write(self, code: str, header: str, first: int, records: list[str]) -> None:
        """Stores the header and the records, numbered from `first`, in one transaction. Raises `Unkept`."""
        whole = self._begin("readwrite")
        with as_unkept():
            whole.objectStore("tables").put(header, code)
            shelf = whole.objectStore("records")
            for number, text in enumerate(records, first):
                shelf.add(text, to_js([code, number]))
            whole.commit()
        await complete(whole)


def _lay_out(database: Any) -> None:
    for name in STORES:
        database.createObjectStore(name)
