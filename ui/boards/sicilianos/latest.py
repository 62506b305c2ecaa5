"""The line about the most recent event, which is shown in a corner of the felt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.core import Answer, Entry
from engine.sicilianos.box import COLOUR
from ui.boards import Line, SeatName
from ui.boards.sicilianos.cards import CardName, FamilyName
from ui.boards.sicilianos.log_lines import dice_line, open_stake_suffix
from ui.boards.sicilianos.scene import gained_card


def last_line(log: Sequence[Entry]) -> Line | None:
    """Returns a line for the last entry if it can be described without the table, else None."""
    if not log:
        return None
    seat, a = log[-1]
    to, colour, spot = gained_card(log)
    if to >= 0 and a[0] == "stolen":
        return Line(
            to, "sicilianos.log.steals", {"family": FamilyName(colour), "victim": SeatName(int(spot.split("-")[1]))}
        )
    if to >= 0:
        key = "sicilianos.log.keeps" if a[0] == "keep" else "sicilianos.log.draws"
        return Line(to, key, {"family": FamilyName(colour)})
    make_line = LINE_MAKERS.get(a[0])
    return make_line(log, seat, a) if make_line else None


LineMaker: TypeAlias = "Callable[[Sequence[Entry], int, Answer], Line]"
LINE_MAKERS: dict[str, LineMaker] = {
    "join": lambda log, seat, a: Line(
        seat, f"sicilianos.log.join{open_stake_suffix(a[2])}", {"family": FamilyName(COLOUR[a[1]]), "note": a[2]}
    ),
    "out": lambda log, seat, a: Line(seat, "sicilianos.log.out", {}),
    "stop": lambda log, seat, a: Line(seat, "sicilianos.log.stop", {}),
    "add": lambda log, seat, a: Line(seat, "sicilianos.log.add", {"family": FamilyName(COLOUR[a[1]])}),
    "starter": lambda log, seat, a: Line(a[1], "sicilianos.log.starts", {}),
    "dice": lambda log, seat, a: dice_line(log[-2][0], *a[1:]),
    "explode": lambda log, seat, a: Line(seat, "sicilianos.news.explode", {"card": CardName(a[1])}),
}
