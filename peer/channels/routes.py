"""The routes of a channel's texts: the endpoint, another device, or a direct connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from peer.channels.channel import DIRECT, QUIET, Channel

if TYPE_CHECKING:
    from peer.channels.channels import Channels


class ViaEndpoint:
    """The route through the endpoint, to the device in one slot."""

    def __init__(self, lines: Channels, seat: int) -> None:
        self.lines, self.seat = lines, seat
        self.name = f"@{seat}"

    def say(self, text: str) -> None:
        if self.lines.endpoint is not None:
            self.lines.endpoint.say(self.seat, text)

    def leads_to(self, line: Channel) -> bool:
        """See `Route`. A device that was heard of late keeps its slot: others cannot move it by sending its texts from
        another slot."""
        if line.seat == self.seat or (line.seat >= 0 and self.lines.now() - line.heard < QUIET):
            return False
        for other in self.lines.by_key.values():
            if other.seat == self.seat:
                other.seat = -1
        line.seat = self.seat
        return True


class ViaDevice:
    """The route through a device that reaches both sides."""

    def __init__(self, lines: Channels, by: Channel, lock: str) -> None:
        self.lines, self.by, self.seal_key = lines, by, lock
        self.name = by.seal_key

    def say(self, text: str) -> None:
        self.lines.send(self.by, ["v", self.seal_key, text])

    def leads_to(self, line: Channel) -> bool:
        line.through.add(self.name)
        line.way = self.name
        return False


class Direct:
    """The direct connection of the channel itself."""

    name = DIRECT

    def __init__(self, line: Channel) -> None:
        self.line = line

    def say(self, text: str) -> None:
        if self.line.peer is not None:
            self.line.peer.send(text)

    def leads_to(self, line: Channel) -> bool:
        return False
