"""The log, told to a newcomer by a device it cannot know, for nobody is here any more of those the game began with.

Who tells it need not be believed: what each of them said is signed, and who came later was let in by who was there. A
liar can leave out the end, no more; whoever has a vote by then tells that.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine.core import Refused
from ui.net import envelope
from ui.net.envelope import DEVICES, Entry
from ui.net.frames import GOOD
from ui.net.keys import Claim
from ui.net.limits import Meter
from ui.net.line import Line
from ui.net.log import Log
from ui.net.setup import Member, Setup
from ui.net.shapes import many, whole
from ui.net.state import State
from ui.net.window import HERE, keep

if TYPE_CHECKING:
    from ui.net.table import Table

MOST = 5_000  # entries
_at = whole(0, MOST)
_entries = many(envelope.entry, MOST)


class Retold:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.teller = ""  # who was asked
        self.number = 0  # this device's, as the teller says
        self.entries: list[Entry] = []
        self.asked = Meter(table.now(), 20, 60)

    # Who tells

    def tell(self, line: Line, at: Any) -> None:
        """What is committed after so many entries; nothing, if that is all."""
        game = self.table.game
        if game is None or not self.asked.take(self.table.now()):
            return
        raft = game.device.raft
        found = raft.log.after(_at(at), GOOD)[: max(0, raft.commit - at)]
        self.table.send(line, ["past", at, [envelope.written(entry) for entry in found]])

    # Who listens

    def ask(self, line: Line, number: int) -> None:
        if line.lock != self.teller:
            self.teller, self.entries = line.lock, []
        self.number = number
        self.table.send(line, ["past", len(self.entries)])

    def hear(self, line: Line, at: Any, entries: Any) -> None:
        """Only who was asked can say it, and only in order."""
        if line.lock != self.teller:
            raise Refused("net.not_a_message")
        if _at(at) != len(self.entries):
            return  # asked twice, told twice
        found = _entries(entries)
        self.entries += found
        if len(self.entries) > MOST:
            self.teller = ""
            raise Refused("net.not_a_message")
        if found:
            self.ask(line, self.number)
        else:
            self.teller = ""
            self.table.run(self._sit_down(tuple(self.entries)))

    async def _sit_down(self, entries: tuple[Entry, ...]) -> None:
        table, setup = self.table, self.table.setup
        if setup is None or not table.late.outside:
            return
        state, claims = replayed(setup, entries)
        own = Member(table.keys.signer, table.keys.lock)
        if state.devices[self.number : self.number + 1] != [own] or not await table.world.proven(claims):
            raise Refused("net.forged")
        if table.game is not None or table.setup is not setup:
            return  # somebody it knows has come meanwhile
        table.kept.number = self.number
        record = ["log", 1, [envelope.written(entry) for entry in entries], len(entries)]
        earlier = [HERE] * table.kept.records
        await keep(table, [record])
        table.seat_down([*earlier, json.dumps(record)])


def replayed(setup: Setup, entries: tuple[Entry, ...]) -> tuple[State, list[Claim]]:
    """What these entries say, if they are truly signed."""
    state, log, claims = State(setup), Log(setup.origin, tuple(range(len(setup.devices)))), list[Claim]()
    log.append(entries)
    for index, entry in enumerate(entries, 1):
        said = entry.envelope
        if said.table != setup.mark or said.author >= min(len(state.devices), DEVICES):
            raise Refused("net.forged")
        claims.append(Claim((state.devices[said.author].signer,), said.text, said.signature))
        state.apply(entry, log.heads[index], honest=said.seen < index and log.holds(said.seen, said.head))
    return state, claims
