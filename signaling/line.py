"""One client's WebSocket: a queue of frames to send, and a close that works even if the client does not cooperate."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed, InvalidMessage, ProtocolError
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from signaling.frames import dumps
from signaling.limits import KIB, Limits
from signaling.throttle import TokenBucket

WRITTEN_AHEAD = 32 * KIB  # bytes that may wait for the operating system to take them
BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class StrictConnection(ServerConnection):
    """A server connection that is cut soon after the library has failed it (an oversized message, a broken frame).

    The library alone would wait for the other side to close, and go on reading what arrives meanwhile. It would also
    end the connection without a response if the bytes are no HTTP request, and answer every ping. So WebSocket's own
    frames are counted before the library handles them: pings, pongs, and parts of messages. Whole messages are counted
    by the hub; at most `WAITING_FRAMES` of them are read ahead of it.
    """

    _cutting: asyncio.TimerHandle | None = None
    _refused = False

    def __init__(self, limits: Limits, protocol: ServerProtocol, *args: Any, **named: Any) -> None:
        super().__init__(protocol, *args, **named)
        self.has_flooded = False
        self._control_frames = TokenBucket(limits.frames_a_second, limits.control_burst, self.loop.time())
        self._handle_frame = protocol.recv_frame
        protocol.recv_frame = self._count_frame  # type: ignore[method-assign]  # it answers pings

    def send_data(self) -> None:
        if not self._refused and isinstance(self.protocol.handshake_exc, InvalidMessage):
            self._refused = True
            self.transport.write(BAD_REQUEST)
        super().send_data()

    def _count_frame(self, frame: Frame) -> None:
        """Counts a frame before it is handled. Raises `ProtocolError`, which fails the connection, if there are too
        many."""
        if not (frame.opcode is Opcode.TEXT and frame.fin) and not self._control_frames.take(self.loop.time()):
            self.has_flooded = True
            self.protocol.send_text(dumps(["err", "fast"]).encode())
            raise ProtocolError("fast")
        self._handle_frame(frame)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._cutting is None and self.protocol.close_expected():
            self._cutting = self.loop.call_later(self.close_timeout or 0.0, self.transport.abort)


class SocketPort:
    """The port of one client: sends frames in order, at once while the socket takes them, else from a queue.

    A client that reads too slowly is reported by `slow`. `ending` is the task of the close, once it has begun.
    """

    __slots__ = ("_bytes", "_ended", "_holds", "_limits", "_slow", "_socket", "_waiting", "_writer", "ending")

    def __init__(self, socket: ServerConnection, limits: Limits, slow: Callable[[], None]) -> None:
        self._socket, self._limits, self._slow = socket, limits, slow
        self._waiting: deque[str] = deque()
        self._bytes = 0
        self._holds = 0
        self._ended = False
        self._writer: asyncio.Task[None] | None = None
        self.ending: asyncio.Task[None] | None = None

    def send(self, text: str) -> None:
        if self._ended:
            return
        if self._is_free():
            broadcast((self._socket,), text)
            return
        self._waiting.append(text)
        self._bytes += _size(text)
        if len(self._waiting) > self._limits.queued or self._bytes > self._limits.queued_bytes:
            self._ended = True
            self._waiting.clear()
            self._slow()
        else:
            self._wake()

    def _is_free(self) -> bool:
        idle = not self._holds and self._writer is None and not self._waiting
        return idle and self._socket.transport.get_write_buffer_size() < WRITTEN_AHEAD

    def hold(self) -> None:
        self._holds += 1

    def release(self) -> None:
        self._holds = max(0, self._holds - 1)
        self._wake()

    def close(self, code: int, why: str) -> None:
        """Sends the queued frames, then the close frame. Cuts the connection if that takes too long."""
        if self.ending is None:
            self._ended = True
            self._holds = 0
            self._wake()
            self.ending = asyncio.get_running_loop().create_task(self._end(code, why))

    def _wake(self) -> None:
        if self._waiting and not self._holds and self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        try:
            while self._waiting and not self._holds:
                text = self._waiting.popleft()
                self._bytes -= _size(text)
                await self._socket.send(text)
        except ConnectionClosed:
            self._waiting.clear()
        finally:
            self._writer = None

    async def _end(self, code: int, why: str) -> None:
        """Closes with a timeout: the library's own close would wait forever for a client that never reads."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.close_within):
                if self._writer is not None:
                    await self._writer
                await self._socket.close(code, why)
        self._socket.transport.abort()


def _size(text: str) -> int:
    return len(text) if text.isascii() else 4 * len(text)  # upper bound: a wide character widens all
