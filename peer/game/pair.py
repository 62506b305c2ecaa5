"""A table of two devices: the rules by which one may go on while the other is away.

Both are needed for a majority, so neither can commit anything alone; but both have every committed entry. So one may go
on alone, provided that the other certainly never does the same. A device gives up going on alone when it gives away a
rejoin link for its seats, or agrees that the table goes on without it. The proof is a permit, which comes with the
rejoin link, or its `agree` entry in the log. If both devices gave it up, the one with the lower number may go on.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from engine.core import Refused
from peer.game.types import claim_of

if TYPE_CHECKING:
    from peer.game.state import State
    from peer.wire.bodies import Alone
    from peer.wire.envelope import Envelope


def agree(state: State, envelope: Envelope) -> None:
    """Stores that the other device may go on while the author is away."""
    if envelope.author not in state.voters or envelope.author in state.agreed:
        raise Refused("net.stale")
    state.agreed.add(envelope.author)


def alone(state: State, envelope: Envelope, body: Alone) -> None:
    """Lets one of two devices go on alone, and replaces the claims of its seats.

    The other device does not know the new claims while it has not seen this entry. So rejoin links that the author
    gives away later prove nothing to it, and it cannot go on alone as well.
    """
    if body.log_index != state.index:
        raise Refused("net.stale")
    check_alone(state, envelope.author, body.permits, body.claims)
    for claim, later in body.claims:
        state.claims[later] = state.claims.pop(claim)
    state.coins.close()
    state.coins.set_voters((envelope.author,))
    state.voters, state.went_alone = (envelope.author,), True
    state.agreed.discard(envelope.author)  # it no longer depends on the other, so its own agreement ends
    if state.dealer_promise is None:
        state.dealer = envelope.author


def check_alone(state: State, author: int, permits: Collection[str], claims: Collection[tuple[str, str]]) -> None:
    """Raises `Refused` unless the author may go on alone with these permits and replaces all its own claims."""
    if not may_go_on_alone(state, author, permits):
        raise Refused("net.stale")
    known, following = {claim for claim, _ in claims}, {claim for _, claim in claims}
    distinct = len(known | following) == 2 * len(claims)
    if known != claims_of(state, author) or not distinct or state.claims.keys() & following:
        raise Refused("net.token")


def may_go_on_alone(state: State, device: int, permits: Collection[str]) -> bool:
    """Returns True if this device, one of two voters, may go on alone.

    The other must have agreed or given its seats away, and must not be the dealer of a game with a promise.
    """
    if len(state.voters) != 2 or device not in state.voters:
        return False
    other = other_of(state, device)
    other_agrees = other in state.agreed or given_away(state, other, permits)
    return other_agrees and (state.dealer == device or state.dealer_promise is None)


def given_away(state: State, device: int, permits: Collection[str]) -> bool:
    """Returns True if these permits cover all seats that people have at that device, at least one."""
    covered = {state.claims.get(claim_of(permit)) for permit in permits}
    seats = {seat for seat, home in enumerate(state.homes) if home == device and state.belongs_to_person(seat)}
    return bool(seats) and seats <= covered


def claims_of(state: State, device: int) -> set[str]:
    """Returns the claims of all seats that people have at that device."""
    return {
        claim for claim, seat in state.claims.items() if state.homes[seat] == device and state.belongs_to_person(seat)
    }


def other_of(state: State, device: int) -> int:
    return next(voter for voter in state.voters if voter != device)
