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
from peer.wire.envelope import DEVICES, link
from peer.wire.frames import GOOD, Need, Past

if TYPE_CHECKING:
    from peer.order.raft import Raft

# as a recipient: the next of the connected devices that have no number in this log; as senders they are numbered from
# STRANGER + 1
STRANGER = DEVICES


class CatchUp:
    def __init__(self, raft: Raft) -> None:
        self.raft = raft
        self.asked: set[int] = set()  # devices, since a leader was last heard
        self.known = 0  # number of devices whose keys this one knows

    def ask(self, device: int) -> None:
        raft = self.raft
        self.asked.add(device)
        raft.put(Send(device, Need(raft.commit, raft.log.heads[raft.commit])))

    def answer(self, sender: int, frame: Need) -> None:
        log, commit = self.raft.log, self.raft.commit
        if frame.at < commit and log.holds(frame.at, frame.head) and self.raft.gaps.take(sender, self.raft.now):
            entries = tuple(log.after(frame.at, GOOD))[: commit - frame.at]
            self.raft.put(Send(sender, Past(frame.at, frame.head, entries)))

    def hear(self, sender: int, frame: Past) -> None:
        """Takes over the entries of a trusted answer. Ignores frames that were not asked for. Raises `Refused`."""
        raft = self.raft
        asked = min(sender, STRANGER) in self.asked
        if not asked or not frame.entries or not raft.log.holds(frame.at, frame.head):
            return
        end = frame.at + len(frame.entries) if sender in raft.log.everybody else self._seen(frame)
        if end > raft.commit:
            raft.learn(frame.at, frame.entries[: end - frame.at])
            self.ask(sender)

    def _seen(self, frame: Past) -> int:
        """Returns the index up to which a current voter has signed that it saw these entries committed.

        Voters named by such a voter's entry count as well: perhaps only they were left to sign. Keys introduced by this
        very frame prove nothing.
        """
        raft, heads, seen = self.raft, [frame.head], frame.at
        if frame.at != raft.commit:
            return 0  # not an answer to the latest request
        voters = {*raft.log.voters}
        for place, entry in enumerate(frame.entries, frame.at + 1):
            said = entry.envelope
            fits = frame.at <= said.seen < place and heads[said.seen - frame.at] == said.head
            if fits and said.author in voters and said.author < self.known:
                seen = max(seen, said.seen)
                if said.kind == "votes" and changes_voters(said, place):
                    voters.update(said.body[1])
            heads.append(link(heads[-1], entry))
        return seen
