"""Members of the table send false statements that are well-formed and correctly signed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from engine import GAMES
from engine.core import NATURE, Nonsense, Refused
from engine.options import changed_options
from engine.session import Session
from peer.device.border import Border
from peer.device.dealer import DealerDuties
from peer.device.device import COMPARE_EVERY, Device
from peer.game import setup
from peer.game.public import PublicEntry
from peer.game.state import MAX_SEAT_CHANGES, State
from peer.game.types import hash_of
from peer.game.views import PrivateViews
from peer.order.outputs import FalseDeal, HandsDiffer, HandUnreadable, Send
from peer.order.raft import LEADER
from peer.wire import bodies, envelope, frames
from peer.wire.envelope import Entry, Envelope, next_head
from tests.peer.device.test_whole_tables import Three, device_of
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.fuzz import run_recorded
from tests.peer.simulation.invariants import Violation
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import World


def next_entry(world: World, state: State, author: int, body: bodies.Body) -> Entry:
    """Returns an entry with that device's next envelope."""
    counter = state.counters.get(author, 0) + 1
    text = envelope.write(world.mark, author, counter, 1, state.index, state.head, body)
    return Entry(1, envelope.read(text, world.nodes[author].keys.sign(text.encode())))


def refusal(state: State, entry: Entry) -> str:
    """Applies an entry. Returns the reason if it was refused, else an empty string."""
    return state.apply(entry, next_head(state.head, entry), honest=True).reason


def run_until_late(world: World) -> World:
    """Runs a world until the log of its first device is long enough for `is_late_answer`."""
    return world.run_until(
        lambda: world.nodes[0].device is not None and len(world.nodes[0].device.state.public.entries) > 62
    )


def state_after(world: World, stop: Any) -> tuple[State, list[Entry]]:
    """Returns the state after the first entry for which `stop` is true, and the entries after it."""
    device = device_of(world.nodes[0])
    state = State(world.setup)
    for index, entry in enumerate(device.log.entries, 1):
        state.apply(entry, device.log.heads[index], honest=True)
        if stop(state, entry.envelope):
            return state, device.log.entries[index:]
    raise AssertionError("it never was")


def is_late_answer(state: State, statement: Envelope) -> bool:
    return isinstance(statement.body, bodies.Do) and len(state.public.entries) > 60


def test_a_false_leader_does_not_get_the_true_leader_muted() -> None:
    """Once, the true leader was muted, because the false one had sent its frame first."""
    world, _ = run_recorded()
    leader = next(node for node in world.nodes if device_of(node).raft.role == LEADER)
    evil, other, *_ = (node for node in world.nodes if node is not leader)
    device = Device(other.keys, world.setup, Random(1), world.now, snapshot=other.disk.snapshot())
    border, commit = Border(device, world.verify), device.raft.commit
    beat = frames.write(
        frames.Log(device_of(leader).raft.term, commit, device.log.heads[commit], commit, 1, (), ()), world.mark
    )
    assert border.receive(evil.number, beat, world.now) == ""
    for beats in range(100):
        now = world.now + 500 * beats
        border.receive(evil.number, beat, now)
        assert border.receive(leader.number, beat, now) == "net.two_hosts"
    assert not border.limits[leader.number].muted


def test_a_false_objection_is_found_by_the_audit_and_none_is_taken_after_it() -> None:
    """Once, it took back what others had played, and this was never reported."""
    deals, lied = DealerDuties._owed_under_promise, list[int]()

    def objects(self: DealerDuties, promise: Any) -> Iterator[bodies.Body]:
        played, me = self.state.public.entries, self.outbox.me
        true = [at for at, one in enumerate(played) if one.sealed and one.entry[0] >= 0 and one.sealed.by != me]
        if not lied and len(played) > 60:
            lied.append(true[-1])
            yield bodies.Object(true[-1])
        else:
            yield from deals(self, promise)

    with (
        patch.object(DealerDuties, "_owed_under_promise", objects),
        pytest.raises(Violation, match=r"net\.audit\.objection"),
    ):
        Three(2, "bars", calm=True).run()
    world = Three(2, "bars", calm=True).run()
    state = device_of(world.nodes[1]).state
    at = next(at for at, one in enumerate(state.public.entries) if one.sealed and one.entry[0] >= 0)
    assert refusal(state, next_entry(world, state, state.dealer, bodies.Object(at))) == "net.stale"
    assert state.public.over


