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
_number = whole(0, DEVICES - 1)


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
        setup = table.setup
        if setup is None or not self.outside or table.now() < self.asked + PAUSE:
            return
        here = [line for line in table.lines.lines.values() if any(one.lock == line.lock for one in setup.devices)]
        here = [line for line in here if table.state(line.lock) != "gone"]
        if not here:
            return
        self.asked, self.turn = table.now(), self.turn + 1
        table.send(here[self.turn % len(here)], ["join"])

    def let_in(self, line: Line) -> None:
        """A device asks. It may look on; here it is told its number, and with it says whatever else it wishes."""
        game = self.table.game
        if game is None:
            return
        number = game.number_of(line.lock)
        if number >= 0:
            self.table.send(line, ["number", number])
            return
        game.join(line.signer, line.lock)

    def numbered(self, line: Line, number: Any) -> None:
        """Only who was asked can say it, and only once."""
        setup = self.table.setup
        if setup is None or not self.outside:
            return
        if line.lock not in [one.lock for one in setup.devices]:
            raise Refused("net.not_a_message")
        self.table.kept.number = _number(number)
        self.table.keep_header()
        self.table.seat_down([])
