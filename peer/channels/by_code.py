"""Connections by code: two devices that nothing has introduced to each other.

The device at the other end is unknown until it has proved its keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Nonsense, Refused
from peer.channels.channel import DIRECT, Channel, DirectConnection
from peer.channels.handshake import GREETING, Handshake, send_challenge
from peer.wire.limits import BEFORE_PROOF, Meter

if TYPE_CHECKING:
    from peer.channels.channels import Channels, MakeConnection

MAX_PENDING = 4  # at once
PROOF_WITHIN = 30_000  # milliseconds from the reply to that proof


class CodeConnection:
    """One such connection. It is also the route of its texts."""

    name = DIRECT

    def __init__(self, owner: CodeConnections) -> None:
        self.owner = owner
        self.connection: DirectConnection | None = None
        self.channel: Channel | None = None  # to the device that the greeting named
        self.meter = Meter(owner.directory.now(), BEFORE_PROOF)
        self.deadline = 0  # when it is given up; 0: no limit yet

    def send(self, text: str) -> None:
        if self.connection is not None:
            self.connection.send(text)

    def attach(self, channel: Channel) -> bool:
        return self.owner.adopt(self, channel)


class CodeConnections:
    def __init__(self, channels: Channels, handshake: Handshake, make_connection: MakeConnection | None) -> None:
        self.channels, self.handshake, self.make_connection = channels, handshake, make_connection
        self.directory = handshake.registry
        self.pending: list[CodeConnection] = []

    async def begin(self, offer: bytes | None) -> tuple[CodeConnection, bytes]:
        """Begins a connection. Returns it with its packed offer or, if an offer is given, with the answer to it. Raises
        `Refused`."""
        if self.make_connection is None:
            raise Refused("net.no_direct")
        pending = CodeConnection(self)
        pending.connection = connection = self.make_connection(
            lambda: pending.send(self.handshake.greeting(wants_answer=False)),
            lambda text, characters: self._receive(pending, text, characters),
            lambda: self._closed(pending),
        )
        self.pending.append(pending)
        while len(self.pending) > MAX_PENDING:
            self.drop(self.pending[0])
        try:
            return pending, await (connection.offer() if offer is None else connection.accept(offer))
        except Refused:
            self.drop(pending)
            raise
        except Nonsense as nonsense:
            self.drop(pending)
            raise Refused("net.description") from nonsense

    async def complete(self, pending: CodeConnection, answer: bytes) -> None:
        """Completes a connection with the other side's answer. Raises `Refused`."""
        if pending.connection is None:
            raise Refused("net.code_late")
        pending.deadline = self.directory.now() + PROOF_WITHIN
        try:
            await pending.connection.complete(answer)
        except Nonsense as nonsense:
            self.drop(pending)
            raise Refused("net.description") from nonsense

    def _receive(self, pending: CodeConnection, text: str | None, characters: int) -> None:
        """Counts what has come by this connection, and reads it. Before the other device has proved its keys, a
        connection that exceeds its allowance is closed. See also `Channels.receive_directly`."""
        channels, channel = self.channels, pending.channel
        try:
            if channel is not None and channel.connection is pending.connection:
                channels.receive_directly(channel, text, characters)
            elif pending in self.pending:
                if text is None or not pending.meter.take(self.directory.now(), characters):
                    self._give_up(pending)
                elif text[:1] == GREETING:
                    self._claim(pending, self.handshake.receive_greeting(text, pending))
                elif channel is not None:
                    channels.receive(channel, text, pending)
        except Nonsense as refused:
            channels.count_refusal(refused)

    def _claim(self, pending: CodeConnection, channel: Channel | None) -> None:
        """Notes and challenges the device that a greeting has named; None takes an earlier claim back."""
        pending.channel = channel
        if channel is None:
            self.directory.by_code.pop(pending, None)
        else:
            self.directory.by_code[pending] = channel
            send_challenge(channel, pending, self.directory.now())

    def _closed(self, pending: CodeConnection) -> None:
        channel = pending.channel
        if channel is not None and channel.connection is pending.connection:
            self.channels.connection_closed(channel)
        elif pending in self.pending:
            self._give_up(pending)

    def _give_up(self, pending: CodeConnection) -> None:
        """Drops a connection that never came about, and reports that."""
        self.drop(pending)
        self.channels.user.pairing_missed()

    def adopt(self, pending: CodeConnection, channel: Channel) -> bool:
        """Makes this connection the direct connection of a proven channel. Returns False if it was adopted or dropped
        before."""
        if pending not in self.pending:
            return False
        if channel.muted:
            self.drop(pending)
            return False
        self._forget(pending)
        channel.disconnect()
        channel.connection, channel.by_code = pending.connection, True
        self.channels.connection_opened(channel)
        return True

    def drop(self, pending: CodeConnection) -> None:
        if pending in self.pending:
            self._forget(pending)
            if pending.connection is not None:
                pending.connection.close()

    def _forget(self, pending: CodeConnection) -> None:
        self.pending.remove(pending)
        self.directory.by_code.pop(pending, None)

    def tick(self, now: int) -> None:
        for pending in list(self.pending):
            if pending.deadline and now > pending.deadline:
                self._give_up(pending)

    def close(self) -> None:
        for pending in list(self.pending):
            self.drop(pending)
