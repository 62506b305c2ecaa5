"""The parts of a table's state, and the hashes by which rejoin tokens are known."""

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
    """The result of an entry: carried out (`reason` is empty), refused, or a duplicate (`net.twice`)."""

    envelope: Envelope
    reason: str
    values: dict[str, object]


@dataclass(slots=True)
class Promise:
    """The dealer's commitment to a secret, made before the first card.

    Every hidden outcome follows from the secret and a coin.
    """

    seal_key: str
    fingerprint: str  # of the secret
    shares: dict[int, str]  # of the secret, sealed, by device
    sealed_in: tuple[int, int]  # author and counter of the envelope the shares were sealed for
    coin: bytes = b""  # mixed into every outcome, so that the dealer cannot choose the deal
    opened: bytes = b""  # the secret, published when the game is over


@dataclass(slots=True)
class OwedHandOver:
    """A hand-over that the dealer still owes to the new device of a seat."""

    log_index: int  # index of the log entry that moved the seat
    device: int


@dataclass(slots=True)
class HandOver:
    """A hand-over in the log: what the dealer sealed for the new device of a seat."""

    place: str
    boxes: dict[int, str]
    valid_length: int  # game entries it is valid for; a rewind lowers it, because later entries are played again


class Objection(NamedTuple):
    """The dealer's statement that the last of these entries is false. It is checked when the game is over."""

    entries: tuple[PublicEntry, ...]
    dealer_term: int  # of the dealer that made it

    @property
    def false(self) -> PublicEntry:
        return self.entries[-1]

    @property
    def seat(self) -> int:
        return self.false.entry[0]

    @property
    def length(self) -> int:
        return len(self.entries) - 1


def majority_of(devices: Collection[int]) -> int:
    return len(devices) // 2 + 1


def permit_of(token: str) -> str:
    """Returns the permit of a rejoin token: it proves that the owner gave the token away, but gives nobody the seat."""
    return to_base64(sha256(b"permit/" + token.encode("ascii")).digest())


def claim_of(permit: str) -> str:
    """Returns the hash by which a table knows the token of this permit."""
    return to_base64(sha256(b"token/" + permit.encode("ascii")).digest())


def hash_of(token: str) -> str:
    """Returns the hash by which a table knows a rejoin token."""
    return claim_of(permit_of(token))


def vow_of(token: str, member: Member) -> str:
    """Returns a hash that binds a token to one device, so that nobody else can use it."""
    return to_base64(sha256(f"vow/{token}/{member.verify_key}/{member.seal_key}".encode("ascii")).digest())
