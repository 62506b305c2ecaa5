"""Devices that come when the game has begun: they look on, or bring the token that gives them a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import Refused
from ui.net.envelope import DEVICES
from ui.net.keys import text_of
from ui.net.line import Line
from ui.net.shapes import code, fixed, many
from ui.net.state import hash_of

if TYPE_CHECKING:
    from ui.net.table import Table

PAUSE = 1_000  # milliseconds
_JOIN = many(fixed(code(43, 43), code(43, 43)), 8)  # token, and the hash of the next one


class Latecomers:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked = 0  # when, and
        self.turn = 0  # how often

    @property
    def outside(self) -> bool:
        """Whether this device is not of the table yet, which has begun."""
        return self.table.setup is not None and self.table.game is None and self.table.kept.number < 0

    def fragment(self) -> str:
        """The link that brings this device's seat to another one: whoever follows it sits there from then on."""
        table = self.table
        mine = table.game.mine if table.game is not None else ()
        token = next((table.kept.tokens[str(seat)] for seat in mine if str(seat) in table.kept.tokens), "")
        if not token:
            raise Refused("net.no_rejoin")
        return table.invite.rejoin(token)

    def ask_in(self) -> None:
        """Ask those who are of the table, one after the other, until somebody lets us in."""
        table = self.table
        setup = table.setup
        if setup is None or not self.outside or table.now() < self.asked + PAUSE:
            return
        here = [line for line in table.lines.lines.values() if any(one.lock == line.lock for one in setup.devices)]
        here = [line for line in here if table.state(line.lock) != "gone"]
        if not here:
            return
        self.asked, self.turn = table.now(), self.turn + 1
        pairs = []
        if table.rejoin:
            following = table.kept.tokens.setdefault("rejoin", text_of(table.world.random(32)))
            pairs = [[table.rejoin, hash_of(following)]]
        table.send(here[self.turn % len(here)], ["join", pairs])

    def let_in(self, line: Line, given: list[Any]) -> None:
        """A device asks. What it may have is decided by the log; here it is only told its number."""
        game = self.table.game
        if game is None:
            return
        number = game.number_of(line.lock)
        if number >= 0:
            self.table.send(line, ["number", number])
            return
        pairs = _JOIN(given)
        game.join(line.signer, line.lock, tuple(one[0] for one in pairs), tuple(one[1] for one in pairs))

    def numbered(self, number: int) -> None:
        if not self.outside or not 0 <= number < DEVICES:
            raise Refused("net.not_a_message")
        self.table.kept.number = number
        self.table.keep_header()
        self.table.seat_down([])
