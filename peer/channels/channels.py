"""All channels of a device: which devices are present, by which route each can be reached, and when to try another.

Devices connect directly where two browsers can. Meanwhile, and where they cannot, the endpoint or another device relays
their texts. Each device introduces the devices it reaches to all others. Of two devices the one with the smaller seal
key dials, so that they never dial each other at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from engine import strict_json
from engine.core import Nonsense, Refused
from peer.channels.by_code import CodeConnections
from peer.channels.channel import DIRECT, LONGEST, LOST, QUIET, Channel, DirectConnection, Route
from peer.channels.dialing import Dialing
from peer.channels.endpoint import Endpoint
from peer.channels.handshake import GREETING, Handshake, proves, send_challenge
from peer.channels.registry import Registry
from peer.channels.routes import Direct, ViaDevice, ViaEndpoint
from peer.channels.slots import Slots
from peer.crypto.keys import Keys
from peer.wire import messages
from peer.wire.limits import BACKLOG, USELESS
from peer.wire.messages import (
    Answer,
    Decline,
    ForwardingMessage,
    GameFrame,
    Goodbye,
    Identity,
    Introduction,
    Message,
    Offer,
    Ping,
    Pong,
    Redial,
    Relay,
    Relayed,
    TableMessage,
)

DIAL_PAUSES = (0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000)  # milliseconds before each attempt to connect
DIAL_TIMEOUT = 15_000  # milliseconds for an attempt
PING_AFTER = 2_000  # milliseconds of silence
PING_AWAY_EVERY = 10_000  # milliseconds between two pings to a device that has been silent for long
INTRODUCE_EVERY = 500  # milliseconds between two introductions

#: messages that cost other devices nothing, or that are counted elsewhere
UNMETERED = (Ping, Pong, GameFrame, Relay, Relayed)

#: makes a direct connection with its callbacks: it is open; a message (see `receive_directly`); it is closed
MakeConnection = Callable[[Callable[[], None], Callable[[str | None, int], None], Callable[[], None]], DirectConnection]


class ChannelUser(Protocol):
    """The owner of the channels: it receives the messages and learns what changes."""

    def device_connected(self, channel: Channel) -> None:
        """Called when a device is connected: for the first time, on a new visit, or again by a new route."""

    def message(self, channel: Channel, message: TableMessage) -> None:
        """Called for each message of the table. May raise `Nonsense` or `Refused`, which count against the device."""

    def changed(self) -> None: ...

    def other_version(self, build: str) -> None:
        """Called when a device with another version of the page has sent a greeting."""

    def device_muted(self, channel: Channel, reason: str) -> None:
        """Called when a device was muted because it kept breaking the protocol."""

    def pairing_missed(self) -> None:
        """Called when a pairing was given up because no device connected."""

    def is_member(self, seal_key: str) -> bool:
        """Returns True if the device with that seal key belongs to the table."""


class Channels:
    def __init__(
        self,
        own_keys: Keys,
        key: bytes,
        nonce: str,
        build: str,
        user: ChannelUser,
        now: Callable[[], int],
        make_connection: MakeConnection | None,
    ) -> None:
        self.own_keys, self.user, self.now, self.make_connection = own_keys, user, now, make_connection
        self.endpoint: Endpoint | None = None
        self.registry = Registry(own_keys, nonce, now, user.is_member)
        self.handshake = Handshake(self.registry, key, build, user.other_version)
        self.by_code = CodeConnections(self, self.handshake, make_connection)
        self.dialing = Dialing(self)
        self.slots = Slots()
        self.refused: dict[str, int] = {}
        self.active_at = now()  # when this device last did anything
        self.introduced_at = -INTRODUCE_EVERY  # when the reachable devices were last introduced to all others
        self.introduction_due = False  # True while an introduction is due: the last one is out of date

    @property
    def in_room(self) -> bool:
        """True while this device is in the table's room at the endpoint."""
        return self.endpoint is not None and self.endpoint.state == "in"

    @property
    def by_key(self) -> dict[str, Channel]:
        """The channels to all devices that have proved their keys, by seal key."""
        return self.registry.by_key

    def set_key(self, key: bytes) -> None:
        """Seals greetings with this key from now on: it is that of another link."""
        self.handshake.key = key

    def note_connected(self, channel: Channel) -> None:
        channel.has_left = False
        self.user.device_connected(channel)
        self.tick()
        self.user.changed()

    # Reports from the endpoint

    def room_joined(self) -> None:
        """Forgets all slots: this device has joined a room, and it may not be the same room as before."""
        self.registry.forget_slots()

    def greet(self, slot: int) -> None:
        """Sends a greeting to that slot, unless devices come and go there too often: such a device greets itself."""
        if self.endpoint is not None and self.slots.get(slot, self.now()).greetings.take(self.now()):
            self.endpoint.send(slot, self.handshake.greeting(wants_answer=True))

    def slot_left(self, slot: int) -> None:
        """Handles a device's departure from the endpoint. Its direct connection has three seconds to prove itself."""
        self.registry.by_slot.pop(slot, None)
        for channel in self.by_key.values():
            if channel.slot == slot:
                channel.slot = -1
                channel.heard_at = min(channel.heard_at, self.now() - LOST + 3_000)
                channel.heard_directly_at = min(channel.heard_directly_at, channel.heard_at)
                self.ping(channel)
        self.user.changed()

    def admit_from_slot(self, slot: int, texts: int, characters: int) -> bool:
        """Counts texts from that slot before they are read. Returns False if they must be dropped: the slot has
        exceeded its allowance, or is blocked because it went on after that."""
        now = self.now()
        self._notice_suspension(now)
        sender = self.slots.get(slot, now)
        if sender.blocked:
            self.count_refusal(Nonsense("net.muted"))
            return False
        if sender.meter.take(now, characters, texts):
            return True
        self._strike_slot(slot)
        return False

    def _strike_slot(self, slot: int) -> None:
        """Counts what exceeds the allowance of that slot. After too much of it, the slot has flooded."""
        self.count_refusal(Nonsense("net.flood"))
        if self.slots.get(slot, self.now()).strikes.add(self.now()):
            self.slot_flooded(slot)

    def slot_flooded(self, slot: int) -> None:
        """Blocks that slot for a while, and mutes the device that has proved its keys there."""
        channels = [channel for channel in self.by_key.values() if channel.slot == slot and not channel.muted]
        for channel in channels:
            self.mute(channel)
            self.user.device_muted(channel, "net.flood")
        if not channels:
            self.slots.get(slot, self.now()).block(self.now())

    def receive_from_slot(self, slot: int, text: str) -> None:
        """Reads a text from that slot, which was admitted (`admit_from_slot`). Errors in it are only counted."""
        try:
            channel = self.registry.by_slot.get(slot)
            if text[:1] == GREETING:
                if self.slots.get(slot, self.now()).greetings.take(self.now()):
                    self._receive_greeting(slot, text)
                else:
                    self._strike_slot(slot)
            elif channel is not None:
                self.receive(channel, text, ViaEndpoint(self, slot))
            else:
                self.greet(slot)
        except Nonsense as refused:
            self.count_refusal(refused)

    def _receive_greeting(self, slot: int, text: str) -> None:
        route = ViaEndpoint(self, slot)
        channel = self.handshake.receive_greeting(text, route)
        if channel is None:
            return
        self.registry.put_into_slot(slot, channel)
        if self.registry.is_proven(channel) and channel.slot == slot:
            self.note_connected(channel)
        else:
            send_challenge(channel, route, self.now())

    def count_refusal(self, refused: Nonsense | Refused) -> None:
        self.refused[refused.reason] = self.refused.get(refused.reason, 0) + 1

    def strike(self, channel: Channel, refused: Nonsense | Refused) -> None:
        """Counts a violation that only this device can have committed, and mutes it after too many."""
        self.count_refusal(refused)
        if self.registry.is_proven(channel) and not channel.muted and channel.strikes.add(self.now()):
            self.mute(channel)
            self.user.device_muted(channel, refused.reason)

    def mute(self, channel: Channel) -> None:
        """Ignores this device from now on, closes its direct connection, and blocks its slot for a while: it cannot
        come back at once with other keys."""
        channel.muted = True
        channel.disconnect()
        if channel.slot >= 0:
            self.slots.get(channel.slot, self.now()).block(self.now())

    # Messages

    def send(self, channel: Channel, message: Message) -> None:
        """Sends a message. A failure is only counted, so that a loop over all devices goes on."""
        try:
            for text in channel.encode(message):
                self._send_text(channel, text)
        except Nonsense as refused:
            self.count_refusal(refused)

    def _send_text(self, channel: Channel, text: str) -> None:
        is_direct = channel.open and not channel.stale
        if not is_direct and self._send_relayed(channel, text):
            return
        if channel.open and channel.connection is not None:  # perhaps stale, but there is no other route
            channel.connection.send(text)

    def _send_relayed(self, channel: Channel, text: str) -> bool:
        """Sends the text by the endpoint, or through a device that reaches the other one (first the device that has
        relayed from it before). Returns False if there is no such route."""
        if self.in_room and channel.slot >= 0 and self.endpoint is not None:
            self.endpoint.send(channel.slot, text)
            return True
        for seal_key in sorted(channel.relays, key=lambda relay: relay != channel.last_relay):
            other = self.by_key.get(seal_key)
            if other is not None and other.open and not other.stale:
                self.send(other, Relay(channel.seal_key, text))
                return True
        return False

    def ping(self, channel: Channel) -> None:
        """Asks for a sign of life, by every route that may still lead to that device."""
        channel.pinged_at = self.now()
        if channel.open and channel.connection is not None:
            for text in channel.encode(Ping()):
                channel.connection.send(text)
        if not channel.open or channel.stale or self.now() - channel.heard_at > QUIET:
            for text in channel.encode(Ping()):
                self._send_relayed(channel, text)

    def receive(self, channel: Channel, text: str, route: Route) -> None:
        """Reads a text for this channel. Raises `Nonsense` if it need not be from the channel's device: anybody
        can send one. Violations that must be the device's own count as strikes."""
        if channel.muted:
            return
        content = channel.decrypt(text, route.name)
        if content is None:
            return
        now = self.now()
        try:
            message = messages.read(strict_json.loads(content, LONGEST))
        except Nonsense as refused:  # whichever route carried it, only this device can have sealed it
            self.strike(channel, refused)
            return
        if isinstance(message, Ping):  # answered by the route it came by: the ping tests that route
            for answer in channel.encode(Pong(message.challenge)):
                route.send(answer)
        if self._authenticate(channel, message, route, now):
            early, channel.early = channel.early, []
            for waiting in (*early, message):
                try:
                    self._handle(channel, waiting)
                except (Nonsense, Refused) as refused:
                    self.strike(channel, refused)

    def _authenticate(self, channel: Channel, message: Message, route: Route, now: int) -> bool:
        """Returns True if the channel's device has proved its keys, perhaps by this very message. Notes the route."""
        is_new = not self.registry.is_proven(channel)
        if is_new:
            if not proves(channel, message):
                return False
            self.registry.accept(channel, introduced=isinstance(route, ViaDevice), in_room=self.in_room)
        new_route = route.attach(channel)
        if channel.muted:  # on an earlier visit
            self.mute(channel)
            return False
        self._note_heard(channel, route.name, now)
        if is_new or new_route:
            self.note_connected(channel)
        return True

    def _note_heard(self, channel: Channel, route_name: str, now: int) -> None:
        """Notes a sign of life. If only the direct connection is silent, closes it, so that a new one is made. After a
        long silence of the whole channel, forgets the failed attempts to connect."""
        if route_name == DIRECT:
            channel.heard_directly_at = now
            if channel.stale:
                channel.stale = False
                self.introduce()
        elif channel.stale:
            channel.tries = 0
            self.connection_closed(channel)
        if now - channel.heard_at > LOST and not channel.open:
            channel.disconnect()
            channel.tries, channel.dial_at = 0, now
        channel.heard_at = now

    def _handle(self, channel: Channel, message: Message) -> None:
        if not isinstance(message, UNMETERED) and not channel.request_limit.take(self.now()):
            raise Nonsense("net.flood")
        if isinstance(message, (Offer,) if self._dials(channel) else (Answer, Decline, Redial)):
            raise Nonsense("net.not_a_message")  # only one of two devices dials, and only the other answers
        match message:
            case Ping() | Pong():
                pass
            case Offer(attempt, offer):
                self.dialing.run(self.dialing.answer(channel, attempt, offer))
            case Answer(attempt, answer):
                if channel.connection is not None and attempt == channel.attempt and not channel.open:
                    self.dialing.run(self.dialing.complete(channel, channel.connection, answer))
            case Decline():
                channel.wants_direct = False
                channel.disconnect()
            case Goodbye():  # perhaps only a reload: the device's seats stay with it
                channel.has_left = True
                channel.disconnect()
                self.user.changed()
            case _:
                self._handle_forwarding(channel, message)

    def _handle_forwarding(self, channel: Channel, message: ForwardingMessage | TableMessage) -> None:
        """Handles requests to dial, introductions and relayed texts. All other messages go to the user."""
        match message:
            case Redial(attempt):
                if channel.connection is not None and attempt == channel.attempt:
                    channel.disconnect()
                    channel.tries, channel.dial_at = 0, self.now()
            case Introduction(devices):
                self._receive_introduction(channel, devices)
                self.user.changed()
            case Relay(seal_key, text):
                target = self.by_key.get(seal_key)
                reachable = target is not None and (target.open or (self.in_room and target.slot >= 0))
                if target is not None and reachable and self._may_relay(channel, target, text):
                    self.send(target, Relayed(channel.identity, text))
            case Relayed(author, text):
                self._receive_relayed(channel, author, text)
            case _:
                self.user.message(channel, message)

    def _may_relay(self, author: Channel, target: Channel, text: str) -> bool:
        """Returns True unless this author relays too much, or too much is relayed to this target: it would take this
        device's own texts and the relayed ones together for a flood."""
        now = self.now()
        return author.relay_limit.take(now) and target.relayed_meter.take(now, len(text))

    def _receive_introduction(self, by: Channel, devices: tuple[Identity, ...]) -> None:
        """Handles the list of devices that `by` reaches. It replaces the previous list. Raises `Nonsense`."""
        self.registry.replace_introductions(by, devices)
        for identity in devices:
            channel = self._channel_through(by, identity)
            if channel is not None and self.registry.is_proven(channel):
                channel.relays.add(by.seal_key)

    def _channel_through(self, by: Channel, identity: Identity) -> Channel | None:
        """Returns the channel to a device that `by` names; a new device is challenged. Returns None if that is this
        device itself, or if `by` has named too many in a short time. Raises `Nonsense`."""
        known = self.registry.known_through(by, identity)
        if known is not None:
            return known
        channel = self.registry.introduce(by, identity)
        if channel is not None:
            send_challenge(channel, ViaDevice(self, by, identity.seal_key), self.now())
        return channel

    def _receive_relayed(self, relay: Channel, author: Identity, text: str) -> None:
        channel = self._channel_through(relay, author)
        if channel is None:
            return
        try:
            self.receive(channel, text, ViaDevice(self, relay, author.seal_key))
        except Nonsense as refused:  # the relaying device could not read it, and is not to blame
            self.count_refusal(refused)

    def introduce(self) -> None:
        """Tells all devices which others can be reached through this one. A further call within a short time is
        delayed."""
        now = self.now()
        self.introduction_due = now - self.introduced_at < INTRODUCE_EVERY
        if self.introduction_due:
            return
        self.introduced_at = now
        reachable = [
            channel.identity
            for channel in self.by_key.values()
            if channel.open and not channel.stale and not channel.muted
        ]
        for channel in self.by_key.values():
            if channel.open:
                others = (identity for identity in reachable if identity.seal_key != channel.seal_key)
                self.send(channel, Introduction(tuple(others)))

    # Direct connections

    def connection_opened(self, channel: Channel) -> None:
        channel.open, channel.stale, channel.tries = True, False, 0
        channel.heard_at = channel.heard_directly_at = self.now()
        if self.endpoint is not None and channel.connection is not None:  # the endpoint is the slower route
            for text in self.endpoint.withdraw(channel.slot):
                channel.connection.send(text)
        self.introduce()
        self.user.changed()

    def connection_closed(self, channel: Channel) -> None:
        was_open = channel.open
        channel.disconnect()
        channel.dial_at = self.now() + DIAL_PAUSES[min(channel.tries, len(DIAL_PAUSES) - 1)]
        if was_open and not self._dials(channel) and self._can_relay(channel):
            self.send(channel, Redial(channel.attempt))  # only the other side may dial
        self.introduce()
        self.user.changed()

    def receive_directly(self, channel: Channel, text: str | None, characters: int) -> None:
        """Counts what has come by the direct connection of this channel, and reads it if it is within the allowance.
        Only the channel's device can have sent it. `text` is None for what no device sends: a binary message, or one
        that is too long."""
        now = self.now()
        self._notice_suspension(now)
        try:
            if not channel.meter.take(now, characters):
                raise Nonsense("net.flood")
            if text is None:
                raise Nonsense("net.not_sealed")
            if text[:1] != GREETING:
                self.receive(channel, text, Direct(channel))
            else:
                channel.meter.charge(USELESS)
        except Nonsense as refused:
            if refused.reason == "net.twice":  # perhaps it came by another route before
                channel.meter.charge(USELESS)
                self.count_refusal(refused)
            else:
                self.strike(channel, refused)

    # Time

    def tick(self) -> None:
        now = self.now()
        self._notice_suspension(now)
        self._repeat_challenges(now)
        self.by_code.tick(now)
        for slot in self.slots.reopen(now):
            self.greet(slot)  # the greeting of a device that is there now may have been dropped
        if self.introduction_due:
            self.introduce()
        for channel in list(self.by_key.values()):
            self._watch(channel, now)
            if channel.connection is None and self._may_dial(channel, now):
                channel.dial_at = now + DIAL_TIMEOUT
                self.dialing.run(self.dialing.dial(channel))
            elif channel.connection is not None and not channel.open and now - channel.tried_at > DIAL_TIMEOUT:
                self.connection_closed(channel)

    def _repeat_challenges(self, now: int) -> None:
        for slot, channel in self.registry.unproven_in_slots(now):
            send_challenge(channel, ViaEndpoint(self, slot), now)
        for by, channel in self.registry.unproven_through_others(now):
            send_challenge(channel, ViaDevice(self, by, channel.seal_key), now)

    def _notice_suspension(self, now: int) -> None:
        """Detects that this page was suspended. Other devices may have given up its connections, unnoticed here, so all
        are pinged. Messages that piled up meanwhile do not exceed the rate limits."""
        slept, self.active_at = now - self.active_at, now
        if slept <= LOST:
            return
        self.slots.allow_backlog()
        for channel in self.by_key.values():
            channel.meter.allow_backlog()
            for limit in (channel.request_limit, channel.relay_limit):
                limit.refill(BACKLOG)
            if channel.open:
                channel.tries, channel.stale = 0, True
                self.ping(channel)

    def _watch(self, channel: Channel, now: int) -> None:
        """Pings a silent device, by whatever route it is reached.

        A silent connection is kept until its device is heard by another route: it may be the only one.
        """
        silent = now - channel.heard_at
        if channel.open and not channel.stale and now - channel.heard_directly_at > LOST:
            channel.stale, channel.tries = True, 0
            self.introduce()
            self.user.changed()
        pause = PING_AFTER // 2 if silent < LOST else PING_AWAY_EVERY
        quiet = silent > PING_AFTER or (channel.open and now - channel.heard_directly_at > PING_AFTER)
        if (
            quiet
            and now - channel.pinged_at > pause
            and not (channel.has_left or channel.muted)
            and (channel.open or self._can_relay(channel))
        ):
            self.ping(channel)

    def _can_relay(self, channel: Channel) -> bool:
        """Returns True if the device can be reached by the endpoint or through another device."""
        return (self.in_room and channel.slot >= 0) or any(
            seal_key in self.by_key and self.by_key[seal_key].open and not self.by_key[seal_key].stale
            for seal_key in channel.relays
        )

    def _may_dial(self, channel: Channel, now: int) -> bool:
        wanted = (
            self.make_connection is not None and channel.wants_direct and not channel.has_left and not channel.muted
        )
        return wanted and self._can_relay(channel) and self._dials(channel) and now >= channel.dial_at

    def _dials(self, channel: Channel) -> bool:
        """Returns True if of the two devices this one dials."""
        return self.own_keys.seal_key < channel.seal_key

    def hurry(self) -> None:
        """Pings all devices and dials at once where there is no connection: the page is visible again."""
        for channel in self.by_key.values():
            channel.dial_at, channel.tries = self.now(), 0
            self.ping(channel)

    def leave(self) -> None:
        for channel in self.by_key.values():
            self.send(channel, Goodbye())
            channel.disconnect()
        self.by_code.close()
