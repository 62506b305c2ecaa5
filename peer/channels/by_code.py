"""Connections by code: two devices that nothing has introduced to each other.

The device at the other end is unknown until it has proved its keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core import Refused
from peer.channels.channel import DIRECT, Channel, DirectConnection

if TYPE_CHECKING:
    from peer.channels.channels import Channels

MOST = 4  # at once
TEXTS = 60  # texts that may come before the other device has proved its keys
LATE = 30_000  # milliseconds from the reply to that proof


class CodeConnection:
    """One such connection. It is also the route of its texts."""

    name = DIRECT

    def __init__(self, lines: Channels) -> None:
        self.lines = lines
        self.peer: DirectConnection | None = None
        self.line: Channel | None = None  # to the device that the greeting named
        self.texts = 0
        self.until = 0  # when it is given up; 0: no limit yet

    def say(self, text: str) -> None:
        if self.peer is not None:
            self.peer.send(text)

    def leads_to(self, line: Channel) -> bool:
        return self.lines.by_code.adopt(self, line)


class CodeConnections:
    def __init__(self, lines: Channels) -> None:
        self.lines = lines
        self.strays: list[CodeConnection] = []

    @property
    def named(self) -> Iterator[Channel]:
        return (stray.line for stray in self.strays if stray.line is not None)

    async def begin(self, offer: bytes | None) -> tuple[CodeConnection, bytes]:
        """Begins a connection. Returns it with its packed offer or, if an offer is given, with the answer to it. Raises
        `Refused`."""
        if self.lines.make is None:
            raise Refused("net.no_direct")
        stray = CodeConnection(self.lines)
        stray.peer = peer = self.lines.make(
            lambda: stray.say(self.lines.handshake.hey(answer=False)),
            lambda text: self._said(stray, text),
            lambda: self._closed(stray),
        )
        self.strays.append(stray)
        while len(self.strays) > MOST:
            self.drop(self.strays[0])
        try:
            return stray, await (peer.offer() if offer is None else peer.accept(offer))
        except Refused:
            self.drop(stray)
            raise

    async def complete(self, stray: CodeConnection, answer: bytes) -> None:
        """Completes a connection with the other side's answer. Raises `Refused`."""
        if stray.peer is None:
            raise Refused("net.code_late")
        stray.until = self.lines.now() + LATE
        try:
            await stray.peer.complete(answer)
        except Refused:
            self.drop(stray)
            raise

    def _said(self, stray: CodeConnection, text: str) -> None:
        lines, line = self.lines, stray.line
        try:
            if line is not None and line.peer is stray.peer:
                lines.hear(line, text)
            elif stray in self.strays:
                stray.texts += 1
                if stray.texts > TEXTS:
                    self.drop(stray)
                elif text[:1] == "h":
                    stray.line = lines.handshake.hint(text, stray)
                    if stray.line is not None:
                        lines.handshake.ask(stray.line, stray)
                elif line is not None:
                    lines.read(line, text, stray)
        except Refused as refused:
            lines.count(refused)

    def _closed(self, stray: CodeConnection) -> None:
        line = stray.line
        if line is not None and line.peer is stray.peer:
            self.lines.closed(line)
        elif stray in self.strays:
            self._given_up(stray)

    def _given_up(self, stray: CodeConnection) -> None:
        """Drops a connection that never came about, and reports that."""
        self.drop(stray)
        self.lines.user.missed()

    def adopt(self, stray: CodeConnection, line: Channel) -> bool:
        """Makes this connection the direct connection of a proven channel. Returns False if it was adopted or dropped
        before."""
        if stray not in self.strays:
            return False
        self.strays.remove(stray)
        line.drop()
        line.peer, line.by_code = stray.peer, True
        self.lines.opened(line)
        return True

    def drop(self, stray: CodeConnection) -> None:
        if stray in self.strays:
            self.strays.remove(stray)
            if stray.peer is not None:
                stray.peer.close()

    def tick(self, now: int) -> None:
        for stray in list(self.strays):
            if stray.until and now > stray.until:
                self._given_up(stray)

    def close(self) -> None:
        for stray in list(self.strays):
            self.drop(stray)
