"""Table-top: the device lies in the middle, people sit around it, and the table turns to whoever is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ui.model import Commands, Model, Msg, Play, Remember, Settings

#: clockwise, from the edge where the top bar stands upright
EDGES = ("near", "left", "far", "right")
#: where a device with room for two edges only puts who sits there
SMALL = ("near", "near", "far", "far")
#: by the number of seats: where each sits unless people say otherwise
AROUND = {1: "0", 2: "02", 3: "013", 4: "0123", 5: "00123", 6: "001223", 7: "0011223", 8: "00112233"}
SEATED = re.compile(r"[0-3]{0,8}")


class Seatings:
    """What may be kept of where people sit: an edge for each seat, or nothing."""

    def __contains__(self, given: object) -> bool:
        return isinstance(given, str) and SEATED.fullmatch(given) is not None


def edges(settings: Settings, seats: int) -> tuple[int, ...]:
    """The edge of every seat."""
    return tuple(map(int, settings.edges if len(settings.edges) == seats else AROUND[seats]))


def facing(settings: Settings, play: Play) -> int:
    """How far the table is turned, in degrees clockwise."""
    return 90 * edges(settings, len(play.header.chairs))[play.viewer] if settings.top == "on" else 0


def _edge(model: Model, msg: Msg) -> Commands:
    """`arg` is the seat, the value its edge."""
    seats = len(model.play.header.chairs) if model.play else len(model.setup.chairs)
    known = msg.arg.isascii() and msg.arg.isdigit() and int(msg.arg) < seats
    if not known or msg.value not in ("0", "1", "2", "3"):
        return []
    now = [str(edge) for edge in edges(model.settings, seats)]
    now[int(msg.arg)] = msg.value
    model.settings = replace(model.settings, edges="".join(now))
    return [Remember(model.settings, model.names)]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {"edge": _edge}
