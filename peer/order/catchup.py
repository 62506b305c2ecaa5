"""Catching up: committed entries a device missed, from a device that is not its leader.

The voters may have changed meanwhile, and the leader may be a device this one would not follow, or does not know at
all. A sender that is a voter of this log is trusted. From any other sender, entries count only as far as a voter has
signed that it saw them committed, by the heads in its own envelopes. New voters named by such entries are trusted from
there on, and so forth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from peer.order.log import changes_voters
from peer.order.outputs import Send
from peer.wire.bodies import MAX_DEVICES, Votes
from peer.wire.envelope import next_head
from peer.wire.frames import TARGET_BYTES, Need, Past

if TYPE_CHECKING:
    from peer.order.raft import Raft

# as a recipient: the next of the connected devices that have no number in this log; as senders they are numbered from
# STRANGER + 1
STRANGER = MAX_DEVICES


class CatchUp:
    def __init__(self, raft: Raft) -> None:
        self.raft = raft
        self.requested: set[int] = set()  # devices that were sent a `need` since a leader was last heard
        self.known_devices = 0  # number of devices whose keys this one knows

    def request(self, device: int) -> None:
        """Requests the entries committed after this device's commit index."""
        raft = self.raft
        self.requested.add(device)
        raft.put(Send(device, Need(raft.commit, raft.log.heads[raft.commit])))

    def on_need(self, sender: int, frame: Need) -> None:
        log, commit = self.raft.log, self.raft.commit
        if (
            frame.commit < commit
            and log.has_head(frame.commit, frame.head)
            and self.raft.gap_limits.take(sender, self.raft.now)
        ):
            entries = tuple(log.entries_after(frame.commit, TARGET_BYTES))[: commit - frame.commit]
            self.raft.put(Send(sender, Past(frame.commit, frame.head, entries)))

    def on_past(self, sender: int, frame: Past) -> None:
        """Takes over the entries of a trusted answer. Ignores frames that were not requested. Raises `Nonsense`."""
        raft = self.raft
        requested = min(sender, STRANGER) in self.requested
        if not requested or not frame.entries or not raft.log.has_head(frame.prev_index, frame.prev_head):
            return
        end = frame.prev_index + len(frame.entries) if sender in raft.log.all_voters else self._vouched_index(frame)
        if end > raft.commit:
            raft.accept_committed(frame.prev_index, frame.entries[: end - frame.prev_index])
            self.request(sender)

    def _vouched_index(self, frame: Past) -> int:
        """Returns the index up to which a current voter has signed that it saw these entries committed.

        Voters named by such a voter's entry count as well: perhaps only they were left to sign. Keys introduced by this
        very frame prove nothing.
        """
        raft, heads, seen = self.raft, [frame.prev_head], frame.prev_index
        if frame.prev_index != raft.commit:
            return 0  # not an answer to the latest request
        voters = {*raft.log.voters}
        for position, entry in enumerate(frame.entries, frame.prev_index + 1):
            envelope = entry.envelope
            head_matches = (
                frame.prev_index <= envelope.seen < position
                and heads[envelope.seen - frame.prev_index] == envelope.head
            )
            if head_matches and envelope.author in voters and envelope.author < self.known_devices:
                seen = max(seen, envelope.seen)
                if isinstance(envelope.body, Votes) and changes_voters(envelope, position):
                    voters.update(envelope.body.voters)
            heads.append(next_head(heads[-1], entry))
        return seen
