"""Attacks by a member of the table: correctly signed envelopes with a body or sealed content no honest device sends."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from random import Random
from typing import Any

from engine.core import Nonsense
from peer.crypto.keys import derive
from peer.crypto.sealed import padded, seal
from peer.device.device import Device, Snapshot
from peer.game.dealing import audit
from peer.order.outputs import Tell
from peer.wire import bodies, envelope
from peer.wire.bodies import DEALER_ROLE
from peer.wire.envelope import Entry, Envelope
from tests.engine.anything import readable
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.fuzz import NASTY, RecordingWorld, corrupt

DEALER_KINDS = ("deal", "hand")


class Insiders:
    """The devices of a finished game, and malicious envelopes they could have authored."""

    def __init__(self, seed: int, game: str) -> None:
        self.rnd = Random(f"insiders/{seed}/{game}")
        self.world = RecordingWorld(seed, game).run()
        device = self.world.nodes[0].device
        assert device is not None
        self.session = device.state.public.session
        self.entries = device.log.entries
        self.secret = device.state.dealer_promise.opened if device.state.dealer_promise is not None else b""
        self.role = FakeKeys(derive(self.secret, "role"), self.world.keyring) if self.secret else None

    def random_member(self) -> Device:
        """Returns a random device that knows a part of the log."""
        known = self.rnd.randrange(len(self.entries))
        keys, setup = self.rnd.choice(self.world.nodes).keys, self.world.setup
        device = Device(
            keys, setup, Random(1), self.world.now, snapshot=Snapshot(9, commit=known, entries=self.entries[:known])
        )
        if self.role and device.state.dealer_promise and self.rnd.random() < 0.5:  # it deals
            device.private.set_secret(self.secret)
        return device

    def forge(self, device: Device) -> Envelope:
        """Returns a malicious envelope that fits more or less at the end of the device's log. Raises `Nonsense` if the
        envelope cannot be written."""
        author, kind, body = self._random_answer(device) if self.rnd.random() < 0.3 else self._corrupted_copy(device)
        counter, seen = device.state.counters.get(author, 0) + 1, device.applied
        if body and kind in ("do", *DEALER_KINDS) and self.rnd.random() < 0.6:
            body[-1] = [[to, self._box(device, author, kind, counter, to)] for to in {DEALER_ROLE, device.me, author}]
        head, read = device.log.heads[seen], bodies.read(kind, body)
        text = envelope.write(self.world.mark, author, counter, 9, seen, head, read)
        return envelope.read(text, self.world.nodes[author].keys.sign(text.encode("ascii", "replace")))

    def _random_answer(self, device: Device) -> tuple[int, str, list[Any]]:
        """Returns author, kind and body of a random but readable answer, for a seat that is asked."""
        play = device.state.public
        seat = max(0, self.rnd.choice(play.session.question.seats() or (0,)))
        row = play.session.write_answer(readable(play.session.game.WORDS, self.rnd))
        return device.state.places[seat].device, "do", [seat, play.asked_since[seat], row, []]

    def _corrupted_copy(self, device: Device) -> tuple[int, str, list[Any]]:
        """Returns author, kind and body of an envelope from about that place in the log, with an error put in."""
        nearby = self.entries[max(0, device.applied - 3) : device.applied + 4]
        original = self.rnd.choice(nearby if nearby and self.rnd.random() < 0.8 else self.entries).envelope
        body = json.loads(original.text)[-1]
        corrupt(self.rnd, body)
        return original.author, original.kind, body

    def _box(self, device: Device, author: int, kind: str, counter: int, to: int) -> str:
        keys = self.role if kind in DEALER_KINDS else self.world.nodes[author].keys
        seal_key = self.role.seal_key if to == DEALER_ROLE and self.role else device.state.devices[to].seal_key
        assert keys is not None
        content = json.dumps([self._row(device, to, kind) for _ in range(self.rnd.choice((0, 1, 1, 2)))]).encode()
        if kind == "hand":
            content = zlib.compress(content)
        if self.rnd.random() < 0.1:
            content = self.rnd.randbytes(20)
        return seal(keys.shared(seal_key), f"{device.state.box_place(author, counter)}/{to}", padded(content, 64))

    def _row(self, device: Device, to: int, kind: str) -> list[Any]:
        _, answer = self.rnd.choice(self.session.log)
        row = self.session.write_answer(answer)
        if self.rnd.random() < 0.5:
            corrupt(self.rnd, row)
        offset = self.rnd.randint(0, 2) if kind != "hand" else self.rnd.randint(0, len(device.state.public.entries))
        content = [offset, row] if to == DEALER_ROLE or kind == "hand" else [offset, self.rnd.randint(0, 7), row]
        return content if self.rnd.random() < 0.9 else [self.rnd.choice(NASTY)]


def commit(device: Device, forged: Envelope) -> None:
    """Makes the device treat this envelope as committed."""
    device.log.append([Entry(9, forged)])
    device.raft.commit = device.log.last_index
    device.apply()


def attack(game: str, seeds: range, members: int, envelopes: int) -> Counter[str]:
    """Commits malicious envelopes to many devices; an exception is a failure. Returns counts of the kinds of envelopes,
    and of the events that were reported, with their reasons."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        insiders = Insiders(seed, game)
        for _ in range(members):
            device = insiders.random_member()
            device.take()
            for _ in range(envelopes):
                try:
                    forged = insiders.forge(device)
                except (Nonsense, UnicodeError):
                    continue
                commit(device, forged)
                tells = [output for output in device.take() if isinstance(output, Tell)]
                counts.update(
                    [forged.kind, *(f"{type(tell).__name__} {getattr(tell, 'reason', '')}".strip() for tell in tells)]
                )
            if device.state.dealer_promise is not None:
                device.state.dealer_promise.opened = insiders.secret
                counts.update(type(one).__name__ for one in audit(device.state, device.private))
    return counts
