"""Pairing: without an endpoint two codes connect devices, and connect them again after a reload."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from peer.channels import invite
from peer.channels.by_code import PROOF_WITHIN
from peer.channels.endpoint import Endpoint
from peer.table.news import Abilities, PairingMissed, Scanned
from peer.table.pairing import leads_elsewhere
from peer.table.table import Table
from tests.peer.channels.test_hostile_channels import all_connected, entry_count
from tests.peer.simulation.in_memory import MemoryConnection, Network, SimDevice, simulated
from tests.peer.simulation.page import TEXTS, Page
from tests.peer.table.test_page import controls
from tests.peer.table.test_page import leave as leave_pages
from tests.peer.table.test_page import play_until as played_on
from tests.peer.table.test_tables import answer_all, begin_game, leave, make_lobby, play_until, seen_states
from tests.ui.boards.games import all_nodes


async def connect_by_codes(network: Network, opener: Table, device: SimDevice) -> Table:
    """Connects a guest without an endpoint by two codes, also after a reload. Returns the guest's table."""
    await opener.pairing.make_offer()
    given, offer = invite.read_offer(opener.pairing.offer_code)
    guest = device.visit(given.fragment)
    await guest.pairing.make_reply(offer)
    await opener.pairing.complete(guest.pairing.reply_code)
    await network.until(
        lambda: (
            opener.connections.state(guest.keys.seal_key) == "direct"
            and guest.connections.state(opener.keys.seal_key) == "direct"
        )
    )
    return guest


async def game_without_endpoint(plays: str) -> tuple[Network, list[SimDevice], list[Table]]:
    network = Network()
    devices = [SimDevice(network) for _ in plays.split(",")]
    for device in devices:
        device.dial = None
    tables = [devices[0].open_table(make_lobby(plays))]
    for device in devices[1:]:
        tables.append(await connect_by_codes(network, tables[0], device))
    await network.until(lambda: all_connected(tables))
    for seat, table in enumerate(tables):
        await network.until(lambda table=table: table.lobby is not None)
        table.seating.sit(seat, f"Guest {seat}")
        await network.until(lambda seat=seat: tables[0].lobby is not None and tables[0].lobby.spots[seat].device)
    await begin_game(network, tables)
    await play_until(network, tables, 8)
    return network, devices, tables


@pytest.mark.parametrize("plays", ["p,p", "p,p,p"])
@simulated
async def test_without_an_endpoint_a_silent_connection_is_kept(plays: str) -> None:
    network, devices, tables = await game_without_endpoint(plays)
    devices[-1].suspend()
    for _ in range(40):
        await asyncio.sleep(0.5)
        answer_all(tables[:-1])
    assert seen_states(tables[:-1], tables[-1]) == {"gone"}
    devices[-1].resume()
    await network.until(lambda: all(seen_states(tables, table) == {"me", "direct"} for table in tables), 5)
    await play_until(network, tables, entry_count(tables[0]) + 6)
    leave(*tables)


@simulated
async def test_with_no_endpoint_two_codes_bring_a_player_back_after_a_reload() -> None:
    network, devices, tables = await game_without_endpoint("p,p")
    devices[1].crash()
    await network.until(lambda: tables[0].news().leader == "")
    tables[1] = await connect_by_codes(network, tables[0], devices[1])
    assert (tables[1].pairing.reply_code, tables[0].pairing.offer_code) == ("", "")
    await play_until(network, tables, 16)
    # the other way round: the device that comes back makes the offer
    devices[0].crash()
    tables[0] = devices[0].visit(tables[1].invite.fragment)
    await tables[0].pairing.make_offer()
    await tables[1].pairing.make_reply(invite.read_offer(tables[0].pairing.offer_code)[1])
    await tables[0].pairing.complete(tables[1].pairing.reply_code)
    await play_until(network, tables, 24)
    leave(*tables)