def test_a_false_answer_without_a_box_is_objected_to() -> None:
    """Such an answer has no box. Once, the dealer objected to it again and again, and never dealt again."""
    lied: list[int] = []

    class Says(Device):
        def answer(self, seat: int, answer: Any) -> None:
            view = self.private.views.get(seat)
            lies = view is not None and view.question.key == "thieves.one_each" and answer != ("none",)
            if lies and not lied and self.me != self.state.dealer:
                lied.append(seat)
                self.author(bodies.Do(seat, self.state.public.asked_since[seat], ["none"], ()))
            else:
                super().answer(seat, answer)

    class House(Three):
        def _setup(self, name: str, seats: int, keys: list[FakeKeys]) -> setup.Setup:
            laid, game = super()._setup(name, seats, keys), GAMES[name]
            whole = Session(game, seats, {**laid.options, "alarm": "one_each"}).options
            return laid._replace(options=changed_options(game, whole))

    world = House(4, "thieves", calm=True, make=Says)
    with pytest.raises(Violation, match=r"HandsDiffer"):  # the liar's own device sees the difference
        world.run()
    assert len(lied) == 1
    state = device_of(world.nodes[0]).state
    assert state.public.over
    assert state.rewinds == 1


def test_a_false_deal_is_reported_as_soon_as_a_dealer_knows_the_secret() -> None:
    """Once, it was reported only when a later entry was applied."""
    world, _ = run_recorded(game="thieves")
    node = next(node for node in world.nodes if device_of(node).state.dealer == node.number)
    device = Device(node.keys, world.setup, Random(1), world.now, snapshot=node.disk.snapshot())
    device.raft.caught_up = True
    device.take()
    full_answer = PrivateViews.full_answer

    def false_deal(private: PrivateViews, state: State, played: PublicEntry) -> Any:
        if played.entry[0] == NATURE:
            raise Refused("net.false")
        return full_answer(private, state, played)

    with patch.object(PrivateViews, "full_answer", false_deal):
        device.tick(world.now + 1)
    assert [type(output) for output in device.take() if isinstance(output, FalseDeal)] == [FalseDeal]


def test_a_dealer_that_cedes_a_false_secret_is_replaced() -> None:
    """Once, its successor asked nobody for the shares, because it had been given a box."""
    cede = DealerDuties._cede

    def falsely(self: DealerDuties) -> Iterator[bodies.Body]:
        for true in cede(self):
            assert isinstance(true, bodies.Cede)
            yield true._replace(box="A" * len(true.box))

    class Moving(Three):
        tokens: tuple[str, ...] = ()

        def _setup(self, *args: Any) -> setup.Setup:
            laid = super()._setup(*args)
            self.tokens = tuple(str(seat) * 43 for seat, place in enumerate(laid.places) if place.device == 0)
            return laid._replace(claims=tuple((hash_of(token), int(token[0])) for token in self.tokens))

        def move(self) -> None:
            device = device_of(self.nodes[1])
            number, keys = len(device.state.devices), FakeKeys(b"new" * 11, self.keyring)
            self.nodes.append(Node(number, keys))
            self.size += 1
            device.author(bodies.Join(number, keys.verify_key, keys.seal_key))
            self.process(self.nodes[1])
            self.boot(self.nodes[-1])
            device_of(self.nodes[-1]).claim_tokens = self.tokens

    world = next(world for seed in range(2, 30) if (world := Moving(seed, "bars", calm=True)).size == 3)
    world.schedule(4000, world.move)
    with patch.object(DealerDuties, "_cede", falsely):
        world.run()
    assert device_of(world.nodes[1]).state.dealer_term


def test_answers_from_before_a_rewind_are_refused() -> None:
    world = run_until_late(Three(1, "sicilianos", calm=True))
    state, _ = state_after(world, is_late_answer)
    length = max(at for at, one in enumerate(state.public.entries) if one.entry[0] >= 0)
    seat, author = next((seat, place.device) for seat, place in enumerate(state.places) if place.device != state.dealer)
    old = next_entry(world, state, author, bodies.Do(seat, state.public.asked_since[seat], ["roll"], ()))
    assert refusal(state, next_entry(world, state, state.dealer, bodies.Object(length))) == ""
    assert refusal(state, old) == "net.stale"


