"""Vote changes of a leader: followers do not take one that can never be carried out."""

from __future__ import annotations

from functools import cache

import pytest

from engine.core import Nonsense
from peer.device.border import Border
from peer.game.setup import Setup
from peer.game.state import State
from peer.game.types import hash_of, vow_of
from peer.order.raft import LEADER
from peer.wire import bodies, frames
from peer.wire.envelope import Entry
from peer.wire.frames import Log
from tests.peer.device.test_hostile_frames import signed_envelope
from tests.peer.device.test_whole_tables import Three, bodies_in_log, device_of
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import World, copy_of


class ClaimableSeats(Three):
    """A world in which the seats of the first device can be claimed with rejoin tokens."""

    def _setup(self, name: str, seats: int, keys: list[FakeKeys]) -> Setup:
        laid = super()._setup(name, seats, keys)
        own = [seat for seat, place in enumerate(laid.places) if place.device == 0]
        self.tokens = [str(seat) * 43 for seat in own]
        return laid._replace(claims=tuple((hash_of(token), int(token[0])) for token in self.tokens))


@cache
def finished_world(make: type[Three]) -> Three:
    return make(1, "razzia", calm=True).run()


def leader_and_follower(make: type[Three] = Three) -> tuple[Three, Node, Node]:
    """Returns a copy of a finished world, its leader, and a follower."""
    world = copy_of(finished_world(make))
    leader = next(node for node in world.nodes if device_of(node).raft.role == LEADER)
    return world, leader, next(node for node in world.nodes if node is not leader)


def leader_frame(world: World, leader: Node, node: Node, *authored: bodies.Body, commit: int = 0) -> Log:
    """Returns a `log` frame with these entries of the leader. All entries before them are committed."""
    log, raft = device_of(node).log, device_of(leader).raft
    counter = log.counters.get(leader.number, 0)
    envelopes = [signed_envelope(world, leader, counter + more, body) for more, body in enumerate(authored, 1)]
    entries = tuple(Entry(raft.term, one) for one in envelopes)
    return Log(raft.term, log.last_index, log.heads[-1], log.last_index + commit, 9, (), entries)


@pytest.mark.parametrize("voters", [(31,), (0, 1), (3, 2, 1, 0), (0, 1, 2, 3, 4)])
def test_a_vote_change_that_leaves_no_possible_majority_is_refused(voters: tuple[int, ...]) -> None:
    world, host, node = leader_and_follower()
    device = device_of(node)
    last = device.log.last_index
    with pytest.raises(Nonsense, match=r"net\.stale"):
        device.receive(host.number, leader_frame(world, host, node, bodies.Start(), bodies.Votes(last + 2, voters)), 0)
    assert (device.log.last_index, device.log.pending_changes, device.log.all_voters) == (last + 1, [], (0, 1, 2, 3))


def test_a_committed_bad_vote_change_is_appended_and_has_no_effect() -> None:
    world, host, node = leader_and_follower()
    device = device_of(node)
    last = device.log.last_index
    frame = leader_frame(world, host, node, bodies.Votes(last + 1, (31,)), commit=1)
    device.receive(host.number, frame, 0)
    assert (device.applied, device.log.pending_changes, device.state.voters) == (
        last + 1,
        [],
        device.state.future_voters,
    )


def test_a_bad_vote_change_after_a_good_one_is_refused() -> None:
    world, host, node = leader_and_follower()
    device = device_of(node)
    last = device.log.last_index
    votes = [bodies.Votes(last + place, voters) for place, voters in ((1, (0, 1, 2, 3)), (2, (31,)))]
    with pytest.raises(Nonsense, match=r"net\.stale"):
        device.receive(host.number, leader_frame(world, host, node, *votes), 0)
    assert (device.log.last_index, device.log.all_voters) == (last + 1, (0, 1, 2, 3))


def test_a_bad_vote_change_after_a_committed_one_is_refused() -> None:
    world, host, node = leader_and_follower()
    device = device_of(node)
    last = device.log.last_index
    votes = [bodies.Votes(last + place, voters) for place, voters in ((1, (0, 1, 2, 3)), (2, (31,)))]
    both = leader_frame(world, host, node, *votes)
    device.receive(host.number, both._replace(entries=both.entries[:1], commit=last + 1), 0)
    assert device.applied == last + 1
    with pytest.raises(Nonsense, match=r"net\.stale"):
        device.receive(host.number, both, 0)
    assert (device.log.last_index, device.log.all_voters) == (last + 1, (0, 1, 2, 3))


