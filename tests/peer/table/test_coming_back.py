"""Devices reconnect: after the endpoint was away or has lost its rooms, and when their network has changed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from peer.channels.endpoint import HURRIED, PING_EVERY, PONG_WITHIN, REFUSALS, WAITS, Endpoint
from peer.order.outputs import Timing
from peer.table.commands import stand_up
from peer.table.table import Table
from signaling.hub import Hub
from tests.peer.channels.test_channels import Hears, Wire
from tests.peer.simulation.in_memory import Home, Street, evening
from tests.peer.table.test_page import guests, opened
from tests.peer.table.test_page import table as pages_at_table
from tests.peer.table.test_tables import begun, leave, lobby, played, seated, under_way

ROOM = '["room","ABCDEFGHJKMN",0,[],"token",0,0]'


class Dialled:
    """The endpoint of one device, with all sockets it opened. A socket reports at once that it is closed, like the
    browser's. Random pauses are 0 unless `chance` is given."""

    def __init__(self, *, here: bool = False, chance: Callable[[], float] = lambda: 0.0) -> None:
        self.hears = Hears()
        self.hears.here = here
        self.at: list[int] = []
        self.wires: list[Wire] = []
        self.now = 0
        self.point = Endpoint(self._dial, self.hears, "ABCDEFGHJKMN", "token", chance)
        self.point.open(0)
        self.point.opened()

    def _dial(self, point: Endpoint) -> Wire:
        wire = Wire()
        wire.close = lambda: point.closed(self.now)  # type: ignore[method-assign]
        self.at.append(self.now)
        self.wires.append(wire)
        return wire

    def passes(self, seconds: float) -> None:
        """Lets the table's clock tick for so many seconds."""
        end = self.now + int(seconds * 1000)
        while self.now < end:
            self.now += 500
            self.point.tick(self.now)

    def refused(self, why: str) -> None:
        """Receives a refusal, and waits until the endpoint is dialled again."""
        self.point.received(json.dumps(["err", why]), self.now)
        while self.point.state == "lost":
            self.passes(0.5)


def restart(street: Street) -> None:
    """Restarts the endpoint, which loses all its rooms."""
    street.hub = Hub()
    for number, wire in list(street.lines.items()):
        street.lines.pop(number)
        asyncio.get_running_loop().call_soon(wire.gone, context=wire.home.context)


def stands(tables: list[Table]) -> bool:
    """Returns True if all devices are in the room and reach each other."""
    reached = {table.state(lock) for table in tables for lock in table.channels.by_key}
    return {table.news().endpoint for table in tables} == {"in"} and reached <= {"direct", "relayed"}


@pytest.mark.parametrize("why", REFUSALS)
def test_a_refusal_is_answered_by_trying_again_in_a_moment(why: str) -> None:
    one = Dialled()
    one.point.received(json.dumps(["err", why]), 0)
    assert one.point.state == "lost"
    one.passes(20)
    assert one.at[1] == pytest.approx(REFUSALS[why], abs=500)
    one.point.opened()
    one.point.received(ROOM, one.now)
    assert (one.point.state, one.point.said) == ("in", "in")


@pytest.mark.parametrize(("why", "said"), [("code", "code"), ("full", "full"), ("away", "busy"), ("wait", "busy")])
def test_the_page_says_why_there_is_no_place_as_long_as_there_is_none(why: str, said: str) -> None:
    one = Dialled()
    for _ in range(20):
        one.refused(why)
        assert (one.point.state, one.point.said) == ("connecting", said)
        assert "changed" in one.hears.told
    one.point.closed(one.now)  # now the endpoint does not answer at all
    one.passes(31)
    assert (one.point.state, one.point.said) == ("connecting", "lost")


def test_the_pace_of_trying_again_slows_down_and_never_stops() -> None:
    one = Dialled(chance=lambda: 1.0)
    for _ in range(100):
        one.refused("code")
    pauses = [later - earlier for earlier, later in zip(one.at, one.at[1:], strict=False)]
    assert pauses == [REFUSALS["code"] + longest for longest in (*WAITS, *[WAITS[-1]] * 94)]


