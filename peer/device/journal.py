"""The journal of a device: its `Store` records in the order they were written, and the snapshot they lead to.

A driver may store the records one by one and replay them, or store only the result.
"""

from __future__ import annotations

from typing import Any

from engine.core import Nonsense
from peer.device.device import Snapshot
from peer.order.raft import NOBODY
from peer.wire import envelope
from peer.wire.bodies import MAX_CHARS, MAX_DEVICES
from peer.wire.envelope import Entry, Envelope
from peer.wire.shapes import base64url, integer, list_of, one_of, printable_ascii, tuple_of

GAVE_UP_RECORD = '["promise"]'  # it was named when giving up was called a promise
_SHAPES = {
    "term": tuple_of(one_of("term"), integer(), integer(NOBODY, MAX_DEVICES - 1)),
    "log": tuple_of(one_of("log"), integer(1), list_of(envelope.read_entry, 10_000), integer()),
    "here": tuple_of(one_of("here")),  # a window took over the table: see `peer/table/one_window.py`
    "promise": tuple_of(one_of("promise")),  # it has given up going on alone: see `peer/device/pair.py`
    "out": tuple_of(one_of("out"), printable_ascii(MAX_CHARS), base64url(86, 20)),
}


class Journal:
    """The records of a device, replayed. They are checked, because a store can be damaged or edited by hand: `add`
    raises `Nonsense` for a record that a device does not write."""

    def __init__(self) -> None:
        self.term, self.voted_for, self.commit = 0, NOBODY, 0
        self.entries: list[Entry] = []
        self.outbox: list[Envelope] = []
        self.gave_up_alone = False

    def add(self, record: Any) -> None:
        kind = record[0] if isinstance(record, list) and record else None
        if not isinstance(kind, str) or kind not in _SHAPES:
            raise Nonsense("net.record")
        match _SHAPES[kind](record):
            case ("term", term, voted):
                self.term, self.voted_for = term, voted
            case ("log", start, entries, commit):
                if start > len(self.entries) + 1:
                    raise Nonsense("net.record")
                self.entries[start - 1 :] = entries
                self.commit = max(self.commit, commit)
            case ("promise",):
                self.gave_up_alone = True
            case ("out", text, signature):
                self.outbox.append(envelope.read(text, signature))

    def snapshot(self) -> Snapshot:
        """Returns what a device starts from after a reload. Its outbox has no envelopes that are committed already."""
        committed = {(entry.envelope.author, entry.envelope.counter) for entry in self.entries[: self.commit]}
        outbox = tuple(said for said in self.outbox if (said.author, said.counter) not in committed)
        return Snapshot(self.term, self.voted_for, self.commit, tuple(self.entries), outbox, self.gave_up_alone)
