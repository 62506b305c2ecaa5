"""The handshake: how a device proves its keys before anything it sends counts.

A greeting is sealed with the link's key, so anybody who has the link can write one in any device's name. It therefore
only tells which device to challenge. A device that returns the challenge, which was sealed for it alone, has proved its
keys and that it is present now. Until then nothing that is known changes. There is one unproven channel for each slot
at the endpoint, one for each pairing by codes, and a few for each device that introduces others. They are soon
forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from engine import strict_json
from engine.core import Nonsense
from peer.channels.channel import EARLY, Channel, Route
from peer.channels.routes import ViaDevice, ViaEndpoint
from peer.crypto.keys import derive, to_base64
from peer.crypto.sealed import open_box, seal
from peer.wire.frames import PROTOCOL
from peer.wire.limits import RateLimit
from peer.wire.messages import (
    MAX_INTRODUCED,
    Greeting,
    Identity,
    Message,
    Ping,
    Pong,
    read_greeting,
    write_greeting,
)

if TYPE_CHECKING:
    from peer.channels.channels import Channels

MAX_KNOWN_DEVICES = MAX_INTRODUCED  # devices with a proven channel; an introduction names as many at most
MAX_SLOTS = 64  # slots at the endpoint
CHALLENGE_EVERY = 3_000  # milliseconds
FORGET_AFTER = 60_000  # milliseconds without a proof
# ranks of devices when room is needed; the lowest is removed first. INVITED: it came by the link or by a code itself
AWAY, INTRODUCED, INVITED = 0, 1, 2


class Handshake:
    def __init__(self, channels: Channels) -> None:
        self.channels = channels
        self.begun = channels.now()
        self.by_slot: dict[int, Channel] = {}  # by slot: the device there, proven or only claimed
        # unproven channels, by the introducer's and by the introduced device's seal key
        self.introduced: dict[str, dict[str, Channel]] = {}
        self.limits: dict[int, tuple[RateLimit, RateLimit]] = {}  # by slot: its texts and its greetings
        self.newest_numbers: dict[Identity, int] = {}  # the newest numbers of channels that had to make room

    # Greetings

    def greeting(self, *, wants_answer: bool) -> str:
        channels, own_keys = self.channels, self.channels.own_keys
        author = Identity(own_keys.verify_key, own_keys.seal_key, channels.nonce)
        greeting = Greeting(PROTOCOL, channels.build, author, int(wants_answer))
        return "h" + seal(channels.key, "hey", json.dumps(write_greeting(greeting)).encode())

    def read_greeting(self, text: str, route: Route) -> Channel | None:
        """Reads a greeting, answers it if that is asked for, and returns the channel to the device that it names.

        Returns None if that is this device itself, or one with another version of the page. Raises `Nonsense`.
        """
        channels = self.channels
        content = open_box(channels.key, "hey", text[1:])
        greeting = read_greeting(strict_json.loads(content.decode("utf-8", "replace"), 1000))
        if greeting.author.seal_key == channels.own_keys.seal_key:
            return None
        same = (greeting.protocol, greeting.build) == (PROTOCOL, channels.build)
        channel = self.channel_to(greeting.author) if same else None
        if greeting.answer:
            route.send(self.greeting(wants_answer=False))  # with another version, too: both sides show it
        if not same:
            channels.user.other_version(greeting.build)
        return channel

    def receive_greeting(self, slot: int, text: str) -> None:
        """Handles a greeting from a slot at the endpoint. Raises `Nonsense`."""
        route = ViaEndpoint(self.channels, slot)
        channel = self.read_greeting(text, route)
        if channel is None:
            return
        self.by_slot[slot] = channel
        while len(self.by_slot) > MAX_SLOTS:
            del self.by_slot[next(iter(self.by_slot))]
        if self.channels.is_proven(channel) and channel.slot == slot:
            self.channels.note_connected(channel)
        else:
            self.send_challenge(channel, route)

    def allows(self, slot: int, *, greeting: bool) -> bool:
        """Returns True if that slot's rate limit allows one more text, or one more greeting."""
        now = self.channels.now()
        # an honest endpoint numbers a room's slots from 0; one that makes numbers up gets here, and may start afresh
        if len(self.limits) > 4 * MAX_SLOTS:
            self.limits.clear()
        texts, greetings = self.limits.setdefault(slot, (RateLimit(now, 100, 600), RateLimit(now, 1, 8)))
        return greetings.take(now) if greeting else texts.take(now)

    def allow_backlog(self, most: int) -> None:
        for texts, _ in self.limits.values():
            texts.refill(most)

    # Introductions

    def receive_introduction(self, by: Channel, devices: tuple[Identity, ...]) -> None:
        """Handles the list of devices that `by` reaches. It replaces the previous list. Raises `Nonsense`."""
        seal_keys = {identity.seal_key for identity in devices}
        for channel in self.channels.by_key.values():
            if channel.seal_key not in seal_keys:
                channel.relays.discard(by.seal_key)
        former = self.introduced.pop(by.seal_key, {})
        self.introduced[by.seal_key] = {key: one for key, one in former.items() if key in seal_keys}
        for identity in devices:
            named_channel = self.channel_through(by, identity)
            if named_channel is not None and self.channels.is_proven(named_channel):
                named_channel.relays.add(by.seal_key)

    def channel_through(self, by: Channel, identity: Identity) -> Channel | None:
        """Returns the channel to a device that `by` names; a new device is challenged. Returns None if that is this
        device itself, or if `by` has named too many in a short time. Raises `Nonsense`."""
        seal_key = identity.seal_key
        unproven = self.introduced.setdefault(by.seal_key, {})
        for known in (self.channels.by_key.get(seal_key), unproven.get(seal_key)):
            if known is not None and known.identity == identity:
                return known
        if seal_key == self.channels.own_keys.seal_key or not by.introduction_limit.take(self.channels.now()):
            return None
        made = unproven[seal_key] = self.channel_to(identity)
        self.send_challenge(made, ViaDevice(self.channels, by, seal_key))
        return made

    # Proofs

    def _unproven(self) -> Iterator[Channel]:
        introduced = chain.from_iterable(channels.values() for channels in self.introduced.values())
        return chain(self.by_slot.values(), self.channels.by_code.claimed_channels, introduced)

    def channel_to(self, identity: Identity) -> Channel:
        """Returns the only channel to that device on that visit, and makes it if there is none. Raises `Nonsense` for
        an invalid seal key."""
        channels, now = self.channels, self.channels.now()
        for channel in chain(channels.by_key.values(), self._unproven()):
            if channel.identity == identity:
                return channel
        channels.own_keys.shared(identity.seal_key)
        # if the device was known before and forgotten, own messages must not be numbered from the beginning again;
        # `first` assumes fewer than 100 messages a second since this page was loaded
        made = Channel(channels.own_keys, channels.nonce, *identity, now, first=(now - self.begun) // 10)
        made.challenge = to_base64(derive(channels.own_keys.secret, "asks", channels.nonce, *identity, now))
        made.replay_floor = self.newest_numbers.get(identity, 0)
        return made

    def send_challenge(self, channel: Channel, route: Route) -> None:
        channel.pinged_at = self.channels.now()
        for text in channel.encode(Ping(channel.challenge)):
            route.send(text)

    def proves(self, channel: Channel, message: Message) -> bool:
        """Returns True if the message returns the challenge. At most `EARLY` messages before it are kept."""
        match message:
            case Pong(challenge) if challenge == channel.challenge:
                return True
            case Ping() | Pong():
                pass
            case _ if len(channel.early) < EARLY:
                channel.early.append(message)
        return False

    def accept(self, channel: Channel, *, introduced: bool) -> None:
        """Accepts a proven channel. A new visit replaces the one before and inherits its mute, strikes and rate limits.
        `introduced`: another device introduced this one, and it has not come by the link. Raises `Nonsense` if there
        are too many devices."""
        by_key = self.channels.by_key
        old = by_key.get(channel.seal_key)
        if old is not None:
            old.disconnect()
            channel.muted, channel.strikes = old.muted, old.strikes
            channel.message_limit, channel.request_limit = old.message_limit, old.request_limit
            channel.introduction_limit, channel.relay_limit = old.introduction_limit, old.relay_limit
        elif len(by_key) >= MAX_KNOWN_DEVICES:
            self._make_room(introduced=introduced)
        by_key[channel.seal_key] = channel
        channel.heard_at = channel.heard_directly_at = channel.dial_at = self.channels.now()
        for unproven in self.introduced.values():
            unproven.pop(channel.seal_key, None)

    def _make_room(self, *, introduced: bool) -> None:
        """Removes the channel of a device that is away, or, for a newcomer that was not introduced, of one that was.
        Never removes devices of the table or muted ones. Raises `Nonsense` if there is no other."""
        by_key, now, relay = self.channels.by_key, self.channels.now(), self.channels.relay

        def rank(channel: Channel) -> tuple[int, int]:
            if channel.state(now, relay=relay) == "gone":
                return AWAY, channel.heard_at
            return INVITED if channel.slot >= 0 or channel.by_code else INTRODUCED, channel.heard_at

        removable = [
            channel
            for channel in by_key.values()
            if not channel.muted and not self.channels.user.is_member(channel.seal_key)
        ]
        removed = min(removable, key=rank, default=None)
        if removed is None or rank(removed)[0] > (AWAY if introduced else INTRODUCED):
            raise Nonsense("net.crowd")
        removed.disconnect()
        if len(self.newest_numbers) >= 4 * MAX_KNOWN_DEVICES:
            self.newest_numbers.clear()
        self.newest_numbers[removed.identity] = removed.newest
        del by_key[removed.seal_key]

    def tick(self, now: int) -> None:
        """Repeats challenges, and forgets devices that do not answer, except those by code (see `by_code.py`)."""
        for slot, channel in list(self.by_slot.items()):
            if not self.channels.is_proven(channel) and now - channel.heard_at > FORGET_AFTER:
                del self.by_slot[slot]
            elif not self.channels.is_proven(channel) and now - channel.pinged_at > CHALLENGE_EVERY:
                self.send_challenge(channel, ViaEndpoint(self.channels, slot))
        for seal_key, unproven in list(self.introduced.items()):
            by = self.channels.by_key.get(seal_key)
            if by is None or by.gone:
                del self.introduced[seal_key]
                continue
            for channel in list(unproven.values()):
                if now - channel.heard_at > FORGET_AFTER:
                    del unproven[channel.seal_key]
                elif now - channel.pinged_at > CHALLENGE_EVERY:
                    self.send_challenge(channel, ViaDevice(self.channels, by, channel.seal_key))
