"""A world in which one device authors correctly signed envelopes that no honest device sends."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random

from engine.core import Refused
from peer.device.device import Device
from tests.peer.simulation.fuzz import twist
from tests.peer.simulation.node import Node
from tests.peer.simulation.promises import NEVER
from tests.peer.simulation.world import World

SPARED = ("open", "agree", "alone")  # kinds never forged: a device may open its deal, or let the other of two go on
AFTER = 20_000  # milliseconds after healing, until the sabotage ends


class Saboteurs(World):
    """One device repeats envelopes of any author with an error put in. The others are a majority without it, so the
    game must go on. It does nothing while it is the dealer: a dealer can ruin the game for all, and is then found out.
    """

    least = 4  # devices at least
    excused = frozenset(NEVER - {"net.histories_differ", "net.false_deal"})

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        self.bad = Random(f"saboteurs/{seed}")
        super().__init__(seed, game, calm=calm, make=make)
        self.evil = self.bad.randrange(1, self.size)

    def _take_away(self, node: Node) -> None:
        """Does nothing: if a device were lost for good, the honest devices would be no majority."""

    def _think(self, node: Node, life: int) -> None:
        super()._think(node, life)
        device = node.device
        if node.number == self.evil and node.life == life and device is not None and self.now < self.heal_at + AFTER:
            self._sabotage(device)
            self.after(node)

    def _sabotage(self, device: Device) -> None:
        entries = device.log.entries
        if not entries or not device.ready or device.state.dealer == device.me or len(device.outbox) > 3:
            return
        said = self.bad.choice(entries[-12:] if self.bad.random() < 0.7 else entries).envelope
        if self.bad.random() < 0.2 and said.kind not in SPARED:
            body = json.loads(said.text)[-1]
            if self.bad.random() < 0.8:
                twist(self.bad, body)
            with suppress(Refused, UnicodeError):  # the envelope cannot be written
                device.author(said.kind, body)
                self.nonsense += 1
