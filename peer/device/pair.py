"""Going on alone: what one of two devices does while the other is away."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from engine.core import Refused
from peer.crypto.keys import Keys
from peer.device.duties import successor
from peer.device.outbox import Outbox
from peer.game.pair import claims_of, given_away, may_go_on_alone, other_of
from peer.game.state import State
from peer.game.types import claim_of, hash_of
from peer.order.outputs import GaveUpAlone, Output, Store
from peer.order.raft import Raft
from peer.wire.bodies import Alone


class Conditions(NamedTuple):
    """The conditions on which a device goes on alone: the fields of its `alone` entry, apart from the index."""

    permits: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]  # each claim of its own seats, and the one that follows it


class GoingAlone:
    """Lets one of two devices go on alone when the other is not heard. The rules are in `peer/game/pair.py`.

    It decides, and the device carries it out (`Device._go_on_alone`).
    """

    def __init__(
        self, keys: Keys, state: State, raft: Raft, outbox: Outbox, put: Callable[[Output], None], *, gave_up: bool
    ) -> None:
        self.keys, self.state, self.raft, self.outbox, self.put = keys, state, raft, outbox, put
        self.gave_up = gave_up  # this device has given up going on alone
        self.permits: frozenset[str] = frozenset()  # for the other device's seats, brought with its link
        self.own_tokens: tuple[str, ...] = ()  # of this device's own seats
        self.bot_seats: set[int] = set()  # seats of the other device that bots shall play here
        self.requested_at = 0  # when this was asked for

    def give_up(self) -> None:
        """Gives up going on alone, before a rejoin link for the seats of this device is shown.

        That is stored before the page is notified. Raises `Refused` while this device is about to go on alone itself.
        """
        if self.outbox.has_pending(Alone):
            raise Refused("net.wait")
        if not self.gave_up:
            self.gave_up = True
            self.put(Store(["promise"]))
        self.put(GaveUpAlone())

    @property
    def may_go_on(self) -> bool:
        """True if this device could go on alone with a permit of the other. Only one of the two ever can."""
        state, me = self.state, self.outbox.me
        return len(state.voters) == 2 and me in state.voters and (not self.gave_up or me < other_of(state, me))

    @property
    def other_agreed(self) -> bool:
        """True if the other device has agreed that this one goes on alone."""
        return self.may_go_on and may_go_on_alone(self.state, self.outbox.me, ())

    def request(self, permits: Collection[str], tokens: Collection[str], bots: Collection[int] = ()) -> None:
        """Asks to go on alone: with these permits, or with bots as was agreed. Ignores unknown permits and tokens."""
        self.permits |= {permit for permit in permits if claim_of(permit) in self.state.claims}
        self.own_tokens = tuple(token for token in tokens if hash_of(token) in self.state.claims)
        self.bot_seats |= {*bots}
        self.requested_at = self.raft.now

    def take_bot_seats(self) -> list[int]:
        """Returns the seats that bots shall play here, once this device is alone, and forgets them."""
        if not self.state.went_alone:
            return []
        seats = [seat for seat in self.bot_seats if self.state.places[seat].device != self.outbox.me]
        self.bot_seats.clear()
        return seats

    def is_due(self) -> bool:
        """Returns True if this was asked for, and the other device is not heard. Drops the request if it is heard."""
        raft = self.raft
        if not (self.permits or self.bot_seats) or not self.may_go_on or raft.log.pending_changes:
            return False
        other = other_of(self.state, self.outbox.me)
        if not raft.hears(other, raft.timing.away_after):
            return True
        if raft.heard_at[other] > self.requested_at:  # the other is not away, so the request is obsolete
            self.permits, self.bot_seats = frozenset(), set()
        return False

    def conditions(self, future: State) -> Conditions | None:
        """Returns the conditions on which this device may go on alone after the whole log, whose state is `future`.

        Returns None if it may not.
        """
        me = self.outbox.me
        own = {hash_of(token): token for token in self.own_tokens}
        claims = claims_of(future, me)
        permits = tuple(permit for permit in sorted(self.permits) if claim_of(permit) in future.claims)
        requested = bool(self.bot_seats) or given_away(future, other_of(self.state, me), permits)
        if not requested or not may_go_on_alone(future, me, permits) or not claims <= own.keys():
            return None
        following = {claim: successor(self.keys, self.state.mark, own[claim]) for claim in sorted(claims)}
        return Conditions(permits, tuple((claim, hash_of(token)) for claim, token in following.items()))
