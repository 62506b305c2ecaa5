"""A device that is no browser: the same protocol code in CPython, with aiortc for WebRTC and websockets for the
endpoint.

It runs in a thread with an event loop of its own; `PythonDevice.run` runs a coroutine there and waits for its result.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import threading
import time
import urllib.request
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from urllib.parse import urlsplit

from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from engine.bots import choose
from peer.channels import invite, sdp
from peer.channels.endpoint import Endpoint
from peer.crypto.keys import Keys, PlainKeys, SignedText, plain_verify, to_base64
from peer.order.outputs import Timing
from peer.table.header import Header
from peer.table.lobby import Lobby
from peer.table.news import TableEvent
from peer.table.table import Table

TIMEOUT = 60


class AioConnection:
    """A `channel.DirectConnection` made with aiortc."""

    def __init__(
        self, on_open: Callable[[], None], on_message: Callable[[str | None, int], None], on_close: Callable[[], None]
    ) -> None:
        self.connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.channel = self.connection.createDataChannel("game", negotiated=True, id=0)
        self.channel.on("open", on_open)
        self.channel.on("message", lambda text: on_message(text, len(text)))
        self.channel.on("close", on_close)
        self.tasks: set[asyncio.Task[None]] = set()

    async def _set_local(self, description: RTCSessionDescription) -> bytes:
        await self.connection.setLocalDescription(description)
        return sdp.pack(sdp.read(self.connection.localDescription.sdp))

    async def _set_remote(self, kind: str, data: bytes) -> None:
        text = sdp.write(sdp.unpack(data), offer=kind == "offer")
        await self.connection.setRemoteDescription(RTCSessionDescription(text, kind))

    async def offer(self) -> bytes:
        return await self._set_local(await self.connection.createOffer())

    async def accept(self, offer: bytes) -> bytes:
        await self._set_remote("offer", offer)
        return await self._set_local(await self.connection.createAnswer())

    async def complete(self, answer: bytes) -> None:
        await self._set_remote("answer", answer)

    def send(self, text: str) -> None:
        if self.channel.readyState == "open":
            self.channel.send(text)

    def close(self) -> None:
        self.channel.remove_all_listeners()
        task = asyncio.get_running_loop().create_task(self.connection.close())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


class WebSocketsSocket:
    """An `endpoint.Socket` made with the websockets library."""

    def __init__(self, url: str, origin: str, endpoint: Endpoint, now: Callable[[], int]) -> None:
        self.endpoint, self.now = endpoint, now
        self.out: asyncio.Queue[str | None] = asyncio.Queue()
        self.task = asyncio.get_running_loop().create_task(self._run(url, origin))

    async def _run(self, url: str, origin: str) -> None:
        async with connect(url, origin=Origin(origin), proxy=None) as socket:
            writer = asyncio.get_running_loop().create_task(self._write(socket))
            self.endpoint.opened()
            try:
                async for text in socket:
                    self.endpoint.received(str(text), self.now())
            except ConnectionClosed:
                pass
            writer.cancel()
        self.endpoint.closed(self.now())

    async def _write(self, socket: Any) -> None:
        while (text := await self.out.get()) is not None:
            await socket.send(text)
        await socket.close()

    def send(self, text: str) -> None:
        self.out.put_nowait(text)

    def close(self) -> None:
        self.out.put_nowait(None)


class PythonDevice:
    """A `ports.Environment` for a table, with the thread and the event loop it runs in."""

    def __init__(self, page: str) -> None:
        with urllib.request.urlopen(page) as answer:
            found = re.search(r'data-version="(\w+)"', answer.read().decode())
        self.build = found[1] if found else ""
        where = urlsplit(page)
        url, origin = f"ws://{where.netloc}/signaling", f"http://{where.netloc}"
        self.dial = lambda endpoint: WebSocketsSocket(url, origin, endpoint, self.now)
        self.make = lambda *callbacks: AioConnection(*callbacks)
        self.timing = Timing()
        self.events: list[TableEvent] = []
        self.table: Table
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(TIMEOUT)

    def now(self) -> int:
        return int(time.monotonic() * 1000)

    def random(self, size: int) -> bytes:
        return secrets.token_bytes(size)

    async def sign(self, keys: Keys, data: bytes) -> str:
        return keys.sign(data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return all(claim.is_genuine(plain_verify) for claim in claims)

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        """Stores nothing: this device is never restarted."""

    def tell(self, event: TableEvent) -> None:
        self.events.append(event)

    async def open_table(self, lobby: Lobby) -> str:
        """Opens a table and takes its first seat. Returns the fragment of the table's link."""
        self.table = Table.create(self, PlainKeys, lobby)
        self.table.start()
        async with asyncio.timeout(TIMEOUT):
            while self.table.news().endpoint != "in":
                await asyncio.sleep(0.01)
        self.table.seating.sit(0, "Python")
        return self.table.invite.fragment

    async def join_table(self, fragment: str, seat: int) -> None:
        """Joins the table of a link and takes a seat."""
        link = invite.read(fragment.removeprefix("r="))
        seed = self.random(32)
        self.table = Table(self, PlainKeys(seed), Header(link.code, link.secret, to_base64(seed)))
        self.table.start()
        async with asyncio.timeout(TIMEOUT):
            while self.table.lobby is None:
                await asyncio.sleep(0.01)
        self.table.seating.sit(seat, "Python")

    async def begin(self) -> None:
        async with asyncio.timeout(TIMEOUT):
            while self.table.lobby is None or not self.table.lobby.full:
                await asyncio.sleep(0.01)
        await self.table.laying_out.begin()

    async def answer_if_asked(self) -> None:
        """Answers if one of this device's seats is asked."""
        game = self.table.game
        for seat in game.own_seats if game is not None else ():
            if game is not None and game.device.possible_answers(seat):
                game.answer(seat, choose(game.device.private.views[seat], seat, "b2", "e2e"))

    async def wait_until_direct(self) -> None:
        """Waits until all channels are direct."""
        async with asyncio.timeout(TIMEOUT):
            while {self.table.connections.state(lock) for lock in self.table.channels.by_key} != {"direct"}:
                await asyncio.sleep(0.01)

    async def leave(self) -> None:
        self.table.leave()
        await asyncio.sleep(0)

    async def wait_for_tasks(self) -> None:
        """Waits until the remaining tasks have ended: connections are closed."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(others, timeout=TIMEOUT / 2) if others else None

    def stop(self) -> None:
        self.run(self.leave())
        self.run(self.wait_for_tasks())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
