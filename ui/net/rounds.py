"""Another game at the same table, with the same people: who opened the table lays it out, signed like the first one.

A game that is still played here is played to its end before the next one is taken up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from engine import strict
from engine.core import Refused
from ui.bots import LEVELS
from ui.net import lobby as lobbies
from ui.net.keys import Claim
from ui.net.lobby import Lobby
from ui.net.setup import Setup
from ui.net.setup import read as read_setup

if TYPE_CHECKING:
    from ui.net.game import Game
    from ui.net.table import Table


class Rounds:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.marks: set[str] = set()  # of games that are over: their last frames are nobody's
        self.next: tuple[str, str, str] | None = None  # laid out, and waiting for the end of this game

    def over(self) -> bool:
        game = self.table.game
        return game is None or game.device.state.play.over

    async def again(self) -> None:
        """Who opened the table: the same people, the same house rules, another deal. Who is away gets a bot."""
        table, game = self.table, self.table.game
        if not table.opener or table.lobby is None:
            raise Refused("net.no_opener")
        if game is None or table.setup is None or not self.over():
            raise Refused("net.started")
        lobby = self._seated(table.lobby, game)
        signers = {member.lock: member.signer for member in game.device.state.devices}
        await self.lay_out(lobby, signers, table.setup.round + 1)

    def _seated(self, lobby: Lobby, game: Game) -> Lobby:
        state, claims = game.device.state, {seat: claim for claim, seat in game.device.state.claims.items()}
        spots = list(lobby.spots)
        for seat, spot in enumerate(spots):
            lock = state.devices[state.homes[seat]].lock
            if not spot.device or lock == self.table.keys.lock:
                continue
            if self.table.state(lock) == "gone":
                spots[seat] = spot._replace(plays=LEVELS[-1], device="", claim="")
            else:
                spots[seat] = spot._replace(device=lock, claim=claims.get(seat, ""))
        return replace(lobby, spots=tuple(spots))

    async def lay_out(self, lobby: Lobby, signers: Mapping[str, str], round_: int) -> None:
        """Who opened the table: this is the game, signed."""
        table = self.table
        setup = read_setup(lobby.setup(table.keys.lock, signers, table.world.random(16), round_).text)
        looks = json.dumps(lobby.looks, separators=(",", ":"))
        signature = await table.world.sign(table.keys, _signed(setup.text, looks).encode())
        await self.started(setup.text, looks, signature)
        table.everybody(["start", setup.text, looks, signature])

    def heard(self, text: str, looks: str, signature: str) -> None:
        if text != self.table.kept.setup:
            self.table.run(self.started(text, looks, signature))

    async def started(self, text: str, looks: str, signature: str) -> None:
        """The game as who opened the table signed it."""
        table = self.table
        setup = read_setup(text)
        opener = setup.devices[0]
        known = table.invite.opened_by(opener.signer, opener.lock)
        claim = Claim((opener.signer,), _signed(text, looks), signature)
        if not known or not await table.world.proven([claim]):
            raise Refused("net.forged")
        if len(lobbies.looks(strict.loads(looks, lobbies.LONGEST))) != len(setup.places):
            raise Refused("net.setup")
        if self._waits(setup, (text, looks, signature)):
            return
        self._put_away()
        table.setup = setup
        table.kept.setup, table.kept.looks, table.kept.signature = text, looks, signature
        locks = [member.lock for member in setup.devices]
        if table.keys.lock in locks:
            table.kept.number = locks.index(table.keys.lock)
        await table.kept_now()
        table.seat_down([])

    def _waits(self, setup: Setup, told: tuple[str, str, str]) -> bool:
        """Whether a game that was laid out is not taken up now: an old one, or this one is not over."""
        known = self.table.setup
        if known is None:
            return False
        if setup.round <= known.round:
            return True
        if not self.over():
            self.next = told
            return True
        return False

    def turn(self) -> None:
        """The game here is over: the next one that was laid out begins."""
        if self.next is not None and self.over():
            told, self.next = self.next, None
            self.table.run(self.started(*told))

    def _put_away(self) -> None:
        """The game that was played until now."""
        table = self.table
        if table.game is not None:
            self.marks.add(table.game.device.mark)
            table.game.end()
            table.game = None
        if table.setup is not None:
            table.kept.since, table.kept.number = table.kept.records, -1

    def old(self, data: str) -> bool:
        """A frame of a game that is over here."""
        return any(f'"{mark}"' in data[:60] for mark in self.marks)


def _signed(setup: str, looks: str) -> str:
    return f"speakeasy/start\n{setup}\n{looks}"
