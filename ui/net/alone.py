"""One of two devices goes on while the other is away."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ui.net.duties import learn
from ui.net.facts import claim_of, hash_of, permit_of
from ui.net.output import Store
from ui.net.raft import LEADER
from ui.net.two import claims_of, other_of, permitted

if TYPE_CHECKING:
    from ui.net.device import Device


class Alone:
    """What a device does about it that is one of two, and does not hear the other (`two.py`)."""

    def __init__(self, device: Device, *, promised: bool) -> None:
        self.device = device
        self.promised = promised  # this device has given its seats away
        self.permits: frozenset[str] = frozenset()  # with which somebody here wishes to go on
        self.tokens: tuple[str, ...] = ()  # of this device's own seats
        self.bots: set[int] = set()  # seats of the other, for bots here

    def promise(self) -> None:
        """What brings its seats to another device is about to be shown: the promise is safe before it is told."""
        if not self.promised:
            self.promised = True
            self.device.put(Store(["promise"]))
        self.device.tell("promised", {})

    def agree(self, tokens: Collection[str]) -> None:
        """The other may go on while this one is away."""
        self.promise()
        self.device.author("agree", (sorted(map(permit_of, tokens)),))

    @property
    def may(self) -> bool:
        """Whether this device could go on if the other gave it a permit; only one of the two ever can."""
        state, me = self.device.state, self.device.me
        return len(state.voters) == 2 and me in state.voters and (not self.promised or me < other_of(state, me))

    @property
    def let(self) -> tuple[str, ...]:
        """The permits by which the other has agreed that this device goes on."""
        state, me = self.device.state, self.device.me
        permits = state.agreed.get(other_of(state, me), ()) if self.may else ()
        return permits if permitted(state, me, permits) else ()

    def wish(self, permits: Collection[str], tokens: Collection[str], bots: Collection[int] = ()) -> None:
        """Somebody has brought these permits, or wishes to go on by what was agreed. What is none is not heard of."""
        state = self.device.state
        self.permits |= {permit for permit in permits if claim_of(permit) in state.claims}
        self.tokens = tuple(token for token in tokens if hash_of(token) in state.claims)
        self.bots |= {*bots}

    def tick(self) -> None:
        """Go on alone, once the other is not heard: first take the office, then say so; then bots sit down."""
        self._sit()
        device, raft, log = self.device, self.device.raft, self.device.log
        if not self.permits or not self.may or log.pending:
            return
        if raft.hears(other_of(device.state, device.me), device.timing.away):
            self.permits, self.bots = frozenset(), set()  # nobody is away, and what was wished for is past
            return
        ahead = device.ahead()
        own = {hash_of(token): token for token in self.tokens}
        claims = claims_of(ahead, device.me)
        if not permitted(ahead, device.me, self.permits) or not claims <= own.keys():
            return
        if device.state.deck is not None and device.hands.role is None and not learn(device):
            return
        if raft.role != LEADER:
            raft.take_office()
            device.offer()
        if device.all_said:
            permits = [permit for permit in sorted(self.permits) if claim_of(permit) in ahead.claims]
            renewed = [[claim, hash_of(device.successor(own[claim]))] for claim in sorted(claims)]
            device.author("alone", (log.last + 1, permits, renewed))

    def _sit(self) -> None:
        device = self.device
        if not device.state.alone:
            return
        for seat in self.bots:
            if device.state.places[seat].device != device.me:
                device.give_seat(seat, "bot", device.me)
        self.bots.clear()
