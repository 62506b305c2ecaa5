"""Whole tables: devices vanish, come back, or take over seats, and hidden information stays hidden."""

from __future__ import annotations

import json
import zlib
from itertools import pairwise
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from engine import GAMES
from engine.core import NATURE, Nonsense, Refused
from peer.crypto.keys import PlainKeys, derive, plain_verify
from peer.crypto.sealed import padded, seal
from peer.crypto.shamir import fingerprint, split
from peer.device import dealer
from peer.device.device import Device, Snapshot
from peer.device.journal import Journal
from peer.game import setup
from peer.game.coin import Chain, Coins, Pledge, pledge_secret
from peer.game.state import State
from peer.game.types import hash_of
from peer.game.views import PrivateViews
from peer.order.outputs import OwnRefused
from peer.order.raft import LEADER
from peer.wire import bodies, frames
from tests.engine.anything import WITH_SECRETS
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.invariants import Violation
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import World


def device_of(node: Node) -> Device:
    assert node.device is not None
    return node.device


class Three(World):
    """A calm table of three devices or more."""

    min_devices = 3


def bodies_in_log(world: World) -> list[bodies.Body]:
    """Returns the bodies in the first device's log; none while that device does not run."""
    device = world.nodes[0].device
    return [entry.envelope.body for entry in device.log.entries] if device is not None else []


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_to_its_end(name: str) -> None:
    world = Three(1, name, calm=True).run()
    assert world.refusals == {}
    assert [tell for _, tell in world.tells if isinstance(tell, OwnRefused)] == []


@pytest.mark.parametrize("name", GAMES)
def test_the_table_goes_on_five_seconds_after_its_leader_and_dealer_vanished(name: str) -> None:
    class Bereft(Three):
        went = back = 0

        def _schedule_faults(self) -> None:
            self.storm = self.restless = False
            self.drop = self.duplicate = 0
            self.max_delay = 40
            self.heal_at = 6000
            self.schedule(6000, self._go)

        def _go(self) -> None:
            if any(device_of(node).state.public.over for node in self.nodes):
                pytest.skip("the game is over by then")
            self.went = self.now
            self.before = max(self.heads)
            self._lose(self._leader_node())

        def _check_committed(self, node: Node, device: Device) -> None:
            super()._check_committed(node, device)
            if self.went and not self.back and device.raft.role == LEADER and device.applied > self.before + 1:
                self.back = self.now

    world = Bereft(2, name).run()
    assert world.went
    assert 0 < world.back - world.went <= 5000


@pytest.mark.parametrize(
    ("name", "tossed"),
    [
        ("bars", {"bars.note", "bars.duel"}),
        ("sicilianos", {"sicilianos.dice", "sicilianos.starter"}),
        ("thieves", {"thieves.first"}),
    ],
)
def test_public_outcomes_come_from_coins_even_where_hands_are_hidden(name: str, tossed: set[str]) -> None:
    """Otherwise the dealer would know every die before it is thrown."""
    state = device_of(Three(2, name, calm=True).run().nodes[0]).state
    session, by_coin, by_dealer = state.setup.session(), set(), set()
    for seat, answer in (played.entry for played in state.public.entries):
        sealed = state.public.entries[len(session.log)].sealed
        if seat == NATURE:
            (by_coin if sealed is None else by_dealer).add(session.question.key)
        session.do(seat, answer)
    assert tossed <= by_coin
    assert by_dealer
    assert not tossed & by_dealer


