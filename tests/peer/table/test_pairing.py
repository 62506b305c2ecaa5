"""Pairing: without an endpoint two codes connect devices, and connect them again after a reload."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from peer.channels import invite
from peer.channels.by_code import LATE
from peer.channels.endpoint import Endpoint
from peer.table.pairing import elsewhere
from peer.table.table import Table
from tests.peer.channels.test_hostile_channels import entries, opened
from tests.peer.simulation.in_memory import Home, MemoryPeer, Street, evening
from tests.peer.simulation.page import Page, T, nodes
from tests.peer.table.test_page import leave as leave_pages
from tests.peer.table.test_page import played as played_on
from tests.peer.table.test_tables import answer, begun, leave, lobby, played, seen
from ui.view.page import view


async def by_hand(street: Street, host: Table, home: Home) -> Table:
    """Connects a guest without an endpoint by two codes, also after a reload. Returns the guest's table."""
    await host.pairing.offer()
    given, offer = invite.read_offer(host.pairing.offered)
    guest = home.visits(given.fragment)
    await guest.pairing.reply(offer)
    await host.pairing.take(guest.pairing.replied)
    await street.until(
        lambda: host.state(guest.keys.seal_key) == "direct" and guest.state(host.keys.seal_key) == "direct"
    )
    return guest


async def without_endpoint(plays: str) -> tuple[Street, list[Home], list[Table]]:
    street = Street()
    homes = [Home(street) for _ in plays.split(",")]
    for home in homes:
        home.dial = None
    tables = [homes[0].opens(lobby(plays))]
    for home in homes[1:]:
        tables.append(await by_hand(street, tables[0], home))
    await street.until(lambda: opened(tables))
    for seat, table in enumerate(tables):
        await street.until(lambda table=table: table.lobby is not None)
        table.seating.sit(seat, f"Guest {seat}")
        await street.until(lambda seat=seat: tables[0].lobby is not None and tables[0].lobby.spots[seat].device)
    await begun(street, tables)
    await played(street, tables, 8)
    return street, homes, tables


@pytest.mark.parametrize("plays", ["p,p", "p,p,p"])
@evening
async def test_with_no_endpoint_the_only_way_to_a_phone_that_sleeps_is_not_thrown_away(plays: str) -> None:
    street, homes, tables = await without_endpoint(plays)
    homes[-1].sleeps()
    for _ in range(40):
        await asyncio.sleep(0.5)
        answer(tables[:-1])
    assert seen(tables[:-1], tables[-1]) == {"gone"}
    homes[-1].wakes()
    await street.until(lambda: all(seen(tables, table) == {"me", "direct"} for table in tables), 5)
    await played(street, tables, entries(tables[0]) + 6)
    leave(*tables)


@evening
async def test_with_no_endpoint_two_codes_bring_a_player_back_after_a_reload() -> None:
    street, homes, tables = await without_endpoint("p,p")
    homes[1].crash()
    await street.until(lambda: tables[0].news().host == "")
    tables[1] = await by_hand(street, tables[0], homes[1])
    assert (tables[1].pairing.replied, tables[0].pairing.offered) == ("", "")
    await played(street, tables, 16)
    # the other way round: the device that comes back makes the offer
    homes[0].crash()
    tables[0] = homes[0].visits(tables[1].invite.fragment)
    await tables[0].pairing.offer()
    await tables[1].pairing.reply(invite.read_offer(tables[0].pairing.offered)[1])
    await tables[0].pairing.take(tables[1].pairing.replied)
    await played(street, tables, 24)
    leave(*tables)


@evening
async def test_when_nobody_comes_by_a_code_it_is_said_and_nothing_is_kept() -> None:
    street = Street()
    homes = [Home(street), Home(street)]
    for home in homes:
        home.dial = None
    host = homes[0].opens(lobby("p,p"))
    made: list[MemoryPeer] = []
    make = homes[0].make
    assert make is not None

    def counted(*hears: Any) -> Any:
        made.append(make(*hears))  # type: ignore[arg-type]
        return made[-1]

    host.channels.make = counted
    await host.pairing.offer()
    await host.pairing.offer()
    assert [peer.closed for peer in made] == [True, False]
    given, offer = invite.read_offer(host.pairing.offered)
    guest = homes[1].visits(given.fragment)
    await guest.pairing.reply(offer)
    reply = guest.pairing.replied
    homes[1].crash()
    for stray in guest.channels.by_code.strays:
        assert stray.peer is not None
        stray.peer.close()
    await host.pairing.take(reply)
    await asyncio.sleep(LATE / 1000 + 1)
    assert [data.what for what, data in homes[0].told if what == "told"] == ["net.code_late"]
    assert all(peer.closed for peer in made)
    assert host.channels.by_code.strays == []
    host.leave()


