"""One device at the table: its log, its outbox, its secrets and its duties.

It does no I/O. The driver passes it the time, signatures, and frames whose sender and signatures were verified
(`border.py`). It carries out the outputs that the device `put`s, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from engine.core import SPECTATOR, Answer, Refused
from peer.crypto.keys import Keys, derive, to_base64
from peer.device.duties import duties
from peer.device.equivocation import Equivocation
from peer.device.pair import GoingAlone
from peer.device.vote_changes import follow
from peer.game.coin import Chain
from peer.game.public import SEATS, masks, write_row
from peer.game.setup import Member, Setup
from peer.game.state import State
from peer.game.types import Outcome
from peer.game.views import PrivateViews
from peer.order.catchup import STRANGER
from peer.order.log import Differs, Log
from peer.order.outputs import Output, Send, Sign, Store, Tell, Timing
from peer.order.raft import LEADER, NEWCOMER, NOBODY, Raft
from peer.wire import envelope
from peer.wire.envelope import Entry, Envelope
from peer.wire.frames import GOOD, PROTOCOL, Bye, Do, Frame, Hi, No, Past, Proof, Say
from peer.wire.frames import Log as LogFrame
from peer.wire.limits import Meters

NEVER = 10**9  # milliseconds
COMPARED = 5_000  # milliseconds between two comparisons of heads
SHOWN = 30  # entries shown to a device whose log differs
STRIKES = 40  # refused entries in a row, after which the leader takes no more from a device


class Snapshot(NamedTuple):
    """The data a device starts from after a reload. The defaults are for a new table."""

    term: int = 0
    voted: int = NOBODY
    commit: int = 0
    entries: Sequence[Entry] = ()
    outbox: Sequence[Envelope] = ()
    promised: bool = False


class Device:
    def __init__(
        self,
        keys: Keys,
        setup: Setup,
        rnd: Random,
        now: int,
        timing: Timing = Timing(),  # noqa: B008  (frozen)
        kept: Snapshot = Snapshot(),  # noqa: B008  (a tuple)
        build: str = "",
        chain: int = 256,
    ) -> None:
        self.keys, self.setup, self.mark = keys, setup, setup.mark
        self.timing, self.build, self.chain = timing, build, chain
        self.outputs: list[Output] = []
        self.state = State(setup)
        self.me = self._number()
        self.private = PrivateViews(keys, self.me)
        self.log = Log(setup.origin, self.state.voters)
        self.log.append(kept.entries)
        commit = min(kept.commit, self.log.last)
        self.raft = Raft(self.me, self.log, rnd, timing, self.put, now, kept.term, kept.voted, commit)
        self.outbox: list[Envelope] = list(kept.outbox)
        self.unsigned: list[tuple[int, str, Any, str]] = []  # counter, kind, body, text: waiting for their signature
        self.applied = 0
        self.resend = 0  # when the outbox is offered again
        self.checks = 0  # when the next regular checks are due
        self.greeted: set[int] = set()  # devices of the same build
        self.outdated: set[int] = set()  # devices of another build: they must reload
        self.parted: set[int] = set()  # devices whose log differs in committed entries
        self.words = Meters(40, 400)  # envelopes the leader takes from one device, per second and at once
        self.equivocation = Equivocation(self)
        self.waited: tuple[object, int] = (None, now)  # what the table waits for, and since when
        self.compared = now  # when heads were last compared with all devices
        self.tokens: tuple[str, ...] = ()  # of a rejoin link, until they are claimed
        self.stopped = ""  # the reason why this device takes no more part; empty while it does
        self.untaken = 0  # counter of the last envelope that the leader did not take
        self.audited: list[tuple[str, dict[str, Any]]] | None = None
        self.own_chain: tuple[int, Chain] | None = None  # a cache: number of the pledge, its chain
        self.alone = GoingAlone(self, promised=kept.promised)
        self.apply()

    def put(self, output: Output) -> None:
        self.outputs.append(output)

    def tell(self, what: str, values: dict[str, Any]) -> None:
        self.put(Tell(what, values))

    def take(self) -> list[Output]:
        """Returns the outputs to be carried out, in order, and forgets them."""
        found, self.outputs = self.outputs, []
        return found

    # Time

    @property
    def due(self) -> int:
        """The time at which `tick` must be called again, at the latest."""
        if self.stopped:
            return self.raft.now + NEVER
        return min(self.raft.due, self.resend if self.outbox else self.checks, self.checks)

    def tick(self, now: int) -> None:
        if self.stopped:
            self.raft.now = max(now, self.raft.now)
            return
        self.raft.tick(now)
        if now >= self.checks:
            self.checks = now + self.timing.resend
            if not self.raft.hears(self.raft.leader, self.timing.most):
                self._search()
            self.alone.tick()
            self._compare()
        if now >= self.resend:
            self.offer()
        self._work()

    def _search(self) -> None:
        """Asks everybody for entries this device may have missed, because it hears no leader it knows of.

        Without a vote, it also greets the voters again, so that the leader sends it the log.
        """
        for device in {*range(len(self.state.devices)), STRANGER} - {self.me}:
            self.raft.catchup.ask(device)
        for device in self.raft.others() if self.me not in self.log.everybody else ():
            self.greet(device)

    def _compare(self) -> None:
        """Greets all devices regularly, so that differing logs are found even when no envelopes are sent."""
        if self.raft.now - self.compared >= COMPARED:
            self.compared = self.raft.now
            for device in {*range(len(self.state.devices))} - {self.me}:
                self.greet(device)

    def greet(self, device: int) -> None:
        """Sends `hi`: when a connection to the device has opened, and to compare heads."""
        self.put(Send(device, Hi(PROTOCOL, self.build, self.raft.commit, self.log.heads[self.raft.commit])))

    def leave(self) -> None:
        """Sends `bye` to all devices, because the page is being closed."""
        for device in range(len(self.state.devices)):
            if device != self.me:
                self.put(Send(device, Bye()))

    # Incoming frames

    def receive(self, sender: int, frame: Frame, now: int) -> None:
        """Handles a frame from another device. Raises `Refused` for one that no honest device sends."""
        self.raft.now = max(now, self.raft.now)
        if self.stopped or (sender in self.outdated and not isinstance(frame, Hi)):
            return
        try:
            self._receive(sender, frame)
        except Differs as refused:
            self._part(sender, refused)
            raise
        finally:
            self._work()

    def _part(self, sender: int, why: Differs) -> None:
        """Handles a device whose log differs in committed entries: from now on its frames are refused.

        Which of the two logs is right cannot be known here, so this is only reported.
        """
        self.parted.add(sender)
        self.raft.on_bye(sender)
        self.put(Tell(why.reason, dict(why.values)))
        start = max(0, min(why.index, self.log.last) - SHOWN)
        entries = tuple(self.log.after(start, GOOD))[:SHOWN]
        if entries:  # if somebody signed different envelopes, the other device can prove it with these
            self.put(Send(sender, Past(start, self.log.heads[start], entries)))

    def _receive(self, sender: int, frame: Frame) -> None:
        if sender not in self.parted or isinstance(frame, Past):
            self.equivocation.compare(frame)
        if sender in self.parted:
            raise Refused("net.parted", device=sender)
        match frame:
            case Hi():
                self._on_hi(sender, frame)
            case Do():
                self._on_do(sender, frame)
            case No():
                self._on_no(frame)
            case Proof():
                self.equivocation.proven(sender, frame)
            case LogFrame():
                follow(self, sender, frame)
            case Say():
                self.raft.heard[sender] = self.raft.now
                self.put(Tell("say", {"device": sender, "kind": frame.kind, "text": frame.text}))
            case Bye():
                self.raft.on_bye(sender)
            case _:
                self.raft.receive(sender, frame)

    def _on_hi(self, sender: int, frame: Hi) -> None:
        self.raft.heard[sender] = self.raft.now
        if (frame.protocol, frame.build) != (PROTOCOL, self.build):
            self.outdated.add(sender)
            self.put(Tell("net.reload", {"device": sender}))
            return
        self.outdated.discard(sender)
        if frame.at <= self.raft.commit and not self.log.holds(frame.at, frame.head):
            raise Differs(sender, frame.at)
        self.raft.listen(sender, frame.at)
        if sender not in self.greeted:
            self.greeted.add(sender)
            self.greet(sender)

    def _on_do(self, sender: int, frame: Do) -> None:
        self.raft.heard[sender] = self.raft.now
        if self.state.strikes.get(sender, 0) >= STRIKES and frame.envelopes:
            self.put(Send(sender, No(frame.envelopes[0].counter, "net.too_many_refused")))
            raise Refused("net.too_many_refused", device=sender)
        known, now = self.log.counters.get(sender, 0), self.raft.now
        # envelopes over the limit will be offered again
        self.raft.offer(said for said in frame.envelopes if said.counter <= known or self.words.take(sender, now))

    def _on_no(self, frame: No) -> None:
        """Reports, once for each envelope, that the leader does not take it. It is still offered again and again."""
        if frame.counter != self.untaken:
            self.untaken = frame.counter
            self.put(Tell("net.not_taken", {"counter": frame.counter, "why": frame.reason}))

    def store_failed(self) -> None:
        """Stops this device, because a record was not stored: after a reload it could contradict what it has sent."""
        self.stopped = "net.store"
        self.put(Tell(self.stopped, {}))

    # Own envelopes

    @property
    def next_counter(self) -> int:
        pending = [said.counter for said in self.outbox] + [found[0] for found in self.unsigned]
        return max([self.log.counters.get(self.me, 0), self.state.counters.get(self.me, 0), *pending]) + 1

    def place(self) -> str:
        """Returns the name that binds a sealed box to the envelope that is written next."""
        return self.state.place(self.me, self.next_counter)

    def author(self, kind: str, body: Any) -> None:
        """Writes an envelope, which is then signed, stored, and offered to the leader. Raises `Refused`."""
        if self.me == NEWCOMER:
            raise Refused("net.wait")
        counter, commit = self.next_counter, self.applied
        text = envelope.write(self.mark, self.me, counter, self.raft.term, commit, self.log.heads[commit], kind, body)
        envelope.check(text)
        self.unsigned.append((counter, kind, body, text))
        self.put(Sign(text))

    def signed(self, text: str, signature: str) -> None:
        """Takes the signature of the oldest text that waits for one. Raises `ValueError` if it is for another text."""
        if not self.unsigned or self.unsigned[0][3] != text:
            raise ValueError("signatures come in the order of the texts")
        self.unsigned.pop(0)
        said = envelope.read(text, signature)
        self.outbox.append(said)
        self.put(Store(["out", text, signature]))
        self.offer()

    def offer(self) -> None:
        """Offers the outbox to the leader. This is repeated until everything in it is committed."""
        self.resend = self.raft.now + self.timing.resend
        if not self.outbox:
            return
        if self.raft.role == LEADER:
            self.raft.offer(self.outbox)
            self.apply()
        elif self.raft.leader != NOBODY:
            self.put(Send(self.raft.leader, Do(tuple(self.outbox[:10]))))

    @property
    def all_said(self) -> bool:
        """True if all own envelopes are in the log of this device, committed or not."""
        known = self.log.counters.get(self.me, 0)
        return not self.unsigned and all(one.counter <= known for one in self.outbox)

    def says(self, kind: str, *fields: Any) -> bool:
        """Returns True if an own envelope of this kind, whose body begins with these fields, is not committed yet."""
        said = [(one.kind, one.body) for one in self.outbox] + [(one[1], one[2]) for one in self.unsigned]
        return any(kind == other and tuple(body[: len(fields)]) == fields for other, body in said)

    # Answers and seats

    def asks(self, seat: int) -> list[Answer]:
        """Returns the answers this device can give for a seat now; none while an answer is not committed yet."""
        view = self.private.views.get(seat)
        state = self.state
        if view is None or not self.ready or state.play.wants != SEATS or self.says("do", seat):
            return []
        if len(view.log) < len(state.play.played) or (masks(view.question) and state.deck is None):
            return []
        return view.answers(seat)

    def answer(self, seat: int, answer: Answer) -> None:
        """Authors the answer of a person or bot. It is shown only when it is committed. Raises `Refused`."""
        view = self.private.views.get(seat)
        if view is None:
            raise Refused("net.not_your_seat", seat=seat)
        if not self.asks(seat):
            raise Refused("net.wait", seat=seat)
        view.question.check(view.table, seat, answer)
        turn, shown = self.state.play.turns[seat], answer
        boxes: list[Any] = []
        if masks(view.question):
            shown = view.question.mask(seat, answer, SPECTATOR)
            boxes = self.private.sealed_answer(self.state, seat, answer, self.place())
        self.author("do", (seat, turn, write_row(view.game, shown), boxes))

    def give_seat(self, seat: int, kind: str, device: int) -> None:
        """Gives an own seat away, takes it back, or wishes (with others) that somebody plays it. Raises `Refused`."""
        self.author("seat", (seat, kind, device))

    def successor(self, token: str) -> str:
        """Returns the token that follows one this device has used: it gives the seat to the next device."""
        return to_base64(derive(self.keys.secret, "token", self.mark, token))

    # Committed entries

    @property
    def ready(self) -> bool:
        """True if this device may act: its own log is applied as far as the leader has committed."""
        return not self.stopped and self.raft.caught_up and self.applied == self.raft.commit and self.me != NEWCOMER

    def _number(self) -> int:
        """Returns this device's number; `NEWCOMER` while the log does not say that it was let in."""
        own = Member(self.keys.verify_key, self.keys.seal_key)
        return self.state.devices.index(own) if own in self.state.devices else NEWCOMER

    def _work(self) -> None:
        """Applies committed entries and does the duties, until there is nothing left to do."""
        while not self.stopped:
            self.apply()
            before = len(self.unsigned)
            if self.ready:
                duties(self)
            if len(self.unsigned) == before and self.applied == self.raft.commit:
                return

    def apply(self) -> None:
        """Applies the committed entries that were not applied yet."""
        fresh = self.applied < self.raft.commit
        while self.applied < self.raft.commit:
            self.applied += 1
            self._became(self._told(self.state, self.applied))
        self.raft.catchup.known = len(self.state.devices)
        if fresh:
            self.me = self.raft.me = self.private.me = self._number()
            if self.log.settle(self.applied, self.state.voters):  # known after a reload, even if the others are gone
                self.put(Store(["log", self.log.last + 1, [], self.raft.commit]))
            self.raft.due_votes = self.state.due_votes
            self.raft.settled()
            self.private.follow(self.state)
            self.outbox = [said for said in self.outbox if said.counter > self.state.counters.get(self.me, 0)]
            for what, values in self.private.trouble:
                self.put(Tell(what, values))
            self.private.trouble.clear()
            self.put(Tell("applied", {"index": self.applied}))

    def _told(self, state: State, index: int) -> Outcome:
        """Applies an entry of the log to a state."""
        entry = self.log.entry(index)
        said = entry.envelope
        honest = said.seen < index and self.log.holds(said.seen, said.head)
        return state.apply(entry, self.log.heads[index], honest=honest)

    def ahead(self, length: int) -> State:
        """Returns the state after the first `length` entries of this log, committed or not."""
        if self.applied == length:
            return self.state
        state = State(self.setup)
        for index in range(1, length + 1):
            self._told(state, index)
        return state

    def _became(self, outcome: Outcome) -> None:
        """Reports an entry that was refused."""
        if outcome.reason:
            said = outcome.said
            if said.author == self.me:
                seat = {"seat": said.body[0]} if said.kind == "do" else {}
                self.refused(said.kind, outcome.reason, {**outcome.values, **seat})
            else:
                values = {"device": said.author, "kind": said.kind, "why": outcome.reason, "values": outcome.values}
                self.put(Tell("refused_other", values))
            if outcome.reason == "net.histories_differ":
                self.put(Tell(outcome.reason, outcome.values))

    def refused(self, kind: str, why: str, values: dict[str, object]) -> None:
        """Reports that an own envelope was refused."""
        if kind == "claim":
            self.tokens = ()
        self.put(Tell("refused", {"device": self.me, "kind": kind, "why": why, "values": values}))
