"""Seating in the lobby: the opener's copy of the lobby counts and is sent to all; guests request seats from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Nonsense, Refused
from peer.channels.channel import Channel
from peer.crypto.keys import to_base64
from peer.game.types import hash_of
from peer.table import lobby as lobbies
from peer.table.lobby import Lobby
from peer.table.news import Refusal
from peer.wire.messages import (
    MAX_VALUE,
    REFUSAL_VALUES,
    LobbyMessage,
    LobbyUpdate,
    RequestRefused,
    Sit,
    Stand,
)

if TYPE_CHECKING:
    from peer.table.table import Table

BROADCAST_PAUSE = 300  # milliseconds between two broadcasts of the lobby, however many requests come


class Seating:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.changed = False  # the lobby has changed since the last broadcast
        self.broadcast_at = -BROADCAST_PAUSE  # time of the last broadcast

    def _open_lobby(self) -> Lobby:
        """Returns the lobby. Raises `Refused` once a game has begun."""
        if self.table.lobby is None or self.table.setup is not None:
            raise Refused("net.started")
        return self.table.lobby

    def _replace_lobby(self, lobby: Lobby) -> None:
        """Replaces the lobby, and broadcasts it now or with a later tick. Only the opener may do this."""
        table = self.table
        if lobby != table.lobby:
            table.lobby, table.header.lobby, self.changed = lobby, lobby.text, True
            if table.now() - self.broadcast_at >= BROADCAST_PAUSE:
                self.tick()

    def tick(self) -> None:
        """Broadcasts and stores the lobby if it has changed."""
        table = self.table
        if self.changed and table.setup is None:
            self.changed, self.broadcast_at = False, table.now()
            table.store_header_soon()
            table.broadcast(LobbyUpdate(table.header.lobby))
            table.changed()

    def names_of(self, seal_key: str) -> str:
        """Returns the names on the seats of that device."""
        spots = self.table.lobby.spots if self.table.lobby is not None else ()
        return ", ".join(spot.name for spot in spots if spot.device == seal_key)

    def has_seat(self, seal_key: str) -> bool:
        return self.table.lobby is not None and any(spot.device == seal_key for spot in self.table.lobby.spots)

    # Requests of this device

    def sit(self, seat: int, name: str) -> None:
        table, lobby = self.table, self._open_lobby()
        token = table.header.tokens.setdefault(str(seat), to_base64(table.env.random(32)))
        claim = hash_of(token)
        updated = lobby.sit(table.keys.seal_key, seat, name, claim)
        if table.opener:
            self._replace_lobby(updated)
        else:
            table.store_header_soon()
            self._request(Sit(seat, name, claim))

    def stand(self, seat: int) -> None:
        table, lobby = self.table, self._open_lobby()
        if table.opener:
            self._replace_lobby(lobby.stand(table.keys.seal_key, seat))
        else:
            self._request(Stand(seat))

    def set_player(self, seat: int, level: str) -> None:
        """Puts a bot of that level on the seat, or frees it for a person. Only the opener may do this."""
        self._replace_lobby(self._open_lobby().set_player(seat, level))

    def _request(self, message: Sit | Stand) -> None:
        """Sends a request to the opener. Raises `Refused` if the opener is not connected."""
        table = self.table
        for channel in table.channels.by_key.values():
            if table.invite.opened_by(channel.verify_key, channel.seal_key):
                table.send(channel, message)
                return
        raise Refused("net.no_opener")

    async def begin(self) -> None:
        """Lays out the first game from the lobby. Only the opener may do this. Raises `Refused`."""
        table = self.table
        verify_keys = {one.seal_key: one.verify_key for one in table.channels.by_key.values()}
        await table.next_game.lay_out(self._open_lobby(), verify_keys | {table.keys.seal_key: table.keys.verify_key}, 1)

    # Messages of other devices

    def on_message(self, channel: Channel, message: LobbyMessage) -> None:
        """Handles a message about the lobby. Ignores it once a game has begun. Raises `Nonsense` for messages that
        no honest device sends, and `Refused` for a lobby that cannot be played here."""
        table = self.table
        opener = table.invite.opened_by(channel.verify_key, channel.seal_key)
        match message:
            case LobbyUpdate(text) if opener:
                if table.setup is None:
                    table.lobby = lobbies.read(text)
                    table.reason = ""
                    table.changed()
            case RequestRefused(reason, values) if opener:
                table.env.tell(Refusal(Refused(reason, **values)))
            case Sit() | Stand() if table.opener:
                if table.setup is None and table.lobby is not None:
                    self._on_request(channel, message, table.lobby)
            case _:
                raise Nonsense("net.not_a_message")

    def _on_request(self, channel: Channel, message: Sit | Stand, lobby: Lobby) -> None:
        """Carries out a guest's request, or answers why it was refused."""
        try:
            self._replace_lobby(lobby.apply_request(channel.seal_key, message))
        except Refused as refused:
            values = {name: str(refused.values[name])[:MAX_VALUE] for name in REFUSAL_VALUES if name in refused.values}
            self.table.send(channel, RequestRefused(refused.reason, values))
