"""Entries that change the voters: a follower checks them before it appends them.

Such an entry takes effect as soon as it is in a log, committed or not. If a leader wrote one that can never be carried
out, and left, no majority could commit anything any more. So a follower first applies the entries before it, and takes
it only if it is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Nonsense, Refused
from peer.game import pair
from peer.order.log import changes_voters
from peer.wire.bodies import Alone, Votes
from peer.wire.envelope import Envelope, next_head
from peer.wire.frames import Log

if TYPE_CHECKING:
    from peer.device.device import Device


def receive_log(device: Device, sender: int, frame: Log) -> None:
    """Handles a `log` frame of a leader. Raises `Nonsense` at a vote change that is not right."""
    raft, log = device.raft, device.log
    while position := _first_change(device, frame):
        earlier = position - 1 - frame.prev_index
        raft.receive(sender, frame._replace(entries=frame.entries[:earlier]))
        device.apply()
        if frame.term < raft.term or not log.has_head(frame.prev_index, frame.prev_head):
            return  # not the leader, or the leader has to send earlier entries first
        if not log.has_head(position, next_head(log.heads[position - 1], frame.entries[earlier])):
            _check_change(device, position, frame.entries[earlier].envelope)
        raft.receive(sender, _slice(frame, log.heads[position - 1], earlier, earlier + 1))
        frame = _slice(frame, log.heads[position], earlier + 1, len(frame.entries))
    raft.receive(sender, frame)


def _slice(frame: Log, head: str, start: int, end: int) -> Log:
    return frame._replace(prev_index=frame.prev_index + start, prev_head=head, entries=frame.entries[start:end])


def _first_change(device: Device, frame: Log) -> int:
    """Returns the index of the first vote change in the frame that is not committed; 0 if there is none."""
    committed = max(frame.commit, device.raft.commit)
    for position, entry in enumerate(frame.entries, frame.prev_index + 1):
        if position > committed and changes_voters(entry.envelope, position):
            return position
    return 0


def _check_change(device: Device, position: int, envelope: Envelope) -> None:
    """Raises `Nonsense` unless this vote change is right in the state before it.

    It is refused, too, while an earlier one is not committed.
    """
    state, log = device.state_at(position - 1), device.log
    waits = any(earlier < position for earlier, _ in log.pending_changes)
    honest = envelope.seen < position and log.has_head(envelope.seen, envelope.head)
    if waits or not honest or envelope.counter != state.counters.get(envelope.author, 0) + 1:
        raise Nonsense("net.stale")
    try:
        match envelope.body:
            case Votes(voters=voters):
                state.check_votes(envelope.author, voters)
            case Alone(permits=permits, claims=claims):
                pair.check_alone(state, envelope.author, permits, claims)
            case _:
                pass  # no other entry changes the voters
    except Refused as refused:  # the leader should not have appended it
        raise Nonsense(refused.reason) from refused
