"""What was committed behind this device's back, told by somebody who is not the host it listens to.

Who votes may have changed meanwhile, and the host be a device it would not listen to, or does not know at all. Whose
vote counts here is believed. From anybody else only that counts which a device with a vote here has signed to have seen
as committed: the heads its own words carry. Whoever votes from there on can be believed further, and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from peer.order.log import changes_voters
from peer.order.outputs import Send
from peer.wire.envelope import DEVICES, link
from peer.wire.frames import GOOD, Need, Past

if TYPE_CHECKING:
    from peer.order.raft import Raft

STRANGER = DEVICES  # whoever is next of those who are here and have no number in this log; each has one above this


class CatchUp:
    def __init__(self, raft: Raft) -> None:
        self.raft = raft
        self.asked: set[int] = set()  # since a host was heard
        self.known = 0  # devices whose keys this one knows

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
        """What nobody asked for is not believed. Raises `Refused`."""
        raft = self.raft
        asked = min(sender, STRANGER) in self.asked
        if not asked or not frame.entries or not raft.log.holds(frame.at, frame.head):
            return
        end = frame.at + len(frame.entries) if sender in raft.log.everybody else self._seen(frame)
        if end > raft.commit:
            raft.learn(frame.at, frame.entries[: end - frame.at])
            self.ask(sender)

    def _seen(self, frame: Past) -> int:
        """How far somebody has signed to have seen it whose vote counts here. Whom they name as the next to vote may
        sign that too: perhaps nobody else was left to. But a key that came with the same frame proves nothing."""
        raft, heads, seen = self.raft, [frame.head], frame.at
        if frame.at != raft.commit:
            return 0  # no answer to what is asked now
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
