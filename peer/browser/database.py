"""IndexedDB with futures: requests, transactions, and one exception for all failures to store.

`Database` is what the stores of saves (`ui/browser/store.py`) and of tables by link (`shelf.py`) have in common.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from js import IDBKeyRange, Object, window
from pyodide.ffi import JsException, create_once_callable, create_proxy, to_js

RECORDS = "records"  # the object store of the records
LAST_NUMBER = 10**9  # greater than the number of any record
STRICT = to_js({"durability": "strict"}, dict_converter=Object.fromEntries)


class StoreFailed(Exception):
    """Raised when the browser does not store something; `reason`: `full`, `elsewhere`, `deleted`, `newer`, `closed`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


REASONS = {"QuotaExceededError": "full", "ConstraintError": "elsewhere", "VersionError": "newer"}


@contextmanager
def as_store_failed() -> Iterator[None]:
    """Turns exceptions that the browser raises at once into `StoreFailed`. Events report a full store later."""
    try:
        yield
    except JsException as error:
        raise StoreFailed("closed") from error


def transaction(database: Any, stores: Sequence[str], mode: str) -> Any:
    """Begins a transaction that is complete only when all of it is on the disk, not merely handed to the system: the
    device may lose power at any time. Raises `StoreFailed`.

    Measured in Chromium, on a disk: 1.4 ms a record instead of 1.2, and twice as much on a machine under heavy load.
    """
    with as_store_failed():
        return database.transaction(to_js(list(stores)), mode, STRICT)


def result_of(request: Any) -> asyncio.Future[Any]:
    """Returns a future of the request's result; it raises `StoreFailed`."""
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def on_end(event: Any) -> None:
        if event.type == "success":
            _resolve(future, request.result)
        else:
            _reject(future, request.error)

    request.onsuccess = request.onerror = create_once_callable(on_end)
    return future


def completion_of(tx: Any) -> asyncio.Future[None]:
    """Returns a future of a transaction's end: everything is stored, or nothing and it raises `StoreFailed`."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_end(event: Any) -> None:
        if event.type == "complete":
            _resolve(future, None)
        else:
            _reject(future, tx.error)

    tx.oncomplete = tx.onabort = create_once_callable(on_end)
    return future


def _resolve(future: asyncio.Future[Any], value: Any) -> None:
    if not future.done():
        future.set_result(value)


def _reject(future: asyncio.Future[Any], error: Any) -> None:
    if not future.done():
        future.set_exception(StoreFailed(REASONS.get(str(error.name) if error else "", "closed")))


class Database:
    """A database of texts, opened once: a header under each id, its records under [id, number], and perhaps more.

    While it is not open, or if the browser stores nothing (private mode), every method raises `StoreFailed`.
    """

    def __init__(self, name: str, version: int, headers: str, *others: str) -> None:
        """`headers` and `others` are the object stores of the headers and of everything else."""
        self.name, self.version, self.header_store = name, version, headers
        self.stores = (headers, RECORDS, *others)
        self._database: Any = None
        self._reason = "closed"  # the reason of `StoreFailed` while there is no database

    async def open(self) -> None:
        if self._database is not None:
            return
        on_upgrade = create_proxy(lambda event: self._create_stores(event.target.result))
        try:
            with as_store_failed():
                request = window.indexedDB.open(self.name, self.version)
            request.onupgradeneeded = on_upgrade
            self._database = await result_of(request)
        except StoreFailed as unkept:
            self._reason = unkept.reason
            raise
        finally:
            on_upgrade.destroy()  # it is seldom called: only for a new database
        self._watch(self._database)

    def _create_stores(self, database: Any) -> None:
        for name in self.stores:
            database.createObjectStore(name)

    def _watch(self, database: Any) -> None:
        """Closes the database rather than block a newer page that wants to upgrade it, or a person who deletes it."""
        database.onversionchange = database.close  # the browser's own function: there is no proxy to destroy

    def close(self, why: str = "closed") -> None:
        """Closes the database. `why` is the reason of each `StoreFailed` from now on."""
        if self._database is not None:
            self._database.close()
        self._database, self._reason = None, why

    def _begin(self, mode: str) -> Any:
        """Begins a transaction over all object stores. Raises `StoreFailed`."""
        if self._database is None:
            raise StoreFailed(self._reason)
        return transaction(self._database, self.stores, mode)

    def _put(self, tx: Any, key: str, header: str, first: int, records: Sequence[str]) -> None:
        """Asks to store a header, and new records under the numbers from `first` on. An existing number aborts `tx`."""
        tx.objectStore(self.header_store).put(header, key)
        record_store = tx.objectStore(RECORDS)
        for number, record in enumerate(records, first):
            record_store.add(record, to_js([key, number]))

    async def delete(self, key: str) -> None:
        """Deletes a header and its records."""
        tx = self._begin("readwrite")
        tx.objectStore(self.header_store).delete(key)
        tx.objectStore(RECORDS).delete(all_records(key))
        await completion_of(tx)


def all_records(key: str, up_to: int = LAST_NUMBER) -> Any:
    """Returns the range of the keys of all records under this id; perhaps only those with numbers up to `up_to`."""
    return IDBKeyRange.bound(to_js([key, 0]), to_js([key, up_to]))
