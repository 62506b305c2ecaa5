"""The border of a device: incoming frames are decoded, rate-limited, verified, and refused if they are not allowed.

`Border.receive` does it all at once. A driver that has signatures verified elsewhere (in a browser) calls the three
steps one by one.
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

PER_SECOND = 200  # frames from one device; more are refused as a flood
BURST = 600  # frames from one device at once
PILED_UP = 2_000  # frames that may wait for this device after it was suspended
MUTED_AT = 20  # refusals by which a device is muted
FORGIVEN = 10_000  # milliseconds after which one refusal is forgotten


class Guest:
    """The rate limits of another device, and its refusals."""

    def __init__(self, now: int) -> None:
        self.tokens = float(BURST)
        self.at = now
        self.score = 0
        self.forgiven_at = now
        self.refused: dict[str, int] = {}
        self.muted = False
        self.words = Meter(now, 2, 20)  # its messages to people


class Border:
    def __init__(self, device: Device, verify: Verifier) -> None:
        self.device, self.verify = device, verify
        self.guests: dict[int, Guest] = {}

    def receive(self, sender: int, data: bytes, now: int) -> str:
        """Handles bytes from a device. Returns the reason if they were refused, else an empty string."""
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
        """Raises the limits once, after this device was suspended: frames that piled up meanwhile are no flood."""
        for guest in self.guests.values():
            guest.tokens = float(PILED_UP)

    def opened(self, sender: int, data: bytes, now: int) -> Frame:
        """Returns the frame in these bytes. Raises `Refused`, also when the sender is muted or sends too much."""
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
            raise Refused("net.no_voter", device=sender)  # a device without a number here may only send `past`
        if isinstance(frame, Say) and not guest.words.take(now):
            raise Refused("net.flood", device=sender)
        if any(said.table != self.device.mark for said in frames.envelopes(frame)):
            raise Refused("net.other_table")
        if isinstance(frame, Do) and any(said.author != sender for said in frame.envelopes):
            raise Refused("net.not_yours", device=sender)
        return frame

    def claims(self, frame: Frame) -> Iterator[SignedText]:
        """Yields the signatures that have to be verified.

        Not needed are those of envelopes that are, byte for byte, in this device's log or outbox, and of entries that a
        later signature in the frame covers.
        """
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
        """Returns the positions of entries whose author has signed a later head, which covers all entries before it.

        So of a long log the last envelope of each author is enough. The entries are read from the back; a signed head
        counts only if it matches the frame's entries.
        """
        log = self.device.log
        if not log.holds(frame.at, frame.head):
            return frozenset()
        heads = [frame.head]
        for entry in frame.entries:
            heads.append(link(heads[-1], entry))
        found: set[int] = set()
        reach: dict[int, int] = {}  # author -> index up to which their signed heads reach
        for number in range(len(frame.entries) - 1, -1, -1):
            said = frame.entries[number].envelope
            place = frame.at + number + 1
            if place <= reach.get(said.author, 0):
                found.add(number)
            elif frame.at <= said.seen < place and heads[said.seen - frame.at] == said.head:
                reach[said.author] = max(said.seen, reach.get(said.author, 0))
        return frozenset(found)

    def _signers(self, said: Envelope, joining: dict[int, list[str]]) -> tuple[str, ...]:
        """Returns the keys its author may have: the known one, or those in joins that are not applied yet."""
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
        """Passes a frame to the device, after its signatures were verified. Raises `Refused`."""
        self.device.receive(sender, frame, now)

    def count(self, sender: int, refused: Refused, now: int) -> None:
        """Counts a refusal. A device with too many in a short time is muted, which is reported once."""
        guest = self.guests.setdefault(sender, Guest(now))
        guest.refused[refused.reason] = guest.refused.get(refused.reason, 0) + 1
        forgiven = (now - guest.forgiven_at) // FORGIVEN
        guest.forgiven_at += forgiven * FORGIVEN
        # a leader without a vote here may have got one since; which of two leaders is the true one is not known
        harmless = isinstance(refused, Differs) or refused.reason in ("net.no_voter", "net.two_hosts")
        guest.score = max(0, guest.score - forgiven) + (not harmless)
        if guest.score >= MUTED_AT and not guest.muted:
            guest.muted = True
            self.device.tell("net.muted", {"device": sender, "why": refused.reason})
