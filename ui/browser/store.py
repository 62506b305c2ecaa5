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

from peer.browser.database import Unkept, answered, as_unkept, complete, transaction

NAME = "speakeasy"
VERSION = 1
LAST = 10_000  # greater than the number of any record


class Store:
    """The store, opened once. If the browser stores nothing (private mode), every method raises `Unkept`."""

    def __init__(self) -> None:
        self._database: Any = None
        self._why = "closed"  # the reason of `Unkept` while there is no database

    async def open(self) -> None:
        try:
            with as_unkept():
                request = window.indexedDB.open(NAME, VERSION)
            request.onupgradeneeded = create_once_callable(lambda event: _lay_out(event.target.result))
            self._database = await answered(request)
        except Unkept as unkept:
            self._why = unkept.reason
            raise
        # a newer page wants to upgrade the database: close it rather than block the upgrade
        self._database.onversionchange = create_once_callable(
            lambda event: self._let_go("newer" if event.newVersion else "closed")
        )
        # the browser, or the person, deleted the data
        self._database.onclose = create_once_callable(lambda _: self._let_go("closed"))

    def _let_go(self, why: str) -> None:
        if self._database is not None:
            self._database.close()
        self._database, self._why = None, why

    async def headers(self) -> list[tuple[str, str]]:
        """Returns every game's id and header."""
        shelf = self._begin("readonly").objectStore("games")
        keys, values = await asyncio.gather(answered(shelf.getAllKeys()), answered(shelf.getAll()))
        return list(zip(map(str, keys), map(str, values), strict=True))

    async def read(self, game: str) -> tuple[str, list[str]] | None:
        """Returns a game's header and records in order, or None if there is no such game. A missing record is empty."""
        whole = self._begin("readonly")
        between = IDBKeyRange.bound(to_js([game, 0]), to_js([game, LAST]))
        shelf = whole.objectStore("records")
        header, numbers, records = await asyncio.gather(
            answered(whole.objectStore("games").get(game)),
            answered(shelf.getAllKeys(between)),
            answered(shelf.getAll(between)),
        )
        if header is None:
            return None
        found = {int(key[1]): str(text) for key, text in zip(numbers, records, strict=True)}
        # a gap is damage; replaying the records finds it
        return str(header), [found.get(number, "") for number in range(max(found, default=-1) + 1)]

    async def write(self, game: str, header: str, first: int = 0, records: Sequence[str] = ()) -> None:
        """Stores the header, and the records under the numbers from `first` on: all or nothing. If the record before
        `first` is missing, the game was deleted: raises `Unkept` with the reason "deleted"."""
        whole = self._begin("readwrite")
        shelf, deleted = whole.objectStore("records"), []

        def add() -> None:
            whole.objectStore("games").put(header, game)
            for number, record in enumerate(records, first):
                shelf.add(record, to_js([game, number]))

        def go_on(last: Any) -> None:
            with suppress(JsException):  # a request was rejected at once
                if last is not None:
                    add()
                    return
                deleted.append(game)
            with suppress(JsException):  # the transaction has ended already
                whole.abort()

        with as_unkept():
            if first:
                before = shelf.getKey(to_js([game, first - 1]))
                before.onsuccess = create_once_callable(lambda _: go_on(before.result))
            else:
                add()
        try:
            await complete(whole)
        except Unkept as unkept:
            raise Unkept("deleted" if deleted else unkept.reason) from None

    async def delete(self, game: str) -> None:
        whole = self._begin("readwrite")
        whole.objectStore("games").delete(game)
        whole.objectStore("records").delete(IDBKeyRange.bound(to_js([game, 0]), to_js([game, LAST])))
        await complete(whole)

    async def remembered(self) -> str:
        """Returns the stored text of the settings, or an empty text."""
        return str(await answered(self._begin("readonly").objectStore("settings").get("settings")) or "")

    async def remember(self, text: str) -> None:
        whole = self._begin("readwrite")
        with as_unkept():
            whole.objectStore("settings").put(text, "settings")
        await complete(whole)

    def _begin(self, mode: str) -> Any:
        if self._database is None:
            raise Unkept(self._why)
        return transaction(self._database, ("games", "records", "settings"), mode)


def _lay_out(database: Any) -> None:
    for name in ("games", "records", "settings"):
        database.createObjectStore(name)
