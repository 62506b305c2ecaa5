"""The channel to one other device: sealed messages, whatever route carries them.

A message is sealed for that device alone, and bound to both sides' keys, the nonces of both visits and a number. So a
relay can neither read it, nor replay it, nor pass it off as another message. Long messages travel in pieces.

A channel belongs to one visit, that is one loading of the page. It is unproven until the other device has returned a
challenge that was sealed for it alone.
"""

from __future__ import annotations

import re
from typing import Protocol

from engine import strict_json
from engine.core import Nonsense
from peer.crypto.keys import Keys
from peer.crypto.sealed import open_box, seal
from peer.wire import messages
from peer.wire.limits import DEVICE, RELAYED, Meter, RateLimit, Strikes
from peer.wire.messages import MAX_TEXT, Identity, Message

LONGEST = 80_000  # characters of a message
PIECE = MAX_TEXT - 30  # of its sealed text in one piece: browsers and the endpoint take 16 KiB
PIECES = 14
INCOMPLETE = 4  # incomplete messages that are kept, for each route
EARLY = 8  # messages that wait until their author is proven
WINDOW = 2_000  # how far behind the newest number a message may still arrive, by another route
QUIET, LOST = 5_000, 12_000  # milliseconds without a message
SEALED = re.compile(r"(\d{1,9})\.([A-Za-z0-9_-]+)")
PART = re.compile(r"\+(\d{1,9})\.(\d{1,2})\.(\d{1,2})\.(.*)")


class DirectConnection(Protocol):
    """A direct connection that is open or being made. Descriptions are packed (`sdp.py`).

    `offer` raises `Refused` if this browser makes no connections. All three raise `Nonsense` for a useless description.
    """

    async def offer(self) -> bytes: ...

    async def accept(self, offer: bytes) -> bytes: ...

    async def complete(self, answer: bytes) -> None: ...

    def send(self, text: str) -> None: ...

    def close(self) -> None: ...


class Route(Protocol):
    """The route by which a text came, and by which an answer can go back."""

    name: str  # DIRECT, "@" and a slot at the endpoint, or the seal key of the device that relayed it

    def send(self, text: str) -> None: ...

    def attach(self, channel: Channel) -> bool:
        """Notes that the channel's device was heard by this route. Returns True if the route is new for it."""


DIRECT = ""


