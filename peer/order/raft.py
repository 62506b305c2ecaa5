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
from peer.order.log import Differs, Log, changes_voters
from peer.order.outputs import Output, Send, Store, Tell, Timing
from peer.wire import envelope
from peer.wire.envelope import Entry, Envelope
from peer.wire.frames import GOOD, Ack, Ask, Frame, Need, Past, Vote
from peer.wire.frames import Log as LogFrame
from peer.wire.limits import Meters

NOBODY = -1
NEWCOMER = -2  # the number of a device that has none yet
FOLLOWER, TRIAL, CANDIDATE, LEADER = "follower", "trial", "candidate", "host"
LEAP = 1000  # terms that can be skipped at once: the elections a device may have missed
LONG_AGO = -(10**9)
FAR = 20  # terms skipped by a leader without election: the absent device may have tried as many meanwhile
IN_FLIGHT = 4  # frames of entries sent without waiting for an acknowledgement


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
        self.term, self.voted, self.commit = term, voted, commit
        self.role = FOLLOWER
        self.leader = NOBODY
        self.caught_up = False  # everything the leader reported as committed is committed here
        self.heard: dict[int, int] = {}  # when each device was last heard
        self.votes: set[int] = set()
        self.match: dict[int, int] = {}
        self.next: dict[int, int] = {}
        self.moved: dict[int, int] = {}  # `match` at the last heartbeat
        self.answered: dict[int, int] = {}  # when each device last acknowledged a frame of this leader
        self.asked: dict[int, tuple[int, int, int]] = {}  # by device: its commit index when it greeted, heartbeat, term
        self.gaps = Meters(5, 20)  # limits how often a device is sent entries it says it lacks
        self.raises = Meters(0.2, 20)  # limits how often a device may raise the term, which deposes a leader
        self.catchup = CatchUp(self)
        self.here: tuple[int, ...] = ()  # devices the leader hears
        self.due_votes: Collection[int] = ()  # devices that are to vote, and may already do so unknown to this one
        self.beats = 0
        self.due = 0
        self._wait()

    # Devices

    def others(self) -> list[int]:
        return [device for device in self.log.everybody if device != self.me]

    def audience(self) -> set[int]:
        """Returns the devices this leader sends the log to: voters, and every device that greeted it."""
        return {*self.log.everybody, *self.match} - {self.me}

    def hears(self, device: int, within: int) -> bool:
        return device == self.me or self.now - self.heard.get(device, LONG_AGO) < within

    # Time

    def _wait(self) -> None:
        """Resets the election timer."""
        self.due = self.now + self.rnd.randint(self.timing.least, self.timing.most)

    def tick(self, now: int) -> None:
        self.now = max(now, self.now)
        if self.now < self.due:
            return
        if self.role == LEADER:
            self._beat()
        elif self.me in self.log.everybody:
            self._try()
        else:
            self._wait()

    def _beat(self) -> None:
        answered = [d for d in self.others() if self.now - self.answered.get(d, LONG_AGO) < self.timing.most]
        if not self.log.carries({self.me, *answered}):
            self._follow(self.term, NOBODY)
            return
        self.due = self.now + self.timing.beat
        self.beats += 1
        for device in self.audience():
            if self.moved.get(device) == self.match.get(device, 0):
                self.next[device] = self.match.get(device, 0) + 1
            self.moved[device] = self.match.get(device, 0)
            self._send_log(device, beat=self.beats)

    # Elections

    def _try(self) -> None:
        """Starts a pre-vote: only if a majority would grant its vote, the term is raised."""
        self.role, self.leader = TRIAL, NOBODY
        self._wait()
        self._ask(self.term + 1, trial=1)

    def _stand(self) -> None:
        self._adopt(self.term + 1, voted=self.me)
        self.role, self.leader = CANDIDATE, NOBODY
        self._wait()
        self._ask(self.term, trial=0)

    def _ask(self, term: int, trial: int) -> None:
        self.votes = {self.me}
        for device in self.others():
            self.put(Send(device, Ask(term, self.log.last, self.log.term(self.log.last), trial)))
        self._count()

    def _count(self) -> None:
        if self.log.carries(self.votes):
            if self.role == TRIAL:
                self._stand()
            else:
                self._lead()

    def _lead(self) -> None:
        self.role, self.leader, self.caught_up = LEADER, self.me, True
        self.match = dict.fromkeys(self.others(), 0)
        self.next = dict.fromkeys(self.others(), self.log.last + 1)
        self.moved = {}
        self.answered = dict.fromkeys(self.others(), self.now)
        self.put(Tell("host", {"device": self.me, "term": self.term}))
        self._beat()

    def take_office(self) -> None:
        """Becomes leader without an election, as one of two voters: whatever was committed is in this log too."""
        self._adopt(self.term + FAR, voted=self.me)
        self._lead()

    def _adopt(self, term: int, voted: int = NOBODY) -> None:
        """Changes term and vote. They are stored before they are sent to anybody."""
        if (term, voted) != (self.term, self.voted):
            self.term, self.voted = term, voted
            self.put(Store(["term", term, voted]))

    def _follow(self, term: int, leader: int) -> None:
        if term > self.term:
            self._adopt(term)
        if self.role == LEADER or leader not in (self.leader, NOBODY):
            self.put(Tell("host", {"device": leader, "term": term}))
        if leader != self.leader:
            self.caught_up = False
        self.role, self.leader = FOLLOWER, leader
        self._wait()

    def _as_new(self, index: int, last: int) -> bool:
        return (last, index) >= (self.log.term(self.log.last), self.log.last)

    def on_ask(self, sender: int, frame: Ask) -> None:
        if sender == self.leader and frame.term > self.term:
            self.leader = NOBODY  # a leader that requests votes is none any more
        content = self.leader != NOBODY and (self.role == LEADER or self.hears(self.leader, self.timing.least))
        good = self._as_new(frame.at, frame.last) and not content
        if frame.trial:
            granted = good and frame.term > self.term
            self.put(Send(sender, Vote(frame.term if granted else self.term, int(granted), 1)))
            return
        if content and frame.term > self.term:
            return  # the leader stays while it is heard
        if frame.term > self.term:
            self._follow(frame.term, NOBODY)
        granted = good and frame.term == self.term and self.voted in (NOBODY, sender)
        if granted:
            self._adopt(self.term, voted=sender)
            self._wait()
        self.put(Send(sender, Vote(self.term, int(granted), 0)))

    def on_vote(self, sender: int, frame: Vote) -> None:
        if frame.trial and frame.granted:
            wanted = self.role == TRIAL and frame.term == self.term + 1
        elif frame.term > self.term:
            self._follow(frame.term, NOBODY)
            return
        else:
            wanted = self.role == CANDIDATE and frame.term == self.term and frame.granted == 1
        if wanted:
            self.votes.add(sender)
            self._count()

    def listen(self, device: int, at: int) -> None:
        """Handles a greeting: a leader sends that device the entries after `at`, its commit index, and all later ones.

        A device greets again whenever another connection opens; what is already on its way is not sent twice.
        """
        asked, self.asked[device] = self.asked.get(device), (at, self.beats, self.term)
        if self.role == LEADER and asked != self.asked[device] and self.gaps.take(device, self.now):
            self.match.setdefault(device, 0)
            self.next[device] = min(at, self.log.last) + 1
            self._send_log(device, beat=0)

    def on_bye(self, sender: int) -> None:
        """Marks the peer as gone. If it was the leader, an election follows soon."""
        self.heard.pop(sender, None)
        self.answered.pop(sender, None)
        if sender == self.leader:
            self.leader = NOBODY
            self.due = self.now + self.rnd.randint(50, 400)

    # The log, as a follower

    def on_log(self, sender: int, frame: LogFrame) -> None:
        if frame.term < self.term:
            self.put(Send(sender, Ack(self.term, self.log.last, 0, frame.beat)))
            return
        if frame.term == self.term and self.leader not in (NOBODY, sender):
            raise Refused("net.two_hosts", term=frame.term)
        self._follow(frame.term, sender)
        self.here = frame.here
        self.catchup.asked.clear()
        if not self.log.holds(frame.at, frame.head):
            self._gap(sender, frame)
            return
        end = frame.at + len(frame.entries)
        self._take(frame.at, frame.entries)
        if frame.entries or frame.beat:
            self.put(Send(sender, Ack(self.term, end, 1, frame.beat)))
        self.commit = max(self.commit, min(frame.commit, end))
        self.caught_up = self.commit >= frame.commit

    def _gap(self, sender: int, frame: LogFrame) -> None:
        """Answers that this log lacks the leader's entry. Raises `Differs` if another is committed at that index."""
        if frame.at <= self.commit:
            raise Differs(sender, frame.at)
        back = self.log.last if self.log.last < frame.at else self.commit
        self.put(Send(sender, Ack(self.term, back, 0, frame.beat)))

    def _take(self, index: int, entries: tuple[Entry, ...]) -> None:
        """Appends the new entries, and removes others in their place, which were never committed.

        Raises `Refused`, and `Differs` if a committed entry would have to be removed.
        """
        for place, entry in enumerate(entries, index + 1):
            if entry.term > self.term or entry.term < self.log.term(place - 1):
                raise Refused("net.term", term=entry.term)
            if place > self.log.last or not self.log.holds(place, envelope.link(self.log.heads[place - 1], entry)):
                if place <= self.commit:
                    raise Differs(self.leader, place)
                if not self.log.counts(place - 1, entries[place - index - 1 :]):
                    raise Refused("net.twice")
                self._keep(place, entries[place - index - 1 :])
                return

    def _keep(self, start: int, entries: tuple[Entry, ...]) -> None:
        if start <= self.log.last:
            self.log.cut(start - 1)
        self.log.append(entries)
        self._store(start, entries)

    def _store(self, start: int, entries: tuple[Entry, ...]) -> None:
        self.put(Store(["log", start, [envelope.written(entry) for entry in entries], self.commit]))

    def learn(self, index: int, entries: tuple[Entry, ...]) -> None:
        """Takes over entries that are known to be committed, under any leader. Raises `Refused`."""
        if entries[-1].term > self.term + LEAP:
            raise Refused("net.term", term=entries[-1].term)
        if entries[-1].term > self.term:
            self._follow(entries[-1].term, NOBODY)
        self._take(index, entries)
        self.commit = max(self.commit, index + len(entries))

    def settled(self) -> None:
        """Drops the leader, perhaps this device itself, if it has no vote any more. Another one is then elected."""
        if self.leader not in (NOBODY, *self.log.everybody):
            if self.role == LEADER:
                self._send_all()
            self._follow(self.term, NOBODY)

    # The log, as the leader

    def offer(self, envelopes: Iterable[Envelope]) -> None:
        """Appends new envelopes to the log, each once, and those of an author in the order of their counters.

        They are sent before they are stored here, so that all devices store them at the same time; but not if this
        device alone is a majority. A new commit index is sent after the `Store`, never before the entry is stored.
        """
        new: list[Entry] = []
        counted: dict[int, int] = {}
        for said in envelopes:
            last = counted.get(said.author, self.log.counters.get(said.author, 0))
            if said.counter == last + 1 and not self._meddles(said, self.log.last + len(new) + 1):
                counted[said.author] = said.counter
                new.append(Entry(self.term, said))
        if self.role == LEADER and new:
            start = self.log.last + 1
            self.log.append(new)
            if not self.log.carries({self.me}):
                self._send_all()
            self._store(start, tuple(new))
            if self._advance():
                self._send_all()

    def _meddles(self, said: Envelope, index: int) -> bool:
        """Returns True if the envelope of another device would change the voters, which only the leader may do.

        It is appended later, at an index where it has no effect.
        """
        return said.author != self.me and changes_voters(said, index)

    def _send_all(self) -> None:
        for device in self.audience():
            self._send_log(device, beat=0)

    def _send_log(self, device: int, beat: int) -> None:
        """Sends the entries this device may lack, in up to `IN_FLIGHT` frames; at least one, with the commit index.

        A device that has not been heard for a while gets heartbeats only: its entries would clog the other channels.
        """
        asleep = not self.hears(device, self.timing.away)
        if asleep and not beat:
            return
        for _ in range(IN_FLIGHT):
            start = self.next.get(device, self.log.last + 1)
            entries = () if asleep else tuple(self.log.after(start - 1, GOOD))
            frame = LogFrame(
                self.term, start - 1, self.log.heads[start - 1], self.commit, beat, self.present(), entries
            )
            self.put(Send(device, frame))
            self.next[device] = start + len(entries)
            if asleep or self.next[device] > self.log.last:
                return

    def present(self) -> tuple[int, ...]:
        return tuple(sorted(device for device in self.audience() if self.hears(device, self.timing.away)))

    def on_ack(self, sender: int, frame: Ack) -> None:
        if frame.term > self.term and sender in self.log.everybody:
            self._follow(frame.term, NOBODY)
            return
        if self.role != LEADER or frame.term != self.term:
            return
        if frame.at > self.log.last:
            if frame.held:
                raise Refused("net.index", index=frame.at)
            self.next[sender] = self.log.last + 1
            return
        self.answered[sender] = self.now
        if frame.held:
            self.match[sender] = max(frame.at, self.match.get(sender, 0))
            self.next[sender] = max(self.next.get(sender, 1), self.match[sender] + 1)
            if self._advance():
                self._send_all()
            elif self.next[sender] <= self.log.last:
                self._send_log(sender, beat=0)
        else:
            self.match.setdefault(sender, 0)
            self.next[sender] = max(self.match[sender], frame.at) + 1
            if self.gaps.take(sender, self.now):  # otherwise with the next heartbeat
                self._send_log(sender, beat=0)

    def _advance(self) -> bool:
        """Commits what a majority holds up to an entry of this term; of any term if this device alone is a majority.

        Returns True if the commit index has grown.
        """
        held = {device: self.match.get(device, 0) for device in self.others()} | {self.me: self.log.last}
        changes = {place for place, _ in self.log.pending}
        for reached in sorted({*held.values()} | changes, reverse=True):
            if reached <= self.commit:
                return False
            here = {device for device, last in held.items() if last >= reached}
            if self.log.carries(here if self.log.term(reached) == self.term else {self.me}, reached):
                self.commit = reached
                return True
        return False

    def _raised(self, sender: int, term: int) -> None:
        """Raises `Refused` if a term is too far ahead or raised too often by this sender, as it deposes a leader."""
        if term > self.term + LEAP or not self.raises.take(sender, self.now):
            raise Refused("net.term", term=term)

    def receive(self, sender: int, frame: Frame) -> None:
        """Handles a frame of Raft or of `CatchUp`. Raises `Refused`."""
        self.heard[sender] = self.now
        if isinstance(frame, Ask | Vote | LogFrame) and sender not in (*self.log.everybody, *self.due_votes):
            raise Refused("net.no_voter", device=sender)
        if isinstance(frame, Ask | Vote | LogFrame | Ack) and frame.term > self.term and not getattr(frame, "trial", 0):
            self._raised(sender, frame.term)
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
                self.catchup.answer(sender, frame)
            case Past():
                self.catchup.hear(sender, frame)
