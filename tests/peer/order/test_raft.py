"""Raft and the log: the edge cases, each constructed by hand."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import Refused
from peer.order.log import Differs
from peer.order.log import Log as Entries
from peer.order.outputs import Output, Send, Store, Timing
from peer.order.raft import FOLLOWER, LEADER, NOBODY, Raft
from peer.wire import envelope
from peer.wire.envelope import Entry, Envelope
from peer.wire.frames import Ack, Ask, Log, Need, Past, Vote

ORIGIN = "o" * 43


def said(author: int, counter: int, kind: str = "start") -> Envelope:
    text = envelope.write("t" * 22, author, counter, 1, 0, ORIGIN, kind, ())
    return envelope.read(text, "s" * 43)


class One(Raft):
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
            for other in self.others():
                self.receive(other, Vote(self.term + trial, 1, trial))
        assert self.role == LEADER


def test_a_vote_is_stored_before_it_is_given() -> None:
    raft = One(0, 3)
    raft.receive(1, Ask(1, 0, 0, 0))
    assert raft.outputs == [Store(["term", 1, NOBODY]), Store(["term", 1, 1]), Send(1, Vote(1, 1, 0))]
    raft.outputs.clear()
    raft.receive(2, Ask(1, 0, 0, 0))
    assert raft.outputs == [Send(2, Vote(1, 0, 0))]


def test_entries_are_stored_before_they_are_acknowledged() -> None:
    raft = One(0, 3)
    entry = Entry(1, said(1, 1))
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), (entry,)))
    kinds = [type(one) for one in raft.outputs]
    assert raft.outputs[-1] == Send(1, Ack(1, 1, 1, 1))
    assert kinds.index(Store) < kinds.index(Send)
    assert any(isinstance(one, Store) and one.record[0] == "log" for one in raft.outputs)


def test_a_trial_raises_no_term() -> None:
    raft = One(0, 3)
    raft.receive(1, Ask(1, 0, 0, 1))
    assert raft.outputs == [Send(1, Vote(1, 1, 1))]
    assert (raft.term, raft.voted) == (0, NOBODY)


def test_a_host_that_is_heard_stays() -> None:
    """A device that was away and comes back cannot depose the leader."""
    raft = One(0, 3)
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.outputs.clear()
    raft.receive(2, Ask(2, 0, 0, 1))
    raft.receive(2, Ask(9, 0, 0, 0))
    assert raft.outputs == [Send(2, Vote(1, 0, 1))]
    assert raft.term == 1


def test_who_says_good_bye_is_followed_soon() -> None:
    raft = One(0, 3)
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.on_bye(1)
    assert raft.due <= 400
    raft.receive(2, Ask(2, 0, 0, 1))
    assert raft.sent(2) == [Vote(2, 1, 1)]


def test_a_host_that_has_to_ask_is_none_any_more() -> None:
    """Regression: a leader had come back and followed nobody. A device without a vote still heard it, took it for the
    leader, and therefore granted no vote to another candidate."""
    raft = One(3, 3)
    raft.receive(2, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.outputs.clear()
    raft.receive(2, Need(0, ORIGIN))
    raft.receive(0, Ask(2, 0, 0, 1))
    assert raft.outputs == [Send(0, Vote(2, 1, 1))]


def test_who_shall_have_a_vote_may_be_the_host_before_everybody_knows_that_it_has_one() -> None:
    """Regression: the leader that gave it the vote was gone, and devices that had not learned of the vote refused the
    only candidate with a complete log."""
    raft = One(0, 2)
    for frame in (Ask(1, 1, 1, 1), Log(1, 0, ORIGIN, 0, 1, (), ())):
        with pytest.raises(Refused, match="no_voter"):
            raft.receive(2, frame)
    raft.due_votes = (0, 2)
    raft.receive(2, Ask(1, 1, 1, 0))
    raft.receive(2, Log(1, 0, ORIGIN, 0, 1, (), ()))
    assert raft.sent(2) == [Vote(1, 1, 0), Ack(1, 0, 1, 1)]
    assert raft.leader == 2


def test_a_stale_log_gets_no_vote() -> None:
    entries = (Entry(1, said(1, 1)), Entry(2, said(1, 2)))
    raft = One(0, 3, entries, term=2)
    for index, last, granted in ((1, 1, 0), (9, 1, 0), (1, 2, 0), (2, 2, 1), (0, 3, 1)):
        raft.outputs.clear()
        raft.receive(2, Ask(3, index, last, 1))
        assert raft.sent(2) == [Vote(3 if granted else 2, granted, 1)], (index, last)


def test_an_older_entry_is_not_committed_by_counting_alone() -> None:
    """A majority holds it, but a leader of a newer term could still overwrite it."""
    raft = One(0, 3, (Entry(1, said(1, 1)),), term=3)
    raft.elect()
    raft.receive(1, Ack(raft.term, 1, 1, 1))
    raft.receive(2, Ack(raft.term, 1, 1, 1))
    assert raft.commit == 0
    raft.offer([said(0, 1)])
    raft.receive(1, Ack(raft.term, 2, 1, 1))
    assert raft.commit == 2


def test_a_host_without_a_majority_steps_down() -> None:
    raft = One(0, 5)
    raft.elect()
    raft.receive(1, Ack(raft.term, 0, 1, 1))
    raft.tick(raft.now + Timing().most)
    assert raft.role == FOLLOWER
    assert raft.leader == NOBODY


def test_each_author_is_taken_in_order_and_once() -> None:
    raft = One(0, 2)
    raft.elect()
    raft.offer([said(1, 2)])
    raft.offer([said(1, 1), said(1, 1), said(1, 2)])
    raft.offer([said(1, 1)])
    assert [(entry.envelope.author, entry.envelope.counter) for entry in raft.log.entries] == [(1, 1), (1, 2)]


def test_what_was_never_committed_may_be_overwritten_what_was_may_not() -> None:
    mine = (Entry(1, said(1, 1)), Entry(1, said(1, 2)))
    raft = One(0, 3, mine, term=1, commit=1)
    heads = raft.log.heads
    raft.receive(2, Log(2, 1, heads[1], 1, 0, (), (Entry(2, said(2, 1)),)))
    assert [entry.term for entry in raft.log.entries] == [1, 2]
    with pytest.raises(Differs):
        raft.receive(2, Log(2, 0, ORIGIN, 1, 0, (), (Entry(2, said(2, 1)),)))
    with pytest.raises(Differs):
        raft.receive(2, Log(2, 1, "x" * 43, 1, 0, (), ()))
    assert [entry.term for entry in raft.log.entries] == [1, 2]


def test_a_gap_is_filled_from_the_last_entry_both_hold() -> None:
    raft = One(0, 3, (Entry(1, said(1, 1)),), term=1)
    raft.receive(1, Log(1, 5, "x" * 43, 5, 1, (), ()))
    assert raft.sent(1) == [Ack(1, 1, 0, 1)]


def test_what_a_host_of_an_earlier_term_still_says_changes_nothing_and_is_answered_with_the_term() -> None:
    raft = One(0, 3, (Entry(1, said(1, 1)),), term=3)
    raft.receive(2, Log(3, 1, raft.log.heads[1], 0, 1, (), ()))
    before = raft.log.entries[:], raft.leader, raft.commit
    raft.outputs.clear()
    raft.receive(1, Log(2, 0, ORIGIN, 1, 7, (), (Entry(2, said(1, 1)), Entry(2, said(1, 2)))))
    assert (raft.log.entries, raft.leader, raft.commit) == before
    assert raft.outputs == [Send(1, Ack(3, 1, 0, 7))]
    raft.receive(1, Ask(2, 9, 2, 0))
    raft.receive(1, Vote(2, 1, 0))
    assert (raft.term, raft.voted, raft.leader) == (3, NOBODY, 2)


def test_two_hosts_in_one_term_are_not_believed() -> None:
    raft = One(0, 3)
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), ()))
    with pytest.raises(Refused, match=r"net\.two_hosts"):
        raft.receive(2, Log(1, 0, ORIGIN, 0, 1, (), ()))


def test_a_device_without_a_vote_chooses_nobody() -> None:
    raft = One(0, 3)
    with pytest.raises(Refused, match=r"net\.no_voter"):
        raft.receive(7, Ask(5, 9, 9, 0))
    with pytest.raises(Refused, match=r"net\.no_voter"):
        raft.receive(7, Log(5, 0, ORIGIN, 0, 1, (), ()))
    assert raft.term == 0


def test_what_a_device_that_sleeps_lacks_is_not_said_again_and_again() -> None:
    """Regression: its entries filled the channels through the endpoint, and delayed those for other devices."""
    raft = One(0, 3)
    raft.elect()
    raft.offer([said(0, 1)])
    raft.receive(1, Ack(1, 1, 1, 0))
    raft.now += raft.timing.away
    raft.receive(1, Ack(1, 1, 1, 0))
    raft.outputs.clear()
    raft.offer([said(0, 2)])
    assert raft.sent(2) == []
    raft.tick(raft.due)
    assert raft.sent(2) == [Log(1, 0, ORIGIN, 1, raft.beats, (1,), ())]
    raft.outputs.clear()
    raft.receive(2, Ack(1, 0, 0, raft.beats))
    assert [len(frame.entries) for frame in raft.sent(2) if isinstance(frame, Log)] == [2]


def test_who_greets_twice_is_told_once() -> None:
    """Regression: the whole log was sent for each connection that opened to a device that came late."""
    raft = One(0, 3)
    raft.elect()
    raft.offer([said(0, 1)])
    raft.receive(1, Ack(1, 1, 1, 0))
    raft.outputs.clear()
    raft.heard[3] = raft.now
    raft.listen(3, 0)
    raft.listen(3, 0)
    assert [len(frame.entries) for frame in raft.sent(3) if isinstance(frame, Log)] == [1]
    raft.heard[3] = raft.now = raft.due
    raft.receive(1, Ack(1, 1, 1, raft.beats))
    raft.tick(raft.now)
    raft.outputs.clear()
    raft.listen(3, 0)  # the first answer was lost
    assert [len(frame.entries) for frame in raft.sent(3) if isinstance(frame, Log)] == [1]


def test_what_nobody_asked_for_is_not_committed() -> None:
    """Regression: a voter presented its own entry as committed, and the device diverged from its true leader."""
    raft, past = One(0, 3), Past(0, ORIGIN, (Entry(1, said(1, 1)),))
    raft.receive(1, past)
    assert (raft.commit, raft.log.last) == (0, 0)
    raft.catchup.ask(1)
    raft.receive(2, Log(1, 0, ORIGIN, 0, 1, (), ()))
    raft.receive(1, past)
    assert raft.commit == 0, "a host was heard since"
    raft.catchup.ask(1)
    raft.receive(1, past)
    assert (raft.commit, raft.log.last) == (1, 1)


def test_one_of_two_decides_alone_as_soon_as_it_says_so_and_one_of_three_never() -> None:
    for devices, alone in ((2, True), (3, False)):
        log = Entries(ORIGIN, tuple(range(devices)))
        text = envelope.write("m" * 22, 1, 1, 1, 0, ORIGIN, "alone", (1, (), ()))
        log.append([Entry(1, envelope.read(text, "s" * 86))])
        assert log.carries((1,)) == alone
        assert log.everybody == ((1,) if alone else (0, 1, 2))


def test_who_decides_alone_gives_another_one_the_vote_without_asking_and_then_asks() -> None:
    """The new voter may be lost at that moment; but nothing may be committed after that without its knowledge."""
    raft = One(0, 1)
    raft.tick(raft.due)
    votes = envelope.write("t" * 22, 0, 1, 1, 0, ORIGIN, "votes", (1, (0, 1)))
    raft.offer([envelope.read(votes, "s" * 86), said(0, 2)])
    assert (raft.commit, raft.log.last, raft.log.everybody, raft.role) == (1, 2, (0, 1), LEADER)
    raft.log.settle(1, (0, 1))
    raft.receive(1, Ack(1, 2, 1, 0))
    assert raft.commit == 2
    again = One(0, 1, tuple(raft.log.entries), 1)
    again.tick(again.due)
    assert (again.role, again.term) == (LEADER, 2)
    again.offer([said(0, 3)])
    assert again.commit == 1, "of an earlier term, and still its own to decide"


def test_while_the_voters_change_both_majorities_are_needed() -> None:
    log = Entries("o" * 43, (0, 1, 2))
    text = envelope.write("m" * 22, 0, 1, 1, 0, "o" * 43, "votes", (1, (0, 3, 4)))
    log.append([Entry(1, envelope.read(text, "s" * 86))])
    assert log.everybody == (0, 1, 2, 3, 4)
    decides = {(0, 1, 3): True, (0, 3, 4): False, (0, 1, 2): False, (1, 2, 3, 4): True}
    assert {devices: log.carries(devices) for devices in decides} == decides
    log.settle(1, (0, 3, 4))
    assert (log.everybody, log.carries((3, 4)), log.carries((0, 1))) == ((0, 3, 4), True, False)


def test_a_change_of_voters_that_stands_elsewhere_or_is_cut_off_means_nothing() -> None:
    log = Entries("o" * 43, (0, 1, 2))
    for index in (2, 2):
        text = envelope.write("m" * 22, 0, log.last + 1, 1, 0, "o" * 43, "votes", (index, (0, 3, 4)))
        log.append([Entry(1, envelope.read(text, "s" * 86))])
    assert log.everybody == (0, 1, 2, 3, 4)
    log.cut(1)
    assert log.everybody == (0, 1, 2)
