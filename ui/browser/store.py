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

from pyodide.ffi import JsException, create_once_callable, to_js

from peer.browser.database import (
    RECORDS,
    Database,
    StoreFailed,
    all_records,
    as_store_failed,
    completion_of,
    result_of,
)

NAME = "speakeasy"
VERSION = 1
GAMES, SETTINGS = "games", "settings"
MAX_NUMBER = 10_000  # greater than the number of any record of a game


class Store(Database):
    """The store of saves and settings."""

    def __init__(self) -> None:
        super().__init__(NAME, VERSION, GAMES, SETTINGS)

    def _watch(self, database: Any) -> None:
        """Closes the database as its base does, and notes why, because the page tells the person."""
        database.onversionchange = create_once_callable(
            lambda event: self.close("newer" if event.newVersion else "closed")
        )
        # the browser, or the person, deleted the data
        database.onclose = create_once_callable(lambda _: self.close("closed"))

    async def headers(self) -> list[tuple[str, str]]:
        """Returns every game's id and header."""
        games = self._begin("readonly").objectStore(GAMES)
        keys, values = await asyncio.gather(result_of(games.getAllKeys()), result_of(games.getAll()))
        return list(zip(map(str, keys), map(str, values), strict=True))

    async def read(self, game: str) -> tuple[str, list[str]] | None:
        """Returns a game's header and records in order, or None if there is no such game. A missing record is empty."""
        tx = self._begin("readonly")
        key_range = all_records(game, MAX_NUMBER)
        record_store = tx.objectStore(RECORDS)
        header, numbers, records = await asyncio.gather(
            result_of(tx.objectStore(GAMES).get(game)),
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
        deleted = []

        def go_on(last: Any) -> None:
            with suppress(JsException):  # a request was rejected at once
                if last is not None:
                    self._put(tx, game, header, first, records)
                    return
                deleted.append(game)
            with suppress(JsException):  # the transaction has ended already
                tx.abort()

        with as_store_failed():
            if first:
                before = tx.objectStore(RECORDS).getKey(to_js([game, first - 1]))
                before.onsuccess = create_once_callable(lambda _: go_on(before.result))
            else:
                self._put(tx, game, header, first, records)
        try:
            await completion_of(tx)
        except StoreFailed as unkept:
            raise StoreFailed("deleted" if deleted else unkept.reason) from None

    async def read_settings(self) -> str:
        """Returns the stored text of the settings, or an empty text."""
        return str(await result_of(self._begin("readonly").objectStore(SETTINGS).get(SETTINGS)) or "")

    async def write_settings(self, text: str) -> None:
        tx = self._begin("readwrite")
        with as_store_failed():
            tx.objectStore(SETTINGS).put(text, SETTINGS)
        await completion_of(tx)
