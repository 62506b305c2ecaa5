"""A device of the simulation, and what lies around it: its disk, and what it still has to carry out."""

from __future__ import annotations

from peer.device.border import Border
from peer.device.device import Device
from peer.device.journal import Journal
from peer.order.outputs import Output
from tests.peer.simulation.fake_keys import FakeKeys


class Node:
    """A device and what lies around it: its disk, and what it still has to carry out."""

    def __init__(self, number: int, keys: FakeKeys) -> None:
        self.number, self.keys = number, keys
        self.disk = Journal()
        self.device: Device | None = None
        self.border: Border | None = None
        self.queue: list[Output] = []
        self.writing = False
        self.life = 0  # how often it has crashed: what was meant for an earlier life is lost
        self.alarm = -1
        self.said = 0  # so many entries it has told as committed: nobody hears of any before they are safe
        self.checked = 0
        self.gone = False
        self.asked: set[int] = set()  # strangers
        self.turn = 0  # whose it is to be asked
