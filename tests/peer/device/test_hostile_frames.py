"""Bad frames from another device are refused with a reason and counted, and the game goes on."""

from __future__ import annotations

import json
from itertools import islice
from random import Random

import pytest

from engine import GAMES
from engine.core import Nonsense
from peer.device.border import Border
from peer.device.device import Device
from peer.order.log import Log as BookOf
from peer.order.outputs import Equivocated, LogsDiffer, Muted, NotTaken, OtherBuild, Send, Sign, Store, Tell
from peer.order.raft import LEADER
from peer.wire import bodies, envelope, frames
from peer.wire.frames import Ack, Bye, Do, Hi, Log, No, Proof, Say
from peer.wire.limits import BACKLOG, DEVICE, MUTED_AT
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.fuzz import hostile_frames, run_recorded
from tests.peer.simulation.insiders import attack
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import World

MESSAGES = 6000


def device_and_border(world: World, number: int = 0) -> tuple[Device, Border]:
    """Returns a device of a finished world, and a fresh border."""
    device = world.nodes[number].device
    assert device is not None
    return device, Border(device, world.verify)


def test_every_fuzz_message_ends_in_a_typed_refusal_or_does_no_harm() -> None:
    world, sent = run_recorded()
    rnd = Random("fuzz")
    device, border = device_and_border(world)
    reasons: dict[str, int] = {}
    log = list(device.state.public.session.log)
    for sender, data in islice(hostile_frames(rnd, sent), MESSAGES):
        border.limits.clear()
        reason = border.receive(sender, data, world.now)
        reasons[reason] = reasons.get(reason, 0) + 1
        assert device.state.public.session.log == log
        device.take()
    assert device.stopped == ""
    assert len(reasons) > 15
    assert reasons[""] < MESSAGES / 3
    assert {"json.too_deep", "json.damaged", "net.too_long", "net.other_table", "net.forged"} <= reasons.keys()


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", GAMES)
def test_no_signed_envelope_of_a_member_raises_anything(game: str) -> None:
    """Bodies and sealed boxes with false content, signed by a member, must not raise anything."""
    counts = attack(game, range(2), 40, 12)
    seeds = iter(range(2, 20))
    while game != "razzia" and not any(told.startswith("HandsDiffer") for told in counts):
        seed = next(seeds)  # in few games a false box is for a seat of the very device that reads it
        counts += attack(game, range(seed, seed + 1), 40, 12)
    assert counts["do"] > 100
    assert counts["OtherRefused net.stale"] > 10
    assert game == "razzia" or counts["deal"] > 20


def test_the_game_goes_on_while_one_device_sends_nonsense() -> None:
    _, sent = run_recorded()

    class Attacked(World):
        min_devices = 3

        def _schedule_faults(self) -> None:
            self.schedule(self.heal_at, self._heal)
            self.schedule(3000, lambda: self._lose(self.nodes[-1]))
            bad = hostile_frames(Random("attack"), sent)
            for when in range(3000, 9000, 4):
                self.schedule(when, lambda: self._attack(next(bad)[1]))

        def _attack(self, data: bytes) -> None:
            for node in self.nodes[:-1]:
                self._deliver(self.nodes[-1].number, node.number, data)

    world = Attacked(3, "razzia")
    with pytest.raises(AssertionError, match="Muted"):
        world.run()
    muted = [number for number, tell in world.tells if isinstance(tell, Muted)]
    assert sorted(muted) == [node.number for node in world.nodes[:-1]]
    for node in world.nodes[:-1]:
        assert node.device is not None
        assert node.device.state.public.over
        assert node.border is not None
        assert sum(node.border.limits[world.size - 1].refused.values()) > MUTED_AT


