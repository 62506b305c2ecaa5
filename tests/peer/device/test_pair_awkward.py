"""A table of two devices: cases that could split it into two tables, or leave it stuck."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core import Refused
from peer.channels import invite
from peer.crypto.keys import Keys
from peer.device.device import Device
from peer.device.driver import NotStored
from peer.game.types import permit_of
from peer.table.table import Table
from peer.wire import bodies
from tests.peer.simulation.in_memory import TAKE_OVER, SimDevice, simulated
from tests.peer.table.test_next_game import lay_out_again, rounds, three_tables
from tests.peer.table.test_rejoin import own_seats
from tests.peer.table.test_tables import leave, play_until, running_game


def disconnect(tables: list[Table]) -> None:
    """Cuts the connection between two tables in both directions."""
    for table, other in (tables, tables[::-1]):
        send = table.send_frame

        def filtered_send(lock: str, data: bytes, other: Table = other, send: Any = send) -> None:
            if lock != other.keys.seal_key:
                send(lock, data)

        table.send_frame = filtered_send  # type: ignore[method-assign]


def pass_permits(link: str, to: Table) -> None:
    """Passes a table the permits of a rejoin link, as a newcomer with that link does."""
    to.tokens.go_on_alone([permit_of(token) for token in tokens_of(link)])


def tokens_of(link: str) -> tuple[str, ...]:
    return invite.read(link.removeprefix("r=")).tokens


def gone_alone(tables: list[Table]) -> list[bool]:
    return [table.game.device.state.went_alone for table in tables if table.game is not None]


@pytest.mark.parametrize("reloaded", [False, True])
@simulated
async def test_giving_up_going_on_alone_lasts_as_long_as_the_table(*, reloaded: bool) -> None:
    """The rejoin tokens stay the same in the next game."""
    street, homes, tables = await three_tables("p,p")
    link = await tables[1].tokens.give_away()
    await play_until(street, tables)
    await lay_out_again(homes, tables)
    await street.until(lambda: rounds(tables) == [2, 2])
    await play_until(street, tables, 3)
    if reloaded:
        homes[1].crash()
        tables[1] = homes[1].visit(tables[0].invite.fragment)
        await play_until(street, tables, 5)
    other = await tables[0].tokens.give_away()
    disconnect(tables)
    await asyncio.sleep(4)
    pass_permits(link, tables[0])
    pass_permits(other, tables[1])
    await asyncio.sleep(5)
    assert gone_alone(tables) == [True, False]
    leave(*tables)


@simulated
async def test_no_rejoin_link_is_shown_by_a_device_about_to_go_on_alone() -> None:
    """Once, this was checked too early, and a link could be shown while the browser signed `alone`."""
    _, homes, tables = await running_game("p,p", entries=6)
    link = await tables[0].tokens.give_away()
    disconnect(tables)
    await asyncio.sleep(4)
    table, sign = tables[1], homes[1].sign
    assert table.game is not None
    device = table.game.device
    refusals: list[str] = []

    async def slowly(keys: Keys, data: bytes) -> str:
        if b'"alone"' in data:
            with pytest.raises(Refused) as refused:
                await table.tokens.give_away()
            refusals.append(refused.value.reason)
        return await sign(keys, data)

    homes[1].sign = slowly  # type: ignore[method-assign]
    pass_permits(link, table)
    await asyncio.sleep(5)
    assert refusals == ["net.wait"]
    assert (device.state.went_alone, device.going_alone.gave_up) == (True, False)
    later = await table.tokens.give_away()
    pass_permits(later, tables[0])
    await asyncio.sleep(5)
    assert gone_alone(tables) == [False, True]
    leave(*tables)


@simulated
async def test_no_rejoin_link_is_shown_if_giving_up_cannot_be_stored() -> None:
    """The table was taken over by another window."""
    _, homes, tables = await running_game("p,p", entries=6)
    homes[1].disk[len(homes[1].disk)] = TAKE_OVER
    with pytest.raises(Refused):
        await tables[1].tokens.give_away()
    assert '["promise"]' not in homes[1].disk.values()
    leave(tables[0])


@simulated
async def test_a_device_that_could_not_store_a_record_sends_nothing_more() -> None:
    _, homes, tables = await running_game("p,p", entries=6)
    home, keep = homes[1], homes[1].keep

    async def once(code: str, header: str, first: int, records: list[str]) -> None:
        if '["promise"]' in records:
            raise NotStored("quota")
        await keep(code, header, first, records)

    home.keep = once  # type: ignore[method-assign]
    assert tables[1].game is not None
    assert tables[0].game is not None
    tables[1].game.agree()
    await asyncio.sleep(3)
    assert tables[1].game.device.stopped == "net.store"
    assert tables[0].game.device.state.agreed == set()
    home.keep = keep  # type: ignore[method-assign]
    home.crash()
    again = home.visit(tables[0].invite.fragment)
    await asyncio.sleep(3)
    assert tables[0].game.device.state.agreed == set()
    leave(tables[0], again)


@simulated
async def test_a_spectator_with_the_rejoin_link_replaces_a_lost_device() -> None:
    street, homes, tables = await running_game("p,p", entries=6)
    link = await tables[1].tokens.give_away()
    phone = SimDevice(street).visit(link.rpartition(".")[0])
    await street.until(lambda: phone.game is not None and phone.game.device.ready)
    homes[1].crash()
    await street.until(lambda: tables[0].news().leader == "")
    phone.tokens.claim(tokens_of(link))
    await street.until(lambda: own_seats(phone) == (1,))
    leave(tables[0], phone)


@simulated
async def test_a_device_lost_while_its_seat_moves_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    street, homes, tables = await running_game("p,p", entries=6)
    author = Device.author

    def crashing(device: Device, body: bodies.Body) -> None:
        if isinstance(body, bodies.Vow):
            homes[1].crash()
        author(device, body)

    monkeypatch.setattr(Device, "author", crashing)
    phone = SimDevice(street).visit(await tables[1].tokens.give_away())
    await street.until(lambda: own_seats(phone) == (1,))
    await play_until(street, [tables[0], phone], 12)
    leave(tables[0], phone)


@pytest.mark.parametrize("game", ["razzia", "thieves"])
@simulated
async def test_a_device_that_plays_alone_can_move_to_a_phone(game: str) -> None:
    """Once, the vote change waited for the absent device, and the coin waited for the phone's vote."""
    street, homes, tables = await running_game("p,p,b1", game, entries=6)
    assert tables[1].game is not None
    tables[1].game.agree()
    await street.until(lambda: tables[0].news().bot_allowed)
    homes[1].crash()
    await street.until(lambda: tables[0].news().leader == "")
    assert tables[0].tokens.let_bot_play(1)
    await street.until(lambda: tables[0].news().seated[1].kind == "bot")
    phone = SimDevice(street).visit(await tables[0].tokens.give_away())
    await street.until(lambda: own_seats(phone) == (0, 1, 2))
    await street.until(lambda: tables[0].news().seats_moved == "done")
    assert phone.game is not None
    await play_until(street, [phone], len(phone.game.device.state.public.entries) + 6)
    back = homes[1].visit(phone.invite.fragment)
    await street.until(lambda: phone.game is not None and phone.game.device.state.voters == (1, 2))
    homes[0].crash()
    assert back.game is not None
    back.game.give_seat(1, "person")
    await street.until(lambda: own_seats(back) == (1,))
    await play_until(street, [phone, back], len(phone.game.device.state.public.entries) + 6)
    leave(phone, back)


@simulated
async def test_an_agreement_of_the_other_device_is_of_no_use_to_spectators() -> None:
    street, homes, tables = await running_game("p,p", entries=6)
    assert tables[1].game is not None
    tables[1].game.agree()
    await street.until(lambda: tables[0].news().bot_allowed)
    homes[1].crash()
    onlooker = SimDevice(street).visit(tables[0].invite.fragment)
    await asyncio.sleep(20)
    assert gone_alone(tables[:1]) == [False]
    leave(tables[0], onlooker)