def test_a_dealer_that_hands_over_nonsense_breaks_nothing() -> None:
    """Once, it raised where the log is applied, and again after every reload."""

    def nonsense(state: State, private: PrivateViews, seat: int, place: str) -> bodies.HandOver:
        owed = state.owed_hand_overs[seat]
        content = zlib.compress(json.dumps([[0, ["nonsense"]]]).encode())
        key = private.role_keys.shared(state.devices[owed.device].seal_key)
        box = seal(key, f"{place}/{owed.device}", padded(content, 512))
        return bodies.HandOver(seat, owed.log_index, ((owed.device, box),))

    class Given(Three):
        def give(self) -> None:
            if len(device_of(self.nodes[1]).state.public.entries) < 12:
                self.schedule(self.now + 100, self.give)
                return
            device_of(self.nodes[1]).give_seat(self.setup.places.index(setup.Place("person", 1)), "person", 2)
            self.process(self.nodes[1])

    world = Given(3, "thieves", calm=True)
    world.schedule(1000, world.give)
    with patch.object(dealer, "hand_over", nonsense), pytest.raises(Violation, match="HandUnreadable"):
        world.run()
    assert world.refusals == {}
    node = world.nodes[2]
    again = Device(node.keys, world.setup, Random(1), world.now, snapshot=node.disk.snapshot())
    assert again.state.public.over


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", WITH_SECRETS)
def test_two_deals_that_differ_only_in_hidden_cards_look_the_same(name: str) -> None:
    """For a device that may not see a card, both deals have equal rows, and boxes of equal length."""

    def first_deal(salt: int) -> tuple[Any, list[tuple[int, int]], str]:
        with patch.object(dealer, "derive", lambda *names: derive(*names, salt)):
            world = Three(4, name, calm=True)
            world.run_until(lambda: any(isinstance(body, bodies.Deal) for body in bodies_in_log(world)))
        deal = next(body for body in bodies_in_log(world) if isinstance(body, bodies.Deal))
        return (deal.start, deal.rows), [(to, len(box)) for to, box in deal.boxes], str(deal.boxes)

    deals = [first_deal(salt) for salt in range(4)]
    by_rows = {json.dumps(rows): sizes for rows, sizes, _ in deals}
    assert [by_rows[json.dumps(rows)] for rows, _, _ in deals] == [sizes for _, sizes, _ in deals]
    assert len({boxes for _, _, boxes in deals}) == len(deals)


def test_a_deal_longer_than_one_envelope_comes_in_several() -> None:
    class Full(World):
        min_devices = 8

    def one_deal_follows_another() -> bool:
        return (bodies.Deal, bodies.Deal) in pairwise(type(body) for body in bodies_in_log(world))

    world = Full(1, "bars", calm=True)
    assert world.size == 8
    world.run_until(one_deal_follows_another)
    assert one_deal_follows_another()


def test_a_rejoin_link_moves_a_seat_to_another_device() -> None:
    token = "k" * 43
    name = WITH_SECRETS[0]

    class Moving(Three):
        def _setup(self, *args: Any) -> setup.Setup:
            return super()._setup(*args)._replace(claims=((hash_of(token), 0),))

        def move(self) -> None:
            device = device_of(self.nodes[1])
            number = len(device.state.devices)
            keys = FakeKeys(b"new" * 11, self.keyring)
            self.nodes.append(Node(number, keys))
            self.size += 1
            device.author(bodies.Join(number, keys.verify_key, keys.seal_key))
            self.process(self.nodes[1])
            self.boot(self.nodes[-1])
            device_of(self.nodes[-1]).claim_tokens = (token,)

    world = Moving(6, name, calm=True)
    world.schedule(4000, world.move)
    world.run()
    new = device_of(world.nodes[-1])
    assert new.state.places[0] == setup.Place("person", new.me)
    assert 0 in new.private.views
    assert any(
        entry.envelope.author == new.me and isinstance(entry.envelope.body, bodies.Do) for entry in new.log.entries
    )
    assert 0 not in device_of(world.nodes[world.setup.places[0].device]).private.views


def test_with_two_devices_both_are_needed() -> None:
    world = World(10, "razzia", calm=True)
    assert world.size == 2
    world.schedule(3000, lambda: world._lose(world.nodes[0]))
    with pytest.raises(AssertionError, match="stuck"):
        world.run()
    assert world.nodes[1].device is not None
    assert not world.nodes[1].device.state.public.over


