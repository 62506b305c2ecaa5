"""The slots at the endpoint as senders: what comes from each is counted, and a slot that floods is blocked for a while.

Nothing that a slot sends proves whose it is, so floods are held against the slot itself. That also holds for a device
that has not finished the handshake. The endpoint numbers the slots, and a device that comes back gets its slot again.
"""

from __future__ import annotations

from peer.channels.registry import MAX_SLOTS
from peer.wire.limits import DEVICE, GrowingPause, Meter, RateLimit, Strikes


class Slot:
    """The limits of one slot: of its texts and of its greetings, and what follows if it exceeds them."""

    def __init__(self, now: int) -> None:
        self.meter = Meter(now, DEVICE)
        self.greetings = RateLimit(now, 1, 8)
        self.strikes = Strikes(now)
        self.pause = GrowingPause()
        self.blocked = False

    def block(self, now: int) -> None:
        """Blocks the slot for a pause, which is longer each time."""
        self.strikes, self.blocked = Strikes(now), True
        self.pause.begin(now)


class Slots:
    def __init__(self) -> None:
        self.by_number: dict[int, Slot] = {}

    def get(self, number: int, now: int) -> Slot:
        # an honest endpoint numbers a room's slots from 0; one that makes numbers up gets here, and may start afresh
        if len(self.by_number) > 4 * MAX_SLOTS:
            self.by_number.clear()
        return self.by_number.setdefault(number, Slot(now))

    def reopen(self, now: int) -> list[int]:
        """Opens the blocked slots whose pause is over, and returns their numbers."""
        reopened = [number for number, slot in self.by_number.items() if slot.blocked and slot.pause.is_over(now)]
        for number in reopened:
            self.by_number[number].blocked = False
        return reopened

    def allow_backlog(self) -> None:
        for slot in self.by_number.values():
            slot.meter.allow_backlog()