def test_deep_and_large_frames_are_refused_before_they_are_read() -> None:
    for data, reason in (
        (b"[" * 60_000, "json.too_deep"),
        (b"[" * 70_000, "net.too_long"),
        (b'["do","' + b"x" * 70_000 + b'"]', "net.too_long"),
        (b"\xff\xfe", "net.not_utf8"),
        (b'{"a":1,"a":2}', "json.duplicate_key"),
        (b'["ack","t",1.5]', "json.number"),
        (b'["ack","t",NaN]', "json.number"),
        (b'["nonsense","t"]', "net.not_a_frame"),
        (b"7", "net.not_a_frame"),
    ):
        with pytest.raises(Nonsense) as refused:
            frames.read(data, "t" * 22)
        assert refused.value.reason == reason


def test_an_older_table_is_refused() -> None:
    world, _ = run_recorded()
    _, other = run_recorded(2)
    _, border = device_and_border(world)
    sender, _, data = other[-1]
    assert border.receive(sender, data, world.now) == "net.other_table"
    older = next(data for _, _, data in other if data.startswith(b'["do"'))
    said = frames.envelopes_in(frames.read(older, json.loads(older)[1]))
    assert border.receive(1, frames.write(Do(said), world.mark), world.now) == "net.other_table"


def test_a_flood_of_frames_is_refused_and_its_sender_muted() -> None:
    world, _ = run_recorded()
    _, border = device_and_border(world)
    beat = frames.write(Ack(0, 0, 0, 0), world.mark)
    reasons = [border.receive(1, beat, world.now) for _ in range(DEVICE.messages_at_once + MUTED_AT + 5)]
    assert reasons[DEVICE.messages_at_once] == "net.flood"
    assert reasons[-1] == "net.muted"
    assert border.limits[1].refused == {"net.flood": MUTED_AT, "net.muted": 5}


def test_frames_queued_while_this_device_was_suspended_are_no_flood() -> None:
    world, _ = run_recorded()
    _, border = device_and_border(world)
    beat = frames.write(Ack(0, 0, 0, 0), world.mark)
    border.receive(1, beat, world.now)
    border.allow_backlog()
    assert [border.receive(1, beat, world.now) for _ in range(BACKLOG)] == [""] * BACKLOG
    assert border.receive(1, beat, world.now) == "net.flood"


def test_no_device_can_send_envelopes_of_another() -> None:
    world, _ = run_recorded()
    device, border = device_and_border(world)
    theirs = next(entry.envelope for entry in device.log.entries if entry.envelope.author == 2)
    assert border.receive(1, frames.write(Do((theirs,)), world.mark), world.now) == "net.not_yours"
    forged = envelope.read(theirs.text.replace('",2,', '",1,', 1), theirs.signature)
    assert border.receive(1, frames.write(Do((forged,)), world.mark), world.now) == "net.forged"


def signed_envelope(world: World, node: Node, counter: int, body: bodies.Body) -> envelope.Envelope:
    text = envelope.write(world.mark, node.number, counter, 1, 0, world.setup.origin, body)
    return envelope.read(text, node.keys.sign(text.encode()))


def test_only_the_last_signatures_of_a_long_log_are_verified_and_a_forged_entry_is_found() -> None:
    """A signed head covers all entries before it. Nobody has signed a head over a log that was tampered with."""
    world, _ = run_recorded()
    sender, _ = device_and_border(world)
    late = Device(FakeKeys(b"late" * 8, world.keyring), world.setup, Random(1), world.now)
    entries = tuple(sender.log.entries[:150])

    def log_frame(entries: tuple[envelope.Entry, ...]) -> Log:
        return Log(sender.raft.term, 0, sender.log.heads[0], 0, 0, (), entries)

    claims = list(Border(late, world.verify).signatures_to_verify(log_frame(entries)))
    assert len(claims) < len(entries) / 3
    assert {claim.signers for claim in claims} == {(key.keys.verify_key,) for key in world.nodes}
    assert all(claim.is_genuine(world.verify) for claim in claims)
    for at in range(0, len(entries), 5):
        said = entries[at].envelope
        evil = signed_envelope(world, world.nodes[said.author], said.counter, bodies.Start())
        evil = envelope.read(evil.text, world.nodes[said.author - 1].keys.sign(evil.text.encode()))
        forged = (*entries[:at], entries[at]._replace(envelope=evil), *entries[at + 1 :])
        assert (
            Border(late, world.verify).receive(0, frames.write(log_frame(forged), world.mark), world.now)
            == "net.forged"
        )


