"""A table of two devices: what lets one go on while the other is away.

Two decide together, so neither can do anything alone; but whatever was decided is known to both. So one may go on, if
only it is certain that the other never does the same. Who gives away what brings its seats to another device, or agrees
that the table goes on without it, gives up going on alone. That it did is proven by a permit, which comes with what was
given away, or by its word in the log. Should both have done so, the one with the lower number may.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from engine.core import Refused
from peer.game.types import claim_of

if TYPE_CHECKING:
    from peer.game.state import State
    from peer.wire.envelope import Envelope


def agree(state: State, said: Envelope) -> None:
    """While this device is away, the other may go on."""
    if said.author not in state.voters or said.author in state.agreed:
        raise Refused("net.stale")
    state.agreed.add(said.author)


def alone(state: State, said: Envelope, index: int, permits: Any, claims: Any) -> None:
    """One of two goes on. What it may give away of its own tokens later counts for nobody who missed this: the other
    cannot do the same."""
    if index != state.index:
        raise Refused("net.stale")
    check(state, said.author, permits, claims)
    for claim, later in claims:
        state.claims[later] = state.claims.pop(claim)
    state.coins.close()
    state.coins.change((said.author,))
    state.voters, state.alone = (said.author,), True
    state.agreed.discard(said.author)  # the other has not to be asked for a while
    if state.deck is None:
        state.dealer = said.author


def check(state: State, author: int, permits: Any, claims: Any) -> None:
    """Raises `Refused`."""
    if not permitted(state, author, permits):
        raise Refused("net.stale")
    known, following = {claim for claim, _ in claims}, {claim for _, claim in claims}
    distinct = len(known | following) == 2 * len(claims)
    if known != claims_of(state, author) or not distinct or state.claims.keys() & following:
        raise Refused("net.token")


def permitted(state: State, device: int, permits: Collection[str]) -> bool:
    """There are two, the other agreed or gave its seats away, and knows nothing that is needed."""
    if len(state.voters) != 2 or device not in state.voters:
        return False
    other = other_of(state, device)
    lets = other in state.agreed or given_away(state, other, permits)
    return lets and (state.dealer == device or state.deck is None)


def given_away(state: State, device: int, permits: Collection[str]) -> bool:
    """All the seats people have there."""
    given = {state.claims.get(claim_of(permit)) for permit in permits}
    seats = {seat for seat, home in enumerate(state.homes) if home == device and state.persons(seat)}
    return bool(seats) and seats <= given


def claims_of(state: State, device: int) -> set[str]:
    """Of all seats people have at that device."""
    return {claim for claim, seat in state.claims.items() if state.homes[seat] == device and state.persons(seat)}


def other_of(state: State, device: int) -> int:
    return next(voter for voter in state.voters if voter != device)
