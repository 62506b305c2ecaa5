"""The hub alone: rooms, slots and relay."""

import pytest

from signaling.limits import MINUTE
from tests.signaling.hub_world import World

SIGNAL = {"s": 1, "g": "sealed offer"}


def test_the_creator_of_a_room_gets_slot_0(world: World) -> None:
    world.connect("ann")
    world.send("ann", "create", {})
    assert world.received("ann") == [["room", "100000000000", 0, [], "AAAAAAAAAAAAAAAC", 0, 0]]


def test_a_newcomer_gets_the_taken_slots_and_the_others_are_notified(world: World) -> None:
    code = world.room("bob")
    world.connect("cleo")
    world.send("cleo", "join", code.lower(), None)
    assert world.received("cleo") == [["room", code, 2, [0, 1], "AAAAAAAAAAAAAAAE", 0, 0]]
    assert world.received("ann")[-1] == ["in", 2]
    assert world.received("bob")[-1] == ["in", 2]


def test_frames_reach_one_slot_only(world: World) -> None:
    world.room("bob", "cleo")
    for who in ("ann", "bob", "cleo"):
        world.received(who)
    world.send("cleo", "to", 0, SIGNAL)
    world.send("ann", "to", 2, {"s": 1, "g": "sealed"})
    assert world.received("ann") == [["from", 2, SIGNAL]]
    assert world.received("cleo") == [["from", 0, {"s": 1, "g": "sealed"}]]
    assert world.received("bob") == []
    assert world.hub.counts["relayed"] == 2


@pytest.mark.parametrize("seat", [1, 2, 15, 99_999_999])
def test_a_frame_to_an_empty_slot_is_refused(world: World, seat: int) -> None:
    world.room("bob")
    world.drop("bob")
    world.received("ann")
    world.send("ann", "to", seat, SIGNAL)
    assert world.received("ann") == [["err", "seat"]]


def test_a_frame_to_oneself_is_refused(world: World) -> None:
    world.room()
    world.received("ann")
    world.send("ann", "to", 0, SIGNAL)
    assert world.received("ann") == [["err", "seat"]]


def test_a_frame_from_outside_a_room_is_refused(world: World) -> None:
    world.connect("ann")
    world.send("ann", "to", 0, SIGNAL)
    assert world.received("ann") == [["err", "room"]]


@pytest.mark.parametrize("frame", [("create", {}), ("join", "100000000000", None)])
def test_a_connection_can_join_one_room_only(world: World, frame: tuple[object, ...]) -> None:
    world.room()
    world.received("ann")
    world.send("ann", *frame)
    assert world.received("ann") == [["err", "room"]]
    assert len(world.hub.rooms) == 1


def test_leaving_is_announced_and_the_slot_is_reserved(world: World) -> None:
    code = world.room("bob")
    token = world.token("bob")
    world.send("bob", "bye")
    assert world.closed["bob"] == (1000, "bye")
    assert world.received("ann")[-1] == ["out", 1, "bye"]
    world.connect("cleo")
    world.send("cleo", "join", code, None)
    assert world.received("cleo")[0][2] == 2
    world.connect("bob again")
    world.send("bob again", "join", code, token)
    assert world.received("bob again") == [["room", code, 1, [0, 2], token, 0, 0]]


def test_a_token_returns_the_slot_and_closes_the_old_connection(world: World) -> None:
    code = world.room("bob")
    token = world.token("bob")
    world.received("ann")
    world.connect("bob again")
    world.send("bob again", "join", code, token)
    assert world.received("bob")[-1] == ["err", "replaced"]
    assert world.closed["bob"] == (1000, "replaced")
    assert world.received("ann") == [["out", 1, "replaced"], ["in", 1]]
    assert world.received("bob again") == [["room", code, 1, [0], token, 0, 0]]
    world.drop("bob")  # the old connection's end comes late and changes nothing
    world.send("ann", "to", 1, SIGNAL)
    assert world.received("bob again") == [["from", 0, SIGNAL]]


def test_a_token_is_valid_in_its_own_room_only(world: World) -> None:
    world.room("bob")
    token = world.token("bob")
    other = world.room(host="dora")
    world.connect("eve")
    world.send("eve", "join", other, token)
    world.send("eve", "join", other, "AAAAAAAAAAAAAAAA")
    assert world.received("eve") == [["err", "token"], ["err", "token"]]


def test_a_full_room_refuses_newcomers(world: World) -> None:
    world.connect("ann")
    world.send("ann", "create", {"seats": 3})
    code = str(world.frames["ann"][0][1])
    for who in ("bob", "cleo", "dora"):
        world.connect(who)
        world.send(who, "join", code, None)
    assert world.received("dora") == [["err", "full"]]


