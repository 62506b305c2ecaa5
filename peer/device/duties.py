"""The duties of a device, as they follow from the state: pledges, shares, deals. Each is authored once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from peer.crypto.keys import derive, to_base64
from peer.crypto.sealed import open_box, seal
from peer.crypto.shamir import SECRET, fingerprint
from peer.game.coin import LOW, Chain, make, secret_of
from peer.game.dealing import audit, deal, hand
from peer.game.public import DEAL
from peer.game.types import Promise, hash_of, vow_of
from peer.game.views import own_share, role_secret, shares_of
from peer.order.raft import LEADER, NOBODY
from peer.wire.envelope import ROLE

if TYPE_CHECKING:
    from peer.device.device import Device


OVERDUE = 20_000  # milliseconds the table waits for a device that is heard but gives nothing


def duties(device: Device) -> None:
    """Authors all envelopes that this device owes now."""
    _start(device)
    if device.me in device.state.voters:
        _pledge(device)
        _share(device)
        _away(device)
        _wish(device)
    _give_back(device)
    _claim(device)
    _here(device)
    _votes(device)
    _dealer(device)
    _audit(device)


def _start(device: Device) -> None:
    """Authors the first entry of a new leader, which is needed before older entries can be committed.

    A `start` of an earlier term that is already in the log does not count.
    """
    log, raft = device.log, device.raft
    known = log.counters.get(device.me, 0)
    said = [one.kind for one in device.outbox if one.counter > known] + [kind for _, kind, _, _ in device.unsigned]
    if raft.role == LEADER and log.last > raft.commit and log.term(log.last) < raft.term and "start" not in said:
        device.author("start", ())


def _pledge(device: Device) -> None:
    """Pledges a hash chain if there is none, or it is stale or nearly used up."""
    coins, me = device.state.coins, device.me
    number, pledge = coins.numbers.get(me, 0), coins.pledges.get(me)
    if me in coins.queued or device.says("pledge"):
        return
    if pledge is None or me in coins.stale or chain(device, pledge.number).left(pledge) <= LOW:
        secret = secret_of(device.keys.secret, device.mark, number)
        shares = shares_of(secret, device.keys, device.state, device.place(), device.state.voters)
        device.author("pledge", make(secret, number, dict(shares), device.chain))


def chain(device: Device, number: int) -> Chain:
    """Returns the chain of an own pledge. It is cached, because every coin needs it."""
    if device.own_chain is None or device.own_chain[0] != number:
        secret = secret_of(device.keys.secret, device.mark, number)
        device.own_chain = number, Chain(secret, device.chain)
    return device.own_chain[1]


def _share(device: Device) -> None:
    """Gives the open coin this device's link."""
    coins, me = device.state.coins, device.me
    coin = coins.coin
    if coin is None or me not in coin.missing() or device.says("share", coin.number):
        return
    pledge = coins.pledges[me]
    link = chain(device, pledge.number).before(pledge)
    if link is not None:
        device.author("share", (coin.number, link))


def _away(device: Device) -> None:
    """Authors `away` for awaited devices that neither this one nor the leader hears, or that are overdue."""
    state, raft = device.state, device.raft
    awaited = state.awaited()
    what = state.coins.made, len(state.play.played), awaited
    if device.waited[0] != what or raft.leader == NOBODY:  # without a leader no device can give anything
        device.waited = what, raft.now
    overdue = raft.now - device.waited[1] > OVERDUE
    for other in awaited:
        votes = state.away.get(other, set())
        if other == device.me or device.me in votes or len(state.voters) < 3 or device.says("away", other):
            continue
        if overdue or not (raft.hears(other, device.timing.away) or (raft.role != LEADER and other in raft.here)):
            device.author("away", (other,))


def _give_back(device: Device) -> None:
    """Publishes shares of the secrets of devices that were called away; also of the dealer's, for a new dealer."""
    state, me = device.state, device.me
    for other, given in state.coins.lost.items():
        pledge = state.coins.pledges[other]
        if me == other or me in given or me not in pledge.shares or device.says("yield", other, pledge.number):
            continue
        try:
            place = state.place(*pledge.said)
            share = own_share(device.keys, me, state, other, place, pledge.shares)
        except Refused:
            share = b"\0" * 32  # there is none that can be opened; published, so that nobody waits for it
        device.author("yield", (other, pledge.number, to_base64(share)))
    deck = state.deck
    if deck is None or not state.reign or me in state.given or device.says("yield", ROLE, state.reign):
        return
    try:
        share = own_share(device.keys, me, state, deck.by[0], state.place(*deck.by), deck.shares)
    except Refused:
        return
    key = device.keys.shared(state.devices[state.dealer].seal_key)
    device.author("yield", (ROLE, state.reign, seal(key, f"{state.mark}/reign/{state.reign}/{me}", share)))


def _wish(device: Device) -> None:
    """Renews this device's wish for a bot on a seat when the leader has changed: the leader's device plays the bot."""
    state, leader = device.state, device.raft.leader
    for seat, wishes in state.wishes.items():
        wish = wishes.get(device.me)
        if wish is None or wish.kind != "bot" or leader in (NOBODY, wish.device, state.places[seat].device):
            continue
        if not device.says("seat", seat):
            device.give_seat(seat, "bot", leader)


