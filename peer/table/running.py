"""A running game by link: the device with its driver, and what the page sees of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from random import Random
from typing import Any, Protocol

from engine.core import SPECTATOR, Answer, Entry, Nonsense, Refused
from engine.seats import PERSON
from engine.session import Session
from peer.crypto.keys import Keys, SignedText, as_words
from peer.device.border import Border
from peer.device.device import Device, Snapshot
from peer.device.driver import Driver
from peer.game.public import COIN, DEAL, SEATS, no_holes
from peer.game.setup import Setup
from peer.order.catchup import STRANGER
from peer.order.outputs import GaveUpAlone, Send, StoringFailed, Tell
from peer.order.raft import NEWCOMER, NOBODY
from peer.table.commands import SeatChange
from peer.table.news import Forked, GameStarted, NewEntries, SeatState, WaitingFor
from peer.table.ports import Environment
from peer.wire.bodies import MAX_DEVICES, Agree, Join, Seat
from peer.wire.frames import Say, checked_message
from peer.wire.frames import write as write_frame
from peer.wire.limits import RateLimit


class GamePorts(Protocol):
    """The ports of a game: what it needs of its table. Clock and signatures come from the `Environment`."""

    async def keep(self, records: list[list[Any]]) -> None: ...

    def reachable(self) -> Sequence[str]:
        """Returns the seal keys of all devices that can be reached now, whether they belong to the table or not."""

    def send_frame(self, seal_key: str, data: bytes) -> None: ...

    def on_tell(self, tell: Tell) -> None: ...

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs the coroutine in a task of its own; its errors are reported."""


