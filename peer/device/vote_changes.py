"""Entries that change who votes, as a follower meets them.

Such an entry counts as soon as it stands in a log, committed or not. A host that wrote one which can never be carried
out, and left, would leave a table at which nobody can decide anything. So a follower first applies what comes before
it, and takes it only if it is right.
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
    """What a host says. Raises `Refused`."""
    raft, log = device.raft, device.log
    while place := _change(device, frame):
        before = place - 1 - frame.at
        raft.receive(sender, frame._replace(entries=frame.entries[:before]))
        device.apply()
        if frame.term < raft.term or not log.holds(frame.at, frame.head):
            return  # not the host, or it has to go back first
        if not log.holds(place, link(log.heads[place - 1], frame.entries[before])):
            _check(device, place, frame.entries[before].envelope)
        raft.receive(sender, _part(frame, log.heads[place - 1], before, before + 1))
        frame = _part(frame, log.heads[place], before + 1, len(frame.entries))
    raft.receive(sender, frame)


def _part(frame: Log, head: str, start: int, end: int) -> Log:
    return frame._replace(at=frame.at + start, head=head, entries=frame.entries[start:end])


def _change(device: Device, frame: Log) -> int:
    """Where the first of them stands that is not committed; 0 if there is none."""
    committed = max(frame.commit, device.raft.commit)
    for place, entry in enumerate(frame.entries, frame.at + 1):
        if place > committed and changes_voters(entry.envelope, place):
            return place
    return 0


def _check(device: Device, place: int, said: Envelope) -> None:
    """One after the other, and each as the table is when it comes to it."""
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
