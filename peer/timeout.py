"""Waiting with a timeout that also works in a browser's event loop."""

from __future__ import annotations

import asyncio
from typing import TypeVar

T = TypeVar("T")


async def within(future: asyncio.Future[T], seconds: float) -> T:
    """Returns the result of the future. Raises `TimeoutError` if it is not done in time.

    `asyncio.wait_for` and `asyncio.timeout` schedule an absolute time, and Pyodide refuses one that has passed in the
    meantime: after a pause between computing and scheduling it the waiting task would never wake up. A delay is safe.
    """
    timer = asyncio.get_running_loop().call_later(seconds, _expire, future)
    try:
        return await future
    finally:
        timer.cancel()


def _expire(future: asyncio.Future[T]) -> None:
    if not future.done():
        future.set_exception(TimeoutError())
