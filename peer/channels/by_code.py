"""Connections by code: two that nobody has introduced. Who is at the other end is known when they have proved it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core import Refused
from peer.channels.channel import DIRECT, Line, Peer

if TYPE_CHECKING:
    from peer.channels.channels import Lines

MOST = 4  # at once
TEXTS = 60  # before anybody has proved who they are
LATE = 30_000  # milliseconds from the reply to the first word


class Stray:
    """One such connection. It is the way its texts come, too."""

    name = DIRECT

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.peer: Peer | None = None
        self.line: Line | None = None  # who says to be there
        self.texts = 0
        self.until = 0  # when it is given up

    def say(self, text: str) -> None:
        if self.peer is not None:
            self.peer.send(text)

    def leads_to(self, line: Line) -> bool:
        return self.lines.strays.adopt(self, line)


class Strays:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.strays: list[Stray] = []

    @property
    def named(self) -> Iterator[Line]:
        return (stray.line for stray in self.strays if stray.line is not None)

    async def begin(self, offer: bytes | None) -> tuple[Stray, bytes]:
        """Half a connection to whoever gets the code; with an offer, the reply to it."""
        if self.lines.make is None:
            raise Refused("net.no_direct")
        stray = Stray(self.lines)
        stray.peer = peer = self.lines.make(
            lambda: stray.say(self.lines.door.hey(answer=False)),
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

    async def complete(self, stray: Stray, answer: bytes) -> None:
        """The reply has come. Raises `Refused`."""
        if stray.peer is None:
            raise Refused("net.code_late")
        stray.until = self.lines.now() + LATE
        try:
            await stray.peer.complete(answer)
        except Refused:
            self.drop(stray)
            raise

    def _said(self, stray: Stray, text: str) -> None:
        lines, line = self.lines, stray.line
        try:
            if line is not None and line.peer is stray.peer:
                lines.hear(line, text)
            elif stray in self.strays:
                stray.texts += 1
                if stray.texts > TEXTS:
                    self.drop(stray)
                elif text[:1] == "h":
                    stray.line = lines.door.hint(text, stray)
                    if stray.line is not None:
                        lines.door.ask(stray.line, stray)
                elif line is not None:
                    lines.read(line, text, stray)
        except Refused as refused:
            lines.count(refused)

    def _closed(self, stray: Stray) -> None:
        line = stray.line
        if line is not None and line.peer is stray.peer:
            self.lines.closed(line)
        elif stray in self.strays:
            self._given_up(stray)

    def _given_up(self, stray: Stray) -> None:
        """Nobody came: it is said to whom waits."""
        self.drop(stray)
        self.lines.upper.missed()

    def adopt(self, stray: Stray, line: Line) -> bool:
        """It is known whose end this is."""
        if stray not in self.strays:
            return False
        self.strays.remove(stray)
        line.drop()
        line.peer, line.by_code = stray.peer, True
        self.lines.opened(line)
        return True

    def drop(self, stray: Stray) -> None:
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
