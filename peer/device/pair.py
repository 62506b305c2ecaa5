"""Going on alone: what one of two devices does while the other is away."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from engine.core import Refused
from peer.device.duties import learn
from peer.game.pair import claims_of, given_away, other_of, permitted
from peer.game.types import claim_of, hash_of
from peer.order.outputs import Store
from peer.order.raft import LEADER

if TYPE_CHECKING:
    from peer.device.device import Device


class GoingAlone:
    """Lets one of two devices go on alone when the other is not heard. The rules are in `peer/game/pair.py`."""

    def __init__(self, device: Device, *, promised: bool) -> None:
        self.device = device
        self.promised = promised  # this device has given up going on alone
        self.permits: frozenset[str] = frozenset()  # for the other device's seats, brought with its link
        self.tokens: tuple[str, ...] = ()  # of this device's own seats
        self.bots: set[int] = set()  # seats of the other device that bots shall play here
        self.since = 0  # when this was asked for

    def promise(self) -> None:
        """Gives up going on alone, before a rejoin link for the seats of this device is shown.

        That is stored before the page is notified. Raises `Refused` while this device is about to go on alone itself.
        """
        if self.device.says("alone"):
            raise Refused("net.wait")
        if not self.promised:
            self.promised = True
            self.device.put(Store(["promise"]))
        self.device.tell("promised", {})

    def agree(self) -> None:
        """Agrees that the other device may go on while this one is away. Raises `Refused`."""
        self.promise()
        self.device.author("agree", ())

    @property
    def may(self) -> bool:
        """True if this device could go on alone with a permit of the other. Only one of the two ever can."""
        state, me = self.device.state, self.device.me
        return len(state.voters) == 2 and me in state.voters and (not self.promised or me < other_of(state, me))

    @property
    def let(self) -> bool:
        """True if the other device has agreed that this one goes on alone."""
        return self.may and permitted(self.device.state, self.device.me, ())

    def wish(self, permits: Collection[str], tokens: Collection[str], bots: Collection[int] = ()) -> None:
        """Asks to go on alone: with these permits, or with bots as was agreed. Ignores unknown permits and tokens."""
        state = self.device.state
        self.permits |= {permit for permit in permits if claim_of(permit) in state.claims}
        self.tokens = tuple(token for token in tokens if hash_of(token) in state.claims)
        self.bots |= {*bots}
        self.since = self.device.raft.now

    def tick(self) -> None:
        """Goes on alone if asked to and the other is not heard: becomes leader, authors `alone`, seats the bots."""
        self._sit()
        device, raft, log = self.device, self.device.raft, self.device.log
        if not (self.permits or self.bots) or not self.may or log.pending:
            return
        other = other_of(device.state, device.me)
        if raft.hears(other, device.timing.away):
            if raft.heard[other] > self.since:  # the other is not away, so the request is obsolete
                self.permits, self.bots = frozenset(), set()
            return
        ahead = device.ahead(log.last)
        own = {hash_of(token): token for token in self.tokens}
        claims = claims_of(ahead, device.me)
        permits = [permit for permit in sorted(self.permits) if claim_of(permit) in ahead.claims]
        wished = bool(self.bots) or given_away(ahead, other, permits)
        if not wished or not permitted(ahead, device.me, permits) or not claims <= own.keys():
            return
        if device.state.deck is not None and device.private.role is None and not learn(device):
            return
        if raft.role != LEADER:
            raft.take_office()
            device.offer()
        if device.all_said and not log.pending:  # own envelopes may still change the voters: they come first
            renewed = [[claim, hash_of(device.successor(own[claim]))] for claim in sorted(claims)]
            device.author("alone", (log.last + 1, permits, renewed))

    def _sit(self) -> None:
        """Seats the bots that were asked for, once this device is alone."""
        device = self.device
        if not device.state.alone:
            return
        for seat in self.bots:
            if device.state.places[seat].device != device.me:
                device.give_seat(seat, "bot", device.me)
        self.bots.clear()
