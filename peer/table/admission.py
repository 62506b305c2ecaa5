"""Devices that come when the game has begun: they are let in to look on, or to claim a seat."""

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

PAUSE = 1_000  # milliseconds
KEPT_FREE = 8  # places for devices that bring a seat along, of all there can ever be at a table
UNSEEN = 1_000  # milliseconds to catch up with the game before it is shown
SILENT = 5_000  # milliseconds at the endpoint without a word from anybody of the table
_missing = whole(0, DEVICES)
_permits = many(code(HEAD, HEAD), 8)


class Admission:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked = 0  # when, and
        self.turn = 0  # how often
        self.knocked: set[str] = set()  # at whose doors
        self.here = table.now()  # when nobody could be missed yet, or somebody who can let us in was here
        self.missing = 0  # devices, as they say
        self.asking: set[str] = set()  # locks of devices that were let in, and not told yet
        self.until = 0  # when the game is shown, however far it is known

    @property
    def outside(self) -> bool:
        """Whether this device is not of the table yet, which has begun."""
        return self.table.setup is not None and self.table.game is None

    @property
    def waits(self) -> bool:
        """Whether this device is on its way to a table it has not seen, or has not been let in."""
        return self.table.game is None and (self.outside or self.table.lobby is None)

    @property
    def hurries(self) -> bool:
        """Whether this device was just let in, and still catches up: the page sees where the game is, not how it got
        there."""
        game = self.table.game
        return game is not None and not game.device.ready and self.table.now() < self.until

    @property
    def _unsure(self) -> bool:
        """Whether somebody said that this device was let in, and the log, as far as it is known, does not."""
        return self.table.game is not None and self.table.game.number == NEWCOMER

    @property
    def _unheard(self) -> bool:
        """Whether this device looks on, and has brought tokens that nobody counts: the table has no host."""
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
        """Ask those who are of the table, one after the other, until somebody lets us in, and our seats count."""
        table, asks = self.table, self.outside or self._unsure or self._unheard
        first = self._doors() if asks else []
        if first or not self.waits or not table.channels.relay:
            self.here = table.now()
        doors = self._doors(others=True) if asks else []
        if not doors:
            self.missing = 0
        elif table.now() >= self.asked + PAUSE:
            self.asked, self.turn = table.now(), self.turn + 1
            if first and self.turn <= 2 * len(first):
                doors = first
            line = doors[self.turn % len(doors)]
            self.knocked.add(line.seal_key)
            table.run(self._knock(line))

    async def _knock(self, line: Channel) -> None:
        """With a signature: the lock is proven by every word on this line, which signer goes with it is not."""
        table = self.table
        signature = await table.env.sign(table.keys, _signed(table.keys.seal_key).encode())
        table.send(line, ["join", signature, *map(permit_of, table.rejoin)])

    def _doors(self, *, others: bool = False) -> list[Channel]:
        """Who is here of those the game began with; or anybody: the seats may have gone on to others."""
        table, setup = self.table, self.table.setup
        began = setup.seal_keys if setup is not None else ()
        here = (line for line in table.channels.by_key.values() if table.state(line.seal_key) != "gone")
        return [line for line in here if others or line.seal_key in began]

    @property
    def lacks(self) -> int:
        """How many devices more must be here before this one is let in; `NOBODY`: there is none that could do it."""
        if self.table.now() - self.here > SILENT:
            return NOBODY
        return self.missing

    def let_in(self, line: Channel, signature: str, permits: Any) -> None:
        """A device asks. Raises `Refused` for what is no such question."""
        game, given = self.table.game, _permits(permits)
        if game is not None and game.number != NEWCOMER:
            claim = SignedText((line.verify_key,), _signed(line.seal_key), signature)
            self.table.run(self._let_in(line, claim, given))

    async def _let_in(self, line: Channel, claim: SignedText, permits: tuple[str, ...]) -> None:
        """It may look on, and says whatever else it wishes when the log tells it its number. Too few of the table can
        let nobody in: it is told how many are missing. Who brings no seat leaves room for who does."""
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
        """The log has something new: whoever asked, and is of the table now, is told at once."""
        game, lines = self.table.game, self.table.channels.by_key
        self.asking &= lines.keys()
        for lock in [lock for lock in self.asking if game is not None and game.number_of(lock) >= 0]:
            self.asking.discard(lock)
            self.table.send(lines[lock], ["in", 0])

    def full(self, line: Channel) -> None:
        """There is no room for who only looks on."""
        if self.outside and line.seal_key in self.knocked:
            self.table.reason, self.here = "net.full", self.table.now()
            self.table.changed()

    def told(self, line: Channel, missing: Any) -> None:
        """The answer of who was asked, and anybody may have been: it only says that it is time to listen."""
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
