"""Seating in the lobby: the opener's copy of the lobby counts and is sent to all; guests request seats from it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from engine.core import Refused
from peer.channels.channel import Channel
from peer.table.lobby import Lobby
from peer.table.phase import InLobby
from peer.wire.messages import MAX_VALUE, REFUSAL_VALUES, RequestRefused, Sit, Stand

if TYPE_CHECKING:
    from peer.table.table import Table


class Seating:
    """Changes the opener's copy of the lobby, by requests of this device and of others."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.requests = 0  # requests of this device that the opener has not refused

    def take_refusal(self) -> bool:
        """Notes that the opener has refused a request of this device. Returns False if there is none to refuse."""
        if not self.requests:
            return False
        self.requests -= 1
        return True

    def _open_lobby(self) -> Lobby:
        """Returns the lobby. Raises `Refused` once a game has begun."""
        match self.table.phase:
            case InLobby(lobby):
                return lobby
        raise Refused("net.started")

    # Requests of this device

    def sit(self, seat: int, name: str) -> None:
        table, lobby = self.table, self._open_lobby()
        message = Sit(seat, name, table.tokens.claim_for(seat))
        updated = lobby.apply_request(table.keys.seal_key, message)  # raises `Refused` before anything is sent
        if table.opener:
            table.replace_lobby(updated)
        else:
            table.store_header_soon()  # the token of the claim must survive a reload
            self._request(message)

    def stand(self, seat: int) -> None:
        table, lobby = self.table, self._open_lobby()
        if table.opener:
            table.replace_lobby(lobby.stand(table.keys.seal_key, seat))
        else:
            self._request(Stand(seat))

    def stand_up(self) -> None:
        """Frees all seats of this device."""
        match self.table.phase:
            case InLobby(lobby):
                for seat, spot in enumerate(lobby.spots):
                    if spot.device == self.table.keys.seal_key:
                        with suppress(Refused):  # the opener, who would have to be asked, is gone already
                            self.stand(seat)

    def set_player(self, seat: int, level: str) -> None:
        """Puts a bot of that level on the seat, or frees it for a person. Only the opener may do this. Raises
        `Refused`."""
        if not self.table.opener:
            raise Refused("net.only_opener")
        self.table.replace_lobby(self._open_lobby().set_player(seat, level))

    def set_patience(self, minutes: int) -> None:
        """Sets how long a person may think before a bot may answer instead. Only the opener may do this. Raises
        `Refused`."""
        if not self.table.opener:
            raise Refused("net.only_opener")
        self.table.replace_lobby(self._open_lobby().set_patience(minutes))

    def _request(self, message: Sit | Stand) -> None:
        """Sends a request to the opener. Raises `Refused` if the opener is not connected."""
        connections = self.table.connections
        opener = connections.opener()
        if opener is None:
            raise Refused("net.no_opener")
        self.requests += 1
        connections.send(opener, message)

    # Requests of other devices

    def on_request(self, channel: Channel, message: Sit | Stand) -> None:
        """Carries out a guest's request, or answers why it was refused. Ignores it once a game has begun."""
        match self.table.phase:
            case InLobby(lobby):
                try:
                    self.table.replace_lobby(lobby.apply_request(channel.seal_key, message))
                except Refused as refused:
                    self.table.connections.send(channel, _refusal_message(refused))


def _refusal_message(refused: Refused) -> RequestRefused:
    values = {name: str(refused.values[name])[:MAX_VALUE] for name in REFUSAL_VALUES if name in refused.values}
    return RequestRefused(refused.reason, values)
