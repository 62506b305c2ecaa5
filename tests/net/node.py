"""A device of the simulation, and what lies around it: its disk, and what it still has to carry out."""

from __future__ import annotations

from tests.net.fake import FakeKeys
from ui.net.border import Border
from ui.net.device import Device
from ui.net.output import Output
from ui.net.records import Records


class Node:
    """A device and what lies around it: its disk, and what it still has to carry out."""

    def __init__(self, number: int, keys: FakeKeys) -> None:
        self.number, self.keys = number, keys
        self.disk = Records()
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
