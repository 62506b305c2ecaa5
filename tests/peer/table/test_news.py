"""The events a table tells its page: when the news are built, and the order of the events."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

from peer.order.outputs import HandsDiffer, Tell
from peer.table import telling
from peer.table.news import NewEntries, News
from peer.table.table import TICK, Table
from tests.peer.simulation.in_memory import now, simulated
from tests.peer.table.test_tables import leave, play_until, running_game


@simulated
async def test_the_news_are_built_once_for_all_changes_of_a_turn() -> None:
    _, devices, tables = await running_game("p,p", entries=4)
    device, table = devices[0], tables[0]
    device.events.clear()
    with patch.object(telling, "news", wraps=telling.news) as build:
        for reason in ("one", "two", "three"):
            table.no_entry_reason = reason
            table.changed()
        table.show_game()
        assert build.call_count == 0
        await asyncio.sleep(0)
        assert build.call_count == 1
    assert [event.reason for event in device.events if isinstance(event, News)] == ["three"]
    leave(*tables)


@simulated
async def test_the_news_are_built_once_for_each_batch_of_log_entries() -> None:
    network, devices, tables = await running_game("p,p", entries=4)
    started, applied, on_tell = now(), [], Table.on_tell

    def count_applied(table: Table, tell: Tell) -> None:
        applied.append(tell)
        on_tell(table, tell)

    with (
        patch.object(telling, "news", wraps=telling.news) as build,
        patch.object(Table, "on_tell", autospec=True, side_effect=count_applied),
    ):
        await play_until(network, tables, 40)
    ticks = len(tables) * ((now() - started) // TICK + 1)
    assert build.call_count <= len(applied) + ticks
    shown = [event for device in devices for event in device.events if isinstance(event, NewEntries)]
    assert len([event for event in shown if event.news is not None]) > len(shown) // 2, "both are drawn at once"
    leave(*tables)


@simulated
async def test_a_notice_comes_after_the_changes_before_it() -> None:
    _, devices, tables = await running_game("p,p", entries=4)
    tables[0].no_entry_reason = "changed"
    tables[0].changed()
    tables[0].on_tell(HandsDiffer(0, 7, "x"))
    assert [type(event) for event in devices[0].events[-2:]] == [News, HandsDiffer]
    leave(*tables)


@simulated
async def test_a_table_that_was_left_reports_nothing_that_was_still_due() -> None:
    _, devices, tables = await running_game("p,p", entries=4)
    devices[0].events.clear()
    tables[0].no_entry_reason = "changed"
    tables[0].changed()
    tables[0].leave()
    await asyncio.sleep(1)
    assert devices[0].events == []
    leave(tables[1])
