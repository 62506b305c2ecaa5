"""Waiting for something no longer than so long, in a browser's event loop as in any other."""

from __future__ import annotations

import asyncio
from typing import TypeVar

T = TypeVar("T")


async def within(future: asyncio.Future[T], seconds: float) -> T:
    """What the future brings, or `TimeoutError`.

    `asyncio.wait_for` and `asyncio.timeout` name a moment, and Pyodide refuses one that has passed meanwhile: after a
    pause between the two nobody would be woken. Here only a length of time is named.
    """
    alarm = asyncio.get_running_loop().call_later(seconds, _ring, future)
    try:
        return await future
    finally:
        alarm.cancel()


def _ring(future: asyncio.Future[T]) -> None:
    if not future.done():
        future.set_exception(TimeoutError())
