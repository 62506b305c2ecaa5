"""Keys for the simulation: as fast as a hash. What they promise is kept by honest code only."""

from __future__ import annotations

from hashlib import sha256
from hmac import digest

from peer.crypto.keys import derive, text_of


def _signer(secret: bytes) -> str:
    return text_of(derive(secret, "signer"))


class FakeKeys:
    def __init__(self, secret: bytes, ring: dict[str, bytes]) -> None:
        self.secret, self.ring = secret, ring
        self.signer = _signer(secret)
        self.lock = text_of(derive(secret, "lock"))
        ring[self.signer] = secret

    def sign(self, data: bytes) -> str:
        return text_of(digest(self.secret, data, sha256))

    def shared(self, lock: str) -> bytes:
        return sha256("/".join(sorted((self.lock, lock))).encode()).digest()

    def role(self, secret: bytes) -> FakeKeys:
        return FakeKeys(derive(secret, "role"), self.ring)


def verifier(ring: dict[str, bytes]):  # type: ignore[no-untyped-def]
    def verify(signer: str, data: bytes, signature: str) -> bool:
        return signer in ring and text_of(digest(ring[signer], data, sha256)) == signature

    return verify
