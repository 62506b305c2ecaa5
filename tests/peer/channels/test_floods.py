"""Floods on every route: they are counted where they come in, and nothing is done with what exceeds the allowance. A
device that goes on is muted and named, its line is closed, and the others play on."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from peer.channels import channels as channels_module
from peer.channels.channel import Channel
from peer.channels.channels import Channels
from peer.channels.endpoint import Endpoint
from peer.channels.handshake import Handshake
from peer.channels.slots import Slots
from peer.crypto.keys import to_base64
from peer.order.outputs import Muted
from peer.table.table import Table
from peer.wire import frames
from peer.wire.frames import Ack
from peer.wire.limits import (
    BACKLOG,
    BEFORE_PROOF,
    DEVICE,
    ENDPOINT,
    FIRST_PAUSE,
    LONGEST_PAUSE,
    MUTED_AT,
    RELAYED,
    USELESS,
    GrowingPause,
    Meter,
)
from peer.wire.messages import GameFrame, Relay
from signaling.throttle import TokenBucket
from tests.peer.channels.test_hostile_channels import Attacker, all_connected, entry_count, muted_events
from tests.peer.simulation.in_memory import HubSocket, MemoryConnection, Network, SimDevice, now, simulated
from tests.peer.table.test_tables import leave, make_lobby, play_until, running_game, seat_all

FLOOD = 5_000
TOO_LONG = 60_000
#: what the page of a flooding device sends by a direct connection: what a browser hands over of it, and its size
Flood = Callable[[int, str], tuple[str | None, int]]


def _text(text: str) -> tuple[str | None, int]:
    return text, len(text)


FLOODS: dict[str, Flood] = {
    "short texts": lambda number, last: _text("x"),
    "long texts": lambda number, last: _text(f"{number}." + "A" * 8_900),
    "texts that are too long": lambda number, last: (None, TOO_LONG),
    "binary messages": lambda number, last: (None, 16),
    "large binary messages": lambda number, last: (None, TOO_LONG),
    "pieces": lambda number, last: _text(f"+{10**6 + number}.0.14." + "A" * 8_900),
    "short pieces": lambda number, last: _text(f"+{10**6 + number}.0.14.A"),
    "greetings": lambda number, last: _text("h" + "A" * 300),
    "repeated messages": lambda number, last: _text(last),
}


@contextmanager
def counted_work() -> Iterator[Counter[str]]:
    """Counts what is done with texts behind the entrances: all that a limiter must keep a flood away from."""
    counts: Counter[str] = Counter()

    def counted(owner: Any, name: str) -> Any:
        plain = getattr(owner, name)

        def count(*args: Any, **named: Any) -> Any:
            counts[name] += 1
            return plain(*args, **named)

        return patch.object(owner, name, count)

    with (
        counted(Channel, "decrypt"),
        counted(Handshake, "receive_greeting"),
        counted(Channels, "receive"),
        counted(channels_module.messages, "read"),
    ):
        yield counts


def with_roles(tables: list[Table]) -> tuple[Table, Table, Table]:
    """Returns a victim, which is the leader, another device, and one to be the bad one."""
    games = [table.game for table in tables if table.game is not None]
    leader = games[0].device.raft.leader
    victim = next(table for table, game in zip(tables, games, strict=True) if game.number == leader)
    other, bad = (table for table in tables if table is not victim)
    return victim, other, bad


def device_of(table: Table) -> SimDevice:
    assert isinstance(table.env, SimDevice)
    return table.env


def name_of(table: Table) -> str:
    assert table.game is not None
    return f"Guest {table.game.own_seats[0]}"


async def go_on_without(bad: Table, network: Network, others: list[Table]) -> None:
    """Lets a bot play for the muted device, and plays on."""
    for table in others:
        assert table.game is not None
        assert bad.game is not None
        table.game.give_seat(bad.game.own_seats[0], "bot")
    await play_until(network, others, entry_count(others[0]) + 8)


def direct_line(table: Table, to: Table) -> MemoryConnection:
    connection = table.channels.by_key[to.keys.seal_key].connection
    assert isinstance(connection, MemoryConnection)
    return connection


async def flood_directly(flood: Flood, bad: Table, victim: Table) -> None:
    """Floods the direct connection from `bad` to `victim`, until the victim closes it."""
    line, back = direct_line(bad, victim), direct_line(victim, bad)
    sent: list[str] = []
    with patch.object(line, "send", sent.append):
        bad.channels.ping(bad.channels.by_key[victim.keys.seal_key])

    def receive(text: str | None, size: int) -> None:
        if not back.closed:
            back.on_message(text, size)

    for number in range(FLOOD):
        asyncio.get_running_loop().call_soon(receive, *flood(number, sent[0]), context=device_of(victim).context)
        if number % 100 == 99:
            await asyncio.sleep(0.01)  # ten thousand a second


@pytest.mark.parametrize("kind", FLOODS)
@simulated
async def test_a_flood_by_a_direct_connection_is_dropped_unread_and_its_device_muted_and_named(kind: str) -> None:
    network, _, tables = await running_game("p,p,p", entries=6)
    await network.until(lambda: all_connected(tables))
    victim, other, bad = with_roles(tables)
    begun = now()
    with counted_work() as work:
        await flood_directly(FLOODS[kind], bad, victim)
    assert now() - begun <= 2_000
    assert sum(work.values()) <= 4 * DEVICE.messages_at_once
    assert max(work.values(), default=0) <= DEVICE.messages_at_once + DEVICE.messages_per_second
    channel = victim.channels.by_key[bad.keys.seal_key]
    assert (channel.muted, channel.open, channel.connection) == (True, False, None)
    assert victim.game is not None
    assert [(event.device, event.who) for event in muted_events([device_of(victim)])] == [
        (victim.game.number_of(bad.keys.seal_key), name_of(bad))
    ]
    await go_on_without(bad, network, [victim, other])
    leave(*tables)


@pytest.mark.parametrize("kind", ["repeated messages", "greetings"])
@simulated
async def test_an_entrance_without_a_meter_is_found(kind: str) -> None:
    """A planted bug: the direct connection is not metered. None of these texts mutes its sender for what is in it."""
    network, _, tables = await running_game("p,p,p", entries=6)
    await network.until(lambda: all_connected(tables))
    victim, _, bad = with_roles(tables)
    with patch.object(Meter, "take", lambda *args: True):
        await flood_directly(FLOODS[kind], bad, victim)
    assert not victim.channels.by_key[bad.keys.seal_key].muted
    leave(*tables)


@simulated
async def test_a_flood_of_genuine_messages_mutes_their_author_within_two_seconds() -> None:
    """Each of them is sealed for the victim, new, and well-formed: only their number is wrong. Those that wait for the
    game already are refused as well."""
    network, _, tables = await running_game("p,p,p", entries=6)
    await network.until(lambda: all_connected(tables))
    victim, other, bad = with_roles(tables)
    assert victim.game is not None
    assert bad.game is not None
    channel = bad.channels.by_key[victim.keys.seal_key]
    frame = GameFrame(frames.write(Ack(0, 0, 0, 0), victim.game.device.mark).decode())
    begun = now()
    for number in range(FLOOD):
        bad.channels.send(channel, frame)
        if number % 100 == 99:
            await asyncio.sleep(0.01)
    assert now() - begun <= 2_000
    assert victim.channels.by_key[bad.keys.seal_key].muted
    assert len(muted_events([device_of(victim)])) == 1
    assert victim.game.border.limits[bad.game.number].muted
    await go_on_without(bad, network, [victim, other])
    leave(*tables)


@simulated
async def test_a_guest_without_a_seat_who_floods_is_muted() -> None:
    network, devices, tables = await running_game("p,p", entries=6)
    guest = SimDevice(network).visit(tables[0].invite.fragment)
    await network.until(lambda: all_connected([*tables, guest]))
    await flood_directly(FLOODS["greetings"], guest, tables[0])
    channel = tables[0].channels.by_key[guest.keys.seal_key]
    assert (channel.muted, channel.connection) == (True, None)
    assert len(muted_events(devices)) == 1
    await play_until(network, tables, entry_count(tables[0]) + 4)
    leave(*tables, guest)


def raw_relay(device: SimDevice) -> HubSocket:
    """Returns the device's socket to the endpoint, for texts that its own code would not send."""
    endpoint = device.table.connections.endpoint
    assert endpoint is not None
    assert isinstance(endpoint.socket, HubSocket)
    return endpoint.socket


