"""Admission: the devices in a game let in a device that comes later, to look on or to claim a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Nonsense
from peer.channels.channel import Channel
from peer.crypto.keys import SignedText
from peer.game.types import claim_of
from peer.table.joining import request_text
from peer.wire.bodies import MAX_DEVICES
from peer.wire.messages import JoinAnswer, TableFull

if TYPE_CHECKING:
    from peer.table.table import Table

RESERVED_PLACES = 8  # of the `MAX_DEVICES` places at a table: reserved for devices that bring the permit of a seat


class Admission:
    """Lets in the devices that send a join request (`joining.py`) to this one."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.proposed: set[str] = set()  # seal keys of devices whose admission was proposed, until it is committed

    def on_request(self, channel: Channel, signature: str, permits: tuple[str, ...]) -> None:
        """Handles a join request."""
        game = self.table.game
        if game is not None and not game.unconfirmed:
            signed_request = SignedText((channel.verify_key,), request_text(channel.seal_key), signature)
            self.table.run(self._admit(channel, signed_request, permits))

    async def _admit(self, channel: Channel, signed_request: SignedText, permits: tuple[str, ...]) -> None:
        """Lets a device in to look on; it claims seats itself once the log has given it a number. Answers how many
        devices are missing if there is no majority to let it in. Some places are reserved for devices that bring the
        permit of a seat."""
        connections = self.table.connections
        if not await self.table.env.proven([signed_request]):
            connections.channels.strike(channel, Nonsense("net.forged"))
            return
        game = self.table.game
        if game is None:
            return
        self.table.tokens.go_on_alone(permits)  # its permits may prove that the other device gave its seats away
        if game.number_of(channel.seal_key) >= 0:
            connections.send(channel, JoinAnswer(0))
            return
        state = game.device.state
        places = MAX_DEVICES if state.claims.keys() & {*map(claim_of, permits)} else MAX_DEVICES - RESERVED_PLACES
        if len(state.devices) >= places:
            connections.send(channel, TableFull())
            return
        game.join(channel.verify_key, channel.seal_key)
        self.proposed.add(channel.seal_key)
        missing = game.missing_devices(connections.state)
        if missing:
            connections.send(channel, JoinAnswer(missing))

    def on_applied(self) -> None:
        """Answers the devices whose admission is now committed. Called when new entries have been applied."""
        game, connections = self.table.game, self.table.connections
        self.proposed &= connections.channels.by_key.keys()
        for seal_key in [key for key in self.proposed if game is not None and game.number_of(key) >= 0]:
            self.proposed.discard(seal_key)
            connections.send(connections.channels.by_key[seal_key], JoinAnswer(0))