def _claim(device: Device) -> None:
    """Claims the seats of a rejoin link: first with a vow, then with the tokens.

    After the vow, nobody who sees the tokens can use them.
    """
    state, me = device.state, device.me
    if not device.tokens or me >= len(state.devices):
        return
    tokens = [token for token in device.tokens if hash_of(token) in state.claims]
    if not tokens:
        if not all(hash_of(device.successor(token)) in state.claims for token in device.tokens):
            device.refused("claim", "net.token", {})
        device.tokens = ()
        return
    vows = [vow_of(token, state.devices[me]) for token in tokens]
    if any((me, vow) not in state.vows for vow in vows):
        if not device.says("vow"):
            device.author("vow", (vows,))
    elif not device.says("claim"):
        device.author("claim", ([[token, hash_of(device.successor(token))] for token in tokens],))


def _here(device: Device) -> None:
    """Keeps a seat that others wish to give to another player, because this device is heard again."""
    state = device.state
    for seat, wishes in state.wishes.items():
        place = state.places[seat]
        if wishes and place.device == device.me and not device.says("seat", seat):
            device.give_seat(seat, *place)


def _votes(device: Device) -> None:
    """As the leader, gives the vote to devices that got a seat and takes it from those that have none any more.

    Only when everything is committed, so that every device can check that the change is right.
    """
    state, log, raft = device.state, device.log, device.raft
    if raft.role != LEADER or device.applied < log.last or device.outbox or device.unsigned:
        return
    voters = tuple(voter for voter in state.due_votes if voter in state.needed or raft.hears(voter, device.timing.away))
    if state.dealer in state.left or not state.shared or state.coins.coin is not None:
        return  # first the dealer cedes, its secret is shared anew, and the open coin ends
    if voters != state.voters and all(raft.hears(voter, device.timing.resend) for voter in {*voters} - {*state.voters}):
        device.author("votes", (log.last + 1, voters))


def _dealer(device: Device) -> None:
    """Does the duties of the dealer, if this device is the dealer."""
    state = device.state
    if state.dealer != device.me:
        return
    if device.me in state.left:
        _cede(device)
    elif state.deck is None:
        _promise(device)
    elif device.private.role is not None or learn(device):
        _deals(device, state.deck)


def _deals(device: Device, deck: Promise) -> None:
    """Authors what the dealer owes: shares of the secret, objections, hand-overs, deals, and at the end the secret."""
    state, hands = device.state, device.private
    if not state.shared and not device.says("reshare"):
        shares = shares_of(hands.secret, device.keys, state, device.place(), state.due_votes)
        device.author("reshare", (shares,))
    if hands.untrue is not None:
        if not device.says("object") and state.play.played[hands.untrue].entry[0] >= 0:
            device.author("object", (hands.untrue,))
        return
    for seat in state.owed:
        if not device.says("hand", seat):
            device.author("hand", hand(state, hands, seat, device.place()))
    if state.play.wants == DEAL and deck.coin and not device.says("deal", len(state.play.session.log)):
        device.author("deal", deal(state, hands, device.place()))
    if state.play.over and not deck.opened and not device.says("open"):
        device.author("open", (to_base64(hands.secret),))


def _cede(device: Device) -> None:
    """Makes a device that has a seat the dealer, because this one has none any more."""
    state, hands, raft = device.state, device.private, device.raft
    to = next((home for home in sorted({*state.homes}) if raft.hears(home, device.timing.away)), None)
    if to is None or device.says("cede") or (state.deck is not None and hands.role is None and not learn(device)):
        return
    box = ""
    if state.deck is not None:
        box = seal(device.keys.shared(state.devices[to].seal_key), f"{device.place()}/{to}", hands.secret)
    device.author("cede", (to, box))


def _promise(device: Device) -> None:
    if device.state.wants_deck and not device.says("deck"):
        secret = derive(device.keys.secret, "deck", device.mark)[:SECRET]
        shares = shares_of(secret, device.keys, device.state, device.place(), device.state.voters)
        device.author("deck", (device.keys.role(secret).seal_key, fingerprint(secret), shares))


def learn(device: Device) -> bool:
    """Sets the dealer's secret if it can be known: made here, ceded by the last dealer, or recovered from shares.

    Returns True if it is known.
    """
    state, deck = device.state, device.state.promise
    secret: bytes | None = derive(device.keys.secret, "deck", device.mark)[:SECRET]
    if secret is None or fingerprint(secret) != deck.proof:
        secret = _ceded(device) or role_secret(device.keys, state)
    if secret is None:
        return False
    device.private.know(secret)
    device.private.follow(state)
    return True


def _ceded(device: Device) -> bytes | None:
    """Returns the secret that the last dealer ceded; None if there is none or it is false."""
    state = device.state
    if state.ceded is None:
        return None
    author, counter, box = state.ceded
    try:
        key = device.keys.shared(state.devices[author].seal_key)
        secret = open_box(key, f"{state.place(author, counter)}/{device.me}", box)
    except Refused:
        return None
    return secret if fingerprint(secret) == state.promise.proof else None


def _audit(device: Device) -> None:
    """Checks the whole game once, after the dealer's secret was opened."""
    deck = device.state.deck
    if deck is not None and deck.opened and device.audited is None:
        device.audited = audit(device.state, device.private)
        for what, values in device.audited:
            device.tell(what, values)
