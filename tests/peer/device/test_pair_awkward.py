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
from tests.peer.simulation.in_memory import HERE, Home, evening
from tests.peer.table.test_next_game import again, rounds, three
from tests.peer.table.test_rejoin import seats
from tests.peer.table.test_tables import leave, played, under_way


def part(tables: list[Table]) -> None:
    """Cuts the connection between two tables in both directions."""
    for table, other in (tables, tables[::-1]):
        send = table.send_frame

        def heard(lock: str, data: bytes, other: Table = other, send: Any = send) -> None:
            if lock != other.keys.seal_key:
                send(lock, data)

        table.send_frame = heard  # type: ignore[method-assign]


def brings(link: str, to: Table) -> None:
    """Passes a table the permits of a rejoin link, as a newcomer with that link does."""
    to.tokens.go_on([permit_of(token) for token in tokens(link)])


def tokens(link: str) -> tuple[str, ...]:
    return invite.read(link.removeprefix("r=")).tokens


def alone(tables: list[Table]) -> list[bool]:
    return [table.game.device.state.alone for table in tables if table.game is not None]


@pytest.mark.parametrize("reloaded", [False, True])
@evening
async def test_a_promise_lasts_as_long_as_the_table(*, reloaded: bool) -> None:
    """The rejoin tokens stay the same in the next game."""
    street, homes, tables = await three("p,p")
    link = await tables[1].tokens.give_away()
    await played(street, tables)
    await again(homes, tables)
    await street.until(lambda: rounds(tables) == [2, 2])
    await played(street, tables, 3)
    if reloaded:
        homes[1].crash()
        tables[1] = homes[1].visits(tables[0].invite.fragment)
        await played(street, tables, 5)
    other = await tables[0].tokens.give_away()
    part(tables)
    await asyncio.sleep(4)
    brings(link, tables[0])
    brings(other, tables[1])
    await asyncio.sleep(5)
    assert alone(tables) == [True, False]
    leave(*tables)


@evening
async def test_no_link_is_shown_by_who_is_about_to_go_on_alone() -> None:
    """Once, this was checked too early, and a link could be shown while the browser signed `alone`."""
    _, homes, tables = await under_way("p,p", entries=6)
    link = await tables[0].tokens.give_away()
    part(tables)
    await asyncio.sleep(4)
    table, sign = tables[1], homes[1].sign
    assert table.game is not None
    device = table.game.device
    told: list[str] = []

    async def slowly(keys: Keys, data: bytes) -> str:
        if b'"alone"' in data:
            with pytest.raises(Refused) as refused:
                await table.tokens.give_away()
            told.append(refused.value.reason)
        return await sign(keys, data)

    homes[1].sign = slowly  # type: ignore[method-assign]
    brings(link, table)
    await asyncio.sleep(5)
    assert told == ["net.wait"]
    assert (device.state.alone, device.alone.promised) == (True, False)
    later = await table.tokens.give_away()
    brings(later, tables[0])
    await asyncio.sleep(5)
    assert alone(tables) == [False, True]
    leave(*tables)


@evening
async def test_a_promise_that_cannot_be_kept_shows_no_link() -> None:
    """The table was taken over by another window."""
    _, homes, tables = await under_way("p,p", entries=6)
    homes[1].disk[len(homes[1].disk)] = HERE
    with pytest.raises(Refused):
        await tables[1].tokens.give_away()
    assert '["promise"]' not in homes[1].disk.values()
    leave(tables[0])


@evening
async def test_who_could_not_keep_something_says_nothing_more() -> None:
    _, homes, tables = await under_way("p,p", entries=6)
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
    again = home.visits(tables[0].invite.fragment)
    await asyncio.sleep(3)
    assert tables[0].game.device.state.agreed == set()
    leave(tables[0], again)


@evening
async def test_who_looks_on_as_a_device_is_lost_brings_its_seat_back() -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    link = await tables[1].tokens.give_away()
    phone = Home(street).visits(link.rpartition(".")[0])
    await street.until(lambda: phone.game is not None and phone.game.device.ready)
    homes[1].crash()
    await street.until(lambda: tables[0].news().host == "")
    phone.tokens.claim(tokens(link))
    await street.until(lambda: seats(phone) == (1,))
    leave(tables[0], phone)


@evening
async def test_a_device_that_is_lost_in_the_middle_of_a_move_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    author = Device.author

    def crashing(device: Device, kind: str, body: Any) -> None:
        if kind == "vow":
            homes[1].crash()
        author(device, kind, body)

    monkeypatch.setattr(Device, "author", crashing)
    phone = Home(street).visits(await tables[1].tokens.give_away())
    await street.until(lambda: seats(phone) == (1,))
    await played(street, [tables[0], phone], 12)
    leave(tables[0], phone)


@pytest.mark.parametrize("game", ["razzia", "thieves"])
@evening
async def test_who_plays_on_alone_can_go_on_to_a_phone(game: str) -> None:
    """Once, the vote change waited for the absent device, and the coin waited for the phone's vote."""
    street, homes, tables = await under_way("p,p,b1", game, entries=6)
    assert tables[1].game is not None
    tables[1].game.agree()
    await street.until(lambda: tables[0].news().let)
    homes[1].crash()
    await street.until(lambda: tables[0].news().host == "")
    assert tables[0].tokens.instead(1)
    await street.until(lambda: tables[0].news().seated[1].kind == "bot")
    phone = Home(street).visits(await tables[0].tokens.give_away())
    await street.until(lambda: seats(phone) == (0, 1, 2))
    await street.until(lambda: tables[0].news().left == "done")
    assert phone.game is not None
    await played(street, [phone], len(phone.game.device.state.play.played) + 6)
    back = homes[1].visits(phone.invite.fragment)
    await street.until(lambda: phone.game is not None and phone.game.device.state.voters == (1, 2))
    homes[0].crash()
    assert back.game is not None
    back.game.give_seat(1, "person")
    await street.until(lambda: seats(back) == (1,))
    await played(street, [phone, back], len(phone.game.device.state.play.played) + 6)
    leave(phone, back)


@evening
async def test_what_the_other_agreed_to_is_not_for_others_to_use() -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    assert tables[1].game is not None
    tables[1].game.agree()
    await street.until(lambda: tables[0].news().let)
    homes[1].crash()
    onlooker = Home(street).visits(tables[0].invite.fragment)
    await asyncio.sleep(20)
    assert alone(tables[:1]) == [False]
    leave(tables[0], onlooker)
