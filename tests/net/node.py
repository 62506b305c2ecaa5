"""A device of the simulation, and what lies around it: its disk, and what it still has to carry out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.net.fake import FakeKeys
from tests.net.promises import Broken
from ui.net import envelope
from ui.net.border import Border
from ui.net.device import Device, Kept
from ui.net.envelope import Entry, Envelope
from ui.net.output import Output


@dataclass
class Disk:
    """What is safe. A record is written whole or not at all."""

    term: int = 0
    voted: int = -1
    commit: int = 0
    entries: list[Entry] = field(default_factory=list)
    outbox: list[Envelope] = field(default_factory=list)

    def write(self, record: list[Any]) -> None:
        match record:
            case ["term", term, voted]:
                self.term, self.voted = term, voted
            case ["log", start, entries, commit]:
                del self.entries[start - 1 :]
                self.entries += [envelope.entry(entry) for entry in entries]
                self.commit = max(self.commit, commit)
            case ["out", text, signature]:
                self.outbox.append(envelope.read(text, signature))
            case _:
                raise Broken(record)

    def kept(self, me: int) -> Kept:
        done = max(
            (one.envelope.counter for one in self.entries[: self.commit] if one.envelope.author == me), default=0
        )
        outbox = tuple(said for said in self.outbox if said.counter > done)
        return Kept(self.term, self.voted, self.commit, tuple(self.entries), outbox)


class Node:
    """A device and what lies around it: its disk, and what it still has to carry out."""

    def __init__(self, number: int, keys: FakeKeys) -> None:
        self.number, self.keys = number, keys
        self.disk = Disk()
        self.device: Device | None = None
        self.border: Border | None = None
        self.queue: list[Output] = []
        self.writing = False
        self.life = 0  # how often it has crashed: what was meant for an earlier life is lost
        self.alarm = -1
        self.checked = 0
        self.gone = False
