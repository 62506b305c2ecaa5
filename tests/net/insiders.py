"""A member of the table that says, truly signed, what no honest device says: evil bodies, and evil things in boxes."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from random import Random
from typing import Any

from engine.core import Refused
from tests.net.fake import FakeKeys
from tests.net.fuzz import NASTY, heard, twist
from ui.net import envelope
from ui.net.box import padded, seal
from ui.net.device import Device, Kept
from ui.net.envelope import ROLE, Entry, Envelope
from ui.net.keys import derive
from ui.net.output import Tell
from ui.net.play import write_row

BY_ROLE = ("deal", "hand")


class Insiders:
    """All devices of a game that was played, and what they could have said instead."""

    def __init__(self, seed: int, game: str) -> None:
        self.rnd = Random(f"insiders/{seed}/{game}")
        self.world, _ = heard(seed, game)
        device = self.world.nodes[0].device
        assert device is not None
        self.session = device.state.play.session
        self.entries = device.log.entries
        deck = device.state.deck
        self.role = FakeKeys(derive(deck.opened, "role"), self.world.ring) if deck is not None else None

    def member(self) -> Device:
        """Somebody who knows a part of the log."""
        known = self.rnd.randrange(len(self.entries))
        keys, setup = self.rnd.choice(self.world.nodes).keys, self.world.setup
        kept = Kept(term=9, commit=known, entries=self.entries[:known])
        return Device(keys, setup, Random(1), self.world.now, kept=kept)

    def says(self, device: Device) -> Envelope:
        """What comes next, more or less. Raises `Refused` where nobody could write it."""
        near = self.entries[max(0, device.applied - 3) : device.applied + 4]
        said = self.rnd.choice(near if near and self.rnd.random() < 0.8 else self.entries).envelope
        author, body = said.author, json.loads(said.text)[-1]
        counter = device.state.counters.get(author, 0) + 1
        if body and said.kind in ("do", *BY_ROLE) and self.rnd.random() < 0.6:
            for box in body[-1]:
                box[1] = self._box(device, said, counter, box[0])
            body[-1] = body[-1] or [[device.me, self._box(device, said, counter, device.me)]]
        else:
            twist(self.rnd, body)
        commit = device.applied
        text = envelope.write(self.world.mark, author, counter, 9, commit, device.log.heads[commit], said.kind, body)
        return envelope.read(text, self.world.nodes[author].keys.sign(text.encode("ascii", "replace")))

    def _box(self, device: Device, said: Envelope, counter: int, to: int) -> str:
        by = self.role if said.kind in BY_ROLE else self.world.nodes[said.author].keys
        lock = self.role.lock if to == ROLE and self.role else device.state.devices[to].lock
        assert by is not None
        content = json.dumps([self._row(device, to, said.kind) for _ in range(self.rnd.choice((0, 1, 1, 2)))]).encode()
        if said.kind == "hand":
            content = zlib.compress(content)
        if self.rnd.random() < 0.1:
            content = self.rnd.randbytes(20)
        return seal(by.shared(lock), f"{device.state.place(said.author, counter)}/{to}", padded(content, 64))

    def _row(self, device: Device, to: int, kind: str) -> list[Any]:
        _, answer = self.rnd.choice(self.session.log)
        row = write_row(self.session.game, answer)
        if self.rnd.random() < 0.5:
            twist(self.rnd, row)
        offset = self.rnd.randint(0, 2) if kind != "hand" else self.rnd.randint(0, len(device.state.play.played))
        found = [offset, row] if to == ROLE or kind == "hand" else [offset, self.rnd.randint(0, 7), row]
        return found if self.rnd.random() < 0.9 else [self.rnd.choice(NASTY)]


def commit(device: Device, said: Envelope) -> None:
    """The table has committed it."""
    device.log.append([Entry(9, said)])
    device.raft.commit = device.log.last
    device.apply()


def attack(game: str, seeds: range, members: int, words: int) -> Counter[str]:
    """Nothing may be raised, whatever is said. What was said by kind, and why what was told of it."""
    counted: Counter[str] = Counter()
    for seed in seeds:
        insiders = Insiders(seed, game)
        for _ in range(members):
            device = insiders.member()
            device.take()
            for _ in range(words):
                try:
                    said = insiders.says(device)
                except (Refused, UnicodeError):
                    continue
                commit(device, said)
                tells = [output for output in device.take() if isinstance(output, Tell)]
                counted.update([said.kind, *(f"{tell.what} {tell.values.get('why', '')}".strip() for tell in tells)])
    return counted