@simulated
async def test_an_unused_code_is_reported_and_its_connection_closed() -> None:
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    for device in devices:
        device.dial = None
    opener = devices[0].open_table(make_lobby("p,p"))
    made: list[MemoryConnection] = []
    make = devices[0].make
    assert make is not None

    def counted(*callbacks: Any) -> Any:
        made.append(make(*callbacks))  # type: ignore[arg-type]
        return made[-1]

    opener.channels.by_code.make_connection = counted
    await opener.pairing.make_offer()
    await opener.pairing.make_offer()
    assert [peer.closed for peer in made] == [True, False]
    given, offer = invite.read_offer(opener.pairing.offer_code)
    guest = devices[1].visit(given.fragment)
    await guest.pairing.make_reply(offer)
    reply = guest.pairing.reply_code
    devices[1].crash()
    for stray in guest.channels.by_code.pending:
        assert stray.connection is not None
        stray.connection.close()
    await opener.pairing.complete(reply)
    await asyncio.sleep(PROOF_WITHIN / 1000 + 1)
    assert [event for event in devices[0].events if isinstance(event, PairingMissed)] == [PairingMissed()]
    assert all(peer.closed for peer in made)
    assert opener.channels.by_code.pending == []
    opener.leave()


@simulated
async def test_the_dialog_reconnects_a_reloaded_page_without_an_endpoint() -> None:
    """Regression: both pages waited for each other, and neither offered a code."""
    network = Network()
    opener, guest = pages = await paired_pages(network)
    await played_on(network, pages, 4)
    guest.crash()
    again = Page(network)
    again.dial, again.headers, again.disk = None, guest.headers, guest.disk
    again.send("visited", value=opener.model.room.news.fragment)
    await network.until(lambda: again.model.play is not None and opener.model.room.news.leader == "")
    for page in (opener, again):
        page.send("dialog", "room")
    shown = all_nodes(opener.shown)
    assert {"room.offer", "room.reply"} <= {node.attrs.get("data-do") for node in shown}
    opener.send("room.offer")
    await network.until(lambda: opener.model.room.news.code_offer)
    again.send("room.reply", value=opener.model.room.news.code_offer)
    await network.until(lambda: again.model.room.news.code_reply)
    assert again.model.room.news.code_reply in again.text
    opener.send("room.take", value=again.model.room.news.code_reply)
    await network.until(lambda: all(page.model.room.news.leader in ("me", "direct") for page in (opener, again)))
    assert again.model.room.news.code_reply == ""
    await played_on(network, [opener, again], 10)
    leave_pages([opener, again])


@simulated
async def test_a_guest_sees_how_long_the_reply_code_has_been_waiting() -> None:
    network = Network()
    opener, guest = Page(network), Page(network)
    opener.dial = guest.dial = None
    opener.send("room.open")
    await network.until(lambda: opener.model.room is not None)
    guest.send("visited", value=opener.model.room.news.fragment)
    await network.until(lambda: guest.model.room is not None)
    assert TEXTS("room.hand.coming") in guest.text  # there is no endpoint that could find the table
    opener.send("room.offer")
    await network.until(lambda: opener.model.room.news.code_offer)
    first = opener.model.room.news.code_offer
    guest.send("room.reply", value=first)
    await network.until(lambda: guest.model.room.news.code_reply)
    assert "Your code waits to be entered there." in guest.text
    await asyncio.sleep(61)
    assert "Your code has been waiting for a minute to be entered there." in guest.text
    await asyncio.sleep(60)
    assert "waiting for 2 minutes to be entered" in guest.text
    guest.send("room.anew")
    await network.until(lambda: not guest.model.room.news.code_reply)
    assert guest.table.channels.by_code.pending == []
    assert {"room.reply", "leave"} <= {node.attrs.get("data-do") for node in all_nodes(guest.shown)}
    opener.send("room.offer")
    await network.until(lambda: opener.model.room.news.code_offer not in ("", first))
    guest.send("room.reply", value=opener.model.room.news.code_offer)
    await network.until(lambda: guest.model.room.news.code_reply)
    assert "Your code waits to be entered there." in guest.text
    opener.send("room.take", value=guest.model.room.news.code_reply)
    await network.until(lambda: guest.model.room.news.phase == "lobby")
    leave_pages([opener, guest])


