"""The page's side of the service worker sw.js, which stores all files for visits without a network.

It is started when the page is already in use. When a newer version is completely downloaded, the person is told and
decides when to take it. An open page stays with its version: all files but the page itself have names made from their
content.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from js import Date, MessageChannel, Object, document, location, navigator
from pyodide.ffi import create_once_callable, create_proxy, to_js

from peer.browser.promises import Rejected, settled
from peer.timeout import within
from ui.messages import Msg

WORKER = "sw.js"
ANSWER_TIMEOUT = 30  # seconds to wait for an answer from a worker
CHECK_INTERVAL = 3_600_000  # milliseconds: an open page asks the server for a newer version at most this often


class Offline:
    def __init__(self, send: Callable[[Msg], None]) -> None:
        self.send = send
        self._registration: Any = None
        self._last_check = 0.0
        self._full_reported = False
        self._running: set[asyncio.Future[None]] = set()

    async def start(self) -> None:
        """Registers the service worker. If the browser has none, or the server has no such file, the page goes on
        without it and needs a network."""
        if not hasattr(navigator, "serviceWorker"):
            return
        options = to_js({"updateViaCache": "none"}, dict_converter=Object.fromEntries)
        navigator.serviceWorker.addEventListener("message", create_proxy(self._on_message))
        try:
            self._registration = await settled(navigator.serviceWorker, "register", WORKER, options)
        except Rejected:
            return
        self._last_check = float(Date.now())
        self._registration.addEventListener("updatefound", create_proxy(lambda _: self._on_update_found()))
        document.addEventListener("visibilitychange", create_proxy(lambda _: self._on_visible()))
        self._on_update_found()
        await self._on_waiting(self._registration.waiting)
        if self._registration.active:
            # registering an unchanged worker again does not ask the server for a newer one
            await self._update()
            self._registration.active.postMessage("tidy")

    async def load_newer(self) -> None:
        """Activates the newer version and reloads the page, which comes back where it was. Saves remain."""
        waiting = self._registration.waiting if self._registration else None
        if waiting:
            activated = _reached(waiting, "activated")
            waiting.postMessage("go")
            with suppress(TimeoutError):
                await within(activated, ANSWER_TIMEOUT)
        location.reload()

    def _on_message(self, event: Any) -> None:
        """Handles a message of the worker: the page did not fit on the device. Only the first one is shown."""
        if event.data == "full" and not self._full_reported:
            self._full_reported = True
            self.send(Msg("no_room"))

    def _on_update_found(self) -> None:
        worker = self._registration.installing
        if worker:
            self._start_task(self._watch(worker))

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _watch(self, worker: Any) -> None:
        await _reached(worker, "installed")
        await self._on_waiting(worker)

    async def _on_waiting(self, worker: Any) -> None:
        """Handles a worker that waits while another one is active. With this page's version it is activated at once;
        with a newer one the person is told."""
        if not worker or worker.state != "installed" or not self._registration.active:
            return
        with suppress(TimeoutError):
            if await _ask(worker, "version") == document.documentElement.getAttribute("data-version"):
                worker.postMessage("go")
            else:
                self.send(Msg("newer"))

    def _on_visible(self) -> None:
        """Asks for a newer version when a page that has been open for long becomes visible."""
        now = float(Date.now())
        if document.visibilityState == "visible" and now - self._last_check > CHECK_INTERVAL:
            self._last_check = now
            self._start_task(self._update())

    async def _update(self) -> None:
        with suppress(Rejected):  # no network: it is tried again later
            await settled(self._registration, "update")


def _reached(worker: Any, state: str) -> asyncio.Future[None]:
    """Returns a future that is done when the worker is in that state or a later one."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def check(_: Any) -> None:
        if worker.state in (state, "activated", "redundant") and not future.done():
            future.set_result(None)
            worker.removeEventListener("statechange", proxy)

    proxy = create_proxy(check)
    worker.addEventListener("statechange", proxy)
    check(None)
    return future


async def _ask(worker: Any, question: str) -> str:
    channel = MessageChannel.new()
    future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    channel.port1.onmessage = create_once_callable(
        lambda event: None if future.done() else future.set_result(str(event.data))
    )
    worker.postMessage(question, to_js([channel.port2]))
    return await within(future, ANSWER_TIMEOUT)