def test_own_envelopes_are_not_verified() -> None:
    world, _ = run_recorded()
    device, border = device_and_border(world)
    said = signed_envelope(world, world.nodes[device.me], device.outbox.next_counter, bodies.Start())
    last = device.log.last_index
    frame = Log(device.raft.term, last, device.log.heads[last], 0, 0, (), (envelope.Entry(device.raft.term, said),))
    assert len(list(border.signatures_to_verify(frame))) == 1
    device.outbox.signed.append(said)
    assert list(border.signatures_to_verify(frame)) == []
    other = envelope.read(said.text, world.nodes[device.me - 1].keys.sign(said.text.encode()))
    frame = frame._replace(entries=(envelope.Entry(device.raft.term, other),))
    assert len(list(border.signatures_to_verify(frame))) == 1


def test_two_envelopes_under_one_counter_prove_equivocation() -> None:
    world, _ = run_recorded()
    device, border = device_and_border(world)
    mine = next(entry.envelope for entry in device.log.entries if entry.envelope.author == 2)
    other = signed_envelope(world, world.nodes[2], mine.counter, bodies.Start())
    device.take()
    assert border.receive(2, frames.write(Do((other,)), world.mark), world.now) == "net.two_stories"
    outputs = device.take()
    assert any(isinstance(one, Equivocated) for one in outputs)
    assert {one.to for one in outputs if isinstance(one, Send)} == {1, 2, 3}
    witness, border = device_and_border(world, 1)
    witness.take()
    assert border.receive(0, frames.write(Proof(mine, mine), world.mark), world.now) == "net.no_proof"
    for _ in range(MUTED_AT):
        assert border.receive(0, frames.write(Proof(mine, other), world.mark), world.now) == ""
    assert [one for one in witness.take() if not isinstance(one, Store)] == [Equivocated(2, mine.counter)], (
        "said once, not sent on, and who brings it is not blamed"
    )
    assert witness.stopped == ""


def test_a_leader_that_appended_the_other_envelope_is_followed() -> None:
    """An entry that is not committed yet is replaced, even if its author has signed both."""
    world, _ = run_recorded()
    device, border = device_and_border(world, 1)
    raft = device.raft
    counter = device.log.counters[2] + 1
    mine = signed_envelope(world, world.nodes[2], counter, bodies.Start())
    other = signed_envelope(world, world.nodes[2], counter, bodies.Seat(0, "bot", 0))
    device.log.append([envelope.Entry(raft.term, mine)])
    at, head = device.log.last_index - 1, device.log.heads[-2]
    frame = Log(raft.term + 1, at, head, at, 1, (), (envelope.Entry(raft.term + 1, other),))
    assert border.receive(0, frames.write(frame, world.mark), world.now) == ""
    assert device.log.entry(device.log.last_index).envelope == other


def test_only_the_leader_can_say_that_it_does_not_take_an_envelope() -> None:
    """Any device could once make a person believe that the leader refused their move."""
    world, _ = run_recorded()
    devices = [node.device for node in world.nodes if node.device is not None]
    follower = next(device for device in devices if device.raft.role != LEADER)
    leader = follower.raft.leader
    forger = next(number for number in range(len(world.nodes)) if number not in (leader, follower.me))
    follower.author(bodies.Away(forger))
    for output in follower.take():
        if isinstance(output, Sign):
            follower.take_signature(output.text, world.nodes[follower.me].keys.sign(output.text.encode()))
    offered = follower.outbox.signed[-1].counter
    follower.take()
    for sender, counter in ((forger, offered), (leader, offered + 1)):
        with pytest.raises(Nonsense, match=r"net\.no_voter"):
            follower.receive(sender, No(counter, "net.stale"), follower.raft.now)
        assert not any(isinstance(output, NotTaken) for output in follower.take())
    follower.receive(leader, No(offered, "net.stale"), follower.raft.now)
    assert any(isinstance(output, NotTaken) for output in follower.take())


