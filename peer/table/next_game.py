"""The change from one game to the next at the same table.

A running game is played to its end before the next one starts, as long as it has a leader.
"""

from __future__ import annotations

from typing import NamedTuple

from peer.game.setup import Setup
from peer.order.raft import NOBODY
from peer.table.lobby import Lobby
from peer.table.phase import Over, Phase, Playing, setup_of
from peer.table.running import RunningGame
from peer.wire.messages import Start

#: milliseconds: a game that has had no leader for so long, while the next one is laid out, counts as abandoned
ABANDONED_AFTER = 5_000
MARK_WITHIN = 60  # characters at the beginning of a frame, in which the mark of its game stands


class Pending(NamedTuple):
    """The next game: its setup, as it was signed and as it was read."""

    start: Start
    setup: Setup
    lobby: Lobby | None  # the one it was laid out from, if that was done here


class NextGame:
    """The next game, while it waits for the end of the present one; and the games before."""

    def __init__(self) -> None:
        self.old_marks: set[str] = set()  # marks of games that are over: their late frames are ignored
        self.pending: Pending | None = None  # waits for the end of the present game
        self.leader_seen_at = 0  # when the present game last had a leader

    def may_begin(self, offered: Pending, phase: Phase, now: int) -> bool:
        """Returns True if the offered game can begin now: it is later than the present one, which is over or abandoned
        or does not run here, and no later game is pending. If it only has to wait for the end of the present game, it
        is kept as `pending`."""
        present = setup_of(phase)
        if present is not None and offered.setup.round <= present.round:
            return False
        if self.pending is not None and offered.setup.round < self.pending.setup.round:
            return False
        match phase:
            case Playing(game) if not self._is_abandoned(game, now):
                if self.pending is None:
                    self.leader_seen_at = now
                if self.pending is None or offered.setup.round > self.pending.setup.round:
                    self.pending = offered  # else it is the same one, sent again
                return False
        return True

    def due(self, phase: Phase, now: int) -> Pending | None:
        """Returns the pending setup if it can begin now, because the present game is over or abandoned."""
        if self.pending is None:
            return None
        match phase:
            case Over():
                return self.pending
            case Playing(game) if self._is_abandoned(game, now):
                return self.pending
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
        """Returns True if the frame belongs to a game that is over here, or to the next one. It is ignored, and not
        held against its sender."""
        marks = self.old_marks if self.pending is None else self.old_marks | {self.pending.setup.mark}
        return any(f'"{mark}"' in data[:MARK_WITHIN] for mark in marks)
