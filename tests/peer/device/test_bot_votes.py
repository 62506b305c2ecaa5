"""Entries about who plays a seat, objections and false leaders: one device cannot hold up a table of three or more."""

from __future__ import annotations

import json

import pytest

from engine.core import Nonsense
from peer.device.starvation import STARVED_AFTER, Starvation
from peer.game.public import PublicEntry
from peer.game.setup import DEFAULT_PATIENCE, Place
from peer.game.setup import read as read_setup
from peer.game.state import MAX_OBJECTIONS, State
from peer.game.types import Objection
from peer.order.raft import FOLLOWER, LEADER, NOBODY
from peer.wire import bodies, frames
from peer.wire.frames import PROTOCOL, Ask, Hi, Log, Vote
from tests.peer.device.test_lying import is_late_answer, next_entry, refusal, run_until_late, state_after
from tests.peer.device.test_whole_tables import Three, device_of
from tests.peer.order.test_raft import ORIGIN, RecordingRaft, make_envelope
from tests.peer.simulation.world import World


class Late:
    """The state in the middle of a game of three devices, and the seat of a device that is not the dealer."""

    def __init__(self) -> None:
        self.world: World = run_until_late(Three(1, "sicilianos", calm=True))
        self.state, _ = state_after(self.world, is_late_answer)
        self.owner = next(device for device in self.state.voters if device != self.state.dealer)
        self.others = [device for device in self.state.voters if device != self.owner]
        self.seat = self.state.homes.index(self.owner)

    def enter(self, author: int, body: bodies.Body) -> str:
        """Applies an envelope. Returns the reason if it was refused, else an empty string."""
        return refusal(self.state, next_entry(self.world, self.state, author, body))

    def vote(self, device: int) -> list[str]:
        """Lets a majority vote for a bot on that device."""
        return [
            self.enter(other, bodies.Seat(self.seat, "bot", device)) for other in self.others[: self.state.majority]
        ]


@pytest.fixture
def late() -> Late:
    return Late()


def test_a_device_that_says_it_is_there_withdraws_no_votes_of_others(late: Late) -> None:
    """Regression: a device that was heard, and whose person never answered, held up the table for good."""
    first = late.others[0]
    assert late.enter(first, bodies.Seat(late.seat, "bot", first)) == ""
    assert late.enter(late.owner, bodies.Seat(late.seat, "person", late.owner)) == ""
    assert late.state.wishes[late.seat] == {first: Place("bot", first)}


def test_a_seat_can_be_taken_back_from_voted_bots_once_before_the_game_goes_on(late: Late) -> None:
    back = bodies.Seat(late.seat, "person", late.owner)
    elsewhere = late.others[0]
    assert late.vote(late.owner) == [""] * late.state.majority
    assert late.enter(late.owner, back) == ""
    assert late.vote(elsewhere) == [""] * late.state.majority
    assert late.state.places[late.seat] == Place("bot", elsewhere)
    assert late.enter(late.owner, back) == "net.bot_answers_first"
    late.state.public.entries.append(PublicEntry((late.seat, ("roll",)), None))
    assert late.enter(late.owner, back) == ""
    assert late.state.places[late.seat] == Place("person", late.owner)


def test_a_rejoin_link_gives_the_seat_but_not_the_turn_that_a_bot_answers_first(late: Late) -> None:
    elsewhere, newcomer, *_ = late.others
    for device in (late.owner, elsewhere):
        late.vote(device)
    late.state.claim_seat(late.seat, newcomer)
    assert late.state.homes[late.seat] == newcomer
    assert late.state.places[late.seat] == Place("bot", elsewhere)


def test_bots_follow_the_seats_of_their_device_a_second_time(late: Late) -> None:
    """Regression: bots that had moved along once counted as seats of people, and stayed behind the next time."""
    state = State(late.world.setup._replace(places=(Place("person", 0), Place("bot", 0), *late.world.setup.places[2:])))
    state.homes = [0, 0, *state.homes[2:]]
    assert [state.belongs_to_person(seat) for seat in (0, 1)] == [True, False]
    state.homes[1] = 2
    assert not state.belongs_to_person(1)
    state.claim_seat(1, 2)
    assert state.belongs_to_person(1)


def _object_to(late: Late, device: int, times: int) -> None:
    seat = late.state.homes.index(device)
    false = PublicEntry((seat, ("roll",)), None, device)
    late.state.objections += [Objection((false,), late.state.dealer_term)] * times


