"""Vote changes of a leader: followers do not take one that can never be carried out."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import Refused
from peer.device.border import Border
from peer.game.setup import Setup
from peer.game.state import State
from peer.game.types import hash_of, vow_of
from peer.order.raft import LEADER
from peer.wire import frames
from peer.wire.envelope import Entry
from peer.wire.frames import Log
from tests.peer.device.test_hostile_frames import said_by
from tests.peer.device.test_whole_tables import Three, device_of
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import World


class Given(Three):
    """A world in which the seats of the first device can be claimed with rejoin tokens."""

    def _setup(self, name: str, seats: int, keys: list[FakeKeys]) -> Setup:
        laid = super()._setup(name, seats, keys)
        own = [seat for seat, place in enumerate(laid.places) if place.device == 0]
        self.tokens = [str(seat) * 43 for seat in own]
        return laid._replace(claims=tuple((hash_of(token), int(token[0])) for token in self.tokens))


def follower(make: type[Three] = Three) -> tuple[Three, Node, Node]:
    """Returns a finished world, its leader, and a follower."""
    world = make(1, "razzia", calm=True).run()
    host = next(node for node in world.nodes if device_of(node).raft.role == LEADER)
    return world, host, next(node for node in world.nodes if node is not host)


def host_says(world: World, host: Node, node: Node, *said: tuple[str, Any], commit: int = 0) -> Log:
    """Returns a `log` frame with these entries of the leader. All entries before them are committed."""
    log, raft = device_of(node).log, device_of(host).raft
    counter = log.counters.get(host.number, 0)
    words = [said_by(world, host, counter + more, kind, body) for more, (kind, body) in enumerate(said, 1)]
    entries = tuple(Entry(raft.term, one) for one in words)
    return Log(raft.term, log.last, log.heads[-1], log.last + commit, 9, (), entries)


@pytest.mark.parametrize("voters", [(31,), (0, 1), (3, 2, 1, 0), (0, 1, 2, 3, 4)])
def test_a_host_could_leave_a_table_at_which_nobody_can_ever_decide(voters: tuple[int, ...]) -> None:
    world, host, node = follower()
    device = device_of(node)
    last = device.log.last
    with pytest.raises(Refused, match=r"net\.stale"):
        device.receive(host.number, host_says(world, host, node, ("start", ()), ("votes", (last + 2, voters))), 0)
    assert (device.log.last, device.log.pending, device.log.everybody) == (last + 1, [], (0, 1, 2, 3))


def test_what_is_committed_is_taken_and_comes_to_nothing_there() -> None:
    world, host, node = follower()
    device = device_of(node)
    last = device.log.last
    frame = host_says(world, host, node, ("votes", (last + 1, (31,))), commit=1)
    device.receive(host.number, frame, 0)
    assert (device.applied, device.log.pending, device.state.voters) == (last + 1, [], device.state.due_votes)


def test_a_bad_vote_hid_behind_a_good_one() -> None:
    world, host, node = follower()
    device = device_of(node)
    last = device.log.last
    votes = [("votes", (last + place, voters)) for place, voters in ((1, (0, 1, 2, 3)), (2, (31,)))]
    with pytest.raises(Refused, match=r"net\.stale"):
        device.receive(host.number, host_says(world, host, node, *votes), 0)
    assert (device.log.last, device.log.everybody) == (last + 1, (0, 1, 2, 3))


def test_a_bad_vote_hid_behind_one_that_is_committed() -> None:
    world, host, node = follower()
    device = device_of(node)
    last = device.log.last
    votes = [("votes", (last + place, voters)) for place, voters in ((1, (0, 1, 2, 3)), (2, (31,)))]
    both = host_says(world, host, node, *votes)
    device.receive(host.number, both._replace(entries=both.entries[:1], commit=last + 1), 0)
    assert device.applied == last + 1
    with pytest.raises(Refused, match=r"net\.stale"):
        device.receive(host.number, both, 0)
    assert (device.log.last, device.log.everybody) == (last + 1, (0, 1, 2, 3))


def test_a_vow_of_a_device_that_was_never_let_in_broke_the_next_claim() -> None:
    world, host, node = follower(Given)
    assert isinstance(world, Given)
    log, known = device_of(node).log, device_of(node).state.devices[1]
    term, last, evil = device_of(host).raft.term, log.last, Node(31, FakeKeys(b"evil" * 8, world.ring))
    vow = ([vow_of(token, known) for token in world.tokens],)
    claim = ([[token, hash_of(token)[::-1]] for token in world.tokens],)
    words = [
        said_by(world, evil, 1, "join", (31, evil.keys.verify_key, evil.keys.seal_key)),
        said_by(world, evil, 2, "vow", (["a" * 43],)),
        said_by(world, world.nodes[1], log.counters[1] + 1, "vow", vow),
        said_by(world, world.nodes[1], log.counters[1] + 2, "claim", claim),
    ]
    frame = Log(term, last, log.heads[-1], last + 4, 9, (), tuple(Entry(term, one) for one in words))
    border = Border(device_of(node), world.verify)
    assert border.receive(host.number, frames.write(frame, world.mark), 0) == ""
    assert {device_of(node).state.homes[int(token[0])] for token in world.tokens} == {1}


def test_a_vote_that_is_right_after_what_comes_with_it_is_taken() -> None:
    """The seats of a device go to another one; those entries are applied first."""
    world, host, node = follower(Given)
    assert isinstance(world, Given)
    to = world.nodes[1]
    log, known = device_of(node).log, device_of(node).state.devices[1]
    vow = [vow_of(token, known) for token in world.tokens]
    claim = [[token, hash_of(token)[::-1]] for token in world.tokens]
    counter = log.counters[1]
    words = [said_by(world, to, counter + 1, "vow", (vow,)), said_by(world, to, counter + 2, "claim", (claim,))]
    own = log.counters[host.number] + (2 if host is to else 0) + 1
    words.append(said_by(world, host, own, "votes", (log.last + 3, (1, 2, 3))))
    term, last = device_of(host).raft.term, log.last
    entries = tuple(Entry(term, one) for one in words)
    device_of(node).receive(host.number, Log(term, last, log.heads[-1], last + 2, 9, (), entries), 0)
    assert [place for place, _ in log.pending] == [log.last] == [last + 3]


def test_one_of_two_says_that_it_goes_on_alone_without_leave() -> None:
    seed = next(seed for seed in range(99) if World(seed, "razzia", calm=True).size == 2)
    world = World(seed, "razzia", calm=True).run()
    host = next(node for node in world.nodes if device_of(node).raft.role == LEADER)
    node = world.nodes[1 - host.number]
    log = device_of(node).log
    with pytest.raises(Refused, match=r"net\.stale"):
        device_of(node).receive(host.number, host_says(world, host, node, ("alone", (log.last + 1, [], []))), 0)
    assert (log.pending, log.everybody) == ([], (0, 1))


def test_a_dealer_s_promise_was_shared_among_those_who_voted_before() -> None:
    """Once, the dealer then left, and too few devices with shares remained."""
    world = Three(1, "sicilianos", calm=True).run()
    log, state = device_of(world.nodes[0]).log, State(world.setup)
    for index, entry in enumerate(log.entries, 1):
        said = entry.envelope
        if said.kind == "deck":
            break
        state.apply(entry, log.heads[index], honest=True)
    lock, proof, boxes = said.body
    few = said_by(world, world.nodes[said.author], said.counter, "deck", (lock, proof, boxes[1:]))
    assert state.apply(Entry(1, few), state.head, honest=True).reason == "net.stale"
    again = said_by(world, world.nodes[said.author], said.counter + 1, "deck", said.body)
    assert state.apply(Entry(1, again), state.head, honest=True).reason == ""
