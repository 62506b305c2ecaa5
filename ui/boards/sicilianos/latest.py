"""The most recent event, shown in a corner of the felt. Screen readers get it from the log instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.core import Answer, Entry
from engine.sicilianos.box import COLOUR
from ui.boards import Context, Line, Who
from ui.boards.sicilianos.cards import Card, Family
from ui.boards.sicilianos.scene import gained
from ui.boards.sicilianos.tell import dice, noted
from ui.text.i18n import Value


def latest(ctx: Context) -> str:
    line = recent(ctx.log)
    if line is None:
        return ""
    values: dict[str, Value] = {"who": ctx.name(line.seat)} if line.seat >= 0 else {}
    for name, value in line.values.items():
        values[name] = ctx.name(value.seat) if isinstance(value, Who) else value
    return ctx.t(line.key, **values)


def recent(log: Sequence[Entry]) -> Line | None:
    """Returns a line for the last entry if it can be described without the table, else None."""
    if not log:
        return None
    seat, a = log[-1]
    to, colour, spot = gained(log)
    if to >= 0 and a[0] == "stolen":
        return Line(to, "sicilianos.log.steals", {"family": Family(colour), "victim": Who(int(spot.split("-")[1]))})
    if to >= 0:
        key = "sicilianos.log.keeps" if a[0] == "keep" else "sicilianos.log.draws"
        return Line(to, key, {"family": Family(colour)})
    told = TOLD.get(a[0])
    return told(log, seat, a) if told else None


Teller: TypeAlias = "Callable[[Sequence[Entry], int, Answer], Line]"
TOLD: dict[str, Teller] = {
    "join": lambda log, seat, a: Line(
        seat, f"sicilianos.log.join{noted(a[2])}", {"family": Family(COLOUR[a[1]]), "note": a[2]}
    ),
    "out": lambda log, seat, a: Line(seat, "sicilianos.log.out", {}),
    "stop": lambda log, seat, a: Line(seat, "sicilianos.log.stop", {}),
    "add": lambda log, seat, a: Line(seat, "sicilianos.log.add", {"family": Family(COLOUR[a[1]])}),
    "starter": lambda log, seat, a: Line(a[1], "sicilianos.log.starts", {}),
    "dice": lambda log, seat, a: dice(log[-2][0], *a[1:]),
    "explode": lambda log, seat, a: Line(seat, "sicilianos.news.explode", {"card": Card(a[1])}),
}