class RunningGame:
    """A game that is being played on this device. Implements the driver's ports."""

    def __init__(
        self,
        ports: GamePorts,
        keys: Keys,
        setup: Setup,
        looks: tuple[tuple[str, str], ...],
        snapshot: Snapshot,
        env: Environment,
        seed: int,
        *,
        catch_up_until: int = 0,
    ) -> None:
        self.ports, self.env, self.keys, self.setup, self.looks = ports, env, keys, setup, looks
        self.words = as_words(setup.origin)
        self.device = Device(keys, setup, Random(seed), env.now(), env.timing, snapshot=snapshot, build=env.build)
        self.device.private.follow(self.device.state)  # seats have a view before the first entry
        self.driver = Driver(self.device, self)
        self.shown_counts: dict[int, int] = {}  # number of entries the page was given, by viewer
        self.shown_places = tuple(setup.places)  # as the page was last given them
        self.shown_rewinds = 0  # those the page knows of
        self.last_waiting: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # seats and devices the table waits for
        self.waiting_since = env.now()  # when `last_waiting` last changed
        self.ended = False
        self.alone_settled = asyncio.Event()  # set when `give_up_alone` is stored, or will not be
        self.message_limit = RateLimit(env.now(), 1, 8)
        self.strangers: list[str] = []  # seal keys of devices that were asked and have no number: see `catchup.py`
        self.stranger_turn = 0  # selects the stranger to ask next
        self.catch_up_until = catch_up_until  # when the game is shown even if this device has not caught up

    def start(self) -> None:
        for device in self.device.raft.other_voters():
            self.device.send_hi(device)
        self.ports.run(self.driver.run())

    def stop(self) -> None:
        """Says good-bye to all devices, because the page is being closed. Drops all other outputs: what has not been
        stored must not be sent."""
        self.device.take()
        self.device.leave()
        for output in self.device.take():
            if isinstance(output, Send):
                self.send(output.to, write_frame(output.frame, self.device.mark))
        self.end()

    def end(self) -> None:
        """Ends the game here: nothing more is sent, stored or reported."""
        self.ended = True
        self.driver.stop()
        self.alone_settled.set()  # nothing is stored any more: `promise` must not hang

    # The driver's ports

    def now(self) -> int:
        return self.env.now()

    async def sign(self, data: bytes) -> str:
        return await self.env.sign(self.keys, data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return await self.env.proven(claims)

    async def keep(self, records: list[list[Any]]) -> None:
        if not self.ended:
            await self.ports.keep(records)

    def send(self, device: int, data: bytes) -> None:
        seal_key = self._next_stranger() if device == STRANGER else self.seal_key_of(device)
        if seal_key and not self.ended:
            self.ports.send_frame(seal_key, data)

    def _next_stranger(self) -> str:
        """Returns the seal key of the next reachable device without a number, in turn; "" if there is none."""
        strangers_here = [key for key in self.ports.reachable() if self.number_of(key) < 0]
        self.stranger_turn += 1
        seal_key = strangers_here[self.stranger_turn % len(strangers_here)] if strangers_here else ""
        if seal_key and seal_key not in self.strangers:
            self.strangers.append(seal_key)
        return seal_key

    def tell(self, tell: Tell) -> None:
        if isinstance(tell, GaveUpAlone | StoringFailed):  # after a failed store `give_up_alone` must not hang either
            self.alone_settled.set()
        if not isinstance(tell, GaveUpAlone) and not self.ended:
            self.ports.on_tell(tell)

    # Input
    @property
    def border(self) -> Border:
        return self.driver.border

    def number_of(self, seal_key: str) -> int:
        """Returns the number of the device with that seal key; -1 if it does not belong to the table."""
        numbers = (number for number, member in enumerate(self.device.state.devices) if member.seal_key == seal_key)
        return next(numbers, -1)

    def seal_key_of(self, device: int) -> str:
        """Returns the seal key of a device; "" if there is no device with that number."""
        if device > STRANGER:
            return self.strangers[device - STRANGER - 1]
        members = self.device.state.devices[device : device + 1]
        return members[0].seal_key if members else ""

    def receive(self, seal_key: str, data: bytes) -> None:
        sender = self.number_of(seal_key)
        if sender < 0 and seal_key in self.strangers:
            sender = STRANGER + 1 + self.strangers.index(seal_key)
        if sender >= 0:
            self.driver.receive(sender, data)

    def send_hi(self, seal_key: str) -> None:
        """Sends `hi` to a device that can be reached (again)."""
        number = self.number_of(seal_key)
        if number >= 0:
            self.device.send_hi(number)
            self.driver.wake()

    # How far this device is in the game

    @property
    def over(self) -> bool:
        return self.device.state.public.over

    @property
    def unconfirmed(self) -> bool:
        """Returns True if another device reported that this one was let in, but the log known here does not say so."""
        return self.number == NEWCOMER

    @property
    def claim_blocked(self) -> bool:
        """Returns True if this device brought rejoin tokens that cannot be claimed now: it has not caught up, or the
        table has no leader."""
        raft = self.device.raft
        hears_leader = raft.hears(raft.leader, self.device.timing.election_max)
        return bool(self.device.claim_tokens) and not (self.device.ready and hears_leader)

    @property
    def catching_up(self) -> bool:
        """Returns True if this device was just let in and is still catching up. The page does not show the game until
        then, so that it shows where the game is, not how it got there."""
        return not self.device.ready and self.now() < self.catch_up_until

    def has_just_caught_up(self) -> bool:
        """Returns True once, when the game is to be shown after this device has caught up."""
        just = bool(self.catch_up_until) and not self.catching_up
        if just:
            self.catch_up_until = 0
        return just

    # What the page sees

    @property
    def number(self) -> int:
        """This device's number; `NEWCOMER` until the log says that it was let in."""
        return self.device.me

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats this device plays now."""
        places = enumerate(self.device.state.places)
        return tuple(seat for seat, place in places if place.device == self.number)

    def _views(self) -> dict[int, Session]:
        """Returns the sessions of all seats here; a spectator's if there is none, or none has a view yet."""
        return dict(self.device.private.views) or {SPECTATOR: self.device.state.public.session}

    def game_started(self, game_id: str) -> GameStarted:
        """Returns the game as far as it is known, with which the page starts; `new_entries` continues from there.

        All sessions are cut to the same length.
        """
        views: dict[int, Session] = {}
        for viewer, view in self._views().items():
            views[viewer] = self.setup.session()
            views[viewer].extend(view.log)
        shortest = min(len(view.log) for view in views.values())
        for view in views.values():
            view.rewind(shortest)
        self.shown_counts = dict.fromkeys(views, shortest)
        self.shown_places = tuple(self.device.state.places)
        self.shown_rewinds = self.device.state.rewinds
        bots = tuple(seat for seat in self.own_seats if self.device.state.places[seat].kind == "bot")
        # a seat that has just come here has no view before the dealer's hand-over
        people = tuple(seat for seat in self.own_seats if seat not in bots and seat in views)
        bots = tuple(seat for seat in bots if seat in views)
        setup = self.setup
        devices = tuple(place.device for place in setup.places)
        return GameStarted(
            game_id, setup.game, setup.options, setup.shown_names, self.looks, devices, people, bots, views
        )

    def new_entries(self) -> NewEntries | None:
        """Returns the entries committed since the last call; None if the page must start anew with `game_started`,
        because entries were taken back or seats have changed."""
        views = self._views()
        state = self.device.state
        if (
            views.keys() != self.shown_counts.keys()
            or self.shown_rewinds != state.rewinds
            or self.shown_places != tuple(state.places)
        ):
            return None
        new: dict[int, list[Entry]] = {viewer: view.log[self.shown_counts[viewer] :] for viewer, view in views.items()}
        shortest = min(map(len, new.values()))
        for viewer in new:
            new[viewer] = new[viewer][:shortest]
            self.shown_counts[viewer] += shortest
        return NewEntries(new)

    def answer(self, seat: int, answer: Answer) -> None:
        """Gives an answer of a seat here. Raises `Refused`."""
        self.device.answer(seat, answer)
        self.driver.wake()

    def give_seat(self, seat: int, kind: SeatChange) -> None:
        """Gives a seat of this device to a bot here, or takes it back. For another device's seat this is a vote for a
        bot, which a majority must share; "stays" takes this device's vote back. Raises `Refused` if there is no leader,
        or no reason for a vote (`BotVotes.reason`)."""
        device, state = self.device, self.device.state
        if device.outbox.has_pending(Seat, seat):
            return
        if kind == "stays":
            if self.number not in state.wishes.get(seat, {}):
                return
            device.give_seat(seat, *state.places[seat])
        elif self.number in (state.places[seat].device, state.homes[seat]):
            device.give_seat(seat, kind, self.number)
        elif device.raft.leader == NOBODY:
            raise Refused("net.no_host")
        else:
            device.vote_for_bot(seat)
        self.driver.wake()

    def join(self, verify_key: str, seal_key: str) -> None:
        """Proposes to let a device in. If two are let in at once, one entry is refused, and that device asks again."""
        state = self.device.state
        if (
            len(state.devices) < MAX_DEVICES
            and self.number in state.voters
            and not self.device.outbox.has_pending(Join)
        ):
            self.device.author(Join(len(state.devices), verify_key, seal_key))
            self.driver.wake()

    async def give_up_alone(self) -> None:
        """Gives up going on alone, and waits until that is stored. This must be done before a rejoin link for this
        device's seats is shown. Raises `Refused`."""
        if self.device.stopped:
            raise Refused(self.device.stopped)
        if not self.alone_settled.is_set():
            self.device.going_alone.give_up()
            self.driver.wake()
        await self.alone_settled.wait()
        if self.device.stopped or self.ended:
            raise Refused(self.device.stopped or "net.wait")

    def agree(self) -> None:
        """Agrees that the other of two devices may go on while this one is away. Raises `Refused`."""
        if not self.device.outbox.has_pending(Agree):
            self.device.agree()
            self.driver.wake()

    def go_on_alone(self, permits: Collection[str], tokens: Collection[str], bots: Collection[int]) -> bool:
        """Asks to go on alone, see `GoingAlone.request`. Returns True if that was not asked before."""
        alone = self.device.going_alone
        before = alone.permits, {*alone.bot_seats}
        alone.request(permits, tokens, bots)
        self.driver.wake()
        return (alone.permits, alone.bot_seats) != before

    def claim(self, tokens: tuple[str, ...]) -> None:
        """Claims the seats of a rejoin link."""
        self.device.claim_tokens = tokens
        self.driver.wake()

    def _full_session(self) -> Session | None:
        """Returns the session with nothing hidden, or None if this device does not know it."""
        play, full = self.device.state.public, self.device.private.full
        if full is not None and len(full.log) == len(play.session.log):
            return full
        hidden = any(one.sealed for one in play.entries) or not no_holes(play.session.game, play.session.table)
        return None if hidden else play.session

    @property
    def can_fork(self) -> bool:
        """Returns True if the game could be continued here without the others: nothing in it is hidden from here."""
        return self._full_session() is not None

    def full_log(self) -> list[Entry]:
        """Returns all entries with nothing hidden. Raises `Refused` if this device does not know them."""
        session = self._full_session()
        if session is None:
            raise Refused("net.cards_elsewhere")
        return list(session.log)

    def fork(self, random: str) -> Forked:
        """Returns what the page needs to continue the game on this device alone. Raises `Refused` if this device does
        not know all entries."""
        return Forked(random, self.full_log())

    def say(self, kind: str, text: str) -> None:
        """Sends words of a person to all devices. Raises `Refused` for a text the others would not show, and above a
        rate limit, which is stricter than the one they apply."""
        if not self.message_limit.take(self.now()):
            raise Refused("net.slowly")
        try:
            words = checked_message(text)
        except Nonsense as nonsense:
            raise Refused("net.words") from nonsense
        frame = write_frame(Say(kind, words), self.device.mark)
        for device in range(len(self.device.state.devices)):
            if device != self.number:
                self.send(device, frame)

    def state_of(self, device: int, state_of_key: Callable[[str], str]) -> str:
        return "me" if device == self.number else state_of_key(self.device.state.devices[device].seal_key)

    def missing_devices(self, state_of_key: Callable[[str], str]) -> int:
        """Returns how many further voters must be here before the table goes on."""
        state = self.device.state
        present = sum(self.state_of(device, state_of_key) != "gone" for device in state.voters)
        return max(0, state.majority - present)

    def seat_states(
        self, state_of_key: Callable[[str], str], minutes_away: Callable[[str], int]
    ) -> tuple[SeatState, ...]:
        state = self.device.state
        return tuple(
            SeatState(
                place.kind,
                place.device == self.number,
                state.homes[seat] == self.number,
                self.looks[seat][1] == PERSON,
                self.state_of(place.device, state_of_key),
                minutes_away(state.devices[place.device].seal_key),
                self.device.bot_votes.reason(seat) or "",
            )
            for seat, place in enumerate(state.places)
        )

    def waiting_for(self) -> WaitingFor:
        """Returns what the table waits for: seats that are asked; devices that owe a share of a coin, or a deal."""
        state, play = self.device.state, self.device.state.public
        seats = tuple(play.session.question.seats()) if play.waits_for == SEATS else ()
        devices = (
            tuple(state.awaited() or state.coins.blocking_devices())
            if play.waits_for in (COIN, DEAL) or not seats
            else ()
        )
        if (seats, devices) != self.last_waiting:
            self.last_waiting, self.waiting_since = (seats, devices), self.now()
        return WaitingFor(seats, devices, (self.now() - self.waiting_since) // 60_000)

    def leader_state(self, state_of_key: Callable[[str], str]) -> str:
        """Returns how the leader is reached; "" if there is none."""
        leader = self.device.raft.leader
        return "" if leader == NOBODY else self.state_of(leader, state_of_key)
