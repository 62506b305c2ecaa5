"""Several nodes, some as processes of their own, and a real Redis that comes and goes."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from signaling.cluster import Cluster
from signaling.hub import Hub
from signaling.limits import Limits
from signaling.server import Server
from tests.signaling.conftest import LEASE, NodeProcess, Redis
from tests.signaling.people import PAGE, Person, come, come_and_sit, play, until

Processes = tuple[NodeProcess, NodeProcess]


@asynccontextmanager
async def two_nodes(redis: Redis) -> AsyncIterator[tuple[Server, Server]]:
    """Runs two nodes in this process that are connected by Redis only."""
    url, limits = redis.database(), Limits(close_within=0.2)
    nodes = [Server(Cluster(Hub(limits), url, LEASE), origins=[PAGE]) for _ in range(2)]
    async with nodes[0] as first, nodes[1] as second:
        yield first, second


CODE = "7ZQ4M1KX0B2C"


async def come_to_make(port: int, code: str = CODE) -> Person:
    """Joins as a device that still keeps the table: tries until it gets a slot, and makes the room if needed."""
    return await come_and_sit(port, code, None, "make")


async def redis_is(server: Server, state: str) -> None:
    async def told() -> bool:
        return server.node.redis() == state

    await until(told)


def test_a_room_on_two_nodes(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob, cleo = await come(first.port), await come(second.port), await come(second.port)
            code = await ann.makes_room()
            assert await bob.joins(code) == [0]
            assert await ann.hears() == ["in", 1]
            assert await cleo.joins(code) == [0, 1]
            assert await bob.hears() == ["in", 2]
            await bob.says("to", 0, {"s": 1, "d": "offer"})
            assert await ann.waits_for("from") == ["from", 1, {"s": 1, "d": "offer"}]
            await ann.says("to", 1, {"s": 1, "d": "answer"})
            assert await bob.hears() == ["from", 0, {"s": 1, "d": "answer"}]
            await cleo.says("to", 1, {"s": 1, "g": "sealed é"})
            assert await bob.hears() == ["from", 2, {"s": 1, "g": "sealed é"}]
            for number in range(50):
                await bob.says("to", 0, {"s": number, "g": ""})
            assert [(await ann.waits_for("from"))[2]["s"] for _ in range(50)] == list(range(50))
            await bob.says("claim", 1)
            await cleo.says("claim", 1)
            for person in (ann, bob, cleo):
                assert await person.waits_for("host") == ["host", 1, 1]
            await cleo.says("bye")
            assert await cleo.closed() == (1000, "bye")
            assert await ann.waits_for("out") == ["out", 2, "bye"]
            again = await come(first.port)  # the slot moves to a connection of the other node
            assert await again.joins(code, bob.token) == [0]
            assert await bob.waits_for("err") == ["err", "replaced"]
            assert await bob.closed() == (1000, "replaced")

    play(scene())


def test_what_a_node_refuses_for_another(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await come(first.port), await come(second.port)
            await ann.says("create", {"seats": 2})
            code = (await ann.hears())[1]
            await bob.says("join", code, "AAAAAAAAAAAAAAAA")
            assert await bob.hears() == ["err", "token"]
            await bob.joins(code)
            cleo = await come(second.port)
            await cleo.says("join", code, None)
            assert await cleo.hears() == ["err", "full"]
            await cleo.makes_room()  # the connection may still be used

    play(scene())


def test_limits_hold_for_clients_of_rooms_elsewhere(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await come(first.port), await come(second.port)
            await bob.joins(await ann.makes_room())
            for _ in range(120):
                await bob.says("ping")
            assert await bob.closed() == (1008, "fast")
            assert await ann.waits_for("out") == ["out", 1, "cut"]

    play(scene())


def test_wrong_codes_count_on_all_nodes_together(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann = await come(first.port)
            code = await ann.makes_room()
            wrong = 0
            while wrong < 20:
                eve = await come((first, second)[wrong % 2].port)
                await eve.says("join", f"ZZZZZZZZZZ{wrong:02}", None)
                told = await eve.hears()
                # while Redis has just started, nodes do not claim that a room does not exist
                assert told in (["err", "code"], ["err", "away"])
                wrong += told == ["err", "code"]
                await eve.leaves()
            for node in (first, second):
                eve = await come(node.port)
                await eve.says("join", "ZZZZZZZZZZZZ", None)
                assert await eve.hears() == ["err", "wait"]
                assert await eve.closed() == (1008, "wait")
                bob = await come(node.port)  # a right code is never blocked
                await bob.joins(code)

    play(scene())


def test_a_room_that_is_no_more_is_made_anew_once_whichever_node_is_asked(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await come_to_make(first.port), await come_to_make(second.port)
            assert (ann.code, bob.code) == (CODE, CODE)
            assert (ann.seat, ann.others) == (0, [])
            assert (bob.seat, bob.others) == (1, [0])
            cleo = await come_and_sit(first.port, CODE)
            assert cleo.others == [0, 1]

    play(scene())


def test_two_nodes_that_make_a_room_anew_at_once_agree_on_one(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            await (await come_to_make(first.port, "YYYYYYYYYYYY")).leaves()  # Redis has been running for a while now
            people = await asyncio.gather(come_to_make(first.port), come_to_make(second.port))

            async def together() -> bool:
                return sum(CODE in node.node.hub.rooms for node in (first, second)) == 1

            await until(together)
            cleo = await come_and_sit(second.port, CODE)
            for person in people:
                await person.leaves()
            assert cleo.others

    play(scene())


def test_a_room_that_its_node_has_just_ended_is_asked_for_again_in_a_moment(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await come(first.port), await come(second.port)
            code = await ann.makes_room()
            del first.node.hub.rooms[code]  # Redis does not know it yet
            for _ in range(22):  # not counted as wrong codes
                await bob.says("join", code, None)
                assert await bob.hears() == ["err", "away"]

    play(scene())


def test_a_killed_node_leaves_no_ghosts_and_its_rooms_go_on_elsewhere(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await come(first.port), await come(second.port)
        code = await ann.makes_room()
        await bob.joins(code)
        await ann.says("claim", 1)
        await bob.waits_for("host", 1, 0)
        first.kill()
        assert await bob.waits_for("err") == ["err", "away"]
        assert await bob.closed() == (1013, "away")
        bob_again = await come_and_sit(second.port, code, bob.token)
        assert (bob_again.seat, bob_again.others, bob_again.epoch, bob_again.host) == (1, [], 1, 0)
        ann_again = await come_and_sit(second.port, code, ann.token)
        assert (ann_again.seat, ann_again.others) == (0, [1])

    play(scene())


def test_killed_guests_leave_no_ghosts(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await come(first.port), await come(second.port)
        await bob.joins(await ann.makes_room())
        second.kill()
        assert await ann.waits_for("out") == ["out", 1, "lost"]

    play(scene())


def test_a_node_killed_in_mid_join_costs_the_newcomer_a_moment(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await come(first.port), await come(second.port)
        code = await ann.makes_room()
        first.signal(signal.SIGSTOP)
        await bob.says("join", code, None)  # has to wait for the stopped node
        await bob.says("ping")
        first.kill()
        assert await bob.hears() == ["err", "away"]
        await bob.leaves()
        again = await come_and_sit(second.port, code)
        assert (again.seat, again.others) == (1, [])
        ann_again = await come_and_sit(second.port, code, ann.token)
        assert (ann_again.seat, ann_again.others) == (0, [1])

    play(scene())


def test_a_newcomer_whose_node_is_killed_in_mid_join_is_no_ghost(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await come(first.port), await come(second.port)
        code = await ann.makes_room()
        first.signal(signal.SIGSTOP)
        await bob.says("join", code, None)
        await bob.says("ping")
        second.kill()
        first.signal(signal.SIGCONT)

        async def nobody_but_ann() -> bool:
            cleo = await come_and_sit(first.port, code)
            await cleo.says("bye")
            await cleo.closed()
            return cleo.others == [0]

        await until(nobody_but_ann)

    play(scene())


def test_a_node_thought_dead_gives_its_rooms_up(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await come(first.port), await come(second.port)
        code = await ann.makes_room()
        await bob.joins(code)
        first.signal(signal.SIGSTOP)
        bob_again = await come_and_sit(second.port, code, bob.token)
        assert bob_again.others == []
        first.signal(signal.SIGCONT)
        assert await ann.waits_for("err") == ["err", "moved"]
        assert await ann.closed() == (1013, "moved")
        ann_again = await come_and_sit(first.port, code, ann.token)
        assert (ann_again.seat, ann_again.others) == (0, [1])
        assert await bob_again.hears() == ["in", 0]

    play(scene())


def test_a_node_that_is_stopped_hands_its_rooms_over_at_once(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann = await come(first.port)
        code = await ann.makes_room()
        closing = asyncio.create_task(ann.closed())
        first.signal(signal.SIGTERM)
        assert await closing == (1012, "restart")
        again = await come_and_sit(second.port, code, ann.token)
        assert (again.seat, again.others) == (0, [])
        assert await asyncio.to_thread(first.wait) == 0

    play(scene())


@pytest.mark.parametrize("how", ["killed", "hung"])
def test_without_redis_every_node_goes_on_with_its_own_rooms(redis: Redis, how: str) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await come(first.port), await come(second.port)
            code = await ann.makes_room()
            await bob.joins(code)
            redis.stop() if how == "killed" else redis.signal(signal.SIGSTOP)
            # the guest is told, and so is the client that stays
            assert await bob.waits_for("err") == ["err", "away"]
            assert await bob.closed() == (1013, "away")
            assert await ann.waits_for("out") == ["out", 1, "lost"]
            # the room goes on at the node that owns it
            cleo = await come(first.port)
            assert await cleo.joins(code) == [0]
            await cleo.says("to", 0, {"s": 1, "g": "sealed"})
            assert await ann.waits_for("from") == ["from", 2, {"s": 1, "g": "sealed"}]
            await cleo.says("claim", 1)
            assert await ann.waits_for("host") == ["host", 1, 2]
            # other nodes cannot say if it exists, but make new rooms
            dora = await come(second.port)
            await dora.says("join", code, None)
            assert await dora.hears() == ["err", "away"]
            other = await dora.makes_room()
            # Redis is back, and empty if it was killed
            redis.start() if how == "killed" else redis.signal(signal.SIGCONT)
            await redis_is(first, "up")
            await redis_is(second, "up")
            bob_again = await come_and_sit(second.port, code, bob.token)
            assert (bob_again.seat, bob_again.others, bob_again.epoch, bob_again.host) == (1, [0, 2], 1, 2)
            assert await ann.waits_for("in") == ["in", 1]
            eve = await come_and_sit(first.port, other)
            assert eve.others == [0]
            assert await dora.waits_for("in") == ["in", 1]

    play(scene())


def test_a_node_starts_without_redis_and_finds_it_later(redis: Redis) -> None:
    redis.stop()

    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann = await come(first.port)
            code = await ann.makes_room()
            redis.start()
            await redis_is(second, "up")
            bob = await come_and_sit(second.port, code)
            assert bob.others == [0]

    play(scene())
