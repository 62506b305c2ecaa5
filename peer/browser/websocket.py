"""The browser's WebSocket to the signaling endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from js import WebSocket
from pyodide.ffi import JsException, create_proxy

from peer.channels.endpoint import LONGEST, Endpoint


class BrowserSocket:
    """Implements `endpoint.Socket`. Any failure to connect is reported as a closed connection."""

    def __init__(self, url: str, endpoint: Endpoint, now: Callable[[], int], pump: Callable[[], None]) -> None:
        self.endpoint, self.now, self.pump = endpoint, now, pump
        self._listeners: list[tuple[str, Any]] = []
        self._is_closed = False
        self.socket: Any = None
        try:
            self.socket = WebSocket.new(url)
        except JsException:  # an invalid address: the same as one where no server answers
            asyncio.get_running_loop().call_soon(self._closed)
            return
        self._listen("open", lambda _: self.endpoint.opened())
        self._listen("message", self._message)
        self._listen("close", lambda _: self._closed())

    def _listen(self, name: str, handler: Callable[[Any], None]) -> None:
        proxy = create_proxy(handler)
        self.socket.addEventListener(name, proxy)
        self._listeners.append((name, proxy))

    def _message(self, event: Any) -> None:
        text = event.data
        if isinstance(text, str) and len(text) <= LONGEST:
            self.endpoint.received(text, self.now())
            self.pump()
        else:
            self.endpoint.flooded(self.now())

    def send(self, text: str) -> None:
        if self.socket is not None and self.socket.readyState == 1:
            self.socket.send(text)

    def close(self) -> None:
        self._end()
        self.endpoint.closed(self.now())

    def _closed(self) -> None:
        if not self._is_closed:
            self._end()
            self.endpoint.closed(self.now())

    def _end(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        for name, proxy in self._listeners:
            self.socket.removeEventListener(name, proxy)
        if self.socket is not None:
            self.socket.close()
        # later, because the function that runs now may be one of them
        asyncio.get_running_loop().call_soon(self._destroy)

    def _destroy(self) -> None:
        for _, proxy in self._listeners:
            proxy.destroy()
        self._listeners.clear()
