"""Wishes for a bot on another person's seat, and refusals: what the person who asked sees of them."""

from __future__ import annotations

import asyncio

import pytest

from peer.device.device import STRIKES
from peer.order.outputs import Tell
from peer.table.table import Table
from tests.peer.simulation.in_memory import Street, evening
from tests.peer.simulation.page import Page, T
from tests.peer.table.test_page import controls, entries, played, table
from tests.peer.table.test_page import leave as leave_pages
from tests.peer.table.test_tables import leave, seen, under_way


def wishes(tables: list[Table]) -> set[int]:
    """Returns the numbers of wishes for a bot on the last seat, as these tables know them."""
    return {(table.news().wishes or {}).get(3, 0) for table in tables}


def wish(table: Table, kind: str = "bot") -> None:
    assert table.game is not None
    table.game.give_seat(3, kind)


@evening
async def test_a_wish_for_a_bot_can_be_taken_back() -> None:
    street, _, tables = await under_way("p,p,p,p", entries=4)
    gone, rest = tables[3], tables[:3]
    gone.leave()
    await street.until(lambda: seen(rest, gone) == {"gone"})
    await street.until(lambda: all(one.news().host in ("me", "direct") for one in rest))
    wish(rest[0], "stays")  # nothing was wished
    for one in rest[:2]:
        wish(one)
    await street.until(lambda: wishes(rest) == {2})
    assert [one.news().wished for one in rest] == [(3,), (3,), ()]
    wish(rest[0], "stays")
    await street.until(lambda: wishes(rest) == {1})
    wish(rest[2])
    await street.until(lambda: wishes(rest) == {2})
    assert {one.news().seated[3].kind for one in rest} == {"person"}
    wish(rest[0])
    await street.until(lambda: {one.news().seated[3].kind for one in rest} == {"bot"})
    assert wishes(rest) == {0}
    leave(*rest)


@evening
async def test_a_wish_for_a_bot_ends_when_the_absent_person_is_heard_again() -> None:
    """Regression: an old wish and one new one took the seat of a person who was only away for some seconds."""
    street, homes, tables = await under_way("p,p,p,p", entries=4)
    phone, rest = tables[3], tables[:3]
    homes[3].sleeps()
    await street.until(lambda: seen(rest, phone) == {"gone"})
    await street.until(lambda: all(one.news().host in ("me", "direct") for one in rest))
    for one in rest[:2]:
        wish(one)
    await street.until(lambda: wishes(rest) == {2})
    homes[3].wakes()
    await street.until(lambda: wishes(tables) == {0})
    homes[3].sleeps()
    await street.until(lambda: seen(rest, phone) == {"gone"})
    await street.until(lambda: all(one.news().host in ("me", "direct") for one in rest))
    wish(rest[2])
    await street.until(lambda: wishes(rest) == {1})
    await asyncio.sleep(10)
    assert {one.news().seated[3].kind for one in rest} == {"person"}
    homes[3].wakes()
    await street.until(lambda: wishes(tables) == {0})
    leave(*tables)


@evening
async def test_the_page_shows_a_wish_and_takes_it_back() -> None:
    street = Street()
    pages = await table(street, "p,p,p,p", 3)
    await played(street, pages, 4)
    pages[3].table.leave()
    host = pages[0]
    await street.until(lambda: all(page.model.room.news.seated[3].state == "gone" for page in pages[:3]))
    await street.until(lambda: all(page.model.room.news.host in ("me", "direct") for page in pages[:3]))
    host.send("dialog", "room")
    assert T("room.give.agree") in host.text
    host.send("room.give", "3:bot")
    await street.until(lambda: T("room.give.stays") in host.text)
    assert T("room.wishes", n=1, of=3) in host.text
    assert T("room.give.agree") not in host.text
    host.send("room.give", "3:stays")
    await street.until(lambda: T("room.give.agree") in host.text)
    assert T("room.give.stays") not in host.text
    assert "data-do=room.give" in controls(host)
    leave_pages(pages[:3])


@pytest.mark.parametrize("what", ["net.hand", "net.not_taken"])
@evening
async def test_what_the_device_cannot_do_reaches_the_person(what: str) -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    pages[1].send("room.told", data=Tell(what, {"seat": 1, "counter": 7, "why": "net.too_many_refused"}))
    notice = pages[1].model.notice
    assert notice is not None
    assert notice.key == f"refused.{what}"
    assert notice.stays
    assert notice.key not in pages[1].text
    leave_pages(pages)


@evening
async def test_a_warning_stays_until_it_is_put_away() -> None:
    """Regression: the warning vanished with the next move, or when the person it warned of sent a greeting."""
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 4)
    warned = pages[1]
    warned.send("room.told", data=Tell("net.two_stories", {"device": 0}))
    warning = warned.model.notice
    pages[0].send("room.sign", "hello")
    await street.until(lambda: warned.model.room.words)
    await played(street, pages, entries(warned) + 4)
    warned.send("room.sign", "bye")
    assert warned.model.notice is warning is not None
    warned.send("notice.close")
    assert warned.model.notice is None
    leave_pages(pages)


@evening
async def test_a_device_whose_word_the_host_does_not_take_is_told_once() -> None:
    _, homes, tables = await under_way("p,p,p", entries=4)
    host = next(one for one in tables if one.news().host == "me")
    guest = next(one for one in tables if one is not host)
    assert host.game is not None
    assert guest.game is not None
    host.game.device.state.strikes[guest.game.number] = STRIKES
    guest.game.give_seat(tables.index(guest), "bot")
    await asyncio.sleep(10)
    told = [data.what for what, data in homes[tables.index(guest)].told if what == "told"]
    assert told.count("net.not_taken") == 1
    leave(*tables)


@evening
async def test_a_wish_for_a_seat_that_is_refused_is_told_to_who_made_it() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 4)
    pages[1].send("room.give", "0:bot")  # of two voters one cannot outvote the other
    await street.until(lambda: pages[1].model.notice is not None)
    assert pages[1].model.notice is not None
    assert pages[1].model.notice.key == "refused.net.not_your_seat"
    assert pages[0].model.notice is None
    leave_pages(pages)


@evening
async def test_a_refused_wish_does_not_let_anybody_answer_twice() -> None:
    """A refused "seat" entry must not clear the pending answer, which is still on its way."""
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 4)
    answered: list[Page] = []

    def answers() -> bool:
        answered.extend(page for page in pages if page.answer())
        return bool(answered)

    await street.until(answers)
    page = answered[0]
    assert page.model.play is not None
    pending = page.model.play.pending
    assert pending is not None
    page.send("room.told", data=Tell("refused", {"device": 0, "kind": "seat", "why": "net.stale", "values": {}}))
    assert page.model.play.pending == pending
    page.send("room.told", data=Tell("refused", {"device": 0, "kind": "do", "why": "net.stale", "values": {}}))
    assert page.model.play.pending is None
    leave_pages(pages)


@evening
async def test_a_reason_without_a_text_is_told_in_a_sentence() -> None:
    street = Street()
    page = Page(street)
    page.send("room.open")
    await street.until(lambda: page.model.room is not None)
    line = Tell("refused", {"device": 0, "kind": "do", "why": "net.word", "values": {}})
    page.send("room.told", data=line)
    assert page.model.notice is not None
    assert page.model.notice.key == "refused.net.other"
    assert "(net.word)" in page.text
    leave_pages([page])