@evening
async def test_without_an_endpoint_the_tables_dialog_brings_back_who_has_reloaded() -> None:
    """Regression: both pages waited for each other, and neither offered a code."""
    street = Street()
    host, guest = pages = await begun_by_hand(street)
    await played_on(street, pages, 4)
    guest.crash()
    again = Page(street)
    again.dial, again.headers, again.disk = None, guest.headers, guest.disk
    again.send("visited", value=host.model.room.news.fragment)
    await street.until(lambda: again.model.play is not None and host.model.room.news.host == "")
    for page in (host, again):
        page.send("dialog", "room")
    shown = nodes(view(host.model))
    assert {"room.offer", "room.reply"} <= {node.attrs.get("data-do") for node in shown}
    host.send("room.offer")
    await street.until(lambda: host.model.room.news.code_offer)
    again.send("room.reply", value=host.model.room.news.code_offer)
    await street.until(lambda: again.model.room.news.code_reply)
    assert again.model.room.news.code_reply in again.text
    host.send("room.take", value=again.model.room.news.code_reply)
    await street.until(lambda: all(page.model.room.news.host in ("me", "direct") for page in (host, again)))
    assert again.model.room.news.code_reply == ""
    await played_on(street, [host, again], 10)
    leave_pages([host, again])


@evening
async def test_a_guest_whose_code_was_never_entered_was_not_told_anything() -> None:
    street = Street()
    host, guest = Page(street), Page(street)
    host.dial = guest.dial = None
    host.send("room.open")
    await street.until(lambda: host.model.room is not None)
    guest.send("visited", value=host.model.room.news.fragment)
    await street.until(lambda: guest.model.room is not None)
    assert T("room.hand.coming") in guest.text  # there is no endpoint that could find the table
    host.send("room.offer")
    await street.until(lambda: host.model.room.news.code_offer)
    first = host.model.room.news.code_offer
    guest.send("room.reply", value=first)
    await street.until(lambda: guest.model.room.news.code_reply)
    assert "Your code waits to be entered there." in guest.text
    await asyncio.sleep(61)
    assert "Your code has been waiting for a minute to be entered there." in guest.text
    await asyncio.sleep(60)
    assert "waiting for 2 minutes to be entered" in guest.text
    guest.send("room.anew")
    await street.until(lambda: not guest.model.room.news.code_reply)
    assert guest.table.channels.by_code.strays == []
    assert {"room.reply", "leave"} <= {node.attrs.get("data-do") for node in nodes(view(guest.model))}
    host.send("room.offer")
    await street.until(lambda: host.model.room.news.code_offer not in ("", first))
    guest.send("room.reply", value=host.model.room.news.code_offer)
    await street.until(lambda: guest.model.room.news.code_reply)
    assert "Your code waits to be entered there." in guest.text
    host.send("room.take", value=guest.model.room.news.code_reply)
    await street.until(lambda: guest.model.room.news.phase == "lobby")
    leave_pages([host, guest])


@evening
async def test_where_the_meeting_point_is_lost_a_guest_can_begin_again_with_a_fresh_pair_of_codes() -> None:
    """Regression: after the code was discarded there was no field for another one."""
    street = Street()
    host, guest = Page(street), Page(street)
    host.dial = None
    host.send("room.open")
    await street.until(lambda: host.model.room is not None)
    host.send("room.offer")
    await street.until(lambda: host.model.room.news.code_offer)
    assert {"room.take", "room.offer"} <= {node.attrs.get("data-do") for node in nodes(view(host.model))}
    guest.send("visited", value=f"o={host.model.room.news.code_offer}")
    await street.until(lambda: guest.model.room is not None and guest.model.room.news.endpoint == "code")
    guest.send("room.anew")
    await street.until(lambda: not guest.model.room.news.code_reply)
    assert "room.reply" in {node.attrs.get("data-do") for node in nodes(view(guest.model))}
    leave_pages([host, guest])


