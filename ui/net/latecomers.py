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
        self.knocked: set[str] = set()  # at whose doors
        self.here = table.now()  # when nobody could be missed yet, or somebody who can let us in was here
        self.missing = 0  # devices, as they say
        self.sat_down = 0  # when somebody told a number

    @property
    def outside(self) -> bool:
        """Whether this device is not of the table yet, which has begun."""
        return self.table.setup is not None and self.table.game is None and self.table.kept.number < 0

    @property
    def waits(self) -> bool:
        """Whether this device is on its way to a table it has not seen, or has not been let in."""
        return self.table.game is None and (self.outside or self.table.lobby is None)

    @property
    def _unsure(self) -> bool:
        """Whether this device was told a number, and the log does not say yet that it is its own."""
        return self.table.game is not None and not self.table.game.device.let_in

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
        table, asks = self.table, self.outside or self._unsure or self._unheard
        first = self._doors() if asks else []
        if first or not self.waits or not table.lines.relay:
            self.here = table.now()
        doors = self._doors(others=True) if asks else []
        if not doors:
            self.missing = 0
        elif table.now() >= self.asked + PAUSE:
            self.asked, self.turn = table.now(), self.turn + 1
            if first and self.turn <= 2 * len(first):
                doors = first
            line = doors[self.turn % len(doors)]
            self.knocked.add(line.lock)
            table.send(line, ["join", *map(permit_of, table.rejoin)])

    def _doors(self, *, others: bool = False) -> list[Line]:
        """Who is here of those the game began with; or anybody: the seats may have gone on to others."""
        here = (line for line in self.table.lines.lines.values() if self.table.state(line.lock) != "gone")
        return [line for line in here if others or self._began(line)]

    def _began(self, line: Line) -> bool:
        setup = self.table.setup
        return setup is not None and line.lock in [one.lock for one in setup.devices]

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
        """The answer of who was asked. Anybody may have been: what they say is true when the log says so too, and
        until then somebody else may know better."""
        table, setup = self.table, self.table.setup
        if setup is None or not (self.outside or self._unsure):
            return
        if line.lock not in self.knocked:
            raise Refused("net.not_a_message")
        found = _number(number)
        if 0 <= found < len(setup.devices):
            raise Refused("net.not_a_message")
        if self._unsure and (found == table.kept.number or not (self._began(line) or self._patient)):
            return
        self.missing, self.here = max(0, -found), table.now()
        if found < 0:
            table.changed()
            return
        if table.game is not None:
            table.game.end()
            table.game, table.kept.since = None, table.kept.records
        self.sat_down = table.now()
        table.kept.number = found
        table.keep_header()
        table.seat_down([])

    @property
    def _patient(self) -> bool:
        """Whether this device has waited long enough for the log of the last one that told it a number."""
        return self.table.now() - self.sat_down > SILENT
