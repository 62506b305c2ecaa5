"""The faults of a simulated world before it heals: partitions, crashes, lost devices."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from peer.order.raft import LEADER
from tests.peer.simulation.node import Node


class Faults:
    """The faults of a world, a mixin of `World`. They happen a few times at random; in a storm, all the time."""

    rnd: Random
    now: int
    size: int
    heal_at: int
    nodes: list[Node]
    blocked: set[tuple[int, int]]
    drop: float
    double: float
    at: Callable[[int, Callable[[], None]], None]
    boot: Callable[[Node], None]

    def _plan(self) -> None:
        rnd = self.rnd
        faults = (self._part, self._part_one_way, self._crash, self._crash_voter, self._crash_author, self._join_up)
        times = [rnd.randint(0, self.heal_at) for _ in range(rnd.randint(0, 6))]
        self.storm = rnd.random() < self.stormy
        if self.storm:
            self.heal_at += 20_000
            times = list(range(500, self.heal_at, rnd.choice((700, 2500, 5000))))
            faults = (*faults, self._part_host, self._part_host, self._crash_host, self._crash_writer)
        for when in times:
            self.at(when, rnd.choice(faults))
        if self.size > 2 and rnd.random() < 0.3:
            gone = rnd.sample(self.nodes, rnd.randint(1, (self.size - 1) // 2))
            self.at(rnd.randint(0, self.heal_at), lambda: [self._take_away(node) for node in gone] and None)
        self.at(self.heal_at, self._heal)

    def _part(self) -> None:
        self.blocked.clear()
        side = {node.number for node in self.nodes if self.rnd.random() < 0.5}
        for a in range(self.size):
            for b in range(self.size):
                if (a in side) != (b in side):
                    self.blocked.add((a, b))

    def _host(self) -> Node:
        """Returns the leader of the highest term, or a random device if there is none."""
        hosts = [node for node in self.nodes if node.device is not None and node.device.raft.role == LEADER]
        return max(hosts, key=lambda node: node.device.raft.term, default=self.rnd.choice(self.nodes))  # type: ignore[union-attr]

    def _part_host(self) -> None:
        """Partitions the network: the leader, with or without followers, on one side; a majority on the other."""
        self.blocked.clear()
        host = self._host()
        others = [node.number for node in self.nodes if node is not host]
        side = set(self.rnd.sample(others, self.size // 2 + 1)) if self.size > 2 else set(others)
        self.blocked = {(a, b) for a in range(self.size) for b in range(self.size) if (a in side) != (b in side)}

    def _crash_host(self) -> None:
        self.crash(self._host())

    def _part_one_way(self) -> None:
        deaf = self.rnd.randrange(self.size)
        outward = self.rnd.random() < 0.5
        for other in range(self.size):
            self.blocked.add((deaf, other) if outward else (other, deaf))

    def _join_up(self) -> None:
        self.blocked.clear()

    def _crash(self) -> None:
        self.crash(self.rnd.choice(self.nodes))

    def _crash_voter(self) -> None:
        """Crashes the next device that has stored a vote, before or just after the vote is sent."""
        self.crash_on_vote = True

    def _crash_author(self) -> None:
        """Crashes the next device that has stored an envelope of its own, before the envelope is sent."""
        self.crash_on_word = True

    def _crash_writer(self) -> None:
        """Crashes the next device that begins to write entries, before they are stored."""
        self.crash_on_write = True

    crash_on_vote = crash_on_word = crash_on_write = False
    stormy = 0.25
    storm = False
    least = 2  # devices at least

    def crash(self, node: Node, back: int = 0) -> None:
        if node.device is None:
            return
        if node.writing and self.rnd.random() < 0.5:
            node.queue.pop(0)
        node.life += 1
        node.device, node.border, node.queue, node.writing, node.alarm = None, None, [], False, -1
        if not node.gone:
            back = back or self.rnd.choice((20, 300, self.rnd.randint(500, 6000)))
            self.at(self.now + back, lambda: self.boot(node))

    def _take_away(self, node: Node) -> None:
        node.gone = True
        self.crash(node)

    def _heal(self) -> None:
        self.blocked.clear()
        self.drop = self.double = 0
        self.crash_on_vote = self.crash_on_word = self.crash_on_write = False
