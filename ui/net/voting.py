"""Entries that change who votes, as a follower meets them.

Such an entry counts as soon as it stands in a log, committed or not. A host that wrote one which can never be carried
out, and left, would leave a table at which nobody can decide anything. So a follower first applies what comes before
it, and takes it only if it is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from ui.net import two
from ui.net.envelope import Envelope
from ui.net.frames import Log
from ui.net.log import changes_voters

if TYPE_CHECKING:
    from ui.net.device import Device


def follow(device: Device, sender: int, frame: Log) -> None:
    """What a host says. Raises `Refused`."""
    raft, log = device.raft, device.log
    place = _change(frame)
    if frame.term < raft.term or place <= raft.commit or not log.holds(frame.at, frame.head):
        raft.receive(sender, frame)
        return
    before = place - 1 - frame.at
    raft.receive(sender, frame._replace(entries=frame.entries[:before]))
    device.apply()
    _check(device, place, frame.entries[before].envelope)
    rest = frame._replace(at=place - 1, head=log.heads[place - 1], entries=frame.entries[before:])
    raft.receive(sender, rest)


def _change(frame: Log) -> int:
    """Where the first of them stands that is not committed; 0 if there is none."""
    for place, entry in enumerate(frame.entries, frame.at + 1):
        if place > frame.commit and changes_voters(entry.envelope, place):
            return place
    return 0


def _check(device: Device, place: int, said: Envelope) -> None:
    state = device.ahead(place - 1)
    if said.counter != state.counters.get(said.author, 0) + 1 or not device.log.holds(said.seen, said.head):
        raise Refused("net.stale")
    _, *body = said.body
    if said.kind == "votes":
        state.check_votes(said.author, *body)
    else:
        two.check(state, said.author, *body)
