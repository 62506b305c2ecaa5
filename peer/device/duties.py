"""The duties of a device, as they follow from the state: pledges, shares, deals. Each is authored once.

To author an envelope is to write it, sign it and put it into the outbox, from which it is offered to the leader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Nonsense, Refused
from peer.crypto.keys import derive, to_base64
from peer.crypto.sealed import open_box, seal
from peer.crypto.shamir import SECRET_BYTES, fingerprint
from peer.game.coin import RENEW_AT, Chain, pledge_body, pledge_secret
from peer.game.dealing import audit, deal, hand
from peer.game.public import DEAL
from peer.game.types import Promise, hash_of, vow_of
from peer.game.views import own_share, role_secret, shares_of
from peer.order.raft import LEADER, NOBODY
from peer.wire import bodies
from peer.wire.bodies import DEALER_ROLE

if TYPE_CHECKING:
    from peer.device.device import Device


OVERDUE_AFTER = (
    20_000  # milliseconds the table waits for a device that is heard, but does not send a share or deal it owes
)


def do_duties(device: Device) -> None:
    """Authors all envelopes that this device owes now."""
    _start(device)
    if device.me in device.state.voters:
        _pledge(device)
        _reveal_link(device)
        _away(device)
        _renew_wishes(device)
    _publish_shares(device)
    _claim(device)
    _keep_seats(device)
    _change_votes(device)
    _do_dealer_duties(device)
    _audit(device)


def _start(device: Device) -> None:
    """Authors the first entry of a new leader, which is needed before older entries can be committed.

    A `start` of an earlier term that is already in the log does not count.
    """
    log, raft = device.log, device.raft
    known = log.counters.get(device.me, 0)
    pending = [one.body for one in device.outbox if one.counter > known] + [one.body for one in device.unsigned]
    if (
        raft.role == LEADER
        and log.last_index > raft.commit
        and log.term_at(log.last_index) < raft.term
        and not any(isinstance(body, bodies.Start) for body in pending)
    ):
        device.author(bodies.Start())


def _pledge(device: Device) -> None:
    """Pledges a hash chain if there is none, if it is nearly used up, or if a new one is required.

    It is required when the old one was made for other voters, or when its secret may be known to others.
    """
    coins, me = device.state.coins, device.me
    number, pledge = coins.pledge_counts.get(me, 0), coins.pledges.get(me)
    if me in coins.queued or device.has_pending(bodies.Pledge):
        return
    if pledge is None or me in coins.must_pledge or pledge_chain(device, pledge.number).links_left(pledge) <= RENEW_AT:
        secret = pledge_secret(device.keys.secret, device.mark, number)
        shares = shares_of(secret, device.keys, device.state, device.next_box_place(), device.state.voters)
        device.author(pledge_body(secret, number, shares, device.chain_length))


def pledge_chain(device: Device, number: int) -> Chain:
    """Returns the chain of an own pledge. It is cached, because every coin needs it."""
    if device.own_chain is None or device.own_chain[0] != number:
        secret = pledge_secret(device.keys.secret, device.mark, number)
        device.own_chain = number, Chain(secret, device.chain_length)
    return device.own_chain[1]


def _reveal_link(device: Device) -> None:
    """Reveals this device's link for the open coin: the next one of its hash chain."""
    coins, me = device.state.coins, device.me
    coin = coins.coin
    if coin is None or me not in coin.missing() or device.has_pending(bodies.Share, coin.number):
        return
    pledge = coins.pledges[me]
    link = pledge_chain(device, pledge.number).before(pledge)
    if link is not None:
        device.author(bodies.Share(coin.number, link))


def _away(device: Device) -> None:
    """Authors `away` for awaited devices that neither this one nor the leader hears, or that are overdue."""
    state, raft = device.state, device.raft
    awaited_devices = state.awaited()
    situation = state.coins.coin_count, len(state.public.entries), awaited_devices
    last_situation, since = device.waiting
    if last_situation != situation or raft.leader == NOBODY:  # without a leader no device can give anything
        since = raft.now
        device.waiting = situation, since
    overdue = raft.now - since > OVERDUE_AFTER
    for other in awaited_devices:
        votes = state.away_votes.get(other, set())
        # of two voters, one alone is no majority: it cannot call the other away
        if other == device.me or device.me in votes or len(state.voters) < 3 or device.has_pending(bodies.Away, other):
            continue
        if overdue or not (
            raft.hears(other, device.timing.away_after) or (raft.role != LEADER and other in raft.heard_by_leader)
        ):
            device.author(bodies.Away(other))


