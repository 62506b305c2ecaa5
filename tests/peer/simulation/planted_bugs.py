"""Planted bugs, each of which the simulation must find. A mutant runs a world whose devices have one bug."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from random import Random
from typing import Any
from unittest.mock import patch

from peer.device import dealer
from peer.device import pair as device_pair
from peer.device.bot_votes import BotVotes
from peer.device.dealer import DealerDuties
from peer.device.device import Device
from peer.device.duties import AwayVotes
from peer.device.journal import Journal
from peer.device.starvation import Starvation
from peer.game import coin, dealing, state, views
from peer.game import pair as game_pair
from peer.game.state import MAX_OBJECTIONS, State
from peer.order.catchup import CatchUp
from peer.order.log import Log
from peer.order.outputs import NotTaken, Output, Store, Timing
from peer.order.raft import LEADER, Raft
from peer.wire.bodies import Body
from peer.wire.envelope import Entry, Envelope
from peer.wire.frames import Hi, No
from tests.peer.simulation.liars import Liars
from tests.peer.simulation.movers import Movers
from tests.peer.simulation.node import Node
from tests.peer.simulation.saboteurs import Saboteurs
from tests.peer.simulation.stallers import Discredited, Starvers, Thinkers, Whisperers
from tests.peer.simulation.world import World

MUTANTS: dict[str, Callable[[int], object]] = {}


def mutant(make: Callable[[int], object]) -> Callable[[int], object]:
    """Registers a mutant: a function that runs one world with the bug, from a seed."""
    MUTANTS[make.__name__] = make
    return make


class Stormy(World):
    """A world with faults all the time, and at least five devices (fewer if the game has fewer seats)."""

    storm_probability = 1.0
    min_devices = 5


def run(seed: int, *patches: Any, game: str = "", world: type[World] = World, make: type[Device] = Device) -> World:
    """Runs a world with these patches applied. Raises `Violation` if an invariant does not hold."""
    for one in patches:
        one.start()
    try:
        return world(seed, game, make=make).run()
    finally:
        for one in patches:
            one.stop()


@mutant
def apply_before_commit(seed: int) -> object:
    keep = Raft._append_from

    def eager(self: Raft, start: int, entries: tuple[Entry, ...]) -> None:
        keep(self, start, entries)
        self.commit = self.log.last_index

    return run(seed, patch.object(Raft, "_append_from", eager), game="razzia", world=Stormy)


@mutant
def envelopes_are_not_deduplicated(seed: int) -> object:
    def offer(self: Raft, envelopes: Iterable[Envelope]) -> None:
        new = tuple(Entry(self.term, said) for said in envelopes)
        if self.role == LEADER and new:
            self._append_from(self.log.last_index + 1, new)
            self._advance_commit()
            for device in self.audience():
                self._send_log(device, heartbeat=0)

    return run(seed, patch.object(Raft, "append_offered", offer), game="razzia")


@mutant
def votes_for_an_outdated_log(seed: int) -> object:
    return run(seed, patch.object(Raft, "_is_up_to_date", lambda self, index, last: True), game="razzia", world=Stormy)


@mutant
def commits_with_half(seed: int) -> object:
    def half(self: Log, devices: Collection[int], index: int = 0) -> bool:
        return sum(voter in devices for voter in self.voters) >= max(1, len(self.voters) // 2)

    return run(seed, patch.object(Log, "is_majority", half), game="razzia")


@mutant
def the_outbox_is_not_stored(seed: int) -> object:
    class Forgets(Stormy):
        def record_to_store(self, node: Node, record: list[Any]) -> list[Any] | None:
            return None if record[0] == "out" else record

    return run(seed, game="razzia", world=Forgets)


@mutant
def the_vote_is_not_stored(seed: int) -> object:
    class Forgets(Stormy):
        def _schedule_faults(self) -> None:
            super()._schedule_faults()
            self.max_delay, self.timing = 600, Timing(election_min=1000, election_max=1300)
            for when in range(1000, self.heal_at, 3000):
                self.schedule(when, self._crash_leader)

        def record_to_store(self, node: Node, record: list[Any]) -> list[Any] | None:
            self.crash_on_vote = self.now < self.heal_at
            return None if record[0] == "term" else record

    return run(seed, game="razzia", world=Forgets)


@mutant
def the_store_forgets_entries(seed: int) -> object:
    class Forgets(Stormy):
        def record_to_store(self, node: Node, record: list[Any]) -> list[Any] | None:
            return None if record[0] == "log" and self.rnd.random() < 0.2 else record

    def add(self: Any, record: list[Any]) -> None:
        if record[0] != "log" or record[1] <= len(self.entries) + 1:
            plain(self, record)

    plain = Journal.add
    return run(seed, patch.object(Journal, "add", add), game="razzia", world=Forgets)


@mutant
def sends_before_it_stores(seed: int) -> object:
    class Hasty(Device):
        def take(self) -> list[Output]:
            outputs = super().take()
            return sorted(outputs, key=lambda one: isinstance(one, Store))

    class Writing(Stormy):
        def _schedule_faults(self) -> None:
            super()._schedule_faults()
            for when in range(1000, self.heal_at, 250):
                self.schedule(when, self._crash_on_next_write)

    return run(seed, game="razzia", world=Writing, make=Hasty)


@mutant
def the_outbox_is_emptied_when_sent(seed: int) -> object:
    offer = Device.offer

    def once(self: Device) -> None:
        offer(self)
        if self.raft.leader >= 0:
            self.outbox.signed = []

    return run(seed, patch.object(Device, "offer", once), game="razzia")


@mutant
def the_outbox_is_sent_once(seed: int) -> object:
    def tick(self: Device, now: int) -> None:
        self.resend_at = now + 10**8
        plain(self, now)

    plain = Device.tick
    return run(seed, patch.object(Device, "tick", tick), game="razzia")


@mutant
def both_of_two_may_go_on_alone(seed: int) -> object:
    class Apart(Movers):
        """A world with partitions so long that each of two devices takes the other for gone."""

        def _schedule_faults(self) -> None:
            super()._schedule_faults()
            for when in range(1000, self.heal_at, 6000):
                self.schedule(when, self._partition)

    def free(state: State, device: int, permits: object) -> bool:
        return True

    both = (patch.object(module, "given_away", free) for module in (game_pair, device_pair))
    return run(seed, *both, game="razzia", world=Apart)


@mutant
def signed_sightings_are_ignored(seed: int) -> object:
    return run(seed, patch.object(CatchUp, "_vouched_index", lambda self, frame: 0), game="razzia", world=Movers)


@mutant
def random_values_differ_between_devices(seed: int) -> object:
    own_rnd = Random(seed)
    return run(seed, patch.object(state, "rolled", lambda value, *names: own_rnd), game="razzia")


@mutant
def absent_devices_are_not_called_away(seed: int) -> object:
    class Lonely(World):
        def _schedule_faults(self) -> None:
            self.schedule(self.heal_at, self._heal)
            if self.size > 2:
                self.schedule(5000, lambda: self._lose(self.nodes[0]))

    return run(seed, patch.object(AwayVotes, "owed", lambda self: ()), game="razzia", world=Lonely)


@mutant
def a_false_chain_link_is_accepted(seed: int) -> object:
    before = coin.Chain.before
    return run(
        seed,
        patch.object(coin.Coins, "give", _gullible),
        patch.object(coin.Chain, "before", lambda self, known: before(self, known) and self.links[0]),
        game="razzia",
    )


def _gullible(self: coin.Coins, device: int, number: int, link: str) -> None:
    if self.coin is not None and device in self.coin.missing():
        self.coin.links[device] = link


@mutant
def the_deal_ignores_the_coin(seed: int) -> object:
    honest = dealing.draw

    def choose(secret: bytes, mixed: bytes, question: Any, table: Any, number: int) -> Any:
        return honest(secret, b"", question, table, number)

    deal = dealing.deal

    def dealt(*args: Any) -> Any:
        with patch.object(dealing, "draw", choose):
            return deal(*args)

    return run(seed, patch.object(dealer, "deal", dealt), game="bars")


@mutant
def private_cards_go_to_the_next_seat(seed: int) -> object:
    rows = views.private_rows

    def neighbour(game_state: Any, *args: Any) -> Any:
        rows_by_device = rows(game_state, *args)
        return {
            device: [[o, (s + 1) % len(game_state.places), r] for o, s, r in these]
            for device, these in rows_by_device.items()
        }

    return run(seed, patch.object(dealing, "private_rows", neighbour), game="bars")


@mutant
def the_leader_mutes_silently(seed: int) -> object:
    def silent(self: Device) -> Hi:
        return plain(self)._replace(muted=())

    plain = Device._hi
    return run(seed, patch.object(Device, "_hi", silent), game="razzia", world=Whisperers)


@mutant
def refusals_are_believed_from_anybody(seed: int) -> object:
    def believe(self: Device, sender: int, frame: No) -> None:
        self.put(NotTaken(frame.counter, frame.reason))

    return run(seed, patch.object(Device, "_on_no", believe), game="razzia", world=Saboteurs)


@mutant
def a_leader_that_takes_nothing_stays(seed: int) -> object:
    return run(seed, patch.object(Starvation, "follow", lambda self: None), game="razzia", world=Starvers)


@mutant
def a_person_may_think_for_ever(seed: int) -> object:
    def patient(self: BotVotes, seat: int) -> object:
        reason = plain(self, seat)
        return None if reason == "thinking" else reason

    plain = BotVotes.reason
    return run(seed, patch.object(BotVotes, "reason", patient), game="razzia", world=Thinkers)


@mutant
def discredited_answers_block_the_seat(seed: int) -> object:
    def blocked(self: State, seat: int, device: int) -> bool:
        return sum(one.seat == seat for one in self.objections) < MAX_OBJECTIONS

    return run(seed, patch.object(State, "believes", blocked), world=Discredited)


@mutant
def the_dealer_never_objects(seed: int) -> object:
    def nothing(self: DealerDuties) -> Iterator[Body]:
        self.private.false_entry = None
        return plain(self)

    plain = DealerDuties.owed
    return run(seed, patch.object(DealerDuties, "owed", nothing), world=Liars)
