"""A node of the simulation: a device with its disk and its pending outputs."""

from __future__ import annotations

from peer.device.border import Border
from peer.device.device import Device
from peer.device.journal import Journal
from peer.order.outputs import Output
from tests.peer.simulation.fake_keys import FakeKeys


class Node:
    """A device with its disk and its pending outputs. While it is crashed, `device` is None."""

    def __init__(self, number: int, keys: FakeKeys) -> None:
        self.number, self.keys = number, keys
        self.disk = Journal()
        self.device: Device | None = None
        self.border: Border | None = None
        self.queue: list[Output] = []
        self.writing = False
        self.crashes = 0  # number of crashes: events scheduled for an earlier life are dropped
        self.next_tick = -1  # when the device wants its next tick; -1: none is scheduled
        self.reported = 0  # number of entries it has reported as applied, which it does only after storing them
        self.checked = 0  # number of entries compared with those of other nodes
        self.lost = False  # lost for good
        self.asked_strangers: set[int] = set()  # numbers of strangers it has asked
        self.stranger_turn = 0  # selects the stranger to ask next
