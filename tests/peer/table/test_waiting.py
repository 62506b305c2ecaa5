"""A device that waits: for its disk, its keys, its camera, or for a person who is away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core import Refused
from peer.order.outputs import Send, Store
from peer.table.table import Table
from peer.wire.frames import Ack
from tests.peer.simulation.in_memory import Home, Street, evening
from tests.peer.table.test_tables import begun, leave, lobby, played, seated, under_way


class Slow(Home):
    """A device with a slow disk."""

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        await asyncio.sleep(0.4)
        await super().keep(code, header, first, records)


@evening
async def test_a_slow_disk_does_not_seat_a_device_twice() -> None:
    """Regression: a device that was let in while it stored the setup started the game twice, and equivocated."""
    for phase in range(4):
        street = Street(phase)
        homes = [Home(street), Slow(street), Home(street)]
        tables = await seated(street, homes, lobby("p,p,p"))
        sat = count(tables[1])
        await asyncio.sleep(phase / 4)
        await begun(street, tables)
        await asyncio.sleep(3)
        assert len(sat) == 1
        await played(street, tables, 6)
        leave(*tables)


def count(table: Table) -> list[str]:
    """Returns a list that grows with each "begun" event of the table."""
    sat: list[str] = []
    tell = table.env.tell

    def told(what: str, data: Any = None) -> None:
        if what == "begun":
            sat.append(what)
        tell(what, data)

    table.env.tell = told  # type: ignore[method-assign]
    return sat


@evening
async def test_who_leaves_while_the_game_begins_is_gone() -> None:
    street = Street()
    homes = [Home(street), Slow(street)]
    tables = await seated(street, homes, lobby("p,p"))
    homes[0].context.run(asyncio.ensure_future, tables[0].seating.begin())
    await street.until(lambda: tables[1].setup is not None)
    tables[1].leave()
    await asyncio.sleep(3)
    assert tables[1].game is None
    leave(tables[0])


@evening
async def test_what_was_not_kept_is_not_said_when_the_page_is_closed() -> None:
    """Regression: the leader counted an entry as stored on a device that had not stored it."""
    _, _, tables = await under_way("p,p,p", entries=6)
    table = tables[1]
    assert table.game is not None
    device, sent = table.game.device, []
    table.send_frame = lambda _, data: sent.append(data)  # type: ignore[method-assign]
    device.put(Store(["term", 99, 0]))
    device.put(Send(0, Ack(99, 1, 1, 0)))
    table.leave()
    assert len(sent) == 2
    assert all(b'"bye"' in data for data in sent)
    leave(tables[0], tables[2])


@evening
async def test_a_game_that_lacks_somebody_says_whom() -> None:
    """Regression: the opener was back and a guest was not; the button to begin broke the page."""
    street = Street()
    homes = [Home(street), Home(street)]
    tables = await seated(street, homes, lobby("p,p,b2"))
    fragment = tables[0].invite.fragment
    await asyncio.sleep(1)
    tables[1].leave()
    homes[0].crash()
    table = homes[0].visits(fragment)
    await street.until(lambda: table.lobby is not None)
    with pytest.raises(Refused, match=r"net\.absent.*Guest 1"):
        await table.seating.begin()
    assert table.setup is None
    back = homes[1].visits(fragment)
    await street.until(lambda: len(table.channels.by_key) == 1)
    await begun(street, [table, back])
    leave(table, back)


@evening
async def test_a_connection_that_fails_late_closes_no_newer_one() -> None:
    street = Street()
    tables = await seated(street, [Home(street), Home(street)], lobby("p,p"))
    await street.until(lambda: all(line.open for table in tables for line in table.channels.by_key.values()))
    table = max(tables, key=lambda one: one.keys.seal_key)  # the other one dials
    line = next(iter(table.channels.by_key.values()))
    made: list[Answering] = []

    def make(*hears: Any) -> Answering:
        made.append(Answering(hears[0], fails=not made))
        return made[-1]

    table.channels.make = make  # type: ignore[assignment]
    table.channels.dialing.run(table.channels.dialing.answer(line, 90, b"o" * 60))
    await asyncio.sleep(0.2)
    table.channels.dialing.run(table.channels.dialing.answer(line, 91, b"o" * 60))
    await asyncio.sleep(2)
    assert line.open
    assert line.peer is made[1]
    assert not made[1].closed
    leave(*tables)


class Answering:
    """A connection that opens, or fails after a while."""

    def __init__(self, opened: Any, *, fails: bool) -> None:
        self.opened, self.fails, self.closed = opened, fails, False

    async def accept(self, _: bytes) -> bytes:
        if self.fails:
            await asyncio.sleep(1)
            raise Refused("net.description")
        asyncio.get_running_loop().call_later(0.1, self.opened)
        return b"x" * 60

    def send(self, text: str) -> None: ...

    def close(self) -> None:
        self.closed = True
