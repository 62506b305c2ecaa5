"""Going on alone: what one of two devices does while the other is away."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from engine.core import Refused
from peer.device.duties import learn_secret
from peer.game.pair import claims_of, given_away, may_go_on_alone, other_of
from peer.game.types import claim_of, hash_of
from peer.order.outputs import GaveUpAlone, Store
from peer.order.raft import LEADER
from peer.wire.bodies import Agree, Alone

if TYPE_CHECKING:
    from peer.device.device import Device


class GoingAlone:
    """Lets one of two devices go on alone when the other is not heard. The rules are in `peer/game/pair.py`."""

    def __init__(self, device: Device, *, gave_up: bool) -> None:
        self.device = device
        self.gave_up = gave_up  # this device has given up going on alone
        self.permits: frozenset[str] = frozenset()  # for the other device's seats, brought with its link
        self.own_tokens: tuple[str, ...] = ()  # of this device's own seats
        self.bot_seats: set[int] = set()  # seats of the other device that bots shall play here
        self.requested_at = 0  # when this was asked for

    def give_up(self) -> None:
        """Gives up going on alone, before a rejoin link for the seats of this device is shown.

        That is stored before the page is notified. Raises `Refused` while this device is about to go on alone itself.
        """
        if self.device.has_pending(Alone):
            raise Refused("net.wait")
        if not self.gave_up:
            self.gave_up = True
            self.device.put(Store(["promise"]))
        self.device.put(GaveUpAlone())

    def agree(self) -> None:
        """Agrees that the other device may go on while this one is away. Raises `Refused`."""
        self.give_up()
        self.device.author(Agree())

    @property
    def may_go_on(self) -> bool:
        """True if this device could go on alone with a permit of the other. Only one of the two ever can."""
        state, me = self.device.state, self.device.me
        return len(state.voters) == 2 and me in state.voters and (not self.gave_up or me < other_of(state, me))

    @property
    def other_agreed(self) -> bool:
        """True if the other device has agreed that this one goes on alone."""
        return self.may_go_on and may_go_on_alone(self.device.state, self.device.me, ())

    def wish(self, permits: Collection[str], tokens: Collection[str], bots: Collection[int] = ()) -> None:
        """Asks to go on alone: with these permits, or with bots as was agreed. Ignores unknown permits and tokens."""
        state = self.device.state
        self.permits |= {permit for permit in permits if claim_of(permit) in state.claims}
        self.own_tokens = tuple(token for token in tokens if hash_of(token) in state.claims)
        self.bot_seats |= {*bots}
        self.requested_at = self.device.raft.now

    def tick(self) -> None:
        """Goes on alone if asked to and the other is not heard: becomes leader, authors `alone`, seats the bots."""
        self._seat_bots()
        device, raft, log = self.device, self.device.raft, self.device.log
        if not (self.permits or self.bot_seats) or not self.may_go_on or log.pending_changes:
            return
        other = other_of(device.state, device.me)
        if raft.hears(other, device.timing.away_after):
            if raft.heard_at[other] > self.requested_at:  # the other is not away, so the request is obsolete
                self.permits, self.bot_seats = frozenset(), set()
            return
        future = device.state_at(log.last_index)
        own = {hash_of(token): token for token in self.own_tokens}
        claims = claims_of(future, device.me)
        permits = [permit for permit in sorted(self.permits) if claim_of(permit) in future.claims]
        requested = bool(self.bot_seats) or given_away(future, other, permits)
        if not requested or not may_go_on_alone(future, device.me, permits) or not claims <= own.keys():
            return
        if device.state.dealer_promise is not None and device.private.role is None and not learn_secret(device):
            return
        if raft.role != LEADER:
            raft.lead_without_election()
            device.offer()
        if device.all_in_log and not log.pending_changes:  # own envelopes may still change the voters: they come first
            renewed = tuple((claim, hash_of(device.successor(own[claim]))) for claim in sorted(claims))
            device.author(Alone(log.last_index + 1, tuple(permits), renewed))

    def _seat_bots(self) -> None:
        """Seats the bots that were asked for, once this device is alone."""
        device = self.device
        if not device.state.went_alone:
            return
        for seat in self.bot_seats:
            if device.state.places[seat].device != device.me:
                device.give_seat(seat, "bot", device.me)
        self.bot_seats.clear()
