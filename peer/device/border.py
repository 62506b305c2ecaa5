"""The border of a device: incoming frames are decoded, rate-limited, verified, and refused if they are not allowed.

`Border.receive` does it all at once. A driver that has signatures verified elsewhere (in a browser) calls the three
steps one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core import Nonsense, Refused
from peer.crypto.keys import SignedText, Verifier
from peer.device.device import Device
from peer.order.catchup import STRANGER
from peer.wire import frames
from peer.wire.bodies import Join
from peer.wire.envelope import next_head
from peer.wire.frames import Do, Frame, Log, Past, Say
from peer.wire.limits import BACKLOG, DEVICE, RateLimit, Strikes

#: reasons of refusals that are not held against the sender: a leader without a vote here may have got one since; which
#: of two leaders, or of two logs, is the true one is not known; a vote may come too late; a page may be out of date
HARMLESS = ("net.no_voter", "net.two_hosts", "net.histories_differ", "net.not_asked", "net.reload")


class PeerLimits:
    """The rate limits of another device, and its refusals."""

    def __init__(self, now: int) -> None:
        self.frame_limit = RateLimit(now, DEVICE.messages_per_second, DEVICE.messages_at_once)
        self.strikes = Strikes(now)
        self.refused: dict[str, int] = {}
        self.muted = False
        self.message_limit = RateLimit(now, 2, 20)  # its messages to people


class Border:
    def __init__(self, device: Device, verify: Verifier) -> None:
        self.device, self.verify = device, verify
        self.limits: dict[int, PeerLimits] = {}

    def receive(self, sender: int, data: bytes, now: int) -> str:
        """Handles bytes from a device. Returns the reason if they were refused, else an empty string."""
        try:
            frame = self.decode(sender, data, now)
            if not all(claim.is_genuine(self.verify) for claim in self.signatures_to_verify(frame)):
                raise Nonsense("net.forged")
            self.deliver(sender, frame, now)
        except (Nonsense, Refused) as refused:
            self.count_refusal(sender, refused, now)
            return refused.reason
        return ""

    def allow_backlog(self) -> None:
        """Raises the limits once, after this device was suspended: frames that piled up meanwhile are no flood."""
        for limits in self.limits.values():
            limits.frame_limit.refill(BACKLOG)

    def decode(self, sender: int, data: bytes, now: int) -> Frame:
        """Returns the frame in these bytes. Raises `Nonsense`, also when the sender is muted or sends too much."""
        limits = self.limits.setdefault(sender, PeerLimits(now))
        if limits.muted:
            raise Nonsense("net.muted")
        if not limits.frame_limit.take(now):
            raise Nonsense("net.flood")
        frame = frames.read(data, self.device.mark)
        if sender >= STRANGER and not isinstance(frame, Past):
            raise Nonsense("net.no_voter")  # a device without a number here may only send `past`
        if isinstance(frame, Say) and not limits.message_limit.take(now):
            raise Nonsense("net.flood")
        if any(envelope.table != self.device.mark for envelope in frames.envelopes_in(frame)):
            raise Nonsense("net.other_table")
        if isinstance(frame, Do) and any(said.author != sender for said in frame.envelopes):
            raise Nonsense("net.not_yours")
        return frame

    def signatures_to_verify(self, frame: Frame) -> Iterator[SignedText]:
        """Yields the signatures that have to be verified.

        Not needed are those of envelopes that are, byte for byte, in this device's log or outbox, and of entries that a
        later signature in the frame covers.
        """
        joining: dict[int, list[str]] = {}
        vouched = self._covered(frame) if isinstance(frame, Log | Past) else frozenset()
        for number, envelope in enumerate(frames.envelopes_in(frame)):
            if isinstance(envelope.body, Join):
                joining.setdefault(envelope.body.number, []).append(envelope.body.verify_key)
            stored = self.device.find_envelope(envelope.author, envelope.counter)
            known = stored is not None and (stored.text, stored.signature) == (envelope.text, envelope.signature)
            if not known and number not in vouched:
                keys = self.device.verify_keys_of(envelope.author, joining.get(envelope.author, ()))
                yield SignedText(keys, envelope.text, envelope.signature)

    def _covered(self, frame: Log | Past) -> frozenset[int]:
        """Returns the positions of entries whose author has signed a later head, which covers all entries before it.

        So of a long log the last envelope of each author is enough. The entries are read from the back; a signed head
        counts only if it matches the frame's entries.
        """
        log = self.device.log
        if not log.has_head(frame.prev_index, frame.prev_head):
            return frozenset()
        heads = [frame.prev_head]
        for entry in frame.entries:
            heads.append(next_head(heads[-1], entry))
        covered: set[int] = set()
        signed_up_to: dict[int, int] = {}  # author -> index up to which their signed heads reach
        for number in range(len(frame.entries) - 1, -1, -1):
            envelope = frame.entries[number].envelope
            position = frame.prev_index + number + 1
            if position <= signed_up_to.get(envelope.author, 0):
                covered.add(number)
            elif (
                frame.prev_index <= envelope.seen < position
                and heads[envelope.seen - frame.prev_index] == envelope.head
            ):
                signed_up_to[envelope.author] = max(envelope.seen, signed_up_to.get(envelope.author, 0))
        return frozenset(covered)

    def deliver(self, sender: int, frame: Frame, now: int) -> None:
        """Passes a frame to the device, after its signatures were verified. Raises `Nonsense` or `Refused`."""
        self.device.receive(sender, frame, now)

    def count_refusal(self, sender: int, refused: Nonsense | Refused, now: int) -> None:
        """Counts a frame that was refused. A device with too many in a short time is muted, which is reported once."""
        limits = self.limits.setdefault(sender, PeerLimits(now))
        limits.refused[refused.reason] = limits.refused.get(refused.reason, 0) + 1
        if refused.reason not in HARMLESS and limits.strikes.add(now) and not limits.muted:
            limits.muted = True
            self.device.mute(sender, refused.reason)

    def mute(self, sender: int) -> None:
        """Refuses all frames of that device from now on, also those that wait already: its channel was muted, which was
        reported."""
        self.limits.setdefault(sender, PeerLimits(0)).muted = True
        self.device.note_muted(sender)