def flood_slot(socket: HubSocket, slot: int, text: str) -> None:
    """Sends as much to a slot as the endpoint takes at once, without being cut by it."""
    batch = "\n".join([text] * min(40, 16_000 // (len(text) + 2)))
    for _ in range(70):
        socket.send(json.dumps(["to", slot, {"s": 0, "g": batch}]))


@pytest.mark.parametrize("text", ["x", "1." + "A" * 350, "+1.0.14.A", "h" + "A" * 350])
@simulated
async def test_a_flood_through_the_endpoint_mutes_the_device_in_that_slot(text: str) -> None:
    network, _, tables = await running_game("p,p,p", entries=6)
    await network.until(lambda: all_connected(tables))
    victim, other, bad = with_roles(tables)
    slot = victim.channels.by_key[bad.keys.seal_key].slot
    assert slot >= 0
    begun = now()
    with counted_work() as work:
        assert victim.connections.endpoint is not None
        flood_slot(raw_relay(device_of(bad)), victim.connections.endpoint.slot, text)
        await network.until(lambda: victim.channels.by_key[bad.keys.seal_key].muted)
        await asyncio.sleep(0.2)
    assert now() - begun <= 2_000
    assert sum(work.values()) <= 3 * DEVICE.messages_at_once
    assert [event.who for event in muted_events([device_of(victim)])] == [name_of(bad)]
    assert victim.channels.by_key[bad.keys.seal_key].connection is None
    assert victim.channels.slots.get(slot, now()).blocked
    await go_on_without(bad, network, [victim, other])
    leave(*tables)


@simulated
async def test_a_device_that_the_endpoint_cuts_for_a_flood_is_muted_and_named_by_all() -> None:
    """The endpoint lets it send no more than a device may take: it cuts it, and says why."""
    network, _, tables = await running_game("p,p,p", entries=6)
    await network.until(lambda: all_connected(tables))
    victim, other, bad = with_roles(tables)
    assert victim.connections.endpoint is not None
    slot, socket = victim.connections.endpoint.slot, raw_relay(device_of(bad))
    for _ in range(950):
        socket.send(json.dumps(["to", slot, {"s": 0, "g": "1.A"}]))
    for table in (victim, other):
        await network.until(lambda table=table: table.channels.by_key[bad.keys.seal_key].muted, 2)
        assert [event.who for event in muted_events([device_of(table)])] == [name_of(bad)]
        assert table.channels.by_key[bad.keys.seal_key].connection is None
    await go_on_without(bad, network, [victim, other])
    leave(*tables)


@simulated
async def test_a_flood_from_a_slot_before_the_handshake_blocks_the_slot_and_a_return_with_new_keys() -> None:
    network, devices, tables = await running_game("p,p", entries=6)
    opener = tables[0]
    evil = Attacker(network, opener.invite)
    await network.until(lambda: len(evil.seats) == 2)
    slot, socket = evil.endpoint.slot, evil.endpoint.socket
    assert isinstance(socket, HubSocket)
    for table in tables:
        assert table.connections.endpoint is not None
        # the endpoint would let it flood only one of them
        network.hub.clients[socket.number].bucket = TokenBucket(20, 80, now() / 1000)
        flood_slot(socket, table.connections.endpoint.slot, "1.AAAA")
    senders = [table.channels.slots.get(slot, now()) for table in tables]
    await network.until(lambda: all(sender.blocked for sender in senders), 2)
    socket.close()
    token = evil.endpoint.token
    table = SimDevice(network).visit(opener.invite.fragment)
    assert table.connections.endpoint is not None
    table.connections.endpoint.token = token  # it takes the slot again, with other keys
    await network.until(lambda: table.channels.in_room)
    with counted_work() as work:
        await asyncio.sleep(FIRST_PAUSE / 1000 - 5)
    assert table.connections.endpoint.slot == slot
    assert table.keys.seal_key not in opener.channels.by_key
    assert work["receive_greeting"] == 0
    await network.until(lambda: table.keys.seal_key in opener.channels.by_key, 60)  # after the pause
    assert muted_events(devices) == []  # nobody has proved keys in that slot
    await play_until(network, tables, entry_count(opener) + 4)
    leave(*tables, table)


@simulated
async def test_a_flood_of_introductions_and_greetings_is_bounded_for_each_slot() -> None:
    """A greeting in another device's name costs an exchange of keys."""
    network, _, tables = await running_game("p,p", entries=6)
    opener = tables[0]
    evil = Attacker(network, opener.invite)
    await network.until(lambda: len(evil.seats) == 2)
    with counted_work() as work:
        for _ in range(8):
            for _ in range(10):
                evil.greet_as(*(to_base64(network.rnd.randbytes(size)) for size in (32, 32, 16)))
            await asyncio.sleep(0.5)
    assert work["receive_greeting"] <= 2 * (8 + 8)
    assert opener.channels.slots.get(evil.endpoint.slot, now()).blocked
    await play_until(network, tables, entry_count(opener) + 4)
    leave(*tables)


@simulated
async def test_a_flood_through_another_device_is_stopped_there_and_the_relay_is_not_blamed() -> None:
    """Two guests relay as much as they may through an honest device: its own texts and theirs are no flood."""
    network, _, tables = await running_game("p,p", entries=6)
    guests = [SimDevice(network).visit(tables[0].invite.fragment) for _ in range(4)]
    await network.until(lambda: all_connected([*tables, *guests]))
    victim, relay = tables
    with counted_work() as work:
        for number in range(FLOOD // 10):
            for guest in guests:
                channel = guest.channels.by_key[relay.keys.seal_key]
                guest.channels.send(channel, Relay(victim.keys.seal_key, "1." + "A" * 9_000))
            if number % 10 == 9:
                await asyncio.sleep(0.01)
    assert not victim.channels.by_key[relay.keys.seal_key].muted
    assert all(relay.channels.by_key[guest.keys.seal_key].muted for guest in guests)
    assert all(relay.channels.by_key[guest.keys.seal_key].connection is None for guest in guests)
    # of the texts for the victim, the relay sent no more than it may relay to one device
    assert work["decrypt"] <= 4 * (DEVICE.messages_at_once + MUTED_AT) + 4 * RELAYED.messages_at_once
    await play_until(network, tables, entry_count(victim) + 4)
    leave(*tables, *guests)


@simulated
async def test_a_flood_by_a_connection_made_by_codes_closes_it_before_the_keys_are_proven() -> None:
    network = Network()
    tables = await seat_all(network, [SimDevice(network)], make_lobby("p,p"))
    by_code = tables[0].channels.by_code
    for message, most in ((_text("x"), BEFORE_PROOF.messages_at_once), (_text("h" + "A" * 30_000), 3), ((None, 5), 0)):
        pending, _ = await by_code.begin(None)
        connection = pending.connection
        assert isinstance(connection, MemoryConnection)
        with counted_work() as work:
            for _ in range(FLOOD):
                if not connection.closed:
                    connection.on_message(*message)
        assert connection.closed
        assert pending not in by_code.pending
        assert sum(work.values()) <= most
    leave(*tables)


def test_an_endpoint_that_floods_is_left_for_a_pause_that_grows() -> None:
    class User:
        keeps = 0

        def __getattr__(self, name: str) -> Any:
            return lambda *args: None

    closed: list[int] = []

    class Wire:
        def send(self, text: str) -> None: ...

        def close(self) -> None:
            closed.append(1)

    endpoint = Endpoint(lambda endpoint: Wire(), User(), "ABCDEFGHJKMN")  # type: ignore[arg-type]
    endpoint.open(0)
    time = 1
    for pause in (FIRST_PAUSE, 2 * FIRST_PAUSE):
        for _ in range(ENDPOINT.messages_at_once + 1):
            endpoint.received('["pong"]', time)
        assert (endpoint.state, endpoint.shown_state) == ("lost", "lost")
        assert closed
        closed.clear()
        endpoint.hurry(time + pause - 1)
        assert endpoint.state == "lost", "nor does a tap on the page shorten it"
        endpoint.hurry(time + pause)
        assert endpoint.state == "connecting"
        time += pause


def test_a_pause_grows_up_to_a_limit() -> None:
    pause = GrowingPause()
    assert pause.is_over(0)
    lengths = []
    for _ in range(8):
        pause.begin(1000)
        assert not pause.is_over(1000 + pause.length - 1)
        assert pause.is_over(1000 + pause.length)
        lengths.append(pause.length)
    assert lengths[:3] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
    assert lengths[-1] == LONGEST_PAUSE


def test_a_meter_counts_messages_and_characters() -> None:
    meter = Meter(0, DEVICE)
    assert [meter.take(0, 1) for _ in range(DEVICE.messages_at_once)] == [True] * DEVICE.messages_at_once
    assert not meter.take(0, 1)
    assert meter.take(1000, 1, DEVICE.messages_per_second)  # type: ignore[arg-type]
    assert not meter.take(1000, 1)
    meter = Meter(0, DEVICE)
    assert meter.take(0, DEVICE.characters_at_once)
    assert not meter.take(0, 1)
    meter.allow_backlog()
    assert [meter.take(0, 1_000) for _ in range(BACKLOG)] == [True] * BACKLOG
    assert not meter.take(0, 1)


def test_a_message_can_be_charged_more_than_once() -> None:
    meter = Meter(0, DEVICE)
    taken = 0
    while meter.take(0, 1):
        meter.charge(USELESS)
        taken += 1
    assert taken == DEVICE.messages_at_once / (1 + USELESS)


def test_slots_that_an_endpoint_makes_up_do_not_fill_the_memory() -> None:
    slots = Slots()
    for number in range(10_000):
        slots.get(number, 0)
    assert len(slots.by_number) < 500


@simulated
async def test_what_piled_up_while_a_device_was_suspended_is_no_flood() -> None:
    network, devices, tables = await running_game("p,p,b1,b1", entries=6)
    await network.until(lambda: all_connected(tables))
    devices[1].suspend()
    line = direct_line(tables[0], tables[1])
    for _ in range(60):
        for _ in range(20):
            for text in tables[0].channels.by_key[tables[1].keys.seal_key].encode(GameFrame("[]")):
                line.send(text)
        await asyncio.sleep(1)
    devices[1].resume()
    await asyncio.sleep(5)
    assert not any(isinstance(event, Muted) and event.reason == "net.flood" for event in devices[1].events)
    leave(*tables)
