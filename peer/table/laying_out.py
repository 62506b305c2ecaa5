"""Laying out a game: its setup follows from the lobby, and the opener signs it. Every other device checks it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine import strict_json
from engine.bots import LEVELS
from engine.core import Nonsense, Refused
from peer.channels.invite import Invite
from peer.crypto.keys import Keys, SignedText
from peer.game.setup import Setup
from peer.game.setup import read as read_setup
from peer.table import lobby as lobbies
from peer.table.lobby import Lobby
from peer.table.phase import InLobby, Looks, Over
from peer.table.ports import Environment
from peer.wire.messages import MAX_LOBBY, Start

if TYPE_CHECKING:
    from peer.table.running import RunningGame
    from peer.table.table import Table

#: milliseconds: a device that was heard so recently may only be reloading the page
RELOAD_TIME = 30_000


def start_text(setup: str, looks: str) -> str:
    """Returns the text that the opener signs."""
    return f"speakeasy/start\n{setup}\n{looks}"


async def signed_start(
    lobby: Lobby, keys: Keys, verify_keys: Mapping[str, str], round_: int, env: Environment
) -> Start:
    """Returns the setup of the game that follows from this lobby, signed with the opener's keys. Raises `Refused`."""
    setup = read_setup(lobby.setup(keys.seal_key, verify_keys, env.random(16), round_).text)
    looks = strict_json.dumps_ascii(lobby.looks)
    return Start(setup.text, looks, await env.sign(keys, start_text(setup.text, looks).encode()))


def read_looks(start: Start, setup: Setup) -> Looks:
    """Returns the looks of the seats. Raises `Nonsense` if they do not fit the setup."""
    return lobbies.read_looks(strict_json.loads(start.looks, MAX_LOBBY), setup)


async def verified(
    start: Start, invite: Invite, proven: Callable[[Sequence[SignedText]], Awaitable[bool]]
) -> tuple[Setup, Looks]:
    """Returns the setup and the looks. Raises `Nonsense` unless they are signed by the opener of that table, and
    `Refused` for a game that cannot be played here."""
    setup = read_setup(start.setup)
    opener = setup.devices[0]
    signed_setup = SignedText((opener.verify_key,), start_text(start.setup, start.looks), start.signature)
    if not invite.opened_by(opener.verify_key, opener.seal_key) or not await proven([signed_setup]):
        raise Nonsense("net.forged")
    return setup, read_looks(start, setup)


def with_present_owners(lobby: Lobby, game: RunningGame) -> Lobby:
    """Returns the lobby with the present home of each seat as its device: a rejoin link may have moved a seat."""
    state, setup = game.device.state, game.setup
    claims = {seat: claim for claim, seat in state.claims.items()}
    spots = list(lobby.spots)
    for seat, spot in enumerate(spots):
        # a seat that a bot got because its device was gone has the opener's device as its home, until a device claims
        # it: in the lobby it stays with the device that was gone
        home, place = state.homes[seat], setup.places[seat]
        if spot.device and (place.kind == "person" or home != place.device):
            spots[seat] = spot._replace(device=state.devices[home].seal_key, claim=claims.get(seat, ""))
    return replace(lobby, spots=tuple(spots))


def with_bots(lobby: Lobby, is_gone: Callable[[str], bool]) -> Lobby:
    """Returns the lobby with bots of the highest level on the seats of devices that are gone. The claims stay, so that
    a person who comes back can take the seat again."""
    spots = (
        spot._replace(plays=LEVELS[-1], device="") if spot.device and is_gone(spot.device) else spot
        for spot in lobby.spots
    )
    return replace(lobby, spots=tuple(spots))


class LayingOut:
    """Lays out the games of a table, the first one and all others. Only the opener may do this."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.requested = False  # True if the next game was asked for, and waits for devices that may be reloading

    def _check_opener(self) -> None:
        if not self.table.opener:
            raise Refused("net.only_opener")

    async def begin(self) -> None:
        """Lays out the first game from the lobby. Raises `Refused`."""
        self._check_opener()
        match self.table.phase:
            case InLobby(lobby):
                start = await self._signed_start(lobby, self.table.connections.verify_keys(), 1)
                self.table.connections.keep_code()  # the game is stored under the code, which must not change any more
                await self.publish(start, lobby)
            case _:
                raise Refused("net.started")

    async def lay_out_again(self) -> None:
        """Lays out another game with the same people and house rules; a person who is away gets a bot, the seat stays
        theirs. Raises `Refused`, also if a device left only a moment ago: then `tick` lays the game out later."""
        self._check_opener()
        match self.table.phase:
            case Over(game, Lobby() as lobby):
                lobby = with_present_owners(lobby, game)
            case _:
                raise Refused("net.started")
        missing = self._may_be_reloading(lobby)
        self.requested = bool(missing)
        if missing:
            raise Refused("net.coming", who=", ".join(missing))
        await self._lay_out_next(lobby, game)

    def tick(self) -> None:
        """Lays out the game that was asked for, when no device is missing any more that may be reloading."""
        match self.table.phase:
            case Over(game, Lobby() as lobby) if self.requested:
                lobby = with_present_owners(lobby, game)  # a seat may have moved since
                if not self._may_be_reloading(lobby):
                    self.requested = False
                    self.table.run(self._lay_out_next(lobby, game))

    def _may_be_reloading(self, lobby: Lobby) -> list[str]:
        """Returns the names of the people on devices that are gone, but may come back in a moment."""
        connections = self.table.connections
        return [
            spot.name
            for spot in lobby.spots
            if spot.device and connections.is_gone(spot.device) and connections.silent_for(spot.device) < RELOAD_TIME
        ]

    async def _lay_out_next(self, lobby: Lobby, game: RunningGame) -> None:
        connections = self.table.connections
        members = {member.seal_key: member.verify_key for member in game.device.state.devices}
        players = with_bots(lobby, connections.is_gone)
        start = await self._signed_start(players, connections.verify_keys() | members, game.setup.round + 1)
        await self.publish(start, lobby)

    async def _signed_start(self, lobby: Lobby, verify_keys: Mapping[str, str], round_: int) -> Start:
        return await signed_start(lobby, self.table.keys, verify_keys, round_, self.table.env)

    async def publish(self, start: Start, lobby: Lobby | None) -> None:
        """Begins this game here, and then on all devices. `lobby` is kept for the game after it. If the present game
        turns out not to be over, the setup is kept until it is, and published then."""
        if await self.table.begin_game(start, lobby):
            self.table.connections.broadcast(start)
