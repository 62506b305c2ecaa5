"""Invitations to a table: the link's fragment, and the two codes of a pairing without an endpoint.

The fragment is `r=CODE.SECRET`; a rejoin link adds a token for each seat it gives: `r=CODE.SECRET.TOKEN.TOKEN`. The
endpoint knows the code but never the secret, and all greetings it carries are sealed with a key made of both. Half of
the secret is a mark of the opener's keys, so that no other device can pose as the opener.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from engine.core import Nonsense, Refused
from peer.crypto.keys import derive, from_base64, to_base64

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O or U
CODE = re.compile(rf"[{ALPHABET}]{{12}}")
SECRET = re.compile(r"[A-Za-z0-9_-]{24}")
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
OFFER, REPLY = b"\x01", b"\x02"
SEATS = 8
LONGEST = 600  # characters of a pairing code


class Invite(NamedTuple):
    code: str
    secret: str
    tokens: tuple[str, ...] = ()  # of a rejoin link

    @property
    def fragment(self) -> str:
        return f"r={self.code}.{self.secret}"

    def rejoin_fragment(self, tokens: Iterable[str]) -> str:
        return ".".join([self.fragment, *tokens])

    @property
    def greeting_key(self) -> bytes:
        """The key that seals greetings: everybody who has the link knows it."""
        return derive(b"speakeasy/room", self.code, self.secret)

    def opened_by(self, verify_key: str, seal_key: str) -> bool:
        return self.secret[12:] == opener_mark(verify_key, seal_key)


@lru_cache(maxsize=64)  # asked for every device at the table whenever something has changed
def opener_mark(verify_key: str, seal_key: str) -> str:
    return to_base64(sha256(f"opener/{verify_key}/{seal_key}".encode()).digest())[:12]


def new_secret(random: bytes, verify_key: str, seal_key: str) -> str:
    return to_base64(random[:9]) + opener_mark(verify_key, seal_key)


def new_code(random: bytes) -> str:
    number = int.from_bytes(random, "big")
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(12))


def read(text: str) -> Invite:
    """Returns the invitation in a fragment's value. Raises `Refused` if it is invalid."""
    code, _, rest = text.partition(".")
    secret, *tokens = rest.split(".")
    valid = CODE.fullmatch(code) and SECRET.fullmatch(secret) and all(map(TOKEN.fullmatch, tokens))
    if not valid or len(tokens) > SEATS:
        raise Refused("link.room")
    return Invite(code, secret, tuple(tokens))


def write_offer(invite: Invite, offer: bytes) -> str:
    return to_base64(OFFER + _number(invite.code).to_bytes(8, "big") + from_base64(invite.secret) + offer)


def read_offer(text: str) -> tuple[Invite, bytes]:
    data = _bytes(text, OFFER)
    number = int.from_bytes(data[1:9], "big")
    return Invite(new_code(number.to_bytes(8, "big")), to_base64(data[9:27])), data[27:]


def write_reply(answer: bytes) -> str:
    return to_base64(REPLY + answer)


def read_reply(text: str) -> bytes:
    return _bytes(text, REPLY)[1:]


def _number(code: str) -> int:
    return sum(ALPHABET.index(letter) << 5 * place for place, letter in enumerate(code))


def _bytes(text: str, kind: bytes) -> bytes:
    """Returns the bytes of a code as a person pasted it: a link and extra spaces are allowed. Raises `Refused`."""
    code = "".join(text[:2000].split()).rpartition("=")[2]
    if len(code) > LONGEST:
        raise Refused("net.code_by_hand")
    try:
        data = from_base64(code)
    except Nonsense as nonsense:
        raise Refused("net.code_by_hand") from nonsense
    if data[:1] != kind or len(data) < 40:
        raise Refused("net.code_by_hand")
    return data
