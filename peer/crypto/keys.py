"""The keys of a device, behind a port. `PlainKeys` works everywhere; a browser may bring its own implementation."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from hmac import digest
from typing import NamedTuple, Protocol

from engine.core import Nonsense
from peer.crypto import curve25519

MAX_CACHED = 200  # shared keys that are cached


def to_base64(data: bytes) -> str:
    """Encodes bytes as in frames: base64url without padding."""
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")


def from_base64(text: str) -> bytes:
    """Decodes base64url without padding. Raises `Nonsense` if the text is invalid or not the canonical encoding."""
    try:
        data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError as error:
        raise Nonsense("net.text") from error
    if to_base64(data) != text:
        raise Nonsense("net.text")
    return data


def derive(secret: bytes, *purpose: object) -> bytes:
    """Derives another secret, for one purpose only, from `secret` and the names of that purpose."""
    return digest(secret, "/".join(map(str, purpose)).encode(), sha256)


def as_words(text: str) -> str:
    """Returns the first 64 bits of a base64url hash as four words that can be read aloud in any language."""
    data = from_base64(text)[:8]
    return " ".join(_word(int.from_bytes(data[at : at + 2], "big")) for at in range(0, 8, 2))


def _word(number: int) -> str:
    sounds = ((12, "bdfghjklmnprstvz"), (10, "aiou"), (6, "bdfghjklmnprstvz"), (4, "aiou"), (0, "bdfghjklmnprstvz"))
    return "".join(letters[number >> shift & len(letters) - 1] for shift, letters in sounds)


class Keys(Protocol):
    """The operations a device needs its own secret for. `secret` never leaves the device."""

    secret: bytes
    verify_key: str  # public: others verify signatures with it
    seal_key: str  # public: others seal with it

    def sign(self, data: bytes) -> str: ...

    def shared(self, seal_key: str) -> bytes:
        """Returns a key that only this device and the owner of that seal key can compute."""

    def role(self, secret: bytes) -> Keys:
        """Returns keys that belong to a secret, not a device: its holders can open what is sealed for these."""


class Verifier(Protocol):
    def __call__(self, signer: str, data: bytes, signature: str) -> bool: ...


class SignedText(NamedTuple):
    """A text with a signature still to be verified. It must be made with one of the keys `signers`."""

    signers: tuple[str, ...]
    text: str
    signature: str

    def is_genuine(self, verify: Verifier) -> bool:
        return any(verify(signer, self.text.encode(), self.signature) for signer in self.signers)


class PlainKeys:
    """Ed25519 and X25519 in plain Python."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self._signing_secret = derive(secret, "sign")
        self._exchange_secret = derive(secret, "open")
        self.verify_key = to_base64(curve25519.public_key(self._signing_secret))
        self.seal_key = to_base64(curve25519.exchange(self._exchange_secret))
        self._shared: dict[str, bytes] = {}

    def sign(self, data: bytes) -> str:
        return to_base64(curve25519.sign(self._signing_secret, data))

    def shared(self, seal_key: str) -> bytes:
        if seal_key not in self._shared:
            if len(self._shared) >= MAX_CACHED:
                self._shared.clear()
            self._shared[seal_key] = sha256(curve25519.exchange(self._exchange_secret, from_base64(seal_key))).digest()
        return self._shared[seal_key]

    def role(self, secret: bytes) -> PlainKeys:
        return PlainKeys(derive(secret, "role"))


def plain_verify(signer: str, data: bytes, signature: str) -> bool:
    try:
        return curve25519.verify(from_base64(signer), data, from_base64(signature))
    except Nonsense:
        return False
