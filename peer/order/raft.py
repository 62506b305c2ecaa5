"""Raft over the devices at the table, with a leader that stays while it is heard.

An entry is committed when a majority holds it and it is of the present leader's term (or precedes one that is).
Logs are compared by a head, a hash over all entries up to there: two logs with the same head are the same up to it.
Sans-I/O: frames and time come in; `put` takes what is to be stored and sent, strictly in order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from random import Random

from engine.core import Nonsense
from peer.order.catchup import CatchUp
from peer.order.log import HistoriesDiffer, Log, changes_voters
from peer.order.outputs import LeaderChanged, Output, Send, Store, Timing
from peer.wire import envelope
from peer.wire.envelope import Entry, Envelope
from peer.wire.frames import TARGET_BYTES, Ack, Ask, Frame, Need, Past, Vote
from peer.wire.frames import Log as LogFrame
from peer.wire.limits import RateLimits

NOBODY = -1
NEWCOMER = -2  # the number of a device that has no number yet
FOLLOWER, TRIAL, CANDIDATE, LEADER = "follower", "trial", "candidate", "leader"
MAX_TERM_LEAP = 1000  # terms that can be skipped at once: the elections a device may have missed
LONG_AGO = -(10**9)
# terms skipped by `lead_without_election`: the other device may have raised the term by elections meanwhile
TERMS_SKIPPED = 20
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
        self.match_at_heartbeat: dict[int, int] = {}  # `match_index` at the last heartbeat
        self.acknowledged_at: dict[int, int] = {}  # when each device last acknowledged a frame of this leader
        # by device: the commit index in its last `hi`, and this leader's heartbeat count and term then
        self.last_hi: dict[int, tuple[int, int, int]] = {}
        self.gap_limits = RateLimits(5, 20)  # limits how often a device is sent entries it says it lacks
        self.term_limits = RateLimits(0.2, 20)  # limits how often a device may raise the term, which deposes a leader
        self.catchup = CatchUp(self)
        self.heard_by_leader: tuple[int, ...] = ()  # devices the leader hears
        self.muted: set[int] = set()  # devices whose frames are refused here, because they kept breaking the protocol
        self.muted_by: dict[int, tuple[int, ...]] = {}  # devices that other devices have muted, by their latest `hi`
        self.trial_refused_at = LONG_AGO  # when this device last refused a trial because it heard its leader
        self.starved = False  # the leader has not committed what this device offered, for too long
        self.future_voters: Collection[int] = ()  # should have a vote; perhaps an entry not yet here gave it
        self.heartbeats = 0
        self.due = 0  # time of the next heartbeat of a leader, or of the next election of any other device
        self._reset_election_timer()

    # Devices

    def other_voters(self) -> list[int]:
        return [device for device in self.log.all_voters if device != self.me]

    def audience(self) -> set[int]:
        """Returns the devices this leader sends the log to: voters, and every device that sent it a `hi`."""
        return {*self.log.all_voters, *self.match_index} - {self.me}

    def hears(self, device: int, within: int) -> bool:
        return device == self.me or self.now - self.heard_at.get(device, LONG_AGO) < within

    def is_present(self, device: int) -> bool:
        """Returns True if this device hears another one, or its leader does."""
        by_leader = self.leader not in (NOBODY, self.me) and device in self.heard_by_leader
        return self.hears(device, self.timing.away_after) or by_leader

    @property
    def muted_by_leader(self) -> Collection[int]:
        return self.muted if self.role == LEADER else self.muted_by.get(self.leader, ())

    def is_cut_off(self, device: int) -> bool:
        """Returns True if a device is muted here, or if the leader and this device do not both hear each other: then
        it cannot add to the log, although it may be present."""
        return device in (*self.muted, *self.muted_by_leader) or self.leader in self.muted_by.get(device, ())

    # Time

    def _reset_election_timer(self) -> None:
        """Sets the election timer to a random time, so that two devices seldom start together."""
        self.due = self.now + self.rnd.randint(self.timing.election_min, self.timing.election_max)

    def tick(self, now: int) -> None:
        self.now = max(now, self.now)
        if self.now < self.due:
            return
        if self.role == LEADER:
            self._send_heartbeats()
        elif self.starved and self.role == TRIAL:
            self._become_follower(self.term, NOBODY)  # the others do not see it so: the leader is heard again
        elif self.me in self.log.all_voters:
            self._start_trial()
        else:
            self._reset_election_timer()

    def _send_heartbeats(self) -> None:
        """Sends the log to the whole audience, as a heartbeat that must be answered. Steps down without a majority."""
        answered = [
            d
            for d in self.other_voters()
            if self.now - self.acknowledged_at.get(d, LONG_AGO) < self.timing.election_max
        ]
        if not self.log.is_majority({self.me, *answered}):
            # it cannot commit anything, and the others may have elected another leader
            self._become_follower(self.term, NOBODY)
            return
        self.due = self.now + self.timing.heartbeat
        self.heartbeats += 1
        for device in self.audience():
            # what was sent since the last heartbeat, but not acknowledged, may be lost: it is sent again
            if self.match_at_heartbeat.get(device) == self.match_index.get(device, 0):
                self.next_index[device] = self.match_index.get(device, 0) + 1
            self.match_at_heartbeat[device] = self.match_index.get(device, 0)
            self._send_log(device, heartbeat=self.heartbeats)

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
        self.put(LeaderChanged(self.me, self.term))
        self._send_heartbeats()

    def lead_without_election(self) -> None:
        """Becomes leader without an election, as one of two voters.

        A majority of two is both, so whatever was committed is in this log too.
        """
        self._set_term(self.term + TERMS_SKIPPED, voted=self.me)
        self._become_leader()

    def _set_term(self, term: int, voted: int = NOBODY) -> None:
        """Changes term and vote. They are stored before they are sent to anybody."""
        if (term, voted) != (self.term, self.voted_for):
            self.term, self.voted_for = term, voted
            self.put(Store(["term", term, voted]))

    def _become_follower(self, term: int, leader: int) -> None:
        """Follows this leader, or `NOBODY`, and restarts the election timer. A higher term is adopted and stored.

        The timer of a device that is starved by this leader runs on: when it ends, the device asks for votes on trial.
        """
        starved_by_it = self.starved and (self.role, self.leader, self.term) == (FOLLOWER, leader, term)
        if term > self.term:
            self._set_term(term)
        if self.role == LEADER or leader not in (self.leader, NOBODY):
            self.put(LeaderChanged(leader, term))
        if leader != self.leader:
            self.caught_up = False
        self.role, self.leader = FOLLOWER, leader
        if not starved_by_it:
            self._reset_election_timer()

    def _is_up_to_date(self, last_index: int, last_term: int) -> bool:
        return (last_term, last_index) >= (self.log.term_at(self.log.last_index), self.log.last_index)

    def on_ask(self, sender: int, frame: Ask) -> None:
        """Answers a request for a vote. Grants it only without a leader, if the sender's log is up to date.

        A request with a higher term is ignored while the leader is heard, unless it is a trial, which changes nothing.
        A leader that starves this device does not count.
        """
        if sender == self.leader and frame.term > self.term:
            self.leader = NOBODY  # a leader that requests votes is none any more
        has_leader = self.role == LEADER or (
            self.leader != NOBODY and not self.starved and self.hears(self.leader, self.timing.election_min)
        )
        votable = self._is_up_to_date(frame.last_index, frame.last_term) and not has_leader
        if frame.trial:
            if has_leader:
                self.trial_refused_at = self.now
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
        """Counts a vote for the present trial or election. A refusal with a higher term ends it. Raises `Nonsense` for
        a higher term if no vote is awaited: it could depose a leader."""
        if frame.trial and frame.granted:
            counts = self.role == TRIAL and frame.term == self.term + 1
        elif frame.term > self.term:
            if self.role not in (TRIAL, CANDIDATE):
                raise Nonsense("net.not_asked")
            self._become_follower(frame.term, NOBODY)
            return
        else:
            counts = self.role == CANDIDATE and frame.term == self.term and frame.granted == 1
        if counts:
            self.votes.add(sender)
            self._count_votes()

    def on_hi(self, device: int, commit: int) -> None:
        """Handles a `hi`: a leader sends that device the entries after `commit`, and all later ones.

        A device sends it again whenever another connection opens. One with the same commit index, during the same
        heartbeat and term, is ignored: the entries are already on their way.
        """
        previous, self.last_hi[device] = self.last_hi.get(device), (commit, self.heartbeats, self.term)
        if self.role == LEADER and previous != self.last_hi[device] and self.gap_limits.take(device, self.now):
            self.match_index.setdefault(device, 0)
            self.next_index[device] = min(commit, self.log.last_index) + 1
            self._send_log(device, heartbeat=0)

    def forget_presence(self, sender: int) -> None:
        """Marks the device as away: it said good-bye, or its log has diverged. If it led, an election follows soon."""
        self.heard_at.pop(sender, None)
        self.acknowledged_at.pop(sender, None)
        if sender == self.leader:
            self.leader = NOBODY
            self.due = self.now + self.rnd.randint(50, 400)

    # The log, as a follower

    def on_log(self, sender: int, frame: LogFrame) -> None:
        """Appends the leader's entries and commits what the leader has committed. Acknowledges entries and heartbeats.

        Raises `Nonsense`, also for a second leader in one term, and `HistoriesDiffer`.
        """
        if frame.term < self.term:
            self.put(Send(sender, Ack(self.term, self.log.last_index, 0, frame.heartbeat)))
            return
        if frame.term == self.term and self.leader not in (NOBODY, sender):
            raise Nonsense("net.two_hosts")
        if self.starved and self.role == TRIAL and frame.term == self.term:
            return  # until the trial ends, this device does not go back to the leader that starves it
        self._become_follower(frame.term, sender)
        self.heard_by_leader = frame.heard
        self.catchup.requested.clear()
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
        """Answers that this log lacks the leader's entry. Raises `HistoriesDiffer` if one is committed there."""
        if frame.prev_index <= self.commit:
            raise HistoriesDiffer(sender, frame.prev_index)
        # if the log reaches that index, it differs somewhere below: only the committed entries are surely equal
        resume_from = self.log.last_index if self.log.last_index < frame.prev_index else self.commit
        self.put(Send(sender, Ack(self.term, resume_from, 0, frame.heartbeat)))

    def _accept(self, prev_index: int, entries: tuple[Entry, ...]) -> None:
        """Appends the new entries after `prev_index`, and removes others in their place, which were never committed.

        Raises `Nonsense`, and `HistoriesDiffer` if a committed entry would have to be removed.
        """
        for position, entry in enumerate(entries, prev_index + 1):
            if entry.term > self.term or entry.term < self.log.term_at(position - 1):
                raise Nonsense("net.term")
            if position > self.log.last_index or not self.log.has_head(
                position, envelope.next_head(self.log.heads[position - 1], entry)
            ):
                if position <= self.commit:
                    raise HistoriesDiffer(self.leader, position)
                if not self.log.counters_continue(position - 1, entries[position - prev_index - 1 :]):
                    raise Nonsense("net.twice")
                self._append_from(position, entries[position - prev_index - 1 :])
                return

    def _append_from(self, start: int, entries: tuple[Entry, ...]) -> None:
        if start <= self.log.last_index:
            self.log.truncate(start - 1)
        self.log.append(entries)
        self._store_entries(start, entries)

    def _store_entries(self, start: int, entries: tuple[Entry, ...]) -> None:
        self.put(Store(["log", start, [envelope.write_entry(entry) for entry in entries], self.commit]))

    def accept_committed(self, prev_index: int, entries: tuple[Entry, ...]) -> None:
        """Takes over entries that are known to be committed, under any leader. Raises `Nonsense`."""
        if entries[-1].term > self.term + MAX_TERM_LEAP:
            raise Nonsense("net.term")
        if entries[-1].term > self.term:
            self._become_follower(entries[-1].term, NOBODY)
        self._accept(prev_index, entries)
        self.commit = max(self.commit, prev_index + len(entries))

    def drop_voteless_leader(self) -> None:
        """Drops the leader, perhaps this device itself, if it has no vote any more. Another one is then elected."""
        if self.leader not in (NOBODY, *self.log.all_voters):
            if self.role == LEADER:
                self._send_all()  # the others must learn that the entry that took its vote is committed
            self._become_follower(self.term, NOBODY)

    # The log, as the leader

    @property
    def needs_start(self) -> bool:
        """True if this leader needs an entry of its own term, without which it cannot commit those of earlier terms."""
        last_index = self.log.last_index
        return self.role == LEADER and last_index > self.commit and self.log.term_at(last_index) < self.term

    def append_offered(self, envelopes: Iterable[Envelope]) -> None:
        """Appends new envelopes to the log, each once, and those of an author in the order of their counters.

        Does nothing unless this device is the leader. The entries are sent before they are stored in this log, so that
        all devices store them at the same time: each author has stored its envelope in its outbox. Not so if this
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

        Its author offers it again, and it is appended at an index where it has no effect.
        """
        return offered.author != self.me and changes_voters(offered, index)

    def _send_all(self) -> None:
        for device in self.audience():
            self._send_log(device, heartbeat=0)

    def _send_log(self, device: int, heartbeat: int) -> None:
        """Sends the entries this device may lack, in up to `MAX_IN_FLIGHT` frames; at least one, with the commit index.

        `heartbeat` is 0 for a frame that is no heartbeat. A device that is away (not heard for a while) gets heartbeats
        only: entries that nobody reads would fill the queues of routes that other channels use too.
        """
        away = not self.hears(device, self.timing.away_after)
        if away and not heartbeat:
            return
        for _ in range(MAX_IN_FLIGHT):
            start = self.next_index.get(device, self.log.last_index + 1)
            entries = () if away else tuple(self.log.entries_after(start - 1, TARGET_BYTES))
            frame = LogFrame(
                self.term, start - 1, self.log.heads[start - 1], self.commit, heartbeat, self.heard_devices(), entries
            )
            self.put(Send(device, frame))
            self.next_index[device] = start + len(entries)
            if away or self.next_index[device] > self.log.last_index:
                return

    def heard_devices(self) -> tuple[int, ...]:
        return tuple(sorted(device for device in self.audience() if self.hears(device, self.timing.away_after)))

    def on_ack(self, sender: int, frame: Ack) -> None:
        """Notes how far the sender's log matches this leader's, commits what that allows, and sends what is lacking.

        Raises `Nonsense` if the sender acknowledges entries that this leader does not have.
        """
        if frame.term > self.term and sender in self.log.all_voters:
            self._become_follower(frame.term, NOBODY)
            return
        if self.role != LEADER or frame.term != self.term:
            return
        if frame.log_end > self.log.last_index:
            if frame.success:
                raise Nonsense("net.index")
            self.next_index[sender] = self.log.last_index + 1  # its log is longer: older, uncommitted entries
            return
        self.acknowledged_at[sender] = self.now
        if frame.success:
            self.match_index[sender] = max(frame.log_end, self.match_index.get(sender, 0))
            self.next_index[sender] = max(self.next_index.get(sender, 1), self.match_index[sender] + 1)
            if self._advance_commit():
                self._send_all()
            elif self.next_index[sender] <= self.log.last_index:
                self._send_log(sender, heartbeat=0)
        else:
            self.match_index.setdefault(sender, 0)
            self.next_index[sender] = max(self.match_index[sender], frame.log_end) + 1
            if self.gap_limits.take(sender, self.now):  # otherwise with the next heartbeat
                self._send_log(sender, heartbeat=0)

    def _advance_commit(self) -> bool:
        """Commits what a majority holds up to an entry of this term; of any term if this device alone is a majority.

        Returns True if the commit index has grown.
        """
        last_held = {device: self.match_index.get(device, 0) for device in self.other_voters()} | {
            self.me: self.log.last_index
        }
        # a change of voters is tried as well, because other majorities may count for the entries up to it
        changes = {index for index, _ in self.log.pending_changes}
        for reached in sorted({*last_held.values()} | changes, reverse=True):
            if reached <= self.commit:
                return False
            # an entry of an older term can be replaced although a majority holds it; not if this device alone is one
            holders = {device for device, last in last_held.items() if last >= reached}
            if self.log.is_majority(holders if self.log.term_at(reached) == self.term else {self.me}, reached):
                self.commit = reached
                return True
        return False

    def _check_raised_term(self, sender: int, term: int) -> None:
        """Raises `Nonsense` if a term is too far ahead or raised too often by this sender: it deposes a leader."""
        if term > self.term + MAX_TERM_LEAP or not self.term_limits.take(sender, self.now):
            raise Nonsense("net.term")

    def receive(self, sender: int, frame: Frame) -> None:
        """Handles a frame of Raft or of `CatchUp`. Raises `Nonsense`."""
        self.heard_at[sender] = self.now
        if isinstance(frame, Ask | Vote | LogFrame) and sender not in (*self.log.all_voters, *self.future_voters):
            raise Nonsense("net.no_voter")
        trial = isinstance(frame, Ask | Vote) and frame.trial
        if isinstance(frame, Ask | Vote | LogFrame | Ack) and frame.term > self.term and not trial:
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
