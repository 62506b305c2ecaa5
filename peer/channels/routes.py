"""The routes of a channel's texts: the endpoint, another device, or a direct connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from peer.channels.channel import DIRECT, QUIET, Channel
from peer.wire.messages import Relay

if TYPE_CHECKING:
    from peer.channels.channels import Channels


class ViaEndpoint:
    """The route through the endpoint, to the device in one slot."""

    def __init__(self, channels: Channels, slot: int) -> None:
        self.channels, self.slot = channels, slot
        self.name = f"@{slot}"

    def send(self, text: str) -> None:
        if self.channels.endpoint is not None:
            self.channels.endpoint.send(self.slot, text)

    def attach(self, channel: Channel) -> bool:
        """See `Route`. A device that was heard of late keeps its slot: others cannot move it by sending its texts from
        another slot."""
        if channel.slot == self.slot or (channel.slot >= 0 and self.channels.now() - channel.heard_at < QUIET):
            return False
        for other in self.channels.by_key.values():
            if other.slot == self.slot:
                other.slot = -1
        channel.slot = self.slot
        return True


class ViaDevice:
    """The route through a device that reaches both sides."""

    def __init__(self, channels: Channels, relay: Channel, seal_key: str) -> None:
        self.channels, self.relay, self.seal_key = channels, relay, seal_key
        self.name = relay.seal_key

    def send(self, text: str) -> None:
        self.channels.send(self.relay, Relay(self.seal_key, text))

    def attach(self, channel: Channel) -> bool:
        channel.relays.add(self.name)
        channel.last_relay = self.name
        return False


class Direct:
    """The direct connection of the channel itself."""

    name = DIRECT

    def __init__(self, channel: Channel) -> None:
        self.channel = channel

    def send(self, text: str) -> None:
        if self.channel.connection is not None:
            self.channel.connection.send(text)

    def attach(self, channel: Channel) -> bool:
        return False
