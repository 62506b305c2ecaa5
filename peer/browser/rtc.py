"""A direct connection between two browsers: WebRTC with one ordered, reliable channel.

Nothing here waits for the connection's state events: they come late or never. The gathering of addresses ends after
`GATHER` seconds, even if some are missing. Every listener's proxy is destroyed with the connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from js import Object, RTCPeerConnection
from pyodide.ffi import JsException, create_proxy, to_js

from engine.core import Nonsense, Refused
from peer.browser.promises import Rejected, settled
from peer.channels import sdp
from peer.timeout import within

GATHER = 1.5  # seconds
MAX_BUFFERED = 1 << 20  # bytes that may wait in the browser; further messages are dropped, and sent again later
LONGEST = 20_000  # characters of one message


def to_object(value: Any) -> Any:
    """Converts a dictionary to a plain JavaScript object."""
    return to_js(value, dict_converter=Object.fromEntries)


def check_servers(ice: list[dict[str, Any]]) -> None:
    """Raises `Refused` for ICE servers that this browser does not accept."""
    try:
        RTCPeerConnection.new(to_object({"iceServers": ice})).close()
    except JsException as error:
        raise Refused("net.ice") from error


class WebRtcConnection:
    """Implements `channel.DirectConnection`.

    `ice` is the list of ICE servers as the browser takes them; `relayed` hides this device's addresses.
    """

    def __init__(
        self,
        ice: list[dict[str, Any]],
        on_open: Callable[[], None],
        on_message: Callable[[str | None, int], None],
        on_close: Callable[[], None],
        *,
        relayed: bool,
    ) -> None:
        self.on_open, self.on_message, self.on_close = on_open, on_message, on_close
        policy = "relay" if relayed else "all"
        self.connection = RTCPeerConnection.new(to_object({"iceServers": ice, "iceTransportPolicy": policy}))
        # negotiated beforehand: the other side makes the same data channel
        self.channel = self.connection.createDataChannel("game", to_object({"negotiated": True, "id": 0}))
        self.channel.binaryType = "arraybuffer"  # a Blob has no `byteLength`
        self._gathered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._listeners: list[tuple[Any, str, Any]] = []
        self._listen(self.channel, "open", lambda _: self.on_open())
        self._listen(self.channel, "message", self._message)
        self._listen(self.channel, "close", lambda _: self._closed())
        self._listen(self.connection, "icegatheringstatechange", lambda _: self._gathering())
        self._is_closed = False

    def _listen(self, target: Any, name: str, handler: Callable[[Any], None]) -> None:
        proxy = create_proxy(handler)
        target.addEventListener(name, proxy)
        self._listeners.append((target, name, proxy))

    def _message(self, event: Any) -> None:
        """Reports a message with its size, before anything is done with it. Of one that is too long or no text, nothing
        but the size is reported. Closing the connection in the callback ends these events at once."""
        data = event.data
        if isinstance(data, str):
            self.on_message(data if len(data) <= LONGEST else None, len(data))
        else:
            self.on_message(None, data.byteLength)

    def _gathering(self) -> None:
        if self.connection.iceGatheringState == "complete" and not self._gathered.done():
            self._gathered.set_result(None)

    def _closed(self) -> None:
        if not self._is_closed:
            self.on_close()

    async def _describe(self, description: Any) -> bytes:
        await settled(self.connection, "setLocalDescription", description)
        with suppress(TimeoutError):  # the addresses found until then must suffice
            await within(self._gathered, GATHER)
        return sdp.pack(sdp.read(str(self.connection.localDescription.sdp)))

    async def _set_remote(self, kind: str, data: bytes) -> None:
        text = sdp.write(sdp.unpack(data), offer=kind == "offer")
        await settled(self.connection, "setRemoteDescription", to_object({"type": kind, "sdp": text}))

    async def offer(self) -> bytes:
        try:
            return await self._describe(await settled(self.connection, "createOffer"))
        except Rejected as error:
            raise Refused("net.no_direct") from error

    async def accept(self, offer: bytes) -> bytes:
        try:
            await self._set_remote("offer", offer)
            return await self._describe(await settled(self.connection, "createAnswer"))
        except Rejected as error:
            raise Nonsense("net.description") from error

    async def complete(self, answer: bytes) -> None:
        try:
            await self._set_remote("answer", answer)
        except Rejected as error:
            raise Nonsense("net.description") from error

    def send(self, text: str) -> None:
        if self.channel.readyState == "open" and self.channel.bufferedAmount < MAX_BUFFERED:
            self.channel.send(text)

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        for target, name, proxy in self._listeners:
            target.removeEventListener(name, proxy)
        self.channel.close()
        self.connection.close()
        # later, because the function that runs now may be one of them
        asyncio.get_running_loop().call_soon(self._destroy)

    def _destroy(self) -> None:
        for _, _, proxy in self._listeners:
            proxy.destroy()
        self._listeners.clear()
