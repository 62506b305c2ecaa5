"""Frames, the messages of the protocol between two devices: JSON arrays `[kind, table, fields...]`.

They are checked in this order: size, encoding, nesting, JSON, schema. Each check refuses with a reason, and runs only
after the one before has passed.
"""

from __future__ import annotations

import unicodedata
from typing import Any, NamedTuple

from engine import strict_json
from engine.core import Nonsense
from engine.seats import MOST_MARKS
from peer.wire import envelope
from peer.wire.bodies import HASH_LENGTH, MAX_CHARS, MAX_DEVICES
from peer.wire.envelope import MARK_LENGTH, Entry, Envelope
from peer.wire.shapes import FAR, Shape, base64url, integer, list_of, one_of, printable_ascii, tuple_of

PROTOCOL = 3
MAX_BYTES = 1 << 16  # bytes of a frame; longer ones are refused unread
TARGET_BYTES = 40_000  # bytes of entries a sender puts into one frame; channels carry it in pieces


class Hi(NamedTuple):
    """The first frame on every connection, with the commit index and its head.

    If protocol or build differ, the page must be reloaded before a game breaks.
    """

    protocol: int
    build: str
    commit: int
    head: str
    muted: tuple[int, ...] = ()  # devices whose frames the sender refuses, because they kept breaking the protocol


class Ask(NamedTuple):
    """A candidate requests a vote. `trial`: a pre-vote, so that a device that was away does not disturb the leader."""

    term: int
    last_index: int
    last_term: int  # term of its last entry, which is at index `last_index`
    trial: int


class Vote(NamedTuple):
    term: int
    granted: int
    trial: int


class Log(NamedTuple):
    """From the leader: the entries after (`prev_index`, `prev_head`), and the commit index.

    `heartbeat` is the number of a heartbeat, which must be answered, or 0.
    """

    term: int
    prev_index: int
    prev_head: str
    commit: int
    heartbeat: int
    heard: tuple[int, ...]  # devices the leader hears
    entries: tuple[Entry, ...]


class Ack(NamedTuple):
    """The answer to a `log` frame.

    On `success`, the sender has the same log up to index `log_end`; if not, the leader tries again from there.
    """

    term: int
    log_end: int
    success: int
    heartbeat: int


class Need(NamedTuple):
    """Requests the entries committed after (`commit`, `head`), from a device that hears no leader."""

    commit: int
    head: str


class Past(NamedTuple):
    """The answer to `need`: committed entries after (`prev_index`, `prev_head`), from any device.

    Also sent to a device whose log differs, so that an equivocation is found.
    """

    prev_index: int
    prev_head: str
    entries: tuple[Entry, ...]


class Do(NamedTuple):
    """Envelopes from the sender's outbox, offered to the leader again and again until they are in the log."""

    envelopes: tuple[Envelope, ...]


class No(NamedTuple):
    """The leader refuses to append this device's envelope."""

    counter: int
    reason: str


class Proof(NamedTuple):
    """Two envelopes that prove an equivocation of their author."""

    one: Envelope
    other: Envelope


class Say(NamedTuple):
    """A chat message from a person: a predefined sign or a short text. It is only ever shown as text."""

    kind: str
    text: str


class Bye(NamedTuple):
    """The sender's page is being closed."""


Frame = Hi | Ask | Vote | Log | Ack | Need | Past | Do | No | Proof | Say | Bye

MAX_MESSAGE = 200


def checked_message(value: Any) -> str:
    """Returns a message from a person in NFC.

    Raises `Nonsense` for control, bidi and zero-width characters, and for many combining marks in a row.
    """
    if not isinstance(value, str) or not 0 < len(value) <= MAX_MESSAGE or not value.isprintable():
        raise Nonsense("net.words")
    text = unicodedata.normalize("NFC", value)
    categories = "".join(unicodedata.category(letter)[0] for letter in text)
    if "M" * (MOST_MARKS + 1) in categories:
        raise Nonsense("net.words")
    return text


def _envelope(value: Any) -> Envelope:
    return envelope.read(*_SIGNED_TEXT(value))


_SIGNED_TEXT = tuple_of(printable_ascii(MAX_CHARS), base64url(86, 20))
_flag = integer(0, 1)
_head = base64url(HASH_LENGTH, HASH_LENGTH)
_devices = list_of(integer(0, MAX_DEVICES - 1), MAX_DEVICES)

KINDS: dict[str, tuple[type[Any], Shape]] = {
    # an earlier protocol has no muted devices: its `hi` must be read, too, to be told from nonsense
    "hi": (Hi, tuple_of(integer(), base64url(64), integer(), _head, _devices, optional=1)),
    "ask": (Ask, tuple_of(integer(1), integer(), integer(), _flag)),
    "vote": (Vote, tuple_of(integer(), _flag, _flag)),
    "log": (
        Log,
        tuple_of(
            integer(1),
            integer(),
            _head,
            integer(),
            integer(),
            _devices,
            list_of(envelope.read_entry, 200),
        ),
    ),
    "ack": (Ack, tuple_of(integer(), integer(), _flag, integer())),
    "need": (Need, tuple_of(integer(), _head)),
    "past": (Past, tuple_of(integer(), _head, list_of(envelope.read_entry, 200))),
    "do": (Do, tuple_of(list_of(_envelope, 50))),
    "no": (No, tuple_of(integer(), printable_ascii(60))),
    "proof": (Proof, tuple_of(_envelope, _envelope)),
    "say": (Say, tuple_of(one_of("sign", "text"), checked_message)),
    "bye": (Bye, tuple_of()),
}
KIND_OF = {kind: name for name, (kind, _) in KINDS.items()}
_mark = base64url(MARK_LENGTH, MARK_LENGTH)


def read(data: bytes, table: str) -> Frame:
    """Decodes a frame. Raises `Nonsense` if it is none, or belongs to another table (such as an earlier game)."""
    if len(data) > MAX_BYTES:
        raise Nonsense("net.too_long")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Nonsense("net.not_utf8") from error
    value = strict_json.loads(text, MAX_BYTES)
    if not isinstance(value, list) or len(value) < 2 or not isinstance(value[0], str) or value[0] not in KINDS:
        raise Nonsense("net.not_a_frame")
    if _mark(value[1]) != table:
        raise Nonsense("net.other_table")
    kind, shape = KINDS[value[0]]
    frame: Frame = kind(*shape(value[2:]))
    return frame


def write(frame: Frame, table: str) -> bytes:
    fields: list[Any] = list(frame)
    match frame:
        case Log() | Past():
            fields[-1] = [envelope.write_entry(entry) for entry in frame.entries]
        case Do():
            fields = [[_signed_text(one) for one in frame.envelopes]]
        case Proof():
            fields = [_signed_text(one) for one in frame]
        case _:
            pass
    row = [KIND_OF[type(frame)], table, *fields]
    return strict_json.dumps(row).encode("utf-8")


def _signed_text(one: Envelope) -> list[str]:
    return [one.text, one.signature]


def envelopes_in(frame: Frame) -> tuple[Envelope, ...]:
    """Returns the envelopes in a frame, all of whose signatures must be verified."""
    match frame:
        case Log() | Past():
            return tuple(entry.envelope for entry in frame.entries)
        case Do():
            return frame.envelopes
        case Proof():
            return tuple(frame)
        case _:
            return ()


__all__ = ["FAR", "Ack", "Ask", "Bye", "Do", "Frame", "Hi", "Log", "Need", "No", "Past", "Proof", "Say", "Vote"]
__all__ += ["read", "write"]