def test_a_game_is_played_with_real_signatures() -> None:
    """One world with real signatures: the same algorithms as in the page."""

    class Signed(World):
        def __init__(self, seed: int) -> None:
            super().__init__(seed, "razzia", calm=True)
            keys = [PlainKeys(node.keys.secret) for node in self.nodes]
            for node, key in zip(self.nodes, keys, strict=True):
                node.keys = key  # type: ignore[assignment]
            members = tuple(setup.Member(key.verify_key, key.seal_key) for key in keys)
            self.setup = self.setup._replace(devices=members)
            self.mark, self.verify = self.setup.mark, plain_verify

    world = Signed(26).run()  # a short game: real signatures are slow
    assert world.refusals == {}


def test_a_setup_of_an_earlier_protocol_counts_the_seats_in_answers_from_1() -> None:
    today = World(1).setup
    before = today._replace(first_seat=1)
    assert json.loads(before.text) == json.loads(today.text)[:-2]
    assert setup.read(before.text) == before
    assert [one.session().first_seat for one in (today, before)] == [0, 1]


def test_setups_are_read_strictly() -> None:
    world = World(1)
    text = world.setup.text
    assert setup.read(text) == world.setup
    rnd = Random(1)
    refused = 0
    for _ in range(300):
        other = json.loads(text)
        other[rnd.randrange(len(other))] = rnd.choice((None, -1, "x", [], [[]], {}, {"a": 1}, "razzia", 10**9))
        try:
            found = setup.read(json.dumps(other))
        except (Nonsense, Refused):
            refused += 1
        else:
            assert json.loads(found.text) == other
    assert refused > 200


def test_a_damaged_store_is_refused() -> None:
    journal = Journal()
    for bad in (None, [], {}, ["what"], ["term", -5, 0], ["log", 5, [], 0], ["log", 1, [[1, "x", "y"]], 0], ["out"]):
        with pytest.raises(Nonsense):
            journal.add(bad)
    assert journal.snapshot() == Snapshot()


# The joint coin


def pledge_chain(coins: Coins, device: int, number: int = 0) -> Chain:
    secret = pledge_secret(bytes([device]) * 32, "table", number)
    chain = Chain(secret, 5)
    coins.pledge(device, Pledge(number, chain.tip, fingerprint(secret), {}, (device, 1)))
    return chain


def test_a_coin_needs_the_right_link_of_every_device() -> None:
    coins = Coins(range(3))
    assert coins.unpledged() == [0, 1, 2]
    chains = [pledge_chain(coins, device) for device in range(3)]
    coins.start_coin("head")
    for device in (2, 0):
        link = chains[device].before(coins.pledges[device])
        assert link is not None
        coins.give(device, 0, link)
    assert coins.take_value() is None
    with pytest.raises(Refused, match=r"net\.coin\.link"):
        coins.give(1, 0, chains[0].links[3])
    with pytest.raises(Refused, match=r"net\.coin\.not_asked"):
        coins.give(0, 0, chains[0].links[3])
    coins.give(1, 0, chains[1].links[4])
    assert coins.take_value() is not None


def test_a_coin_is_the_same_whether_its_last_device_answers_or_is_called_away() -> None:
    """So withholding a link does not change the outcome."""
    values = []
    for answers in (True, False):
        coins = Coins(range(3))
        chains = [pledge_chain(coins, device) for device in range(3)]
        coins.start_coin("head")
        coins.give(0, 0, chains[0].links[4])
        coins.give(1, 0, chains[1].links[4])
        if answers:
            coins.give(2, 0, chains[2].links[4])
        else:
            shares = split(chains[2].secret, (0, 1, 2), 2, "place")
            coins.call_away(2)
            coins.add_share(2, 0, shares[0], 2, 2)
            coins.add_share(2, 1, shares[1], 2, 2)
            assert coins.called_away == {2}
        values.append(coins.take_value())
    assert values[0] == values[1] is not None


