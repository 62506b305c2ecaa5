"""A page that goes from one table to another, or comes to one late; and clicks that come faster than the page works."""

from __future__ import annotations

import asyncio
from typing import Any

from engine.core import SPECTATOR
from engine.seats import EMBLEMS
from peer.table.news import Came
from tests.peer.simulation.in_memory import Street, evening
from tests.peer.simulation.page import Page, T
from tests.peer.table.test_page import guests, leave, opened, played, table
from ui.boards import OPEN, Chair
from ui.model import Header
from ui.saves import saved_game


@evening
async def test_two_clicks_on_begin_lay_out_one_game() -> None:
    """Regression: the opener played one game, and all others another one."""
    street = Street()
    pages = await guests(street, await opened(street, "p,p,p", "razzia"), 2)
    host = pages[0]
    sign, keep = host.sign, host.keep

    async def signed(*given: Any) -> str:
        await asyncio.sleep(0.02)
        return await sign(*given)

    async def kept_(*given: Any) -> None:
        await asyncio.sleep(0.05)
        await keep(*given)

    host.sign, host.keep = signed, kept_  # type: ignore[method-assign]
    for _ in range(3):
        host.send("room.begin")
        await asyncio.sleep(0.01)
    await played(street, pages, 8)
    assert len({page.table.header.setup for page in pages}) == 1
    leave(pages)


@evening
async def test_who_takes_up_a_game_of_this_device_stands_up_from_the_table_by_link() -> None:
    """Regression: the table by link stayed open, and its people and chat were shown in the local game."""
    street = Street()
    pages = await table(street, "p,p,p", 2)
    guest = pages[1]
    chairs = tuple(Chair(f"Seat {seat}", EMBLEMS[seat], plays) for seat, plays in enumerate(("p", "b1")))
    header = Header("0123456789ab", "razzia", OPEN["razzia"].VERSION, {}, chairs, "s", 0, 0)
    guest.send("opened", data=(header, saved_game.begin(header), 0, []))
    assert guest.model.room is None
    assert guest.model.play is not None
    await street.until(lambda: pages[0].model.room.news.seated[1].state == "gone")
    assert guest.table.closed
    leave([pages[0], pages[2]])


@evening
async def test_who_follows_a_link_to_another_table_sees_that_one() -> None:
    """Regression: the board of the former game stayed on the page, and no seat could be taken."""
    street = Street()
    pages = await table(street, "p,p", 1)
    other = await opened(street, "p,p,p", "razzia")
    guest = pages[1]
    await street.until(lambda: guest.model.play is not None)
    guest.table.leave()  # as `rooms.py` does it
    guest.headers.clear()
    guest.disk.clear()
    guest.send("visited", value=other.model.room.news.fragment)
    await street.until(lambda: guest.model.room.news.fragment == other.model.room.news.fragment)
    await street.until(lambda: guest.model.room.news.phase == "lobby")
    assert guest.model.play is None
    assert T("room.free") in guest.text
    leave([pages[0], other, guest])


@evening
async def test_who_comes_late_does_not_rest_between_two_parts_of_what_it_has_missed() -> None:
    """Regression: the second part was shown a second after it had arrived."""
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 20)
    assert pages[0].model.play is not None
    missed = pages[0].model.play.session.log[:20]
    late = Page(street)
    late.send("visited", value=pages[0].model.room.news.fragment)
    await street.until(lambda: late.model.play is not None)
    play = late.model.play
    assert play is not None
    play.session.rewind(0)
    for part in (missed[:8], missed[8:]):
        play.waiting, play.rest = True, 120  # it rests
        late.send("room.came", data=Came({SPECTATOR: part}))
    assert play.session.log == missed
    leave([*pages, late])
