"""The entries by which seats, and the bots with them, go to another device with a rejoin link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from peer.game.types import hash_of, vow_of

if TYPE_CHECKING:
    from peer.game.state import State
    from peer.wire.bodies import Claim, Vow
    from peer.wire.envelope import Envelope

MAX_VOWS = 24  # of one device, at most


def vow(state: State, envelope: Envelope, body: Vow) -> None:
    """Stores vows for tokens that are not shown yet. They prove which device was the first to have the tokens."""
    if [author for author, _ in state.vows].count(envelope.author) + len(body.vows) > MAX_VOWS:
        raise Refused("net.stale")
    state.vows += [(envelope.author, one) for one in body.vows]


def claim(state: State, envelope: Envelope, body: Claim) -> None:
    """Gives the seats of these tokens to the author. Raises `Refused` unless it was the first with a vow for each."""
    hashes, next_hashes = [hash_of(token) for token, _ in body.tokens], [later for _, later in body.tokens]
    if len({*hashes, *next_hashes}) < 2 * len(body.tokens) or not state.claims.keys() >= {*hashes}:
        raise Refused("net.token")
    for token, _ in body.tokens:
        vowed = (author for author, one in state.vows if one == vow_of(token, state.devices[author]))
        if next(vowed, None) != envelope.author or state.claims.keys() & {*next_hashes}:
            raise Refused("net.token")
    for known, later in zip(hashes, next_hashes, strict=True):
        seat = state.claims[later] = state.claims.pop(known)
        state.claim_seat(seat, envelope.author)
    state.move_bots_along(envelope.author)
