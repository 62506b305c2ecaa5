"""One device at the table: its log, its outbox, its secrets and its duties.

It does no I/O. The driver passes it the time, signatures, and frames whose sender and signatures were verified
(`border.py`). It carries out the outputs that the device `put`s, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from engine.core import SPECTATOR, Answer, Nonsense, Refused
from peer.crypto.keys import Keys
from peer.device import duties, vote_changes
from peer.device.bot_votes import BotVotes
from peer.device.dealer import DealerDuties
from peer.device.equivocation import Equivocation
from peer.device.outbox import Outbox, Unsigned
from peer.device.pair import GoingAlone
from peer.device.starvation import Starvation
from peer.game.coin import CHAIN_LENGTH
from peer.game.dealing import audit
from peer.game.public import SEATS, may_hide_answers
from peer.game.setup import Member, Setup
from peer.game.state import State
from peer.game.types import Outcome, hash_of
from peer.game.views import PrivateViews
from peer.order.catchup import STRANGER
from peer.order.log import HistoriesDiffer, Log
from peer.order.outputs import (
    Applied,
    AuditFailure,
    LogsDiffer,
    Muted,
    MutedByLeader,
    NotTaken,
    OtherBuild,
    OtherRefused,
    Output,
    OwnRefused,
    Said,
    Send,
    Sign,
    Store,
    StoringFailed,
    Timing,
)
from peer.order.raft import LEADER, NEWCOMER, NOBODY, Raft
from peer.wire import bodies, envelope
from peer.wire.bodies import MAX_DEVICES, Body, Join
from peer.wire.envelope import Entry, Envelope
from peer.wire.frames import PROTOCOL, TARGET_BYTES, Bye, Do, Frame, Hi, No, Past, Proof, Say
from peer.wire.frames import Log as LogFrame
from peer.wire.limits import RateLimits

NEVER = 10**9  # milliseconds
COMPARE_EVERY = 5_000  # milliseconds between two comparisons of heads
MAX_SHOWN = 30  # entries shown to a device whose log differs
MAX_REFUSED_IN_A_ROW = 40  # refused entries in a row, after which the leader takes no more from a device


class Snapshot(NamedTuple):
    """The data a device starts from after a reload. The defaults are for a new table."""

    term: int = 0
    voted_for: int = NOBODY
    commit: int = 0
    entries: Sequence[Entry] = ()
    outbox: Sequence[Envelope] = ()
    gave_up_alone: bool = False


class Device:
    def __init__(
        self,
        keys: Keys,
        setup: Setup,
        rnd: Random,
        now: int,
        timing: Timing = Timing(),  # noqa: B008  (frozen)
        snapshot: Snapshot = Snapshot(),  # noqa: B008  (a tuple)
        build: str = "",
        chain_length: int = CHAIN_LENGTH,
    ) -> None:
        self.keys, self.setup, self.mark = keys, setup, setup.mark
        self.timing, self.build = timing, build
        self.outputs: list[Output] = []
        self.state = State(setup)
        self.me = self._own_number()
        self.private = PrivateViews(keys, self.me)
        self.log = Log(setup.origin, self.state.voters)
        self.log.append(snapshot.entries)
        commit = min(snapshot.commit, self.log.last_index)
        self.raft = Raft(self.me, self.log, rnd, timing, self.put, now, snapshot.term, snapshot.voted_for, commit)
        self.outbox = Outbox(self.me, self.state, self.log, snapshot.outbox)
        self.applied = 0
        self.resend_at = 0  # when the outbox is offered again
        self.check_at = 0  # when the next regular checks are due
        self.answered_hi: set[int] = set()  # devices of the same build that were sent a `hi` in answer
        self.outdated: set[int] = set()  # devices of another build: they must reload
        self.diverged: set[int] = set()  # devices whose log differs in committed entries
        self.envelope_limits = RateLimits(40, 400)  # envelopes the leader takes from one device, per second and at once
        self.reported_muted: set[tuple[int, int]] = set()  # leaders, and devices they have muted, that were reported
        self.equivocation = Equivocation(self)
        self.compared_at = now  # when heads were last compared with all devices
        self.claim_tokens: tuple[str, ...] = ()  # of a rejoin link, until they are claimed
        self.stopped = ""  # the reason why this device takes no more part; empty while it does
        self.not_taken = 0  # counter of the last envelope that the leader did not take
        self.audit_result: list[AuditFailure] | None = None
        self.coin_duties = duties.CoinDuties(keys, self.state, self.outbox, chain_length)
        self.away_votes = duties.AwayVotes(self.state, self.raft, self.outbox)
        self.bot_votes = BotVotes(self.state, self.raft, self.outbox, setup.patience * 60_000)
        self.dealer_duties = DealerDuties(keys, self.state, self.private, self.raft, self.outbox)
        self.starvation = Starvation(self.raft, self.outbox)
        self.going_alone = GoingAlone(
            keys, self.state, self.raft, self.outbox, self.put, gave_up=snapshot.gave_up_alone
        )
        self.apply()

    def put(self, output: Output) -> None:
        self.outputs.append(output)

    def take(self) -> list[Output]:
        """Returns the outputs to be carried out, in order, and forgets them."""
        outputs, self.outputs = self.outputs, []
        return outputs

    # Time

    @property
    def due(self) -> int:
        """The time at which `tick` must be called again, at the latest."""
        if self.stopped:
            return self.raft.now + NEVER
        return min(self.raft.due, self.resend_at if self.outbox.signed else self.check_at, self.check_at)

    def tick(self, now: int) -> None:
        if self.stopped:
            self.raft.now = max(now, self.raft.now)
            return
        self.raft.tick(now)
        self.starvation.follow()
        if now >= self.check_at:
            self.check_at = now + self.timing.resend
            if not self.raft.hears(self.raft.leader, self.timing.election_max):
                self._request_missed()
            self._go_on_alone()
            self._report_muted_by_leader()
            self._compare_heads()
        if now >= self.resend_at:
            self.offer()
        self._apply_and_act()

    def _request_missed(self) -> None:
        """Requests entries this device may have missed from everybody, because it hears no leader it knows of.

        Without a vote, it also sends `hi` to the voters again, so that the leader sends it the log.
        """
        for device in {*range(len(self.state.devices)), STRANGER} - {self.me}:
            self.raft.catchup.request(device)
        for device in self.raft.other_voters() if self.me not in self.log.all_voters else ():
            self.send_hi(device)

    def _compare_heads(self) -> None:
        """Sends `hi` to all devices regularly, so that differing logs are found even when no envelopes are sent."""
        if self.raft.now - self.compared_at >= COMPARE_EVERY:
            self.compared_at = self.raft.now
            for device in {*range(len(self.state.devices))} - {self.me}:
                self.send_hi(device)

    def send_hi(self, device: int) -> None:
        """Sends `hi`: when a connection to the device has opened, and to compare heads."""
        self.put(Send(device, self._hi()))

    def _hi(self) -> Hi:
        commit = self.raft.commit
        return Hi(PROTOCOL, self.build, commit, self.log.heads[commit], tuple(sorted(self.raft.muted)))

    def leave(self) -> None:
        """Sends `bye` to all devices, because the page is being closed."""
        for device in range(len(self.state.devices)):
            if device != self.me:
                self.put(Send(device, Bye()))

    # Incoming frames

    def receive(self, sender: int, frame: Frame, now: int) -> None:
        """Handles a frame from another device. Raises `Nonsense` for one that no honest device sends, or from a device
        with another version of the page, and `HistoriesDiffer` for one from a device with another log."""
        self.raft.now = max(now, self.raft.now)
        if self.stopped:
            return
        if sender in self.outdated and not isinstance(frame, Hi):
            raise Nonsense("net.reload")
        try:
            self._receive(sender, frame)
        except HistoriesDiffer as refused:
            self._on_differs(sender, refused)
            raise
        finally:
            self._apply_and_act()

    def _on_differs(self, sender: int, difference: HistoriesDiffer) -> None:
        """Handles a device whose log differs in committed entries: from now on its frames are refused.

        Which of the two logs is right cannot be known here, so this is only reported.
        """
        self.diverged.add(sender)
        self.raft.forget_presence(sender)
        self.put(LogsDiffer(difference.device, difference.index))
        start = max(0, min(difference.index, self.log.last_index) - MAX_SHOWN)
        entries = tuple(self.log.entries_after(start, TARGET_BYTES))[:MAX_SHOWN]
        if entries:  # if somebody signed different envelopes, the other device can prove it with these
            self.put(Send(sender, Past(start, self.log.heads[start], entries)))

    def _receive(self, sender: int, frame: Frame) -> None:
        if sender not in self.diverged or isinstance(frame, Past):
            self.equivocation.compare(frame)
        if sender in self.diverged:
            raise Nonsense("net.parted")
        match frame:
            case Hi():
                self._on_hi(sender, frame)
            case Do():
                self._on_do(sender, frame)
            case No():
                self._on_no(sender, frame)
            case Proof():
                self.equivocation.on_proof(sender, frame)
            case LogFrame():
                vote_changes.receive_log(self, sender, frame)
            case Say():
                self.raft.heard_at[sender] = self.raft.now
                self.put(Said(sender, frame.kind, frame.text))
            case Bye():
                self.raft.forget_presence(sender)
            case _:
                self.raft.receive(sender, frame)

    def _on_hi(self, sender: int, frame: Hi) -> None:
        self.raft.heard_at[sender] = self.raft.now
        if (frame.protocol, frame.build) != (PROTOCOL, self.build):
            self.outdated.add(sender)
            self.put(OtherBuild(sender))
            return
        self.outdated.discard(sender)
        self.raft.muted_by[sender] = frame.muted
        self._report_muted_by_leader()
        if frame.commit <= self.raft.commit and not self.log.has_head(frame.commit, frame.head):
            raise HistoriesDiffer(sender, frame.commit)
        self.raft.on_hi(sender, frame.commit)
        if sender not in self.answered_hi:
            self.answered_hi.add(sender)
            self.send_hi(sender)

    def _on_do(self, sender: int, frame: Do) -> None:
        self.raft.heard_at[sender] = self.raft.now
        if self.state.refused_in_a_row.get(sender, 0) >= MAX_REFUSED_IN_A_ROW and frame.envelopes:
            self.put(Send(sender, No(frame.envelopes[0].counter, "net.too_many_refused")))
            raise Nonsense("net.too_many_refused")
        known, now = self.log.counters.get(sender, 0), self.raft.now
        # envelopes over the limit will be offered again
        self.raft.append_offered(
            said for said in frame.envelopes if said.counter <= known or self.envelope_limits.take(sender, now)
        )

    def _on_no(self, sender: int, frame: No) -> None:
        """Reports, once for each envelope, that the leader does not take it. It is still offered again and again.

        Raises `Nonsense` unless it comes from the present leader, about an envelope in the outbox. A leader that was
        just replaced may honestly send one, so it is not held against the sender (`net.no_voter`).
        """
        if sender != self.raft.leader or frame.counter not in [offered.counter for offered in self.outbox.signed]:
            raise Nonsense("net.no_voter")
        if frame.counter != self.not_taken:
            self.not_taken = frame.counter
            self.put(NotTaken(frame.counter, frame.reason))

    def mute(self, sender: int, reason: str) -> None:
        """Notes and reports that a device is muted: its frames are refused from now on."""
        if sender < MAX_DEVICES:
            self.note_muted(sender)
        self.put(Muted(sender, reason))

    def note_muted(self, device: int) -> None:
        """Notes that a device is muted, and sends `hi` to all others, so that they know it."""
        self.raft.muted.add(device)
        for other in {*range(len(self.state.devices))} - {self.me, device}:
            self.send_hi(other)

    def _report_muted_by_leader(self) -> None:
        """Reports each device that the leader has muted, once for each leader, unless it is muted here as well."""
        for device in {*self.raft.muted_by_leader} - self.raft.muted:
            if (self.raft.leader, device) not in self.reported_muted:
                self.reported_muted.add((self.raft.leader, device))
                self.put(MutedByLeader(device))

    def store_failed(self) -> None:
        """Stops this device, because a record was not stored: after a reload it could contradict what it has sent."""
        self.stopped = "net.store"
        self.put(StoringFailed())

    # Own envelopes

    def author(self, body: Body) -> None:
        """Writes an envelope, which is then signed, stored, and offered to the leader. Raises `Refused`."""
        if self.me == NEWCOMER:
            raise Refused("net.wait")
        counter, commit = self.outbox.next_counter, self.applied
        text = envelope.write(self.mark, self.me, counter, self.raft.term, commit, self.log.heads[commit], body)
        try:
            envelope.check_text(text)
        except Nonsense as nonsense:
            raise Refused(nonsense.reason) from nonsense
        self.outbox.unsigned.append(Unsigned(counter, body, text))
        self.put(Sign(text))

    def take_signature(self, text: str, signature: str) -> None:
        """Takes the signature of the oldest text that waits for one. Raises `ValueError` if it is for another text."""
        self.outbox.sign(text, signature)
        self.put(Store(["out", text, signature]))
        self.offer()

    def offer(self) -> None:
        """Offers the outbox to the leader. This is repeated until everything in it is committed."""
        self.resend_at = self.raft.now + self.timing.resend
        if not self.outbox.signed:
            return
        if self.raft.role == LEADER:
            self.raft.append_offered(self.outbox.signed)
            self.apply()
        elif self.raft.leader != NOBODY:
            self.put(Send(self.raft.leader, Do(tuple(self.outbox.signed[:10]))))

    # Duties

    def do_duties(self) -> None:
        """Authors all envelopes that this device owes now, and checks the game once it is over."""
        for body in self._owed():
            self.author(body)
        self._audit()

    def _owed(self) -> Iterator[Body]:
        """Yields the envelopes that this device owes now.

        Each must be authored before the next one is requested: a sealed box is bound to the counter of its envelope.
        """
        state, raft, outbox = self.state, self.raft, self.outbox
        yield from duties.start(raft, outbox)
        if self.me in state.voters:
            yield from self.coin_duties.owed()
            yield from self.away_votes.owed()
            yield from self.bot_votes.owed()
        yield from duties.published_shares(self.keys, state, outbox)
        self._drop_used_tokens()
        yield from duties.claims(self.keys, state, self.claim_tokens, outbox)
        yield from duties.vote_changes(state, raft, outbox)
        yield from self.dealer_duties.owed()

    def _drop_used_tokens(self) -> None:
        """Drops the tokens of a rejoin link if all were used before. Reports that, unless this device has used them
        itself: then the tokens that follow them are known."""
        known = self.state.claims
        if not any(hash_of(token) in known for token in self.claim_tokens):
            if not all(hash_of(self.successor(token)) in known for token in self.claim_tokens):
                self.report_refused(bodies.Claim, "net.token", {})
            self.claim_tokens = ()

    def _audit(self) -> None:
        """Checks the whole game once, after the dealer's secret was opened."""
        promise = self.state.dealer_promise
        if promise is not None and promise.opened and self.audit_result is None:
            self.audit_result = audit(self.state, self.private)
            for failure in self.audit_result:
                self.put(failure)

    # Going on alone

    def agree(self) -> None:
        """Agrees that the other of two devices may go on while this one is away. Raises `Refused`."""
        self.going_alone.give_up()
        self.author(bodies.Agree())

    def _go_on_alone(self) -> None:
        """Goes on alone if asked to and the other is not heard: becomes leader, authors `alone`, seats the bots."""
        for seat in self.going_alone.take_bot_seats():
            self.give_seat(seat, "bot", self.me)
        if not self.going_alone.is_due():
            return
        conditions = self.going_alone.conditions(self.state_at(self.log.last_index))
        if conditions is None or not self.dealer_duties.learn_secret():
            return
        if self.raft.role != LEADER:
            self.raft.lead_without_election()
            self.offer()
        # own envelopes may still change the voters: they come first
        if self.outbox.all_in_log and not self.log.pending_changes:
            self.author(bodies.Alone(self.log.last_index + 1, conditions.permits, conditions.claims))

    # Answers and seats

    def possible_answers(self, seat: int) -> list[Answer]:
        """Returns the answers this device can give for a seat now; none while an answer is not committed yet, and none
        if its answers for this seat are no longer believed."""
        view = self.private.views.get(seat)
        state, is_answered = self.state, self.outbox.has_pending(bodies.Do, seat)
        if view is None or not self.ready or state.public.waits_for != SEATS or is_answered:
            return []
        if not state.believes(seat, self.me):
            return []
        if len(view.log) < len(state.public.entries) or (
            may_hide_answers(view.question) and state.dealer_promise is None
        ):
            return []
        return view.answers(seat)

    def answer(self, seat: int, answer: Answer) -> None:
        """Authors the answer of a person or bot. It is shown only when it is committed. Raises `Refused`."""
        view = self.private.views.get(seat)
        if view is None:
            raise Refused("net.not_your_seat", seat=seat)
        if not self.possible_answers(seat):
            raise Refused("net.wait", seat=seat)
        view.question.check(view.table, seat, answer)
        turn, shown = self.state.public.asked_since[seat], answer
        boxes: bodies.Boxes = ()
        if may_hide_answers(view.question):
            shown = view.question.mask(seat, answer, SPECTATOR)
            boxes = self.private.seal_answer(self.state, seat, answer, self.outbox.next_box_place())
        self.author(bodies.Do(seat, turn, view.write_answer(shown), boxes))

    def give_seat(self, seat: int, kind: str, device: int) -> None:
        """Gives an own seat away, takes it back, or wishes (with others) that somebody plays it. Raises `Refused`."""
        self.author(bodies.Seat(seat, kind, device))

    def vote_for_bot(self, seat: int) -> None:
        """Votes for a bot on another device's seat, where this device may (`BotVotes.reason`). Raises `Refused`."""
        if self.bot_votes.reason(seat) is None:
            raise Refused("net.not_yet", seat=seat)
        self.give_seat(seat, "bot", self.bot_votes.target(seat))

    def successor(self, token: str) -> str:
        """Returns the token that follows one this device has used: it gives the seat to the next device."""
        return duties.successor(self.keys, self.mark, token)

    # Committed entries

    @property
    def ready(self) -> bool:
        """True if this device may act: its own log is applied as far as the leader has committed."""
        return not self.stopped and self.raft.caught_up and self.applied == self.raft.commit and self.me != NEWCOMER

    def _own_number(self) -> int:
        """Returns this device's number; `NEWCOMER` while the log does not say that it was let in."""
        own = Member(self.keys.verify_key, self.keys.seal_key)
        return self.state.devices.index(own) if own in self.state.devices else NEWCOMER

    def _apply_and_act(self) -> None:
        """Applies committed entries and does the duties, until there is nothing left to do."""
        while not self.stopped:
            self.apply()
            before = len(self.outbox.unsigned)
            if self.ready:
                self.do_duties()
            self._report_problems()  # a dealer that has just learned the secret has read all the cards dealt so far
            if len(self.outbox.unsigned) == before and self.applied == self.raft.commit:
                return

    def apply(self) -> None:
        """Applies the committed entries that were not applied yet."""
        advanced = self.applied < self.raft.commit
        while self.applied < self.raft.commit:
            self.applied += 1
            self._report_outcome(self._apply_entry(self.state, self.applied))
        self.raft.catchup.known_devices = len(self.state.devices)
        if advanced:
            self.me = self.raft.me = self.private.me = self.outbox.me = self._own_number()
            changed = self.log.set_voters(self.applied, self.state.voters)
            if changed:  # stored, so that the new voters are known after a reload, even if the others are gone
                self.put(Store(["log", self.log.last_index + 1, [], self.raft.commit]))
            self.raft.future_voters = self.state.future_voters
            self.raft.drop_voteless_leader()
            self.private.follow(self.state)
            self.bot_votes.follow()
            self.outbox.drop_committed()
            self._report_problems()
            self.put(Applied(self.applied))

    def _report_problems(self) -> None:
        """Reports what was wrong with what this device was dealt."""
        for problem in self.private.problems:
            self.put(problem)
        self.private.problems.clear()

    def _apply_entry(self, state: State, index: int) -> Outcome:
        """Applies an entry of the log to a state."""
        entry = self.log.entry(index)
        statement = entry.envelope
        honest = statement.seen < index and self.log.has_head(statement.seen, statement.head)
        return state.apply(entry, self.log.heads[index], honest=honest)

    def state_at(self, length: int) -> State:
        """Returns the state after the first `length` entries of this log, committed or not."""
        if self.applied == length:
            return self.state
        state = State(self.setup)
        for index in range(1, length + 1):
            self._apply_entry(state, index)
        return state

    def find_envelope(self, author: int, counter: int) -> Envelope | None:
        """Returns the envelope of this author with that counter from the log or the own outbox, or None."""
        stored = self.log.find_envelope(author, counter)
        return self.outbox.find(counter) if stored is None and author == self.me else stored

    def verify_keys_of(self, author: int, introduced: Iterable[str]) -> tuple[str, ...]:
        """Returns the keys an author may have: the known one; or those in joins that are not applied yet.

        Such joins are in the log, or in the frame that is being verified (`introduced`).
        """
        devices = self.state.devices
        if author < len(devices):
            return (devices[author].verify_key,)
        later = (entry.envelope.body for entry in self.log.entries[self.applied :])
        pending = (body.verify_key for body in later if isinstance(body, Join) and body.number == author)
        return (*pending, *introduced)

    def _report_outcome(self, outcome: Outcome) -> None:
        """Reports an entry that was refused."""
        if outcome.reason:
            statement = outcome.envelope
            if statement.author == self.me:
                seat = {"seat": statement.body.seat} if isinstance(statement.body, bodies.Do) else {}
                self.report_refused(type(statement.body), outcome.reason, {**outcome.values, **seat})
            else:
                self.put(OtherRefused(statement.author, type(statement.body), outcome.reason, outcome.values))
            if outcome.reason == "net.histories_differ":
                self.put(LogsDiffer(statement.author, statement.seen))

    def report_refused(self, kind: type[Body], reason: str, values: dict[str, object]) -> None:
        """Reports that an own envelope was refused."""
        if kind is bodies.Claim:
            self.claim_tokens = ()
        self.put(OwnRefused(kind, reason, values))
