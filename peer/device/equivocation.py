"""Equivocation: two different signed envelopes under one counter of one author.

It is reported once on this device, and all others get the proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Nonsense
from peer.order.log import HistoriesDiffer
from peer.order.outputs import Equivocated, Send
from peer.wire.envelope import Evidence, find_evidence
from peer.wire.frames import Do, Frame, Proof, envelopes_in

if TYPE_CHECKING:
    from peer.device.device import Device


class Equivocation:
    def __init__(self, device: Device) -> None:
        self.device = device
        self.reported: set[int] = set()

    def compare(self, frame: Frame) -> None:
        """Compares the envelopes of a frame with the log: no counter may be used twice, and heads must be of this log.

        Raises `Nonsense` (or `HistoriesDiffer`) only for a `Do`, whose author is the sender. A device that passes on
        envelopes of others is not to blame for them. Which of two envelopes counts is decided by the log.
        """
        log, raft = self.device.log, self.device.raft
        for envelope in envelopes_in(frame) if not isinstance(frame, Proof) else ():
            stored = log.find_envelope(envelope.author, envelope.counter)
            if stored is not None and stored.text == envelope.text:
                continue
            proof = find_evidence(stored, envelope) if stored is not None else None
            if proof is not None:
                if self._report(proof):
                    for device in raft.other_voters():
                        self.device.put(Send(device, Proof(proof.one, proof.other)))
                if isinstance(frame, Do):
                    raise Nonsense("net.two_stories")
                continue
            if (
                isinstance(frame, Do)
                and envelope.seen <= raft.commit
                and not log.has_head(envelope.seen, envelope.head)
            ):
                raise HistoriesDiffer(envelope.author, envelope.seen)

    def on_proof(self, sender: int, frame: Proof) -> None:
        """Handles a proof from another device. Raises `Nonsense` if it proves nothing."""
        proof = find_evidence(frame.one, frame.other)
        if proof is None:
            raise Nonsense("net.no_proof")
        self._report(proof)

    def _report(self, proof: Evidence) -> bool:
        """Reports an author, but only once. Returns False if it was reported before."""
        if proof.author in self.reported:
            return False
        self.reported.add(proof.author)
        self.device.put(Equivocated(proof.author, proof.one.counter))
        return True