@pytest.mark.parametrize(("why", "least"), [("lost", 0), ("wait", REFUSALS["wait"])])
def test_all_pages_that_lost_the_endpoint_came_back_in_the_same_instant(why: str, least: int) -> None:
    pages = [Dialled(chance=Random(seed).random) for seed in range(400)]
    for longest in (*WAITS, WAITS[-1]):
        pauses = []
        for page in pages:
            page.point.open(0)
            if why in REFUSALS:
                page.point.received(json.dumps(["err", why]), 0)
            page.point.closed(0)
            pauses.append(page.point.again - least)
        tenths = Counter(10 * pause // longest for pause in pauses)
        assert sorted(tenths) == [*range(10)]  # spread over the whole pause, and never beyond it
        assert max(tenths.values()) < 80


def test_whoever_holds_the_table_has_the_room_made_anew() -> None:
    one = Dialled(here=True)
    assert one.wires[0].sent == [["join", "ABCDEFGHJKMN", "token", "make"]]
    guest = Dialled()
    assert guest.wires[0].sent == [["join", "ABCDEFGHJKMN", "token"]]


def test_a_token_that_is_void_is_let_go_of_on_the_same_line() -> None:
    one = Dialled(here=True)
    for _ in range(3):
        one.point.received('["err","token"]', 0)
    assert one.wires[0].sent[1:] == [["join", "ABCDEFGHJKMN", None, "make"]]
    assert len(one.wires) == 1


def test_another_network_is_noticed_within_seconds() -> None:
    one = Dialled()
    one.point.received(ROOM, 0)
    one.passes(1)
    one.point.hurry(one.now)  # `online`
    assert one.wires[0].sent[-1] == ["ping"]
    one.passes(HURRIED / 1000 + 1.5)
    assert one.at == [0, 1_000 + HURRIED + 500]


def test_a_line_that_answers_is_kept() -> None:
    one = Dialled()
    one.point.received(ROOM, 0)
    for _ in range(100):
        one.point.hurry(one.now)
        one.passes(1)
        one.point.received('["pong"]', one.now)
        one.passes(30)
        one.point.received('["pong"]', one.now)
    assert one.at == [0]


def test_a_line_that_answers_no_ping_is_given_up() -> None:
    one = Dialled()
    one.point.received(ROOM, 0)
    one.passes((PING_EVERY + PONG_WITHIN) / 1000 + 2)
    assert len(one.at) == 2


def test_an_endpoint_that_takes_the_line_and_says_nothing_is_dialled_anew() -> None:
    one = Dialled()
    one.passes(PONG_WITHIN / 1000 + 1)
    assert len(one.at) == 2
    one.point.hurry(one.now)
    one.passes(2 * HURRIED / 1000 + 2)
    assert len(one.at) == 3


def test_a_hidden_page_whose_clock_ticks_once_a_minute_keeps_its_line() -> None:
    one = Dialled()
    one.point.received(ROOM, 0)
    for minute in range(1, 20):
        one.now = minute * 61_000
        one.point.tick(one.now)
        one.point.received('["pong"]', one.now + 100)
    assert one.at == [0]


def test_what_was_for_a_place_in_the_old_room_goes_to_nobody_in_the_new_one() -> None:
    one = Dialled()
    one.point.received(ROOM, 0)
    one.point.say(1, "for who was there")
    one.point.closed(0)
    one.passes(1)
    one.point.opened()
    one.point.received(ROOM, one.now)
    one.point.pump(one.now)
    assert one.wires[1].sent == [["join", "ABCDEFGHJKMN", "token"]]


@evening
async def test_a_place_that_is_another_devices_by_now_is_that_devices_alone() -> None:
    street = Street()
    homes = [Home(street) for _ in range(3)]
    for home in homes:
        home.make = None
    tables = await seated(street, homes, lobby("p,p,p"))
    restart(street)
    homes[1].crash()  # without a message that its place is free
    rest = [tables[0], tables[2]]
    await street.until(lambda: all(table.endpoint and table.endpoint.seat in (0, 1) for table in rest))
    await asyncio.sleep(20)
    for table, other in zip(rest, reversed(rest), strict=True):
        assert table.state(other.keys.seal_key) == "relayed"
        assert table.channels.refused == {}
    leave(*rest)


@evening
async def test_a_table_that_was_left_says_nothing_more() -> None:
    _, homes, tables = await under_way("p,p", entries=4)
    for home, table in zip(homes, tables, strict=True):
        home.told.clear()
        table.leave()
        await asyncio.sleep(5)
        for line in table.channels.by_key.values():
            table.channels.closed(line)  # a connection that reports late that it is closed
        assert [what for what, _ in home.told if what in ("news", "came", "begun")] == []


@pytest.mark.parametrize("who", [0, 1])
@evening
async def test_who_stands_up_and_leaves_a_lobby_hears_no_more_of_it(who: int) -> None:
    street = Street()
    homes = [Home(street), Home(street)]
    tables = await seated(street, homes, lobby("p,p"))
    homes[who].told.clear()
    stand_up(tables[who])
    tables[who].leave()
    await asyncio.sleep(5)
    assert homes[who].told == []
    rest = tables[1 - who].lobby
    assert rest is not None
    assert [spot.free for spot in rest.spots] == [who == 0, who == 1]
    leave(tables[1 - who])


@evening
async def test_all_come_back_to_a_game_whose_room_has_lapsed() -> None:
    street, homes, tables = await under_way("p,p,p", entries=8)
    for home in homes:
        home.crash()
    for _ in range(400):  # 33 minutes
        await asyncio.sleep(5)
        street.dispatch(street.hub.tick(asyncio.get_running_loop().time()))
    assert not street.hub.rooms
    fragment = tables[0].invite.fragment
    tables = [home.visits(fragment) for home in homes]
    await street.until(lambda: stands(tables))
    assert len(street.hub.rooms) == 1
    await played(street, tables, 16)
    leave(*tables)


@pytest.mark.parametrize("direct", [True, False])
@evening
async def test_an_endpoint_that_is_started_anew_costs_nobody_the_table(*, direct: bool) -> None:
    street, homes, tables = await under_way("p,p,p", entries=8)
    if not direct:
        for home in homes:
            home.make, home.timing = None, Timing()  # slower timeouts: the endpoint limits the rate of messages
        fragment = tables[0].invite.fragment
        for seat, home in enumerate(homes):
            home.crash()
            tables[seat] = home.visits(fragment)
        await street.until(lambda: stands(tables))
    restart(street)
    await asyncio.sleep(0)
    await street.until(lambda: stands(tables))
    await played(street, tables, 14)
    homes[1].crash()
    tables[1] = homes[1].visits(tables[0].invite.fragment)
    await street.until(lambda: stands(tables))
    await played(street, tables, 20)
    leave(*tables)


@evening
async def test_a_lobby_whose_room_has_lapsed_is_there_again_with_who_opened_it() -> None:
    street = Street()
    homes = [Home(street), Home(street)]
    tables = await seated(street, homes, lobby("p,p"))
    fragment = tables[0].invite.fragment
    for home in homes:
        home.crash()
    restart(street)
    guest = homes[1].visits(fragment)
    await street.until(lambda: guest.news().endpoint == "code")
    await asyncio.sleep(120)
    assert (guest.news().endpoint, guest.lobby) == ("code", None)
    host = homes[0].visits(fragment)
    await street.until(lambda: guest.lobby is not None)
    assert host.invite.fragment == fragment
    await begun(street, [host, guest])
    leave(host, guest)


@pytest.mark.parametrize("begun_", [False, True])
@pytest.mark.parametrize("who", [0, 1])
@evening
async def test_a_page_that_leaves_a_table_is_in_the_lobby_and_stays_there(who: int, *, begun_: bool) -> None:
    street = Street()
    pages = await (pages_at_table(street, "p,p", 1) if begun_ else guests(street, await opened(street, "p,p"), 1))
    page = pages[who]
    page.send("leave")
    await asyncio.sleep(10)
    assert (page.model.room, page.model.play, page.trouble, page.address) == (None, None, [], "")
    pages[1 - who].table.leave()


@evening
async def test_the_page_says_at_the_table_that_nobody_can_come_by_the_link_now() -> None:
    street = Street()
    pages = await pages_at_table(street, "p,p", 1)
    for page in pages:
        page.table.endpoint = page.table.channels.endpoint = Endpoint(lambda _: Wire(), page.table, "0" * 12)
        page.table.endpoint.open(page.now())
    restart(street)
    await asyncio.sleep(PONG_WITHIN / 1000 + 2)
    for page in pages:
        page.send("dialog", "room")
        assert page.model.t("room.endpoint.lost") in page.text
        assert {seated.state for seated in page.model.room.news.seated} <= {"me", "direct"}
        page.table.leave()
