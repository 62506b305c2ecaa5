"""The tokens of this device's seats: what it gives them away with, and what it takes them up with."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from engine.core import Refused
from peer.game.types import hash_of

if TYPE_CHECKING:
    from peer.table.table import Table


class RejoinTokens:
    def __init__(self, table: Table) -> None:
        self.table = table

    async def give_away(self) -> str:
        """The link that brings this device's seats to another one: whoever follows it sits there from then on."""
        game = self.table.game
        if game is None or not self.here():
            raise Refused("net.no_rejoin")
        await game.promise()
        return self.table.invite.rejoin(self.here())

    def here(self) -> tuple[str, ...]:
        """Those of the seats that are this device's."""
        game = self.table.game
        if game is None:
            return ()
        state = game.device.state
        mine = {claim for claim, seat in state.claims.items() if state.homes[seat] == game.number}
        known = self.table.header.tokens.values()
        following = map(game.device.successor, known)  # used before it was kept
        return tuple(token for token in dict.fromkeys((*known, *following)) if hash_of(token) in mine)

    def successors(self, tokens: Collection[str]) -> None:
        """What comes after these tokens is kept before they are used."""
        table = self.table
        if table.game is not None:
            table.header.tokens |= {token[:8]: table.game.device.successor(token) for token in tokens}
            table.keep_header()

    def instead(self, seat: int) -> bool:
        """A bot for who is away, where two decide: whether that was agreed while both were here."""
        game = self.table.game
        let = game is not None and game.device.alone.let
        if let:
            self.go_on((), (seat,))
        return let

    def go_on(self, permits: Collection[str], bots: Collection[int] = ()) -> None:
        """One of two, and the other is away: it may be replaced by whoever brings these permits, or by bots."""
        tokens = self.here()
        if self.table.game is not None and self.table.game.go_on(permits, tokens, bots):
            self.successors(tokens)

    def claim(self, tokens: tuple[str, ...]) -> None:
        """A rejoin link was followed."""
        table = self.table
        table.rejoin = tokens
        if table.game is None or not tokens:
            return
        self.successors(tokens)
        table.game.claim(tokens)

    def kept_by_bots(self) -> tuple[str, ...]:
        """What brings back the seats that bots have had since the game began without this device."""
        setup, kept = self.table.setup, self.table.header
        if setup is None or self.table.keys.seal_key in setup.seal_keys:
            return ()
        claims = {claim for claim, _ in setup.claims}
        return tuple(token for token in kept.tokens.values() if hash_of(token) in claims)
