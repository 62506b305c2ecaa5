"""The way to one other device: sealed messages, whatever carries them.

A message is sealed for that device alone, with both sides' keys, names of this visit and a number: whoever carries it
can neither read it nor say it twice nor put it elsewhere. Long ones travel in pieces.

A line is for one visit. Until the other side has answered a question that was put to it alone, it is nobody's.
"""

from __future__ import annotations

import json
import re
from typing import Any, Protocol

from engine import strict_json
from engine.core import Refused
from peer.crypto.keys import Keys
from peer.crypto.sealed import open_box, seal
from peer.wire.limits import Meter, Strikes

LONGEST = 80_000  # characters of a message
PIECE = 9_000  # of its sealed text in one piece: browsers and the endpoint take 16 KiB
PIECES = 14
HALVES = 4  # messages that are not whole yet, by each way
EARLY = 8  # messages that wait until their author is known
WINDOW = 2_000  # messages that may come out of order, by another way
QUIET, LOST = 5_000, 12_000  # milliseconds without a word
SEALED = re.compile(r"(\d{1,9})\.([A-Za-z0-9_-]+)")
PART = re.compile(r"\+(\d{1,9})\.(\d{1,2})\.(\d{1,2})\.(.*)")


class DirectConnection(Protocol):
    """A direct connection being made, or made. Descriptions are packed (`sdp.py`)."""

    async def offer(self) -> bytes: ...

    async def accept(self, offer: bytes) -> bytes: ...

    async def complete(self, answer: bytes) -> None: ...

    def send(self, text: str) -> None: ...

    def close(self) -> None: ...


class Route(Protocol):
    """How a text came, and how an answer goes back."""

    name: str  # DIRECT, a seat at the endpoint, or the lock of who passed it on

    def say(self, text: str) -> None: ...

    def leads_to(self, line: Channel) -> bool:
        """That device has spoken by this way; whether it is a new one."""


DIRECT = ""


class Channel:
    def __init__(self, me: Keys, mine: str, signer: str, lock: str, nonce: str, now: int, *, first: int = 0) -> None:
        """`first`: messages are counted from there."""
        self.me, self.mine, self.verify_key, self.seal_key, self.nonce = me, mine, signer, lock, nonce
        self.asks = ""  # what only a living device with that lock can give back
        self.early: list[list[Any]] = []
        self.seat = -1  # at the endpoint
        self.by_code = False
        self.through: set[str] = set()  # locks of devices that reach this one
        self.way = ""  # one of them, by which it has spoken
        self.peer: DirectConnection | None = None
        self.open = False
        self.stale = False  # it is open, and nothing comes by it
        self.attempt = 0
        self.tried_at = self.dial_at = now
        self.tries = 0
        self.direct = True  # whether the other side wants a direct connection
        self.heard = self.near = self.pinged = now  # near: heard directly
        self.sent = first
        self.top = 0
        self.seen: set[int] = set()
        self.floor = 0  # what was numbered so far is known
        self.parts: dict[str, dict[int, dict[int, str]]] = {}
        self.gone = False
        self.muted = False
        self.strikes = Strikes(now)
        self.all = Meter(now, 400, 2_000)  # whatever it says
        self.wishes = Meter(now, 5, 60)  # what others have to see, keep, or answer
        self.guests = Meter(now, 0.2, 16)  # whom it introduces
        self.carried = Meter(now, 60, 300)  # what it gives to others through here

    @property
    def who(self) -> tuple[str, str, str]:
        return self.verify_key, self.seal_key, self.nonce

    def _place(self, number: int, *, to_me: bool) -> str:
        ends = (self.verify_key, self.seal_key, self.nonce, self.me.verify_key, self.me.seal_key, self.mine)
        return "/".join(("line", *(ends if to_me else ends[3:] + ends[:3]), str(number)))

    # Out

    def sealed(self, message: list[Any]) -> list[str]:
        """The texts that carry this message."""
        self.sent += 1
        text = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
        box = seal(self.me.shared(self.seal_key), self._place(self.sent, to_me=False), text.encode())
        whole = f"{self.sent}.{box}"
        if len(whole) <= PIECE:
            return [whole]
        pieces = [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]
        if len(pieces) > PIECES:
            raise Refused("net.too_long", most=LONGEST)
        return [f"+{self.sent}.{place}.{len(pieces)}.{piece}" for place, piece in enumerate(pieces)]

    # In

    def opened(self, text: str, way: str = DIRECT) -> list[Any] | None:
        """The message in this text; None for a piece of one that is not whole yet. Raises `Refused`.

        Pieces are laid together by the way they came: who carries some cannot spoil what others bring.
        """
        if text[:1] == "+":
            whole = self._whole(text, self.parts.setdefault(way, {}))
            if whole is None:
                return None
            text = whole
        found = SEALED.fullmatch(text)
        if found is None:
            raise Refused("net.not_sealed")
        number = int(found[1])
        if number in self.seen or number <= max(self.floor, self.top - WINDOW):
            raise Refused("net.twice")
        content = open_box(self.me.shared(self.seal_key), self._place(number, to_me=True), found[2])
        self._count(number)
        message = strict_json.loads(content.decode("utf-8", "replace"), LONGEST)
        if not isinstance(message, list) or not message or not isinstance(message[0], str):
            raise Refused("net.not_a_message")
        return message

    def _count(self, number: int) -> None:
        self.seen.add(number)
        self.top = max(self.top, number)
        if len(self.seen) > 2 * WINDOW:
            self.seen = {one for one in self.seen if one > self.top - WINDOW}

    def _whole(self, text: str, halves: dict[int, dict[int, str]]) -> str | None:
        found = PART.fullmatch(text)
        if found is None or len(text) > PIECE + 30:
            raise Refused("net.not_sealed")
        number, place, count = int(found[1]), int(found[2]), int(found[3])
        if not place < count <= PIECES:
            raise Refused("net.not_sealed")
        parts = halves.setdefault(number, {})
        parts[place] = found[4]
        if len(parts) == count:
            del halves[number]
            return "".join(parts[one] for one in sorted(parts))
        while len(halves) > HALVES:  # the rest of the oldest will not come any more
            del halves[min(halves)]
        return None

    # How it is

    def drop(self) -> None:
        """No direct connection any more."""
        if self.peer is not None:
            self.peer.close()
        self.peer, self.open, self.stale = None, False, False

    def state(self, now: int, *, relay: bool) -> str:
        """ "direct", "relayed" (by the endpoint), "through" (others), "quiet", or "gone".

        A way there is none if nobody answers on it: a browser that sleeps keeps its place at the endpoint.
        """
        relayed, silent = relay and self.seat >= 0, now - self.heard
        if self.gone or silent >= LOST or not (self.open or relayed or self.through):
            return "gone"
        if silent >= QUIET:
            return "quiet"
        return "direct" if self.open and not self.stale else "relayed" if relayed else "through"
