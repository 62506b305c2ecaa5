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
from engine.core import Nonsense, Refused
from peer.crypto.keys import SignedText
from peer.game.setup import Setup
from peer.game.setup import read as read_setup
from peer.order.raft import NOBODY
from peer.table import lobby as lobbies
from peer.table.lobby import Lobby
from peer.wire.messages import MAX_LOBBY, Start

if TYPE_CHECKING:
    from peer.table.running import RunningGame
    from peer.table.table import Table


#: milliseconds: a device that was heard so recently may only be reloading the page
RELOAD_TIME = 30_000
#: milliseconds: a game that has had no leader for so long, while the next one is laid out, counts as abandoned
ABANDONED_AFTER = 5_000


class NextGame:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.old_marks: set[str] = set()  # marks of games that are over: their late frames are ignored
        self.pending: Start | None = None  # waits for the end of this game
        self.pending_mark = ""  # the mark of that game
        self.leader_seen_at = 0  # when this game last had a leader
        self.requested = False  # the opener asked for the next game, and devices that may be reloading are waited for

    def is_over(self) -> bool:
        """Returns True if there is no game here, or it is over."""
        game = self.table.game
        return game is None or game.device.state.public.over

    async def lay_out_again(self) -> None:
        """Lays out another game with the same people and house rules; a person who is away gets a bot. Only the opener
        may do this. Raises `Refused`, also if a device left only a moment ago: then `turn` lays the game out later."""
        table, game = self.table, self.table.game
        if not table.opener or table.lobby is None:
            raise Refused("net.no_opener")
        if game is None or table.setup is None or not self.is_over():
            raise Refused("net.started")
        table.lobby = self._with_present_owners(table.lobby, game)
        missing = self._may_be_reloading(table.lobby)
        self.requested = bool(missing)
        if missing:
            raise Refused("net.coming", who=", ".join(missing))
        await self._lay_out_round(table.lobby, game, table.setup.round + 1)

    async def _lay_out_round(self, lobby: Lobby, game: RunningGame, round_: int) -> None:
        self.table.header.lobby = lobby.text  # stored together with the setup
        channels = self.table.channels.by_key.values()
        verify_keys = {channel.seal_key: channel.verify_key for channel in channels}
        verify_keys |= {member.seal_key: member.verify_key for member in game.device.state.devices}
        await self.lay_out(self._with_bots(lobby), verify_keys, round_)

    def _with_present_owners(self, lobby: Lobby, game: RunningGame) -> Lobby:
        """Returns the lobby with the present device of each seat: a rejoin link may have moved a seat."""
        state, setup = game.device.state, game.setup
        claims = {seat: claim for claim, seat in state.claims.items()}
        spots = list(lobby.spots)
        for seat, spot in enumerate(spots):
            home, place = state.homes[seat], setup.places[seat]
            if spot.device and (place.kind == "person" or home != place.device):
                spots[seat] = spot._replace(device=state.devices[home].seal_key, claim=claims.get(seat, ""))
        return replace(lobby, spots=tuple(spots))

    def _gone(self, seal_key: str) -> bool:
        return seal_key != self.table.keys.seal_key and self.table.state(seal_key) == "gone"

    def _may_be_reloading(self, lobby: Lobby) -> list[str]:
        """Returns the names on devices that are gone, but may come back in a moment."""
        table = self.table
        names = []
        for spot in lobby.spots:
            channel = table.channels.by_key.get(spot.device)
            since = channel.heard_at if channel is not None else table.opened_at
            if spot.device and self._gone(spot.device) and table.now() - since < RELOAD_TIME:
                names.append(spot.name)
        return names

    def _with_bots(self, lobby: Lobby) -> Lobby:
        """Returns the lobby with bots on the seats of devices that are gone. The claims stay, so that a person who
        comes back can take the seat again."""
        spots = (
            spot._replace(plays=LEVELS[-1], device="") if spot.device and self._gone(spot.device) else spot
            for spot in lobby.spots
        )
        return replace(lobby, spots=tuple(spots))

    async def lay_out(self, lobby: Lobby, verify_keys: Mapping[str, str], round_: int) -> None:
        """Signs the setup of a game and sends it to all devices. Only the opener may do this. Raises `Refused`."""
        table = self.table
        setup = read_setup(lobby.setup(table.keys.seal_key, verify_keys, table.env.random(16), round_).text)
        looks = json.dumps(lobby.looks, separators=(",", ":"))
        signature = await table.env.sign(table.keys, _start_text(setup.text, looks).encode())
        message = Start(setup.text, looks, signature)
        await self.start(message)
        if table.header.setup == setup.text:  # and not that of another game, laid out by an earlier click
            table.broadcast(message)

    def on_start(self, message: Start) -> None:
        """Handles a signed setup from another device."""
        if message.setup != self.table.header.setup:
            self.table.run(self.start(message))

    async def start(self, message: Start) -> None:
        """Starts the game that the opener signed, or keeps it until the present one is over. Raises `Nonsense`, and
        `Refused` for a game that cannot be played here."""
        table = self.table
        setup = read_setup(message.setup)
        opener = setup.devices[0]
        is_opener = table.invite.opened_by(opener.verify_key, opener.seal_key)
        signed_setup = SignedText((opener.verify_key,), _start_text(message.setup, message.looks), message.signature)
        if not is_opener or not await table.env.proven([signed_setup]):
            raise Nonsense("net.forged")
        lobbies.read_looks(strict_json.loads(message.looks, MAX_LOBBY), setup)
        if self._is_postponed(setup, message):
            return
        self._end_present()
        table.setup = setup
        table.header.setup, table.header.looks, table.header.signature = message
        await table.store_header()
        if table.game is None and not table.closed:  # another device may have let this one in meanwhile
            table.start_game([])

    def _is_postponed(self, setup: Setup, message: Start) -> bool:
        """Returns True if this setup is not started now: it is an old one, or the present game is not over. In the
        second case the setup is kept as `next`."""
        present = self.table.setup
        if present is None:
            return False
        if setup.round <= present.round:
            return True
        if not self.is_over() and not self._is_abandoned():
            if self.pending is None:
                self.leader_seen_at = self.table.now()
            self.pending, self.pending_mark = message, setup.mark
            return True
        return False

    def _is_abandoned(self) -> bool:
        """Returns True if the next game is laid out and this one has had no leader for a while: entries that are
        missing here will not arrive any more."""
        game, now = self.table.game, self.table.now()
        if game is None or self.pending is None:
            return False
        raft = game.device.raft
        if raft.leader != NOBODY and raft.hears(raft.leader, ABANDONED_AFTER):
            self.leader_seen_at = now
        return now - self.leader_seen_at > ABANDONED_AFTER

    def tick(self) -> None:
        """Starts the next game when this one is over or abandoned. Lays out the game the opener asked for when no
        device is missing any more that may be reloading."""
        table, game = self.table, self.table.game
        if self.pending is not None and (self.is_over() or self._is_abandoned()):
            table.run(self.start(self.pending))
        if self.requested and game is not None and table.lobby is not None and not self._may_be_reloading(table.lobby):
            self.requested = False
            table.run(self._lay_out_round(table.lobby, game, game.setup.round + 1))

    def _end_present(self) -> None:
        """Ends the present game before another one starts."""
        table = self.table
        self.pending, self.pending_mark, self.requested = None, "", False
        if table.game is not None:
            self.old_marks.add(table.game.device.mark)
            table.gave_up_alone = table.game.device.going_alone.gave_up
            table.game.end()
            table.game, table.link_tokens = None, ()  # the rejoin link that was followed was for that game
        if table.setup is not None:
            table.header.since = table.header.records

    def belongs_elsewhere(self, data: str) -> bool:
        """Returns True if the frame belongs to a game that is over here, or to the next one. Its sender is honest."""
        return any(f'"{mark}"' in data[:60] for mark in (*self.old_marks, self.pending_mark) if mark)


def _start_text(setup: str, looks: str) -> str:
    return f"speakeasy/start\n{setup}\n{looks}"
