"""The limits of the hub."""

import tracemalloc

import pytest

from signaling.frames import dumps
from signaling.hub import Hub, Outcome
from signaling.limits import HOUR, KIB, MINUTE, Limits
from signaling.throttle import counted_address
from tests.signaling.hub_world import World


def test_after_80_frames_at_once_800_are_dropped_unread_and_the_next_closes_the_connection(world: World) -> None:
    world.room("bob")
    world.received("bob")
    for _ in range(79):  # one was the join
        world.send("bob", "ping")
    assert len(world.received("bob")) == 79
    for _ in range(800):
        world.send_text("bob", "[" * 9000)  # it would be a bad frame, if it was read
    assert world.received("bob") == []
    assert "bob" not in world.closed
    world.send("bob", "ping")
    assert world.closed["bob"] == (1008, "fast")
    assert world.received("bob")[-1] == ["err", "fast"]
    assert world.received("ann")[-1] == ["out", 1, "fast"]
    world.send("bob", "ping")
    assert world.received("bob") == []
    assert world.hub.counts["cut fast"] == 1


def test_after_a_flood_a_slot_is_closed_for_a_pause_that_grows(world: World) -> None:
    code = world.room("bob")
    token = str(world.received("bob")[0][4])
    for pause in (15, 30, 60, 120, 240, 480, 600, 600):
        for _ in range(881):
            world.send("bob", "ping")
        assert world.closed.pop("bob") == (1008, "fast")
        world.advance(pause - 1)
        world.connect("bob")
        world.send("bob", "join", code, token)
        assert world.received("bob") == [["err", "wait"]]
        world.advance(1)
        world.send("bob", "join", code, token)
        assert world.received("bob")[0][:3] == ["room", code, 1]
        world.send("ann", "ping")  # so that the room does not expire


def test_a_client_that_was_too_slow_may_come_back_at_once(world: World) -> None:
    """It may be a phone in a pocket."""
    code = world.room("bob")
    token = str(world.received("bob")[0][4])
    out = Outcome()
    world.hub.cut("bob", "slow", world.now, out)
    world.connect("bob")
    world.send("bob", "join", code, token)
    assert world.received("bob")[0][:3] == ["room", code, 1]


def test_twenty_frames_a_second_are_always_allowed(world: World) -> None:
    world.room()
    for _ in range(2000):
        world.now += 0.05
        world.send("ann", "ping")
    assert world.closed == {}


def test_a_clock_that_steps_back_does_not_refill_the_rate_limit(world: World) -> None:
    world.connect("ann")
    for _ in range(40):
        world.now -= 1
        world.send("ann", "ping")
        world.now += 1
        world.send("ann", "ping")
    assert len(world.received("ann")) == 80
    world.send("ann", "ping")
    assert world.received("ann") == []


def test_what_an_honest_page_sent_while_its_network_stood_still_is_no_flood(world: World) -> None:
    """It sends 60 frames at once and 15 a second (`peer/channels/endpoint.py`), and gives up after 45 seconds."""
    world.room("bob")
    for _ in range(60 + 15 * 45):
        world.send("bob", "ping")
    assert "bob" not in world.closed
    world.advance(10)
    world.received("bob")
    world.send("bob", "ping")
    assert world.received("bob") == [["pong"]]


def test_bad_frames_are_answered_a_few_times_and_then_close_the_connection(world: World) -> None:
    world.connect("ann")
    for _ in range(8):
        world.send_text("ann", '["shout"]')
    assert world.received("ann") == [["err", "frame"]] * 8
    world.send_text("ann", "[" * 9000)
    assert world.received("ann") == [["err", "json"], ["err", "bad"]]
    assert world.closed["ann"] == (1008, "bad")


def test_an_oversized_frame_closes_the_connection_at_once(world: World) -> None:
    world.connect("ann")
    world.send_text("ann", "x" * (16 * KIB + 1))
    assert world.closed["ann"] == (1008, "bad")


def guess(world: World, times: int, address: str) -> None:
    for number in range(times):
        world.connect(number, address)
        world.send(number, "join", f"ZZZZZZZZZZ{number:02}", None)


def test_more_than_twenty_wrong_codes_a_minute_close_the_connection(world: World) -> None:
    guess(world, 21, "10.9.9.9")
    assert world.received(19) == [["err", "code"]]
    assert world.received(20) == [["err", "wait"]]
    assert world.closed == {20: (1008, "wait")}
    world.advance(MINUTE)
    guess(world, 1, "10.9.9.9")
    assert world.received(0) == [["err", "code"]]


