"""Who tells two stories: two words under one counter, both signed. Said once here, and to everybody, with the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from peer.order.log import Differs
from peer.order.outputs import Send
from peer.wire.envelope import Evidence, evidence
from peer.wire.frames import Do, Frame, Proof, envelopes

if TYPE_CHECKING:
    from peer.device.device import Device


class Equivocation:
    def __init__(self, device: Device) -> None:
        self.device = device
        self.exposed: set[int] = set()

    def compare(self, frame: Frame) -> None:
        """Every envelope carries the head its author had seen, and may be said only once. Who brings what somebody else
        said twice is not to blame for it; which of the two counts the log decides."""
        log, raft = self.device.log, self.device.raft
        for said in envelopes(frame) if not isinstance(frame, Proof) else ():
            mine = log.same(said.author, said.counter)
            if mine is not None and mine.text == said.text:
                continue
            found = evidence(mine, said) if mine is not None else None
            if found is not None:
                if self._expose(found):
                    for device in raft.others():
                        self.device.put(Send(device, Proof(found.one, found.other)))
                if isinstance(frame, Do):
                    raise Refused("net.two_stories", device=said.author)
                continue
            if isinstance(frame, Do) and said.seen <= raft.commit and not log.holds(said.seen, said.head):
                raise Differs(said.author, said.seen)

    def proven(self, sender: int, frame: Proof) -> None:
        """Raises `Refused` for what proves nothing."""
        found = evidence(frame.one, frame.other)
        if found is None:
            raise Refused("net.no_proof", device=sender)
        self._expose(found)

    def _expose(self, found: Evidence) -> bool:
        """However many there are of one device. Whether it was news."""
        if found.author in self.exposed:
            return False
        self.exposed.add(found.author)
        self.device.tell("net.two_stories", {"device": found.author, "counter": found.one.counter})
        return True
