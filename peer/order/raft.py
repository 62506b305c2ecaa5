"""Raft over the devices at the table, with a leader that stays while it is heard.

An entry is committed when a majority holds it and it is of the present leader's term (or precedes one that is).
Logs are compared by a head, a hash over all entries up to there: two logs with the same head are the same up to it.
Sans-I/O: frames and time come in; `put` takes what is to be stored and sent, strictly in order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from random import Random

from engine.core import Refused
from peer.order.catchup import CatchUp
from peer.order.log import HistoriesDiffer, Log, changes_voters
from peer.order.outputs import Output, Send, Store, Tell, Timing
from peer.wire import envelope
from peer.wire.envelope import Entry, Envelope
from peer.wire.frames import TARGET_BYTES, Ack, Ask, Frame, Need, Past, Vote
from peer.wire.frames import Log as LogFrame
from peer.wire.limits import RateLimits

NOBODY = -1
NEWCOMER = -2  # the number of a device that has none yet
FOLLOWER, TRIAL, CANDIDATE, LEADER = "follower", "trial", "candidate", "host"
MAX_TERM_LEAP = 1000  # terms that can be skipped at once: the elections a device may have missed
LONG_AGO = -(10**9)
TERMS_SKIPPED = 20  # terms skipped by a leader without election: the absent device may have tried as many meanwhile
MAX_IN_FLIGHT = 4  # frames of entries sent without waiting for an acknowledgement


class Raft:
    def __init__(
        self,
        me: int,
        log: Log,
        rnd: Random,
        timing: Timing,
        put: Callable[[Output], None],
        now: int,
        term: int = 0,
        voted: int = NOBODY,
        commit: int = 0,
    ) -> None:
        self.me, self.log, self.rnd, self.timing, self.put, self.now = me, log, rnd, timing, put, now
        self.term, self.voted_for, self.commit = term, voted, commit
        self.role = FOLLOWER
        self.leader = NOBODY
        self.caught_up = False  # everything the leader reported as committed is committed here
        self.heard_at: dict[int, int] = {}  # when each device was last heard
        self.votes: set[int] = set()
        self.match_index: dict[int, int] = {}
        self.next_index: dict[int, int] = {}
        self.match_at_heartbeat: dict[int, int] = {}  # `match` at the last heartbeat
        self.acknowledged_at: dict[int, int] = {}  # when each device last acknowledged a frame of this leader
        self.greetings: dict[
            int, tuple[int, int, int]
        ] = {}  # by device: its commit index when it greeted, heartbeat, term
        self.gap_limits = RateLimits(5, 20)  # limits how often a device is sent entries it says it lacks
        self.term_limits = RateLimits(0.2, 20)  # limits how often a device may raise the term, which deposes a leader
        self.catchup = CatchUp(self)
        self.heard_by_leader: tuple[int, ...] = ()  # devices the leader hears
        self.due_votes: Collection[int] = ()  # devices that are to vote, and may already do so unknown to this one
        self.heartbeats = 0
        self.due = 0
        self._reset_election_timer()

    # Devices

    def other_voters(self) -> list[int]:
        return [device for device in self.log.all_voters if device != self.me]

    def audience(self) -> set[int]:
        """Returns the devices this leader sends the log to: voters, and every device that greeted it."""
        return {*self.log.all_voters, *self.match_index} - {self.me}

    def hears(self, device: int, within: int) -> bool:
        return device == self.me or self.now - self.heard_at.get(device, LONG_AGO) < within

    # Time

    def _reset_election_timer(self) -> None:
        """Resets the election timer."""
        self.due = self.now + self.rnd.randint(self.timing.election_min, self.timing.election_max)

    def tick(self, now: int) -> None:
        self.now = max(now, self.now)
        if self.now < self.due:
            return
        if self.role == LEADER:
            self._send_heartbeats()
        elif self.me in self.log.all_voters:
            self._start_trial()
        else:
            self._reset_election_timer()

    def _send_heartbeats(self) -> None:
        answered = [
            d
            for d in self.other_voters()
            if self.now - self.acknowledged_at.get(d, LONG_AGO) < self.timing.election_max
        ]
        if not self.log.is_majority({self.me, *answered}):
            self._become_follower(self.term, NOBODY)
            return
        self.due = self.now + self.timing.heartbeat
        self.heartbeats += 1
        for device in self.audience():
            if self.match_at_heartbeat.get(device) == self.match_index.get(device, 0):
                self.next_index[device] = self.match_index.get(device, 0) + 1
            self.match_at_heartbeat[device] = self.match_index.get(device, 0)
            self._send_log(device, beat=self.heartbeats)

    # Elections

    def _start_trial(self) -> None:
        """Starts a pre-vote: only if a majority would grant its vote, the term is raised."""
        self.role, self.leader = TRIAL, NOBODY
        self._reset_election_timer()
        self._request_votes(self.term + 1, trial=1)

    def _start_election(self) -> None:
        self._set_term(self.term + 1, voted=self.me)
        self.role, self.leader = CANDIDATE, NOBODY
        self._reset_election_timer()
        self._request_votes(self.term, trial=0)

    def _request_votes(self, term: int, trial: int) -> None:
        self.votes = {self.me}
        for device in self.other_voters():
            self.put(Send(device, Ask(term, self.log.last_index, self.log.term_at(self.log.last_index), trial)))
        self._count_votes()

    def _count_votes(self) -> None:
        if self.log.is_majority(self.votes):
            if self.role == TRIAL:
                self._start_election()
            else:
                self._become_leader()

    def _become_leader(self) -> None:
        self.role, self.leader, self.caught_up = LEADER, self.me, True
        self.match_index = dict.fromkeys(self.other_voters(), 0)
        self.next_index = dict.fromkeys(self.other_voters(), self.log.last_index + 1)
        self.match_at_heartbeat = {}
        self.acknowledged_at = dict.fromkeys(self.other_voters(), self.now)
        self.put(Tell("host", {"device": self.me, "term": self.term}))
        self._send_heartbeats()

    def lead_without_election(self) -> None:
        """Becomes leader without an election, as one of two voters: whatever was committed is in this log too."""
        self._set_term(self.term + TERMS_SKIPPED, voted=self.me)
        self._become_leader()

    def _set_term(self, term: int, voted: int = NOBODY) -> None:
        """Changes term and vote. They are stored before they are sent to anybody."""
        if (term, voted) != (self.term, self.voted_for):
            self.term, self.voted_for = term, voted
            self.put(Store(["term", term, voted]))

    def _become_follower(self, term: int, leader: int) -> None:
        if term > self.term:
            self._set_term(term)
        if self.role == LEADER or leader not in (self.leader, NOBODY):
            self.put(Tell("host", {"device": leader, "term": term}))
        if leader != self.leader:
            self.caught_up = False
        self.role, self.leader = FOLLOWER, leader
        self._reset_election_timer()

    def _is_up_to_date(self, last_index: int, last_term: int) -> bool:
        return (last_term, last_index) >= (self.log.term_at(self.log.last_index), self.log.last_index)

    def on_ask(self, sender: int, frame: Ask) -> None:
        if sender == self.leader and frame.term > self.term:
            self.leader = NOBODY  # a leader that requests votes is none any more
        has_leader = self.leader != NOBODY and (
            self.role == LEADER or self.hears(self.leader, self.timing.election_min)
        )
        votable = self._is_up_to_date(frame.last_index, frame.last_term) and not has_leader
        if frame.trial:
            granted = votable and frame.term > self.term
            self.put(Send(sender, Vote(frame.term if granted else self.term, int(granted), 1)))
            return
        if has_leader and frame.term > self.term:
            return  # the leader stays while it is heard
        if frame.term > self.term:
            self._become_follower(frame.term, NOBODY)
        granted = votable and frame.term == self.term and self.voted_for in (NOBODY, sender)
        if granted:
            self._set_term(self.term, voted=sender)
            self._reset_election_timer()
        self.put(Send(sender, Vote(self.term, int(granted), 0)))

    def on_vote(self, sender: int, frame: Vote) -> None:
        if frame.trial and frame.granted:
            counts = self.role == TRIAL and frame.term == self.term + 1
        elif frame.term > self.term:
            self._become_follower(frame.term, NOBODY)
            return
        else:
            counts = self.role == CANDIDATE and frame.term == self.term and frame.granted == 1
        if counts:
            self.votes.add(sender)
            self._count_votes()

    def on_greeting(self, device: int, commit: int) -> None:
        """Handles a greeting: a leader sends that device the entries after `at`, its commit index, and all later ones.

        A device greets again whenever another connection opens; what is already on its way is not sent twice.
        """
        previous, self.greetings[device] = self.greetings.get(device), (commit, self.heartbeats, self.term)
        if self.role == LEADER and previous != self.greetings[device] and self.gap_limits.take(device, self.now):
            self.match_index.setdefault(device, 0)
            self.next_index[device] = min(commit, self.log.last_index) + 1
            self._send_log(device, beat=0)

    def on_bye(self, sender: int) -> None:
        """Marks the peer as gone. If it was the leader, an election follows soon."""
        self.heard_at.pop(sender, None)
        self.acknowledged_at.pop(sender, None)
        if sender == self.leader:
            self.leader = NOBODY
            self.due = self.now + self.rnd.randint(50, 400)

    # The log, as a follower

    def on_log(self, sender: int, frame: LogFrame) -> None:
        if frame.term < self.term:
            self.put(Send(sender, Ack(self.term, self.log.last_index, 0, frame.heartbeat)))
            return
        if frame.term == self.term and self.leader not in (NOBODY, sender):
            raise Refused("net.two_hosts", term=frame.term)
        self._become_follower(frame.term, sender)
        self.heard_by_leader = frame.heard
        self.catchup.asked.clear()
        if not self.log.has_head(frame.prev_index, frame.prev_head):
            self._reject_gap(sender, frame)
            return
        end = frame.prev_index + len(frame.entries)
        self._accept(frame.prev_index, frame.entries)
        if frame.entries or frame.heartbeat:
            self.put(Send(sender, Ack(self.term, end, 1, frame.heartbeat)))
        self.commit = max(self.commit, min(frame.commit, end))
        self.caught_up = self.commit >= frame.commit

    def _reject_gap(self, sender: int, frame: LogFrame) -> None:
        """Answers that this log lacks the leader's entry. Raises `Differs` if another is committed at that index."""
        if frame.prev_index <= self.commit:
            raise HistoriesDiffer(sender, frame.prev_index)
        resume_from = self.log.last_index if self.log.last_index < frame.prev_index else self.commit
        self.put(Send(sender, Ack(self.term, resume_from, 0, frame.heartbeat)))

    def _accept(self, index: int, entries: tuple[Entry, ...]) -> None:
        """Appends the new entries, and removes others in their place, which were never committed.

        Raises `Refused`, and `Differs` if a committed entry would have to be removed.
        """
        for position, entry in enumerate(entries, index + 1):
            if entry.term > self.term or entry.term < self.log.term_at(position - 1):
                raise Refused("net.term", term=entry.term)
            if position > self.log.last_index or not self.log.has_head(
                position, envelope.next_head(self.log.heads[position - 1], entry)
            ):
                if position <= self.commit:
                    raise HistoriesDiffer(self.leader, position)
                if not self.log.counters_continue(position - 1, entries[position - index - 1 :]):
                    raise Refused("net.twice")
                self._append_from(position, entries[position - index - 1 :])
                return

    def _append_from(self, start: int, entries: tuple[Entry, ...]) -> None:
        if start <= self.log.last_index:
            self.log.truncate(start - 1)
        self.log.append(entries)
        self._store_entries(start, entries)

    def _store_entries(self, start: int, entries: tuple[Entry, ...]) -> None:
        self.put(Store(["log", start, [envelope.write_entry(entry) for entry in entries], self.commit]))

    def accept_committed(self, index: int, entries: tuple[Entry, ...]) -> None:
        """Takes over entries that are known to be committed, under any leader. Raises `Refused`."""
        if entries[-1].term > self.term + MAX_TERM_LEAP:
            raise Refused("net.term", term=entries[-1].term)
        if entries[-1].term > self.term:
            self._become_follower(entries[-1].term, NOBODY)
        self._accept(index, entries)
        self.commit = max(self.commit, index + len(entries))

    def drop_voteless_leader(self) -> None:
        """Drops the leader, perhaps this device itself, if it has no vote any more. Another one is then elected."""
        if self.leader not in (NOBODY, *self.log.all_voters):
            if self.role == LEADER:
                self._send_all()
            self._become_follower(self.term, NOBODY)

    # The log, as the leader

    def offer(self, envelopes: Iterable[Envelope]) -> None:
        """Appends new envelopes to the log, each once, and those of an author in the order of their counters.

        They are sent before they are stored here, so that all devices store them at the same time; but not if this
        device alone is a majority. A new commit index is sent after the `Store`, never before the entry is stored.
        """
        new: list[Entry] = []
        counted: dict[int, int] = {}
        for offered in envelopes:
            last = counted.get(offered.author, self.log.counters.get(offered.author, 0))
            if offered.counter == last + 1 and not self._is_foreign_voter_change(
                offered, self.log.last_index + len(new) + 1
            ):
                counted[offered.author] = offered.counter
                new.append(Entry(self.term, offered))
        if self.role == LEADER and new:
            start = self.log.last_index + 1
            self.log.append(new)
            if not self.log.is_majority({self.me}):
                self._send_all()
            self._store_entries(start, tuple(new))
            if self._advance_commit():
                self._send_all()

    def _is_foreign_voter_change(self, offered: Envelope, index: int) -> bool:
        """Returns True if the envelope of another device would change the voters, which only the leader may do.

        It is appended later, at an index where it has no effect.
        """
        return offered.author != self.me and changes_voters(offered, index)

    def _send_all(self) -> None:
        for device in self.audience():
            self._send_log(device, beat=0)

    def _send_log(self, device: int, beat: int) -> None:
        """Sends the entries this device may lack, in up to `MAX_IN_FLIGHT` frames; at least one, with the commit index.

        A device that has not been heard for a while gets heartbeats only: its entries would clog the other channels.
        """
        asleep = not self.hears(device, self.timing.away_after)
        if asleep and not beat:
            return
        for _ in range(MAX_IN_FLIGHT):
            start = self.next_index.get(device, self.log.last_index + 1)
            entries = () if asleep else tuple(self.log.entries_after(start - 1, TARGET_BYTES))
            frame = LogFrame(
                self.term, start - 1, self.log.heads[start - 1], self.commit, beat, self.heard_devices(), entries
            )
            self.put(Send(device, frame))
            self.next_index[device] = start + len(entries)
            if asleep or self.next_index[device] > self.log.last_index:
                return

    def heard_devices(self) -> tuple[int, ...]:
        return tuple(sorted(device for device in self.audience() if self.hears(device, self.timing.away_after)))

    def on_ack(self, sender: int, frame: Ack) -> None:
        if frame.term > self.term and sender in self.log.all_voters:
            self._become_follower(frame.term, NOBODY)
            return
        if self.role != LEADER or frame.term != self.term:
            return
        if frame.log_end > self.log.last_index:
            if frame.success:
                raise Refused("net.index", index=frame.log_end)
            self.next_index[sender] = self.log.last_index + 1
            return
        self.acknowledged_at[sender] = self.now
        if frame.success:
            self.match_index[sender] = max(frame.log_end, self.match_index.get(sender, 0))
            self.next_index[sender] = max(self.next_index.get(sender, 1), self.match_index[sender] + 1)
            if self._advance_commit():
                self._send_all()
            elif self.next_index[sender] <= self.log.last_index:
                self._send_log(sender, beat=0)
        else:
            self.match_index.setdefault(sender, 0)
            self.next_index[sender] = max(self.match_index[sender], frame.log_end) + 1
            if self.gap_limits.take(sender, self.now):  # otherwise with the next heartbeat
                self._send_log(sender, beat=0)

    def _advance_commit(self) -> bool:
        """Commits what a majority holds up to an entry of this term; of any term if this device alone is a majority.

        Returns True if the commit index has grown.
        """
        last_held = {device: self.match_index.get(device, 0) for device in self.other_voters()} | {
            self.me: self.log.last_index
        }
        changes = {place for place, _ in self.log.pending_changes}
        for reached in sorted({*last_held.values()} | changes, reverse=True):
            if reached <= self.commit:
                return False
            holders = {device for device, last in last_held.items() if last >= reached}
            if self.log.is_majority(holders if self.log.term_at(reached) == self.term else {self.me}, reached):
                self.commit = reached
                return True
        return False

    def _check_raised_term(self, sender: int, term: int) -> None:
        """Raises `Refused` if a term is too far ahead or raised too often by this sender, as it deposes a leader."""
        if term > self.term + MAX_TERM_LEAP or not self.term_limits.take(sender, self.now):
            raise Refused("net.term", term=term)

    def receive(self, sender: int, frame: Frame) -> None:
        """Handles a frame of Raft or of `CatchUp`. Raises `Refused`."""
        self.heard_at[sender] = self.now
        if isinstance(frame, Ask | Vote | LogFrame) and sender not in (*self.log.all_voters, *self.due_votes):
            raise Refused("net.no_voter", device=sender)
        if isinstance(frame, Ask | Vote | LogFrame | Ack) and frame.term > self.term and not getattr(frame, "trial", 0):
            self._check_raised_term(sender, frame.term)
        match frame:
            case Ask():
                self.on_ask(sender, frame)
            case Vote():
                self.on_vote(sender, frame)
            case LogFrame():
                self.on_log(sender, frame)
            case Ack():
                self.on_ack(sender, frame)
            case Need():
                if sender == self.leader:
                    self.leader = NOBODY  # a leader that asks for entries is none any more
                self.catchup.on_need(sender, frame)
            case Past():
                self.catchup.on_past(sender, frame)
