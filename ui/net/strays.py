"""Connections by code: two that nobody has introduced. Who is at the other end is known when they greet each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from ui.net.line import Line, Peer

if TYPE_CHECKING:
    from ui.net.lines import Lines


class Strays:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.peers: list[Peer] = []

    async def begin(self, offer: bytes | None) -> tuple[Peer, bytes]:
        """Half a connection to whoever gets the code; with an offer, the reply to it."""
        if self.lines.make is None:
            raise Refused("net.no_direct")
        box: list[Peer] = []
        peer = self.lines.make(
            lambda: box[0].send(self.lines.hey(answer=False)),
            lambda text: self._said(box[0], text),
            lambda: self._closed(box[0]),
        )
        box.append(peer)
        self.peers.append(peer)
        return peer, await (peer.offer() if offer is None else peer.accept(offer))

    def _owner(self, peer: Peer) -> Line | None:
        return next((line for line in self.lines.lines.values() if line.peer is peer), None)

    def _said(self, peer: Peer, text: str) -> None:
        try:
            line = self._owner(peer)
            if line is not None:
                if text[:1] != "h":
                    self.lines.read(line, text)
            elif text[:1] == "h" and peer in self.peers:
                self.lines.greeted(text, -1, peer)
        except Refused as refused:
            self.lines.count(refused)

    def _closed(self, peer: Peer) -> None:
        line = self._owner(peer)
        if line is not None:
            self.lines.closed(line)
        elif peer in self.peers:
            self.peers.remove(peer)

    def adopt(self, line: Line, peer: Peer) -> None:
        """It is known whose end this is."""
        self.peers.remove(peer)
        line.drop()
        line.peer = peer
        self.lines.opened(line)

    def close(self) -> None:
        for peer in self.peers:
            peer.close()
