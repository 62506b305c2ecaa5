"""What a device says: signed, numbered, and with the head of the log it had seen.

The signed text is what travels, byte for byte; nothing is ever written anew to be verified. The previous head in every
envelope exposes a host that tells two stories.
"""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from engine import strict_json
from engine.core import Refused
from peer.crypto.keys import to_base64
from peer.wire.shapes import Shape, code, fixed, key, many, one_of, plain, row, whole

LONGEST = 12_000  # characters of one envelope
DEVICES = 32
MARK = 22  # characters of a table's mark
HEAD = 43
ROLE = -1  # whom a box is for: the role of the dealer, or a device by number

_device = whole(0, DEVICES - 1)
_seat = whole(0, 7)
_head = code(HEAD, HEAD)
_boxes = many(fixed(whole(ROLE, DEVICES - 1), code(LONGEST)), DEVICES)
_token = code(HEAD, HEAD)

BODIES: dict[str, Shape] = {
    "start": fixed(),  # a new host's first entry: it makes the older ones committed
    "do": fixed(_seat, whole(), row, _boxes),  # seat, its turn, the answer as everybody may see it
    "pledge": fixed(whole(), _head, code(64, 64), _boxes),  # number, tip of the chain, fingerprint, shares
    "share": fixed(whole(), _head),  # number of the coin, next link of the chain
    "away": fixed(_device),  # "I do not hear this device, and the table waits for it"
    "yield": fixed(whole(ROLE, DEVICES - 1), whole(), code(400)),  # whose secret, its number, my share of it
    "deck": fixed(_head, code(64, 64), _boxes),  # lock of the dealer's role, fingerprint, shares
    "deal": fixed(whole(), many(row, 100), _boxes),  # first game entry, rows as everybody may see them
    "cede": fixed(_device, code(400)),  # the dealer, about to go: who deals from now on, and the secret for them
    "reshare": fixed(_boxes),  # the dealer: the shares anew, for those who vote now
    "object": fixed(whole()),  # the dealer: "this game entry is not true"
    "seat": fixed(_seat, one_of("person", "bot"), _device),
    "hand": fixed(_seat, whole(), _boxes),  # the dealer: what a seat's new device needs to know
    "open": fixed(code(HEAD)),  # the dealer's secret, when all is over
    "join": fixed(_device, key, key),  # the number, signer and lock of a device that is let in
    "votes": fixed(whole(1), many(_device, 8, 1)),  # the host: from this entry on these have a vote
    "agree": fixed(),  # "while I am away, a table of two may go on without me"
    "alone": fixed(whole(1), many(_head, 8), many(fixed(_head, _head), 8)),  # its place, permits, claims made anew
    "vow": fixed(many(_head, 8, 1)),  # "I have tokens", before they are shown: each bound to this device
    "claim": fixed(many(fixed(_token, _head), 8, 1)),  # tokens of a rejoin link, and the hash of each one's successor
}
_READ = fixed(code(MARK, MARK), _device, whole(1), whole(), whole(), _head, one_of(*BODIES), lambda value: value)


class Envelope(NamedTuple):
    """One thing said. `seen` and `head`: how much of the log its author had seen as committed."""

    table: str
    author: int
    counter: int
    term: int
    seen: int
    head: str
    kind: str
    body: tuple[Any, ...]
    text: str
    signature: str


class Entry(NamedTuple):
    """An envelope in the log, with the term of the host that put it there."""

    term: int
    envelope: Envelope


def write(table: str, author: int, counter: int, term: int, index: int, head: str, kind: str, body: Any) -> str:
    """The text to be signed."""
    return json.dumps([table, author, counter, term, index, head, kind, body], separators=(",", ":"))


_text = plain(LONGEST)
_signature = code(86, 20)


@lru_cache(maxsize=1024)
def read(text: str, signature: str) -> Envelope:
    """The envelope that text is; `Refused` if it is none. Whether it is truly signed is asked elsewhere.

    There is one way to write it: what is padded with escapes would be longer in a frame than anybody reckons with.
    """
    _signature(signature)
    given = strict_json.loads(_text(text), LONGEST)
    table, author, counter, term, index, head, kind, body = _READ(given)
    if json.dumps(given, separators=(",", ":")) != text:
        raise Refused("net.not_as_written")
    return Envelope(table, author, counter, term, index, head, kind, BODIES[kind](body), text, signature)


def entry(value: Any) -> Entry:
    """A log entry as it travels and is stored: `[term, text, signature]`."""
    term, text, signature = _ENTRY(value)
    return Entry(term, read(text, signature))


_ENTRY = fixed(whole(1), _text, _signature)


def written(given: Entry) -> list[Any]:
    return [given.term, given.envelope.text, given.envelope.signature]


def link(head: str, given: Entry) -> str:
    """The head after this entry."""
    said = f"{head}\n{given.term}\n{given.envelope.signature}\n{given.envelope.text}"
    return to_base64(sha256(said.encode("ascii")).digest())


class Evidence(NamedTuple):
    """Two texts over the same author and counter, both signed: proof that this device tells two stories."""

    author: int
    one: Envelope
    other: Envelope


def evidence(one: Envelope, other: Envelope) -> Evidence | None:
    if (one.table, one.author, one.counter) == (other.table, other.author, other.counter) and one.text != other.text:
        return Evidence(one.author, one, other)
    return None


def check(text: str) -> None:
    """A device refuses its own envelope rather than send one nobody would take."""
    read.__wrapped__(text, "-" * 86)
