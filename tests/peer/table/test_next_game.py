"""The next game at the same table, while some devices are away."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from unittest.mock import patch

import pytest

from engine.core import Refused
from engine.razzia.box import CARDS
from peer.order.outputs import OwnRefused
from peer.table.laying_out import signed_start
from peer.table.news import Refusal
from peer.table.phase import Over
from peer.table.running import RunningGame
from peer.table.table import Table
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.table.test_tables import begin_game, leave, make_lobby, play_until, seat_all, until_gone

#: a deck that is soon played
SHORT_DECK = {card.name: 0 for card in CARDS} | {"ring": 1, "coin": 1, "car": 1, "police": 1}


async def three_tables(plays: str = "p,p,p") -> tuple[Network, list[SimDevice], list[Table]]:
    network = Network()
    devices = [SimDevice(network) for who in plays.split(",") if who == "p"]
    tables = await seat_all(network, devices, replace(make_lobby(plays), options={"deck": SHORT_DECK}))
    await begin_game(network, tables)
    return network, devices, tables


def rounds(tables: list[Table]) -> list[int]:
    return [table.setup.round if table.setup else 0 for table in tables]


def own_seats(table: Table) -> tuple[int, ...]:
    return table.game.own_seats if table.game is not None else ()


async def lay_out_again(devices: list[SimDevice], tables: list[Table]) -> None:
    await devices[0].context.run(asyncio.ensure_future, tables[0].laying_out.lay_out_again())


async def publish_second_game(device: SimDevice, table: Table) -> None:
    """Publishes the second game of this table, whether the first one is over or not."""
    assert table.lobby is not None
    start = await signed_start(table.lobby, table.keys, table.connections.verify_keys(), 2, table.env)
    await device.context.run(asyncio.ensure_future, table.laying_out.publish(start, table.lobby))


@pytest.mark.parametrize("plays", ["p,p,p", "p,p,b1"])
@simulated
async def test_a_device_that_reloads_at_the_result_keeps_its_seat(plays: str) -> None:
    network, devices, tables = await three_tables(plays)
    await play_until(network, tables)
    tables[1].leave()
    await until_gone(network, tables[:1], tables[1])
    with pytest.raises(Refused) as refused:
        await lay_out_again(devices, tables)
    assert (refused.value.reason, refused.value.values) == ("net.coming", {"who": "Guest 1"})
    await asyncio.sleep(1.5)
    assert rounds([tables[0]]) == [1]
    tables[1] = devices[1].visit(tables[0].invite.fragment)
    await network.until(lambda: {*rounds(tables)} == {2})
    await network.until(lambda: all(seat in own_seats(table) for seat, table in enumerate(tables)))
    await play_until(network, tables)
    leave(*tables)


@simulated
async def test_a_device_suspended_at_the_end_joins_the_next_game() -> None:
    """The old game has no leader any more: entries that are missing never arrive."""
    network, devices, tables = await three_tables()
    await play_until(network, tables, 3)
    devices[2].suspend()
    rest = tables[:2]
    await until_gone(network, rest, tables[2])
    for table in rest:
        assert table.game is not None
        table.game.give_seat(2, "bot")
    await network.until(lambda: all(table.news().seated[2].kind == "bot" for table in rest))
    await play_until(network, rest)
    await asyncio.sleep(40)
    await lay_out_again(devices, tables)
    await network.until(lambda: rounds(rest) == [2, 2])
    assert rest[0].news().seated[2].kind == "bot"
    devices[2].resume()
    await network.until(lambda: rounds(tables) == [2, 2, 2])
    await network.until(lambda: own_seats(tables[2]) == (2,))
    await network.until(lambda: all(table.news().seated[2].kind == "person" for table in tables))
    await play_until(network, tables)
    await lay_out_again(devices, tables)
    await network.until(lambda: rounds(tables) == [3, 3, 3])
    await network.until(lambda: [own_seats(table) for table in tables] == [(0,), (1,), (2,)])
    leave(*tables)


@simulated
async def test_a_seat_played_by_a_bot_is_its_owners_again_in_the_next_game() -> None:
    network, devices, tables = await three_tables()
    await play_until(network, tables)
    devices[1].crash()
    await asyncio.sleep(60)
    for round_ in (2, 3):
        await lay_out_again(devices, tables)
        await network.until(lambda round_=round_: rounds([tables[0], tables[2]]) == [round_, round_])
        await play_until(network, [tables[0], tables[2]])
    tables[1] = devices[1].visit(tables[0].invite.fragment)
    await network.until(lambda: tables[1].game is not None and rounds(tables) == [3, 3, 3])
    await lay_out_again(devices, tables)
    await network.until(lambda: rounds(tables) == [4, 4, 4])
    await network.until(lambda: [own_seats(table) for table in tables] == [(0,), (1,), (2,)])
    leave(*tables)


@simulated
async def test_a_game_with_a_leader_is_finished_before_the_next() -> None:
    """Even the opener cannot end a running game for the others."""
    network, devices, tables = await three_tables()
    await play_until(network, tables, 3)
    tables[0].next_game.may_begin = lambda *given: True  # type: ignore[method-assign]
    await publish_second_game(devices[0], tables[0])
    await asyncio.sleep(30)
    assert rounds(tables) == [2, 1, 1]
    assert {table.news().leader for table in tables[1:]} == {"me", "direct"}
    leave(*tables)


async def tables_whose_next_game_waits() -> tuple[Network, list[Table]]:
    """Finishes a game of three, and asks for the next one after the second device is gone: it waits for that device."""
    network, devices, tables = await three_tables()
    await play_until(network, tables)
    devices[1].crash()
    await until_gone(network, tables[:1], tables[1])
    with pytest.raises(Refused, match=r"net\.coming"):
        await lay_out_again(devices, tables)
    return network, tables


@simulated
async def test_no_next_game_is_laid_out_while_a_result_is_taken_back() -> None:
    """Regression: the opener laid it out for itself alone, and the others never got it."""
    network, tables = await tables_whose_next_game_waits()
    rest = [tables[0], tables[2]]
    with patch.object(RunningGame, "over", new=False):
        await asyncio.sleep(60)
        assert tables[0].next_game.pending is None
    await network.until(lambda: rounds(rest) == [2, 2])
    leave(*rest)


@simulated
async def test_a_pending_game_of_the_opener_is_sent_to_all_devices_when_it_begins() -> None:
    """Regression: it began on the opener's device only, until the others connected again."""
    network, devices, tables = await three_tables()
    await play_until(network, tables)
    with patch.object(RunningGame, "over", new=False):  # the result is taken back while the next game is signed
        await publish_second_game(devices[0], tables[0])
        await asyncio.sleep(2)
        assert rounds(tables) == [1, 1, 1]
    await network.until(lambda: rounds(tables) == [2, 2, 2])
    await play_until(network, tables)
    leave(*tables)


