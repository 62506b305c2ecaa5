"""All limits of the endpoint."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024
MINUTE = 60.0
HOUR = 60 * MINUTE


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one endpoint. The defaults are those of production; tests use smaller ones."""

    frame_bytes: int = 16 * KIB  # bytes
    slots: int = 16  # devices in a room: eight that play, and as many that watch
    frames_a_second: float = 20.0
    burst: int = 80
    # further frames are dropped unread; after so many the connection is cut. When a network that stood still goes on,
    # all that an honest page has sent meanwhile arrives at once: up to 60 frames and 15 a second, for 45 seconds
    dropped: int = 800
    # WebSocket's own frames at once: pings, pongs, and parts of messages, which a browser sends as well; then as many a
    # second as of all frames
    control_burst: int = 1000
    flood_pause: float = 15.0  # seconds for which a slot is closed after a flood from it; each time twice as long …
    longest_flood_pause: float = 10 * MINUTE  # … up to this
    bad_frames: int = 8  # per connection; one more and it is cut
    wrong_codes: int = 20  # per address in a minute; after that, each wrong code ends its connection
    new_rooms: int = 30  # per address in a minute
    rooms: int = 20_000
    connections: int = 10_000
    connections_per_address: int = 500  # connections of one address
    roomless_per_address: int = 100  # those of them without a room
    room_within: float = 30.0  # seconds from the connection to a room
    room_lifetime: float = 2 * HOUR  # after the last frame of any device in it
    empty_lifetime: float = 30 * MINUTE  # after the last device left
    slot_held: float = 10 * MINUTE  # how long a full room holds the slot of a lost device before a newcomer gets it
    queued: int = 256  # messages that wait for one connection; one more and it is cut
    queued_bytes: int = KIB * KIB
    close_within: float = 1.0  # seconds for a client to answer a close; then the connection is cut
