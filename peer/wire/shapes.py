"""Schemas for values from other devices. Each one returns the checked value, or raises `Nonsense`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from engine.core import Nonsense

FAR = 10**9 - 1
BASE64URL = re.compile(r"[A-Za-z0-9_-]*")
PUBLIC_KEY = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")

Shape = Callable[[Any], Any]


def integer(least: int = 0, most: int = FAR) -> Shape:
    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise Nonsense("net.number")
        return value

    return read


def base64url(longest: int, least: int = 0) -> Shape:
    """Accepts characters of base64url (and so hex): heads, signatures, boxes."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or not least <= len(value) <= longest or not BASE64URL.fullmatch(value):
            raise Nonsense("net.code")
        return value

    return read


def public_key(value: Any) -> str:
    """Accepts a public key: 32 bytes in canonical base64url."""
    if not isinstance(value, str) or not PUBLIC_KEY.fullmatch(value):
        raise Nonsense("net.key")
    return value


def one_of(*words: str) -> Shape:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise Nonsense("net.word")
        return value

    return read


def printable_ascii(longest: int) -> Shape:
    """Accepts printable ASCII, the characters of every envelope."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest or not value.isascii() or not value.isprintable():
            raise Nonsense("net.plain")
        return value

    return read


def text(longest: int) -> Shape:
    """Accepts any characters: texts that are parsed, checked or cleaned later."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise Nonsense("net.plain")
        return value

    return read


def list_of(shape: Shape, most: int, least: int = 0) -> Shape:
    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise Nonsense("net.list")
        return tuple(map(shape, value))

    return read


def tuple_of(*shapes: Shape, optional: int = 0) -> Shape:
    """Accepts a list with exactly these items, of which the last `optional` ones may be missing."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not len(shapes) - optional <= len(value) <= len(shapes):
            raise Nonsense("net.fields")
        return tuple([shape(item) for shape, item in zip(shapes, value, strict=False)])  # faster than a generator

    return read


def answer_row(value: Any) -> tuple[Any, ...]:
    """Accepts an answer, `[verb, args...]`. Only its size is limited here; the game checks its words later."""
    if not isinstance(value, list) or not value or len(value) > 100:
        raise Nonsense("net.row")
    return tuple(_scalar(item) if not isinstance(item, list) else _scalars(item) for item in value)


def _scalars(values: Sequence[Any]) -> tuple[Any, ...]:
    if len(values) > 100:
        raise Nonsense("net.row")
    return tuple(_scalar(item) if not isinstance(item, list) else _deepest_scalars(item) for item in values)


def _deepest_scalars(values: Sequence[Any]) -> tuple[Any, ...]:
    if len(values) > 100:
        raise Nonsense("net.row")
    return tuple(map(_scalar, values))


def _scalar(value: Any) -> Any:
    if type(value) is int or (isinstance(value, str) and len(value) <= 40 and value.isascii() and value.isprintable()):
        return value
    raise Nonsense("net.row")
