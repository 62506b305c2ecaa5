"""Seating in the lobby: the opener's copy of the lobby counts and is sent to all; guests request seats from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import Refused
from peer.channels.channel import Channel
from peer.crypto.keys import to_base64
from peer.game.types import hash_of
from peer.table import lobby as lobbies
from peer.table.lobby import Lobby

if TYPE_CHECKING:
    from peer.table.table import Table

TOLD = ("who", "most", "seat")  # the values a refusal may bring: they fill placeholders in a text of this page
PAUSE = 300  # milliseconds between two broadcasts of the lobby, however many requests come


class Seating:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.laid = False  # the lobby has changed since the last broadcast
        self.told = -PAUSE  # time of the last broadcast

    def _lobby(self) -> Lobby:
        """Returns the lobby. Raises `Refused` once a game has begun."""
        if self.table.lobby is None or self.table.setup is not None:
            raise Refused("net.started")
        return self.table.lobby

    def _lay(self, lobby: Lobby) -> None:
        """Replaces the lobby, and broadcasts it now or with a later tick. Only the opener may do this."""
        table = self.table
        if lobby != table.lobby:
            table.lobby, table.header.lobby, self.laid = lobby, lobby.text, True
            if table.now() - self.told >= PAUSE:
                self.tick()

    def tick(self) -> None:
        """Broadcasts and stores the lobby if it has changed."""
        table = self.table
        if self.laid and table.setup is None:
            self.laid, self.told = False, table.now()
            table.keep_header()
            table.everybody(["table", table.header.lobby])
            table.changed()

    def name(self, lock: str) -> str:
        """Returns the names on the seats of that device."""
        spots = self.table.lobby.spots if self.table.lobby is not None else ()
        return ", ".join(spot.name for spot in spots if spot.device == lock)

    def holds(self, lock: str) -> bool:
        return self.table.lobby is not None and any(spot.device == lock for spot in self.table.lobby.spots)

    # Requests of this device

    def sit(self, seat: int, name: str) -> None:
        table, lobby = self.table, self._lobby()
        token = table.header.tokens.setdefault(str(seat), to_base64(table.env.random(32)))
        claim = hash_of(token)
        taken = lobby.sit(table.keys.seal_key, seat, name, claim)
        if table.opener:
            self._lay(taken)
        else:
            table.keep_header()
            self._ask(["sit", seat, name, claim])

    def stand(self, seat: int) -> None:
        table, lobby = self.table, self._lobby()
        if table.opener:
            self._lay(lobby.stand(table.keys.seal_key, seat))
        else:
            self._ask(["stand", seat])

    def plays(self, seat: int, level: str) -> None:
        """Puts a bot of that level on the seat, or frees it for a person. Only the opener may do this."""
        self._lay(self._lobby().plays(seat, level))

    def _ask(self, message: list[Any]) -> None:
        """Sends a request to the opener. Raises `Refused` if the opener is not connected."""
        table = self.table
        for line in table.channels.by_key.values():
            if table.invite.opened_by(line.verify_key, line.seal_key):
                table.send(line, message)
                return
        raise Refused("net.no_opener")

    async def begin(self) -> None:
        """Lays out the first game from the lobby. Only the opener may do this. Raises `Refused`."""
        table = self.table
        signers = {line.seal_key: line.verify_key for line in table.channels.by_key.values()}
        await table.next_game.lay_out(self._lobby(), signers | {table.keys.seal_key: table.keys.verify_key}, 1)

    # Messages of other devices

    def message(self, line: Channel, message: list[Any]) -> None:
        """Handles a message about the lobby. Ignores it once a game has begun. Raises `Refused` for messages that no
        honest device sends."""
        table = self.table
        opener = table.invite.opened_by(line.verify_key, line.seal_key)
        match message:
            case ["table", str(text)] if opener:
                if table.setup is None:
                    table.lobby = lobbies.read(text)
                    table.reason = ""
                    table.changed()
            case ["no", str(reason), dict(values)] if opener:
                told = {name: str(values[name])[:60] for name in TOLD if name in values}
                table.env.tell("refused", Refused(reason[:60], **told))
            case ["sit" | "stand", *_] if table.opener:
                if table.setup is None and table.lobby is not None:
                    self._asked(line, message, table.lobby)
            case _:
                raise Refused("net.not_a_message")

    def _asked(self, line: Channel, message: list[Any], lobby: Lobby) -> None:
        """Carries out a guest's request, or answers why it was refused."""
        try:
            self._lay(lobby.asked(line.seal_key, message))
        except Refused as refused:
            self.table.send(line, ["no", refused.reason, dict(refused.values)])
