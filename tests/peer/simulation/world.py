"""A simulated world in which devices play by link: the real protocol code, everything else simulated.

The world owns the clock, the network, the disks and every random number; one seed determines everything in it. It
drops, duplicates, delays and reorders frames, partitions the network in one direction or both, crashes devices (also
right after a vote) and reloads them, and loses some for good. After a while it heals; then the game must end, and all
invariants must hold.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from random import Random
from typing import Any, Self, TypeVar

from engine import GAMES, bots
from engine.options import changed_options
from engine.session import Session
from peer.device.border import Border
from peer.device.device import Device
from peer.game.setup import Member, Place, Setup
from peer.game.setup import read as read_setup
from peer.order.catchup import STRANGER
from peer.order.outputs import Applied, LeaderChanged, Send, Sign, Store, Tell, Timing
from peer.order.raft import NOBODY
from peer.wire import bodies, envelope, frames
from tests.engine.anything import options
from tests.peer.simulation import invariants
from tests.peer.simulation.fake_keys import FakeKeys, verifier
from tests.peer.simulation.faults import Faults
from tests.peer.simulation.invariants import Violation
from tests.peer.simulation.node import Node

AnyWorld = TypeVar("AnyWorld", bound="World")

MOST_EVENTS = 150_000
SETTLES_WITHIN = 900_000  # milliseconds of the world's clock
RESTLESS_TIME = (
    300_000  # milliseconds after healing, until people stop changing seats: a game may not end while they do
)
SMALL_DECK = ("ring", "diamond", "coin", "thief", "driver", "car", "bodyguard", "casino", "film", "police")


class World(Faults):
    """A simulated world: honest devices, an unreliable network, and people who answer at random."""

    allowed_events: frozenset[type[Tell]] = (
        frozenset()
    )  # those of `FORBIDDEN_EVENTS` that are allowed in this kind of world
    settles_within = SETTLES_WITHIN
    forgeries = 0  # number of envelopes that no honest device would have authored

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        self.rnd = rnd = Random(f"world/{seed}")
        self.make_device = make
        self.now = 0
        self.events: list[tuple[int, int, Callable[[], None]]] = []
        self.scheduled = 0
        self.trace = sha256()
        self.heads: dict[int, str] = {}
        self.leaders: dict[int, int] = {}
        self.committed: dict[tuple[int, int], tuple[int, str]] = {}
        self.stored_envelopes: dict[
            tuple[int, int], str
        ] = {}  # stored envelopes, by author and counter: they must be committed
        self.tells: list[tuple[int, Tell]] = []
        self.blocked: set[tuple[int, int]] = set()
        self.frames = 0
        self.refusals: dict[str, int] = {}
        self.keyring: dict[str, bytes] = {}
        self.verify = verifier(self.keyring)
        name = game or rnd.choice([*sorted(GAMES), "razzia", "razzia"])
        seats = max(rnd.choice(list(GAMES[name].SEATS)), min(self.min_devices, GAMES[name].SEATS[-1]))
        self.size = max(rnd.choice((2, min(3, seats), rnd.randint(2, seats))), min(self.min_devices, seats))
        keys = [FakeKeys(rnd.randbytes(32), self.keyring) for _ in range(self.size)]
        self.setup = read_setup(self._setup(name, seats, keys).text)
        self.mark = self.setup.mark
        self.nodes = [Node(number, key) for number, key in enumerate(keys)]
        self.drop, self.duplicate = (0.0, 0.0) if calm else (rnd.choice((0, 0.02, 0.2)), rnd.choice((0, 0.05)))
        self.max_delay = rnd.choice((5, 40, 200, 600))
        self.timing = rnd.choice((Timing(), Timing(election_min=1000, election_max=1000 + self.max_delay)))
        self.restless = not calm and rnd.random() < 0.2
        self.chain = rnd.choice((6, 40, 256))
        self.heal_at = 0 if calm else rnd.randint(2_000, 40_000)
        self.over_at = 0
        for node in self.nodes:
            self.schedule(rnd.randint(0, 500), lambda node=node: self.boot(node))  # type: ignore[misc]
        if not calm:
            self._schedule_faults()

    def _setup(self, name: str, seats: int, keys: list[FakeKeys]) -> Setup:
        rnd, game = self.rnd, GAMES[name]
        house_rules = options(game, seats, rnd)
        changes = changed_options(game, house_rules)
        if name == "razzia" and rnd.random() < 0.9:
            changes["deck"] = {card: 0 for card in house_rules["deck"] if card not in SMALL_DECK} | dict.fromkeys(
                SMALL_DECK, rnd.choice((1, 1, 2, 3))
            )
        places = [Place("person", seat % self.size) for seat in range(seats)]
        rnd.shuffle(places)
        return Setup(
            name,
            game.VERSION,
            changed_options(game, Session(game, seats, changes).options),
            ("",) * seats,
            tuple(places),
            tuple(Member(key.verify_key, key.seal_key) for key in keys),
            (),
            rnd.randbytes(16).hex(),
        )

    # The clock

    def schedule(self, when: int, callback: Callable[[], None]) -> None:
        self.scheduled += 1
        heapq.heappush(self.events, (when, self.scheduled, callback))

    def run(self) -> Self:
        """Runs until the game is over and settled on all devices. Raises `Violation` if an invariant does not hold."""
        self.run_until(self._settled)
        invariants.check_invariants(self)
        return self

    def run_until(self, condition: Callable[[], bool]) -> Self:
        """Runs until the condition holds. Raises `Violation` if it never does."""
        while self.events and not condition():
            self.now, _, what = heapq.heappop(self.events)
            if self.now > self.heal_at + self.settles_within or self.scheduled > MOST_EVENTS:
                raise Violation(f"stuck: {self.describe()}")
            what()
        if not condition():
            raise Violation(f"not over: {self.describe()}")
        return self

    def _settled(self) -> bool:
        if self.now < self.heal_at:
            return False
        nodes = [node for node in self.nodes if self.counts(node)]
        for node in nodes:
            device = node.device
            if device is None or not device.state.public.over or device.outbox.signed or node.queue:
                return False
            if device.state.dealer_promise is not None and device.audit_result is None:
                return False
        return len({node.device.applied for node in nodes if node.device}) == 1

    def counts(self, node: Node) -> bool:
        """Returns True for a device that must arrive at the end of the game, with all its envelopes committed."""
        return not node.lost

    def describe(self) -> str:
        """Returns the state of all devices as text, for an error message."""
        return "; ".join(f"{node.number}:{self._describe_node(node)}" for node in self.nodes)

    def _describe_node(self, node: Node) -> str:
        if node.device is None:
            return "gone" if node.lost else "down"
        return self._describe_device(node.device)

    def _describe_device(self, device: Device) -> str:
        play, raft = device.state.public, device.raft
        return (
            f"{raft.role} t{raft.term} {device.applied}/{raft.commit}/{device.log.last_index} {play.waits_for} "
            f"{play.session.question.key} {device.state.awaited()} "
            f"out {[said.kind for said in device.outbox.signed]} {device.stopped}"
        )

    # Devices

    def boot(self, node: Node) -> None:
        if node.device is not None or node.lost:
            return
        device = self.make_device(
            node.keys,
            self.setup,
            Random(self.rnd.getrandbits(64)),
            self.now,
            snapshot=node.disk.snapshot(),
            chain_length=self.chain,
            timing=self.timing,
        )
        node.device, node.border = device, Border(device, self.verify)
        node.checked = node.reported = 0
        for other in self.nodes:
            if other is not node:
                device.send_hi(other.number)
        self.process(node)
        self._act(node, node.crashes)

    def _act(self, node: Node, life: int) -> None:
        """Acts for the people at this device, now and again later: they answer at random."""
        device = node.device
        if device is None or node.crashes != life:
            return
        for seat in range(len(self.setup.places)):
            if device.possible_answers(seat):
                self.give_answer(device, seat)
        self._vote_for_bots(device)
        if self.restless and device.ready and self.now < self.heal_at + RESTLESS_TIME and self.rnd.random() < 0.03:
            self._change_seats(device)
        if self.storm and self.rnd.random() < 0.2 and device.ready and self.now < self.heal_at:
            self._add_traffic(device)
        self.process(node)
        self.schedule(self.now + self.rnd.randint(20, 400), lambda: self._act(node, life))

    def give_answer(self, device: Device, seat: int) -> None:
        view = device.private.views[seat]
        device.answer(seat, bots.choose_at_random(view.question, view.table, seat, self.rnd))

    def _change_seats(self, device: Device) -> None:
        """Gives a seat of this device to a bot or another device, or takes it back."""
        for seat, place in enumerate(device.state.places):
            if device.outbox.has_pending(bodies.Seat, seat) or device.outbox.has_pending(bodies.Do, seat):
                continue
            if device.state.homes[seat] == device.me != place.device:
                device.give_seat(seat, "person", device.me)
            elif place.device == device.me and self.rnd.random() < 0.5:
                device.give_seat(seat, self.rnd.choice(("bot", "person")), self.rnd.randrange(self.size))

    def _add_traffic(self, device: Device) -> None:
        """Authors an envelope that changes nothing (the seat stays as it is), for more traffic in a storm."""
        for seat, place in enumerate(device.state.places):
            if place.device == device.me and len(device.outbox.signed) < 3:
                device.give_seat(seat, place.kind, device.me)
                return

    def _vote_for_bots(self, device: Device) -> None:
        """Votes for bots on the seats of devices that are lost for good, and takes own seats back from them."""
        state, leader = device.state, device.raft.leader
        if not device.ready or device.me not in state.voters or leader == NOBODY or self.nodes[leader].lost:
            return
        for seat, place in enumerate(state.places):
            if device.outbox.has_pending(bodies.Seat, seat) or not self.may_vote_against(place.device):
                continue
            if state.homes[seat] == device.me != place.device and not state.bot_answers_first(seat):
                device.give_seat(seat, "person", device.me)
            elif device.me not in state.wishes.get(seat, {}) and device.bot_votes.reason(seat) is not None:
                device.vote_for_bot(seat)

    def may_vote_against(self, device: int) -> bool:
        """Returns True if people may want bots on the seats of this device."""
        return self.nodes[device].lost

    def process(self, node: Node) -> None:
        """Carries out the outputs of the device, checks its committed entries, and schedules its next tick."""
        device = node.device
        if device is None:
            return
        self._carry_out(node)
        if node.device is not device:
            return
        self._check_committed(node, device)
        if node.next_tick < 0 or device.due < node.next_tick:
            node.next_tick = max(device.due, self.now + 1)
            self.schedule(
                node.next_tick, lambda life=node.crashes, when=node.next_tick: self._on_alarm(node, life, when)
            )  # type: ignore[misc]

    def _on_alarm(self, node: Node, life: int, when: int) -> None:
        if node.device is None or node.crashes != life or node.next_tick != when:
            return
        node.next_tick = -1
        node.device.tick(self.now)
        self.process(node)

    def _carry_out(self, node: Node) -> None:
        """Carries out outputs in order; a `Store` holds up all later ones until it has been written."""
        device = node.device
        assert device is not None
        node.queue += device.take()
        while node.queue and not node.writing:
            output = node.queue[0]
            if isinstance(output, Store):
                node.writing = True
                if self.crash_on_write and output.record[0] == "log":
                    self.crash_on_write = False
                    self.schedule(self.now, lambda: self.crash(node))
                    return
                delay = self.rnd.choice((0, 1, 4, 15))
                self.schedule(self.now + delay, lambda life=node.crashes: self._on_written(node, life))  # type: ignore[misc]
                return
            node.queue.pop(0)
            if isinstance(output, Sign):
                device.take_signature(output.text, node.keys.sign(output.text.encode()))
                node.queue += device.take()
            elif isinstance(output, Send):
                self.send(node.number, output.to, frames.write(output.frame, self.mark))
            else:
                self._on_tell(node, output)

    def _on_tell(self, node: Node, tell: Tell) -> None:
        self.tells.append((node.number, tell))
        match tell:
            case Applied(up_to):
                node.reported = up_to
            case LeaderChanged(device, term) if device == node.number:
                if self.leaders.setdefault(term, node.number) != node.number:
                    raise Violation(f"two leaders in term {term}")

    def _on_written(self, node: Node, life: int) -> None:
        if node.crashes != life:
            return
        record: list[Any] = node.queue.pop(0).record  # type: ignore[union-attr]  # the `Store` whose writing has begun
        stored_record = self.record_to_store(node, record)
        if stored_record is not None:
            node.disk.add(stored_record)
        node.writing = False
        if record[0] == "out":
            stored_envelope = envelope.read(record[1], record[2])
            self.stored_envelopes.setdefault((stored_envelope.author, stored_envelope.counter), stored_envelope.text)
        if self.crash_on_vote and record[0] == "term" and record[2] not in (-1, node.number):
            self.crash_on_vote = False
            if self.rnd.random() < 0.3:
                self.crash(node)
            else:  # crashes just after the vote was sent, and is back before the others have elected a leader
                self.schedule(self.now + 1, lambda: self.crash(node, restart_after=2))
        if self.crash_on_envelope and record[0] == "out":
            self.crash_on_envelope = False
            self.crash(node)
        self.process(node)

    def record_to_store(self, node: Node, record: list[Any]) -> list[Any] | None:
        """Returns the record that the disk keeps, or None. A planted bug may override this."""
        return record

    # The network

    def send(self, sender: int, to: int, data: bytes) -> None:
        if to >= STRANGER:
            to = self._next_stranger(self.nodes[sender]) if to == STRANGER else to - STRANGER - 1
        if not 0 <= to < len(self.nodes):
            return  # it was let in, and is not running yet
        self.frames += 1
        for _ in range(1 + (self.rnd.random() < self.duplicate)):
            if self.rnd.random() >= self.drop:
                delay = self.rnd.randint(1, self.max_delay)
                self.schedule(self.now + delay, lambda: self._deliver(sender, to, data))

    def _next_stranger(self, node: Node) -> int:
        """Returns the next running node that has no number in this device's log, in turn; -1 if there is none."""
        known_devices = len(node.device.state.devices) if node.device is not None else 0
        strangers = [
            other.number for other in self.nodes[known_devices:] if other.device is not None and other is not node
        ]
        node.stranger_turn += 1
        stranger = strangers[node.stranger_turn % len(strangers)] if strangers else -1
        node.asked_strangers.add(stranger)
        return stranger

    def _deliver(self, sender: int, to: int, data: bytes) -> None:
        node = self.nodes[to]
        if node.device is None or node.border is None or (sender, to) in self.blocked:
            return
        known = sender < len(node.device.state.devices)
        if not known and sender not in node.asked_strangers:
            return
        self.trace.update(f"{self.now} {sender} {to} ".encode() + data)
        reason = node.border.receive(sender if known else STRANGER + 1 + sender, data, self.now)
        if reason:
            self.refusals[reason] = self.refusals.get(reason, 0) + 1
        self.process(node)

    # Invariants

    def _check_committed(self, node: Node, device: Device) -> None:
        """Checks that committed prefixes are equal on all devices, and that each envelope is committed once."""
        for index in range(node.checked + 1, node.reported + 1):
            head = device.log.heads[index]
            if self.heads.setdefault(index, head) != head:
                raise Violation(f"committed logs differ at {index}")
            committed = device.log.entry(index).envelope
            if self.committed.setdefault((committed.author, committed.counter), (index, committed.text)) != (
                index,
                committed.text,
            ):
                raise Violation(f"{committed.author}/{committed.counter} is committed twice")
        node.checked = max(node.checked, node.reported)
        if device.diverged:
            raise Violation("net.histories_differ")


def copy_of(world: AnyWorld) -> AnyWorld:
    """Returns a copy of a world that is over, for a test to change. This is faster than running the world again."""
    world.events.clear()  # its callbacks would act on the original
    shared = (*GAMES.values(), world.trace)
    return deepcopy(world, {id(one): one for one in shared})


def trace_digest(world: World) -> str:
    """Runs a world. Returns a hash over every frame that was delivered in it, and when."""
    return world.run().trace.hexdigest()
