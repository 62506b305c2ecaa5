"""Entries as words and numbers a person can read, and back again.

Inside, cards are small integers; at the border they are words. A game says for every verb what its
arguments are (`WORDS`); reading checks shape and bounds, the rules then check the rest.
An answer is written as a row `["offer", 7]` (in records) or as a text `offer 7` (on buttons, in a terminal).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engine.core import HIDDEN, Answer, Refused

UNKNOWN = "?"  # how a hole is written


class Arg(Protocol):
    """One kind of argument: to and from a row's value, to and from one word of a text."""

    def write(self, value: Any) -> Any: ...

    def read(self, value: Any) -> Any: ...

    def parse(self, word: str) -> Any: ...


class Number:
    """A whole number within bounds. `base` is what the engine's 0 is called: slots and seats count from 1."""

    def __init__(self, least: int, most: int, base: int = 0) -> None:
        self.least, self.most, self.base = least, most, base

    def write(self, value: int) -> int:
        return value + self.base

    def read(self, value: Any) -> int:
        if type(value) is not int or not self.least <= value - self.base <= self.most:
            raise Refused("notation.number", value=str(value)[:40], least=self.least, most=self.most)
        return value - self.base

    def parse(self, word: str) -> int:
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 7):
            raise Refused("notation.number", value=word[:40], least=self.least, most=self.most)
        return self.read(int(word))


class Word:
    """One of some names; 0 is a hole unless the game names it."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = {HIDDEN: UNKNOWN, **names}
        self.values = {name: value for value, name in self.names.items()}

    def write(self, value: int) -> str:
        return self.names[value]

    def read(self, value: Any) -> int:
        if not isinstance(value, str) or value not in self.values:
            raise Refused("notation.word", value=str(value)[:40])
        return self.values[value]

    def parse(self, word: str) -> int:
        return self.read(word)


class List:
    """A list in one place: nested in a row, joined by `+` in a text, `-` when empty."""

    def __init__(self, arg: Arg, most: int = 100) -> None:
        self.arg, self.most = arg, most

    def write(self, value: Sequence[Any]) -> list[Any]:
        return [self.arg.write(item) for item in value]

    def read(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > self.most:
            raise Refused("notation.list", most=self.most)
        return tuple(self.arg.read(item) for item in value)

    def parse(self, word: str) -> tuple[Any, ...]:
        parts = [] if word == "-" else word.split("+")
        if len(parts) > self.most:
            raise Refused("notation.list", most=self.most)
        return tuple(self.arg.parse(part) for part in parts)


class Rest:
    """As many more arguments of one kind as there are; only as the last of a verb."""

    def __init__(self, arg: Arg, most: int = 100) -> None:
        self.arg, self.most = arg, most


Words = Mapping[str, tuple[Arg | Rest, ...]]
Row = list[Any]


def _args(words: Words, verb: Any, count: int) -> list[Arg]:
    """The kinds of the `count` arguments after `verb`."""
    spec = words.get(verb) if isinstance(verb, str) else None
    if spec is None:
        raise Refused("notation.verb", verb=str(verb)[:40])
    args = [arg for arg in spec if not isinstance(arg, Rest)]
    last = spec[-1] if spec else None
    if isinstance(last, Rest) and len(args) <= count <= len(args) + last.most:
        args += [last.arg] * (count - len(args))
    if len(args) != count:
        raise Refused("notation.arguments", verb=verb, count=count)
    return args


def write(words: Words, answer: Answer) -> Row:
    """The answer as a row of words and numbers."""
    verb, *values = answer
    return [verb, *(arg.write(value) for arg, value in zip(_args(words, verb, len(values)), values, strict=True))]


def read(words: Words, row: Any) -> Answer:
    """The answer a row stands for; `Refused` if it is not one."""
    if not isinstance(row, list) or not row:
        raise Refused("notation.row")
    verb, *values = row
    return (verb, *(arg.read(value) for arg, value in zip(_args(words, verb, len(values)), values, strict=True)))


def text(words: Words, answer: Answer) -> str:
    """The answer as one line: `offer 7`, `thieves 1 3`."""
    return " ".join(_word(value) for value in write(words, answer))


def _word(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(map(str, value)) or "-"
    return str(value)


def parse(words: Words, line: str) -> Answer:
    """The answer a line of text stands for; `Refused` if it is not one."""
    if len(line) > 1000:
        raise Refused("notation.too_long", most=1000)
    verb, *parts = line.split() or [""]
    return (verb, *(arg.parse(part) for arg, part in zip(_args(words, verb, len(parts)), parts, strict=True)))
