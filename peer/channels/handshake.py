"""The handshake: how a device proves its keys before anything it sends counts.

A greeting is sealed with the link's key, so anybody who has the link can write one in any device's name. It therefore
only tells which device to challenge. A device that returns the challenge, which was sealed for it alone, has proved its
keys and that it is present now. Until then nothing that is known changes. The channels that wait for a proof are in the
registry (`registry.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable

from engine import strict_json
from peer.channels.channel import EARLY, Channel, Route
from peer.channels.registry import Registry
from peer.crypto.sealed import open_box, seal
from peer.wire.frames import PROTOCOL
from peer.wire.messages import Greeting, Message, Ping, Pong, read_greeting, write_greeting

GREETING = "h"  # the first character of a greeting; texts of a channel begin with another one


class Handshake:
    """Writes and reads greetings. `key` is the link's; `other_version` is called with the build of a device that has
    another version of the page."""

    def __init__(self, registry: Registry, key: bytes, build: str, other_version: Callable[[str], None]) -> None:
        self.registry, self.key, self.build, self.other_version = registry, key, build, other_version

    def greeting(self, *, wants_answer: bool) -> str:
        greeting = Greeting(PROTOCOL, self.build, self.registry.own_identity, int(wants_answer))
        return GREETING + seal(self.key, "hey", json.dumps(write_greeting(greeting)).encode())

    def receive_greeting(self, text: str, route: Route) -> Channel | None:
        """Reads a greeting, answers it if that is asked for, and returns the channel to the device that it names.

        Returns None if that is this device itself, or one with another version of the page. Raises `Nonsense`.
        """
        content = open_box(self.key, "hey", text[1:])
        greeting = read_greeting(strict_json.loads(content.decode("utf-8", "replace"), 1000))
        if greeting.author.seal_key == self.registry.own_identity.seal_key:
            return None
        same_version = (greeting.protocol, greeting.build) == (PROTOCOL, self.build)
        channel = self.registry.channel_to(greeting.author) if same_version else None
        if greeting.answer:
            route.send(self.greeting(wants_answer=False))  # with another version, too: both sides show it
        if not same_version:
            self.other_version(greeting.build)
        return channel


def send_challenge(channel: Channel, route: Route, now: int) -> None:
    channel.pinged_at = now
    for text in channel.encode(Ping(channel.challenge)):
        route.send(text)


def proves(channel: Channel, message: Message) -> bool:
    """Returns True if the message returns the channel's challenge. At most `EARLY` messages before it are kept."""
    match message:
        case Pong(challenge) if challenge == channel.challenge:
            return True
        case Ping() | Pong():
            pass
        case _ if len(channel.early) < EARLY:
            channel.early.append(message)
    return False
