"""Devices reconnect: after the endpoint was away or has lost its rooms, and when their network has changed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from peer.channels.endpoint import PING_EVERY, PONG_WITHIN, PONG_WITHIN_IF_IN_DOUBT, REFUSALS, RETRY_PAUSES, Endpoint
from peer.order.outputs import Timing
from peer.table.commands import stand_up
from peer.table.news import GameStarted, NewEntries, News
from peer.table.table import Table
from signaling.hub import Hub
from tests.peer.channels.test_channels import RecordingSocket, RecordingUser
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.table.test_page import open_table, seat_guests
from tests.peer.table.test_page import start_table as pages_at_table
from tests.peer.table.test_tables import begin_game, leave, make_lobby, play_until, running_game, seat_all

ROOM = '["room","ABCDEFGHJKMN",0,[],"token"]'


class EndpointProbe:
    """The endpoint of one device, with all sockets it opened. A socket reports at once that it is closed, like the
    browser's. Random pauses are 0 unless `chance` is given."""

    def __init__(self, *, here: bool = False, chance: Callable[[], float] = lambda: 0.0) -> None:
        self.user = RecordingUser()
        self.user.goes_on = here
        self.at: list[int] = []
        self.sockets: list[RecordingSocket] = []
        self.now = 0
        self.point = Endpoint(self._dial, self.user, "ABCDEFGHJKMN", "token", chance)
        self.point.open(0)
        self.point.opened()

    def _dial(self, point: Endpoint) -> RecordingSocket:
        wire = RecordingSocket()
        wire.close = lambda: point.closed(self.now)  # type: ignore[method-assign]
        self.at.append(self.now)
        self.sockets.append(wire)
        return wire

    def advance(self, seconds: float) -> None:
        """Lets the table's clock tick for so many seconds."""
        end = self.now + int(seconds * 1000)
        while self.now < end:
            self.now += 500
            self.point.tick(self.now)

    def receive_refusal(self, why: str) -> None:
        """Receives a refusal, and waits until the endpoint is dialled again."""
        self.point.received(json.dumps(["err", why]), self.now)
        while self.point.state == "lost":
            self.advance(0.5)


def restart_endpoint(network: Network) -> None:
    """Restarts the endpoint, which loses all its rooms."""
    network.hub = Hub()
    for number, wire in list(network.sockets.items()):
        network.sockets.pop(number)
        asyncio.get_running_loop().call_soon(wire.cut, context=wire.device.context)


def all_connected(tables: list[Table]) -> bool:
    """Returns True if all devices are in the room and reach each other."""
    reached = {table.connections.state(lock) for table in tables for lock in table.channels.by_key}
    return {table.news().endpoint for table in tables} == {"in"} and reached <= {"direct", "relayed"}


@pytest.mark.parametrize("why", REFUSALS)
def test_a_refused_join_is_tried_again_after_a_pause(why: str) -> None:
    one = EndpointProbe()
    one.point.received(json.dumps(["err", why]), 0)
    assert one.point.state == "lost"
    one.advance(20)
    assert one.at[1] == pytest.approx(REFUSALS[why], abs=500)
    one.point.opened()
    one.point.received(ROOM, one.now)
    assert (one.point.state, one.point.shown_state) == ("in", "in")


@pytest.mark.parametrize(("why", "said"), [("code", "code"), ("full", "full"), ("away", "busy"), ("wait", "busy")])
def test_the_page_shows_why_joins_are_refused_until_the_endpoint_is_lost(why: str, said: str) -> None:
    one = EndpointProbe()
    for _ in range(20):
        one.receive_refusal(why)
        assert (one.point.state, one.point.shown_state) == ("connecting", said)
        assert "changed" in one.user.events
    one.point.closed(one.now)  # now the endpoint does not answer at all
    one.advance(31)
    assert (one.point.state, one.point.shown_state) == ("connecting", "lost")


def test_retries_slow_down_and_never_stop() -> None:
    one = EndpointProbe(chance=lambda: 1.0)
    for _ in range(100):
        one.receive_refusal("code")
    pauses = [later - earlier for earlier, later in zip(one.at, one.at[1:], strict=False)]
    assert pauses == [REFUSALS["code"] + longest for longest in (*RETRY_PAUSES, *[RETRY_PAUSES[-1]] * 94)]


