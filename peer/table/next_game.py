"""The change from one game to the next at the same table.

A running game is played to its end before the next one starts, as long as it has a leader.
"""

from __future__ import annotations

from typing import NamedTuple

from peer.game.setup import Setup
from peer.order.raft import NOBODY
from peer.table.phase import Over, Phase, Playing, setup_of
from peer.table.running import RunningGame
from peer.wire.messages import Start

#: milliseconds: a game that has had no leader for so long, while the next one is laid out, counts as abandoned
ABANDONED_AFTER = 5_000


class Pending(NamedTuple):
    """The signed setup of the next game, and the mark of its frames."""

    start: Start
    mark: str


class NextGame:
    """The next game, while it waits for the end of the present one; and the games before."""

    def __init__(self) -> None:
        self.old_marks: set[str] = set()  # marks of games that are over: their late frames are ignored
        self.pending: Pending | None = None  # waits for the end of the present game
        self.leader_seen_at = 0  # when the present game last had a leader

    def postpones(self, start: Start, setup: Setup, phase: Phase, now: int) -> bool:
        """Returns True if this setup must not begin now: it is an old one, or the present game is not over. In the
        second case the setup is kept as `pending`."""
        present = setup_of(phase)
        if present is not None and setup.round <= present.round:
            return True
        match phase:
            case Playing(game) if not self._is_abandoned(game, now):
                if self.pending is None:
                    self.leader_seen_at = now
                self.pending = Pending(start, setup.mark)
                return True
        return False

    def due(self, phase: Phase, now: int) -> Start | None:
        """Returns the pending setup if it can begin now, because the present game is over or abandoned."""
        if self.pending is None:
            return None
        match phase:
            case Over():
                return self.pending.start
            case Playing(game) if self._is_abandoned(game, now):
                return self.pending.start
        return None

    def _is_abandoned(self, game: RunningGame, now: int) -> bool:
        """Returns True if the next game is laid out and this one has had no leader for a while: entries that are
        missing here will not arrive any more."""
        if self.pending is None:
            return False
        raft = game.device.raft
        if raft.leader != NOBODY and raft.hears(raft.leader, ABANDONED_AFTER):
            self.leader_seen_at = now
        return now - self.leader_seen_at > ABANDONED_AFTER

    def begin(self, ended: RunningGame | None) -> None:
        """Notes that a new game begins, and which one has ended."""
        self.pending = None
        if ended is not None:
            self.old_marks.add(ended.device.mark)

    def belongs_elsewhere(self, data: str) -> bool:
        """Returns True if the frame belongs to a game that is over here, or to the next one. Its sender is honest."""
        marks = self.old_marks if self.pending is None else self.old_marks | {self.pending.mark}
        return any(f'"{mark}"' in data[:60] for mark in marks)
