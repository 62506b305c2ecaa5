"""The hub alone: rooms, seats, relay, register and limits, with a clock that the test holds."""

import itertools
import tracemalloc

import pytest

from signaling.frames import Frame, dumps
from signaling.hub import Hub, Outcome
from signaling.limits import HOUR, KIB, MINUTE, Limits
from signaling.rooms import Connection
from signaling.throttle import origin_of

SIGNAL = {"s": 1, "d": {"type": "offer", "sdp": "v=0"}}


class World:
    """A hub, its clock, and what everybody has heard."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.now = 1000.0
        self._draws = itertools.count(1)
        self.hub = Hub(limits, self._draw)
        self.heard: dict[Connection, list[Frame]] = {}
        self.closed: dict[Connection, tuple[int, str]] = {}

    def _draw(self, count: int) -> bytes:
        return next(self._draws).to_bytes(count, "big")

    def come(self, who: Connection, address: str = "10.0.0.1") -> None:
        self.heard[who] = []
        self._take(self.hub.connect(who, address, self.now))

    def says(self, who: Connection, *frame: object) -> None:
        self.raw(who, dumps(list(frame)))

    def raw(self, who: Connection, text: str) -> None:
        self._take(self.hub.receive(who, text, self.now))

    def lost(self, who: Connection) -> None:
        self._take(self.hub.drop(who, self.now))

    def later(self, seconds: float) -> None:
        self.now += seconds
        self._take(self.hub.tick(self.now))

    def hears(self, who: Connection) -> list[Frame]:
        """What it has heard since it was last asked."""
        heard, self.heard[who] = self.heard[who], []
        return heard

    def _take(self, out: Outcome) -> None:
        for connection, frame in out.frames:
            self.heard[connection].append(frame)
        for connection, code, why in out.closes:
            self.closed[connection] = (code, why)

    def table(self, *others: Connection, host: Connection = "ann") -> str:
        """A room with these people in it; gives its code."""
        self.come(host)
        self.says(host, "create", {})
        code = str(self.heard[host][0][1])
        for who in others:
            self.come(who)
            self.says(who, "join", code, None)
        return code

    def token(self, who: Connection) -> str:
        return next(str(frame[4]) for frame in self.heard[who] if frame[0] == "room")


@pytest.fixture
def world() -> World:
    return World()


def test_who_makes_a_room_sits_on_seat_0_and_is_its_host(world: World) -> None:
    world.come("ann")
    world.says("ann", "create", {})
    assert world.hears("ann") == [["room", "100000000000", 0, [], "AAAAAAAAAAAAAAAC", 0, 0]]


def test_a_newcomer_hears_who_is_here_and_the_others_hear_of_it(world: World) -> None:
    code = world.table("bob")
    world.come("cleo")
    world.says("cleo", "join", code.lower(), None)
    assert world.hears("cleo") == [["room", code, 2, [0, 1], "AAAAAAAAAAAAAAAE", 0, 0]]
    assert world.hears("ann")[-1] == ["in", 2]
    assert world.hears("bob")[-1] == ["in", 2]


def test_introductions_and_sealed_frames_reach_one_seat_only(world: World) -> None:
    world.table("bob", "cleo")
    for who in ("ann", "bob", "cleo"):
        world.hears(who)
    world.says("cleo", "to", 0, SIGNAL)
    world.says("ann", "to", 2, {"s": 1, "g": "sealed"})
    assert world.hears("ann") == [["from", 2, SIGNAL]]
    assert world.hears("cleo") == [["from", 0, {"s": 1, "g": "sealed"}]]
    assert world.hears("bob") == []
    assert world.hub.counts["relayed"] == 2


@pytest.mark.parametrize("seat", [1, 2, 15, 99_999_999])
def test_nobody_there(world: World, seat: int) -> None:
    world.table("bob")
    world.lost("bob")
    world.hears("ann")
    world.says("ann", "to", seat, SIGNAL)
    assert world.hears("ann") == [["err", "seat"]]


def test_a_frame_to_oneself_goes_nowhere(world: World) -> None:
    world.table()
    world.hears("ann")
    world.says("ann", "to", 0, SIGNAL)
    assert world.hears("ann") == [["err", "seat"]]


@pytest.mark.parametrize("frame", [("to", 0, SIGNAL), ("claim", 1)])
def test_outside_a_room_there_is_nobody_to_speak_to(world: World, frame: tuple[object, ...]) -> None:
    world.come("ann")
    world.says("ann", *frame)
    assert world.hears("ann") == [["err", "room"]]


@pytest.mark.parametrize("frame", [("create", {}), ("join", "100000000000", None)])
def test_a_connection_sits_in_one_room(world: World, frame: tuple[object, ...]) -> None:
    world.table()
    world.hears("ann")
    world.says("ann", *frame)
    assert world.hears("ann") == [["err", "room"]]
    assert len(world.hub.rooms) == 1


def test_leaving_is_told_and_the_seat_is_held(world: World) -> None:
    code = world.table("bob")
    token = world.token("bob")
    world.says("bob", "bye")
    assert world.closed["bob"] == (1000, "bye")
    assert world.hears("ann")[-1] == ["out", 1, "bye"]
    world.come("cleo")
    world.says("cleo", "join", code, None)
    assert world.hears("cleo")[0][2] == 2
    world.come("bob again")
    world.says("bob again", "join", code, token)
    assert world.hears("bob again") == [["room", code, 1, [0, 2], token, 0, 0]]


def test_the_token_brings_the_seat_back_and_the_old_line_is_closed(world: World) -> None:
    code = world.table("bob")
    token = world.token("bob")
    world.hears("ann")
    world.come("bob again")
    world.says("bob again", "join", code, token)
    assert world.hears("bob")[-1] == ["err", "replaced"]
    assert world.closed["bob"] == (1000, "replaced")
    assert world.hears("ann") == [["out", 1, "replaced"], ["in", 1]]
    assert world.hears("bob again") == [["room", code, 1, [0], token, 0, 0]]
    world.lost("bob")  # the old line's end comes late and changes nothing
    world.says("ann", "to", 1, SIGNAL)
    assert world.hears("bob again") == [["from", 0, SIGNAL]]


def test_a_token_is_good_for_its_own_room_only(world: World) -> None:
    world.table("bob")
    token = world.token("bob")
    other = world.table(host="dora")
    world.come("eve")
    world.says("eve", "join", other, token)
    world.says("eve", "join", other, "AAAAAAAAAAAAAAAA")
    assert world.hears("eve") == [["err", "token"], ["err", "token"]]


def test_the_register_changes_by_one_and_of_two_who_claim_one_wins(world: World) -> None:
    world.table("bob", "cleo")
    for who in ("ann", "bob", "cleo"):
        world.hears(who)
    world.says("bob", "claim", 1)
    world.says("cleo", "claim", 1)
    world.says("cleo", "claim", 3)
    assert world.hears("ann") == [["host", 1, 1]]
    assert world.hears("bob") == [["host", 1, 1]]
    assert world.hears("cleo") == [["host", 1, 1], ["host", 1, 1], ["host", 1, 1]]
    world.says("cleo", "claim", 2)
    assert world.hears("ann") == [["host", 2, 2]]


def test_a_full_room_is_full(world: World) -> None:
    world.come("ann")
    world.says("ann", "create", {"seats": 3})
    code = str(world.heard["ann"][0][1])
    for who in ("bob", "cleo", "dora"):
        world.come(who)
        world.says(who, "join", code, None)
    assert world.hears("dora") == [["err", "full"]]


def test_a_visitors_place_is_free_again_when_they_have_said_good_bye(world: World) -> None:
    code = world.table()
    for number in range(40):
        world.come(number)
        world.says(number, "join", code, None)
        assert world.hears(number)[0][:2] == ["room", code]
        world.says(number, "bye")
        world.later(1)
    assert len(world.hub.rooms[code].seats) == 16


def test_who_is_lost_has_the_place_for_ten_minutes_and_then_it_is_a_newcomers(world: World) -> None:
    world.come("ann")
    world.says("ann", "create", {"seats": 3})
    code = str(world.heard["ann"][0][1])
    for who in ("bob", "cleo"):
        world.come(who)
        world.says(who, "join", code, None)
    tokens = {who: world.token(who) for who in ("ann", "bob", "cleo")}
    world.lost("bob")
    world.later(1)
    world.lost("cleo")
    world.later(10 * MINUTE - 2)
    world.come("dora")
    world.says("dora", "join", code, None)
    assert world.hears("dora") == [["err", "full"]]
    world.later(1)
    world.says("dora", "join", code, None)
    assert world.hears("dora")[0][:3] == ["room", code, 1]  # of who is gone for longest
    world.come("bob")
    world.says("bob", "join", code, tokens["bob"])
    assert world.hears("bob") == [["err", "token"]]
    world.come("cleo")
    world.says("cleo", "join", code, tokens["cleo"])
    assert world.hears("cleo")[0][:3] == ["room", code, 2]
    world.says("ann", "bye")  # the register names this place: nobody inherits it
    world.come("eve")
    world.says("eve", "join", code, None)
    assert world.hears("eve") == [["err", "full"]]


def test_a_room_that_is_no_more_is_made_anew_under_its_code(world: World) -> None:
    code = world.table("bob")
    tokens = [world.token(who) for who in ("ann", "bob")]
    for who in ("ann", "bob"):
        world.lost(who)
    world.later(30 * MINUTE)
    for who, token in zip(("bob", "ann"), reversed(tokens), strict=True):
        world.come(who)
        world.says(who, "join", code, token, "make")
    assert world.hears("bob")[0][:4] == ["room", code, 0, []]
    assert world.hears("ann") == [["err", "token"]]  # it is another room by now
    world.says("ann", "join", code, None, "make")
    assert world.hears("ann")[0][:4] == ["room", code, 1, [0]]


def test_no_room_is_made_under_what_is_no_code_and_not_without_end(world: World) -> None:
    world.come("eve")
    world.says("eve", "join", "U", None, "make")
    assert world.hears("eve") == [["err", "code"]]
    for number in range(31):
        world.come(number, "10.9.9.9")
        world.says(number, "join", f"ZZZZZZZZZZ{number:02}", None, "make")
    assert world.hears(29)[0][:2] == ["room", "ZZZZZZZZZZ29"]
    assert world.hears(30) == [["err", "wait"]]


@pytest.mark.parametrize(("asked", "seats"), [(0, 16), (1, 2), (2, 2), (16, 16), (17, 16), (999_999_999, 16)])
def test_rooms_have_between_two_and_sixteen_seats(world: World, asked: int, seats: int) -> None:
    world.come("ann")
    world.says("ann", "create", {"seats": asked})
    assert [room.most for room in world.hub.rooms.values()] == [seats]


def test_ping_and_pong(world: World) -> None:
    world.come("ann")
    world.says("ann", "ping")
    assert world.hears("ann") == [["pong"]]


# Limits


def test_a_burst_of_80_is_fine_and_the_next_frame_cuts_the_line(world: World) -> None:
    world.table("bob")
    for _ in range(79):  # one was the join
        world.says("bob", "ping")
    assert "bob" not in world.closed
    world.says("bob", "ping")
    assert world.closed["bob"] == (1008, "fast")
    assert world.hears("bob")[-1] == ["err", "fast"]
    assert world.hears("ann")[-1] == ["out", 1, "cut"]
    world.says("bob", "ping")
    assert world.hears("bob") == []
    assert world.hub.counts["cut fast"] == 1


def test_twenty_frames_a_second_go_on_for_ever(world: World) -> None:
    world.table()
    for _ in range(2000):
        world.now += 0.05
        world.says("ann", "ping")
    assert world.closed == {}


def test_a_clock_that_steps_back_gives_nothing_away(world: World) -> None:
    world.come("ann")
    for _ in range(40):
        world.now -= 1
        world.says("ann", "ping")
        world.now += 1
        world.says("ann", "ping")
    world.says("ann", "ping")
    assert world.closed["ann"] == (1008, "fast")


def test_nonsense_is_answered_a_few_times_and_then_cut(world: World) -> None:
    world.come("ann")
    for _ in range(8):
        world.raw("ann", '["shout"]')
    assert world.hears("ann") == [["err", "frame"]] * 8
    world.raw("ann", "[" * 9000)
    assert world.hears("ann") == [["err", "json"], ["err", "bad"]]
    assert world.closed["ann"] == (1008, "bad")


def test_an_oversized_frame_is_cut_at_once(world: World) -> None:
    world.come("ann")
    world.raw("ann", "x" * (16 * KIB + 1))
    assert world.closed["ann"] == (1008, "bad")


def guess(world: World, times: int, address: str) -> None:
    for number in range(times):
        world.come(number, address)
        world.says(number, "join", f"ZZZZZZZZZZ{number:02}", None)


def test_after_twenty_wrong_codes_a_minute_each_one_more_costs_a_line(world: World) -> None:
    guess(world, 21, "10.9.9.9")
    assert world.hears(19) == [["err", "code"]]
    assert world.hears(20) == [["err", "wait"]]
    assert world.closed == {20: (1008, "wait")}
    world.later(MINUTE)
    guess(world, 1, "10.9.9.9")
    assert world.hears(0) == [["err", "code"]]


def test_wrong_codes_of_a_neighbour_block_no_right_one_and_no_token(world: World) -> None:
    code = world.table("bob")
    token = world.token("bob")
    guess(world, 30, "10.0.0.1")
    world.come("cleo")
    world.says("cleo", "join", code, None)
    assert world.hears("cleo")[0][:3] == ["room", code, 2]
    world.come("bob again")
    world.says("bob again", "join", code, token)
    assert world.hears("bob again")[0][:3] == ["room", code, 1]


def test_lines_of_one_address_do_not_fill_the_endpoint() -> None:
    world = World(Limits(connections=50, lines=20, unseated=10))
    for number in range(50):
        world.come(number, "10.9.9.9")
    assert len(world.hub.clients) == 10
    assert world.closed[10] == (1013, "busy")
    assert world.table("bob") in world.hub.rooms
    world.lost(0)
    world.says(1, "create", {})
    for number in range(50, 100):
        world.come(number, "10.9.9.9")
    assert (len(world.hub.clients), len(world.hub._lines)) == (2 + 11, 2)
    for number in range(50, 100):
        world.says(number, "create", {})
    for number in range(100, 120):
        world.come(number, "10.9.9.9")
        world.says(number, "create", {})
    assert len(world.hub.clients) == 2 + 20
    for number in range(120):
        world.lost(number)
    assert set(world.hub._lines) == {"10.0.0.1"}


def test_an_address_makes_thirty_rooms_a_minute(world: World) -> None:
    for number in range(31):
        world.come(number, "10.9.9.9")
        world.says(number, "create", {})
    assert world.hears(29)[0][0] == "room"
    assert world.hears(30) == [["err", "wait"]]


def test_a_full_endpoint_says_so() -> None:
    world = World(Limits(rooms=1, connections=3))
    world.table()
    world.come("bob")
    world.says("bob", "create", {})
    assert world.hears("bob") == [["err", "busy"]]
    world.come("cleo")
    world.come("dora")
    assert world.hears("dora") == [["err", "busy"]]
    assert world.closed == {"dora": (1013, "busy")}


def test_who_takes_no_seat_is_sent_away(world: World) -> None:
    world.come("ann")
    world.later(29)
    assert world.closed == {}
    world.later(1)
    assert world.closed == {"ann": (1008, "idle")}


def test_a_room_lives_two_hours_after_the_last_frame(world: World) -> None:
    world.table("bob")
    world.later(2 * HOUR - 1)
    world.says("bob", "ping")
    world.later(2 * HOUR - 1)
    assert world.closed == {}
    world.hears("ann")
    world.later(1)
    assert world.hears("ann") == [["err", "expired"]]
    assert world.closed == {"ann": (1000, "expired"), "bob": (1000, "expired")}
    assert (world.hub.rooms, world.hub.clients) == ({}, {})


def test_an_empty_room_lives_half_an_hour(world: World) -> None:
    code = world.table()
    token = world.token("ann")
    world.lost("ann")
    world.later(30 * MINUTE - 1)
    world.come("ann")
    world.says("ann", "join", code, token)
    assert world.hears("ann")[0][:3] == ["room", code, 0]
    world.lost("ann")
    world.later(30 * MINUTE)
    assert world.hub.rooms == {}


def test_ten_thousand_idle_rooms_of_five_fit_in_64_megabytes() -> None:
    """Counted on a twentieth of them: counting every byte is slow."""
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


def test_what_an_address_did_is_forgotten_with_its_minute(world: World) -> None:
    for number in range(100):
        address = f"10.1.0.{number}"
        world.come(number, address)
        world.says(number, "join", "ZZZZZZZZZZZZ", None)
    assert len(world.hub._wrong._told) == 100
    world.later(MINUTE)
    assert len(world.hub._wrong._told) == 0


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
def test_a_customer_with_many_addresses_counts_as_one(address: str, origin: str) -> None:
    assert origin_of(address) == origin


def test_a_room_that_was_kept_comes_back_with_its_tokens_and_its_register(world: World) -> None:
    code = world.table("bob")
    token = world.token("bob")
    world.says("bob", "claim", 1)
    record = world.hub.rooms[code].record()
    other = World()
    other.hub.restore(code, record, other.now)
    other.come("bob")
    other.says("bob", "join", code, token)
    assert other.hears("bob") == [["room", code, 1, [], token, 1, 1]]
    other.come("eve")
    other.says("eve", "join", code, None)
    assert other.hears("eve")[0][2] == 2