@pytest.mark.parametrize(("why", "least"), [("lost", 0), ("wait", REFUSALS["wait"])])
def test_retries_of_many_pages_are_spread_over_the_pause(why: str, least: int) -> None:
    pages = [EndpointProbe(chance=Random(seed).random) for seed in range(400)]
    for longest in (*RETRY_PAUSES, RETRY_PAUSES[-1]):
        pauses = []
        for page in pages:
            page.point.open(0)
            if why in REFUSALS:
                page.point.received(json.dumps(["err", why]), 0)
            page.point.closed(0)
            pauses.append(page.point.retry_at - least)
        tenths = Counter(10 * pause // longest for pause in pauses)
        assert sorted(tenths) == [*range(10)]  # spread over the whole pause, and never beyond it
        assert max(tenths.values()) < 80


def test_a_device_of_the_table_asks_to_recreate_the_room() -> None:
    one = EndpointProbe(here=True)
    assert one.sockets[0].sent == [["join", "ABCDEFGHJKMN", "token", "make"]]
    guest = EndpointProbe()
    assert guest.sockets[0].sent == [["join", "ABCDEFGHJKMN", "token"]]


def test_an_invalid_token_is_dropped_on_the_same_connection() -> None:
    one = EndpointProbe(here=True)
    for _ in range(3):
        one.point.received('["err","token"]', 0)
    assert one.sockets[0].sent[1:] == [["join", "ABCDEFGHJKMN", None, "make"]]
    assert len(one.sockets) == 1


def test_a_change_of_network_is_noticed_within_seconds() -> None:
    one = EndpointProbe()
    one.point.received(ROOM, 0)
    one.advance(1)
    one.point.hurry(one.now)  # `online`
    assert one.sockets[0].sent[-1] == ["ping"]
    one.advance(PONG_WITHIN_IF_IN_DOUBT / 1000 + 1.5)
    assert one.at == [0, 1_000 + PONG_WITHIN_IF_IN_DOUBT + 500]


def test_a_connection_that_answers_is_kept() -> None:
    one = EndpointProbe()
    one.point.received(ROOM, 0)
    for _ in range(100):
        one.point.hurry(one.now)
        one.advance(1)
        one.point.received('["pong"]', one.now)
        one.advance(30)
        one.point.received('["pong"]', one.now)
    assert one.at == [0]


def test_a_connection_that_answers_no_ping_is_given_up() -> None:
    one = EndpointProbe()
    one.point.received(ROOM, 0)
    one.advance((PING_EVERY + PONG_WITHIN) / 1000 + 2)
    assert len(one.at) == 2


def test_a_silent_endpoint_is_dialled_again() -> None:
    one = EndpointProbe()
    one.advance(PONG_WITHIN / 1000 + 1)
    assert len(one.at) == 2
    one.point.hurry(one.now)
    one.advance(2 * PONG_WITHIN_IF_IN_DOUBT / 1000 + 2)
    assert len(one.at) == 3


def test_a_hidden_page_whose_timers_run_once_a_minute_keeps_its_connection() -> None:
    one = EndpointProbe()
    one.point.received(ROOM, 0)
    for minute in range(1, 20):
        one.now = minute * 61_000
        one.point.tick(one.now)
        one.point.received('["pong"]', one.now + 100)
    assert one.at == [0]


def test_texts_queued_for_the_old_room_are_dropped() -> None:
    one = EndpointProbe()
    one.point.received(ROOM, 0)
    one.point.send(1, "for who was there")
    one.point.closed(0)
    one.advance(1)
    one.point.opened()
    one.point.received(ROOM, one.now)
    one.point.pump(one.now)
    assert one.sockets[1].sent == [["join", "ABCDEFGHJKMN", "token"]]


@simulated
async def test_a_reassigned_slot_belongs_to_the_new_device_only() -> None:
    network = Network()
    devices = [SimDevice(network) for _ in range(3)]
    for device in devices:
        device.make = None
    tables = await seat_all(network, devices, make_lobby("p,p,p"))
    restart_endpoint(network)
    devices[1].crash()  # without a message that its place is free
    rest = [tables[0], tables[2]]
    await network.until(
        lambda: all(table.channels.endpoint and table.channels.endpoint.slot in (0, 1) for table in rest)
    )
    await asyncio.sleep(20)
    for table, other in zip(rest, reversed(rest), strict=True):
        assert table.connections.state(other.keys.seal_key) == "relayed"
        assert table.channels.refused == {}
    leave(*rest)


@simulated
async def test_a_left_table_sends_no_events() -> None:
    _, devices, tables = await running_game("p,p", entries=4)
    for device, table in zip(devices, tables, strict=True):
        device.events.clear()
        table.leave()
        await asyncio.sleep(5)
        for channel in table.channels.by_key.values():
            table.channels.connection_closed(channel)  # a connection that reports late that it is closed
        assert not any(isinstance(event, News | NewEntries | GameStarted) for event in device.events)


@pytest.mark.parametrize("who", [0, 1])
@simulated
async def test_a_device_that_leaves_the_lobby_gets_no_events(who: int) -> None:
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    tables = await seat_all(network, devices, make_lobby("p,p"))
    devices[who].events.clear()
    stand_up(tables[who])
    tables[who].leave()
    await asyncio.sleep(5)
    assert devices[who].events == []
    rest = tables[1 - who].lobby
    assert rest is not None
    assert [spot.free for spot in rest.spots] == [who == 0, who == 1]
    leave(tables[1 - who])


@simulated
async def test_all_devices_return_to_a_game_after_its_room_expired() -> None:
    network, devices, tables = await running_game("p,p,p", entries=8)
    for device in devices:
        device.crash()
    for _ in range(400):  # 33 minutes
        await asyncio.sleep(5)
        network.dispatch(network.hub.tick(asyncio.get_running_loop().time()))
    assert not network.hub.rooms
    fragment = tables[0].invite.fragment
    tables = [home.visit(fragment) for home in devices]
    await network.until(lambda: all_connected(tables))
    assert len(network.hub.rooms) == 1
    await play_until(network, tables, 16)
    leave(*tables)


@pytest.mark.parametrize("direct", [True, False])
@simulated
async def test_a_restarted_endpoint_ends_no_table(*, direct: bool) -> None:
    network, devices, tables = await running_game("p,p,p", entries=8)
    if not direct:
        for device in devices:
            device.make, device.timing = None, Timing()  # slower timeouts: the endpoint limits the rate of messages
        fragment = tables[0].invite.fragment
        for seat, device in enumerate(devices):
            device.crash()
            tables[seat] = device.visit(fragment)
        await network.until(lambda: all_connected(tables))
    restart_endpoint(network)
    await asyncio.sleep(0)
    await network.until(lambda: all_connected(tables))
    await play_until(network, tables, 14)
    devices[1].crash()
    tables[1] = devices[1].visit(tables[0].invite.fragment)
    await network.until(lambda: all_connected(tables))
    await play_until(network, tables, 20)
    leave(*tables)


@simulated
async def test_an_expired_lobby_returns_with_its_opener() -> None:
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    tables = await seat_all(network, devices, make_lobby("p,p"))
    fragment = tables[0].invite.fragment
    for device in devices:
        device.crash()
    restart_endpoint(network)
    guest = devices[1].visit(fragment)
    await network.until(lambda: guest.news().endpoint == "code")
    await asyncio.sleep(120)
    assert (guest.news().endpoint, guest.lobby) == ("code", None)
    opener = devices[0].visit(fragment)
    await network.until(lambda: guest.lobby is not None)
    assert opener.invite.fragment == fragment
    await begin_game(network, [opener, guest])
    leave(opener, guest)


@pytest.mark.parametrize("begun_", [False, True])
@pytest.mark.parametrize("who", [0, 1])
@simulated
async def test_a_page_that_leaves_a_table_is_in_the_lobby_and_stays_there(who: int, *, begun_: bool) -> None:
    network = Network()
    pages = await (
        pages_at_table(network, "p,p", 1) if begun_ else seat_guests(network, await open_table(network, "p,p"), 1)
    )
    page = pages[who]
    page.send("leave")
    await asyncio.sleep(10)
    assert (page.model.room, page.model.play, page.errors, page.address) == (None, None, [], "")
    pages[1 - who].table.leave()


@simulated
async def test_the_page_shows_that_the_endpoint_is_lost() -> None:
    network = Network()
    pages = await pages_at_table(network, "p,p", 1)
    for page in pages:
        page.table.channels.endpoint = Endpoint(lambda _: RecordingSocket(), page.table, "0" * 12)
        page.table.channels.endpoint.open(page.now())
    restart_endpoint(network)
    await asyncio.sleep(PONG_WITHIN / 1000 + 2)
    for page in pages:
        page.send("dialog", "room")
        assert page.model.t("room.endpoint.lost") in page.text
        assert {seated.state for seated in page.model.room.news.seated} <= {"me", "direct"}
        page.table.leave()
