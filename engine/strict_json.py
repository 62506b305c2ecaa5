"""Reads JSON from untrusted sources, whose size is checked before it is parsed, and writes compact JSON."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from engine.core import Nonsense

DEEPEST = 6  # a deeply nested text would exhaust the interpreter's stack before any check of the values
DIGITS = 9
HALF = re.compile(r"\\u[dD][89a-fA-F]")  # the escape of a surrogate, two of which make one character
#: a string (perhaps without closing quotes), or a bracket
PIECE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{\]}]', re.DOTALL)


def loads(text: str, most: int) -> Any:
    """Returns the value of `text`. Raises `Nonsense` for anything this program does not write.

    That is: more than `most` characters, more than six levels, a float, a huge number, a duplicate key, or a lone
    surrogate, which could not be encoded again.
    """
    if len(text) > most:
        raise Nonsense("json.too_long")
    if text.count("[") + text.count("{") > DEEPEST < depth(text):
        raise Nonsense("json.too_deep")
    try:
        value = _decoder.decode(text)
        if not text.isascii() or HALF.search(text):
            dumps(value).encode()
    except ValueError as error:
        raise Nonsense("json.damaged") from error
    return value


def depth(text: str) -> int:
    """Returns how deep brackets are nested, without those in strings."""
    level = deepest = 0
    for piece in PIECE.findall(text):
        if piece in "[{":
            level += 1
            deepest = max(deepest, level)
        elif piece in "]}":
            level -= 1
    return deepest


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise Nonsense("json.number")
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise Nonsense("json.number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise Nonsense("json.duplicate_key")
    return values


# made once: `json.loads` and `json.dumps` would make a decoder and an encoder for each call
_decoder = json.JSONDecoder(
    parse_int=_integer, parse_float=_no_number, parse_constant=_no_number, object_pairs_hook=_object
)
#: write compact JSON; in `dumps` other than ASCII characters stand as they are, in `dumps_ascii` as escapes
dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
dumps_ascii = json.JSONEncoder(separators=(",", ":")).encode
