"""A page waits to be let in while none or too few devices can do it: it shows what is missing and what to do."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import patch

import pytest

from peer.order.raft import NEWCOMER
from peer.table.admission import SILENT
from peer.table.running import RunningGame
from tests.peer.simulation.in_memory import Street, evening
from tests.peer.simulation.page import Page, T
from tests.peer.table.test_page import entries, guests, leave, opened, played, table

ONE = "too few of its devices are: one more must be open before this one is let in."
SEAT = "The device the seat comes from counts too"
STATUS = "The seat comes here as soon as one more device of the table is here"


def follows(street: Street, fragment: str) -> Page:
    """Follows a link on another device."""
    page = Page(street)
    page.send("visited", value=fragment)
    return page


def comes_back(street: Street, old: Page) -> Page:
    page = Page(street)
    page.headers, page.disk = old.headers, old.disk
    page.send("visited", value=old.table.invite.fragment)
    return page


@evening
async def test_a_seat_link_did_not_say_that_too_few_devices_were_awake_to_let_it_in() -> None:
    street = Street()
    laptop, other = await table(street, "p,p,b1", 1, "thieves")  # the laptop deals: the other cannot go on alone
    await played(street, [laptop, other], 6)
    fragment = await laptop.table.tokens.give_away()
    laptop.crash()
    await street.until(lambda: other.table.news().host == "")
    phone = follows(street, fragment)
    await street.until(lambda: phone.model.room is not None and ONE in phone.text)
    assert SEAT in phone.text
    assert T("room.coming.text") not in phone.text
    await asyncio.sleep(30)
    assert ONE in phone.text
    laptop = comes_back(street, laptop)
    await street.until(lambda: phone.model.play is not None and phone.table.game.mine == (0, 2))
    await played(street, [other, phone], 12)
    leave([other, laptop, phone])


@evening
async def test_of_four_devices_it_is_said_how_many_more_must_be_open() -> None:
    street = Street()
    pages = await table(street, "p,p,p,p", 3)
    await played(street, pages, 4)
    fragment = await pages[1].table.tokens.give_away()
    for page in pages[1:]:
        page.sleeps()
    phone = follows(street, fragment)
    await street.until(lambda: phone.model.room is not None and "2 more must be open" in phone.text)
    pages[2].wakes()
    await street.until(lambda: ONE in phone.text)
    pages[3].wakes()
    await street.until(lambda: phone.model.play is not None and phone.table.game.mine == (1,))
    assert entries(phone) >= 4
    for page in pages:
        page.wakes()
    leave([*pages, phone])


@pytest.mark.parametrize("seat", [False, True])
@evening
async def test_a_link_to_a_table_where_nobody_is_awake_said_that_it_was_looking(*, seat: bool) -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 4)
    tokens = pages[1].table.tokens
    fragment = await tokens.give_away() if seat else pages[1].table.invite.fragment
    for page in pages:
        page.sleeps()
    phone = follows(street, fragment)
    await street.until(lambda: phone.model.room is not None and phone.model.room.news.endpoint == "in")
    assert T("room.coming.text") in phone.text, "they may answer in a moment"
    await asyncio.sleep(SILENT / 1000 + 1)
    assert T("room.lacks.nobody") in phone.text
    assert (SEAT in phone.text) == seat
    for page in pages:
        page.wakes()
    await street.until(lambda: phone.model.play is not None)
    leave([*pages, phone])


@evening
async def test_who_waits_for_a_lobby_whose_host_sleeps_is_told() -> None:
    street = Street()
    host = await opened(street, "p,p")
    host.sleeps()
    guest = follows(street, host.model.room.news.fragment)
    await street.until(lambda: guest.model.room is not None and T("room.lacks.nobody") in guest.text)
    host.wakes()
    await street.until(lambda: guest.model.room.news.phase == "lobby")
    assert T("room.lacks.nobody") not in guest.text
    leave([host, guest])


@evening
async def test_who_looks_on_and_follows_a_seat_link_is_told_why_the_seat_does_not_come() -> None:
    street = Street()
    pages = await table(street, "p,p,b1", 1, "thieves")
    await played(street, pages, 4)
    phone = follows(street, pages[1].table.invite.fragment)
    await street.until(lambda: phone.model.play is not None)
    fragment = await pages[0].table.tokens.give_away()
    pages[0].sleeps()
    await street.until(lambda: phone.model.room.news.seated[0].state == "gone")
    phone.table.tokens.claim(tuple(fragment.split(".")[2:]))
    phone.send("dialog", "room")
    await street.until(lambda: STATUS in phone.text)
    assert "Too few devices of the table are here: one more must be open" in phone.text
    assert SEAT in phone.text
    pages[0].wakes()
    await street.until(lambda: phone.table.game is not None and phone.table.game.mine == (0, 2))
    assert STATUS not in phone.text
    assert "Too few devices" not in phone.text
    leave([*pages, phone])


@evening
async def test_who_comes_to_look_on_when_the_game_has_begun_sees_no_other_page_between() -> None:
    street = Street()
    pages = await guests(street, await opened(street, "p,p"), 1)
    watcher = follows(street, pages[0].model.room.news.fragment)
    await street.until(lambda: watcher.model.room is not None and watcher.model.room.news.phase == "lobby")
    await asyncio.sleep(2 * SILENT / 1000)
    told: list[str] = []

    def tell(what: str, data: Any = None) -> None:
        if what == "news":
            told.append(data.phase)
        Page.tell(watcher, what, data)

    watcher.tell = tell  # type: ignore[method-assign]
    pages[0].send("room.begin")
    await street.until(lambda: watcher.model.play is not None)
    assert "joining" not in told
    leave([*pages, watcher])


@evening
async def test_who_comes_in_mid_game_sees_where_it_is_and_not_how_it_got_there() -> None:
    """Regression: the empty table was drawn, then half of the game, then the rest, which took most of the time."""
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 30)
    late = Page(street)
    told: list[int] = []

    def tell(what: str, data: Any = None) -> None:
        Page.tell(late, what, data)
        if what in ("begun", "came"):
            told.append(entries(late))

    late.tell = tell  # type: ignore[method-assign]
    late.send("visited", value=pages[0].model.room.news.fragment)
    await street.until(lambda: late.model.play is not None)
    assert told == [entries(pages[0])]
    leave([*pages, late])


@evening
async def test_where_the_rest_of_a_game_does_not_come_what_is_known_is_shown_all_the_same() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 10)
    receive = RunningGame.receive
    with patch.object(RunningGame, "receive", lambda game, *said: game.number == NEWCOMER or receive(game, *said)):
        late = follows(street, pages[0].model.room.news.fragment)
        await street.until(lambda: late.model.room is not None and late.table.game is not None)
        assert late.model.play is None
        assert late.model.room.news.phase == "joining"
        await street.until(lambda: late.model.play is not None, 3)
        assert late.model.room.news.phase == "playing"
        assert entries(late) == 0
    await street.until(lambda: entries(late) == entries(pages[0]))
    leave([*pages, late])
