"""The duties of a device, as they follow from the state: pledges, links, recovery shares, votes.

For those of the dealer see `dealer.py`.

Nothing here authors an envelope: each function or method yields the bodies that are owed now and not pending yet, and
`Device.do_duties` authors them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.core import Nonsense, Refused
from peer.crypto.keys import Keys, derive, to_base64
from peer.crypto.sealed import seal
from peer.crypto.shamir import SHARE_BYTES
from peer.device.outbox import Outbox
from peer.game.coin import RENEW_AT, Chain, pledge_body, pledge_secret
from peer.game.state import State
from peer.game.types import hash_of, vow_of
from peer.game.views import own_share, shares_of
from peer.order.raft import LEADER, NOBODY, Raft
from peer.wire import bodies
from peer.wire.bodies import DEALER_ROLE, Body

OVERDUE_AFTER = (
    20_000  # milliseconds the table waits for a device that is heard, but does not send the link, share or deal it owes
)


def start(raft: Raft, outbox: Outbox) -> Iterator[Body]:
    """Yields the first entry of a new leader, which is needed before older entries can be committed.

    A `start` of an earlier term that is already in the log does not count.
    """
    if raft.needs_start and not any(isinstance(body, bodies.Start) for body in outbox.not_in_log()):
        yield bodies.Start()


class CoinDuties:
    """The pledges and links a voter owes for the joint coin, with a cache of its chain, which every coin needs."""

    def __init__(self, keys: Keys, state: State, outbox: Outbox, chain_length: int) -> None:
        self.keys, self.state, self.outbox, self.chain_length = keys, state, outbox, chain_length
        self.own_chain: tuple[int, Chain] | None = None  # number of the pledge, its chain

    def owed(self) -> Iterator[Body]:
        yield from self._pledge()
        yield from self._reveal_link()

    def _pledge(self) -> Iterator[Body]:
        """Pledges a hash chain if there is none, if it is nearly used up, or if a new one is required.

        It is required when the old one was made for other voters, or when its secret may be known to others.
        """
        coins, me = self.state.coins, self.outbox.me
        number, pledge = coins.pledge_counts.get(me, 0), coins.pledges.get(me)
        if me in coins.queued or self.outbox.has_pending(bodies.Pledge):
            return
        if pledge is None or me in coins.must_pledge or self._chain(pledge.number).links_left(pledge) <= RENEW_AT:
            secret = pledge_secret(self.keys.secret, self.state.mark, number)
            shares = shares_of(secret, self.keys, self.state, self.outbox.next_box_place(), self.state.voters)
            yield pledge_body(secret, number, shares, self.chain_length)

    def _chain(self, number: int) -> Chain:
        """Returns the chain of an own pledge."""
        if self.own_chain is None or self.own_chain[0] != number:
            secret = pledge_secret(self.keys.secret, self.state.mark, number)
            self.own_chain = number, Chain(secret, self.chain_length)
        return self.own_chain[1]

    def _reveal_link(self) -> Iterator[Body]:
        """Reveals this device's link for the open coin: the next one of its hash chain."""
        coins, me = self.state.coins, self.outbox.me
        coin = coins.coin
        if coin is None or me not in coin.missing() or self.outbox.has_pending(bodies.Link, coin.number):
            return
        pledge = coins.pledges[me]
        link = self._chain(pledge.number).before(pledge)
        if link is not None:
            yield bodies.Link(coin.number, link)


class AwayVotes:
    """The votes that call devices away, and since when the table has been waiting for them."""

    def __init__(self, state: State, raft: Raft, outbox: Outbox) -> None:
        self.state, self.raft, self.outbox = state, raft, outbox
        self.waiting: tuple[object, int] = (None, raft.now)  # what the table waits for, and since when

    def owed(self) -> Iterator[Body]:
        """Yields `away` for awaited devices that neither this one nor the leader hears, that are muted, or overdue."""
        state, raft, me = self.state, self.raft, self.outbox.me
        awaited_devices = state.awaited()
        situation = state.coins.coin_count, len(state.public.entries), awaited_devices
        last_situation, since = self.waiting
        if last_situation != situation or raft.leader == NOBODY:  # without a leader no device can give anything
            since = raft.now
            self.waiting = situation, since
        overdue = raft.now - since > OVERDUE_AFTER
        for other in awaited_devices:
            votes = state.away_votes.get(other, set())
            # of two voters, one alone is no majority: it cannot call the other away
            if other == me or me in votes or len(state.voters) < 3 or self.outbox.has_pending(bodies.Away, other):
                continue
            if overdue or raft.is_cut_off(other) or not raft.is_present(other):
                yield bodies.Away(other)