@simulated
async def test_a_guest_can_discard_the_reply_code_and_enter_another() -> None:
    """Regression: after the code was discarded there was no field for another one."""
    network = Network()
    opener, guest = Page(network), Page(network)
    opener.dial = None
    opener.send("room.open")
    await network.until(lambda: opener.model.room is not None)
    opener.send("room.offer")
    await network.until(lambda: opener.model.room.news.code_offer)
    assert {"room.take", "room.offer"} <= {node.attrs.get("data-do") for node in all_nodes(opener.shown)}
    guest.send("visited", value=f"o={opener.model.room.news.code_offer}")
    await network.until(lambda: guest.model.room is not None and guest.model.room.news.endpoint == "code")
    guest.send("room.anew")
    await network.until(lambda: not guest.model.room.news.code_reply)
    assert "room.reply" in {node.attrs.get("data-do") for node in all_nodes(guest.shown)}
    leave_pages([opener, guest])


async def paired_pages(network: Network) -> list[Page]:
    """Returns two pages in a running game without an endpoint."""
    opener, guest = Page(network), Page(network)
    opener.dial = guest.dial = None
    while len(opener.model.setup.chairs) > 2:
        opener.send("seat.remove", str(len(opener.model.setup.chairs) - 1))
    opener.send("seat.plays", "1", "p")
    opener.send("room.open")
    await network.until(lambda: opener.model.room is not None)
    await pair_pages(network, opener, guest)
    await network.until(lambda: guest.model.room.news.phase == "lobby")
    guest.send("room.sit", "1")
    await network.until(lambda: not opener.model.room.news.spots[1].free)
    opener.send("room.begin")
    await network.until(lambda: opener.model.play is not None and guest.model.play is not None)
    return [opener, guest]


@simulated
async def test_a_room_without_endpoint_and_direct_connections_says_so_first() -> None:
    """Regression test: it was said only after a code had been asked for."""
    network = Network()
    opener = Page(network)
    opener.dial = None
    opener.send("room.open")
    await network.until(lambda: opener.model.room is not None)
    assert "data-do=room.offer" in controls(opener)
    opener.receive_event(Abilities(share=False, scan=False, direct=False, far=False))
    assert "data-do=room.offer" not in controls(opener)
    assert TEXTS("room.no_way") in opener.text
    guest = Page(network)
    guest.dial = None
    guest.visit(opener.model.room.news.fragment)
    await network.until(lambda: guest.model.room is not None)
    guest.receive_event(Abilities(share=False, scan=False, direct=False, far=False))
    assert TEXTS("room.no_way") in guest.text
    assert [node for node in all_nodes(guest.shown) if node.attrs.get("data-do") == "room.reply"] == []
    leave_pages([opener, guest])


@pytest.mark.parametrize("far", [False, True])
@simulated
async def test_codes_say_that_they_work_in_one_network_only_where_no_server_helps(*, far: bool) -> None:
    network = Network()
    opener, guest = Page(network), Page(network)
    opener.dial = guest.dial = None
    opener.send("room.open")
    await network.until(lambda: opener.model.room is not None)
    opener.receive_event(Abilities(share=False, scan=False, direct=True, far=far))
    guest.visit(opener.model.room.news.fragment)
    await network.until(lambda: guest.model.room is not None)
    guest.receive_event(Abilities(share=False, scan=False, direct=True, far=far))
    assert TEXTS("room.hand.coming") in guest.text
    opener.send("room.offer")
    await network.until(lambda: opener.model.room.news.code_offer)
    assert [TEXTS("room.hand.near") in page.text for page in (opener, guest)] == [not far, not far]
    guest.send("room.reply", value=opener.model.room.news.code_offer)
    await network.until(lambda: guest.model.room.news.code_reply)
    assert (TEXTS("room.hand.near") in guest.text) == (not far)
    leave_pages([opener, guest])


@simulated
async def test_the_dialog_of_a_running_game_says_that_codes_work_in_one_network_only() -> None:
    network = Network()
    pages = await paired_pages(network)
    pages[0].receive_event(Abilities(share=False, scan=False, direct=True, far=False))
    pages[0].send("dialog", "room")
    assert TEXTS("room.hand.near") in pages[0].text
    leave_pages(pages)


@simulated
async def test_where_no_other_device_can_be_reached_nothing_is_said_about_networks() -> None:
    network = Network()
    opener = Page(network)
    opener.dial = None
    opener.send("room.open")
    await network.until(lambda: opener.model.room is not None)
    opener.receive_event(Abilities(share=False, scan=False, direct=False, far=False))
    assert TEXTS("room.no_way") in opener.text
    assert TEXTS("room.hand.near") not in opener.text
    leave_pages([opener])


