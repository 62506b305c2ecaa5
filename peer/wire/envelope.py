"""Envelopes: the signed statements of devices, each with a counter and the head of the log its author had seen.

The signed text itself is transmitted, byte for byte; it is never encoded again for verification. The head in every
envelope exposes a leader that sends different logs to different devices.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from engine import strict_json
from engine.core import Nonsense
from peer.crypto.keys import to_base64
from peer.wire import bodies
from peer.wire.bodies import HASH_LENGTH, MAX_CHARS, MAX_DEVICES, Body
from peer.wire.shapes import base64url, integer, one_of, printable_ascii, tuple_of

MARK_LENGTH = 22  # characters of a table's mark, its name in frames and envelopes

_ENVELOPE = tuple_of(
    base64url(MARK_LENGTH, MARK_LENGTH),
    integer(0, MAX_DEVICES - 1),
    integer(1),
    integer(),
    integer(),
    base64url(HASH_LENGTH, HASH_LENGTH),
    one_of(*bodies.KINDS),
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
    body: Body
    text: str
    signature: str

    @property
    def kind(self) -> str:
        """The name of its kind, as it stands in the text."""
        return bodies.KIND_OF[type(self.body)]


class Entry(NamedTuple):
    """A log entry: an envelope, with the term of the leader that appended it."""

    term: int
    envelope: Envelope


def write(table: str, author: int, counter: int, term: int, seen: int, head: str, body: Body) -> str:
    """Encodes an envelope as the text to be signed. `seen` and `head`: the committed log its author has seen."""
    kind = bodies.KIND_OF[type(body)]
    return strict_json.dumps_ascii([table, author, counter, term, seen, head, kind, body])


_text = printable_ascii(MAX_CHARS)
_signature = base64url(86, 20)


@lru_cache(maxsize=1024)
def read(text: str, signature: str) -> Envelope:
    """Decodes an envelope. Raises `Nonsense` if the text is none. Does not verify the signature.

    Only the canonical encoding is accepted: needless escapes would make a frame longer than its size estimate.
    """
    _signature(signature)
    decoded = strict_json.loads(_text(text), MAX_CHARS)
    table, author, counter, term, seen, head, kind, body = _ENVELOPE(decoded)
    if strict_json.dumps_ascii(decoded) != text:
        raise Nonsense("net.not_as_written")
    return Envelope(table, author, counter, term, seen, head, bodies.read(kind, body), text, signature)


def read_entry(value: Any) -> Entry:
    """Decodes a log entry as it is transmitted and stored: `[term, text, signature]`. Raises `Nonsense`."""
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
    """Raises `Nonsense` if other devices would refuse this text, so that a device never sends such an envelope."""
    read.__wrapped__(text, "-" * 86)