def test_moving_a_seat_back_and_forth_gives_no_strikes_to_others() -> None:
    """Once, entries of others were refused as too late and counted against them, until they were muted."""
    world = run_until_late(Three(1, "sicilianos", calm=True))
    state, _ = state_after(world, is_late_answer)
    author = next(device for device in state.voters if device != state.dealer)
    seat = state.homes.index(author)
    dealt = next_entry(world, state, state.dealer, bodies.Deal(len(state.public.session.log), (), ()))
    gone = [refusal(state, next_entry(world, state, author, bodies.Seat(seat, "person", state.dealer)))]
    assert refusal(state, dealt) == "net.stale"
    assert state.refused_in_a_row == {}
    for _ in range(MAX_SEAT_CHANGES // 2):
        assert refusal(state, next_entry(world, state, author, bodies.Seat(seat, "person", author))) == ""
        gone.append(refusal(state, next_entry(world, state, author, bodies.Seat(seat, "person", state.dealer))))
    assert gone == [""] * (MAX_SEAT_CHANGES // 2) + ["net.to_and_fro"]


def test_a_dealer_cannot_choose_a_coin_by_taking_the_game_back() -> None:
    """Once, the dealer could take back its own roll, knowing the links of all others, and vary its next answer."""
    world = Three(2, "sicilianos", calm=True).run()
    state, after = state_after(
        world,
        lambda state, said: (
            isinstance(said.body, bodies.Do)
            and said.author == state.dealer
            and state.public.session.question.key == "sicilianos.dice"
        ),
    )
    assert state.coins.coin is not None
    mine = [entry.envelope for entry in device_of(world.nodes[0]).log.entries if entry.envelope.author == state.dealer]
    body = mine[state.counters[state.dealer] - 1].body
    shares = [
        entry
        for entry in after
        if isinstance(entry.envelope.body, bodies.Link) and entry.envelope.author != state.dealer
    ]
    number, length = state.coins.coin.number, len(state.public.entries) - 1
    assert refusal(state, next_entry(world, state, state.dealer, bodies.Object(length))) == ""
    assert refusal(state, next_entry(world, state, state.dealer, body)) == ""
    assert state.coins.coin.number == number + 1
    assert [refusal(state, entry) for entry in shares[: len(state.voters) - 1]] == ["net.coin.not_asked"] * (
        len(state.voters) - 1
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(1, 12))
def test_a_hand_over_from_before_a_rewind_is_read_correctly_after_a_reload(seed: int) -> None:
    """Once, its new device read the old hand-over again, which covered entries that were taken back."""
    deals, taken = DealerDuties._owed_under_promise, list[int]()

    def objects(self: DealerDuties, promise: Any) -> Iterator[bodies.Body]:
        played = self.state.public.entries
        true = [at for at, one in enumerate(played[:-24]) if one.sealed and one.entry[0] >= 0]
        if not taken and self.state.hand_overs and not self.state.owed_hand_overs and true:
            taken.append(len(played))
            yield bodies.Object(true[-1])
        else:
            yield from deals(self, promise)

    class Given(Three):
        def give(self) -> None:
            if len(device_of(self.nodes[1]).state.public.entries) < 60:
                self.schedule(self.now + 100, self.give)
                return
            device_of(self.nodes[1]).give_seat(self.setup.places.index(setup.Place("person", 1)), "person", 2)
            self.process(self.nodes[1])
            self.schedule(self.now + 300, self.reload)

        def reload(self) -> None:
            device = self.nodes[2].device
            if (
                taken
                and device is not None
                and device.state.rewinds
                and len(device.state.public.entries) > taken[0] + 25
            ):
                self.crash(self.nodes[2], restart_after=200)
            else:
                self.schedule(self.now + 100, self.reload)

    world = Given(seed, "bars", calm=True)
    world.schedule(1000, world.give)
    with (
        patch.object(DealerDuties, "_owed_under_promise", objects),
        pytest.raises(Violation, match=r"net\.audit\.objection"),
    ):
        world.run()
    assert not any(isinstance(tell, HandsDiffer | HandUnreadable) for _, tell in world.tells)


def test_a_voter_that_is_heard_but_gives_no_link_is_called_away() -> None:
    """Once, the table waited for it forever, because it was not away."""

    class Silent(Device):
        def author(self, body: bodies.Body) -> None:
            if not isinstance(body, bodies.Link) or self.me != 2:
                super().author(body)

    world = Three(1, "razzia", calm=True, make=Silent).run()
    assert world.size > 2
    assert any(isinstance(entry.envelope.body, bodies.Away) for entry in device_of(world.nodes[0]).log.entries)


def test_no_voter_can_depose_the_leader_again_and_again() -> None:
    world, _ = run_recorded()
    leader = next(node for node in world.nodes if device_of(node).raft.role == LEADER)
    device, evil = device_of(leader), (leader.number + 1) % world.size
    border, taken = Border(device, world.verify), 0
    for beats in range(300):
        ahead = frames.write(frames.Ack(device.raft.term + 100, 0, 0, 0), world.mark)
        taken += border.receive(evil, ahead, world.now + 20 * beats) == ""
    assert taken <= 21
    assert border.limits[evil].muted


def test_hi_frames_with_changing_indexes_are_not_all_answered_with_the_log() -> None:
    world, _ = run_recorded()
    leader = next(node for node in world.nodes if device_of(node).raft.role == LEADER)
    device, other = device_of(leader), (leader.number + 1) % world.size
    border = Border(device, world.verify)
    device.take()
    for time in range(200):
        place = time % 2
        hi = frames.write(frames.Hi(frames.PROTOCOL, "", place, device.log.heads[place]), world.mark)
        border.receive(other, hi, world.now)
        border.receive(other, frames.write(frames.Need(place, device.log.heads[place]), world.mark), world.now)
    assert len([one for one in device.take() if isinstance(one, Send)]) < 100


def test_a_device_with_another_log_detects_it_and_the_equivocator_is_reported() -> None:
    """Once, logs were not compared while no envelopes were sent; then the deceived devices blamed each other."""
    world, _ = run_recorded()
    one, other = device_of(world.nodes[0]), world.nodes[1]
    last = one.log.entries[-1]
    author, counter = last.envelope.author, last.envelope.counter
    text = envelope.write(world.mark, author, counter, last.term, 0, one.log.heads[0], bodies.Start())
    story = Entry(last.term, envelope.read(text, world.nodes[author].keys.sign(text.encode())))
    kept = other.disk.snapshot()._replace(entries=[*one.log.entries[:-1], story], commit=one.log.last_index, outbox=())
    lied_to = Device(other.keys, world.setup, Random(1), world.now, snapshot=kept)
    one.take()
    one.tick(world.now + COMPARE_EVERY + 2_000)
    hi_frames = [frame for to, frame in sent_frames(one) if to == lied_to.me and isinstance(frame, frames.Hi)]
    with pytest.raises(Nonsense, match=r"histories_differ"):
        lied_to.receive(one.me, hi_frames[-1], world.now)
    shown = next(frame for to, frame in sent_frames(lied_to) if to == one.me and isinstance(frame, frames.Past))
    with suppress(Nonsense):
        one.receive(lied_to.me, shown, world.now + COMPARE_EVERY + 2_000)
    assert one.equivocation.reported == {author}


def sent_frames(device: Device) -> list[tuple[int, Any]]:
    return [(output.to, output.frame) for output in device.take() if isinstance(output, Send)]


def test_a_dealer_is_not_called_away_after_a_long_move_of_somebody_else() -> None:
    """Once, the time it had for a hand-over was counted from the last move."""

    class Thoughtful(Three):
        def _act(self, node: Node, life: int) -> None:
            if not 5_000 < self.now < 65_000:
                super()._act(node, life)
            elif node.device is not None and node.crashes == life:
                self.schedule(65_000, lambda: self._act(node, life))

        def give(self) -> None:
            device_of(self.nodes[1]).give_seat(self.setup.places.index(setup.Place("person", 1)), "person", 2)
            self.process(self.nodes[1])

    world = Thoughtful(10, "bars", calm=True)
    world.schedule(60_000, world.give)
    world.run()
    kinds = {type(entry.envelope.body) for entry in device_of(world.nodes[0]).log.entries}
    assert bodies.HandOver in kinds
    assert bodies.Away not in kinds
