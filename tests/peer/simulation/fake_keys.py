"""Fake keys for the simulation: as fast as a hash, and secure only among honest devices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from hmac import digest

from peer.crypto.keys import derive, to_base64


def _verify_key(secret: bytes) -> str:
    return to_base64(derive(secret, "signer"))


class FakeKeys:
    def __init__(self, secret: bytes, keyring: dict[str, bytes]) -> None:
        self.secret, self.keyring = secret, keyring
        self.verify_key = _verify_key(secret)
        self.seal_key = to_base64(derive(secret, "lock"))
        keyring[self.verify_key] = secret

    def sign(self, data: bytes) -> str:
        return to_base64(digest(self.secret, data, sha256))

    def shared(self, seal_key: str) -> bytes:
        return sha256("/".join(sorted((self.seal_key, seal_key))).encode()).digest()

    def role(self, secret: bytes) -> FakeKeys:
        return FakeKeys(derive(secret, "role"), self.keyring)


def verifier(keyring: dict[str, bytes]) -> Callable[[str, bytes, str], bool]:
    """Returns a function that verifies signatures; a copy of it, unlike one of a closure, has a keyring of its own."""
    return partial(_is_genuine, keyring)


def _is_genuine(keyring: dict[str, bytes], verify_key: str, data: bytes, signature: str) -> bool:
    return verify_key in keyring and to_base64(digest(keyring[verify_key], data, sha256)) == signature
