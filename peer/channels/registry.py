"""The registry of channels: one channel for each device and visit, proven or not, and the limits on how many are kept.

A proven channel belongs to a device that has proved its keys. There is one unproven channel for each slot at the
endpoint, one for each pairing by codes, and a few for each device that introduces others. They are soon forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import chain

from engine.core import Nonsense
from peer.channels.channel import Channel
from peer.crypto.keys import Keys, derive, to_base64
from peer.wire.messages import MAX_INTRODUCED, Identity

MAX_KNOWN_DEVICES = MAX_INTRODUCED  # devices with a proven channel; an introduction names as many at most
MAX_SLOTS = 64  # slots at the endpoint
CHALLENGE_EVERY = 3_000  # milliseconds
FORGET_AFTER = 60_000  # milliseconds without a proof
# ranks of devices when room is needed; the lowest is removed first. INVITED: it came by the link or by a code itself
AWAY, INTRODUCED, INVITED = 0, 1, 2


class Registry:
    def __init__(self, own_keys: Keys, nonce: str, now: Callable[[], int], is_member: Callable[[str], bool]) -> None:
        """`is_member` returns True if the device with that seal key belongs to the table."""
        self.own_keys, self.nonce, self.now, self.is_member = own_keys, nonce, now, is_member
        self.begun = now()
        self.by_key: dict[str, Channel] = {}  # the proven channels, by seal key
        self.by_slot: dict[int, Channel] = {}  # by slot: the device there, proven or only claimed
        self.by_code: dict[Hashable, Channel] = {}  # by connection: the device that a greeting on it has named
        # unproven channels, by the introducer's and by the introduced device's seal key
        self.introduced: dict[str, dict[str, Channel]] = {}
        self.newest_numbers: dict[Identity, int] = {}  # the newest numbers of channels that had to make room

    @property
    def own_identity(self) -> Identity:
        return Identity(self.own_keys.verify_key, self.own_keys.seal_key, self.nonce)

    def is_proven(self, channel: Channel) -> bool:
        return self.by_key.get(channel.seal_key) is channel

    def channel_to(self, identity: Identity) -> Channel:
        """Returns the only channel to that device on that visit, and makes it if there is none. Raises `Nonsense` for
        an invalid seal key."""
        introduced = chain.from_iterable(channels.values() for channels in self.introduced.values())
        for channel in chain(self.by_key.values(), self.by_slot.values(), self.by_code.values(), introduced):
            if channel.identity == identity:
                return channel
        now = self.now()
        self.own_keys.shared(identity.seal_key)  # only to raise `Nonsense` for an invalid key
        # if the device was known before and forgotten, own messages must not be numbered from the beginning again;
        # `first` assumes fewer than 100 messages a second since this page was loaded
        made = Channel(self.own_keys, self.nonce, *identity, now, first=(now - self.begun) // 10)
        made.challenge = to_base64(derive(self.own_keys.secret, "asks", self.nonce, *identity, now))
        made.replay_floor = self.newest_numbers.get(identity, 0)
        return made

    # Slots at the endpoint

    def put_into_slot(self, slot: int, channel: Channel) -> None:
        """Notes that the device in that slot claims to be the channel's."""
        self.by_slot[slot] = channel
        while len(self.by_slot) > MAX_SLOTS:
            del self.by_slot[next(iter(self.by_slot))]

    def forget_slots(self) -> None:
        self.by_slot.clear()
        for channel in self.by_key.values():
            channel.slot = -1

    # Introductions

    def replace_introductions(self, by: Channel, devices: tuple[Identity, ...]) -> None:
        """Forgets the devices that `by` reached before and does not name any more."""
        seal_keys = {identity.seal_key for identity in devices}
        for channel in self.by_key.values():
            if channel.seal_key not in seal_keys:
                channel.relays.discard(by.seal_key)
        former = self.introduced.pop(by.seal_key, {})
        self.introduced[by.seal_key] = {key: one for key, one in former.items() if key in seal_keys}

    def known_through(self, by: Channel, identity: Identity) -> Channel | None:
        """Returns the proven channel to that device, or the one that `by` introduced before; None if there is none."""
        unproven = self.introduced.get(by.seal_key, {})
        for known in (self.by_key.get(identity.seal_key), unproven.get(identity.seal_key)):
            if known is not None and known.identity == identity:
                return known
        return None

    def introduce(self, by: Channel, identity: Identity) -> Channel | None:
        """Returns a channel to a device that `by` names for the first time. Returns None if that is this device itself,
        or if `by` has named too many in a short time. Raises `Nonsense`."""
        if identity.seal_key == self.own_keys.seal_key or not by.introduction_limit.take(self.now()):
            return None
        channel = self.channel_to(identity)
        self.introduced.setdefault(by.seal_key, {})[identity.seal_key] = channel
        return channel

    # Proofs

    def accept(self, channel: Channel, *, introduced: bool, in_room: bool) -> None:
        """Accepts a proven channel. A new visit replaces the one before and inherits its mute, strikes and rate limits.
        `introduced`: another device introduced this one, and it has not come by the link. `in_room`: this device is in
        the endpoint's room. Raises `Nonsense` if there are too many devices."""
        old = self.by_key.get(channel.seal_key)
        if old is not None:
            old.disconnect()
            channel.muted, channel.strikes = old.muted, old.strikes
            channel.meter, channel.relayed_meter, channel.request_limit = (
                old.meter,
                old.relayed_meter,
                old.request_limit,
            )
            channel.introduction_limit, channel.relay_limit = old.introduction_limit, old.relay_limit
        elif len(self.by_key) >= MAX_KNOWN_DEVICES:
            self._make_room(introduced=introduced, in_room=in_room)
        self.by_key[channel.seal_key] = channel
        channel.heard_at = channel.heard_directly_at = channel.dial_at = self.now()
        for unproven in self.introduced.values():
            unproven.pop(channel.seal_key, None)

    def _make_room(self, *, introduced: bool, in_room: bool) -> None:
        """Removes the channel of a device that is away, or, for a newcomer that was not introduced, of one that was.
        Never removes devices of the table or muted ones. Raises `Nonsense` if there is no other."""
        now = self.now()

        def rank(channel: Channel) -> tuple[int, int]:
            if channel.state(now, in_room=in_room) == "gone":
                return AWAY, channel.heard_at
            return INVITED if channel.slot >= 0 or channel.by_code else INTRODUCED, channel.heard_at

        removable = [
            channel for channel in self.by_key.values() if not channel.muted and not self.is_member(channel.seal_key)
        ]
        removed = min(removable, key=rank, default=None)
        if removed is None or rank(removed)[0] > (AWAY if introduced else INTRODUCED):
            raise Nonsense("net.crowd")
        removed.disconnect()
        if len(self.newest_numbers) >= 4 * MAX_KNOWN_DEVICES:
            self.newest_numbers.clear()
        self.newest_numbers[removed.identity] = removed.newest
        del self.by_key[removed.seal_key]

    # Devices that do not answer their challenge; for those by code see `by_code.py`

    def unproven_in_slots(self, now: int) -> Iterator[tuple[int, Channel]]:
        """Forgets silent devices, and yields the others that are to be challenged again, with their slots."""
        for slot, channel in list(self.by_slot.items()):
            if not self.is_proven(channel) and now - channel.heard_at > FORGET_AFTER:
                del self.by_slot[slot]
            elif not self.is_proven(channel) and now - channel.pinged_at > CHALLENGE_EVERY:
                yield slot, channel

    def unproven_through_others(self, now: int) -> Iterator[tuple[Channel, Channel]]:
        """Forgets silent devices, and yields the others that are to be challenged again, with their introducers."""
        for seal_key, unproven in list(self.introduced.items()):
            by = self.by_key.get(seal_key)
            if by is None or by.has_left:
                del self.introduced[seal_key]
                continue
            for channel in list(unproven.values()):
                if now - channel.heard_at > FORGET_AFTER:
                    del unproven[channel.seal_key]
                elif now - channel.pinged_at > CHALLENGE_EVERY:
                    yield by, channel
