"""The joint coin: a value nobody can know beforehand or bend.

Every device pledges a chain of hashes: it publishes the tip and later, one for each coin, the link before the last one
known. The coin is a hash over the links of all and the head of the log that asked for it. A link can be held back but
not chosen; and the pledge's secret was shared among the table, so that holding back changes nothing either: when a
majority does not hear a device, the others give its secret back and the coin is the very same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random

from engine.core import Refused
from peer.crypto.keys import derive, from_base64, to_base64
from peer.crypto.shamir import SECRET, fingerprint, recover

LENGTH = 256  # links of a chain
LONGEST = 4096
LOW = 2  # links left when a new chain is pledged


def step(value: str) -> str:
    return to_base64(sha256(b"link/" + from_base64(value)).digest())


def secret_of(device: bytes, table: str, number: int) -> bytes:
    """The secret of a device's pledge; made anew whenever it is needed."""
    return derive(device, "pledge", table, number)[:SECRET]


def link_before(secret: bytes, pledge: Pledge) -> str | None:
    """The link that comes next, from a secret that was given back."""
    links = [to_base64(derive(secret, "chain"))]
    while len(links) <= LONGEST:
        following = step(links[-1])
        if following == pledge.known:
            return links[-1 - pledge.skipped] if pledge.skipped < len(links) else None
        links.append(following)
    return None


@dataclass(slots=True)
class Pledge:
    number: int
    known: str  # the link of the chain that was published last, at first its tip
    proof: str  # fingerprint of the secret
    shares: dict[int, str]  # sealed, by device
    said: tuple[int, int]  # author and counter: where they were sealed
    skipped: int = 0  # links that were asked for and did not count: somebody may know them


class Chain:
    """A device's own links; all follow from its secret."""

    def __init__(self, secret: bytes, length: int = LENGTH) -> None:
        self.secret = secret
        self.links = [to_base64(derive(secret, "chain"))]
        for _ in range(length):
            self.links.append(step(self.links[-1]))
        self.places = {link: place for place, link in enumerate(self.links)}

    @property
    def tip(self) -> str:
        return self.links[-1]

    def before(self, pledge: Pledge) -> str | None:
        """The link that comes next; None when there is none any more."""
        place = self.left(pledge)
        return self.links[place - 1] if place > 0 else None

    def left(self, pledge: Pledge) -> int:
        return self.places.get(pledge.known, 0) - pledge.skipped


@dataclass(slots=True)
class Coin:
    """A coin that is being made. `asked` is the head of the log that asked for it."""

    number: int
    asked: str
    devices: tuple[int, ...]
    links: dict[int, str] = field(default_factory=dict)

    def missing(self) -> list[int]:
        return [device for device in self.devices if device not in self.links]

    def value(self) -> bytes:
        return sha256("/".join([self.asked, *(self.links[device] for device in self.devices)]).encode()).digest()


def rolled(value: bytes, *names: object) -> Random:
    """Chance from a coin."""
    return Random(derive(value, *names).hex())