def test_wrong_codes_from_one_address_block_no_right_code_and_no_token(world: World) -> None:
    code = world.room("bob")
    token = world.token("bob")
    guess(world, 30, "10.0.0.1")
    world.connect("cleo")
    world.send("cleo", "join", code, None)
    assert world.received("cleo")[0][:3] == ["room", code, 2]
    world.connect("bob again")
    world.send("bob again", "join", code, token)
    assert world.received("bob again")[0][:3] == ["room", code, 1]


def test_connections_of_one_address_do_not_fill_the_endpoint() -> None:
    world = World(Limits(connections=50, connections_per_address=20, roomless_per_address=10))
    for number in range(50):
        world.connect(number, "10.9.9.9")
    assert len(world.hub.clients) == 10
    assert world.closed[10] == (1013, "busy")
    assert world.room("bob") in world.hub.rooms
    world.drop(0)
    world.send(1, "create", {})
    for number in range(50, 100):
        world.connect(number, "10.9.9.9")
    assert (len(world.hub.clients), len(world.hub._by_address)) == (2 + 11, 2)
    for number in range(50, 100):
        world.send(number, "create", {})
    for number in range(100, 120):
        world.connect(number, "10.9.9.9")
        world.send(number, "create", {})
    assert len(world.hub.clients) == 2 + 20
    for number in range(120):
        world.drop(number)
    assert set(world.hub._by_address) == {"10.0.0.1"}


def test_an_address_can_create_thirty_rooms_a_minute(world: World) -> None:
    for number in range(31):
        world.connect(number, "10.9.9.9")
        world.send(number, "create", {})
    assert world.received(29)[0][0] == "room"
    assert world.received(30) == [["err", "wait"]]


def test_a_full_endpoint_answers_busy() -> None:
    world = World(Limits(rooms=1, connections=3))
    world.room()
    world.connect("bob")
    world.send("bob", "create", {})
    assert world.received("bob") == [["err", "busy"]]
    world.connect("cleo")
    world.connect("dora")
    assert world.received("dora") == [["err", "busy"]]
    assert world.closed == {"dora": (1013, "busy")}


def test_a_connection_that_joins_no_room_is_closed(world: World) -> None:
    world.connect("ann")
    world.advance(29)
    assert world.closed == {}
    world.advance(1)
    assert world.closed == {"ann": (1008, "idle")}


def test_a_room_expires_two_hours_after_the_last_frame(world: World) -> None:
    world.room("bob")
    world.advance(2 * HOUR - 1)
    world.send("bob", "ping")
    world.advance(2 * HOUR - 1)
    assert world.closed == {}
    world.received("ann")
    world.advance(1)
    assert world.received("ann") == [["err", "expired"]]
    assert world.closed == {"ann": (1000, "expired"), "bob": (1000, "expired")}
    assert (world.hub.rooms, world.hub.clients) == ({}, {})


def test_an_empty_room_expires_after_half_an_hour(world: World) -> None:
    code = world.room()
    token = world.token("ann")
    world.drop("ann")
    world.advance(30 * MINUTE - 1)
    world.connect("ann")
    world.send("ann", "join", code, token)
    assert world.received("ann")[0][:3] == ["room", code, 0]
    world.drop("ann")
    world.advance(30 * MINUTE)
    assert world.hub.rooms == {}


def test_ten_thousand_idle_rooms_of_five_fit_in_64_megabytes() -> None:
    """Measures a twentieth of them, because tracing every allocation is slow."""
    hub = Hub()
    tracemalloc.start()
    try:
        for number in range(500):
            for seat in range(5):
                hub.connect((number, seat), f"10.{number >> 8}.{number & 255}.1", 0.0)
            code = hub.receive((number, 0), '["create",{}]', 0.0).frames[0][1][1]
            for seat in range(1, 5):
                hub.receive((number, seat), dumps(["join", code, None]), 0.0)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [len(room.present()) for room in hub.rooms.values()] == [5] * 500
    assert used * 20 < 64 * KIB * KIB


def test_the_counts_of_an_address_are_dropped_after_a_minute(world: World) -> None:
    for number in range(100):
        address = f"10.1.0.{number}"
        world.connect(number, address)
        world.send(number, "join", "ZZZZZZZZZZZZ", None)
    assert len(world.hub._wrong_codes._counts) == 100
    world.advance(MINUTE)
    assert len(world.hub._wrong_codes._counts) == 0


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("unknown", "unknown"),
    ],
)
def test_addresses_of_one_network_prefix_count_as_one(address: str, origin: str) -> None:
    assert counted_address(address) == origin
