"""Devices that come when the game has begun: they are let in to look on, or to claim a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import Refused
from ui.net.envelope import DEVICES, HEAD
from ui.net.facts import permit_of
from ui.net.line import Line
from ui.net.shapes import code, many, whole

if TYPE_CHECKING:
    from ui.net.table import Table

PAUSE = 1_000  # milliseconds
SILENT = 5_000  # milliseconds at the endpoint without a word from anybody of the table
NOBODY = -1
_number = whole(-DEVICES, DEVICES - 1)
_permits = many(code(HEAD, HEAD), 8)


class Latecomers:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked = 0  # when, and
        self.turn = 0  # how often
        self.here = table.now()  # when nobody could be missed yet, or somebody who can let us in was here
        self.missing = 0  # devices, as they say

    @property
    def outside(self) -> bool:
        """Whether this device is not of the table yet, which has begun."""
        return self.table.setup is not None and self.table.game is None and self.table.kept.number < 0

    @property
    def waits(self) -> bool:
        """Whether this device is on its way to a table it has not seen, or has not been let in."""
        return self.table.game is None and (self.outside or self.table.lobby is None)

    @property
    def _unheard(self) -> bool:
        """Whether this device looks on, and has brought tokens that nobody counts: the table has no host."""
        game = self.table.game
        if game is None or not game.device.tokens:
            return False
        raft = game.device.raft
        return not game.device.ready or not raft.hears(raft.leader, game.device.timing.most)

    def ask_in(self) -> None:
        """Ask those who are of the table, one after the other, until somebody lets us in, and our seats count."""
        table = self.table
        here = self._doors() if self.outside or self._unheard else []
        if here or not self.waits or not table.lines.relay:
            self.here = table.now()
        if not here:
            self.missing = 0
        elif table.now() >= self.asked + PAUSE:
            self.asked, self.turn = table.now(), self.turn + 1
            permits = [permit_of(token) for token in table.rejoin]
            table.send(here[self.turn % len(here)], ["join", *permits])

    def _doors(self) -> list[Line]:
        """Who is here and can let us in."""
        table, setup = self.table, self.table.setup
        locks = {one.lock for one in setup.devices} if setup is not None else set()
        return [line for line in table.lines.lines.values() if line.lock in locks and table.state(line.lock) != "gone"]

    @property
    def lacks(self) -> int:
        """How many devices more must be here before this one is let in; `NOBODY`: there is none that could do it."""
        if self.table.now() - self.here > SILENT:
            return NOBODY
        return self.missing

    def let_in(self, line: Line, permits: Any) -> None:
        """A device asks. It may look on; here it is told its number, and with it says whatever else it wishes. Too few
        of the table can let nobody in: it is told how many are missing, as a number below zero."""
        table, game = self.table, self.table.game
        if game is None:
            return
        table.tokens.go_on(_permits(permits))
        number = game.number_of(line.lock)
        if number >= 0:
            table.send(line, ["number", number])
            return
        game.join(line.signer, line.lock)
        missing = game.lacks(table.state)
        if missing:
            table.send(line, ["number", -missing])

    def numbered(self, line: Line, number: Any) -> None:
        """The answer of who was asked: nobody else can say it, and it counts once."""
        setup = self.table.setup
        if setup is None or not self.outside:
            return
        if line.lock not in [one.lock for one in setup.devices]:
            raise Refused("net.not_a_message")
        found = _number(number)
        self.missing = max(0, -found)
        if found < 0:
            self.table.changed()
            return
        self.table.kept.number = found
        self.table.keep_header()
        self.table.seat_down([])
