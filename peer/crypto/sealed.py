"""Authenticated encryption: for sealed boxes in the log, and for sealed texts on a relay.

The keystream comes from SHAKE-256, the tag from HMAC-SHA-256 (encrypt, then authenticate); both keys are derived from
the shared key. The nonce is derived from key, place and content: no counter has to be stored, and no nonce is reused
for another content after a reload.
"""

from __future__ import annotations

from hashlib import sha256, shake_256
from hmac import compare_digest, digest

from engine.core import Refused
from peer.crypto.keys import derive, from_base64, to_base64

NONCE, TAG = 12, 16


def seal(key: bytes, place: str, content: bytes) -> str:
    """Encrypts `content`. `place` names where the box belongs; it is authenticated, so the box opens only there."""
    named = place.encode()
    nonce = digest(derive(key, "nonce"), named + b"\0" + content, sha256)[:NONCE]
    locked = nonce + _crossed(key, nonce, content)
    return to_base64(locked + _tag(key, named, locked))


def open_box(key: bytes, place: str, text: str) -> bytes:
    """Returns the content. Raises `Refused` unless it was sealed with this key for this place."""
    data = from_base64(text)
    locked, tag = data[:-TAG], data[-TAG:]
    if len(data) < NONCE + TAG or not compare_digest(tag, _tag(key, place.encode(), locked)):
        raise Refused("net.box")
    return _crossed(key, locked[:NONCE], locked[NONCE:])


def _tag(key: bytes, place: bytes, locked: bytes) -> bytes:
    return digest(derive(key, "tag"), len(place).to_bytes(4, "big") + place + locked, sha256)[:TAG]


def _crossed(key: bytes, nonce: bytes, content: bytes) -> bytes:
    stream = shake_256(derive(key, "stream") + nonce).digest(len(content))
    return (int.from_bytes(content, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(content), "big")


def padded(content: bytes, size: int) -> bytes:
    """Pads with spaces, which do no harm after JSON or zlib data, so that the length does not reveal the content.

    The result has length `size`, or `size` doubled until the content fits.
    """
    while size < len(content):
        size *= 2
    return content.ljust(size)
