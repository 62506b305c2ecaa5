"""Notation: entries as words and numbers that a person can read, and back again.

The engine writes cards as small integers; the notation writes them as words. A game lists the arguments of every verb
(`WORDS`). Reading checks shape and bounds, and the rules check the rest.
An answer is written as a row `["offer", 7]` (in records, for programs) or as a text `offer 7` (in a terminal, for
people). They differ only in seats, which count from 0 in rows and from 1 in texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from engine.core import HIDDEN, Answer, Refused
from engine.values import WordOf

UNKNOWN = "?"  # a hole
FirstSeat = Literal[0, 1]  # the number of the first seat in rows: 1 in what was begun until version 0.1.0


class Arg(Protocol):
    """One kind of argument. It converts to and from a value of a row, and from a word of a text."""

    def write(self, value: Any) -> Any: ...

    def read(self, value: Any) -> Any: ...

    def text(self, value: Any) -> str: ...

    def parse(self, word: str) -> Any: ...


class Number:
    """A whole number within bounds. `base` is the written number for the engine's 0: slots count from 1."""

    def __init__(self, least: int, most: int, base: int = 0) -> None:
        self.least, self.most, self.base = least, most, base

    def write(self, value: int) -> int:
        return value + self.base

    def read(self, value: Any) -> int:
        if type(value) is not int or not self.least <= value - self.base <= self.most:
            raise self._refusal(str(value))
        return value - self.base

    def text(self, value: int) -> str:
        return str(self.write(value))

    def parse(self, word: str) -> int:
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 7):
            raise self._refusal(word)
        return self.read(int(word))

    def _refusal(self, value: str) -> Refused:
        """Returns the refusal of another number. Its bounds are the numbers as they are written."""
        return Refused("notation.number", value=value[:40], least=self.least + self.base, most=self.most + self.base)


class Seat:
    """A seat, counted from 0 in rows and from 1 in texts. `first` is the number of the first seat in rows."""

    def __init__(self, seats: int, first: FirstSeat = 0) -> None:
        self.seats = seats
        self.in_row, self.in_text = Number(0, seats - 1, base=first), Number(0, seats - 1, base=1)

    def write(self, value: int) -> int:
        return self.in_row.write(value)

    def read(self, value: Any) -> int:
        return self.in_row.read(value)

    def text(self, value: int) -> str:
        return self.in_text.text(value)

    def parse(self, word: str) -> int:
        return self.in_text.parse(word)


class Word:
    """One of some names. 0 is a hole unless the game has a name for it."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = {HIDDEN: UNKNOWN, **names}
        self.values = {name: value for value, name in self.names.items()}

    def write(self, value: int) -> str:
        return self.names[value]

    def read(self, value: Any) -> int:
        if not isinstance(value, str) or value not in self.values:
            raise Refused("notation.word", value=WordOf(str(value)[:40]))
        return self.values[value]

    def text(self, value: int) -> str:
        return self.names[value]

    def parse(self, word: str) -> int:
        return self.read(word)


class List:
    """A list as one argument: nested in a row, joined by `+` in a text, `-` if it is empty."""

    def __init__(self, arg: Arg, most: int = 100) -> None:
        self.arg, self.most = arg, most

    def write(self, value: Sequence[Any]) -> list[Any]:
        return [self.arg.write(item) for item in value]

    def read(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > self.most:
            raise Refused("notation.list", most=self.most)
        return tuple(self.arg.read(item) for item in value)

    def text(self, value: Sequence[Any]) -> str:
        return "+".join(map(self.arg.text, value)) or "-"

    def parse(self, word: str) -> tuple[Any, ...]:
        parts = [] if word == "-" else word.split("+")
        if len(parts) > self.most:
            raise Refused("notation.list", most=self.most)
        return tuple(self.arg.parse(part) for part in parts)


class Rest:
    """Any number of further arguments of one kind. It is only allowed at the end of a verb's arguments."""

    def __init__(self, arg: Arg, most: int = 100) -> None:
        self.arg, self.most = arg, most


Words = Mapping[str, tuple[Arg | Rest, ...]]
Row = list[Any]


def with_seats_from_1(words: Words) -> Words:
    """Returns the words of rows in which seats count from 1."""
    return {verb: tuple(map(_with_seats_from_1, args)) for verb, args in words.items()}


def _with_seats_from_1(arg: Any) -> Any:
    match arg:
        case Seat():
            return Seat(arg.seats, first=1)
        case List() | Rest():
            return type(arg)(_with_seats_from_1(arg.arg), arg.most)
    return arg


def _args(words: Words, verb: Any, count: int) -> list[Arg]:
    """Returns the kinds of the `count` arguments of `verb`."""
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
    """Returns the answer as a row of words and numbers."""
    verb, *values = answer
    return [verb, *(arg.write(value) for arg, value in zip(_args(words, verb, len(values)), values, strict=True))]


def read(words: Words, row: Any) -> Answer:
    """Returns the answer in a row. Raises `Refused` if there is none."""
    if not isinstance(row, list) or not row:
        raise Refused("notation.row")
    verb, *values = row
    return (verb, *(arg.read(value) for arg, value in zip(_args(words, verb, len(values)), values, strict=True)))


def text(words: Words, answer: Answer) -> str:
    """Returns the answer as a text: `offer 7`, `thieves 1 3`."""
    verb, *values = answer
    args = _args(words, verb, len(values))
    return " ".join([verb, *(arg.text(value) for arg, value in zip(args, values, strict=True))])


def parse(words: Words, line: str) -> Answer:
    """Returns the answer in a line of text. Raises `Refused` if there is none."""
    if len(line) > 1000:
        raise Refused("notation.too_long", most=1000)
    verb, *parts = line.split() or [""]
    return (verb, *(arg.parse(part) for arg, part in zip(_args(words, verb, len(parts)), parts, strict=True)))
