"""The edges of a device that lies in the middle of a table: where each seat is, and how far the table is turned."""

from __future__ import annotations

from ui.model import Play, Settings

#: the edges of the device, clockwise from the one where the top bar can be read
EDGES = ("near", "left", "far", "right")
#: the edge used in place of each of these, on a device with room for two edges only
SMALL_EDGES = ("near", "near", "far", "far")
#: by the number of seats: the default edge of each seat, as an index into `EDGES`
DEFAULT_EDGES = {1: "0", 2: "02", 3: "013", 4: "0123", 5: "00123", 6: "001223", 7: "0011223", 8: "00112233"}


def edges(settings: Settings, seats: int) -> tuple[int, ...]:
    """Returns the edge of every seat, as an index into `EDGES`."""
    return tuple(map(int, settings.edges if len(settings.edges) == seats else DEFAULT_EDGES[seats]))


def table_angle(settings: Settings, play: Play) -> int:
    """Returns the angle by which the table is turned, in degrees clockwise."""
    return 90 * edges(settings, len(play.header.chairs))[play.viewer] if settings.top == "on" else 0
