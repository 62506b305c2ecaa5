"""Making direct connections: an offer is sent and an answer comes back, by whatever route there is."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from engine.core import Nonsense, Refused
from peer.channels.channel import Channel, DirectConnection
from peer.wire.messages import Answer, Decline, Offer

if TYPE_CHECKING:
    from peer.channels.channels import Channels


class Dialing:
    def __init__(self, channels: Channels) -> None:
        self.channels = channels
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _make_connection(self, channel: Channel) -> DirectConnection | None:
        """Makes a new connection for this channel; reports of an older one are ignored from now on. Returns None if
        this device makes no direct connections."""
        channels = self.channels
        if channels.make_connection is None:
            return None
        channel.disconnect()
        channel.tried_at = channels.now()
        current: list[DirectConnection] = []

        def is_current() -> bool:
            return bool(current) and channel.connection is current[0]

        connection = channels.make_connection(
            lambda: channels.connection_opened(channel) if is_current() else None,
            lambda text, characters: channels.receive_directly(channel, text, characters) if is_current() else None,
            lambda: channels.connection_closed(channel) if is_current() else None,
        )
        current.append(connection)
        channel.connection = connection
        return connection

    async def dial(self, channel: Channel) -> None:
        channel.attempt += 1
        channel.tries += 1
        attempt = channel.attempt
        connection: DirectConnection | None = None
        try:
            connection = self._make_connection(channel)
            offer = await connection.offer() if connection is not None else b""
        except (Nonsense, Refused) as refused:
            self._failed(channel, connection, refused)
            return
        if connection is not None and channel.connection is connection:
            self.channels.send(channel, Offer(attempt, offer))

    async def answer(self, channel: Channel, attempt: int, offer: bytes) -> None:
        channel.attempt = attempt
        connection: DirectConnection | None = None
        try:
            connection = self._make_connection(channel)
            answer = await connection.accept(offer) if connection is not None else b""
        except (Nonsense, Refused) as refused:
            self._failed(channel, connection, refused)
            return
        if connection is None:
            self.channels.send(channel, Decline())
        elif channel.connection is connection:
            self.channels.send(channel, Answer(attempt, answer))

    async def complete(self, channel: Channel, connection: DirectConnection, answer: bytes) -> None:
        try:
            await connection.complete(answer)
        except (Nonsense, Refused) as refused:
            self._failed(channel, connection, refused)

    def _failed(self, channel: Channel, connection: DirectConnection | None, refused: Nonsense | Refused) -> None:
        """Counts the failure. Closes the channel's connection only if it is still the one that failed."""
        self.channels.count_refusal(refused)
        if channel.connection is connection:
            self.channels.connection_closed(channel)
