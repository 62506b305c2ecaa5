"""Every kind of frame from every kind of sender: accepted, or the reason for which it is refused. The table is in
`REASONS`; a new kind of frame has no row there, and the test says so."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from peer.device.border import HARMLESS, Border
from peer.device.device import Device
from peer.game.setup import Member
from peer.order.catchup import STRANGER
from peer.order.outputs import NotTaken, Sign
from peer.order.raft import LEADER, NOBODY
from peer.wire import bodies, frames
from peer.wire.frames import PROTOCOL, Ack, Ask, Bye, Do, Frame, Hi, Log, Need, No, Past, Proof, Say, Vote
from tests.peer.device.test_hostile_frames import signed_envelope
from tests.peer.simulation.fuzz import run_recorded
from tests.peer.simulation.node import Node

LEADS, VOTER, NO_VOTE, SPECTATOR, UNKNOWN, MUTED, DIVERGED, OUTDATED = SENDERS = (
    "leader", "voter", "device without a vote", "spectator", "stranger", "muted", "diverged", "outdated",
)  # fmt: skip
OK, no_voter, muted, parted, reload = "", "net.no_voter", "net.muted", "net.parted", "net.reload"
not_asked, two_hosts = "net.not_asked", "net.two_hosts"

#: what a device that follows a leader answers, in the order of `SENDERS`
REASONS: dict[type[Any], tuple[str, ...]] = {
    Hi:    (OK,        OK,        OK,       OK,       no_voter, muted, parted, OK),
    Ask:   (OK,        OK,        no_voter, no_voter, no_voter, muted, parted, reload),
    Vote:  (not_asked, not_asked, no_voter, no_voter, no_voter, muted, parted, reload),
    Log:   (OK,        two_hosts, no_voter, no_voter, no_voter, muted, parted, reload),
    Ack:   (OK,        OK,        OK,       OK,       no_voter, muted, parted, reload),
    Need:  (OK,        OK,        OK,       OK,       no_voter, muted, parted, reload),
    Past:  (OK,        OK,        OK,       OK,       OK,       muted, parted, reload),
    Do:    (OK,        OK,        OK,       OK,       no_voter, muted, parted, reload),
    No:    (OK,        no_voter,  no_voter, no_voter, no_voter, muted, parted, reload),
    Proof: (OK,        OK,        OK,       OK,       no_voter, muted, parted, reload),
    Say:   (OK,        OK,        OK,       OK,       no_voter, muted, parted, reload),
    Bye:   (OK,        OK,        OK,       OK,       no_voter, muted, parted, reload),
}  # fmt: skip


class Scene:
    """A device that follows a leader, with an envelope in its outbox, and the numbers of all kinds of senders."""

    def __init__(self, *, leads: bool = False) -> None:
        self.world, _ = run_recorded()
        node = next(node for node in self.world.nodes if (_device(node).raft.role == LEADER) == leads)
        self.device = _device(node)
        self.border = Border(self.device, self.world.verify)
        leader = self.device.raft.leader
        voter, voteless, *_ = [number for number in self.device.log.voters if number not in (leader, self.device.me)]
        self.voter, self.voteless = voter, voteless
        self.device.log.voters = tuple(number for number in self.device.log.voters if number != voteless)
        self.device.raft.future_voters = ()
        self.device.state.devices.append(Member("A" * 43, "B" * 43))
        self.device.author(bodies.Away(voter))
        for output in self.device.take():
            if isinstance(output, Sign):
                self.device.take_signature(output.text, node.keys.sign(output.text.encode()))
        self.device.take()

    def number_of(self, sender: str) -> int:
        """Returns the number of such a sender, and makes it one."""
        if sender == MUTED:
            self.border.mute(self.voter)
        if sender == DIVERGED:
            self.device.diverged.add(self.voter)
        if sender == OUTDATED:
            self.device.outdated.add(self.voter)
        numbers = {
            LEADS: self.device.raft.leader,
            NO_VOTE: self.voteless,
            SPECTATOR: len(self.device.state.devices) - 1,
            UNKNOWN: STRANGER + 1,
        }
        return numbers.get(sender, self.voter)

    def frame(self, kind: type[Any]) -> Frame:
        """Returns a frame of that kind as an honest sender would send it: only who sends it can be wrong."""
        device, raft, log = self.device, self.device.raft, self.device.log
        last, head = log.last_index, log.heads[-1]
        theirs = next(entry.envelope for entry in log.entries if entry.envelope.author == self.voter)
        other = signed_envelope(self.world, self.world.nodes[self.voter], theirs.counter, bodies.Start())
        made: dict[type[Any], Frame] = {
            Hi: Hi(PROTOCOL, device.build, raft.commit, log.heads[raft.commit]),
            Ask: Ask(raft.term + 1, last, log.term_at(last), 0),
            Vote: Vote(raft.term + 1, 0, 0),
            Log: Log(raft.term, last, head, raft.commit, 1, (), ()),
            Ack: Ack(raft.term, last, 1, 0),
            Need: Need(raft.commit, log.heads[raft.commit]),
            Past: Past(raft.commit, log.heads[raft.commit], ()),
            Do: Do(()),
            No: No(device.outbox.signed[-1].counter, "net.stale"),
            Proof: Proof(theirs, other),
            Say: Say("sign", "hello"),
            Bye: Bye(),
        }
        return made[kind]

    def state(self) -> tuple[object, ...]:
        """Returns what a frame could change, apart from when its sender was heard."""
        device, raft = self.device, self.device.raft
        outputs = list(device.outputs)
        return (
            raft.term, raft.role, raft.leader, raft.voted_for, raft.commit, raft.heard_by_leader, device.log.heads[-1],
            len(device.outbox.signed), device.not_taken, {*device.diverged}, {*device.outdated},
            {*device.equivocation.reported}, {*raft.catchup.requested}, outputs,
        )  # fmt: skip


def _device(node: Node) -> Device:
    assert node.device is not None
    return node.device


def test_every_kind_of_frame_has_a_row() -> None:
    assert REASONS.keys() == {*get_args(Frame)}
    assert all(len(row) == len(SENDERS) for row in REASONS.values())


@pytest.mark.parametrize("sender", SENDERS)
def test_each_kind_of_frame_is_believed_only_from_who_may_send_it(sender: str) -> None:
    scene = Scene()
    for kind, row in REASONS.items():
        if scene.device.raft.leader == NOBODY:  # the frame before has ended its office
            scene = Scene()
        number = scene.number_of(sender)
        before, frame = scene.state(), scene.frame(kind)
        reason = scene.border.receive(number, frames.write(frame, scene.world.mark), scene.world.now)
        assert reason == row[SENDERS.index(sender)], (kind.__name__, sender)
        if reason:
            assert scene.state() == before, (kind.__name__, sender)
            assert scene.border.limits[number].refused[reason] > 0
        scene.device.take()


def test_a_leader_is_not_deposed_by_a_vote_nor_refused_by_anybody() -> None:
    """Any voter could once depose the leader with a vote that nobody had asked for."""
    scene = Scene(leads=True)
    assert scene.device.raft.role == LEADER
    for sender in SENDERS[1:]:
        number = scene.number_of(sender)
        for kind in (Vote, Log, No):
            before = scene.state()
            assert scene.border.receive(number, frames.write(scene.frame(kind), scene.world.mark), scene.world.now)
            assert scene.state() == before, (kind, sender)
    assert not any(isinstance(output, NotTaken) for output in scene.device.take())


def test_a_device_that_is_out_of_date_is_not_muted_for_it() -> None:
    assert {"net.reload", "net.not_asked", "net.no_voter"} <= {*HARMLESS}
    scene = Scene()
    number = scene.number_of(OUTDATED)
    for _ in range(100):
        data = frames.write(scene.frame(Ack), scene.world.mark)
        assert scene.border.receive(number, data, scene.world.now) == "net.reload"
    assert not scene.border.limits[number].muted
