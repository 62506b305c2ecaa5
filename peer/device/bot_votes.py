"""Votes for a bot on a seat that keeps the table waiting: when this device may give one, and where the bot would play.

A majority without the seat's own device decides (`State`). There is no clock in the log, so each device judges by its
own clock whether a person has been thinking for too long.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from peer.device.outbox import Outbox
from peer.game.public import SEATS
from peer.game.setup import Place
from peer.game.state import State
from peer.order.raft import NOBODY, Raft
from peer.wire import bodies

#: why a bot may be voted for: the device is not heard; it was muted here or by the leader, or has muted the leader; the
#: dealer's objections discredit its answers; or it has not answered for too long
Reason = Literal["away", "muted", "not_believed", "thinking"]

BOT_PATIENCE = 60_000  # milliseconds that a bot may take for an answer; a device that plays bots answers much sooner
REPEAT_AFTER = 10_000  # milliseconds between two repetitions of a vote, at least
HEARD_WITHIN = 12_000  # milliseconds; devices that are not the leader send each other a frame every five seconds


class BotVotes:
    """The votes of this device for bots on seats of other devices.

    `patience`: milliseconds that a person may think before others may let a bot answer; 0 for any time.
    """

    def __init__(self, state: State, raft: Raft, outbox: Outbox, patience: int) -> None:
        self.state, self.raft, self.outbox = state, raft, outbox
        self.patience, self.bot_patience = patience, BOT_PATIENCE
        self.repeated_at = raft.now  # when votes were last repeated
        self.asked: dict[int, tuple[tuple[int, Place], int]] = {}  # seat -> its question and player, and since when

    def follow(self) -> None:
        """Notes which seats are asked, and since when. Must be called whenever entries were applied."""
        public, known = self.state.public, self.asked
        self.asked = {}
        for seat in public.session.question.seats() if public.waits_for == SEATS else ():
            question = public.asked_since[seat], self.state.places[seat]
            before = known.get(seat)
            self.asked[seat] = before if before is not None and before[0] == question else (question, self.raft.now)

    def reason(self, seat: int) -> Reason | None:
        """Returns why this device may vote for a bot on a seat; None if it may not."""
        state, raft, place = self.state, self.raft, self.state.places[seat]
        if place.device == self.outbox.me:
            return None
        if not state.believes(seat, place.device):
            return "not_believed"
        if raft.is_cut_off(place.device):
            return "muted"
        if not raft.is_present(place.device):
            return "away"
        patience = self.patience if place.kind == "person" else self.bot_patience
        if patience and seat in self.asked and raft.now - self.asked[seat][1] >= patience:
            return "thinking"
        return None

    def target(self, seat: int) -> int:
        """Returns the device on which the bot is to play.

        The first bot plays on the device of the person who only thinks: so nobody else sees the hand. If that does not
        help, or the device is away or muted, the bot plays on the leader's device, or on another voter's.
        """
        state, raft, place = self.state, self.raft, self.state.places[seat]
        if self.reason(seat) == "thinking" and place.kind == "person" and not state.bots_voted(seat):
            return place.device
        if raft.leader not in (NOBODY, place.device):
            return raft.leader
        present = (voter for voter in state.voters if voter != place.device and raft.hears(voter, HEARD_WITHIN))
        return min(present, default=self.outbox.me)

    def owed(self) -> Iterator[bodies.Body]:
        """Renews the own votes whose bot should now play elsewhere, and withdraws those whose reason is gone.

        Repeats them when another device wants a new leader: only by offering something can this device notice that the
        leader commits nothing (`starvation.py`).
        """
        state, raft = self.state, self.raft
        repeats = raft.trial_refused_at > self.repeated_at and raft.now - self.repeated_at >= REPEAT_AFTER
        for seat, wishes in state.wishes.items():
            wish = wishes.get(self.outbox.me)
            if wish is None or wish.kind != "bot" or raft.leader == NOBODY:
                continue
            player = Place("bot", self.target(seat)) if self.reason(seat) else state.places[seat]
            if (player != wish or repeats) and not self.outbox.has_pending(bodies.Seat, seat):
                self.repeated_at = raft.now
                yield bodies.Seat(seat, *player)
