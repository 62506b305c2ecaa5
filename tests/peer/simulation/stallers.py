"""Worlds in which one device holds up the table: three devices or more must go on without it."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from peer.device.device import Device
from peer.order.outputs import HandsDiffer, Muted, MutedByLeader, Tell
from peer.order.raft import LEADER
from peer.wire import bodies
from peer.wire.envelope import Envelope
from tests.peer.simulation.invariants import Violation
from tests.peer.simulation.liars import Liars
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import SETTLES_WITHIN, World

PATIENCE = 2_000  # milliseconds, so that a game ends in time
NAMED_WITHIN = 7_000  # milliseconds, until all devices know whom the leader has muted


class Stallers(World):
    """One device holds up the table, in the ways of the subclasses. The people at the others vote for bots as soon as
    they may."""

    min_devices = 3  # devices at least
    settles_within = 4 * SETTLES_WITHIN
    patience = PATIENCE

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        self.stall_rnd = Random(f"stallers/{seed}")
        super().__init__(seed, game, calm=calm, make=make)
        self.restless = False
        self.staller = self.stall_rnd.randrange(self.size)

    def _lose(self, node: Node) -> None:
        """Does nothing: without the staller and a lost device, the others might be no majority."""

    def boot(self, node: Node) -> None:
        super().boot(node)
        if node.device is not None:
            node.device.bot_votes.patience, node.device.bot_votes.bot_patience = self.patience, PATIENCE

    def may_vote_against(self, device: int) -> bool:
        return True


class Thinkers(Stallers):
    """One person never answers, and takes the seat back from bots as soon as possible. In half of the worlds the device
    also plays no bots."""

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        super().__init__(seed, game, calm=calm, make=make)
        self.plays_bots = self.stall_rnd.random() < 0.5
        self.takes_back = self.stall_rnd.choice((0, 5, 40))  # times

    def give_answer(self, device: Device, seat: int) -> None:
        is_bot = device.state.places[seat].kind == "bot"
        if device.me != self.staller or (is_bot and self.plays_bots):
            super().give_answer(device, seat)

    def _act(self, node: Node, life: int) -> None:
        super()._act(node, life)
        device = node.device
        if node.number != self.staller or node.crashes != life or device is None or not device.ready:
            return
        state = device.state
        for seat, place in enumerate(state.places):
            taken = place.kind == "bot" and state.homes[seat] == device.me and not state.bot_answers_first(seat)
            if taken and self.takes_back and not device.outbox.has_pending(bodies.Seat, seat):
                self.takes_back -= 1
                device.give_seat(seat, "person", device.me)
        self.process(node)


class Whisperers(Stallers):
    """One device sends nonsense to the leader only, until it is muted there. The others hear it all the time. People
    may think as long as they like, so only the leader's word lets the others vote."""

    patience = 0
    allowed_events = frozenset({Muted, MutedByLeader})

    def _on_tell(self, node: Node, tell: Tell) -> None:
        super()._on_tell(node, tell)
        if isinstance(tell, Muted) and node.device is not None and node.device.raft.role == LEADER:
            devices = {other.number: other.device for other in self.nodes}
            when = max(self.now, self.heal_at) + NAMED_WITHIN
            self.schedule(when, lambda: self._check_named(node.number, node.device.raft.term, devices))

    def _check_named(self, leader: int, term: int, devices: dict[int, Device | None]) -> None:
        """Checks that all others have reported the device that their leader has muted, if all have been running."""
        if any(node.device is not devices.get(node.number) for node in self.nodes) or self.leaders.get(term) != leader:
            return
        for device in devices.values():
            if device is None or (device.raft.leader, device.raft.term) != (leader, term):
                continue
            knows = (leader, self.staller) in device.reported_muted or self.staller in device.raft.muted
            if device.me not in (leader, self.staller) and not knows:
                raise Violation(f"{device.me} does not know whom the leader has muted")

    def counts(self, node: Node) -> bool:
        """Leaves out the staller, and a device that has muted it while it is the leader, and so is cut off itself."""
        staller = self.nodes[self.staller].device
        leads = staller is not None and staller.raft.role == LEADER
        left_out = leads and node.device is not None and self.staller in node.device.raft.muted
        return node.number != self.staller and not left_out and super().counts(node)

    def _act(self, node: Node, life: int) -> None:
        super()._act(node, life)
        device = node.device
        if node.number == self.staller and node.crashes == life and device is not None and device.raft.role != LEADER:
            for _ in range(3):
                self.send(node.number, device.raft.leader, b"nonsense")


class Starvers(Stallers):
    """One device takes no envelopes of others while it is the leader, and answers nothing."""

    def boot(self, node: Node) -> None:
        super().boot(node)
        if node.number != self.staller or node.device is None:
            return
        raft, append_offered = node.device.raft, node.device.raft.append_offered

        def append_own(envelopes: Iterable[Envelope]) -> None:
            append_offered([offered for offered in envelopes if offered.author == raft.me])

        raft.append_offered = append_own  # type: ignore[method-assign]

    def give_answer(self, device: Device, seat: int) -> None:
        if device.me != self.staller:
            super().give_answer(device, seat)


class Discredited(Liars, Stallers):
    """One device gives so many false answers that no more are taken from it. It may also be the dealer."""

    max_lies, lie_probability = 5, 0.5
    allowed_events = frozenset({HandsDiffer})

    def may_lie(self, device: Device) -> bool:
        return device.me == self.staller
