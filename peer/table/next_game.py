"""Another game at the same table, with the same people: who opened the table lays it out, signed like the first one.

A game that is still played here is played to its end before the next one is taken up, as long as anybody keeps its
order. Who is away gets a bot for one game: the seat stays theirs.
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


#: milliseconds: who was heard so short a time ago may only be loading the page again
RELOADS = 30_000
#: milliseconds: a game whose order nobody keeps for so long, while the next one is laid out, is played nowhere any more
FORSAKEN = 5_000


class NextGame:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.marks: set[str] = set()  # of games that are over: their last frames are nobody's
        self.next: tuple[str, str, str] | None = None  # laid out, and waiting for the end of this game
        self.coming = ""  # its mark
        self.served = 0  # when this game had a host last
        self.wanted = False  # the next game, as soon as who may be back in a moment is back

    def over(self) -> bool:
        game = self.table.game
        return game is None or game.device.state.play.over

    async def again(self) -> None:
        """Who opened the table: the same people, the same house rules, another deal. Who is away gets a bot; who went
        a moment ago is waited for, and that is the refusal."""
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
        self.table.header.lobby = lobby.text  # kept with the game that is laid out
        lines = self.table.channels.by_key.values()
        signers = {line.seal_key: line.verify_key for line in lines}
        signers |= {member.seal_key: member.verify_key for member in game.device.state.devices}
        await self.lay_out(self._seated(lobby), signers, round_)

    def _whose(self, lobby: Lobby, game: RunningGame) -> Lobby:
        """Whose the seats are by now: a rejoin link may have brought one to another device."""
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
        """The names of those who are gone, but not for long."""
        table = self.table
        found = []
        for spot in lobby.spots:
            line = table.channels.by_key.get(spot.device)
            since = line.heard if line is not None else table.begun
            if spot.device and self._gone(spot.device) and table.now() - since < RELOADS:
                found.append(spot.name)
        return found

    def _seated(self, lobby: Lobby) -> Lobby:
        """With bots for who is away. What claims the seat stays: who comes back takes it again."""
        spots = (
            spot._replace(plays=LEVELS[-1], device="") if spot.device and self._gone(spot.device) else spot
            for spot in lobby.spots
        )
        return replace(lobby, spots=tuple(spots))

    async def lay_out(self, lobby: Lobby, signers: Mapping[str, str], round_: int) -> None:
        """Who opened the table: this is the game, signed."""
        table = self.table
        setup = read_setup(lobby.setup(table.keys.seal_key, signers, table.env.random(16), round_).text)
        looks = json.dumps(lobby.looks, separators=(",", ":"))
        signature = await table.env.sign(table.keys, _signed(setup.text, looks).encode())
        await self.started(setup.text, looks, signature)
        if table.header.setup == setup.text:  # and not another one, that was asked for with the click before
            table.everybody(["start", setup.text, looks, signature])

    def heard(self, text: str, looks: str, signature: str) -> None:
        if text != self.table.header.setup:
            self.table.run(self.started(text, looks, signature))

    async def started(self, text: str, looks: str, signature: str) -> None:
        """The game as who opened the table signed it."""
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
        if table.game is None and not table.closed:  # somebody may have let this device in meanwhile
            table.seat_down([])

    def _waits(self, setup: Setup, told: tuple[str, str, str]) -> bool:
        """Whether a game that was laid out is not taken up now: an old one, or this one is not over."""
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
        """Whether nobody has kept the order of this game for a while, since the next one was laid out: what is missing
        of it here will not come any more."""
        game, now = self.table.game, self.table.now()
        if game is None or self.next is None:
            return False
        raft = game.device.raft
        if raft.leader != NOBODY and raft.hears(raft.leader, FORSAKEN):
            self.served = now
        return now - self.served > FORSAKEN

    def turn(self) -> None:
        """The next game that was laid out begins, when this one is over or forsaken; the one that is wanted is laid out
        when nobody is missing who may be back in a moment."""
        table, game = self.table, self.table.game
        if self.next is not None and (self.over() or self._forsaken()):
            table.run(self.started(*self.next))
        if self.wanted and game is not None and table.lobby is not None and not self._missing(table.lobby):
            self.wanted = False
            table.run(self._go_on(table.lobby, game, game.setup.round + 1))

    def _put_away(self) -> None:
        """The game that was played until now."""
        table = self.table
        self.next, self.coming, self.wanted = None, "", False
        if table.game is not None:
            self.marks.add(table.game.device.mark)
            table.promised = table.game.device.alone.promised
            table.game.end()
            table.game, table.rejoin = None, ()  # a rejoin link that was followed has done what it could
        if table.setup is not None:
            table.header.since = table.header.records

    def other(self, data: str) -> bool:
        """A frame of a game that is over here, or of the next one: nobody is to blame for it."""
        return any(f'"{mark}"' in data[:60] for mark in (*self.marks, self.coming) if mark)


def _signed(setup: str, looks: str) -> str:
    return f"speakeasy/start\n{setup}\n{looks}"
