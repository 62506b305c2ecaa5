"""Lines of the log in words, and values for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ui.boards import Chair, Context, Line, SeatName
from ui.boards.kit.seats import name_node
from ui.html.tree import Child
from ui.text.i18n import Texts, Value

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InWords(Generic[T]):
    """A value of a line that a function puts in words, such as a card by its name."""

    words: Callable[[Texts, T], str]
    value: T

    def say(self, t: Texts) -> str:
        return self.words(t, self.value)


def line_values(chairs: Sequence[Chair], line: Line) -> dict[str, Value]:
    """Returns the values of a line, with names in place of seats."""
    values: dict[str, Value] = {"who": chairs[line.seat].name} if line.seat >= 0 else {}
    for name, value in line.values.items():
        values[name] = chairs[value.seat].name if isinstance(value, SeatName) else value
    return values


def rich_line(chairs: Sequence[Chair], t: Texts, line: Line) -> list[Child]:
    """Returns a line as text and nodes, with the names in bold."""
    shown: dict[str, Value | Child] = {"who": name_node(chairs[line.seat], t)} if line.seat >= 0 else {}
    for name, value in line.values.items():
        shown[name] = name_node(chairs[value.seat], t) if isinstance(value, SeatName) else value
    return t.rich(line.key, **shown)


def latest_sentence(ctx: Context, line: Line | None) -> str:
    """Returns the line about the latest event, for a corner of the felt; "" if there is none.

    It is for people who looked away. Hide it from screen readers: they get it from the log.
    """
    return ctx.t(line.key, **line_values(ctx.chairs, line)) if line else ""