def test_a_slot_is_free_again_after_a_good_bye(world: World) -> None:
    code = world.room()
    for number in range(40):
        world.connect(number)
        world.send(number, "join", code, None)
        assert world.received(number)[0][:2] == ["room", code]
        world.send(number, "bye")
        world.advance(1)
    assert len(world.hub.rooms[code].slots) == 16


def test_the_slot_of_a_lost_client_is_reserved_for_ten_minutes(world: World) -> None:
    world.connect("ann")
    world.send("ann", "create", {"seats": 3})
    code = str(world.frames["ann"][0][1])
    for who in ("bob", "cleo"):
        world.connect(who)
        world.send(who, "join", code, None)
    tokens = {who: world.token(who) for who in ("ann", "bob", "cleo")}
    world.drop("bob")
    world.advance(1)
    world.drop("cleo")
    world.advance(10 * MINUTE - 2)
    world.connect("dora")
    world.send("dora", "join", code, None)
    assert world.received("dora") == [["err", "full"]]
    world.advance(1)
    world.send("dora", "join", code, None)
    assert world.received("dora")[0][:3] == ["room", code, 1]  # the slot of the device that has been away longest
    world.connect("bob")
    world.send("bob", "join", code, tokens["bob"])
    assert world.received("bob") == [["err", "token"]]
    world.connect("cleo")
    world.send("cleo", "join", code, tokens["cleo"])
    assert world.received("cleo")[0][:3] == ["room", code, 2]
    world.send("ann", "bye")
    world.connect("eve")
    world.send("eve", "join", code, None)
    assert world.received("eve")[0][:3] == ["room", code, 0]  # the first slot is given away like any other


def test_an_expired_room_is_recreated_under_its_code(world: World) -> None:
    code = world.room("bob")
    tokens = [world.token(who) for who in ("ann", "bob")]
    for who in ("ann", "bob"):
        world.drop(who)
    world.advance(30 * MINUTE)
    for who, token in zip(("bob", "ann"), reversed(tokens), strict=True):
        world.connect(who)
        world.send(who, "join", code, token, "make")
    assert world.received("bob")[0][:4] == ["room", code, 0, []]
    assert world.received("ann") == [["err", "token"]]  # it is a new room
    world.send("ann", "join", code, None, "make")
    assert world.received("ann")[0][:4] == ["room", code, 1, [0]]


def test_rooms_are_recreated_only_under_valid_codes_and_up_to_a_limit(world: World) -> None:
    world.connect("eve")
    world.send("eve", "join", "U", None, "make")
    assert world.received("eve") == [["err", "code"]]
    for number in range(31):
        world.connect(number, "10.9.9.9")
        world.send(number, "join", f"ZZZZZZZZZZ{number:02}", None, "make")
    assert world.received(29)[0][:2] == ["room", "ZZZZZZZZZZ29"]
    assert world.received(30) == [["err", "wait"]]
    for number in range(40):  # regression: these guesses were not counted and never cut
        world.send(30, "join", f"YYYYYYYYYY{number:02}", None, "make")
    assert 30 in world.closed


@pytest.mark.parametrize(("asked", "seats"), [(0, 16), (1, 2), (2, 2), (16, 16), (17, 16), (999_999_999, 16)])
def test_rooms_have_between_two_and_sixteen_slots(world: World, asked: int, seats: int) -> None:
    world.connect("ann")
    world.send("ann", "create", {"seats": asked})
    assert [room.capacity for room in world.hub.rooms.values()] == [seats]


def test_a_ping_is_answered_with_a_pong(world: World) -> None:
    world.connect("ann")
    world.send("ann", "ping")
    assert world.received("ann") == [["pong"]]


def test_a_stored_room_is_restored_with_its_tokens(world: World) -> None:
    code = world.room("bob")
    token = world.token("bob")
    record = world.hub.rooms[code].record()
    other = World()
    other.hub.restore(code, record, other.now)
    other.connect("bob")
    other.send("bob", "join", code, token)
    assert other.received("bob") == [["room", code, 1, [], token, 0, 0]]
    other.connect("eve")
    other.send("eve", "join", code, None)
    assert other.received("eve")[0][2] == 2


def test_a_record_of_an_older_version_is_read_without_its_register(world: World) -> None:
    """Older versions stored a register {epoch, host} of the room."""
    tokens = ["AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB"]
    world.hub.restore("ZZZZZZZZZZZZ", {"most": 2, "tokens": tokens, "epoch": 3, "host": 1}, world.now)
    world.connect("bob")
    world.send("bob", "join", "ZZZZZZZZZZZZ", tokens[1])
    assert world.received("bob") == [["room", "ZZZZZZZZZZZZ", 1, [], tokens[1], 0, 0]]
    assert world.hub.rooms["ZZZZZZZZZZZZ"].record() == {"most": 2, "tokens": tokens}