async def begun_by_hand(street: Street) -> list[Page]:
    """Returns two pages in a running game without an endpoint."""
    host, guest = Page(street), Page(street)
    host.dial = guest.dial = None
    while len(host.model.setup.chairs) > 2:
        host.send("seat.remove", str(len(host.model.setup.chairs) - 1))
    host.send("seat.plays", "1", "p")
    host.send("room.open")
    await street.until(lambda: host.model.room is not None)
    await meet(street, host, guest)
    await street.until(lambda: guest.model.room.news.phase == "lobby")
    guest.send("room.sit", "1")
    await street.until(lambda: not host.model.room.news.spots[1].free)
    host.send("room.begin")
    await street.until(lambda: host.model.play is not None and guest.model.play is not None)
    return [host, guest]


@pytest.mark.parametrize("scanned", [False, True])
@evening
async def test_another_tables_code_in_the_dialog_of_a_running_game_left_that_game(*, scanned: bool) -> None:
    street = Street()
    pages = await begun_by_hand(street)
    await played_on(street, pages, 4)
    other = Page(street)
    other.dial = None
    other.send("room.open")
    await street.until(lambda: other.model.room is not None)
    other.send("room.offer")
    await street.until(lambda: other.model.room.news.code_offer)
    guest, code = pages[1], other.model.room.news.code_offer
    table, fragment = guest.table, guest.model.room.news.fragment
    guest.send("room.can", data=(False, True))
    guest.send("dialog", "room")
    if scanned:
        guest.send("room.scan", "room.reply")
        guest.send("room.scanned", data=code)
    else:
        guest.send("room.reply", value=code)
    await street.until(lambda: guest.model.notice is not None)
    assert T("refused.net.other_table") in guest.text
    assert (guest.table, guest.table.closed, guest.model.dialog) == (table, False, "room")
    assert (guest.model.room.news.fragment, guest.model.room.news.code_reply) == (fragment, "")
    guest.send("dialog.close")
    await played_on(street, pages, 12)
    given, _ = invite.read_offer(code)
    assert elsewhere(table, given, followed=True), "a link that is followed is meant"
    assert not elsewhere(table, pages[0].table.invite, followed=False)
    leave_pages([*pages, other])


@evening
async def test_another_tables_code_entered_in_a_lobby_leaves_nobodys_seat() -> None:
    street = Street()
    host, other = Page(street), Page(street)
    host.dial = other.dial = None
    for page in (host, other):
        page.send("room.open")
    await street.until(lambda: host.model.room is not None and other.model.room is not None)
    other.send("room.offer")
    await street.until(lambda: other.model.room.news.code_offer)
    host.send("room.reply", value=other.model.room.news.code_offer)
    await street.until(lambda: T("refused.net.other_table") in host.text)
    assert host.model.room.news.phase == "lobby"
    leave_pages([host, other])


async def meet(street: Street, host: Page, guest: Page) -> None:
    """Connects two pages by two codes."""
    host.send("room.offer")
    await street.until(lambda: host.model.room.news.code_offer)
    guest.send("visited", value=f"o={host.model.room.news.code_offer}")
    await street.until(lambda: guest.model.room is not None and guest.model.room.news.code_reply)
    host.send("room.take", value=guest.model.room.news.code_reply)


@evening
async def test_where_the_meeting_point_is_named_and_does_not_answer_two_codes_open_a_table() -> None:
    street = Street()
    host, guest = Page(street), Page(street)
    for page in (host, guest):
        page.dial = lambda point, page=page: Silent(point, page)  # type: ignore[misc]
    while len(host.model.setup.chairs) > 2:
        host.send("seat.remove", str(len(host.model.setup.chairs) - 1))
    host.send("seat.plays", "1", "p")
    host.send("room.open")
    await street.until(lambda: host.model.room is not None and host.model.room.news.endpoint == "lost")
    assert T("room.hand.too") in host.text
    host.send("room.offer")
    await street.until(lambda: host.model.room.news.code_offer)
    guest.send("visited", value=f"o={host.model.room.news.code_offer}")
    await street.until(lambda: guest.model.room is not None and guest.model.room.news.code_reply)
    host.send("room.take", value=guest.model.room.news.code_reply)
    await street.until(lambda: guest.model.room.news.phase == "lobby")
    guest.send("room.sit", "1", "Zsófia")
    await street.until(lambda: host.model.room.news.spots[1].name == "Zsófia")
    host.send("room.begin")
    await played_on(street, [host, guest], 8)
    leave_pages([host, guest])


class Silent:
    """The socket to an endpoint that does not answer."""

    def __init__(self, point: Endpoint, page: Page) -> None:
        asyncio.get_running_loop().call_soon(lambda: point.closed(page.now()))

    def send(self, text: str) -> None: ...

    def close(self) -> None: ...
