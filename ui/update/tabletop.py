"""Table-top: the device lies in the middle, people sit around it, and the table turns to the person who is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ui.edges import edges
from ui.messages import Commands, Msg, Remember
from ui.model import Model
from ui.selectors import seat_named

EDGES_PATTERN = re.compile(r"[0-3]{0,8}")


class ValidEdges:
    """The valid values of the setting `edges`: an edge for each seat, or the empty text."""

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and EDGES_PATTERN.fullmatch(value) is not None


def _edge(model: Model, msg: Msg) -> Commands:
    """Sets the edge of a seat. `arg` is the seat, the value its edge."""
    seats = len(model.play.header.chairs) if model.play else len(model.setup.chairs)
    seat = seat_named(msg.arg, seats)
    if seat is None or msg.value not in ("0", "1", "2", "3"):
        return []
    current = [str(edge) for edge in edges(model.settings, seats)]
    current[seat] = msg.value
    model.settings = replace(model.settings, edges="".join(current))
    return [Remember(model.settings, model.names)]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {"edge": _edge}