@simulated
async def test_a_seat_that_moves_while_the_next_game_waits_is_its_new_devices() -> None:
    """Regression: the next game was laid out with the seats as they were when it was asked for."""
    network, tables = await tables_whose_next_game_waits()
    phone = SimDevice(network).visit(await tables[2].tokens.give_away())
    await network.until(lambda: own_seats(phone) == (2,))
    await network.until(lambda: rounds([tables[0], phone]) == [2, 2])
    await network.until(lambda: own_seats(phone) == (2,))
    assert own_seats(tables[2]) == ()
    leave(tables[0], tables[2], phone)


@simulated
async def test_a_seat_taken_back_from_a_bot_can_move_to_another_device() -> None:
    network, devices, tables = await three_tables()
    await play_until(network, tables)
    devices[1].crash()
    await asyncio.sleep(60)
    await lay_out_again(devices, tables)
    await network.until(lambda: rounds([tables[0], tables[2]]) == [2, 2])
    tables[1] = devices[1].visit(tables[0].invite.fragment)
    await network.until(lambda: own_seats(tables[1]) == (1,))
    device = SimDevice(network)
    phone = device.visit(await tables[1].tokens.give_away())
    await network.until(lambda: own_seats(phone) == (1,))
    await play_until(network, [tables[0], phone, tables[2]])
    await lay_out_again(devices, tables)
    await network.until(lambda: rounds([*tables, phone]) == [3] * 4)
    await network.until(lambda: [own_seats(table) for table in (tables[0], phone, tables[2])] == [(0,), (1,), (2,)])
    await asyncio.sleep(5)
    assert not any(isinstance(event, Refusal) for event in device.events)
    assert not any(isinstance(tell, OwnRefused) for tell in device.tells), "the link has done its work"
    leave(*tables, phone)


@simulated
async def test_the_opener_knows_the_moved_seats_after_a_reload() -> None:
    network, devices, tables = await three_tables()
    device = SimDevice(network)
    phone = device.visit(await tables[1].tokens.give_away())
    await network.until(lambda: own_seats(phone) == (1,))
    await play_until(network, [tables[0], phone, tables[2]])
    tables[1].leave()
    await lay_out_again(devices, tables)
    await network.until(lambda: own_seats(phone) == (1,) and rounds([tables[0], phone, tables[2]]) == [2] * 3)
    await play_until(network, [tables[0], phone, tables[2]])
    device.crash()
    await asyncio.sleep(40)
    await lay_out_again(devices, tables)
    await network.until(lambda: rounds([tables[0], tables[2]]) == [3, 3])
    await play_until(network, [tables[0], tables[2]])
    devices[0].crash()
    tables[0] = devices[0].visit(tables[2].invite.fragment)
    phone = device.visit(tables[2].invite.fragment)
    await network.until(lambda: own_seats(phone) == (1,) and isinstance(tables[0].phase, Over))
    await lay_out_again(devices, tables)
    await network.until(lambda: rounds([tables[0], phone, tables[2]]) == [4] * 3)
    await network.until(lambda: [own_seats(one) for one in (tables[0], phone, tables[2])] == [(0,), (1,), (2,)])
    leave(*tables, phone)
