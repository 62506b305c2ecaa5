"""The store of saves and settings in the browser: an IndexedDB database, in which records are only ever added.

Everything is stored as text (see `ui.saves`): a header under the game's id, each record under [id, number]. `add` fails
for a number that exists already, so two windows with the same game cannot overwrite each other's records. A record
counts as stored when its transaction is complete on the disk, not before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from js import IDBKeyRange, window
from pyodide.ffi import JsException, create_once_callable, to_js

from peer.browser.database import StoreFailed, as_store_failed, completion_of, result_of, transaction

NAME = "speakeasy"
VERSION = 1
MAX_NUMBER = 10_000  # greater than the number of any record


class Store:
    """The store, opened once. If the browser stores nothing (private mode), every method raises `StoreFailed`."""

    def __init__(self) -> None:
        self._database: Any = None
        self._reason = "closed"  # the reason of `StoreFailed` while there is no database

    async def open(self) -> None:
        try:
            with as_store_failed():
                request = window.indexedDB.open(NAME, VERSION)
            request.onupgradeneeded = create_once_callable(lambda event: _create_stores(event.target.result))
            self._database = await result_of(request)
        except StoreFailed as unkept:
            self._reason = unkept.reason
            raise
        # a newer page wants to upgrade the database: close it rather than block the upgrade
        self._database.onversionchange = create_once_callable(
            lambda event: self._close("newer" if event.newVersion else "closed")
        )
        # the browser, or the person, deleted the data
        self._database.onclose = create_once_callable(lambda _: self._close("closed"))

    def _close(self, why: str) -> None:
        if self._database is not None:
            self._database.close()
        self._database, self._reason = None, why

    async def headers(self) -> list[tuple[str, str]]:
        """Returns every game's id and header."""
        games = self._begin("readonly").objectStore("games")
        keys, values = await asyncio.gather(result_of(games.getAllKeys()), result_of(games.getAll()))
        return list(zip(map(str, keys), map(str, values), strict=True))

    async def read(self, game: str) -> tuple[str, list[str]] | None:
        """Returns a game's header and records in order, or None if there is no such game. A missing record is empty."""
        tx = self._begin("readonly")
        key_range = IDBKeyRange.bound(to_js([game, 0]), to_js([game, MAX_NUMBER]))
        record_store = tx.objectStore("records")
        header, numbers, records = await asyncio.gather(
            result_of(tx.objectStore("games").get(game)),
            result_of(record_store.getAllKeys(key_range)),
            result_of(record_store.getAll(key_range)),
        )
        if header is None:
            return None
        by_number = {int(key[1]): str(text) for key, text in zip(numbers, records, strict=True)}
        # a gap is damage; replaying the records finds it
        return str(header), [by_number.get(number, "") for number in range(max(by_number, default=-1) + 1)]

    async def write(self, game: str, header: str, first: int = 0, records: Sequence[str] = ()) -> None:
        """Stores the header, and the records under the numbers from `first` on: all or nothing. If the record before
        `first` is missing, the game was deleted: raises `StoreFailed` with the reason "deleted"."""
        tx = self._begin("readwrite")
        record_store, deleted = tx.objectStore("records"), []

        def add() -> None:
            tx.objectStore("games").put(header, game)
            for number, record in enumerate(records, first):
                record_store.add(record, to_js([game, number]))

        def go_on(last: Any) -> None:
            with suppress(JsException):  # a request was rejected at once
                if last is not None:
                    add()
                    return
                deleted.append(game)
            with suppress(JsException):  # the transaction has ended already
                tx.abort()

        with as_store_failed():
            if first:
                before = record_store.getKey(to_js([game, first - 1]))
                before.onsuccess = create_once_callable(lambda _: go_on(before.result))
            else:
                add()
        try:
            await completion_of(tx)
        except StoreFailed as unkept:
            raise StoreFailed("deleted" if deleted else unkept.reason) from None

    async def delete(self, game: str) -> None:
        tx = self._begin("readwrite")
        tx.objectStore("games").delete(game)
        tx.objectStore("records").delete(IDBKeyRange.bound(to_js([game, 0]), to_js([game, MAX_NUMBER])))
        await completion_of(tx)

    async def read_settings(self) -> str:
        """Returns the stored text of the settings, or an empty text."""
        return str(await result_of(self._begin("readonly").objectStore("settings").get("settings")) or "")

    async def write_settings(self, text: str) -> None:
        tx = self._begin("readwrite")
        with as_store_failed():
            tx.objectStore("settings").put(text, "settings")
        await completion_of(tx)

    def _begin(self, mode: str) -> Any:
        if self._database is None:
            raise StoreFailed(self._reason)
        return transaction(self._database, ("games", "records", "settings"), mode)


def _create_stores(database: Any) -> None:
    for name in ("games", "records", "settings"):
        database.createObjectStore(name)
