"""Parsing of client frames: checks size, nesting, JSON and shape, in this order. The result is one of five commands."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, TypeGuard

from engine import strict_json
from engine.core import Nonsense

Frame = list[Any]

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O or U
LOOKALIKES = str.maketrans("ILO", "110", "- ")
CODE_LENGTH = 12
LONGEST_TYPED = 24  # characters of a code as a person may type it, with dashes
TOKEN_LENGTH = 16
ATTEMPT_LENGTH = 32
FEWEST_SLOTS = 2


class BadFrame(Exception):
    """Raised for a frame that our own client never sends; `args[0]` is the reason: `long`, `json` or `frame`."""


class Create(NamedTuple):
    slots: int | None


class Join(NamedTuple):
    code: str
    token: str | None
    make: bool = False  # make the room anew if it no longer exists


class To(NamedTuple):
    slot: int
    data: dict[str, Any]


class Ping(NamedTuple):
    pass


class Bye(NamedTuple):
    pass


Command = Create | Join | To | Ping | Bye


def dumps(frame: Frame) -> str:
    """Returns the text of a frame: compact JSON. A relayed frame is at most two characters longer than it came."""
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


def parse(text: str, most: int) -> Command:
    """Returns the command in `text`, of at most `most` bytes. Raises `BadFrame`."""
    if len(text) > most or (not text.isascii() and len(text.encode("utf-8", "replace")) > most):
        raise BadFrame("long")
    try:
        frame = strict_json.loads(text, most)
    except Nonsense as refused:
        raise BadFrame("json") from refused
    return to_command(frame)


def to_command(frame: object) -> Command:
    """Returns the command of a decoded frame. Raises `BadFrame`."""
    match frame:
        case ["ping"]:
            return Ping()
        case ["to", seat, dict(data)] if _is_number(seat) and _is_signal(data):
            return To(seat, data)
        case ["create", dict(caps)] if not caps or (caps.keys() == {"seats"} and _is_number(caps["seats"])):
            return Create(caps.get("seats"))
        case ["join", str(code), None | str() as token, *make] if make in ([], ["make"]) and _fits(code, token):
            return Join(code.upper().translate(LOOKALIKES), token, bool(make))
        case ["bye"]:
            return Bye()
    raise BadFrame("frame")


def _fits(code: str, token: str | None) -> bool:
    return len(code) <= LONGEST_TYPED and len(token or "") <= TOKEN_LENGTH


def is_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and set(code) <= set(ALPHABET)


def code_from(random: bytes) -> str:
    """Returns a code of 60 of the given 64 bits, in characters that can be read aloud."""
    number = int.from_bytes(random, "big")
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(CODE_LENGTH))


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and value >= 0


def _is_signal(data: dict[str, Any]) -> bool:
    """Returns True for `{"s": attempt, "g": sealed text}`. The sealed text is not checked: devices do that."""
    if data.keys() != {"s", "g"}:
        return False
    attempt = data["s"]
    return _is_number(attempt) or (isinstance(attempt, str) and len(attempt) <= ATTEMPT_LENGTH)
