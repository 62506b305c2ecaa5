"""Games kept in the browser: IndexedDB, several side by side, records only ever added.

Everything is kept as text (see `saves`): a header under the game's id, each record under [id, number]. `add` refuses a
number that is there already, so two windows on one game cannot overwrite each other. A record counts as kept when its
transaction is complete on the disk's side, not before.
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
LAST = 10_000  # more records than any game has


class Store:
    """The shelf. Opened once; when the browser keeps nothing (private mode), every call says so with `Unkept`."""

    def __init__(self) -> None:
        self._database: Any = None
        self._why = "closed"  # why nothing can be kept, as long as nothing can

    async def open(self) -> None:
        try:
            with as_unkept():
                request = window.indexedDB.open(NAME, VERSION)
            request.onupgradeneeded = create_once_callable(lambda event: _lay_out(event.target.result))
            self._database = await answered(request)
        except Unkept as unkept:
            self._why = unkept.reason
            raise
        # a newer page needs the room: let go rather than block it
        self._database.onversionchange = create_once_callable(
            lambda event: self._let_go("newer" if event.newVersion else "closed")
        )
        # the browser, or the person, threw all away
        self._database.onclose = create_once_callable(lambda _: self._let_go("closed"))

    def _let_go(self, why: str) -> None:
        if self._database is not None:
            self._database.close()
        self._database, self._why = None, why

    async def headers(self) -> list[tuple[str, str]]:
        """Every game's id and header."""
        shelf = self._begin("readonly").objectStore("games")
        keys, values = await asyncio.gather(answered(shelf.getAllKeys()), answered(shelf.getAll()))
        return list(zip(map(str, keys), map(str, values), strict=True))

    async def read(self, game: str) -> tuple[str, list[str]] | None:
        """A game's header and records, in order; None if there is none."""
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
        # a gap is damage, to be found by whoever replays
        return str(header), [found.get(number, "") for number in range(max(found, default=-1) + 1)]

    async def write(self, game: str, header: str, first: int = 0, records: Sequence[str] = ()) -> None:
        """Keep the header, and the records from that number on, or nothing; nothing where those before are gone."""
        whole = self._begin("readwrite")
        shelf, deleted = whole.objectStore("records"), []

        def add() -> None:
            whole.objectStore("games").put(header, game)
            for number, record in enumerate(records, first):
                shelf.add(record, to_js([game, number]))

        def go_on(last: Any) -> None:
            with suppress(JsException):  # refused at once
                if last is not None:
                    add()
                    return
                deleted.append(game)
            with suppress(JsException):  # it is over already
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
        """The settings' text."""
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
