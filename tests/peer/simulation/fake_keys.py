"""Fake keys for the simulation: as fast as a hash, and secure only among honest devices."""

from __future__ import annotations

from hashlib import sha256
from hmac import digest

from peer.crypto.keys import derive, to_base64


def _signer(secret: bytes) -> str:
    return to_base64(derive(secret, "signer"))


class FakeKeys:
    def __init__(self, secret: bytes, ring: dict[str, bytes]) -> None:
        self.secret, self.ring = secret, ring
        self.verify_key = _signer(secret)
        self.seal_key = to_base64(derive(secret, "lock"))
        ring[self.verify_key] = secret

    def sign(self, data: bytes) -> str:
        return to_base64(digest(self.secret, data, sha256))

    def shared(self, lock: str) -> bytes:
        return sha256("/".join(sorted((self.seal_key, lock))).encode()).digest()

    def role(self, secret: bytes) -> FakeKeys:
        return FakeKeys(derive(secret, "role"), self.ring)


def verifier(ring: dict[str, bytes]):  # type: ignore[no-untyped-def]
    def verify(signer: str, data: bytes, signature: str) -> bool:
        return signer in ring and to_base64(digest(ring[signer], data, sha256)) == signature

    return verify
