"""Admission: a device that comes after the game has begun is let in, to look on or to claim a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import Refused
from peer.channels.channel import Channel
from peer.crypto.keys import SignedText
from peer.game.types import claim_of, permit_of
from peer.order.raft import NEWCOMER, NOBODY
from peer.wire.envelope import DEVICES, HEAD
from peer.wire.shapes import code, many, whole

if TYPE_CHECKING:
    from peer.table.table import Table

PAUSE = 1_000  # milliseconds between two join requests
KEPT_FREE = 8  # of the DEVICES places at a table: reserved for devices that bring the permit of a seat
UNSEEN = 1_000  # milliseconds a device may take to catch up with the game before it is shown
SILENT = 5_000  # milliseconds in the room without reaching a device of the table, before the page is told
_missing = whole(0, DEVICES)
_permits = many(code(HEAD, HEAD), 8)


class Admission:
    """Both sides of an admission: this device asks to be let in, or lets others in."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked = 0  # time of the last join request
        self.turn = 0  # number of join requests so far
        self.knocked: set[str] = set()  # seal keys of the devices that were asked
        self.here = table.now()  # last time that no device was missing, or one that can let us in was reachable
        self.missing = 0  # further devices needed to let this one in, as the device that was asked reported
        self.asking: set[str] = set()  # seal keys of devices whose admission was proposed, until it is committed
        self.until = 0  # when the game is shown even if this device has not caught up; 0: not waiting for that

    @property
    def outside(self) -> bool:
        """Returns True if the game has begun and this device has not been let in yet."""
        return self.table.setup is not None and self.table.game is None

    @property
    def waits(self) -> bool:
        """Returns True if this device has no game, and either knows no lobby yet or has not been let in."""
        return self.table.game is None and (self.outside or self.table.lobby is None)

    @property
    def hurries(self) -> bool:
        """Returns True if this device was just let in and is still catching up. The page does not show the game until
        then, so that it shows where the game is, not how it got there."""
        game = self.table.game
        return game is not None and not game.device.ready and self.table.now() < self.until

    @property
    def _unsure(self) -> bool:
        """Returns True if another device reported that this one was let in, but the log known here does not say so."""
        return self.table.game is not None and self.table.game.number == NEWCOMER

    @property
    def _unheard(self) -> bool:
        """Returns True if this device brought rejoin tokens that cannot be claimed now: it has not caught up, or the
        table has no leader."""
        game = self.table.game
        if game is None or not game.device.tokens:
            return False
        raft = game.device.raft
        return not game.device.ready or not raft.hears(raft.leader, game.device.timing.most)

    def tick(self) -> None:
        self.ask_in()
        if self.until and not self.hurries:
            self.until = 0
            self.table.show()

    def ask_in(self) -> None:
        """Sends a join request to one device after the other, until this device is let in and can claim its seats."""
        table, asks = self.table, self.outside or self._unsure or self._unheard
        first = self._doors() if asks else []
        if first or not self.waits or not table.channels.relay:
            self.here = table.now()
        doors = self._doors(others=True) if asks else []
        if not doors:
            self.missing = 0
        elif table.now() >= self.asked + PAUSE:
            self.asked, self.turn = table.now(), self.turn + 1
            if first and self.turn <= 2 * len(first):  # the devices the game began with are asked first, twice each
                doors = first
            line = doors[self.turn % len(doors)]
            self.knocked.add(line.seal_key)
            table.run(self._knock(line))

    async def _knock(self, line: Channel) -> None:
        """Sends a join request. It is signed, because the messages of a channel prove only the seal key, not the verify
        key that belongs to it."""
        table = self.table
        signature = await table.env.sign(table.keys, _signed(table.keys.seal_key).encode())
        table.send(line, ["join", signature, *map(permit_of, table.rejoin)])

    def _doors(self, *, others: bool = False) -> list[Channel]:
        """Returns the channels to reachable devices the game began with; with `others`, to all reachable devices,
        because the seats may have moved to them."""
        table, setup = self.table, self.table.setup
        began = setup.seal_keys if setup is not None else ()
        here = (line for line in table.channels.by_key.values() if table.state(line.seal_key) != "gone")
        return [line for line in here if others or line.seal_key in began]

    @property
    def lacks(self) -> int:
        """The number of further devices that must be here before this one is let in; `NOBODY` if no device that could
        let it in can be reached."""
        if self.table.now() - self.here > SILENT:
            return NOBODY
        return self.missing

    def let_in(self, line: Channel, signature: str, permits: Any) -> None:
        """Handles a join request. Raises `Refused` if it is malformed."""
        game, given = self.table.game, _permits(permits)
        if game is not None and game.number != NEWCOMER:
            claim = SignedText((line.verify_key,), _signed(line.seal_key), signature)
            self.table.run(self._let_in(line, claim, given))

    async def _let_in(self, line: Channel, claim: SignedText, permits: tuple[str, ...]) -> None:
        """Lets a device in to look on; it claims seats itself once the log has given it a number. Answers how many
        devices are missing if there is no majority to let it in. Some places are reserved for devices that bring the
        permit of a seat."""
        table = self.table
        if not await table.env.proven([claim]):
            table.channels.strike(line, Refused("net.forged"))
            return
        game = table.game
        if game is None:
            return
        table.tokens.go_on(permits)
        if game.number_of(line.seal_key) >= 0:
            table.send(line, ["in", 0])
            return
        state = game.device.state
        room = DEVICES if state.claims.keys() & {*map(claim_of, permits)} else DEVICES - KEPT_FREE
        if len(state.devices) >= room:
            table.send(line, ["full"])
            return
        game.join(line.verify_key, line.seal_key)
        self.asking.add(line.seal_key)
        missing = game.lacks(table.state)
        if missing:
            table.send(line, ["in", missing])

    def heard(self) -> None:
        """Answers the devices whose admission is now committed. Called when new entries have been applied."""
        game, lines = self.table.game, self.table.channels.by_key
        self.asking &= lines.keys()
        for lock in [lock for lock in self.asking if game is not None and game.number_of(lock) >= 0]:
            self.asking.discard(lock)
            self.table.send(lines[lock], ["in", 0])

    def full(self, line: Channel) -> None:
        """Handles the answer "full": there is no place for a device that only looks on."""
        if self.outside and line.seal_key in self.knocked:
            self.table.reason, self.here = "net.full", self.table.now()
            self.table.changed()

    def told(self, line: Channel, missing: Any) -> None:
        """Handles the answer "in" to a join request. Any device may have been asked, so the answer proves nothing: it
        only tells this device to start listening to the log. Raises `Refused` if that device was not asked."""
        table = self.table
        if not (self.outside or self._unsure):
            return
        if line.seal_key not in self.knocked:
            raise Refused("net.not_a_message")
        self.missing, self.here = _missing(missing), table.now()
        if self.missing:
            table.changed()
        elif table.game is None:
            self.until = table.now() + UNSEEN
            table.seat_down([], welcome=True)


def _signed(lock: str) -> str:
    return f"speakeasy/join\n{lock}"
