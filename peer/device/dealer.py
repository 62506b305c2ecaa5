"""The duties of the dealer: the device that deals hidden cards, bound by its promise."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core import Nonsense
from peer.crypto.keys import Keys, derive, to_base64
from peer.crypto.sealed import open_box, seal
from peer.crypto.shamir import SECRET_BYTES, fingerprint
from peer.device.outbox import Outbox
from peer.game.dealing import deal, hand_over
from peer.game.public import DEAL
from peer.game.state import State
from peer.game.types import Promise
from peer.game.views import PrivateViews, role_secret, shares_of
from peer.order.raft import Raft
from peer.wire import bodies
from peer.wire.bodies import Body


class DealerDuties:
    """The envelopes that this device owes while it is the dealer, and the dealer's secret, as far as it is known."""

    def __init__(self, keys: Keys, state: State, private: PrivateViews, raft: Raft, outbox: Outbox) -> None:
        self.keys, self.state, self.private, self.raft, self.outbox = keys, state, private, raft, outbox

    def owed(self) -> Iterator[Body]:
        """Yields the duties of the dealer, if this device is the dealer."""
        if self.state.dealer != self.outbox.me:
            return
        if self.outbox.me in self.state.seatless:
            yield from self._cede()
        elif self.state.dealer_promise is None:
            yield from self._promise()
        elif self.learn_secret():
            yield from self._owed_under_promise(self.state.dealer_promise)

    def _owed_under_promise(self, promise: Promise) -> Iterator[Body]:
        """Yields shares of the secret, objections, hand-overs, deals, and at the end the secret."""
        state, private, outbox = self.state, self.private, self.outbox
        if not state.secret_shared and not outbox.has_pending(bodies.Reshare):
            shares = shares_of(private.secret, self.keys, state, outbox.next_box_place(), state.future_voters)
            yield bodies.Reshare(shares)
        if private.false_entry is not None:  # an objection is only possible to an answer, not to an outcome of chance
            if not outbox.has_pending(bodies.Object) and state.public.entries[private.false_entry].entry[0] >= 0:
                yield bodies.Object(private.false_entry)
            return
        for seat in state.owed_hand_overs:
            if not outbox.has_pending(bodies.HandOver, seat):
                yield hand_over(state, private, seat, outbox.next_box_place())
        if (
            state.public.waits_for == DEAL
            and promise.coin
            and not outbox.has_pending(bodies.Deal, len(state.public.session.log))
        ):
            yield deal(state, private, outbox.next_box_place())
        if state.public.over and not promise.opened and not outbox.has_pending(bodies.Open):
            yield bodies.Open(to_base64(private.secret))

    def _cede(self) -> Iterator[Body]:
        """Makes a device that has a seat the dealer, because this one has none any more."""
        state, raft = self.state, self.raft
        to = next((home for home in sorted({*state.homes}) if raft.hears(home, raft.timing.away_after)), None)
        if to is None or self.outbox.has_pending(bodies.Cede) or not self.learn_secret():
            return
        box = ""
        if state.dealer_promise is not None:
            key = self.keys.shared(state.devices[to].seal_key)
            box = seal(key, f"{self.outbox.next_box_place()}/{to}", self.private.secret)
        yield bodies.Cede(to, box)

    def _promise(self) -> Iterator[Body]:
        """Yields the dealer's promise: a fingerprint of its secret, and shares of the secret for the voters."""
        if self.state.wants_promise and not self.outbox.has_pending(bodies.Deck):
            secret = self._own_secret()
            shares = shares_of(secret, self.keys, self.state, self.outbox.next_box_place(), self.state.voters)
            yield bodies.Deck(self.keys.role(secret).seal_key, fingerprint(secret), shares)

    def learn_secret(self) -> bool:
        """Learns the promised secret, if this device can, and reads the game with it. Returns True if it is known, or
        if nothing is promised.

        The secret may have been made here, ceded by the previous dealer, or recovered from shares.
        """
        state = self.state
        if state.dealer_promise is None or self.private.role is not None:
            return True
        own_secret = self._own_secret()
        secret: bytes | None = own_secret
        if fingerprint(own_secret) != state.promise.fingerprint:
            secret = self._ceded_secret() or role_secret(self.keys, state)
        if secret is None:
            return False
        self.private.set_secret(secret)
        self.private.follow(state)
        return True

    def _own_secret(self) -> bytes:
        return derive(self.keys.secret, "deck", self.state.mark)[:SECRET_BYTES]

    def _ceded_secret(self) -> bytes | None:
        """Returns the secret that the previous dealer ceded; None if there is none or it is false."""
        state = self.state
        if state.ceded_secret is None:
            return None
        author, counter, box = state.ceded_secret
        try:
            key = self.keys.shared(state.devices[author].seal_key)
            secret = open_box(key, f"{state.box_place(author, counter)}/{self.outbox.me}", box)
        except Nonsense:
            return None
        return secret if fingerprint(secret) == state.promise.fingerprint else None
