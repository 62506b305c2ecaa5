"""Rooms and their slots: plain data, and the operations on it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from signaling.limits import Limits

Connection = Hashable


@dataclass(slots=True)
class Slot:
    """A device's place in a room. It belongs to the device with the token; `holder` is that device's connection."""

    token: str
    holder: Connection | None = None
    held_until: float = 0.0  # without a holder: the time until which no newcomer gets it
    paused_until: float = 0.0  # after a flood: the time until which nobody may take it again
    pause: float = 0.0  # the length of that pause

    def begin_pause(self, now: float, limits: Limits) -> None:
        self.pause = min(max(limits.flood_pause, 2 * self.pause), limits.longest_flood_pause)
        self.paused_until = now + self.pause


@dataclass(slots=True)
class Room:
    """A code, the largest number of slots, and the slots by number."""

    code: str
    capacity: int
    heard_at: float
    slots: list[Slot] = field(default_factory=list)
    emptied_at: float | None = None

    def present(self) -> list[int]:
        return [number for number, seat in enumerate(self.slots) if seat.holder is not None]

    def others(self, slot: int) -> list[Connection]:
        """Returns the connections of all present devices but the one in that slot."""
        numbered = enumerate(self.slots)
        return [other.holder for number, other in numbered if other.holder is not None and number != slot]

    def holder(self, slot: int) -> Connection | None:
        return self.slots[slot].holder if slot < len(self.slots) else None

    def slot_of(self, token: str) -> int | None:
        """Returns the number of the slot with this token, or None."""
        # no constant-time comparison: tokens are 96 random bits, and timing does not help to find one
        return next((number for number, seat in enumerate(self.slots) if seat.token == token), None)

    def free_slot(self, now: float) -> int | None:
        """Returns a slot number for a newcomer: a new slot or, in a full room, the free one whose hold ended first.
        Returns None if no slot is left."""
        if len(self.slots) < self.capacity:
            return len(self.slots)
        free = [
            (seat.held_until, number)
            for number, seat in enumerate(self.slots)
            if seat.holder is None and seat.held_until <= now
        ]
        return min(free)[1] if free else None

    def ends_at(self, limits: Limits) -> float:
        if self.emptied_at is None:
            return self.heard_at + limits.room_lifetime
        return self.emptied_at + limits.empty_lifetime

    def record(self) -> dict[str, Any]:
        """Returns what must outlive the process: everything but the connections."""
        return {"most": self.capacity, "tokens": [seat.token for seat in self.slots]}


def from_record(code: str, record: dict[str, Any], now: float, limits: Limits) -> Room:
    """Returns the room of a stored record, with no device present. Ignores other fields: older versions stored more."""
    slots = [Slot(token, held_until=now + limits.slot_held) for token in record["tokens"]]
    return Room(code, record["most"], now, slots, emptied_at=now)
