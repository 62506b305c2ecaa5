"""A secret shared among the table (Shamir): so many shares give it back, fewer tell nothing."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from itertools import combinations

from peer.crypto.curve25519 import P
from peer.crypto.keys import derive

SECRET = 31  # bytes: always smaller than the prime


def split(secret: bytes, places: tuple[int, ...], enough: int, name: str) -> dict[int, bytes]:
    """A share for each place (a device's number); any `enough` of them give the secret back. `name`: which sharing that
    is. One more of the same secret must not add a share to those of the one before."""
    line = [int.from_bytes(secret, "big")]
    line += [int.from_bytes(derive(secret, "split", name, power), "big") % P for power in range(1, enough)]
    return {place: _value(line, place + 1).to_bytes(32, "big") for place in places}


def _value(line: list[int], x: int) -> int:
    found = 0
    for factor in reversed(line):
        found = (found * x + factor) % P
    return found


def join(shares: Mapping[int, bytes]) -> bytes | None:
    """The secret of these shares; None if they belong to none."""
    total = 0
    for place, share in shares.items():
        over = under = 1
        for other in shares:
            if other != place:
                over = over * (other + 1) % P
                under = under * (other - place) % P
        total += int.from_bytes(share, "big") * over * pow(under, P - 2, P)
    total %= P
    return total.to_bytes(SECRET, "big") if total.bit_length() <= 8 * SECRET else None


def recover(shares: Mapping[int, bytes], enough: int, proof: str) -> bytes | None:
    """The secret with that `fingerprint`, if enough of the shares are true; a false one among them does no harm."""
    for places in combinations(sorted(shares), enough):
        secret = join({place: shares[place] for place in places})
        if secret is not None and fingerprint(secret) == proof:
            return secret
    return None


def fingerprint(secret: bytes) -> str:
    """What is said of a secret before it is known."""
    return sha256(b"secret/" + secret).hexdigest()