class Channel:
    def __init__(
        self, own_keys: Keys, own_nonce: str, verify_key: str, seal_key: str, nonce: str, now: int, *, first: int = 0
    ) -> None:
        """`first` is the number after which own messages are numbered."""
        self.own_keys, self.own_nonce, self.verify_key, self.seal_key, self.nonce = (
            own_keys,
            own_nonce,
            verify_key,
            seal_key,
            nonce,
        )
        self.challenge = ""  # the challenge: only a device that is present and has that seal key can return it
        self.early: list[Message] = []
        self.slot = -1  # its slot at the endpoint; -1: none
        self.by_code = False
        self.relays: set[str] = set()  # seal keys of the devices that reach this one
        self.last_relay = ""  # the one of them that last relayed a text from it
        self.connection: DirectConnection | None = None
        self.open = False
        self.stale = False  # the connection is open, but nothing comes by it
        self.attempt = 0
        self.tried_at = self.dial_at = now
        self.tries = 0
        self.wants_direct = True  # False: the other side makes no direct connections
        self.heard_at = self.heard_directly_at = self.pinged_at = now  # directly: by the direct connection
        self.last_sent = first
        self.newest = 0
        self.seen: set[int] = set()
        self.replay_floor = 0  # messages with numbers up to this one were received before
        self.parts: dict[str, dict[int, dict[int, str]]] = {}
        self.has_left = False  # it has said good-bye
        self.muted = False
        self.strikes = Strikes(now)
        self.meter = Meter(now, DEVICE)  # everything from its direct connection
        self.relayed_meter = Meter(now, RELAYED)  # texts of others that this device relays to it
        self.request_limit = RateLimit(now, 5, 60)  # messages that devices have to show, store or answer
        self.introduction_limit = RateLimit(now, 0.2, 16)  # new devices that it introduces
        self.relay_limit = RateLimit(now, 60, 300)  # texts that it sends to others through this device

    @property
    def identity(self) -> Identity:
        return Identity(self.verify_key, self.seal_key, self.nonce)

    def _context(self, number: int, *, to_me: bool) -> str:
        ends = (
            self.verify_key,
            self.seal_key,
            self.nonce,
            self.own_keys.verify_key,
            self.own_keys.seal_key,
            self.own_nonce,
        )
        return "/".join(("line", *(ends if to_me else ends[3:] + ends[:3]), str(number)))

    # Sending

    def encode(self, message: Message) -> list[str]:
        """Seals a message and returns the texts that carry it. Raises `Nonsense` if it is too long."""
        self.last_sent += 1
        text = strict_json.dumps(messages.write(message))
        box = seal(self.own_keys.shared(self.seal_key), self._context(self.last_sent, to_me=False), text.encode())
        sealed_text = f"{self.last_sent}.{box}"
        if len(sealed_text) <= PIECE:
            return [sealed_text]
        pieces = [sealed_text[at : at + PIECE] for at in range(0, len(sealed_text), PIECE)]
        if len(pieces) > PIECES:
            raise Nonsense("net.too_long")
        return [f"+{self.last_sent}.{place}.{len(pieces)}.{piece}" for place, piece in enumerate(pieces)]

    # Receiving

    def decrypt(self, text: str, route_name: str = DIRECT) -> str | None:
        """Returns the content of this text, a message as JSON; None for a piece of a message that is still incomplete.
        Raises `Nonsense` if the text was not sealed for this channel, or was received before, or if pieces of too many
        messages wait for others.

        Pieces are put together separately for each route: a relay that sends false ones cannot spoil those that come
        by other routes.
        """
        if text[:1] == "+":
            complete = self._assemble(text, self.parts.setdefault(route_name, {}))
            if complete is None:
                return None
            text = complete
        matched = SEALED.fullmatch(text)
        if matched is None:
            raise Nonsense("net.not_sealed")
        number = int(matched[1])
        if number in self.seen or number <= max(self.replay_floor, self.newest - WINDOW):
            raise Nonsense("net.twice")
        content = open_box(self.own_keys.shared(self.seal_key), self._context(number, to_me=True), matched[2])
        self._mark_seen(number)
        return content.decode("utf-8", "replace")

    def _mark_seen(self, number: int) -> None:
        self.seen.add(number)
        self.newest = max(self.newest, number)
        if len(self.seen) > 2 * WINDOW:
            self.seen = {one for one in self.seen if one > self.newest - WINDOW}

    def _assemble(self, text: str, incomplete: dict[int, dict[int, str]]) -> str | None:
        matched = PART.fullmatch(text)
        if matched is None or len(text) > MAX_TEXT:
            raise Nonsense("net.not_sealed")
        number, place, count = int(matched[1]), int(matched[2]), int(matched[3])
        if not place < count <= PIECES:
            raise Nonsense("net.not_sealed")
        parts = incomplete.setdefault(number, {})
        parts[place] = matched[4]
        if len(parts) == count:
            del incomplete[number]
            return "".join(parts[one] for one in sorted(parts))
        if len(incomplete) > INCOMPLETE:  # the missing pieces of the oldest will not come any more
            del incomplete[min(incomplete)]
            raise Nonsense("net.pieces")  # a direct connection loses pieces only when it breaks
        return None

    # State

    def disconnect(self) -> None:
        """Closes the direct connection, if there is one."""
        if self.connection is not None:
            self.connection.close()
        self.connection, self.open, self.stale = None, False, False

    def state(self, now: int, *, in_room: bool) -> str:
        """Returns "direct", "relayed" (by the endpoint), "through" (another device), "quiet", or "gone".

        A route counts only while the device answers: a suspended browser keeps its slot at the endpoint. `in_room` says
        whether this device is in the endpoint's room.
        """
        relayed, silent = in_room and self.slot >= 0, now - self.heard_at
        if self.has_left or self.muted or silent >= LOST or not (self.open or relayed or self.relays):
            return "gone"
        if silent >= QUIET:
            return "quiet"
        return "direct" if self.open and not self.stale else "relayed" if relayed else "through"
