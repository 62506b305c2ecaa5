"""The endpoint in a thread of another program, in memory only. The page's own server runs it like this."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

from signaling.hub import Hub
from signaling.limits import Limits
from signaling.node import Node
from signaling.server import Server

# All clients have the same address, this machine's: so the limits per address are those of the whole endpoint
LIMITS = Limits(
    new_rooms=Limits().rooms,
    connections_per_address=Limits().connections,
    roomless_per_address=Limits().connections,
    wrong_codes=Limits().rooms,
)


class Embedded:
    """An endpoint in a thread. `start` returns its port on loopback; `stop` stops it and waits for the thread."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._origins = origins
        self._ready = threading.Event()
        self._port = 0
        self._error: OSError | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_event: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="signaling", daemon=True)

    def start(self) -> int:
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self._port

    def stop(self) -> None:
        if self._loop is not None and self._stop_event is not None:
            self._loop.call_soon_threadsafe(self._stop_event.set)
        self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._stop_event = asyncio.Event()
        async with Server(Node(Hub(LIMITS)), origins=self._origins) as server:
            self._loop, self._port = asyncio.get_running_loop(), server.port
            self._ready.set()
            await self._stop_event.wait()
