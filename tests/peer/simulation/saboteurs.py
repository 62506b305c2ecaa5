"""A world in which one device authors correctly signed envelopes that no honest device sends."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random

from engine.core import Nonsense, Refused
from peer.device.device import Device
from peer.order.outputs import FalseDeal, LogsDiffer, NotTaken
from peer.order.raft import LEADER
from peer.wire import bodies, frames
from peer.wire.frames import No
from tests.peer.simulation.fuzz import corrupt
from tests.peer.simulation.invariants import FORBIDDEN_EVENTS
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import World

NEVER_FORGED = bodies.Open | bodies.Agree | bodies.Alone  # a device may open its deal, or let the other of two go on
SABOTAGE_TIME = 20_000  # milliseconds after healing, until the sabotage ends


class Saboteurs(World):
    """One device repeats envelopes of any author with an error put in. The others are a majority without it, so the
    game must go on. It does nothing while it is the dealer: a dealer can ruin the game for all, and is then found out.
    """

    min_devices = 4  # devices at least
    allowed_events = frozenset(FORBIDDEN_EVENTS - {LogsDiffer, FalseDeal, NotTaken})

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        self.sabotage_rnd = Random(f"saboteurs/{seed}")
        super().__init__(seed, game, calm=calm, make=make)
        self.saboteur = self.sabotage_rnd.randrange(1, self.size)

    def _lose(self, node: Node) -> None:
        """Does nothing: if a device were lost for good, the honest devices would be no majority."""

    def _act(self, node: Node, life: int) -> None:
        super()._act(node, life)
        device = node.device
        if (
            node.number == self.saboteur
            and node.crashes == life
            and device is not None
            and self.now < self.heal_at + SABOTAGE_TIME
        ):
            self._sabotage(device)
            self.process(node)

    def _send_false_refusals(self, device: Device) -> None:
        """Refuses envelopes of others, which only their leader may do."""
        others = [node for node in self.nodes if node.device is not None and node.device.outbox.signed]
        if others and device.raft.role != LEADER and self.sabotage_rnd.random() < 0.05:
            victim = self.sabotage_rnd.choice(others)
            if victim.device is not None and victim.number != device.me:
                refusal = No(victim.device.outbox.signed[0].counter, "net.too_many_refused")
                self.send(device.me, victim.number, frames.write(refusal, self.mark))

    def _sabotage(self, device: Device) -> None:
        self._send_false_refusals(device)
        entries = device.log.entries
        if not entries or not device.ready or device.state.dealer == device.me or len(device.outbox.signed) > 3:
            return
        original = self.sabotage_rnd.choice(entries[-12:] if self.sabotage_rnd.random() < 0.7 else entries).envelope
        if self.sabotage_rnd.random() < 0.2 and not isinstance(original.body, NEVER_FORGED):
            body = json.loads(original.text)[-1]
            if self.sabotage_rnd.random() < 0.8:
                corrupt(self.sabotage_rnd, body)
            with suppress(Nonsense, Refused, UnicodeError):  # the envelope cannot be written
                device.author(bodies.read(original.kind, body))
                self.forgeries += 1
