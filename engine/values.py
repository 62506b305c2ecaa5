"""Values of a refusal that say what they are, so that a page can write them as its board does.

A rule refuses a low offer with `value=Amount(3), best=Amount(7)`. The command line, and everything that is sent or
stored, has the plain values, 3 and 7; the board of Razzia! writes 3,000 and 7,000, others 3 and 7. A value without a
type is a number (a count, a limit) or a text as somebody gave it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value and, by its class, what it is."""

    plain: int | str


class SeatOf(TypedValue):
    """A seat, counted from 0. People read the name of its player."""

    __slots__ = ()


class Slot(TypedValue):
    """A place in a row of cards, counted from 1, as people count."""

    __slots__ = ()


class Amount(TypedValue):
    """An amount of money as the rules count it: a note, a cheque. The board knows how it is printed."""

    __slots__ = ()


class CardOf(TypedValue):
    """A card or a kind of card: the number the rules use, or its name in the notation."""

    __slots__ = ()


class WordOf(TypedValue):
    """A word as somebody gave it, which may be one of the notation's words: a card, a bar, a family."""

    __slots__ = ()


def plain(value: object) -> object:
    """Returns the value without its type, as it is sent and stored."""
    return value.plain if isinstance(value, TypedValue) else value
