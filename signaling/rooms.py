"""A room and its seats: plain data, and the few things that can happen to them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from signaling.limits import Limits

Connection = Hashable


@dataclass(slots=True)
class Seat:
    """A device's place. It belongs to whoever holds the token, as long as the room lives; `holder` is here now."""

    token: str
    holder: Connection | None = None
    held: float = 0.0  # with nobody here: until when no newcomer gets it


@dataclass(slots=True)
class Room:
    """A code, its seats by number, and the register {epoch, host} that changes by one at a time."""

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
        """The connections of everybody here but `seat`."""
        found = enumerate(self.seats)
        return [here.holder for number, here in found if here.holder is not None and number != seat]

    def holder(self, seat: int) -> Connection | None:
        return self.seats[seat].holder if seat < len(self.seats) else None

    def seat_of(self, token: str) -> int | None:
        """Tokens are 96 random bits: nobody finds one by measuring how long a comparison takes."""
        return next((number for number, seat in enumerate(self.seats) if seat.token == token), None)

    def place(self, now: float) -> int | None:
        """For a newcomer: a new one; where there is none any more, that of whoever is gone for longest."""
        if len(self.seats) < self.most:
            return len(self.seats)
        free = [
            (seat.held, number)
            for number, seat in enumerate(self.seats)
            if seat.holder is None and seat.held <= now and number != self.host
        ]
        return min(free)[1] if free else None

    def claim(self, epoch: int, seat: int) -> bool:
        """Compare and set: only the very next epoch is accepted, so of two who claim at once one wins."""
        if epoch != self.epoch + 1:
            return False
        self.epoch, self.host = epoch, seat
        return True

    def ends(self, limits: Limits) -> float:
        if self.emptied is None:
            return self.heard + limits.room_lives
        return self.emptied + limits.empty_lives

    def record(self) -> dict[str, Any]:
        """What has to outlive the process: everything but who is connected."""
        tokens = [seat.token for seat in self.seats]
        return {"most": self.most, "tokens": tokens, "epoch": self.epoch, "host": self.host}


def from_record(code: str, record: dict[str, Any], now: float, limits: Limits) -> Room:
    """The room as it was kept, with nobody in it yet."""
    seats = [Seat(token, held=now + limits.place_held) for token in record["tokens"]]
    return Room(code, record["most"], now, seats, record["epoch"], record["host"], emptied=now)