def published_shares(keys: Keys, state: State, outbox: Outbox) -> Iterator[Body]:
    """Publishes shares of the secrets of devices that were called away.

    Also gives a new dealer, sealed, this device's share of the dealer's secret.
    """
    me = outbox.me
    for other, shares in state.coins.recovering.items():
        pledge = state.coins.pledges[other]
        if (
            me == other
            or me in shares
            or me not in pledge.shares
            or outbox.has_pending(bodies.RecoveryShare, other, pledge.number)
        ):
            continue
        try:
            place = state.box_place(*pledge.sealed_in)
            share = own_share(keys, me, state, other, place, pledge.shares)
        except (Nonsense, Refused):
            share = bytes(SHARE_BYTES)  # no share opens: zeros are published, so that nobody waits
        yield bodies.RecoveryShare(other, pledge.number, to_base64(share))
    promise = state.dealer_promise
    if (
        promise is None
        or not state.dealer_term
        or me in state.role_shares
        or outbox.has_pending(bodies.RecoveryShare, DEALER_ROLE, state.dealer_term)
    ):
        return
    try:
        share = own_share(keys, me, state, promise.sealed_in[0], state.box_place(*promise.sealed_in), promise.shares)
    except (Nonsense, Refused):
        return  # nobody waits for this one share: the new dealer needs any shares that are enough
    key = keys.shared(state.devices[state.dealer].seal_key)
    box = seal(key, f"{state.mark}/reign/{state.dealer_term}/{me}", share)
    yield bodies.RecoveryShare(DEALER_ROLE, state.dealer_term, box)


def successor(keys: Keys, mark: str, token: str) -> str:
    """Returns the token that follows one the device with these keys has used: it gives the seat to the next device."""
    return to_base64(derive(keys.secret, "token", mark, token))


def claims(keys: Keys, state: State, tokens: Collection[str], outbox: Outbox) -> Iterator[Body]:
    """Claims the seats of a rejoin link: first with a vow, then with the tokens.

    The vow binds the tokens to this device before they are shown.
    """
    me = outbox.me
    valid = [token for token in tokens if hash_of(token) in state.claims]
    if not valid:
        return
    vows = tuple(vow_of(token, state.devices[me]) for token in valid)
    if any((me, vow) not in state.vows for vow in vows):
        if not outbox.has_pending(bodies.Vow):
            yield bodies.Vow(vows)
    elif not outbox.has_pending(bodies.Claim):
        yield bodies.Claim(tuple((token, hash_of(successor(keys, state.mark, token))) for token in valid))


def vote_changes(state: State, raft: Raft, outbox: Outbox) -> Iterator[Body]:
    """As the leader, gives the vote to devices that got a seat and takes it from those that have none any more.

    It waits until the whole log is applied here and no own envelope is in the outbox or unsigned, so that every device
    can check that the change is right.
    """
    last_index = raft.log.last_index
    if raft.role != LEADER or state.index < last_index or not outbox.is_empty:
        return
    voters = tuple(
        voter
        for voter in state.future_voters
        if voter in state.required_voters or raft.hears(voter, raft.timing.away_after)
    )
    if state.dealer in state.seatless or not state.secret_shared or state.coins.coin is not None:
        # these must come first: a dealer without a seat cedes, its secret is shared anew, and the open coin ends
        return
    # a new voter must be present: the change, and all later entries, may need its acknowledgement
    if voters != state.voters and all(raft.hears(voter, raft.timing.resend) for voter in {*voters} - {*state.voters}):
        yield bodies.Votes(last_index + 1, voters)
