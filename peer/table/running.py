"""A running game by link: the device with its driver, and what the page sees of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from random import Random
from typing import Any, Protocol

from engine.core import SPECTATOR, Answer, Entry, Refused
from engine.seats import PERSON
from engine.session import Session
from peer.crypto.keys import Keys, SignedText
from peer.device.border import Border
from peer.device.device import Device, Snapshot
from peer.device.driver import Driver
from peer.game.public import COIN, DEAL, SEATS, no_holes
from peer.game.setup import Setup
from peer.order.catchup import STRANGER
from peer.order.outputs import Send, Tell
from peer.order.raft import NOBODY
from peer.table.news import Begun, Came, Seated, Waits
from peer.table.ports import Environment
from peer.wire.envelope import DEVICES
from peer.wire.frames import Say, words
from peer.wire.frames import write as write_frame
from peer.wire.limits import Meter

STAYS = "stays"  # a wish for a seat, besides "person" and "bot": it stays as it is


class GamePorts(Protocol):
    """The ports of a game: what it needs of its table."""

    def now(self) -> int: ...

    async def sign(self, data: bytes) -> str: ...

    async def proven(self, claims: Sequence[SignedText]) -> bool: ...

    async def keep(self, records: list[list[Any]]) -> None: ...

    def here(self) -> Sequence[str]:
        """Returns the seal keys of all devices that can be reached now, whether they belong to the table or not."""

    def send_frame(self, lock: str, data: bytes) -> None: ...

    def told(self, tell: Tell) -> None: ...

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs the coroutine in a task of its own; its errors are reported."""


