"""A device that waits: for its disk, its keys, its camera, or for a person who is away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core import Nonsense, Refused
from peer.order.outputs import Send, Store
from peer.table.news import GameStarted, TableEvent
from peer.table.table import Table
from peer.wire.frames import Ack
from peer.wire.messages import TableFull
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.table.test_tables import begin_game, leave, make_lobby, play_until, running_game, seat_all


class SlowDisk(SimDevice):
    """A device with a slow disk."""

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        await asyncio.sleep(0.4)
        await super().keep(code, header, first, records)


@simulated
async def test_a_slow_disk_does_not_start_the_game_twice() -> None:
    """Regression: a device that was let in while it stored the setup started the game twice, and equivocated."""
    for phase in range(4):
        network = Network(phase)
        devices = [SimDevice(network), SlowDisk(network), SimDevice(network)]
        tables = await seat_all(network, devices, make_lobby("p,p,p"))
        sat = count_starts(tables[1])
        await asyncio.sleep(phase / 4)
        await begin_game(network, tables)
        await asyncio.sleep(3)
        assert len(sat) == 1
        await play_until(network, tables, 6)
        leave(*tables)


def count_starts(table: Table) -> list[GameStarted]:
    """Returns a list that grows with each `GameStarted` event of the table."""
    sat: list[GameStarted] = []
    tell = table.env.tell

    def told(event: TableEvent) -> None:
        if isinstance(event, GameStarted):
            sat.append(event)
        tell(event)

    table.env.tell = told  # type: ignore[method-assign]
    return sat


@simulated
async def test_a_device_that_leaves_while_the_game_begins_starts_no_game() -> None:
    network = Network()
    devices = [SimDevice(network), SlowDisk(network)]
    tables = await seat_all(network, devices, make_lobby("p,p"))
    devices[0].context.run(asyncio.ensure_future, tables[0].laying_out.begin())
    await network.until(lambda: tables[1].setup is not None)
    tables[1].leave()
    await asyncio.sleep(3)
    assert tables[1].game is None
    leave(tables[0])


@simulated
async def test_unstored_outputs_are_not_sent_when_the_page_is_closed() -> None:
    """Regression: the leader counted an entry as stored on a device that had not stored it."""
    _, _, tables = await running_game("p,p,p", entries=6)
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


@simulated
async def test_beginning_without_a_seated_device_is_refused_with_its_name() -> None:
    """Regression: the opener was back and a guest was not; the button to begin broke the page."""
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    tables = await seat_all(network, devices, make_lobby("p,p,b2"))
    fragment = tables[0].invite.fragment
    await asyncio.sleep(1)
    tables[1].leave()
    devices[0].crash()
    table = devices[0].visit(fragment)
    await network.until(lambda: table.lobby is not None)
    with pytest.raises(Refused, match=r"net\.absent.*Guest 1"):
        await table.laying_out.begin()
    assert table.setup is None
    back = devices[1].visit(fragment)
    await network.until(lambda: len(table.channels.by_key) == 1)
    await begin_game(network, [table, back])
    leave(table, back)


@simulated
async def test_a_device_that_is_let_in_after_all_does_not_report_a_full_table_any_more() -> None:
    network, _, tables = await running_game("p,p", entries=6)
    admitting = [table.admission.on_request for table in tables]
    for table in tables:
        table.admission.on_request = (  # type: ignore[method-assign]
            lambda channel, signature, permits, table=table: table.connections.send(channel, TableFull())
        )
    guest = SimDevice(network).visit(tables[0].invite.fragment)
    await network.until(lambda: guest.news().reason == "net.full")
    for table, on_request in zip(tables, admitting, strict=True):
        table.admission.on_request = on_request  # type: ignore[method-assign]
    await network.until(lambda: guest.game is not None)
    assert guest.news().reason == ""
    leave(*tables, guest)


@simulated
async def test_a_connection_that_fails_late_closes_no_newer_one() -> None:
    network = Network()
    tables = await seat_all(network, [SimDevice(network), SimDevice(network)], make_lobby("p,p"))
    await network.until(lambda: all(line.open for table in tables for line in table.channels.by_key.values()))
    table = max(tables, key=lambda one: one.keys.seal_key)  # the other one dials
    channel = next(iter(table.channels.by_key.values()))
    made: list[LateConnection] = []

    def make(*callbacks: Any) -> LateConnection:
        made.append(LateConnection(callbacks[0], fails=not made))
        return made[-1]

    table.channels.make_connection = make  # type: ignore[assignment]
    table.channels.dialing.run(table.channels.dialing.answer(channel, 90, b"o" * 60))
    await asyncio.sleep(0.2)
    table.channels.dialing.run(table.channels.dialing.answer(channel, 91, b"o" * 60))
    await asyncio.sleep(2)
    assert channel.open
    assert channel.connection is made[1]
    assert not made[1].closed
    leave(*tables)


class LateConnection:
    """A connection that opens, or fails after a while."""

    def __init__(self, opened: Any, *, fails: bool) -> None:
        self.opened, self.fails, self.closed = opened, fails, False

    async def accept(self, _: bytes) -> bytes:
        if self.fails:
            await asyncio.sleep(1)
            raise Nonsense("net.description")
        asyncio.get_running_loop().call_later(0.1, self.opened)
        return b"x" * 60

    def send(self, text: str) -> None: ...

    def close(self) -> None:
        self.closed = True
