"""A page waits to be let in while none or too few devices can do it: it shows what is missing and what to do."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

import pytest

from peer.order.raft import NEWCOMER
from peer.table.joining import UNREACHABLE_AFTER
from peer.table.news import Event, GameStarted, NewEntries, News
from peer.table.running import RunningGame
from tests.peer.simulation.in_memory import Network, simulated
from tests.peer.simulation.page import TEXTS, Page
from tests.peer.table.test_page import entry_count, leave, open_table, play_until, seat_guests, start_table

ONE_MORE = "too few of its devices are: one more must be open before this one is let in."
SEAT_HINT = "The device the seat comes from counts too"
SEAT_STATUS = "The seat comes here as soon as one more device of the table is here"


def follow_link(network: Network, fragment: str) -> Page:
    """Follows a link on another device."""
    page = Page(network)
    page.send("visited", value=fragment)
    return page


def reload(network: Network, old: Page) -> Page:
    page = Page(network)
    page.headers, page.disk = old.headers, old.disk
    page.send("visited", value=old.table.invite.fragment)
    return page


@simulated
async def test_a_rejoin_link_shows_that_too_few_devices_are_here() -> None:
    network = Network()
    laptop, other = await start_table(network, "p,p,b1", 1, "thieves")  # the laptop deals: the other cannot go on alone
    await play_until(network, [laptop, other], 6)
    fragment = await laptop.table.tokens.give_away()
    laptop.crash()
    await network.until(lambda: other.table.news().leader == "")
    phone = follow_link(network, fragment)
    await network.until(lambda: phone.model.room is not None and ONE_MORE in phone.text)
    assert SEAT_HINT in phone.text
    assert TEXTS("room.coming.text") not in phone.text
    await asyncio.sleep(30)
    assert ONE_MORE in phone.text
    laptop = reload(network, laptop)
    await network.until(lambda: phone.model.play is not None and phone.table.game.own_seats == (0, 2))
    await play_until(network, [other, phone], 12)
    leave([other, laptop, phone])


@simulated
async def test_the_page_shows_how_many_more_devices_are_needed() -> None:
    network = Network()
    pages = await start_table(network, "p,p,p,p", 3)
    await play_until(network, pages, 4)
    fragment = await pages[1].table.tokens.give_away()
    for page in pages[1:]:
        page.suspend()
    phone = follow_link(network, fragment)
    await network.until(lambda: phone.model.room is not None and "2 more must be open" in phone.text)
    pages[2].resume()
    await network.until(lambda: ONE_MORE in phone.text)
    pages[3].resume()
    await network.until(lambda: phone.model.play is not None and phone.table.game.own_seats == (1,))
    assert entry_count(phone) >= 4
    for page in pages:
        page.resume()
    leave([*pages, phone])


@pytest.mark.parametrize("seat", [False, True])
@simulated
async def test_a_link_shows_that_no_device_of_the_table_can_be_reached(*, seat: bool) -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 4)
    tokens = pages[1].table.tokens
    fragment = await tokens.give_away() if seat else pages[1].table.invite.fragment
    for page in pages:
        page.suspend()
    phone = follow_link(network, fragment)
    await network.until(lambda: phone.model.room is not None and phone.model.room.news.endpoint == "in")
    assert TEXTS("room.coming.text") in phone.text, "they may answer in a moment"
    await asyncio.sleep(UNREACHABLE_AFTER / 1000 + 1)
    assert TEXTS("room.lacks.nobody") in phone.text
    assert (SEAT_HINT in phone.text) == seat
    for page in pages:
        page.resume()
    await network.until(lambda: phone.model.play is not None)
    leave([*pages, phone])


@simulated
async def test_a_guest_sees_that_the_opener_of_the_lobby_is_suspended() -> None:
    network = Network()
    opener = await open_table(network, "p,p")
    opener.suspend()
    guest = follow_link(network, opener.model.room.news.fragment)
    await network.until(lambda: guest.model.room is not None and TEXTS("room.lacks.nobody") in guest.text)
    opener.resume()
    await network.until(lambda: guest.model.room.news.phase == "lobby")
    assert TEXTS("room.lacks.nobody") not in guest.text
    leave([opener, guest])


@simulated
async def test_a_spectator_with_a_rejoin_link_sees_why_the_seat_does_not_come() -> None:
    network = Network()
    pages = await start_table(network, "p,p,b1", 1, "thieves")
    await play_until(network, pages, 4)
    phone = follow_link(network, pages[1].table.invite.fragment)
    await network.until(lambda: phone.model.play is not None)
    fragment = await pages[0].table.tokens.give_away()
    pages[0].suspend()
    await network.until(lambda: phone.model.room.news.seated[0].state == "gone")
    phone.table.tokens.claim(tuple(fragment.split(".")[2:]))
    phone.send("dialog", "room")
    await network.until(lambda: SEAT_STATUS in phone.text)
    assert "Too few devices of the table are here: one more must be open" in phone.text
    assert SEAT_HINT in phone.text
    pages[0].resume()
    await network.until(lambda: phone.table.game is not None and phone.table.game.own_seats == (0, 2))
    assert SEAT_STATUS not in phone.text
    assert "Too few devices" not in phone.text
    leave([*pages, phone])


@simulated
async def test_a_spectator_goes_from_the_lobby_to_the_game_directly() -> None:
    network = Network()
    pages = await seat_guests(network, await open_table(network, "p,p"), 1)
    watcher = follow_link(network, pages[0].model.room.news.fragment)
    await network.until(lambda: watcher.model.room is not None and watcher.model.room.news.phase == "lobby")
    await asyncio.sleep(2 * UNREACHABLE_AFTER / 1000)
    phases: list[str] = []

    def tell(event: Event) -> None:
        if isinstance(event, News):
            phases.append(event.phase)
        Page.tell(watcher, event)

    watcher.tell = tell  # type: ignore[method-assign]
    pages[0].send("room.begin")
    await network.until(lambda: watcher.model.play is not None)
    assert "joining" not in phases
    leave([*pages, watcher])


@simulated
async def test_a_spectator_in_mid_game_sees_the_present_state_first() -> None:
    """Regression: the empty table was drawn, then half of the game, then the rest, which took most of the time."""
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 30)
    late = Page(network)
    shown_entries: list[int] = []

    def tell(event: Event) -> None:
        Page.tell(late, event)
        if isinstance(event, GameStarted | NewEntries):
            shown_entries.append(entry_count(late))

    late.tell = tell  # type: ignore[method-assign]
    late.send("visited", value=pages[0].model.room.news.fragment)
    await network.until(lambda: late.model.play is not None)
    assert shown_entries == [entry_count(pages[0])]
    leave([*pages, late])


@simulated
async def test_an_incomplete_game_is_shown_after_a_while() -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 10)
    receive = RunningGame.receive
    with patch.object(RunningGame, "receive", lambda game, *said: game.number == NEWCOMER or receive(game, *said)):
        late = follow_link(network, pages[0].model.room.news.fragment)
        await network.until(lambda: late.model.room is not None and late.table.game is not None)
        assert late.model.play is None
        assert late.model.room.news.phase == "joining"
        await network.until(lambda: late.model.play is not None, 3)
        assert late.model.room.news.phase == "playing"
        assert entry_count(late) == 0
    await network.until(lambda: entry_count(late) == entry_count(pages[0]))
    leave([*pages, late])