def test_objections_discredit_a_device_and_not_its_seat(late: Late) -> None:
    """Regression: after three objections nobody could answer for that seat any more."""
    _object_to(late, late.owner, MAX_OBJECTIONS)
    assert not late.state.believes(late.seat, late.owner)
    assert all(late.state.believes(late.seat, other) for other in late.others)


def test_a_dealer_that_discredits_two_devices_is_replaced(late: Late) -> None:
    dealer = late.state.dealer
    one, other, *_ = (device for device in late.state.voters if device != dealer)
    _object_to(late, one, MAX_OBJECTIONS)
    answered = [at for at, entry in enumerate(late.state.public.entries) if entry.device == other]
    _object_to(late, other, MAX_OBJECTIONS - 2)
    assert late.enter(dealer, bodies.Object(answered[-1])) == ""
    assert late.state.dealer == dealer
    assert late.enter(dealer, bodies.Object(answered[-2])) == ""
    assert late.state.dealer == min({*late.state.voters} - {dealer})
    assert late.state.believes(late.seat, late.owner), "what the former dealer said no longer counts"


def test_a_dealer_that_does_not_open_its_secret_at_the_end_is_awaited() -> None:
    world = Three(1, "bars", calm=True).run()
    state, _ = state_after(world, lambda state, _: state.public.over)
    assert state.awaited() == [state.dealer]
    assert device_of(world.nodes[0]).state.awaited() == []


def test_a_majority_that_is_starved_elects_another_leader_although_it_is_heard() -> None:
    raft = RecordingRaft(0, 3)
    beat = Log(1, 0, ORIGIN, 0, 1, (), ())
    raft.receive(1, beat)
    raft.starved = True
    raft.receive(2, Ask(2, 0, 0, 1))
    assert raft.sent(2)[-1] == Vote(2, 1, 1), "it would vote for somebody else"
    due = raft.due
    raft.tick(due - 1)
    raft.receive(1, beat)
    assert raft.due == due, "frames of that leader do not delay the election"
    raft.tick(due)
    raft.receive(1, beat)
    assert raft.leader == NOBODY, "not in the middle of its own election"
    raft.receive(2, Vote(2, 1, 1))
    raft.receive(2, Vote(2, 1, 0))
    assert raft.role == LEADER


def test_a_single_starved_device_goes_back_to_its_leader() -> None:
    raft = RecordingRaft(0, 3)
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.starved = True
    raft.tick(raft.due)
    raft.tick(raft.due)
    assert raft.role == FOLLOWER
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), ()))
    assert raft.leader == 1


def test_a_device_is_starved_when_its_oldest_envelope_is_not_committed() -> None:
    world = Three(1, "sicilianos", calm=True).run()
    device = next(node.device for node in world.nodes if node.device and node.device.raft.role == FOLLOWER)
    starvation = Starvation(device.raft, device.outbox)
    device.outbox.signed = [make_envelope(device.me, 900)]
    starvation.follow()
    device.raft.now += STARVED_AFTER - 1
    starvation.follow()
    assert not device.raft.starved
    device.raft.now += 1
    starvation.follow()
    assert device.raft.starved
    device.outbox.signed = []
    starvation.follow()
    assert not device.raft.starved


def test_a_hi_of_an_earlier_protocol_is_read_so_that_its_page_can_be_told_to_reload() -> None:
    assert frames.read(f'["hi","{"t" * 22}",2,"abc",0,"{ORIGIN}"]'.encode(), "t" * 22) == Hi(2, "abc", 0, ORIGIN)
    hi = Hi(PROTOCOL, "abc", 0, ORIGIN, (1, 3))
    assert frames.read(frames.write(hi, "t" * 22), "t" * 22) == hi


def test_a_set_up_with_another_patience_is_read_as_it_was_written(late: Late) -> None:
    setup = late.world.setup._replace(patience=1)
    assert read_setup(setup.text) == setup


def test_a_set_up_of_an_earlier_protocol_has_the_usual_patience_and_keeps_its_text(late: Late) -> None:
    early = json.dumps(json.loads(late.world.setup.text)[:-2], separators=(",", ":"))
    assert (read_setup(early).patience, read_setup(early).text) == (DEFAULT_PATIENCE, early)


@pytest.mark.parametrize("patience", [2, -1, True, "1", None])
def test_a_patience_that_nobody_can_choose_is_refused(late: Late, patience: object) -> None:
    fields = json.loads(late.world.setup.text)
    assert fields[-1] == DEFAULT_PATIENCE
    with pytest.raises(Nonsense):
        read_setup(json.dumps([*fields[:-1], patience]))
