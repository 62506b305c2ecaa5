"""A leader that is heard, but does not commit what it is offered: how a device notices it."""

from __future__ import annotations

from peer.device.outbox import Outbox
from peer.order.raft import LEADER, Raft

STARVED_AFTER = 10_000  # milliseconds without a commit of the oldest own envelope, under one leader


class Starvation:
    """Tells Raft (`starved`) while the leader does not commit the oldest envelope of this device.

    If that happens to a majority, they elect another leader, although this one is heard.
    """

    def __init__(self, raft: Raft, outbox: Outbox) -> None:
        self.raft, self.outbox = raft, outbox
        self.oldest: tuple[int, int] | None = None  # counter of the oldest own envelope, and the term
        self.since = 0  # when that was noted

    def follow(self) -> None:
        """Looks at the outbox again. Must be called regularly."""
        raft, signed = self.raft, self.outbox.signed
        oldest = (signed[0].counter, raft.term) if signed and raft.role != LEADER else None
        if oldest != self.oldest:
            self.oldest, self.since = oldest, raft.now
        raft.starved = oldest is not None and raft.now - self.since >= STARVED_AFTER
