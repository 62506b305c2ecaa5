"""The connections of a table: its channels, and the endpoint that introduces devices to each other."""

from __future__ import annotations

from typing import Protocol

from peer.channels.channel import Channel
from peer.channels.channels import Channels, ChannelUser
from peer.channels.endpoint import Endpoint, EndpointUser
from peer.channels.invite import Invite
from peer.crypto.keys import Keys, to_base64
from peer.table.ports import Environment
from peer.wire.messages import Message


class ConnectionsUser(ChannelUser, EndpointUser, Protocol):
    """The owner of the connections: it hears of devices from the channels, and of slots from the endpoint."""


class Connections:
    """Sends to the other devices, and knows how each of them is reached."""

    def __init__(self, env: Environment, keys: Keys, invite: Invite, user: ConnectionsUser) -> None:
        self.env, self.keys, self.invite, self.user = env, keys, invite, user
        self.opened_at = env.now()
        nonce = to_base64(env.random(16))
        self.channels = Channels(keys, invite.greeting_key, nonce, env.build, user, env.now, env.make)

    def set_invite(self, invite: Invite) -> None:
        """Connects to the table of that invitation from now on: the endpoint has given it its code."""
        self.invite = invite
        self.channels.set_key(invite.greeting_key)

    # The endpoint

    @property
    def endpoint(self) -> Endpoint | None:
        """The endpoint; None if there is none, or the table goes on without it."""
        return self.channels.endpoint

    @property
    def shown_endpoint(self) -> str:
        """The state of the endpoint as the page shows it."""
        return "none" if self.endpoint is None else self.endpoint.shown_state

    @property
    def awaits_code(self) -> bool:
        """Returns True while the endpoint has yet to give a new table its code. The present code may change until then:
        a link with it would lead nowhere, and nothing is to be stored under it."""
        return self.endpoint is not None and not self.endpoint.code

    @property
    def replaced(self) -> bool:
        """Returns True if the endpoint reports that another window has taken this device's place there."""
        return self.endpoint is not None and self.endpoint.state == "replaced"

    def dial(self, code: str, token: str | None) -> None:
        """Connects to the endpoint, if there is one. Without a code the endpoint draws one for a new room."""
        if self.env.dial is not None:
            self.channels.endpoint = Endpoint(self.env.dial, self.user, code, token)
            self.channels.endpoint.open(self.env.now())

    def keep_code(self) -> None:
        """Keeps the present code of a new table: goes on without an endpoint that has given it none so far."""
        if self.endpoint is not None and self.awaits_code:
            self.endpoint.close()
            self.channels.endpoint = None

    def pump(self) -> int:
        """Sends what waits for the endpoint. Returns the milliseconds until this must be called again, at most."""
        now = self.env.now()
        return self.endpoint.pump(now) - now if self.endpoint is not None else 1000

    # Time

    def tick_endpoint(self) -> int:
        """Ticks the endpoint and sends what waits. Returns the milliseconds until the next call, at most."""
        if self.endpoint is not None:
            self.endpoint.tick(self.env.now())
        return self.pump()

    def hurry(self) -> None:
        """Checks all connections at once: the page is visible again, or the network is back."""
        if self.endpoint is not None:
            self.endpoint.hurry(self.env.now())
        self.channels.hurry()
        self.channels.tick()

    def leave(self) -> None:
        """Says good-bye to all devices at once, because the page is being closed."""
        self.channels.leave()
        self.pump()
        if self.endpoint is not None:
            self.endpoint.close()

    def cut(self) -> None:
        """Closes everything without a good-bye: another window has taken over, and this one must send nothing more."""
        for channel in self.channels.by_key.values():
            channel.disconnect()
        if self.endpoint is not None:
            self.endpoint.cut()

    # Messages

    def send(self, channel: Channel, message: Message) -> None:
        self.channels.send(channel, message)
        self.pump()

    def broadcast(self, message: Message) -> None:
        for channel in self.channels.by_key.values():
            self.send(channel, message)

    # The other devices

    def is_opener(self, channel: Channel) -> bool:
        """Returns True if the channel leads to the device that opened the table."""
        return self.invite.opened_by(channel.verify_key, channel.seal_key)

    def opener(self) -> Channel | None:
        """Returns the channel to the device that opened the table; None if it never was connected, or is this one."""
        return next(filter(self.is_opener, self.channels.by_key.values()), None)

    def verify_keys(self) -> dict[str, str]:
        """Returns the verify keys of this device and of all that were connected, by seal key."""
        others = {channel.seal_key: channel.verify_key for channel in self.channels.by_key.values()}
        return others | {self.keys.seal_key: self.keys.verify_key}

    def state(self, seal_key: str) -> str:
        """Returns how that device is reached, as in `Guest`."""
        channel = self.channels.by_key.get(seal_key)
        return channel.state(self.env.now(), in_room=self.channels.in_room) if channel is not None else "gone"

    def is_gone(self, seal_key: str) -> bool:
        """Returns True if that is another device, and it cannot be reached."""
        return seal_key != self.keys.seal_key and self.state(seal_key) == "gone"

    def reachable(self) -> list[Channel]:
        """Returns the channels to all devices that can be reached now."""
        return [channel for channel in self.channels.by_key.values() if self.state(channel.seal_key) != "gone"]

    def silent_for(self, seal_key: str) -> int:
        """Returns the milliseconds since that device was last heard; since this page was opened, if it never was."""
        channel = self.channels.by_key.get(seal_key)
        return self.env.now() - (channel.heard_at if channel is not None else self.opened_at)

    def minutes_away(self, seal_key: str) -> int:
        """Returns the whole minutes for which that device has not been heard."""
        return self.silent_for(seal_key) // 60_000 if seal_key != self.keys.seal_key else 0
