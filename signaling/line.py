"""One client's WebSocket: what waits to be sent, and an end that comes even when the client does not play along."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from signaling.limits import Limits


class Line:
    """Frames go out in order; a writer runs only while some are waiting."""

    __slots__ = ("_bytes", "_ended", "_held", "_limits", "_slow", "_socket", "_waiting", "_writer", "ending")

    def __init__(self, socket: ServerConnection, limits: Limits, slow: Callable[[], None]) -> None:
        self._socket, self._limits, self._slow = socket, limits, slow
        self._waiting: deque[str] = deque()
        self._bytes = 0
        self._held = self._ended = False
        self._writer: asyncio.Task[None] | None = None
        self.ending: asyncio.Task[None] | None = None

    def send(self, text: str) -> None:
        if self._ended:
            return
        self._waiting.append(text)
        self._bytes += len(text)
        if len(self._waiting) > self._limits.queued or self._bytes > self._limits.queued_bytes:
            self._ended = True
            self._waiting.clear()
            self._slow()
        else:
            self._wake()

    def hold(self) -> None:
        self._held = True

    def release(self) -> None:
        self._held = False
        self._wake()

    def close(self, code: int, why: str) -> None:
        """Send what waits, then the close; the line is cut when that takes too long."""
        if self.ending is None:
            self._ended = True
            self.release()
            self.ending = asyncio.get_running_loop().create_task(self._end(code, why))

    def _wake(self) -> None:
        if self._waiting and not self._held and self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        try:
            while self._waiting and not self._held:
                text = self._waiting.popleft()
                self._bytes -= len(text)
                await self._socket.send(text)
        except ConnectionClosed:
            self._waiting.clear()
        finally:
            self._writer = None

    async def _end(self, code: int, why: str) -> None:
        """The library's own close waits for room to write, and so for ever on a client that reads nothing."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.close_within):
                if self._writer is not None:
                    await self._writer
                await self._socket.close(code, why)
        self._socket.transport.abort()
