"""Equivocation: two different signed envelopes under one counter of one author.

It is reported once on this device, and all others get the proof.
"""

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
        """Compares the envelopes of a frame with the log: no counter may be used twice, and heads must be of this log.

        Raises `Refused` (or `Differs`) only for a `Do`, whose author is the sender. A device that passes on envelopes
        of others is not to blame for them. Which of two envelopes counts is decided by the log.
        """
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
        """Handles a proof from another device. Raises `Refused` if it proves nothing."""
        found = evidence(frame.one, frame.other)
        if found is None:
            raise Refused("net.no_proof", device=sender)
        self._expose(found)

    def _expose(self, found: Evidence) -> bool:
        """Reports an author, but only once. Returns False if it was reported before."""
        if found.author in self.exposed:
            return False
        self.exposed.add(found.author)
        self.device.tell("net.two_stories", {"device": found.author, "counter": found.one.counter})
        return True
