"""The next game at the same table, with the same people. The opener lays it out and signs it, like the first one.

A running game is played to its end before the next one starts, as long as it has a leader. A person who is away is
replaced by a bot for one game; the seat stays theirs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from engine import strict_json
from engine.bots import LEVELS
from engine.core import Refused
from peer.crypto.keys import SignedText
from peer.game.setup import Setup
from peer.game.setup import read as read_setup
from peer.order.raft import NOBODY
from peer.table import lobby as lobbies
from peer.table.lobby import Lobby

if TYPE_CHECKING:
    from peer.table.running import RunningGame
    from peer.table.table import Table


#: milliseconds: a device that was heard so recently may only be reloading the page
RELOADS = 30_000
#: milliseconds: a game that has had no leader for so long, while the next one is laid out, counts as abandoned
FORSAKEN = 5_000


class NextGame:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.marks: set[str] = set()  # marks of games that are over: their late frames are ignored
        self.next: tuple[str, str, str] | None = None  # setup, looks, signature: waits for the end of this game
        self.coming = ""  # the mark of that game
        self.served = 0  # when this game last had a leader
        self.wanted = False  # the opener asked for the next game, and devices that may be reloading are waited for

    def over(self) -> bool:
        """Returns True if there is no game here, or it is over."""
        game = self.table.game
        return game is None or game.device.state.play.over

    async def again(self) -> None:
        """Lays out another game with the same people and house rules; a person who is away gets a bot. Only the opener
        may do this. Raises `Refused`, also if a device left only a moment ago: then `turn` lays the game out later."""
        table, game = self.table, self.table.game
        if not table.opener or table.lobby is None:
            raise Refused("net.no_opener")
        if game is None or table.setup is None or not self.over():
            raise Refused("net.started")
        table.lobby = self._whose(table.lobby, game)
        missing = self._missing(table.lobby)
        self.wanted = bool(missing)
        if missing:
            raise Refused("net.coming", who=", ".join(missing))
        await self._go_on(table.lobby, game, table.setup.round + 1)

    async def _go_on(self, lobby: Lobby, game: RunningGame, round_: int) -> None:
        self.table.header.lobby = lobby.text  # stored together with the setup
        lines = self.table.channels.by_key.values()
        signers = {line.seal_key: line.verify_key for line in lines}
        signers |= {member.seal_key: member.verify_key for member in game.device.state.devices}
        await self.lay_out(self._seated(lobby), signers, round_)

    def _whose(self, lobby: Lobby, game: RunningGame) -> Lobby:
        """Returns the lobby with the present device of each seat: a rejoin link may have moved a seat."""
        state, setup = game.device.state, game.setup
        claims = {seat: claim for claim, seat in state.claims.items()}
        spots = list(lobby.spots)
        for seat, spot in enumerate(spots):
            home, place = state.homes[seat], setup.places[seat]
            if spot.device and (place.kind == "person" or home != place.device):
                spots[seat] = spot._replace(device=state.devices[home].seal_key, claim=claims.get(seat, ""))
        return replace(lobby, spots=tuple(spots))

    def _gone(self, lock: str) -> bool:
        return lock != self.table.keys.seal_key and self.table.state(lock) == "gone"

    def _missing(self, lobby: Lobby) -> list[str]:
        """Returns the names on devices that are gone, but may come back in a moment."""
        table = self.table
        found = []
        for spot in lobby.spots:
            line = table.channels.by_key.get(spot.device)
            since = line.heard if line is not None else table.begun
            if spot.device and self._gone(spot.device) and table.now() - since < RELOADS:
                found.append(spot.name)
        return found

    def _seated(self, lobby: Lobby) -> Lobby:
        """Returns the lobby with bots on the seats of devices that are gone. The claims stay, so that a person who
        comes back can take the seat again."""
        spots = (
            spot._replace(plays=LEVELS[-1], device="") if spot.device and self._gone(spot.device) else spot
            for spot in lobby.spots
        )
        return replace(lobby, spots=tuple(spots))

    async def lay_out(self, lobby: Lobby, signers: Mapping[str, str], round_: int) -> None:
        """Signs the setup of a game and sends it to all devices. Only the opener may do this. Raises `Refused`."""
        table = self.table
        setup = read_setup(lobby.setup(table.keys.seal_key, signers, table.env.random(16), round_).text)
        looks = json.dumps(lobby.looks, separators=(",", ":"))
        signature = await table.env.sign(table.keys, _signed(setup.text, looks).encode())
        await self.started(setup.text, looks, signature)
        if table.header.setup == setup.text:  # and not that of another game, laid out by an earlier click
            table.everybody(["start", setup.text, looks, signature])

    def heard(self, text: str, looks: str, signature: str) -> None:
        """Handles a signed setup from another device."""
        if text != self.table.header.setup:
            self.table.run(self.started(text, looks, signature))

    async def started(self, text: str, looks: str, signature: str) -> None:
        """Starts the game that the opener signed, or keeps it until the present one is over. Raises `Refused`."""
        table = self.table
        setup = read_setup(text)
        opener = setup.devices[0]
        known = table.invite.opened_by(opener.verify_key, opener.seal_key)
        claim = SignedText((opener.verify_key,), _signed(text, looks), signature)
        if not known or not await table.env.proven([claim]):
            raise Refused("net.forged")
        lobbies.looks(strict_json.loads(looks, lobbies.LONGEST), setup)
        if self._waits(setup, (text, looks, signature)):
            return
        self._put_away()
        table.setup = setup
        table.header.setup, table.header.looks, table.header.signature = text, looks, signature
        await table.kept_now()
        if table.game is None and not table.closed:  # another device may have let this one in meanwhile
            table.seat_down([])

    def _waits(self, setup: Setup, told: tuple[str, str, str]) -> bool:
        """Returns True if this setup is not started now: it is an old one, or the present game is not over. In the
        second case the setup is kept as `next`."""
        known = self.table.setup
        if known is None:
            return False
        if setup.round <= known.round:
            return True
        if not self.over() and not self._forsaken():
            if self.next is None:
                self.served = self.table.now()
            self.next, self.coming = told, setup.mark
            return True
        return False

    def _forsaken(self) -> bool:
        """Returns True if the next game is laid out and this one has had no leader for a while: entries that are
        missing here will not arrive any more."""
        game, now = self.table.game, self.table.now()
        if game is None or self.next is None:
            return False
        raft = game.device.raft
        if raft.leader != NOBODY and raft.hears(raft.leader, FORSAKEN):
            self.served = now
        return now - self.served > FORSAKEN

    def turn(self) -> None:
        """Starts the next game when this one is over or abandoned. Lays out the game the opener asked for when no
        device is missing any more that may be reloading."""
        table, game = self.table, self.table.game
        if self.next is not None and (self.over() or self._forsaken()):
            table.run(self.started(*self.next))
        if self.wanted and game is not None and table.lobby is not None and not self._missing(table.lobby):
            self.wanted = False
            table.run(self._go_on(table.lobby, game, game.setup.round + 1))

    def _put_away(self) -> None:
        """Ends the present game before another one starts."""
        table = self.table
        self.next, self.coming, self.wanted = None, "", False
        if table.game is not None:
            self.marks.add(table.game.device.mark)
            table.promised = table.game.device.alone.promised
            table.game.end()
            table.game, table.rejoin = None, ()  # the rejoin link that was followed was for that game
        if table.setup is not None:
            table.header.since = table.header.records

    def other(self, data: str) -> bool:
        """Returns True if the frame belongs to a game that is over here, or to the next one. Its sender is honest."""
        return any(f'"{mark}"' in data[:60] for mark in (*self.marks, self.coming) if mark)


def _signed(setup: str, looks: str) -> str:
    return f"speakeasy/start\n{setup}\n{looks}"