def test_a_device_without_a_vote_cannot_depose_the_leader() -> None:
    world, _ = run_recorded()
    leader = next(node.number for node in world.nodes if node.device and node.device.raft.role == LEADER)
    device, border = device_and_border(world, leader)
    term = device.raft.term
    device.log.voters = tuple(voter for voter in device.log.voters if voter == leader)
    border.receive((leader + 1) % 3, frames.write(Ack(term + 1, 0, 1, 1), world.mark), world.now)
    assert (device.raft.role, device.raft.term) == (LEADER, term)


def test_a_device_without_a_vote_cannot_fill_the_log() -> None:
    world, _ = run_recorded()
    device, _ = device_and_border(world)
    device.state.voters = (0, 1)
    said = signed_envelope(world, world.nodes[2], device.state.counters[2] + 1, bodies.Start())
    outcome = device.state.apply(envelope.Entry(device.raft.term, said), device.state.head, honest=True)
    assert outcome.reason == "net.no_voter"
    assert device.state.refused_in_a_row[2] == 1


def test_an_envelope_can_be_written_in_one_way_only() -> None:
    """Padded with escapes, it would be longer in a frame than the leader expects."""
    world, _ = run_recorded()
    said = signed_envelope(world, world.nodes[2], 900, bodies.Seat(0, "bot", 0))
    for text in (said.text.replace("bot", "b\\u006ft"), said.text.replace(",0]]", ", 0]]")):
        assert text != said.text
        with pytest.raises(Nonsense) as refused:
            envelope.read(text, said.signature)
        assert refused.value.reason == "net.not_as_written"


def test_a_log_frame_is_no_longer_than_estimated() -> None:
    log = BookOf("o" * 43, (0,))
    text = envelope.write("m" * 22, 0, 1, 1, 0, "o" * 43, bodies.Do(0, 0, ["x"] * 90, ()))
    log.append([envelope.Entry(1, envelope.read(text, "s" * 86))] * 190)
    sent = log.entries_after(0, frames.TARGET_BYTES)
    assert 1 < len(sent) < 190
    assert len(frames.write(Log(1, 0, "o" * 43, 0, 1, (), tuple(sent)), "m" * 22)) <= frames.TARGET_BYTES


def test_repeated_negative_acks_are_answered_a_few_times() -> None:
    """Once, forty bytes were answered with four full frames, two hundred times a second."""
    world, _ = run_recorded()
    leader = next(node for node in world.nodes if node.device and node.device.raft.role == LEADER)
    device, border = device_and_border(world, leader.number)
    lacks = frames.write(Ack(device.raft.term, 0, 0, 0), world.mark)
    device.take()
    for _ in range(200):
        assert border.receive((leader.number + 1) % world.size, lacks, world.now) == ""
    sent = [one for one in device.take() if isinstance(one, Send)]
    assert 0 < len(sent) <= 100


def test_a_device_that_stopped_asks_for_no_more_ticks() -> None:
    world, _ = run_recorded()
    device, _ = device_and_border(world)
    device.store_failed()
    device.tick(world.now)
    assert device.due > world.now + 10**8