def _publish_shares(device: Device) -> None:
    """Publishes shares of the secrets of devices that were called away.

    Also gives a new dealer, sealed, this device's share of the dealer's secret.
    """
    state, me = device.state, device.me
    for other, shares in state.coins.recovering.items():
        pledge = state.coins.pledges[other]
        if (
            me == other
            or me in shares
            or me not in pledge.shares
            or device.has_pending(bodies.Yield, other, pledge.number)
        ):
            continue
        try:
            place = state.box_place(*pledge.sealed_in)
            share = own_share(device.keys, me, state, other, place, pledge.shares)
        except (Nonsense, Refused):
            share = b"\0" * 32  # no share opens: zeros are published, so that nobody waits
        device.author(bodies.Yield(other, pledge.number, to_base64(share)))
    promise = state.dealer_promise
    if (
        promise is None
        or not state.dealer_term
        or me in state.role_shares
        or device.has_pending(bodies.Yield, DEALER_ROLE, state.dealer_term)
    ):
        return
    try:
        share = own_share(
            device.keys, me, state, promise.sealed_in[0], state.box_place(*promise.sealed_in), promise.shares
        )
    except (Nonsense, Refused):
        return  # nobody waits for this one share: the new dealer needs any shares that are enough
    key = device.keys.shared(state.devices[state.dealer].seal_key)
    box = seal(key, f"{state.mark}/reign/{state.dealer_term}/{me}", share)
    device.author(bodies.Yield(DEALER_ROLE, state.dealer_term, box))


def _renew_wishes(device: Device) -> None:
    """Renews this device's wish for a bot on a seat when the leader has changed: the leader's device plays the bot."""
    state, leader = device.state, device.raft.leader
    for seat, wishes in state.wishes.items():
        wish = wishes.get(device.me)
        if wish is None or wish.kind != "bot" or leader in (NOBODY, wish.device, state.places[seat].device):
            continue
        if not device.has_pending(bodies.Seat, seat):
            device.give_seat(seat, "bot", leader)


def _claim(device: Device) -> None:
    """Claims the seats of a rejoin link: first with a vow, then with the tokens.

    The vow binds the tokens to this device before they are shown.
    """
    state, me = device.state, device.me
    if not device.claim_tokens or me >= len(state.devices):
        return
    tokens = [token for token in device.claim_tokens if hash_of(token) in state.claims]
    if not tokens:
        # used before; by this device itself, if the tokens that follow them (`Device.successor`) are known
        if not all(hash_of(device.successor(token)) in state.claims for token in device.claim_tokens):
            device.report_refused(bodies.Claim, "net.token", {})
        device.claim_tokens = ()
        return
    vows = tuple(vow_of(token, state.devices[me]) for token in tokens)
    if any((me, vow) not in state.vows for vow in vows):
        if not device.has_pending(bodies.Vow):
            device.author(bodies.Vow(vows))
    elif not device.has_pending(bodies.Claim):
        device.author(bodies.Claim(tuple((token, hash_of(device.successor(token))) for token in tokens)))


def _keep_seats(device: Device) -> None:
    """Keeps a seat that others wish to give to another player, because this device is heard again."""
    state = device.state
    for seat, wishes in state.wishes.items():
        place = state.places[seat]
        if wishes and place.device == device.me and not device.has_pending(bodies.Seat, seat):
            device.give_seat(seat, *place)


def _change_votes(device: Device) -> None:
    """As the leader, gives the vote to devices that got a seat and takes it from those that have none any more.

    It waits until the whole log is applied here and no own envelope is in the outbox or unsigned, so that every device
    can check that the change is right.
    """
    state, log, raft = device.state, device.log, device.raft
    if raft.role != LEADER or device.applied < log.last_index or device.outbox or device.unsigned:
        return
    voters = tuple(
        voter
        for voter in state.future_voters
        if voter in state.required_voters or raft.hears(voter, device.timing.away_after)
    )
    if state.dealer in state.seatless or not state.secret_shared or state.coins.coin is not None:
        # these must come first: a dealer without a seat cedes, its secret is shared anew, and the open coin ends
        return
    # a new voter must be present: the change, and all later entries, may need its acknowledgement
    if voters != state.voters and all(raft.hears(voter, device.timing.resend) for voter in {*voters} - {*state.voters}):
        device.author(bodies.Votes(log.last_index + 1, voters))


