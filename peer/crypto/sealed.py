"""Authenticated encryption: for sealed boxes in the log, and for sealed texts on a relay.

The keystream comes from SHAKE-256, the tag from HMAC-SHA-256 (encrypt, then authenticate); both keys are derived from
the shared key. The nonce is derived from key, place and content: no counter has to be stored, and no nonce is reused
for another content after a reload.
"""

from __future__ import annotations

from hashlib import sha256, shake_256
from hmac import compare_digest, digest

from engine.core import Nonsense
from peer.crypto.keys import derive, from_base64, to_base64

NONCE_BYTES, TAG_BYTES = 12, 16


def seal(key: bytes, place: str, content: bytes) -> str:
    """Encrypts `content`. `place` names where the box belongs; it is authenticated, so the box opens only there."""
    place_bytes = place.encode()
    nonce = digest(derive(key, "nonce"), place_bytes + b"\0" + content, sha256)[:NONCE_BYTES]
    ciphertext = nonce + _xor_keystream(key, nonce, content)
    return to_base64(ciphertext + _tag(key, place_bytes, ciphertext))


def open_box(key: bytes, place: str, text: str) -> bytes:
    """Returns the content. Raises `Nonsense` unless it was sealed with this key for this place."""
    data = from_base64(text)
    ciphertext, tag = data[:-TAG_BYTES], data[-TAG_BYTES:]
    if len(data) < NONCE_BYTES + TAG_BYTES or not compare_digest(tag, _tag(key, place.encode(), ciphertext)):
        raise Nonsense("net.box")
    return _xor_keystream(key, ciphertext[:NONCE_BYTES], ciphertext[NONCE_BYTES:])


def _tag(key: bytes, place: bytes, ciphertext: bytes) -> bytes:
    return digest(derive(key, "tag"), len(place).to_bytes(4, "big") + place + ciphertext, sha256)[:TAG_BYTES]


def _xor_keystream(key: bytes, nonce: bytes, content: bytes) -> bytes:
    stream = shake_256(derive(key, "stream") + nonce).digest(len(content))
    return (int.from_bytes(content, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(content), "big")


def padded(content: bytes, size: int) -> bytes:
    """Pads with spaces, which do no harm after JSON or zlib data, so that the length does not reveal the content.

    The result has length `size`, or `size` doubled until the content fits.
    """
    while size < len(content):
        size *= 2
    return content.ljust(size)
