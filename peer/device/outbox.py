"""The outbox: a device's own envelopes that are not committed yet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from peer.game.state import State
from peer.order.log import Log
from peer.wire import envelope
from peer.wire.bodies import Body
from peer.wire.envelope import Envelope


class Unsigned(NamedTuple):
    """An own envelope that waits for its signature."""

    counter: int
    body: Body
    text: str


class Outbox:
    """The own envelopes that wait for a signature, and the signed ones, which are offered to the leader."""

    def __init__(self, me: int, state: State, log: Log, signed: Iterable[Envelope]) -> None:
        self.me, self.state, self.log = me, state, log
        self.unsigned: list[Unsigned] = []
        self.signed: list[Envelope] = list(signed)

    @property
    def next_counter(self) -> int:
        pending = [said.counter for said in self.signed] + [one.counter for one in self.unsigned]
        return max([self.log.counters.get(self.me, 0), self.state.counters.get(self.me, 0), *pending]) + 1

    def next_box_place(self) -> str:
        """Returns the name that binds a sealed box to the envelope that is written next."""
        return self.state.box_place(self.me, self.next_counter)

    @property
    def is_empty(self) -> bool:
        return not self.signed and not self.unsigned

    @property
    def all_in_log(self) -> bool:
        """True if all own envelopes are in the log of this device, committed or not."""
        return not self.unsigned and not self.not_in_log()

    def not_in_log(self) -> list[Body]:
        """Returns the bodies of own envelopes that are not in the log of this device."""
        known = self.log.counters.get(self.me, 0)
        return [one.body for one in self.signed if one.counter > known] + [one.body for one in self.unsigned]

    def has_pending(self, kind: type[Body], *fields: object) -> bool:
        """Returns True if an own envelope of this kind, whose body begins with these fields, is not committed yet."""
        if self.is_empty:  # most often, and this is asked many times for each frame
            return False
        pending = [one.body for one in self.signed] + [one.body for one in self.unsigned]
        return any(isinstance(body, kind) and body[: len(fields)] == fields for body in pending)

    def find(self, counter: int) -> Envelope | None:
        """Returns the signed envelope with that counter, or None."""
        return next((one for one in self.signed if one.counter == counter), None)

    def sign(self, text: str, signature: str) -> None:
        """Takes the signature of the oldest text that waits for one. Raises `ValueError` if it is for another text."""
        if not self.unsigned or self.unsigned[0].text != text:
            raise ValueError("signatures come in the order of the texts")
        self.unsigned.pop(0)
        self.signed.append(envelope.read(text, signature))

    def drop_committed(self) -> None:
        self.signed = [said for said in self.signed if said.counter > self.state.counters.get(self.me, 0)]
