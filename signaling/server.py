"""The WebSocket server of a node, with /health and /metrics on the same port."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import Coroutine, Sequence
from functools import partial
from http import HTTPStatus
from types import TracebackType
from typing import Any

from websockets.asyncio import server as websockets
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Origin

from signaling.hub import FAST
from signaling.line import SocketPort, StrictConnection
from signaling.metrics import metrics
from signaling.node import Node
from signaling.throttle import counted_address
from signaling.well_formed import is_well_formed

ANY = "*"
TICK = 5.0
PING_EVERY = 25.0
PONG_WITHIN = 20.0
HANDSHAKE_WITHIN = 5.0
WAITING_FRAMES = 8  # frames read ahead of the hub; then reading pauses until it has caught up
RESTART = 1012
PLAIN = "text/plain; version=0.0.4; charset=utf-8"

log = logging.getLogger("speakeasy.signaling")
# Failed WebSocket handshakes are not worth a log entry
handshake_log = logging.getLogger("speakeasy.signaling.strangers")
handshake_log.setLevel(logging.CRITICAL)


class Server:
    """The server: `async with Server(node, origins=[…]) as server:` listens at `server.port`.

    `proxies` is the number of own load balancers that add to X-Forwarded-For.
    """

    def __init__(
        self, node: Node, *, origins: Sequence[str], host: str = "127.0.0.1", port: int = 0, proxies: int = 0
    ) -> None:
        self.node, self.host, self.port = node, host, port
        self._origins = None if ANY in origins else [Origin(origin) for origin in origins]
        self._proxies = proxies
        self._numbers = itertools.count(1)
        self._ports: dict[int, SocketPort] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False
        self._server: websockets.Server | None = None

    async def __aenter__(self) -> Server:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        await self.node.start()
        self._server = await websockets.serve(
            self._serve,
            self.host,
            self.port,
            origins=self._origins,
            process_request=self._respond,
            # mypy: the library only calls it, with the arguments of the class
            create_connection=partial(StrictConnection, self.node.hub.limits),  # type: ignore[arg-type]
            # sealed frames do not shrink, and every compressor costs 70 kB
            compression=None,
            max_size=self.node.hub.limits.frame_bytes,
            max_queue=WAITING_FRAMES,
            open_timeout=HANDSHAKE_WITHIN,
            ping_interval=PING_EVERY,
            ping_timeout=PONG_WITHIN,
            close_timeout=self.node.hub.limits.close_within,
            server_header=None,
            logger=handshake_log,
        )
        self.port = self._server.sockets[0].getsockname()[1]
        self._start_task(self._tick())

    async def stop(self) -> None:
        """Accepts no more connections, hands the rooms over, closes all connections with `RESTART` and stops."""
        if self._server is None:
            return
        self._stopping = True
        for task in self._tasks:
            task.cancel()
        self._server.close(close_connections=False)
        await self.node.stop()
        ports = list(self._ports.values())
        for port in ports:
            port.close(RESTART, "restart")
        await asyncio.gather(*(line.ending for line in ports if line.ending is not None))
        await self._server.wait_closed()

    # One client

    async def _serve(self, socket: ServerConnection) -> None:
        number = next(self._numbers)
        port = SocketPort(socket, self.node.hub.limits, lambda: self._start_task(self.node.cut(number, "slow")))
        self._ports[number] = port
        try:
            await self.node.connect(number, counted_address(self._address(socket)), port)
            if self._stopping:
                port.close(RESTART, "restart")
            async for frame in socket:
                # a binary message is refused like any other invalid frame
                await self.node.receive(number, frame if isinstance(frame, str) else "")
        except ConnectionClosed:
            log.debug("a line broke")
        finally:
            if isinstance(socket, StrictConnection) and socket.has_flooded:
                await self.node.cut(number, FAST)
            await self.node.drop(number)
            if port.ending is not None:
                await port.ending
            del self._ports[number]

    def _address(self, socket: ServerConnection) -> str:
        """Returns the client's address: behind own load balancers, as the outermost of them has seen it."""
        if self._proxies and socket.request is not None:
            forwarded = ",".join(socket.request.headers.get_all("X-Forwarded-For")).split(",")
            if len(forwarded) >= self._proxies and forwarded[-self._proxies].strip():
                return forwarded[-self._proxies].strip()
        return str((socket.remote_address or ("unknown",))[0])

    # Other tasks and pages

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            await self.node.tick()

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _respond(self, socket: ServerConnection, request: Request) -> Response | None:
        if not is_well_formed(request.path, request.headers.raw_items(), needs_host=request.protocol != "HTTP/1.0"):
            return socket.respond(HTTPStatus.BAD_REQUEST, "Not a valid request.\n")
        match request.path.partition("?")[0]:
            case "/health":
                return self._health(socket)
            case "/metrics":
                return _with_type(socket.respond(HTTPStatus.OK, metrics(self.node)), PLAIN)
        return None

    def _health(self, socket: ServerConnection) -> Response:
        """Responds 503 only while the server stops: without Redis it still serves its own rooms."""
        status = HTTPStatus.SERVICE_UNAVAILABLE if self._stopping else HTTPStatus.OK
        body = {"status": "stopping" if self._stopping else "ok", "redis": self.node.redis_state()}
        return _with_type(socket.respond(status, json.dumps(body) + "\n"), "application/json")


def _with_type(response: Response, kind: str) -> Response:
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = kind
    response.headers["Cache-Control"] = "no-store"
    return response
