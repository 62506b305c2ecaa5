"""Raft and the log: the edge cases, each constructed by hand."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import Nonsense
from peer.order.log import HistoriesDiffer
from peer.order.log import Log as Entries
from peer.order.outputs import Output, Send, Store, Timing
from peer.order.raft import FOLLOWER, LEADER, NOBODY, Raft
from peer.wire import bodies, envelope
from peer.wire.envelope import Entry, Envelope
from peer.wire.frames import Ack, Ask, Log, Need, Past, Vote

ORIGIN = "o" * 43


def make_envelope(author: int, counter: int) -> Envelope:
    text = envelope.write("t" * 22, author, counter, 1, 0, ORIGIN, bodies.Start())
    return envelope.read(text, "s" * 43)


class RecordingRaft(Raft):
    """A Raft instance that collects its outputs in a list."""

    def __init__(self, me: int, devices: int, entries: tuple[Entry, ...] = (), term: int = 0, commit: int = 0) -> None:
        self.outputs: list[Output] = []
        log = Entries(ORIGIN, tuple(range(devices)))
        log.append(entries)
        super().__init__(me, log, Random(me), Timing(), self.outputs.append, 0, term, commit=commit)

    def sent(self, to: int) -> list[object]:
        return [one.frame for one in self.outputs if isinstance(one, Send) and one.to == to]

    def elect(self) -> None:
        """Makes this device the leader by the votes of all others."""
        self.tick(self.due)
        for trial in (1, 0):
            for other in self.other_voters():
                self.receive(other, Vote(self.term + trial, 1, trial))
        assert self.role == LEADER


def test_a_vote_is_stored_before_it_is_given() -> None:
    raft = RecordingRaft(0, 3)
    raft.receive(1, Ask(1, 0, 0, 0))
    assert raft.outputs == [Store(["term", 1, NOBODY]), Store(["term", 1, 1]), Send(1, Vote(1, 1, 0))]
    raft.outputs.clear()
    raft.receive(2, Ask(1, 0, 0, 0))
    assert raft.outputs == [Send(2, Vote(1, 0, 0))]


def test_entries_are_stored_before_they_are_acknowledged() -> None:
    raft = RecordingRaft(0, 3)
    entry = Entry(1, make_envelope(1, 1))
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), (entry,)))
    kinds = [type(one) for one in raft.outputs]
    assert raft.outputs[-1] == Send(1, Ack(1, 1, 1, 1))
    assert kinds.index(Store) < kinds.index(Send)
    assert any(isinstance(one, Store) and one.record[0] == "log" for one in raft.outputs)


def test_a_pre_vote_raises_no_term() -> None:
    raft = RecordingRaft(0, 3)
    raft.receive(1, Ask(1, 0, 0, 1))
    assert raft.outputs == [Send(1, Vote(1, 1, 1))]
    assert (raft.term, raft.voted_for) == (0, NOBODY)


def test_a_leader_that_sends_heartbeats_is_not_replaced() -> None:
    """A device that was away and comes back cannot depose the leader."""
    raft = RecordingRaft(0, 3)
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.outputs.clear()
    raft.receive(2, Ask(2, 0, 0, 1))
    raft.receive(2, Ask(9, 0, 0, 0))
    assert raft.outputs == [Send(2, Vote(1, 0, 1))]
    assert raft.term == 1


def test_a_leader_that_says_bye_is_soon_replaced() -> None:
    raft = RecordingRaft(0, 3)
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.forget_presence(1)
    assert raft.due <= 400
    raft.receive(2, Ask(2, 0, 0, 1))
    assert raft.sent(2) == [Vote(2, 1, 1)]


def test_a_leader_that_asks_for_entries_is_dropped() -> None:
    """Regression: a leader had come back and followed nobody. A device without a vote still heard it, took it for the
    leader, and therefore granted no vote to another candidate."""
    raft = RecordingRaft(3, 3)
    raft.receive(2, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.outputs.clear()
    raft.receive(2, Need(0, ORIGIN))
    raft.receive(0, Ask(2, 0, 0, 1))
    assert raft.outputs == [Send(0, Vote(2, 1, 1))]


def test_a_future_voter_may_lead_before_everybody_knows_of_its_vote() -> None:
    """Regression: the leader that gave it the vote was gone, and devices that had not learned of the vote refused the
    only candidate with a complete log."""
    raft = RecordingRaft(0, 2)
    for frame in (Ask(1, 1, 1, 1), Log(1, 0, ORIGIN, 0, 1, (), ())):
        with pytest.raises(Nonsense, match="no_voter"):
            raft.receive(2, frame)
    raft.future_voters = (0, 2)
    raft.receive(2, Ask(1, 1, 1, 0))
    raft.receive(2, Log(1, 0, ORIGIN, 0, 1, (), ()))
    assert raft.sent(2) == [Vote(1, 1, 0), Ack(1, 0, 1, 1)]
    assert raft.leader == 2


def test_a_stale_log_gets_no_vote() -> None:
    entries = (Entry(1, make_envelope(1, 1)), Entry(2, make_envelope(1, 2)))
    raft = RecordingRaft(0, 3, entries, term=2)
    for index, last, granted in ((1, 1, 0), (9, 1, 0), (1, 2, 0), (2, 2, 1), (0, 3, 1)):
        raft.outputs.clear()
        raft.receive(2, Ask(3, index, last, 1))
        assert raft.sent(2) == [Vote(3 if granted else 2, granted, 1)], (index, last)


def test_an_older_entry_is_not_committed_by_counting_alone() -> None:
    """A majority holds it, but a leader of a newer term could still overwrite it."""
    raft = RecordingRaft(0, 3, (Entry(1, make_envelope(1, 1)),), term=3)
    raft.elect()
    raft.receive(1, Ack(raft.term, 1, 1, 1))
    raft.receive(2, Ack(raft.term, 1, 1, 1))
    assert raft.commit == 0
    raft.append_offered([make_envelope(0, 1)])
    raft.receive(1, Ack(raft.term, 2, 1, 1))
    assert raft.commit == 2


def test_a_leader_without_a_majority_steps_down() -> None:
    raft = RecordingRaft(0, 5)
    raft.elect()
    raft.receive(1, Ack(raft.term, 0, 1, 1))
    raft.tick(raft.now + Timing().election_max)
    assert raft.role == FOLLOWER
    assert raft.leader == NOBODY


def test_envelopes_are_appended_in_order_and_once() -> None:
    raft = RecordingRaft(0, 2)
    raft.elect()
    raft.append_offered([make_envelope(1, 2)])
    raft.append_offered([make_envelope(1, 1), make_envelope(1, 1), make_envelope(1, 2)])
    raft.append_offered([make_envelope(1, 1)])
    assert [(entry.envelope.author, entry.envelope.counter) for entry in raft.log.entries] == [(1, 1), (1, 2)]


def test_only_uncommitted_entries_are_overwritten() -> None:
    mine = (Entry(1, make_envelope(1, 1)), Entry(1, make_envelope(1, 2)))
    raft = RecordingRaft(0, 3, mine, term=1, commit=1)
    heads = raft.log.heads
    raft.receive(2, Log(2, 1, heads[1], 1, 0, (), (Entry(2, make_envelope(2, 1)),)))
    assert [entry.term for entry in raft.log.entries] == [1, 2]
    with pytest.raises(HistoriesDiffer):
        raft.receive(2, Log(2, 0, ORIGIN, 1, 0, (), (Entry(2, make_envelope(2, 1)),)))
    with pytest.raises(HistoriesDiffer):
        raft.receive(2, Log(2, 1, "x" * 43, 1, 0, (), ()))
    assert [entry.term for entry in raft.log.entries] == [1, 2]


def test_a_gap_is_filled_from_the_last_entry_both_hold() -> None:
    raft = RecordingRaft(0, 3, (Entry(1, make_envelope(1, 1)),), term=1)
    raft.receive(1, Log(1, 5, "x" * 43, 5, 1, (), ()))
    assert raft.sent(1) == [Ack(1, 1, 0, 1)]


def test_frames_of_an_earlier_term_change_nothing_and_are_answered_with_the_term() -> None:
    raft = RecordingRaft(0, 3, (Entry(1, make_envelope(1, 1)),), term=3)
    raft.receive(2, Log(3, 1, raft.log.heads[1], 0, 1, (), ()))
    before = raft.log.entries[:], raft.leader, raft.commit
    raft.outputs.clear()
    raft.receive(1, Log(2, 0, ORIGIN, 1, 7, (), (Entry(2, make_envelope(1, 1)), Entry(2, make_envelope(1, 2)))))
    assert (raft.log.entries, raft.leader, raft.commit) == before
    assert raft.outputs == [Send(1, Ack(3, 1, 0, 7))]
    raft.receive(1, Ask(2, 9, 2, 0))
    raft.receive(1, Vote(2, 1, 0))
    assert (raft.term, raft.voted_for, raft.leader) == (3, NOBODY, 2)


def test_a_second_leader_in_one_term_is_refused() -> None:
    raft = RecordingRaft(0, 3)
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), ()))
    with pytest.raises(Nonsense, match=r"net\.two_hosts"):
        raft.receive(2, Log(1, 0, ORIGIN, 0, 1, (), ()))


def test_a_device_without_a_vote_can_neither_ask_for_votes_nor_lead() -> None:
    raft = RecordingRaft(0, 3)
    with pytest.raises(Nonsense, match=r"net\.no_voter"):
        raft.receive(7, Ask(5, 9, 9, 0))
    with pytest.raises(Nonsense, match=r"net\.no_voter"):
        raft.receive(7, Log(5, 0, ORIGIN, 0, 1, (), ()))
    assert raft.term == 0


def test_a_silent_device_gets_heartbeats_without_entries() -> None:
    """Regression: its entries filled the channels through the endpoint, and delayed those for other devices."""
    raft = RecordingRaft(0, 3)
    raft.elect()
    raft.append_offered([make_envelope(0, 1)])
    raft.receive(1, Ack(1, 1, 1, 0))
    raft.now += raft.timing.away_after
    raft.receive(1, Ack(1, 1, 1, 0))
    raft.outputs.clear()
    raft.append_offered([make_envelope(0, 2)])
    assert raft.sent(2) == []
    raft.tick(raft.due)
    assert raft.sent(2) == [Log(1, 0, ORIGIN, 1, raft.heartbeats, (1,), ())]
    raft.outputs.clear()
    raft.receive(2, Ack(1, 0, 0, raft.heartbeats))
    assert [len(frame.entries) for frame in raft.sent(2) if isinstance(frame, Log)] == [2]


def test_a_repeated_hi_is_answered_once() -> None:
    """Regression: the whole log was sent for each connection that opened to a device that came late."""
    raft = RecordingRaft(0, 3)
    raft.elect()
    raft.append_offered([make_envelope(0, 1)])
    raft.receive(1, Ack(1, 1, 1, 0))
    raft.outputs.clear()
    raft.heard_at[3] = raft.now
    raft.on_hi(3, 0)
    raft.on_hi(3, 0)
    assert [len(frame.entries) for frame in raft.sent(3) if isinstance(frame, Log)] == [1]
    raft.heard_at[3] = raft.now = raft.due
    raft.receive(1, Ack(1, 1, 1, raft.heartbeats))
    raft.tick(raft.now)
    raft.outputs.clear()
    raft.on_hi(3, 0)  # the first answer was lost
    assert [len(frame.entries) for frame in raft.sent(3) if isinstance(frame, Log)] == [1]


def test_entries_that_were_not_asked_for_are_not_committed() -> None:
    """Regression: a voter presented its own entry as committed, and the device diverged from its true leader."""
    raft, past = RecordingRaft(0, 3), Past(0, ORIGIN, (Entry(1, make_envelope(1, 1)),))
    raft.receive(1, past)
    assert (raft.commit, raft.log.last_index) == (0, 0)
    raft.catchup.request(1)
    raft.receive(2, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.receive(1, past)
    assert raft.commit == 0, "a host was heard since"
    raft.catchup.request(1)
    raft.receive(1, past)
    assert (raft.commit, raft.log.last_index) == (1, 1)


def test_an_alone_entry_takes_effect_at_once_with_two_voters_and_never_with_three() -> None:
    for devices, alone in ((2, True), (3, False)):
        log = Entries(ORIGIN, tuple(range(devices)))
        text = envelope.write("m" * 22, 1, 1, 1, 0, ORIGIN, bodies.Alone(1, (), ()))
        log.append([Entry(1, envelope.read(text, "s" * 86))])
        assert log.is_majority((1,)) == alone
        assert log.all_voters == ((1,) if alone else (0, 1, 2))


def test_a_single_voter_adds_a_second_alone_and_then_needs_it() -> None:
    """The new voter may be lost at that moment; but nothing may be committed after that without its knowledge."""
    raft = RecordingRaft(0, 1)
    raft.tick(raft.due)
    votes = envelope.write("t" * 22, 0, 1, 1, 0, ORIGIN, bodies.Votes(1, (0, 1)))
    raft.append_offered([envelope.read(votes, "s" * 86), make_envelope(0, 2)])
    assert (raft.commit, raft.log.last_index, raft.log.all_voters, raft.role) == (1, 2, (0, 1), LEADER)
    raft.log.set_voters(1, (0, 1))
    raft.receive(1, Ack(1, 2, 1, 0))
    assert raft.commit == 2
    again = RecordingRaft(0, 1, tuple(raft.log.entries), 1)
    again.tick(again.due)
    assert (again.role, again.term) == (LEADER, 2)
    again.append_offered([make_envelope(0, 3)])
    assert again.commit == 1, "of an earlier term, and still its own to decide"


def test_while_the_voters_change_both_majorities_are_needed() -> None:
    log = Entries("o" * 43, (0, 1, 2))
    text = envelope.write("m" * 22, 0, 1, 1, 0, "o" * 43, bodies.Votes(1, (0, 3, 4)))
    log.append([Entry(1, envelope.read(text, "s" * 86))])
    assert log.all_voters == (0, 1, 2, 3, 4)
    decides = {(0, 1, 3): True, (0, 3, 4): False, (0, 1, 2): False, (1, 2, 3, 4): True}
    assert {devices: log.is_majority(devices) for devices in decides} == decides
    log.set_voters(1, (0, 3, 4))
    assert (log.all_voters, log.is_majority((3, 4)), log.is_majority((0, 1))) == ((0, 3, 4), True, False)


def test_a_change_of_voters_at_another_index_or_truncated_has_no_effect() -> None:
    log = Entries("o" * 43, (0, 1, 2))
    for index in (2, 2):
        text = envelope.write("m" * 22, 0, log.last_index + 1, 1, 0, "o" * 43, bodies.Votes(index, (0, 3, 4)))
        log.append([Entry(1, envelope.read(text, "s" * 86))])
    assert log.all_voters == (0, 1, 2, 3, 4)
    log.truncate(1)
    assert log.all_voters == (0, 1, 2)
