"""Making direct connections: an offer is sent and an answer comes back, by whatever route there is."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from engine.core import Refused
from peer.channels.channel import Channel, DirectConnection
from peer.crypto.keys import to_base64

if TYPE_CHECKING:
    from peer.channels.channels import Channels


class Dialing:
    def __init__(self, lines: Channels) -> None:
        self.lines = lines
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _peer(self, line: Channel) -> DirectConnection | None:
        """Makes a new connection for this channel; reports of an older one are ignored from now on. Returns None if
        this device makes no direct connections."""
        lines = self.lines
        if lines.make is None:
            return None
        line.drop()
        line.tried_at = lines.now()
        peer: list[DirectConnection] = []

        def mine() -> bool:
            return bool(peer) and line.peer is peer[0]

        made = lines.make(
            lambda: lines.opened(line) if mine() else None,
            lambda text: lines.hear(line, text) if mine() else None,
            lambda: lines.closed(line) if mine() else None,
        )
        peer.append(made)
        line.peer = made
        return made

    async def dial(self, line: Channel) -> None:
        line.attempt += 1
        line.tries += 1
        attempt = line.attempt
        peer: DirectConnection | None = None
        try:
            peer = self._peer(line)
            offer = await peer.offer() if peer is not None else b""
        except Refused as refused:
            self._failed(line, peer, refused)
            return
        if peer is not None and line.peer is peer:
            self.lines.send(line, ["o", attempt, to_base64(offer)])

    async def answer(self, line: Channel, attempt: int, offer: bytes) -> None:
        line.attempt = attempt
        peer: DirectConnection | None = None
        try:
            peer = self._peer(line)
            answer = await peer.accept(offer) if peer is not None else b""
        except Refused as refused:
            self._failed(line, peer, refused)
            return
        if peer is None:
            self.lines.send(line, ["x"])
        elif line.peer is peer:
            self.lines.send(line, ["a", attempt, to_base64(answer)])

    async def complete(self, line: Channel, peer: DirectConnection, answer: bytes) -> None:
        try:
            await peer.complete(answer)
        except Refused as refused:
            self._failed(line, peer, refused)

    def _failed(self, line: Channel, peer: DirectConnection | None, refused: Refused) -> None:
        """Counts the failure. Closes the channel's connection only if it is still the one that failed."""
        self.lines.count(refused)
        if line.peer is peer:
            self.lines.closed(line)
