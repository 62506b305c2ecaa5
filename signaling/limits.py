"""How much of everything: the one place where the endpoint's limits are written."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024
MINUTE = 60.0
HOUR = 60 * MINUTE


@dataclass(frozen=True, slots=True)
class Limits:
    """The defaults are what players meet; tests shrink them."""

    frame: int = 16 * KIB  # bytes
    seats: int = 16  # devices in a room: eight who play, and as many who watch
    frames_a_second: float = 20.0
    burst: int = 80
    bad_frames: int = 8  # a connection, then it is cut
    wrong_codes: int = 20  # an address in a minute; then each one more ends its line
    new_rooms: int = 30  # an address in a minute
    rooms: int = 20_000
    connections: int = 10_000
    lines: int = 500  # an address at once
    unseated: int = 100  # of them without a room
    seated_within: float = 30.0  # seconds from the connection to a room
    room_lives: float = 2 * HOUR  # after the last frame of anybody in it
    empty_lives: float = 30 * MINUTE  # after the last one left
    place_held: float = 10 * MINUTE  # for who is lost, when newcomers find no other
    queued: int = 256  # messages for one connection, then it is cut
    queued_bytes: int = KIB * KIB
    close_within: float = 1.0  # seconds for a client to answer a close; then the line is cut