def test_a_device_with_false_shares_is_reported_and_left_out() -> None:
    coins = Coins(range(3))
    chains = [pledge_chain(coins, device) for device in range(3)]
    coins.start_coin("head")
    coins.give(0, 0, chains[0].links[4])
    coins.give(1, 0, chains[1].links[4])
    coins.call_away(2)
    coins.add_share(2, 0, b"\1" * 32, 2, 2)
    coins.add_share(2, 1, b"\2" * 32, 2, 2)
    assert coins.false_pledges == {2}
    assert coins.take_value() is not None


def test_devices_that_can_still_complete_a_coin_are_named() -> None:
    """Three of five are called away, and two shares of each secret are too few. Once, no device was named then."""
    coins = Coins(range(5))
    chains = [pledge_chain(coins, device) for device in range(5)]
    coins.start_coin("head")
    for device in (0, 1):
        coins.give(device, 0, chains[device].links[4])
    assert coins.blocking_devices() == []
    for device in (2, 3, 4):
        coins.pledges[device].shares.update(dict.fromkeys(range(5), "sealed"))
        coins.call_away(device)
    assert coins.blocking_devices() == [0, 1]
    shares = {device: split(chains[device].secret, range(5), 3, "place") for device in (2, 3, 4)}
    for device in (2, 3, 4):
        for by in (0, 1):
            coins.add_share(device, by, shares[device][by], 3, 2)
    assert coins.blocking_devices() == [2, 3, 4]
    coins.add_share(3, 2, shares[3][2], 3, 2)
    assert coins.blocking_devices() == [2, 4]


def test_a_cancelled_coin_uses_no_link_twice() -> None:
    """Nor a link that was only asked for: the leader knows it before the next coin is asked for, and could vary its own
    answers until that coin has the outcome it wants.
    """
    coins = Coins(range(2))
    chains = [pledge_chain(coins, device) for device in range(2)]
    coins.start_coin("head")
    coins.give(0, 0, chains[0].links[4])
    coins.close()
    coins.start_coin("again")
    for device in (0, 1):
        with pytest.raises(Refused, match=r"net\.coin\.not_asked"):
            coins.give(device, 0, chains[device].links[3])
        with pytest.raises(Refused, match=r"net\.coin\.link"):
            coins.give(device, 1, chains[device].links[4])
        assert chains[device].before(coins.pledges[device]) == chains[device].links[3]
        coins.give(device, 1, chains[device].links[3])
    assert coins.take_value() is not None
    assert [pledge.skipped for pledge in coins.pledges.values()] == [0, 0]


def test_skipped_links_are_skipped_in_a_recovered_chain_too() -> None:
    coins = Coins(range(3))
    chains = [pledge_chain(coins, device) for device in range(3)]
    coins.start_coin("head")
    coins.close()
    coins.start_coin("again")
    shares = split(chains[2].secret, (0, 1, 2), 2, "place")
    coins.call_away(2)
    coins.add_share(2, 0, shares[0], 2, 2)
    coins.add_share(2, 1, shares[1], 2, 2)
    assert coins.coin is not None
    assert coins.coin.links[2] == chains[2].links[3]


def test_a_device_that_was_called_away_pledges_again_before_the_next_coin() -> None:
    """The devices that were given the shares may know the links of its former pledge."""
    coins = Coins(range(3))
    chains = [pledge_chain(coins, device) for device in range(3)]
    coins.start_coin("head")
    coins.call_away(2)
    for device, chain in enumerate(chains):
        coins.give(device, 0, chain.links[4])
    assert coins.take_value() is not None
    assert coins.unpledged() == [2]
    pledge_chain(coins, 2, 1)
    assert coins.unpledged() == []


def test_frames_are_written_as_they_are_read() -> None:
    world = World(3, calm=True)
    seen: list[bytes] = []
    send = world.send

    def listen(sender: int, to: int, data: bytes) -> None:
        seen.append(data)
        send(sender, to, data)

    world.send = listen  # type: ignore[method-assign]
    world.run()
    for data in seen:
        assert frames.write(frames.read(data, world.mark), world.mark) == data
        assert len(data) <= 16_384
