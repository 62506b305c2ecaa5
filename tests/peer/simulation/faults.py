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
    duplicate: float
    schedule: Callable[[int, Callable[[], None]], None]
    boot: Callable[[Node], None]

    def _schedule_faults(self) -> None:
        rnd = self.rnd
        faults = (
            self._partition,
            self._partition_one_way,
            self._crash,
            self._crash_on_next_vote,
            self._crash_on_next_envelope,
            self._reconnect,
        )
        times = [rnd.randint(0, self.heal_at) for _ in range(rnd.randint(0, 6))]
        self.storm = rnd.random() < self.storm_probability
        if self.storm:
            self.heal_at += 20_000
            times = list(range(500, self.heal_at, rnd.choice((700, 2500, 5000))))
            faults = (
                *faults,
                self._isolate_leader,
                self._isolate_leader,
                self._crash_leader,
                self._crash_on_next_write,
            )
        for when in times:
            self.schedule(when, rnd.choice(faults))
        if self.size > 2 and rnd.random() < 0.3:
            lost = rnd.sample(self.nodes, rnd.randint(1, (self.size - 1) // 2))
            self.schedule(rnd.randint(0, self.heal_at), lambda: [self._lose(node) for node in lost] and None)
        self.schedule(self.heal_at, self._heal)

    def _partition(self) -> None:
        self.blocked.clear()
        side = {node.number for node in self.nodes if self.rnd.random() < 0.5}
        for a in range(self.size):
            for b in range(self.size):
                if (a in side) != (b in side):
                    self.blocked.add((a, b))

    def _leader_node(self) -> Node:
        """Returns the leader of the highest term, or a random device if there is none."""
        leaders = [node for node in self.nodes if node.device is not None and node.device.raft.role == LEADER]
        return max(leaders, key=lambda node: node.device.raft.term, default=self.rnd.choice(self.nodes))  # type: ignore[union-attr]

    def _isolate_leader(self) -> None:
        """Partitions the network: the leader, with or without followers, on one side; a majority on the other."""
        self.blocked.clear()
        leader = self._leader_node()
        others = [node.number for node in self.nodes if node is not leader]
        side = set(self.rnd.sample(others, self.size // 2 + 1)) if self.size > 2 else set(others)
        self.blocked = {(a, b) for a in range(self.size) for b in range(self.size) if (a in side) != (b in side)}

    def _crash_leader(self) -> None:
        self.crash(self._leader_node())

    def _partition_one_way(self) -> None:
        cut_off = self.rnd.randrange(self.size)
        outward = self.rnd.random() < 0.5
        for other in range(self.size):
            self.blocked.add((cut_off, other) if outward else (other, cut_off))

    def _reconnect(self) -> None:
        self.blocked.clear()

    def _crash(self) -> None:
        self.crash(self.rnd.choice(self.nodes))

    def _crash_on_next_vote(self) -> None:
        """Crashes the next device that has stored a vote, before or just after the vote is sent."""
        self.crash_on_vote = True

    def _crash_on_next_envelope(self) -> None:
        """Crashes the next device that has stored an envelope of its own, before the envelope is sent."""
        self.crash_on_envelope = True

    def _crash_on_next_write(self) -> None:
        """Crashes the next device that begins to write entries, before they are stored."""
        self.crash_on_write = True

    crash_on_vote = crash_on_envelope = crash_on_write = False
    storm_probability = 0.25
    storm = False
    min_devices = 2  # devices at least

    def crash(self, node: Node, restart_after: int = 0) -> None:
        if node.device is None:
            return
        if node.writing and self.rnd.random() < 0.5:
            node.queue.pop(0)
        node.crashes += 1
        node.device, node.border, node.queue, node.writing, node.next_tick = None, None, [], False, -1
        if not node.lost:
            restart_after = restart_after or self.rnd.choice((20, 300, self.rnd.randint(500, 6000)))
            self.schedule(self.now + restart_after, lambda: self.boot(node))

    def _lose(self, node: Node) -> None:
        node.lost = True
        self.crash(node)

    def _heal(self) -> None:
        self.blocked.clear()
        self.drop = self.duplicate = 0
        self.crash_on_vote = self.crash_on_envelope = self.crash_on_write = False
