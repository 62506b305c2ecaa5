"""The joint coin: a random value that nobody can predict or influence.

Each device pledges a hash chain. It publishes the tip first and then, for each coin, the link before the last published
one. The coin is a hash over the links of all devices and the head of the log that asked for it. A device can withhold a
link but cannot choose it. Withholding changes nothing either, because the secret of the chain was shared among the
voters: when a majority does not hear a device, the others publish their shares of its secret, and the coin that follows
is the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random

from engine.core import Refused
from peer.crypto.keys import derive, from_base64, to_base64
from peer.crypto.shamir import SECRET_BYTES, fingerprint, recover
from peer.wire import bodies

CHAIN_LENGTH = 256  # links in a chain
MAX_CHAIN_LENGTH = 4096  # links computed from a recovered secret, at most
RENEW_AT = 2  # a new chain is pledged when no more links than this are left


def hash_link(link: str) -> str:
    return to_base64(sha256(b"link/" + from_base64(link)).digest())


def pledge_secret(device_secret: bytes, table: str, number: int) -> bytes:
    """Returns the secret of a device's pledge. It is derived whenever it is needed, so it is never stored."""
    return derive(device_secret, "pledge", table, number)[:SECRET_BYTES]


def next_link(secret: bytes, pledge: Pledge) -> str | None:
    """Returns the next link of a pledge from its recovered secret; None if there is no such link."""
    links = [to_base64(derive(secret, "chain"))]
    while len(links) <= MAX_CHAIN_LENGTH:
        following = hash_link(links[-1])
        if following == pledge.last_link:
            return links[-1 - pledge.skipped] if pledge.skipped < len(links) else None
        links.append(following)
    return None


@dataclass(slots=True)
class Pledge:
    number: int
    last_link: str  # the last published link of the chain; at first its tip
    fingerprint: str  # of the secret
    shares: dict[int, str]  # sealed, by device
    sealed_in: tuple[int, int]  # author and counter of the envelope the shares were sealed for
    skipped: int = 0  # links that were asked for but not used: somebody may know them


class Chain:
    """The hash chain of an own pledge: all its links, computed from its secret."""

    def __init__(self, secret: bytes, length: int = CHAIN_LENGTH) -> None:
        self.secret = secret
        self.links = [to_base64(derive(secret, "chain"))]
        for _ in range(length):
            self.links.append(hash_link(self.links[-1]))
        self.index_of = {link: place for place, link in enumerate(self.links)}

    @property
    def tip(self) -> str:
        return self.links[-1]

    def before(self, pledge: Pledge) -> str | None:
        """Returns the next link to publish; None if there is none left."""
        place = self.links_left(pledge)
        return self.links[place - 1] if place > 0 else None

    def links_left(self, pledge: Pledge) -> int:
        """Returns the number of links that can still be used."""
        return self.index_of.get(pledge.last_link, 0) - pledge.skipped


@dataclass(slots=True)
class Coin:
    """A coin in progress. `asked` is the head of the log that asked for it."""

    number: int
    asked_head: str
    devices: tuple[int, ...]
    links: dict[int, str] = field(default_factory=dict)

    def missing(self) -> list[int]:
        return [device for device in self.devices if device not in self.links]

    def value(self) -> bytes:
        return sha256("/".join([self.asked_head, *(self.links[device] for device in self.devices)]).encode()).digest()


def rolled(value: bytes, *names: object) -> Random:
    """Returns a random generator seeded with a coin."""
    return Random(derive(value, *names).hex())


