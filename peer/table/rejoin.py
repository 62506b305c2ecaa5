"""Rejoin tokens: those of this device's seats, and those of a rejoin link that was followed here."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from engine.core import Refused
from peer.crypto.keys import to_base64
from peer.game.types import hash_of
from peer.table.phase import setup_of

if TYPE_CHECKING:
    from peer.table.table import Table


class RejoinTokens:
    def __init__(self, table: Table, link_tokens: tuple[str, ...]) -> None:
        self.table = table
        self.link_tokens = link_tokens  # of the rejoin link that was followed

    def claim_for(self, seat: int) -> str:
        """Returns the claim with which this device takes a seat in the lobby: the hash of the seat's token here."""
        return hash_of(self.table.header.tokens.setdefault(str(seat), to_base64(self.table.env.random(32))))

    async def give_away(self) -> str:
        """Returns the rejoin link for this device's seats; the device that follows it gets them. Raises `Refused`."""
        game = self.table.game
        if game is None or not self.own_tokens():
            raise Refused("net.no_rejoin")
        await game.give_up_alone()
        return self.table.invite.rejoin_fragment(self.own_tokens())

    def own_tokens(self) -> tuple[str, ...]:
        """Returns the tokens of the seats whose home is this device."""
        game = self.table.game
        if game is None:
            return ()
        state = game.device.state
        own_claims = {claim for claim, seat in state.claims.items() if state.homes[seat] == game.number}
        stored = self.table.header.tokens.values()
        following = map(game.device.successor, stored)  # a token may have been used before its successor was stored
        return tuple(token for token in dict.fromkeys((*stored, *following)) if hash_of(token) in own_claims)

    def store_successors(self, tokens: Collection[str]) -> None:
        """Stores the successors of these tokens. Called before the tokens are used."""
        table = self.table
        if table.game is not None:
            table.header.tokens |= {token[:8]: table.game.device.successor(token) for token in tokens}
            table.store_header_soon()

    def let_bot_play(self, seat: int) -> bool:
        """Lets a bot play the seat of the other of two voters, which is away. Returns False if that was not agreed."""
        game = self.table.game
        allowed = game is not None and game.device.going_alone.other_agreed
        if allowed:
            self.go_on_alone((), (seat,))
        return allowed

    def go_on_alone(self, permits: Collection[str], bots: Collection[int] = ()) -> None:
        """Asks to go on alone, as one of two voters whose other is away: with the device that brings these permits, or
        with bots on these seats."""
        tokens = self.own_tokens()
        if self.table.game is not None and self.table.game.go_on_alone(permits, tokens, bots):
            self.store_successors(tokens)

    def claim(self, tokens: tuple[str, ...]) -> None:
        """Claims the seats of a rejoin link that was followed here; without a game the tokens are kept for later."""
        self.link_tokens, game = tokens, self.table.game
        if game is None or not tokens:
            return
        self.store_successors(tokens)
        game.claim(tokens)

    def tokens_of_bot_seats(self) -> tuple[str, ...]:
        """Returns the tokens of seats that bots play because the game began without this device."""
        setup, header = setup_of(self.table.phase), self.table.header
        if setup is None or self.table.keys.seal_key in setup.seal_keys:
            return ()
        claims = {claim for claim, _ in setup.claims}
        return tuple(token for token in header.tokens.values() if hash_of(token) in claims)
