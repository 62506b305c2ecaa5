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
from peer.wire.shapes import Shape, code, fixed, key, many, one_of, plain, row, whole

LONGEST = 12_000  # characters of one envelope
DEVICES = 32
MARK = 22  # characters of a table's mark, its name in frames and envelopes
HEAD = 43  # characters of a head, or of any other hash
ROLE = -1  # as the recipient of a box, in place of a device's number: the dealer's role

_device = whole(0, DEVICES - 1)
_seat = whole(0, 7)
_head = code(HEAD, HEAD)
_boxes = many(fixed(whole(ROLE, DEVICES - 1), code(LONGEST)), DEVICES)
_token = code(HEAD, HEAD)

BODIES: dict[str, Shape] = {
    "start": fixed(),  # a new leader's first entry: it lets the older ones be committed
    "do": fixed(_seat, whole(), row, _boxes),  # seat, number of its turn, public form of the answer
    "pledge": fixed(whole(), _head, code(64, 64), _boxes),  # number, tip of the chain, fingerprint of secret, shares
    "share": fixed(whole(), _head),  # number of the coin, next link of the chain
    "away": fixed(_device),  # a device the author does not hear, and the table waits for
    "yield": fixed(whole(ROLE, DEVICES - 1), whole(), code(400)),  # whose secret, its number, the author's share of it
    "deck": fixed(_head, code(64, 64), _boxes),  # the promise: seal key of the dealer's role, fingerprint, shares
    "deal": fixed(whole(), many(row, 100), _boxes),  # index of the first game entry, public form of the rows
    "cede": fixed(_device, code(400)),  # from a leaving dealer: the next dealer, and the secret sealed for it
    "reshare": fixed(_boxes),  # from the dealer: new shares, for those who are to vote
    "object": fixed(whole()),  # from the dealer: index of a game entry that the hand does not allow
    "seat": fixed(_seat, one_of("person", "bot"), _device),
    "hand": fixed(_seat, whole(), _boxes),  # from the dealer: the hand-over for a seat's new device
    "open": fixed(code(HEAD)),  # the dealer's secret, after the game
    "join": fixed(_device, key, key),  # number, verify key and seal key of a device that is admitted
    "votes": fixed(whole(1), many(_device, 8, 1)),  # from the leader: own index in the log, the new voters
    "agree": fixed(),  # while the author is away, the other of two voters may go on alone
    "alone": fixed(whole(1), many(_head, 8), many(fixed(_head, _head), 8)),  # own index, permits, renewed claims
    "vow": fixed(many(_head, 8, 1)),  # commitments to tokens before they are shown, each bound to the author
    "claim": fixed(many(fixed(_token, _head), 8, 1)),  # tokens of a rejoin link, each with the hash of its successor
}
_READ = fixed(code(MARK, MARK), _device, whole(1), whole(), whole(), _head, one_of(*BODIES), lambda value: value)


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


def write(table: str, author: int, counter: int, term: int, index: int, head: str, kind: str, body: Any) -> str:
    """Encodes an envelope as the text to be signed. `index` and `head`: the committed log its author has seen."""
    return json.dumps([table, author, counter, term, index, head, kind, body], separators=(",", ":"))


_text = plain(LONGEST)
_signature = code(86, 20)


@lru_cache(maxsize=1024)
def read(text: str, signature: str) -> Envelope:
    """Decodes an envelope. Raises `Refused` if the text is none. Does not verify the signature.

    Only the canonical encoding is accepted: needless escapes would make a frame longer than its size estimate.
    """
    _signature(signature)
    given = strict_json.loads(_text(text), LONGEST)
    table, author, counter, term, index, head, kind, body = _READ(given)
    if json.dumps(given, separators=(",", ":")) != text:
        raise Refused("net.not_as_written")
    return Envelope(table, author, counter, term, index, head, kind, BODIES[kind](body), text, signature)


def entry(value: Any) -> Entry:
    """Decodes a log entry as it is transmitted and stored: `[term, text, signature]`. Raises `Refused`."""
    term, text, signature = _ENTRY(value)
    return Entry(term, read(text, signature))


_ENTRY = fixed(whole(1), _text, _signature)


def written(given: Entry) -> list[Any]:
    return [given.term, given.envelope.text, given.envelope.signature]


def link(head: str, given: Entry) -> str:
    """Returns the head after this entry, from the head before it."""
    said = f"{head}\n{given.term}\n{given.envelope.signature}\n{given.envelope.text}"
    return to_base64(sha256(said.encode("ascii")).digest())


class Evidence(NamedTuple):
    """The proof of an equivocation: two different signed envelopes of one author with the same counter."""

    author: int
    one: Envelope
    other: Envelope


def evidence(one: Envelope, other: Envelope) -> Evidence | None:
    if (one.table, one.author, one.counter) == (other.table, other.author, other.counter) and one.text != other.text:
        return Evidence(one.author, one, other)
    return None


def check(text: str) -> None:
    """Raises `Refused` if other devices would refuse this text, so that a device never sends such an envelope."""
    read.__wrapped__(text, "-" * 86)