class RunningGame:
    """A game that is being played on this device. Implements the driver's ports."""

    def __init__(
        self,
        around: GamePorts,
        keys: Keys,
        setup: Setup,
        looks: tuple[tuple[str, str], ...],
        kept: Snapshot,
        world: Environment,
        seed: int,
    ) -> None:
        self.around, self.setup, self.looks = around, setup, looks
        self.device = Device(keys, setup, Random(seed), around.now(), world.timing, kept=kept, build=world.build)
        self.device.private.follow(self.device.state)  # seats have a view before the first entry
        self.driver = Driver(self.device, self)
        self.shown: dict[int, int] = {}  # number of entries the page was given, by viewer
        self.places = tuple(setup.places)  # as the page was last given them
        self.rewinds = 0  # those the page knows of
        self.waiting: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # seats and devices the table waits for
        self.since = around.now()  # when `waiting` last changed
        self.over = False
        self.promised = asyncio.Event()  # set when the promise not to go on alone is stored, or cannot be
        self.words = Meter(around.now(), 1, 8)
        self.strangers: list[str] = []  # seal keys of devices that were asked and have no number: see `catchup.py`
        self.turn = 0  # selects the stranger to ask next

    def start(self) -> None:
        for device in self.device.raft.others():
            self.device.greet(device)
        self.around.run(self.driver.run())

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
        self.over = True
        self.driver.stop()

    # The driver's ports

    def now(self) -> int:
        return self.around.now()

    async def sign(self, data: bytes) -> str:
        return await self.around.sign(data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return await self.around.proven(claims)

    async def keep(self, records: list[list[Any]]) -> None:
        if not self.over:
            await self.around.keep(records)

    def send(self, device: int, data: bytes) -> None:
        lock = self._next_stranger() if device == STRANGER else self.lock_of(device)
        if lock and not self.over:
            self.around.send_frame(lock, data)

    def _next_stranger(self) -> str:
        """Returns the seal key of the next reachable device without a number, in turn; "" if there is none."""
        here = [lock for lock in self.around.here() if self.number_of(lock) < 0]
        self.turn += 1
        lock = here[self.turn % len(here)] if here else ""
        if lock and lock not in self.strangers:
            self.strangers.append(lock)
        return lock

    def tell(self, tell: Tell) -> None:
        if tell.what in ("promised", "net.store"):  # after a failed store it never will be: `promise` must not hang
            self.promised.set()
        if tell.what != "promised" and not self.over:
            self.around.told(tell)

    # Input
    @property
    def border(self) -> Border:
        return self.driver.border

    def number_of(self, lock: str) -> int:
        """Returns the number of the device with that seal key; -1 if it does not belong to the table."""
        found = (number for number, member in enumerate(self.device.state.devices) if member.seal_key == lock)
        return next(found, -1)

    def lock_of(self, device: int) -> str:
        """Returns the seal key of a device; "" if there is no device with that number."""
        if device > STRANGER:
            return self.strangers[device - STRANGER - 1]
        members = self.device.state.devices[device : device + 1]
        return members[0].seal_key if members else ""

    def receive(self, lock: str, data: bytes) -> None:
        sender = self.number_of(lock)
        if sender < 0 and lock in self.strangers:
            sender = STRANGER + 1 + self.strangers.index(lock)
        if sender >= 0:
            self.driver.receive(sender, data)

    def met(self, lock: str) -> None:
        """Greets a device that can be reached (again)."""
        number = self.number_of(lock)
        if number >= 0:
            self.device.greet(number)
            self.driver.wake()

    # What the page sees

    @property
    def number(self) -> int:
        """This device's number; `NEWCOMER` until the log says that it was let in."""
        return self.device.me

    @property
    def mine(self) -> tuple[int, ...]:
        """The seats this device plays now."""
        places = enumerate(self.device.state.places)
        return tuple(seat for seat, place in places if place.device == self.number)

    def _views(self) -> dict[int, Session]:
        """Returns the sessions of all seats here; a spectator's if there is none, or none has a view yet."""
        return dict(self.device.private.views) or {SPECTATOR: self.device.state.play.session}

    def begun(self, mark: str) -> Begun:
        """Returns the game as far as it is known, with which the page starts; `came` continues from there.

        All sessions are cut to the same length.
        """
        views: dict[int, Session] = {}
        for viewer, view in self._views().items():
            views[viewer] = self.setup.session()
            views[viewer].extend(view.log)
        shortest = min(len(view.log) for view in views.values())
        for view in views.values():
            view.rewind(shortest)
        self.shown = dict.fromkeys(views, shortest)
        self.places = tuple(self.device.state.places)
        self.rewinds = self.device.state.rewinds
        bots = tuple(seat for seat in self.mine if self.device.state.places[seat].kind == "bot")
        # a seat that has just come here has no view before the dealer's hand-over
        people = tuple(seat for seat in self.mine if seat not in bots and seat in views)
        bots = tuple(seat for seat in bots if seat in views)
        setup = self.setup
        return Begun(mark, setup.game, setup.options, setup.called, self.looks, people, bots, views)

    def came(self) -> Came | None:
        """Returns the entries committed since the last call; None if the page must start anew with `begun`, because
        entries were taken back or seats have changed."""
        views = self._views()
        state = self.device.state
        if views.keys() != self.shown.keys() or self.rewinds != state.rewinds or self.places != tuple(state.places):
            return None
        fresh: dict[int, list[Entry]] = {viewer: view.log[self.shown[viewer] :] for viewer, view in views.items()}
        least = min(map(len, fresh.values()))
        for viewer in fresh:
            fresh[viewer] = fresh[viewer][:least]
            self.shown[viewer] += least
        return Came(fresh)

    def answer(self, seat: int, answer: Answer) -> None:
        """Gives an answer of a seat here. Raises `Refused`."""
        self.device.answer(seat, answer)
        self.driver.wake()

    def give_seat(self, seat: int, kind: str) -> None:
        """Gives a seat of this device to a bot here, or takes it back. For another device's seat this is a wish, which
        a majority must share; all wishes name the leader's device for the bot, so that they agree. `STAYS` takes this
        device's wish back. Raises `Refused` if there is no leader, or the seat is on the leader's device."""
        state, leader = self.device.state, self.device.raft.leader
        if kind == STAYS:
            if self.number in state.wishes.get(seat, {}) and not self.device.says("seat", seat):
                self.device.give_seat(seat, *state.places[seat])
                self.driver.wake()
            return
        own = self.number in (state.places[seat].device, state.homes[seat])
        if not own and leader in (NOBODY, state.places[seat].device):
            raise Refused("net.no_host")
        device = self.number if own else leader
        if not self.device.says("seat", seat):
            self.device.give_seat(seat, kind, device)
            self.driver.wake()

    def join(self, signer: str, lock: str) -> None:
        """Proposes to let a device in. If two are let in at once, one entry is refused, and that device asks again."""
        state = self.device.state
        if len(state.devices) < DEVICES and self.number in state.voters and not self.device.says("join"):
            self.device.author("join", (len(state.devices), signer, lock))
            self.driver.wake()

    async def promise(self) -> None:
        """Promises not to go on alone, and waits until that is stored. This must be done before a rejoin link for this
        device's seats is shown. Raises `Refused`."""
        if self.device.stopped:
            raise Refused(self.device.stopped)
        if not self.promised.is_set():
            self.device.alone.promise()
            self.driver.wake()
        await self.promised.wait()
        if self.device.stopped or self.over:
            raise Refused(self.device.stopped or "net.wait")

    def agree(self) -> None:
        """Agrees that the other of two devices may go on while this one is away. Raises `Refused`."""
        if not self.device.says("agree"):
            self.device.alone.agree()
            self.driver.wake()

    def go_on(self, permits: Collection[str], tokens: Collection[str], bots: Collection[int]) -> bool:
        """Asks to go on alone, see `GoingAlone.wish`. Returns True if that was not asked before."""
        alone = self.device.alone
        before = alone.permits, {*alone.bots}
        alone.wish(permits, tokens, bots)
        self.driver.wake()
        return (alone.permits, alone.bots) != before

    def claim(self, tokens: tuple[str, ...]) -> None:
        """Claims the seats of a rejoin link."""
        self.device.tokens = tokens
        self.driver.wake()

    def _open(self) -> Session | None:
        """Returns the session with nothing hidden, or None if this device does not know it."""
        play, full = self.device.state.play, self.device.private.full
        if full is not None and len(full.log) == len(play.session.log):
            return full
        hidden = any(one.sealed for one in play.played) or not no_holes(play.session.game, play.session.table)
        return None if hidden else play.session

    @property
    def alone(self) -> bool:
        """Returns True if the game could be continued here without the others: nothing in it is hidden from here."""
        return self._open() is not None

    def whole(self) -> list[Entry]:
        """Returns all entries with nothing hidden. Raises `Refused` if this device does not know them."""
        session = self._open()
        if session is None:
            raise Refused("net.cards_elsewhere")
        return list(session.log)

    def say(self, kind: str, text: str) -> None:
        """Sends words of a person to all devices. Raises `Refused` above a rate limit, which is stricter than the one
        the other devices apply."""
        if not self.words.take(self.now()):
            raise Refused("net.slowly")
        said = write_frame(Say(kind, words(text)), self.device.mark)
        for device in range(len(self.device.state.devices)):
            if device != self.number:
                self.send(device, said)

    def state_of(self, device: int, states: Callable[[str], str]) -> str:
        return "me" if device == self.number else states(self.device.state.devices[device].seal_key)

    def lacks(self, states: Callable[[str], str]) -> int:
        """Returns how many further voters must be here before the table goes on."""
        state = self.device.state
        here = sum(self.state_of(device, states) != "gone" for device in state.voters)
        return max(0, state.majority - here)

    def seated(self, states: Callable[[str], str], away: Callable[[str], int]) -> tuple[Seated, ...]:
        state = self.device.state
        return tuple(
            Seated(
                place.kind,
                place.device == self.number,
                state.homes[seat] == self.number,
                self.looks[seat][1] == PERSON,
                self.state_of(place.device, states),
                away(state.devices[place.device].seal_key),
            )
            for seat, place in enumerate(state.places)
        )

    def waits(self) -> Waits:
        """Returns what the table waits for: seats that are asked; devices that owe a share of a coin, or a deal."""
        state, play = self.device.state, self.device.state.play
        seats = tuple(play.session.question.seats()) if play.wants == SEATS else ()
        devices = tuple(state.awaited() or state.coins.held_up_by()) if play.wants in (COIN, DEAL) or not seats else ()
        if (seats, devices) != self.waiting:
            self.waiting, self.since = (seats, devices), self.now()
        return Waits(seats, devices, (self.now() - self.since) // 60_000)

    def host(self, states: Callable[[str], str]) -> str:
        """Returns how the leader is reached; "" if there is none."""
        leader = self.device.raft.leader
        return "" if leader == NOBODY else self.state_of(leader, states)