def _do_dealer_duties(device: Device) -> None:
    """Does the duties of the dealer, if this device is the dealer."""
    state = device.state
    if state.dealer != device.me:
        return
    if device.me in state.seatless:
        _cede(device)
    elif state.dealer_promise is None:
        _promise(device)
    elif device.private.role is not None or learn_secret(device):
        _author_dealer_entries(device, state.dealer_promise)


def _author_dealer_entries(device: Device, promise: Promise) -> None:
    """Authors what the dealer owes: shares of the secret, objections, hand-overs, deals, and at the end the secret."""
    state, private = device.state, device.private
    if not state.secret_shared and not device.has_pending(bodies.Reshare):
        shares = shares_of(private.secret, device.keys, state, device.next_box_place(), state.future_voters)
        device.author(bodies.Reshare(shares))
    if private.false_entry is not None:  # an objection is only possible to an answer, not to an outcome of chance
        if not device.has_pending(bodies.Object) and state.public.entries[private.false_entry].entry[0] >= 0:
            device.author(bodies.Object(private.false_entry))
        return
    for seat in state.owed_hand_overs:
        if not device.has_pending(bodies.Hand, seat):
            device.author(hand(state, private, seat, device.next_box_place()))
    if (
        state.public.waits_for == DEAL
        and promise.coin
        and not device.has_pending(bodies.Deal, len(state.public.session.log))
    ):
        device.author(deal(state, private, device.next_box_place()))
    if state.public.over and not promise.opened and not device.has_pending(bodies.Open):
        device.author(bodies.Open(to_base64(private.secret)))


def _cede(device: Device) -> None:
    """Makes a device that has a seat the dealer, because this one has none any more."""
    state, private, raft = device.state, device.private, device.raft
    to = next((home for home in sorted({*state.homes}) if raft.hears(home, device.timing.away_after)), None)
    if (
        to is None
        or device.has_pending(bodies.Cede)
        or (state.dealer_promise is not None and private.role is None and not learn_secret(device))
    ):
        return
    box = ""
    if state.dealer_promise is not None:
        box = seal(device.keys.shared(state.devices[to].seal_key), f"{device.next_box_place()}/{to}", private.secret)
    device.author(bodies.Cede(to, box))


def _promise(device: Device) -> None:
    """Authors the dealer's promise: a fingerprint of its secret, and shares of the secret for the voters."""
    if device.state.wants_promise and not device.has_pending(bodies.Deck):
        secret = derive(device.keys.secret, "deck", device.mark)[:SECRET_BYTES]
        shares = shares_of(secret, device.keys, device.state, device.next_box_place(), device.state.voters)
        device.author(bodies.Deck(device.keys.role(secret).seal_key, fingerprint(secret), shares))


def learn_secret(device: Device) -> bool:
    """Sets the dealer's secret if it can be known: made here, ceded by the previous dealer, or recovered from shares.

    Returns True if it is known.
    """
    state, promise = device.state, device.state.promise
    own_secret = derive(device.keys.secret, "deck", device.mark)[:SECRET_BYTES]
    secret: bytes | None = own_secret
    if fingerprint(own_secret) != promise.fingerprint:
        secret = _ceded(device) or role_secret(device.keys, state)
    if secret is None:
        return False
    device.private.set_secret(secret)
    device.private.follow(state)
    return True


def _ceded(device: Device) -> bytes | None:
    """Returns the secret that the previous dealer ceded; None if there is none or it is false."""
    state = device.state
    if state.ceded_secret is None:
        return None
    author, counter, box = state.ceded_secret
    try:
        key = device.keys.shared(state.devices[author].seal_key)
        secret = open_box(key, f"{state.box_place(author, counter)}/{device.me}", box)
    except Nonsense:
        return None
    return secret if fingerprint(secret) == state.promise.fingerprint else None


def _audit(device: Device) -> None:
    """Checks the whole game once, after the dealer's secret was opened."""
    promise = device.state.dealer_promise
    if promise is not None and promise.opened and device.audit_result is None:
        device.audit_result = audit(device.state, device.private)
        for failure in device.audit_result:
            device.put(failure)
