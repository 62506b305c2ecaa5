"""Envelopes: the signed statements of devices, each with a counter and the head of the log its author had seen.

The signed text itself is transmitted, byte for byte; it is never encoded again for verification. The head in every
envelope exposes a leader that sends different logs to different devices.
"""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from engine import strict_json
from engine.core import Refused
from peer.crypto.keys import to_base64
from peer.wire.shapes import (
    Shape,
    answer_row,
    base64url,
    integer,
    list_of,
    one_of,
    printable_ascii,
    public_key,
    tuple_of,
)

MAX_CHARS = 12_000  # characters of one envelope
MAX_DEVICES = 32
MARK_LENGTH = 22  # characters of a table's mark, its name in frames and envelopes
HASH_LENGTH = 43  # characters of a head, or of any other hash
DEALER_ROLE = -1  # as the recipient of a box, in place of a device's number: the dealer's role

_device = integer(0, MAX_DEVICES - 1)
_seat = integer(0, 7)
_head = base64url(HASH_LENGTH, HASH_LENGTH)
_boxes = list_of(tuple_of(integer(DEALER_ROLE, MAX_DEVICES - 1), base64url(MAX_CHARS)), MAX_DEVICES)
_token = base64url(HASH_LENGTH, HASH_LENGTH)

BODIES: dict[str, Shape] = {
    "start": tuple_of(),  # a new leader's first entry: it lets the older ones be committed
    "do": tuple_of(_seat, integer(), answer_row, _boxes),  # seat, number of its turn, public form of the answer
    "pledge": tuple_of(
        integer(), _head, base64url(64, 64), _boxes
    ),  # number, tip of the chain, fingerprint of secret, shares
    "share": tuple_of(integer(), _head),  # number of the coin, next link of the chain
    "away": tuple_of(_device),  # a device the author does not hear, and the table waits for
    "yield": tuple_of(
        integer(DEALER_ROLE, MAX_DEVICES - 1), integer(), base64url(400)
    ),  # whose secret, its number, the author's share of it
    "deck": tuple_of(
        _head, base64url(64, 64), _boxes
    ),  # the promise: seal key of the dealer's role, fingerprint, shares
    "deal": tuple_of(
        integer(), list_of(answer_row, 100), _boxes
    ),  # index of the first game entry, public form of the rows
    "cede": tuple_of(_device, base64url(400)),  # from a leaving dealer: the next dealer, and the secret sealed for it
    "reshare": tuple_of(_boxes),  # from the dealer: new shares, for those who are to vote
    "object": tuple_of(integer()),  # from the dealer: index of a game entry that the hand does not allow
    "seat": tuple_of(_seat, one_of("person", "bot"), _device),
    "hand": tuple_of(_seat, integer(), _boxes),  # from the dealer: the hand-over for a seat's new device
    "open": tuple_of(base64url(HASH_LENGTH)),  # the dealer's secret, after the game
    "join": tuple_of(_device, public_key, public_key),  # number, verify key and seal key of a device that is admitted
    "votes": tuple_of(integer(1), list_of(_device, 8, 1)),  # from the leader: own index in the log, the new voters
    "agree": tuple_of(),  # while the author is away, the other of two voters may go on alone
    "alone": tuple_of(
        integer(1), list_of(_head, 8), list_of(tuple_of(_head, _head), 8)
    ),  # own index, permits, renewed claims
    "vow": tuple_of(list_of(_head, 8, 1)),  # commitments to tokens before they are shown, each bound to the author
    "claim": tuple_of(
        list_of(tuple_of(_token, _head), 8, 1)
    ),  # tokens of a rejoin link, each with the hash of its successor
}
_ENVELOPE = tuple_of(
    base64url(MARK_LENGTH, MARK_LENGTH),
    _device,
    integer(1),
    integer(),
    integer(),
    _head,
    one_of(*BODIES),
    lambda value: value,
)


class Envelope(NamedTuple):
    """A signed statement. `seen` and `head`: up to which entry its author had seen the log committed."""

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
    """A log entry: an envelope, with the term of the leader that appended it."""

    term: int
    envelope: Envelope


def write(table: str, author: int, counter: int, term: int, seen: int, head: str, kind: str, body: Any) -> str:
    """Encodes an envelope as the text to be signed. `index` and `head`: the committed log its author has seen."""
    return json.dumps([table, author, counter, term, seen, head, kind, body], separators=(",", ":"))


_text = printable_ascii(MAX_CHARS)
_signature = base64url(86, 20)


@lru_cache(maxsize=1024)
def read(text: str, signature: str) -> Envelope:
    """Decodes an envelope. Raises `Refused` if the text is none. Does not verify the signature.

    Only the canonical encoding is accepted: needless escapes would make a frame longer than its size estimate.
    """
    _signature(signature)
    decoded = strict_json.loads(_text(text), MAX_CHARS)
    table, author, counter, term, seen, head, kind, body = _ENVELOPE(decoded)
    if json.dumps(decoded, separators=(",", ":")) != text:
        raise Refused("net.not_as_written")
    return Envelope(table, author, counter, term, seen, head, kind, BODIES[kind](body), text, signature)


def read_entry(value: Any) -> Entry:
    """Decodes a log entry as it is transmitted and stored: `[term, text, signature]`. Raises `Refused`."""
    term, text, signature = _ENTRY(value)
    return Entry(term, read(text, signature))


_ENTRY = tuple_of(integer(1), _text, _signature)


def write_entry(entry: Entry) -> list[Any]:
    return [entry.term, entry.envelope.text, entry.envelope.signature]


def next_head(head: str, entry: Entry) -> str:
    """Returns the head after this entry, from the head before it."""
    content = f"{head}\n{entry.term}\n{entry.envelope.signature}\n{entry.envelope.text}"
    return to_base64(sha256(content.encode("ascii")).digest())


class Evidence(NamedTuple):
    """The proof of an equivocation: two different signed envelopes of one author with the same counter."""

    author: int
    one: Envelope
    other: Envelope


def find_evidence(one: Envelope, other: Envelope) -> Evidence | None:
    if (one.table, one.author, one.counter) == (other.table, other.author, other.counter) and one.text != other.text:
        return Evidence(one.author, one, other)
    return None


def check_text(text: str) -> None:
    """Raises `Refused` if other devices would refuse this text, so that a device never sends such an envelope."""
    read.__wrapped__(text, "-" * 86)
