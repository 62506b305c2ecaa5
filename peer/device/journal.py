"""The journal of a device: its `Store` records in the order they were written, and the snapshot they lead to.

A driver may store the records one by one and replay them, or store only the result.
"""

from __future__ import annotations

from typing import Any

from engine.core import Refused
from peer.device.device import Snapshot
from peer.order.raft import NOBODY
from peer.wire import envelope
from peer.wire.envelope import Entry, Envelope
from peer.wire.shapes import code, fixed, many, one_of, plain, whole

PROMISE = '["promise"]'
_SHAPES = {
    "term": fixed(one_of("term"), whole(), whole(NOBODY, envelope.DEVICES - 1)),
    "log": fixed(one_of("log"), whole(1), many(envelope.entry, 10_000), whole()),
    "here": fixed(one_of("here")),  # a window took over the table: see `peer/table/one_window.py`
    "promise": fixed(one_of("promise")),  # it has given up going on alone: see `peer/device/pair.py`
    "out": fixed(one_of("out"), plain(envelope.LONGEST), code(86, 20)),
}


class Journal:
    """The records of a device, replayed. They are checked, because a store can be damaged or edited by hand."""

    def __init__(self) -> None:
        self.term, self.voted, self.commit = 0, NOBODY, 0
        self.entries: list[Entry] = []
        self.outbox: list[Envelope] = []
        self.promised = False

    def add(self, record: Any) -> None:
        kind = record[0] if isinstance(record, list) and record else None
        if not isinstance(kind, str) or kind not in _SHAPES:
            raise Refused("net.record")
        match _SHAPES[kind](record):
            case ("term", term, voted):
                self.term, self.voted = term, voted
            case ("log", start, entries, commit):
                if start > len(self.entries) + 1:
                    raise Refused("net.record")
                self.entries[start - 1 :] = entries
                self.commit = max(self.commit, commit)
            case ("promise",):
                self.promised = True
            case ("out", text, signature):
                self.outbox.append(envelope.read(text, signature))

    def snapshot(self) -> Snapshot:
        """Returns what a device starts from after a reload. Its outbox has no envelopes that are committed already."""
        done = {(entry.envelope.author, entry.envelope.counter) for entry in self.entries[: self.commit]}
        outbox = tuple(said for said in self.outbox if (said.author, said.counter) not in done)
        return Snapshot(self.term, self.voted, self.commit, tuple(self.entries), outbox, self.promised)