@pytest.mark.parametrize("scanned", [False, True])
@simulated
async def test_a_code_of_another_table_does_not_end_a_running_game(*, scanned: bool) -> None:
    network = Network()
    pages = await paired_pages(network)
    await played_on(network, pages, 4)
    other = Page(network)
    other.dial = None
    other.send("room.open")
    await network.until(lambda: other.model.room is not None)
    other.send("room.offer")
    await network.until(lambda: other.model.room.news.code_offer)
    guest, code = pages[1], other.model.room.news.code_offer
    table, fragment = guest.table, guest.model.room.news.fragment
    guest.receive_event(Abilities(share=False, scan=True, direct=True, far=True))
    guest.send("dialog", "room")
    if scanned:
        guest.send("room.scan", "room.reply")
        guest.receive_event(Scanned(code))
    else:
        guest.send("room.reply", value=code)
    await network.until(lambda: guest.model.notice is not None)
    assert TEXTS("refused.net.other_table") in guest.text
    assert (guest.table, guest.table.closed, guest.model.dialog) == (table, False, "room")
    assert (guest.model.room.news.fragment, guest.model.room.news.code_reply) == (fragment, "")
    guest.send("dialog.close")
    await played_on(network, pages, 12)
    given, _ = invite.read_offer(code)
    assert leads_elsewhere(table, given, followed=True), "a link that is followed is meant"
    assert not leads_elsewhere(table, pages[0].table.invite, followed=False)
    leave_pages([*pages, other])


@simulated
async def test_a_code_of_another_table_does_not_close_a_lobby() -> None:
    network = Network()
    opener, other = Page(network), Page(network)
    opener.dial = other.dial = None
    for page in (opener, other):
        page.send("room.open")
    await network.until(lambda: opener.model.room is not None and other.model.room is not None)
    other.send("room.offer")
    await network.until(lambda: other.model.room.news.code_offer)
    opener.send("room.reply", value=other.model.room.news.code_offer)
    await network.until(lambda: TEXTS("refused.net.other_table") in opener.text)
    assert opener.model.room.news.phase == "lobby"
    leave_pages([opener, other])


async def pair_pages(network: Network, opener: Page, guest: Page) -> None:
    """Connects two pages by two codes."""
    opener.send("room.offer")
    await network.until(lambda: opener.model.room.news.code_offer)
    guest.send("visited", value=f"o={opener.model.room.news.code_offer}")
    await network.until(lambda: guest.model.room is not None and guest.model.room.news.code_reply)
    opener.send("room.take", value=guest.model.room.news.code_reply)


@simulated
async def test_two_codes_work_when_the_endpoint_does_not_answer() -> None:
    network = Network()
    opener, guest = Page(network), Page(network)
    for page in (opener, guest):
        page.dial = lambda point, page=page: SilentSocket(point, page)  # type: ignore[misc]
    while len(opener.model.setup.chairs) > 2:
        opener.send("seat.remove", str(len(opener.model.setup.chairs) - 1))
    opener.send("seat.plays", "1", "p")
    opener.send("room.open")
    await network.until(lambda: opener.model.room is not None and opener.model.room.news.endpoint == "lost")
    assert TEXTS("room.hand.too") in opener.text
    opener.send("room.offer")
    await network.until(lambda: opener.model.room.news.code_offer)
    guest.send("visited", value=f"o={opener.model.room.news.code_offer}")
    await network.until(lambda: guest.model.room is not None and guest.model.room.news.code_reply)
    opener.send("room.take", value=guest.model.room.news.code_reply)
    await network.until(lambda: guest.model.room.news.phase == "lobby")
    guest.send("room.sit", "1", "Zsófia")
    await network.until(lambda: opener.model.room.news.spots[1].name == "Zsófia")
    opener.send("room.begin")
    await played_on(network, [opener, guest], 8)
    leave_pages([opener, guest])


class SilentSocket:
    """The socket to an endpoint that does not answer."""

    def __init__(self, point: Endpoint, page: Page) -> None:
        asyncio.get_running_loop().call_soon(lambda: point.closed(page.now()))

    def send(self, text: str) -> None: ...

    def close(self) -> None: ...
