"""Clients for tests: a person with a WebSocket, and strangers with a raw socket that do not keep to the protocol."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

PAGE = "https://play.example.org"
TIMEOUT = 30.0  # seconds; long enough for a busy machine, and never reached if all is well

PEOPLE: ContextVar[list[Person]] = ContextVar("crowd")


def run_scene(scene: Coroutine[Any, Any, None]) -> None:
    """Runs an asynchronous test. All its clients are closed at the end, also if it fails."""

    async def bounded() -> None:
        people: list[Person] = []
        PEOPLE.set(people)
        try:
            async with asyncio.timeout(4 * TIMEOUT):
                await scene
        finally:
            await asyncio.gather(*(person.close() for person in people))

    asyncio.run(bounded())


async def wait_until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Waits until the condition holds, and lets other tasks run meanwhile."""
    async with asyncio.timeout(TIMEOUT):
        while not await condition():
            await asyncio.sleep(0.02)


class Person:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.code = self.token = ""
        self.slot = -1

    async def send(self, *frame: object) -> None:
        await self._socket.send(json.dumps(frame, ensure_ascii=False))

    async def send_raw(self, message: str | bytes) -> None:
        await self._socket.send(message)

    async def send_parts(self, *parts: str) -> None:
        """Sends one message in several frames of WebSocket."""
        await self._socket.send(parts)

    async def send_pongs(self, count: int) -> None:
        for _ in range(count):
            await self._socket.pong()

    async def receive(self) -> list[Any]:
        """Returns the next frame."""
        async with asyncio.timeout(TIMEOUT):
            frame: list[Any] = json.loads(await self._socket.recv())
            return frame

    async def wait_for(self, *start: object) -> list[Any]:
        """Returns the next frame that starts with these items; skips all others."""
        while (frame := await self.receive())[: len(start)] != list(start):
            pass
        return frame

    async def make_room(self) -> str:
        await self.send("create", {})
        return await self._read_room()

    async def join(self, code: str, token: str | None = None) -> list[int]:
        """Returns the slots of the other devices that are present."""
        await self.send("join", code, token)
        await self._read_room()
        return self.others

    async def _read_room(self) -> str:
        frame = await self.receive()
        assert frame[0] == "room", frame
        _, self.code, self.slot, self.others, self.token, *_ = frame
        return self.code

    async def wait_closed(self) -> tuple[int | None, str]:
        """Waits for the end of the connection and returns its close code and reason."""
        async with asyncio.timeout(TIMEOUT):
            with suppress(ConnectionClosed):
                while True:
                    await self._socket.recv()
        return self._socket.close_code, self._socket.close_reason or ""

    async def close(self) -> None:
        await self._socket.close()


async def connect_person(port: int, origin: str | None = PAGE, headers: dict[str, str] | None = None) -> Person:
    page = None if origin is None else Origin(origin)
    address = f"ws://127.0.0.1:{port}/"
    options = {"additional_headers": headers, "proxy": None, "max_queue": None, "close_timeout": 1}
    person = Person(await connect(address, origin=page, **options))
    PEOPLE.get().append(person)
    return person


async def join_with_retry(port: int, code: str, token: str | None = None, *make: str) -> Person:
    """Tries to join until it gets a slot, as a page does that is told to retry."""
    async with asyncio.timeout(TIMEOUT):
        while True:
            person = await connect_person(port)
            await person.send("join", code, token, *make)
            frame = await person.receive()
            if frame[0] == "room":
                _, person.code, person.slot, person.others, person.token, *_ = frame
                return person
            assert frame == ["err", "away"], frame
            await person.close()
            await asyncio.sleep(0.05)


def fetch(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


# Strangers: blocking calls, to be run in threads


def raw_client(port: int) -> socket.socket:
    """Returns a raw socket after the WebSocket handshake."""
    client = socket.socket()
    client.settimeout(TIMEOUT)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # small, so that it is full soon if nothing is read
    client.connect(("127.0.0.1", port))
    client.sendall(
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {PAGE}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: c3BlYWtlYXN5IHRlc3RzIQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += client.recv(1)
    assert answer.startswith(b"HTTP/1.1 101 ")
    return client


def masked(payload: bytes, kind: int = 0x81) -> bytes:
    """Returns a WebSocket frame, masked as a client must send it: a text, or one with another first byte."""
    size = len(payload)
    head = bytes([kind, 0x80 | size]) if size < 126 else bytes([kind, 0xFE]) + size.to_bytes(2, "big")
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[place & 3] for place, byte in enumerate(payload))


def flood(port: int, payload: bytes) -> None:
    """Sends without reading until the connection is cut."""
    with raw_client(port) as client, suppress(ConnectionError):
        frames = masked(payload) * 50
        while True:
            client.sendall(frames)
