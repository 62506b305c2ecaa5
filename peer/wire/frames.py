"""Frames, the messages of the protocol between two devices: JSON arrays `[kind, table, fields...]`.

They are checked in this order: size, encoding, nesting, JSON, schema. Each check refuses with a reason, and runs only
after the one before has passed.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Any, NamedTuple

from engine import strict_json
from engine.core import Refused
from engine.seats import MARKS
from peer.wire import envelope
from peer.wire.envelope import DEVICES, HEAD, MARK, Entry, Envelope
from peer.wire.shapes import FAR, Shape, code, fixed, many, one_of, plain, whole

PROTOCOL = 1
LONGEST = 1 << 16  # bytes of a frame; longer ones are refused unread
GOOD = 40_000  # bytes of entries a sender puts into one frame; channels carry it in pieces


class Hi(NamedTuple):
    """The first frame on every connection, with the commit index and its head.

    If protocol or build differ, the page must be reloaded before a game breaks.
    """

    protocol: int
    build: str
    at: int
    head: str


class Ask(NamedTuple):
    """A candidate requests a vote. `trial`: a pre-vote, so that a device that was away does not disturb the leader."""

    term: int
    at: int
    last: int  # term of its last entry, which is at index `at`
    trial: int


class Vote(NamedTuple):
    term: int
    granted: int
    trial: int


class Log(NamedTuple):
    """From the leader: the entries after (`at`, `head`), and the commit index.

    `beat` is the number of a heartbeat, which must be answered, or 0.
    """

    term: int
    at: int
    head: str
    commit: int
    beat: int
    here: tuple[int, ...]  # devices the leader hears
    entries: tuple[Entry, ...]


class Ack(NamedTuple):
    """The answer to a `log` frame.

    If `held`, the sender has the same log up to index `at`; if not, the leader tries again from `at`.
    """

    term: int
    at: int
    held: int
    beat: int


class Need(NamedTuple):
    """Asks for the entries committed after (`at`, `head`), from a device that hears no leader."""

    at: int
    head: str


class Past(NamedTuple):
    """The answer to `need`: committed entries after (`at`, `head`), from any device.

    Also sent to a device whose log differs, so that an equivocation is found.
    """

    at: int
    head: str
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

LONGEST_WORDS = 200


def words(value: Any) -> str:
    """Returns a message from a person in NFC.

    Raises `Refused` for control, bidi and zero-width characters, and for many combining marks in a row.
    """
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_WORDS or not value.isprintable():
        raise Refused("net.words", most=LONGEST_WORDS)
    text = unicodedata.normalize("NFC", value)
    kinds = "".join(unicodedata.category(letter)[0] for letter in text)
    if "M" * (MARKS + 1) in kinds:
        raise Refused("net.words", most=LONGEST_WORDS)
    return text


def _envelope(value: Any) -> Envelope:
    return envelope.read(*_PAIR(value))


_PAIR = fixed(plain(envelope.LONGEST), code(86, 20))
_flag = whole(0, 1)
_head = code(HEAD, HEAD)

KINDS: dict[str, tuple[type[Any], Shape]] = {
    "hi": (Hi, fixed(whole(), code(64), whole(), _head)),
    "ask": (Ask, fixed(whole(1), whole(), whole(), _flag)),
    "vote": (Vote, fixed(whole(), _flag, _flag)),
    "log": (
        Log,
        fixed(
            whole(1),
            whole(),
            _head,
            whole(),
            whole(),
            many(whole(0, DEVICES - 1), DEVICES),
            many(envelope.entry, 200),
        ),
    ),
    "ack": (Ack, fixed(whole(), whole(), _flag, whole())),
    "need": (Need, fixed(whole(), _head)),
    "past": (Past, fixed(whole(), _head, many(envelope.entry, 200))),
    "do": (Do, fixed(many(_envelope, 50))),
    "no": (No, fixed(whole(), plain(60))),
    "proof": (Proof, fixed(_envelope, _envelope)),
    "say": (Say, fixed(one_of("sign", "text"), words)),
    "bye": (Bye, fixed()),
}
NAMES = {kind: name for name, (kind, _) in KINDS.items()}
_mark = code(MARK, MARK)


def read(data: bytes, table: str) -> Frame:
    """Decodes a frame. Raises `Refused` if it is none, or belongs to another table (such as an earlier game)."""
    if len(data) > LONGEST:
        raise Refused("net.too_long", most=LONGEST)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused("net.not_utf8") from error
    value = strict_json.loads(text, LONGEST)
    if not isinstance(value, list) or len(value) < 2 or not isinstance(value[0], str) or value[0] not in KINDS:
        raise Refused("net.not_a_frame")
    if _mark(value[1]) != table:
        raise Refused("net.other_table")
    kind, shape = KINDS[value[0]]
    frame: Frame = kind(*shape(value[2:]))
    return frame


def write(frame: Frame, table: str) -> bytes:
    fields: list[Any] = list(frame)
    match frame:
        case Log() | Past():
            fields[-1] = [envelope.written(entry) for entry in frame.entries]
        case Do():
            fields = [[_pair(one) for one in frame.envelopes]]
        case Proof():
            fields = [_pair(one) for one in frame]
        case _:
            pass
    row = [NAMES[type(frame)], table, *fields]
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def _pair(one: Envelope) -> list[str]:
    return [one.text, one.signature]


def envelopes(frame: Frame) -> tuple[Envelope, ...]:
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
