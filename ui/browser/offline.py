"""The page's side of sw.js, which keeps everything for a visit without a network: it is started once the page is live,
and a newer version that has arrived whole is told to the person, who decides when to take it.

A page stays with its version as long as it is open: every file but the page itself is named after its content.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from js import Date, MessageChannel, Object, document, location, navigator
from pyodide.ffi import JsException, create_once_callable, create_proxy, to_js

from peer.timeout import within
from ui.messages import Msg

WORKER = "sw.js"
PATIENCE = 30  # seconds for an answer from a worker
AGAIN = 3_600_000  # ms: how long an open page goes without asking the host for a newer version


class Offline:
    def __init__(self, send: Callable[[Msg], None]) -> None:
        self.send = send
        self._registration: Any = None
        self._asked = 0.0
        self._full = False
        self._running: set[asyncio.Future[None]] = set()

    async def start(self) -> None:
        """Have the page kept. A browser that does not, or a host without the file, leaves a page that needs a
        network."""
        if not hasattr(navigator, "serviceWorker"):
            return
        options = to_js({"updateViaCache": "none"}, dict_converter=Object.fromEntries)
        navigator.serviceWorker.addEventListener("message", create_proxy(self._told))
        try:
            self._registration = await navigator.serviceWorker.register(WORKER, options)
        except JsException:
            return
        self._asked = float(Date.now())
        self._registration.addEventListener("updatefound", create_proxy(lambda _: self._found()))
        document.addEventListener("visibilitychange", create_proxy(lambda _: self._seen()))
        self._found()
        await self._met(self._registration.waiting)
        if self._registration.active:
            # to register again what is registered does not ask the host
            await self._update()
            self._registration.active.postMessage("tidy")

    async def take(self) -> None:
        """Go on with the newer version: games are kept, the page comes back where it was."""
        waiting = self._registration.waiting if self._registration else None
        if waiting:
            there = _changed(waiting, "activated")
            waiting.postMessage("go")
            with suppress(TimeoutError):
                await within(there, PATIENCE)
        location.reload()

    def _told(self, event: Any) -> None:
        """What the worker says by itself: the page did not fit on the device. Once is enough."""
        if event.data == "full" and not self._full:
            self._full = True
            self.send(Msg("no_room"))

    def _found(self) -> None:
        worker = self._registration.installing
        if worker:
            self._begin(self._watch(worker))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _watch(self, worker: Any) -> None:
        await _changed(worker, "installed")
        await self._met(worker)

    async def _met(self, worker: Any) -> None:
        """A version that waits while another is in use: this page's own needs no word, a newer one does."""
        if not worker or worker.state != "installed" or not self._registration.active:
            return
        with suppress(TimeoutError):
            if await _ask(worker, "version") == document.documentElement.getAttribute("data-version"):
                worker.postMessage("go")
            else:
                self.send(Msg("newer"))

    def _seen(self) -> None:
        """Somebody looks at a page that has been open for long: is there something new?"""
        now = float(Date.now())
        if document.visibilityState == "visible" and now - self._asked > AGAIN:
            self._asked = now
            self._begin(self._update())

    async def _update(self) -> None:
        with suppress(JsException):  # no network: another time
            await self._registration.update()


def _changed(worker: Any, state: str) -> asyncio.Future[None]:
    """Until the worker is in that state, or past it."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def look(_: Any) -> None:
        if worker.state in (state, "activated", "redundant") and not future.done():
            future.set_result(None)
            worker.removeEventListener("statechange", proxy)

    proxy = create_proxy(look)
    worker.addEventListener("statechange", proxy)
    look(None)
    return future


async def _ask(worker: Any, question: str) -> str:
    channel = MessageChannel.new()
    future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    channel.port1.onmessage = create_once_callable(
        lambda event: None if future.done() else future.set_result(str(event.data))
    )
    worker.postMessage(question, to_js([channel.port2]))
    return await within(future, PATIENCE)
