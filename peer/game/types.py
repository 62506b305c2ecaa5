"""What the state of a table is made of, and how its tokens are known."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from peer.crypto.keys import to_base64
from peer.game.public import PublicEntry
from peer.game.setup import Member
from peer.wire.envelope import Envelope


class Outcome(NamedTuple):
    """What became of an entry: carried out (no reason), refused, or seen before."""

    said: Envelope
    reason: str
    values: dict[str, object]


@dataclass(slots=True)
class Promise:
    """The dealer's promise, made before the first card: every hidden outcome follows from this secret and a coin."""

    seal_key: str
    proof: str
    shares: dict[int, str]
    by: tuple[int, int]  # author and counter: where the shares were sealed
    coin: bytes = b""  # the coin mixed in, so that no dealer can choose the deal
    opened: bytes = b""  # the secret, when all is over


@dataclass(slots=True)
class OwedHandOver:
    """A seat has changed hands: the dealer owes its new device what the seat knows."""

    number: int
    device: int


@dataclass(slots=True)
class HandOver:
    """What the dealer told a seat's new device."""

    place: str
    boxes: dict[int, str]
    length: int  # of the game it tells about: what came after was played anew since


class Objection(NamedTuple):
    """The dealer said that the last of these entries was not true. Whether it was is checked when all is over."""

    seat: int
    played: tuple[PublicEntry, ...]

    @property
    def length(self) -> int:
        return len(self.played) - 1


def most_of(devices: Collection[int]) -> int:
    return len(devices) // 2 + 1


def permit_of(token: str) -> str:
    """What proves that its owner gave a rejoin token away, and brings nobody the seat."""
    return to_base64(sha256(b"permit/" + token.encode("ascii")).digest())


def claim_of(permit: str) -> str:
    return to_base64(sha256(b"token/" + permit.encode("ascii")).digest())


def hash_of(token: str) -> str:
    """What a table knows of a rejoin token."""
    return claim_of(permit_of(token))


def vow_of(token: str, member: Member) -> str:
    """What a device can say of a token that nobody else can make use of."""
    return to_base64(sha256(f"vow/{token}/{member.verify_key}/{member.seal_key}".encode("ascii")).digest())
