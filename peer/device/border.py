"""Where frames come in: read, asked whether they are truly signed, counted, and refused if they may not be.

A driver whose signatures are asked after elsewhere (in a browser) uses `opened`, `claims` and `passed` one by one;
`Border.receive` does it all at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core import Refused
from peer.crypto.keys import SignedText, Verifier
from peer.device.device import Device
from peer.order.catchup import STRANGER
from peer.order.log import Differs
from peer.wire import frames
from peer.wire.envelope import Envelope, link
from peer.wire.frames import Do, Frame, Log, Past, Say
from peer.wire.limits import Meter

PER_SECOND = 200  # frames from one device; more is a flood
BURST = 600
PILED_UP = 2_000  # may wait for a device that was suspended
MUTED_AT = 20  # refusals by which a device is muted
FORGIVEN = 10_000  # milliseconds after which one refusal is forgotten


class Guest:
    """How another device has behaved."""

    def __init__(self, now: int) -> None:
        self.tokens = float(BURST)
        self.at = now
        self.score = 0
        self.forgiven_at = now
        self.refused: dict[str, int] = {}
        self.muted = False
        self.words = Meter(now, 2, 20)  # what it says to people


class Border:
    def __init__(self, device: Device, verify: Verifier) -> None:
        self.device, self.verify = device, verify
        self.guests: dict[int, Guest] = {}

    def receive(self, sender: int, data: bytes, now: int) -> str:
        """Bytes from that device. Gives the reason if they were refused: the game lives on."""
        try:
            frame = self.opened(sender, data, now)
            if not all(claim.true(self.verify) for claim in self.claims(frame)):
                raise Refused("net.forged")
            self.passed(sender, frame, now)
        except Refused as refused:
            self.count(sender, refused, now)
            return refused.reason
        return ""

    def slept(self) -> None:
        """This device was suspended: what has piled up meanwhile is nobody's flood."""
        for guest in self.guests.values():
            guest.tokens = float(PILED_UP)

    def opened(self, sender: int, data: bytes, now: int) -> Frame:
        """The frame in these bytes, if this device may still speak."""
        guest = self.guests.setdefault(sender, Guest(now))
        if guest.muted:
            raise Refused("net.muted", device=sender)
        guest.tokens = min(max(BURST, guest.tokens), guest.tokens + (now - guest.at) * PER_SECOND / 1000)
        guest.at = now
        if guest.tokens < 1:
            raise Refused("net.flood", device=sender)
        guest.tokens -= 1
        frame = frames.read(data, self.device.mark)
        if sender >= STRANGER and not isinstance(frame, Past):
            raise Refused("net.no_voter", device=sender)  # it speaks to those who know it
        if isinstance(frame, Say) and not guest.words.take(now):
            raise Refused("net.flood", device=sender)
        if any(said.table != self.device.mark for said in frames.envelopes(frame)):
            raise Refused("net.other_table")
        if isinstance(frame, Do) and any(said.author != sender for said in frame.envelopes):
            raise Refused("net.not_yours", device=sender)
        return frame

    def claims(self, frame: Frame) -> Iterator[SignedText]:
        """The signatures to be asked after: of all envelopes this device has not in its log or said itself, byte for
        byte, and that nothing else vouches for."""
        joining: dict[int, list[str]] = {}
        own = {one.counter: one for one in self.device.outbox}
        vouched = self._vouched(frame) if isinstance(frame, Log | Past) else frozenset()
        for number, said in enumerate(frames.envelopes(frame)):
            if said.kind == "join":
                joining.setdefault(said.body[0], []).append(said.body[1])
            mine = self.device.log.same(said.author, said.counter)
            if mine is None and said.author == self.device.me:
                mine = own.get(said.counter)
            known = mine is not None and (mine.text, mine.signature) == (said.text, said.signature)
            if not known and number not in vouched:
                yield SignedText(self._signers(said, joining), said.text, said.signature)

    def _vouched(self, frame: Log | Past) -> frozenset[int]:
        """Entries whose author has signed the head over them: who signs a head has seen all before it, their own words
        too. So of a long log the last words of everybody are enough; from the back, as long as the heads are true."""
        log = self.device.log
        if not log.holds(frame.at, frame.head):
            return frozenset()
        heads = [frame.head]
        for entry in frame.entries:
            heads.append(link(heads[-1], entry))
        found: set[int] = set()
        reach: dict[int, int] = {}  # author -> how far their signed heads reach
        for number in range(len(frame.entries) - 1, -1, -1):
            said = frame.entries[number].envelope
            place = frame.at + number + 1
            if place <= reach.get(said.author, 0):
                found.add(number)
            elif frame.at <= said.seen < place and heads[said.seen - frame.at] == said.head:
                reach[said.author] = max(said.seen, reach.get(said.author, 0))
        return frozenset(found)

    def _signers(self, said: Envelope, joining: dict[int, list[str]]) -> tuple[str, ...]:
        known = self.device.state.devices
        if said.author < len(known):
            return (known[said.author].verify_key,)
        pending = [
            entry.envelope.body[1]
            for entry in self.device.log.entries[self.device.applied :]
            if entry.envelope.kind == "join" and entry.envelope.body[0] == said.author
        ]
        return (*pending, *joining.get(said.author, ()))

    def passed(self, sender: int, frame: Frame, now: int) -> None:
        """All its signatures are true."""
        self.device.receive(sender, frame, now)

    def count(self, sender: int, refused: Refused, now: int) -> None:
        """One refusal more; a device that keeps at it is muted, and this is said once."""
        guest = self.guests.setdefault(sender, Guest(now))
        guest.refused[refused.reason] = guest.refused.get(refused.reason, 0) + 1
        forgiven = (now - guest.forgiven_at) // FORGIVEN
        guest.forgiven_at += forgiven * FORGIVEN
        # a host this device knows no vote of may have got one since; of two hosts nobody knows which is the true one
        harmless = isinstance(refused, Differs) or refused.reason in ("net.no_voter", "net.two_hosts")
        guest.score = max(0, guest.score - forgiven) + (not harmless)
        if guest.score >= MUTED_AT and not guest.muted:
            guest.muted = True
            self.device.tell("net.muted", {"device": sender, "why": refused.reason})