class Coins:
    """All coins of a table, as its log tells them. Equal on every device."""

    def __init__(self, voters: Iterable[int]) -> None:
        self.voters = tuple(voters)
        self.pledges: dict[int, Pledge] = {}
        self.queued: dict[int, Pledge] = {}  # made while a coin was open: they count after it
        self.out: set[int] = set()  # called away; back with a new pledge
        self.stale: set[int] = set()  # whose pledge was for other voters, or whose secret may be known
        self.numbers: dict[int, int] = {}  # pledges made, by device
        self.made = 0
        self.coin: Coin | None = None
        self.lost: dict[int, dict[int, bytes]] = {}  # devices called away in mid-coin: the shares given back
        self.false: set[int] = set()  # devices whose shares did not give their secret

    def unready(self) -> list[int]:
        """Who has yet to pledge and was not called away: the next coin waits for them."""
        return [
            device
            for device in self.voters
            if (device not in self.numbers or device in self.stale) and device not in self.out
        ]

    def pledge(self, device: int, pledge: Pledge) -> None:
        if device not in self.voters or pledge.number != self.numbers.get(device, 0):
            raise Refused("net.coin.pledge")
        self.numbers[device] = pledge.number + 1
        if self.coin is None:
            self._count(device, pledge)
        else:
            self.queued[device] = pledge

    def _count(self, device: int, pledge: Pledge) -> None:
        self.pledges[device] = pledge
        self.stale.discard(device)
        self.out.discard(device)

    def change(self, voters: tuple[int, ...]) -> None:
        """Other devices vote from now on: between two coins. All pledge anew, for the shares of their secrets lie with
        those who voted until now."""
        if self.coin is not None:
            raise Refused("net.stale")
        self.voters, self.stale = voters, {*voters}
        self.pledges.clear()
        self.queued.clear()

    def ask(self, head: str) -> None:
        """Begin a coin."""
        devices = tuple(device for device in self.voters if device in self.pledges)
        self.coin = Coin(self.made, head, devices)

    def give(self, device: int, number: int, link: str) -> None:
        coin = self.coin
        if coin is None or coin.number != number or device not in coin.missing():
            raise Refused("net.coin.not_asked")
        pledge, known = self.pledges[device], link
        for _ in range(pledge.skipped + 1):
            known = step(known)
        if known != pledge.known:
            raise Refused("net.coin.link")
        coin.links[device] = link
        self.lost.pop(device, None)

    def call_away(self, device: int) -> None:
        """A majority does not hear this device."""
        coin = self.coin
        if coin is not None and device in coin.missing():
            self.lost.setdefault(device, {})
            self.stale.add(device)  # its secret may be known from now on
        else:
            self._leave(device)

    def _leave(self, device: int) -> None:
        self.out.add(device)
        self.pledges.pop(device, None)

    def held_up_by(self) -> list[int]:
        """Where whoever's link is missing was called away: who has yet to give a share of their secrets; if nobody has,
        it takes one of those who are away."""
        owing = {by for lost, given in self.lost.items() for by in self.pledges[lost].shares.keys() - given.keys()}
        return sorted(owing - {*self.lost, *self.out} or self.lost)

    def restore(self, device: int, by: int, share: bytes, enough: int, givers: int) -> None:
        """A share of a lost device's secret. Enough of them make its link known."""
        coin, pledge = self.coin, self.pledges.get(device)
        if coin is None or pledge is None or device not in self.lost or by in self.lost[device]:
            raise Refused("net.coin.not_asked")
        shares = self.lost[device]
        shares[by] = share
        if len(shares) < enough:
            return
        secret = recover(shares, enough, pledge.proof)
        link = link_before(secret, pledge) if secret else None
        if link is not None:
            coin.links[device] = link
        elif len(shares) >= givers:
            self.false.add(device)  # it had pledged falsely: the coin goes on without it, and this is said
            coin.devices = tuple(other for other in coin.devices if other != device)
        else:
            return
        del self.lost[device]
        self.out.add(device)

    def take(self) -> bytes | None:
        """The value, once every link is there; then the next coin may be asked for."""
        coin = self.coin
        if coin is None or coin.missing():
            return None
        self.close()
        return coin.value()

    def close(self) -> None:
        """No coin is open any more. Links that were published are known, and those that were only asked for may be:
        whoever keeps the order has seen them first. Pledges made in the meantime count."""
        if self.coin is not None:
            self.made += 1
            for device in self.coin.devices:
                pledge, link = self.pledges.get(device), self.coin.links.get(device)
                if pledge is not None and link is not None:
                    pledge.known, pledge.skipped = link, 0
                elif pledge is not None:
                    pledge.skipped += 1
            self.out.update(self.lost)
        for device in self.out:
            self.pledges.pop(device, None)
        self.lost.clear()
        self.coin = None
        for device, pledge in self.queued.items():
            self._count(device, pledge)
        self.queued.clear()


def make(
    secret: bytes, number: int, shares: dict[int, str], length: int = LENGTH
) -> tuple[int, str, str, list[object]]:
    """The body of a pledge."""
    return number, Chain(secret, length).tip, fingerprint(secret), [[to, text] for to, text in sorted(shares.items())]
