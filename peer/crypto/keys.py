"""Who a device is: the port to whatever signs. `PlainKeys` works everywhere; a browser may bring its own."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from hmac import digest
from typing import NamedTuple, Protocol

from engine.core import Refused
from peer.crypto import curve25519

MOST = 200  # keys shared with others that are kept ready


def to_base64(data: bytes) -> str:
    """Bytes as they are written in frames: base64url without padding."""
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")


def from_base64(text: str) -> bytes:
    """The bytes of such a text; `Refused` if it is not one, or not the one way to write them."""
    try:
        data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError as error:
        raise Refused("net.text") from error
    if to_base64(data) != text:
        raise Refused("net.text")
    return data


def derive(secret: bytes, *names: object) -> bytes:
    """A further secret, for one purpose only."""
    return digest(secret, "/".join(map(str, names)).encode(), sha256)


def as_words(text: str) -> str:
    """The beginning of a hash as four words that can be read aloud in any language: 64 bits."""
    data = from_base64(text)[:8]
    return " ".join(_word(int.from_bytes(data[at : at + 2], "big")) for at in range(0, 8, 2))


def _word(number: int) -> str:
    sounds = ((12, "bdfghjklmnprstvz"), (10, "aiou"), (6, "bdfghjklmnprstvz"), (4, "aiou"), (0, "bdfghjklmnprstvz"))
    return "".join(letters[number >> shift & len(letters) - 1] for shift, letters in sounds)


class Keys(Protocol):
    """What a device can do with its own secret. `secret` never leaves the device."""

    secret: bytes
    verify_key: str  # the public half others verify with
    seal_key: str  # the public half others seal with

    def sign(self, data: bytes) -> str: ...

    def shared(self, lock: str) -> bytes:
        """A key that only this device and the one with that lock can compute."""

    def role(self, secret: bytes) -> Keys:
        """Keys that belong to a secret instead of a device: who holds the secret can open what is sealed to them."""


class Verifier(Protocol):
    def __call__(self, signer: str, data: bytes, signature: str) -> bool: ...


class SignedText(NamedTuple):
    """Somebody says this was signed by one of these keys."""

    signers: tuple[str, ...]
    text: str
    signature: str

    def true(self, verify: Verifier) -> bool:
        return any(verify(signer, self.text.encode(), self.signature) for signer in self.signers)


class PlainKeys:
    """Ed25519 and X25519 in plain Python."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self._signing = derive(secret, "sign")
        self._opening = derive(secret, "open")
        self.verify_key = to_base64(curve25519.public_key(self._signing))
        self.seal_key = to_base64(curve25519.exchange(self._opening))
        self._shared: dict[str, bytes] = {}

    def sign(self, data: bytes) -> str:
        return to_base64(curve25519.sign(self._signing, data))

    def shared(self, lock: str) -> bytes:
        if lock not in self._shared:
            if len(self._shared) >= MOST:
                self._shared.clear()
            self._shared[lock] = sha256(curve25519.exchange(self._opening, from_base64(lock))).digest()
        return self._shared[lock]

    def role(self, secret: bytes) -> PlainKeys:
        return PlainKeys(derive(secret, "role"))


def plain_verify(signer: str, data: bytes, signature: str) -> bool:
    try:
        return curve25519.verify(from_base64(signer), data, from_base64(signature))
    except Refused:
        return False
