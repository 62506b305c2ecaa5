"""Links: a whole game as URL-safe text.

The text holds the header, then the place of each answer among the legal answers, all deflated. Beats are left out,
because they have one outcome, and so is the seat if only one may answer. Reading a link plays the game, with every
answer checked.

A packed game may be unfinished, but it is never masked: a table with holes does not tell the outcomes of the beats.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from engine import strict_json
from engine.core import Answer, Beat, Nonsense, Refused
from engine.records import Record, header, open_header
from engine.session import Session

LONGEST = 8192  # characters of a link's text
UNPACKED = 1 << 16


def write(session: Session, names: Sequence[str]) -> str:
    """Returns the game so far as URL-safe text. Raises `Refused` if the log of the session is masked."""
    first = strict_json.dumps(header(session, names)).encode()
    packed = bytearray(_number(len(first)) + first)
    replay = session.before_first_entry()
    record = Record(replay, list(names))
    for seat, answer in session.log:
        if not isinstance(replay.question, Beat):
            if len(replay.question.seats()) > 1:
                packed += _number(seat)
            packed += _answer(replay, seat, answer)
        _add(record, seat, answer)
    _carry_out_beats(replay)
    packed += bytes.fromhex(replay.fingerprint())[:4]
    pressed = zlib.compress(bytes(packed), 9, -15)
    return base64.urlsafe_b64encode(pressed).rstrip(b"=").decode("ascii")


def _add(record: Record, seat: int, answer: Answer) -> None:
    """Carries out the next answer. Raises `Refused` if it is not legal, or hides a card."""
    record.add(seat, answer)
    if record.first_masked is not None:
        raise Refused("link.masked")


def _carry_out_beats(session: Session) -> None:
    while isinstance(session.question, Beat):
        session.do(session.question.seat, session.question.outcome(session.table))


def _answer(session: Session, seat: int, answer: Answer) -> bytes:
    """Returns the answer's place among `answers`, from 1 on; or 0 and the written answer if they do not list it."""
    answers = session.answers(seat)
    if answer in answers:
        return _number(answers.index(answer) + 1)
    row = strict_json.dumps_ascii(session.write_answer(answer)).encode()
    return _number(0) + _number(len(row)) + row


def _number(value: int) -> bytes:
    """Returns a number with seven bits in each byte, the lowest first."""
    packed = bytearray()
    while value > 127:
        packed.append(value & 127 | 128)
        value >>= 7
    return bytes(packed + bytes([value]))


def read(text: str) -> Record:
    """Returns the game in the text of a link. Raises `Refused` if there is none, or a masked one."""
    packed, check = _unpack(text)
    reader = _Reader(packed)
    record = open_header(_json(reader))
    session = record.session
    try:
        while True:
            _carry_out_beats(session)
            if reader.done():
                break
            _add(record, *_read_answer(reader, session))
    except (IndexError, UnicodeDecodeError) as error:
        raise Refused("link.damaged") from error
    if bytes.fromhex(session.fingerprint())[:4] != check:
        raise Refused("link.damaged")
    return record


def _unpack(text: str) -> tuple[bytes, bytes]:
    """Returns the packed game and its check bytes."""
    if len(text) > LONGEST:
        raise Refused("link.too_long", most=LONGEST)
    try:
        pressed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj(-15)
        packed = unpacker.decompress(pressed, UNPACKED)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise Refused("link.damaged") from error
    if not unpacker.eof or unpacker.unused_data or len(packed) < 5:
        raise Refused("link.damaged")
    return packed[:-4], packed[-4:]


def _read_answer(reader: _Reader, session: Session) -> tuple[int, Answer]:
    """Returns the seat and the answer that come next."""
    seats = session.question.seats()
    seat = reader.number() if len(seats) > 1 else session.question.seat
    place = reader.number()
    if place:
        return seat, session.answers(seat)[place - 1]
    return seat, session.read_answer(_json(reader))


def _json(reader: _Reader) -> Any:
    """Returns the JSON value that comes next."""
    try:
        return strict_json.loads(reader.text(), 4096)
    except Nonsense as nonsense:
        raise Refused("link.damaged") from nonsense


class _Reader:
    """Reads numbers and texts from packed bytes."""

    def __init__(self, packed: bytes) -> None:
        self.bytes: Iterator[int] = iter(packed)
        self.left = len(packed)

    def done(self) -> bool:
        return self.left <= 0

    def byte(self) -> int:
        self.left -= 1
        if self.left < 0:
            raise Refused("link.damaged")
        return next(self.bytes)

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 28:
                raise Refused("link.damaged")

    def text(self) -> str:
        length = self.number()
        if length > self.left:
            raise Refused("link.damaged")
        try:
            return bytes(self.byte() for _ in range(length)).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused("link.damaged") from error
