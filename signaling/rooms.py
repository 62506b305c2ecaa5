"""Rooms and their slots: plain data, and the operations on it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from signaling.limits import Limits

Connection = Hashable


@dataclass(slots=True)
class Seat:
    """A device's place in a room. It belongs to the device with the token; `holder` is that device's connection."""

    token: str
    holder: Connection | None = None
    held: float = 0.0  # without a holder: the time until which no newcomer gets it


@dataclass(slots=True)
class Room:
    """A code, slots by number, and the register {epoch, host}, whose epoch grows by one at a time."""

    code: str
    most: int
    heard: float
    seats: list[Seat] = field(default_factory=list)
    epoch: int = 0
    host: int = 0
    emptied: float | None = None

    def present(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.holder is not None]

    def others(self, seat: int) -> list[Connection]:
        """Returns the connections of all present devices but the one in that slot."""
        found = enumerate(self.seats)
        return [here.holder for number, here in found if here.holder is not None and number != seat]

    def holder(self, seat: int) -> Connection | None:
        return self.seats[seat].holder if seat < len(self.seats) else None

    def seat_of(self, token: str) -> int | None:
        """Returns the number of the slot with this token, or None."""
        # no constant-time comparison: tokens are 96 random bits, and timing does not help to find one
        return next((number for number, seat in enumerate(self.seats) if seat.token == token), None)

    def place(self, now: float) -> int | None:
        """Returns a slot number for a newcomer: a new slot or, in a full room, the free one whose hold ended first.
        Never gives away the host's slot. Returns None if no slot is left."""
        if len(self.seats) < self.most:
            return len(self.seats)
        free = [
            (seat.held, number)
            for number, seat in enumerate(self.seats)
            if seat.holder is None and seat.held <= now and number != self.host
        ]
        return min(free)[1] if free else None

    def claim(self, epoch: int, seat: int) -> bool:
        """Compares and sets the register: only the next epoch is accepted, so that one of two simultaneous claims wins.
        Returns True if this one did."""
        if epoch != self.epoch + 1:
            return False
        self.epoch, self.host = epoch, seat
        return True

    def ends(self, limits: Limits) -> float:
        if self.emptied is None:
            return self.heard + limits.room_lives
        return self.emptied + limits.empty_lives

    def record(self) -> dict[str, Any]:
        """Returns what must outlive the process: everything but the connections."""
        tokens = [seat.token for seat in self.seats]
        return {"most": self.most, "tokens": tokens, "epoch": self.epoch, "host": self.host}


def from_record(code: str, record: dict[str, Any], now: float, limits: Limits) -> Room:
    """Returns the room of a stored record, with no device present."""
    seats = [Seat(token, held=now + limits.place_held) for token in record["tokens"]]
    return Room(code, record["most"], now, seats, record["epoch"], record["host"], emptied=now)