def test_a_leader_with_two_histories_is_found() -> None:
    """A leader that sends a different entry for a committed one is reported, and its frames are then refused."""
    world, _ = run_recorded()
    leader = next(node for node in world.nodes if node.device and node.device.raft.role == LEADER)
    device, border = device_and_border(world, (leader.number + 1) % world.size)
    at = device.raft.commit - 1
    other = envelope.Entry(device.raft.term, signed_envelope(world, leader, 900, bodies.Start()))
    frame = frames.write(Log(device.raft.term, at, device.log.heads[at], at, 1, (), (other,)), world.mark)
    log = list(device.log.entries)
    device.take()
    assert border.receive(leader.number, frame, world.now) == "net.histories_differ"
    assert [one for one in device.take() if isinstance(one, Tell)] == [LogsDiffer(leader.number, at + 1)]
    assert border.receive(leader.number, frame, world.now) == "net.parted"
    assert device.log.entries == log
    assert device.raft.leader != leader.number


def test_an_unknown_head_reveals_a_fork() -> None:
    """A device with another log shows it by the head in every envelope; all other devices refuse these alike."""
    world, _ = run_recorded()
    device, border = device_and_border(world)
    counter = device.log.counters[1] + 1
    text = envelope.write(world.mark, 1, counter, 1, 5, "A" * 43, bodies.Start())
    said = envelope.read(text, world.nodes[1].keys.sign(text.encode()))
    outcome = device.state.apply(envelope.Entry(1, said), "A" * 43, honest=device.log.has_head(said.seen, said.head))
    assert outcome.reason == "net.histories_differ"
    assert border.receive(1, frames.write(Do((said,)), world.mark), world.now) == "net.histories_differ"
    assert device.diverged == {1}


def test_no_device_can_use_up_the_terms() -> None:
    world, _ = run_recorded()
    device, border = device_and_border(world)
    term = device.raft.term
    far = frames.write(Log(10**9 - 1, 0, world.setup.origin, 0, 1, (), ()), world.mark)
    assert border.receive(1, far, world.now) == "net.term"
    assert device.raft.term == term


def test_another_build_is_told_to_reload() -> None:
    world, _ = run_recorded()
    device, border = device_and_border(world)
    device.take()
    hello = Hi(frames.PROTOCOL, "another", 0, world.setup.origin)
    assert border.receive(1, frames.write(hello, world.mark), world.now) == ""
    assert [one for one in device.take() if isinstance(one, Tell)] == [OtherBuild(1)]
    term = device.raft.term
    ask = frames.write(frames.Ask(term + 9, 10**6, term + 8, 0), world.mark)
    assert border.receive(1, ask, world.now) == "net.reload"
    assert device.raft.term == term


def test_a_hi_with_an_index_beyond_the_log_is_answered() -> None:
    """Once, a leader looked for an entry that its log does not have, and raised."""
    world, _ = run_recorded()
    roles = [node.device.raft.role if node.device else "" for node in world.nodes]
    device, border = device_and_border(world, roles.index(LEADER))
    device.take()
    far = Hi(frames.PROTOCOL, device.build, 10**6, world.setup.origin)
    sender = (device.me + 1) % len(world.nodes)
    assert border.receive(sender, frames.write(far, world.mark), world.now) == ""
    sent = [one.frame for one in device.take() if isinstance(one, Send) and one.to == sender]
    assert [frame.prev_index for frame in sent if isinstance(frame, Log)] == [device.log.last_index]


def test_messages_are_only_ever_text() -> None:
    mark = "t" * 22
    for text in ("hello", "Ágnes, <b>jó</b>!", "x" * 200):
        assert frames.read(frames.write(Say("text", text), mark), mark) == Say("text", text)
    for text in ("", "x" * 201, "a\u202eb", "a\u200bb", "a\nb", "a" + "\u0301" * 4):
        with pytest.raises(Nonsense, match=r"net\.words"):
            frames.read(frames.write(Say("text", text), mark), mark)
    with pytest.raises(Nonsense, match=r"net\.word"):
        frames.read(b'["say","' + mark.encode() + b'","html","x"]', mark)
    assert frames.read(frames.write(Bye(), mark), mark) == Bye()
