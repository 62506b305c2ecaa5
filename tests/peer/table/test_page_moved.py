"""A page that goes from one table to another, or comes to one late; and clicks that come faster than the page works."""

from __future__ import annotations

import asyncio
from typing import Any

from engine.core import SPECTATOR
from engine.seats import EMBLEMS
from peer.table.news import NewEntries
from tests.peer.simulation.in_memory import Network, simulated
from tests.peer.simulation.page import TEXTS, Page
from tests.peer.table.test_page import leave, open_table, play_until, seat_guests, start_table
from ui.boards import PLAYABLE, Chair
from ui.model import Header, Rest, Resting
from ui.saves import saved_game


@simulated
async def test_two_clicks_on_begin_lay_out_one_game() -> None:
    """Regression: the opener played one game, and all others another one."""
    network = Network()
    pages = await seat_guests(network, await open_table(network, "p,p,p", "razzia"), 2)
    opener = pages[0]
    sign, keep = opener.sign, opener.keep

    async def signed(*given: Any) -> str:
        await asyncio.sleep(0.02)
        return await sign(*given)

    async def kept_(*given: Any) -> None:
        await asyncio.sleep(0.05)
        await keep(*given)

    opener.sign, opener.keep = signed, kept_  # type: ignore[method-assign]
    for _ in range(3):
        opener.send("room.begin")
        await asyncio.sleep(0.01)
    await play_until(network, pages, 8)
    assert len({page.table.header.setup for page in pages}) == 1
    leave(pages)


@simulated
async def test_opening_a_local_game_leaves_the_table_by_link() -> None:
    """Regression: the table by link stayed open, and its people and chat were shown in the local game."""
    network = Network()
    pages = await start_table(network, "p,p,p", 2)
    guest = pages[1]
    chairs = tuple(Chair(f"Seat {seat}", EMBLEMS[seat], plays) for seat, plays in enumerate(("p", "b1")))
    header = Header("0123456789ab", "razzia", PLAYABLE["razzia"].VERSION, {}, chairs, "s", 0, 0)
    guest.send("opened", data=(header, saved_game.new_session(header), (), []))
    assert guest.model.room is None
    assert guest.model.play is not None
    await network.until(lambda: pages[0].model.room.news.seated[1].state == "gone")
    assert guest.table.closed
    leave([pages[0], pages[2]])


@simulated
async def test_a_link_to_another_table_shows_that_table() -> None:
    """Regression: the board of the former game stayed on the page, and no seat could be taken."""
    network = Network()
    pages = await start_table(network, "p,p", 1)
    other = await open_table(network, "p,p,p", "razzia")
    guest = pages[1]
    await network.until(lambda: guest.model.play is not None)
    guest.table.leave()  # as `rooms.py` does it
    guest.headers.clear()
    guest.disk.clear()
    guest.send("visited", value=other.model.room.news.fragment)
    await network.until(lambda: guest.model.room.news.fragment == other.model.room.news.fragment)
    await network.until(lambda: guest.model.room.news.phase == "lobby")
    assert guest.model.play is None
    assert TEXTS("room.free") in guest.text
    leave([pages[0], other, guest])


@simulated
async def test_missed_entries_are_shown_without_a_pause() -> None:
    """Regression: the second part was shown a second after it had arrived."""
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 20)
    assert pages[0].model.play is not None
    missed = pages[0].model.play.session.log[:20]
    late = Page(network)
    late.send("visited", value=pages[0].model.room.news.fragment)
    await network.until(lambda: late.model.play is not None)
    play = late.model.play
    assert play is not None
    play.session.rewind(0)
    for part in (missed[:8], missed[8:]):
        play.stage = Resting(Rest(120), wait_id=0)
        late.receive_event(NewEntries({SPECTATOR: part}))
    assert play.session.log == missed
    leave([*pages, late])
