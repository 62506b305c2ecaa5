"""Shamir's secret sharing: a threshold of shares restores the secret, fewer reveal nothing."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from itertools import combinations

from peer.crypto.curve25519 import P
from peer.crypto.keys import derive

SECRET_BYTES = 31  # bytes of a secret: its value is then always smaller than the prime
SHARE_BYTES = 32  # bytes of a share


def split(secret: bytes, places: tuple[int, ...], threshold: int, sharing: str) -> dict[int, bytes]:
    """Returns a share for each place (a device's number); any `threshold` of them restore the secret.

    `sharing` identifies this sharing: shares from two sharings of the same secret must not combine.
    """
    coefficients = [int.from_bytes(secret, "big")]
    coefficients += [
        int.from_bytes(derive(secret, "split", sharing, power), "big") % P for power in range(1, threshold)
    ]
    return {place: _evaluate(coefficients, place + 1).to_bytes(SHARE_BYTES, "big") for place in places}


def _evaluate(coefficients: list[int], x: int) -> int:
    value = 0
    for coefficient in reversed(coefficients):
        value = (value * x + coefficient) % P
    return value


def combine(shares: Mapping[int, bytes]) -> bytes | None:
    """Returns the secret these shares restore, or None if the result is too long for a secret."""
    total = 0
    for place, share in shares.items():
        numerator = denominator = 1
        for other in shares:
            if other != place:
                numerator = numerator * (other + 1) % P
                denominator = denominator * (other - place) % P
        total += int.from_bytes(share, "big") * numerator * pow(denominator, P - 2, P)
    total %= P
    return total.to_bytes(SECRET_BYTES, "big") if total.bit_length() <= 8 * SECRET_BYTES else None


def recover(shares: Mapping[int, bytes], threshold: int, expected: str) -> bytes | None:
    """Returns the secret with the fingerprint `expected`, or None if fewer than `threshold` shares are genuine.

    False shares do no harm: every combination is tried.
    """
    for places in combinations(sorted(shares), threshold):
        secret = combine({place: shares[place] for place in places})
        if secret is not None and fingerprint(secret) == expected:
            return secret
    return None


def fingerprint(secret: bytes) -> str:
    """Returns the hash that commits to a secret before it is revealed."""
    return sha256(b"secret/" + secret).hexdigest()
