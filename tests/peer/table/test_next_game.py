"""The next game at the same table, while some devices are away."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engine.core import Refused
from engine.razzia.box import CARDS
from peer.table.table import Table
from tests.peer.simulation.in_memory import Home, Street, evening
from tests.peer.table.test_tables import begun, leave, lobby, played, seated, seen

#: a deck that is soon played
FEW = {card.name: 0 for card in CARDS} | {"ring": 1, "coin": 1, "car": 1, "police": 1}


async def three(plays: str = "p,p,p") -> tuple[Street, list[Home], list[Table]]:
    street = Street()
    homes = [Home(street) for who in plays.split(",") if who == "p"]
    tables = await seated(street, homes, replace(lobby(plays), options={"deck": FEW}))
    await begun(street, tables)
    return street, homes, tables


def rounds(tables: list[Table]) -> list[int]:
    return [table.setup.round if table.setup else 0 for table in tables]


def mine(table: Table) -> tuple[int, ...]:
    return table.game.mine if table.game is not None else ()


async def again(homes: list[Home], tables: list[Table]) -> None:
    await homes[0].context.run(asyncio.ensure_future, tables[0].next_game.again())


@pytest.mark.parametrize("plays", ["p,p,p", "p,p,b1"])
@evening
async def test_who_loads_the_page_again_at_the_result_is_waited_for_and_keeps_the_seat(plays: str) -> None:
    street, homes, tables = await three(plays)
    await played(street, tables)
    tables[1].leave()
    await street.until(lambda: seen(tables[:1], tables[1]) == {"gone"})
    with pytest.raises(Refused) as refused:
        await again(homes, tables)
    assert (refused.value.reason, refused.value.values) == ("net.coming", {"who": "Guest 1"})
    await asyncio.sleep(1.5)
    assert rounds([tables[0]]) == [1]
    tables[1] = homes[1].visits(tables[0].invite.fragment)
    await street.until(lambda: {*rounds(tables)} == {2})
    await street.until(lambda: all(seat in mine(table) for seat, table in enumerate(tables)))
    await played(street, tables)
    leave(*tables)


@evening
async def test_who_slept_when_the_last_card_fell_finds_the_next_game() -> None:
    """The old game has no leader any more: entries that are missing never arrive."""
    street, homes, tables = await three()
    await played(street, tables, 3)
    homes[2].sleeps()
    rest = tables[:2]
    await street.until(lambda: seen(rest, tables[2]) == {"gone"})
    for table in rest:
        assert table.game is not None
        table.game.give_seat(2, "bot")
    await street.until(lambda: all(table.news().seated[2].kind == "bot" for table in rest))
    await played(street, rest)
    await asyncio.sleep(40)
    await again(homes, tables)
    await street.until(lambda: rounds(rest) == [2, 2])
    assert rest[0].news().seated[2].kind == "bot"
    homes[2].wakes()
    await street.until(lambda: rounds(tables) == [2, 2, 2])
    await street.until(lambda: mine(tables[2]) == (2,))
    await street.until(lambda: all(table.news().seated[2].kind == "person" for table in tables))
    await played(street, tables)
    await again(homes, tables)
    await street.until(lambda: rounds(tables) == [3, 3, 3])
    await street.until(lambda: [mine(table) for table in tables] == [(0,), (1,), (2,)])
    leave(*tables)


@evening
async def test_a_seat_that_a_bot_had_for_a_game_is_its_owners_in_the_next() -> None:
    street, homes, tables = await three()
    await played(street, tables)
    homes[1].crash()
    await asyncio.sleep(60)
    for round_ in (2, 3):
        await again(homes, tables)
        await street.until(lambda round_=round_: rounds([tables[0], tables[2]]) == [round_, round_])
        await played(street, [tables[0], tables[2]])
    tables[1] = homes[1].visits(tables[0].invite.fragment)
    await street.until(lambda: tables[1].game is not None and rounds(tables) == [3, 3, 3])
    await again(homes, tables)
    await street.until(lambda: rounds(tables) == [4, 4, 4])
    await street.until(lambda: [mine(table) for table in tables] == [(0,), (1,), (2,)])
    leave(*tables)


@evening
async def test_a_game_that_is_still_served_is_played_to_its_end_before_the_next() -> None:
    """Even the opener cannot end a running game for the others."""
    street, homes, tables = await three()
    await played(street, tables, 3)
    first = tables[0]
    assert first.lobby is not None
    signers = {line.seal_key: line.verify_key for line in first.channels.by_key.values()} | {
        first.keys.seal_key: first.keys.verify_key
    }
    first.next_game.over = lambda: True  # type: ignore[method-assign]
    await homes[0].context.run(asyncio.ensure_future, first.next_game.lay_out(first.lobby, signers, 2))
    await asyncio.sleep(30)
    assert rounds(tables) == [2, 1, 1]
    assert {table.news().host for table in tables[1:]} == {"me", "direct"}
    leave(*tables)


@evening
async def test_who_took_the_seat_back_from_the_bot_can_bring_it_to_another_device() -> None:
    street, homes, tables = await three()
    await played(street, tables)
    homes[1].crash()
    await asyncio.sleep(60)
    await again(homes, tables)
    await street.until(lambda: rounds([tables[0], tables[2]]) == [2, 2])
    tables[1] = homes[1].visits(tables[0].invite.fragment)
    await street.until(lambda: mine(tables[1]) == (1,))
    home = Home(street)
    phone = home.visits(await tables[1].tokens.give_away())
    await street.until(lambda: mine(phone) == (1,))
    await played(street, [tables[0], phone, tables[2]])
    await again(homes, tables)
    await street.until(lambda: rounds([*tables, phone]) == [3] * 4)
    await street.until(lambda: [mine(table) for table in (tables[0], phone, tables[2])] == [(0,), (1,), (2,)])
    await asyncio.sleep(5)
    assert "refused" not in [getattr(data, "what", what) for what, data in home.told], "the link has done its work"
    leave(*tables, phone)


@evening
async def test_who_opened_the_table_knows_after_a_reload_whose_the_seats_are_by_now() -> None:
    street, homes, tables = await three()
    home = Home(street)
    phone = home.visits(await tables[1].tokens.give_away())
    await street.until(lambda: mine(phone) == (1,))
    await played(street, [tables[0], phone, tables[2]])
    tables[1].leave()
    await again(homes, tables)
    await street.until(lambda: mine(phone) == (1,) and rounds([tables[0], phone, tables[2]]) == [2] * 3)
    await played(street, [tables[0], phone, tables[2]])
    home.crash()
    await asyncio.sleep(40)
    await again(homes, tables)
    await street.until(lambda: rounds([tables[0], tables[2]]) == [3, 3])
    await played(street, [tables[0], tables[2]])
    homes[0].crash()
    tables[0] = homes[0].visits(tables[2].invite.fragment)
    phone = home.visits(tables[2].invite.fragment)
    await street.until(lambda: mine(phone) == (1,) and tables[0].next_game.over())
    await again(homes, tables)
    await street.until(lambda: rounds([tables[0], phone, tables[2]]) == [4] * 3)
    await street.until(lambda: [mine(one) for one in (tables[0], phone, tables[2])] == [(0,), (1,), (2,)])
    leave(*tables, phone)