def test_a_vow_of_an_unknown_device_does_not_break_the_next_claim() -> None:
    world, host, node = leader_and_follower(ClaimableSeats)
    assert isinstance(world, ClaimableSeats)
    log, known = device_of(node).log, device_of(node).state.devices[1]
    term, last, evil = device_of(host).raft.term, log.last_index, Node(31, FakeKeys(b"evil" * 8, world.keyring))
    vow = bodies.Vow(tuple(vow_of(token, known) for token in world.tokens))
    claim = bodies.Claim(tuple((token, hash_of(token)[::-1]) for token in world.tokens))
    words = [
        signed_envelope(world, evil, 1, bodies.Join(31, evil.keys.verify_key, evil.keys.seal_key)),
        signed_envelope(world, evil, 2, bodies.Vow(("a" * 43,))),
        signed_envelope(world, world.nodes[1], log.counters[1] + 1, vow),
        signed_envelope(world, world.nodes[1], log.counters[1] + 2, claim),
    ]
    frame = Log(term, last, log.heads[-1], last + 4, 9, (), tuple(Entry(term, one) for one in words))
    border = Border(device_of(node), world.verify)
    assert border.receive(host.number, frames.write(frame, world.mark), 0) == ""
    assert {device_of(node).state.homes[int(token[0])] for token in world.tokens} == {1}


def test_a_vote_change_that_is_right_after_earlier_entries_of_its_frame_is_taken() -> None:
    """The seats of a device go to another one; those entries are applied first."""
    world, host, node = leader_and_follower(ClaimableSeats)
    assert isinstance(world, ClaimableSeats)
    to = world.nodes[1]
    log, known = device_of(node).log, device_of(node).state.devices[1]
    vow = bodies.Vow(tuple(vow_of(token, known) for token in world.tokens))
    claim = bodies.Claim(tuple((token, hash_of(token)[::-1]) for token in world.tokens))
    counter = log.counters[1]
    words = [
        signed_envelope(world, to, counter + 1, vow),
        signed_envelope(world, to, counter + 2, claim),
    ]
    own = log.counters[host.number] + (2 if host is to else 0) + 1
    words.append(signed_envelope(world, host, own, bodies.Votes(log.last_index + 3, (1, 2, 3))))
    term, last = device_of(host).raft.term, log.last_index
    entries = tuple(Entry(term, one) for one in words)
    device_of(node).receive(host.number, Log(term, last, log.heads[-1], last + 2, 9, (), entries), 0)
    assert [place for place, _ in log.pending_changes] == [log.last_index] == [last + 3]


def test_going_on_alone_without_a_permit_is_refused() -> None:
    seed = next(seed for seed in range(99) if World(seed, "razzia", calm=True).size == 2)
    world = World(seed, "razzia", calm=True).run()
    host = next(node for node in world.nodes if device_of(node).raft.role == LEADER)
    node = world.nodes[1 - host.number]
    log = device_of(node).log
    with pytest.raises(Nonsense, match=r"net\.stale"):
        device_of(node).receive(
            host.number, leader_frame(world, host, node, bodies.Alone(log.last_index + 1, (), ())), 0
        )
    assert (log.pending_changes, log.all_voters) == ([], (0, 1))


def test_a_promise_with_shares_for_former_voters_is_refused() -> None:
    """Once, the dealer then left, and too few devices with shares remained."""
    world = Three(1, "sicilianos", calm=True)
    world.run_until(lambda: any(isinstance(body, bodies.Deck) for body in bodies_in_log(world)))
    log, state = device_of(world.nodes[0]).log, State(world.setup)
    for index, entry in enumerate(log.entries, 1):
        said = entry.envelope
        if isinstance(said.body, bodies.Deck):
            break
        state.apply(entry, log.heads[index], honest=True)
    assert isinstance(said.body, bodies.Deck)
    deck = said.body._replace(shares=said.body.shares[1:])
    few = signed_envelope(world, world.nodes[said.author], said.counter, deck)
    assert state.apply(Entry(1, few), state.head, honest=True).reason == "net.stale"
    again = signed_envelope(world, world.nodes[said.author], said.counter + 1, said.body)
    assert state.apply(Entry(1, again), state.head, honest=True).reason == ""
