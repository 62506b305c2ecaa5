"""Entries that change the voters: a follower checks them before it appends them.

Such an entry takes effect as soon as it is in a log, committed or not. If a leader wrote one that can never be carried
out, and left, no majority could commit anything any more. So a follower first applies the entries before it, and takes
it only if it is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from peer.game import pair
from peer.order.log import changes_voters
from peer.wire.envelope import Envelope, link
from peer.wire.frames import Log

if TYPE_CHECKING:
    from peer.device.device import Device


def follow(device: Device, sender: int, frame: Log) -> None:
    """Handles a `log` frame of a leader. Raises `Refused` at a vote change that is not right."""
    raft, log = device.raft, device.log
    while place := _change(device, frame):
        before = place - 1 - frame.at
        raft.receive(sender, frame._replace(entries=frame.entries[:before]))
        device.apply()
        if frame.term < raft.term or not log.holds(frame.at, frame.head):
            return  # not the leader, or the leader has to send earlier entries first
        if not log.holds(place, link(log.heads[place - 1], frame.entries[before])):
            _check(device, place, frame.entries[before].envelope)
        raft.receive(sender, _part(frame, log.heads[place - 1], before, before + 1))
        frame = _part(frame, log.heads[place], before + 1, len(frame.entries))
    raft.receive(sender, frame)


def _part(frame: Log, head: str, start: int, end: int) -> Log:
    return frame._replace(at=frame.at + start, head=head, entries=frame.entries[start:end])


def _change(device: Device, frame: Log) -> int:
    """Returns the index of the first vote change in the frame that is not committed; 0 if there is none."""
    committed = max(frame.commit, device.raft.commit)
    for place, entry in enumerate(frame.entries, frame.at + 1):
        if place > committed and changes_voters(entry.envelope, place):
            return place
    return 0


def _check(device: Device, place: int, said: Envelope) -> None:
    """Raises `Refused` unless this vote change is right in the state before it.

    It is refused, too, while an earlier one is not committed.
    """
    state, log = device.ahead(place - 1), device.log
    waits = any(earlier < place for earlier, _ in log.pending)
    honest = said.seen < place and log.holds(said.seen, said.head)
    if waits or not honest or said.counter != state.counters.get(said.author, 0) + 1:
        raise Refused("net.stale")
    _, *body = said.body
    if said.kind == "votes":
        state.check_votes(said.author, *body)
    else:
        pair.check(state, said.author, *body)
