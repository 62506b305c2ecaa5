"""Devices that come when the game has begun: they look on, or bring the token that gives them a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import Refused
from ui.net.envelope import DEVICES
from ui.net.facts import hash_of
from ui.net.line import Line
from ui.net.shapes import whole

if TYPE_CHECKING:
    from ui.net.table import Table

PAUSE = 1_000  # milliseconds
SILENT = 5_000  # milliseconds at the endpoint without a word from anybody of the table
NOBODY = -1
_number = whole(-DEVICES, DEVICES - 1)


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

    def fragment(self) -> str:
        """The link that brings this device's seats to another one: whoever follows it sits there from then on."""
        table, game = self.table, self.table.game
        claims = game.device.state.claims if game is not None else {}
        mine = {claim for claim, seat in claims.items() if game is not None and seat in game.mine}
        tokens = [token for token in table.kept.tokens.values() if hash_of(token) in mine]
        if not tokens:
            raise Refused("net.no_rejoin")
        return table.invite.rejoin(tokens)

    def claim(self, tokens: tuple[str, ...]) -> None:
        """A rejoin link was followed. What comes after its tokens is kept before they are used."""
        table = self.table
        table.rejoin = tokens
        if table.game is None or not tokens:
            return
        for token in tokens:
            table.kept.tokens[token[:8]] = table.game.device.successor(token)
        table.keep_header()
        table.game.claim(tokens)

    def own(self) -> tuple[str, ...]:
        """What brings back the seats that bots have had since the game began without this device."""
        setup, kept = self.table.setup, self.table.kept
        if setup is None or kept.number < len(setup.devices):
            return ()
        claims = {claim for claim, _ in setup.claims}
        return tuple(token for token in kept.tokens.values() if hash_of(token) in claims)

    def ask_in(self) -> None:
        """Ask those who are of the table, one after the other, until somebody lets us in."""
        table = self.table
        here = self._doors() if self.outside else []
        if here or not self.waits or not table.lines.relay:
            self.here = table.now()
        if not here:
            self.missing = 0
        elif table.now() >= self.asked + PAUSE:
            self.asked, self.turn = table.now(), self.turn + 1
            table.send(here[self.turn % len(here)], ["join"])

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

    def let_in(self, line: Line) -> None:
        """A device asks. It may look on; here it is told its number, and with it says whatever else it wishes. Too few
        of the table can let nobody in: it is told how many are missing, as a number below zero."""
        table, game = self.table, self.table.game
        if game is None:
            return
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