class Coins:
    """All coins of a table. They follow from the log, so they are equal on every device."""

    def __init__(self, voters: Iterable[int]) -> None:
        self.voters = tuple(voters)
        self.pledges: dict[int, Pledge] = {}
        self.queued: dict[int, Pledge] = {}  # pledges made during a coin: they count after it
        self.called_away: set[int] = set()  # devices that were called away; a new pledge brings them back
        self.must_pledge: set[int] = set()  # devices whose pledge was for other voters, or whose secret may be known
        self.pledge_counts: dict[int, int] = {}  # number of pledges made, by device
        self.coin_count = 0
        self.coin: Coin | None = None
        self.recovering: dict[int, dict[int, bytes]] = {}  # devices called away during a coin: shares of their secrets
        self.false_pledges: set[int] = set()  # devices whose shares did not recover their secret

    def unpledged(self) -> list[int]:
        """Returns the voters that have yet to pledge and were not called away. The next coin waits for them."""
        return [
            device
            for device in self.voters
            if (device not in self.pledge_counts or device in self.must_pledge) and device not in self.called_away
        ]

    def pledge(self, device: int, pledge: Pledge) -> None:
        if device not in self.voters or pledge.number != self.pledge_counts.get(device, 0):
            raise Refused("net.coin.pledge")
        self.pledge_counts[device] = pledge.number + 1
        if self.coin is None:
            self._activate(device, pledge)
        else:
            self.queued[device] = pledge

    def _activate(self, device: int, pledge: Pledge) -> None:
        self.pledges[device] = pledge
        self.must_pledge.discard(device)
        self.called_away.discard(device)

    def set_voters(self, voters: tuple[int, ...]) -> None:
        """Sets new voters. Raises `Refused` during a coin.

        All have to pledge again, because the shares of their secrets are held by the former voters.
        """
        if self.coin is not None:
            raise Refused("net.stale")
        self.voters, self.must_pledge = voters, {*voters}
        self.pledges.clear()
        self.queued.clear()

    def start_coin(self, head: str) -> None:
        """Starts a coin that the log with this head asks for."""
        devices = tuple(device for device in self.voters if device in self.pledges)
        self.coin = Coin(self.coin_count, head, devices)

    def give(self, device: int, number: int, link: str) -> None:
        """Takes a device's link for the open coin. Raises `Refused` if it was not asked for or is the wrong link."""
        coin = self.coin
        if coin is None or coin.number != number or device not in coin.missing():
            raise Refused("net.coin.not_asked")
        pledge, hashed = self.pledges[device], link
        for _ in range(pledge.skipped + 1):
            hashed = hash_link(hashed)
        if hashed != pledge.last_link:
            raise Refused("net.coin.link")
        coin.links[device] = link
        self.recovering.pop(device, None)

    def call_away(self, device: int) -> None:
        """Marks a device as away, because a majority does not hear it."""
        coin = self.coin
        if coin is not None and device in coin.missing():
            self.recovering.setdefault(device, {})
            self.must_pledge.add(device)  # from now on its secret may be known
        else:
            self._remove(device)

    def _remove(self, device: int) -> None:
        self.called_away.add(device)
        self.pledges.pop(device, None)

    def blocking_devices(self) -> list[int]:
        """Returns the devices that can still complete a coin when those whose links are missing were called away.

        These are the devices that have yet to publish a share of the missing secrets. If there are none, they are the
        missing devices themselves.
        """
        owing = {
            by for lost, given in self.recovering.items() for by in self.pledges[lost].shares.keys() - given.keys()
        }
        return sorted(owing - {*self.recovering, *self.called_away} or self.recovering)

    def add_share(self, device: int, giver: int, share: bytes, threshold: int, giver_count: int) -> None:
        """Adds a share of the secret of a device that was called away. With enough shares its link can be computed.

        If even the shares of all givers do not recover it, the coin goes on without the device. Raises `Refused`.
        """
        coin, pledge = self.coin, self.pledges.get(device)
        if coin is None or pledge is None or device not in self.recovering or giver in self.recovering[device]:
            raise Refused("net.coin.not_asked")
        shares = self.recovering[device]
        shares[giver] = share
        if len(shares) < threshold:
            return
        secret = recover(shares, threshold, pledge.fingerprint)
        link = next_link(secret, pledge) if secret else None
        if link is not None:
            coin.links[device] = link
        elif len(shares) >= giver_count:
            self.false_pledges.add(device)  # its pledge was false: the coin goes on without it
            coin.devices = tuple(other for other in coin.devices if other != device)
        else:
            return
        del self.recovering[device]
        self.called_away.add(device)

    def take_value(self) -> bytes | None:
        """Returns the value of the open coin and closes it; None while a link is missing."""
        coin = self.coin
        if coin is None or coin.missing():
            return None
        self.close()
        return coin.value()

    def close(self) -> None:
        """Closes the open coin, complete or not. Pledges made in the meantime take effect.

        Published links are known from now on. Links that were only asked for are skipped, because somebody may know
        them: the leader sees them first.
        """
        if self.coin is not None:
            self.coin_count += 1
            for device in self.coin.devices:
                pledge, link = self.pledges.get(device), self.coin.links.get(device)
                if pledge is not None and link is not None:
                    pledge.last_link, pledge.skipped = link, 0
                elif pledge is not None:
                    pledge.skipped += 1
            self.called_away.update(self.recovering)
        for device in self.called_away:
            self.pledges.pop(device, None)
        self.recovering.clear()
        self.coin = None
        for device, pledge in self.queued.items():
            self._activate(device, pledge)
        self.queued.clear()


def pledge_body(secret: bytes, number: int, shares: bodies.Boxes, length: int = CHAIN_LENGTH) -> bodies.Pledge:
    """Returns the body of a `pledge` envelope."""
    return bodies.Pledge(number, Chain(secret, length).tip, fingerprint(secret), tuple(sorted(shares)))
