"""Several nodes, some as processes of their own, and a real Redis that comes and goes."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis as Client

from signaling.cluster import Cluster
from signaling.hub import Hub
from signaling.limits import Limits
from signaling.server import Server
from signaling.session import room_key
from tests.signaling.conftest import LEASE, NodeProcess, Redis
from tests.signaling.people import PAGE, Person, connect_person, join_with_retry, run_scene, wait_until

Processes = tuple[NodeProcess, NodeProcess]


@asynccontextmanager
async def two_nodes(redis: Redis) -> AsyncIterator[tuple[Server, Server]]:
    """Runs two nodes in this process that are connected by Redis only."""
    url, limits = redis.database(), Limits(close_within=0.2)
    nodes = [Server(Cluster(Hub(limits), url, LEASE), origins=[PAGE]) for _ in range(2)]
    async with nodes[0] as first, nodes[1] as second:
        yield first, second


CODE = "7ZQ4M1KX0B2C"


async def join_or_make(port: int, code: str = CODE) -> Person:
    """Joins as a device that still keeps the table: tries until it gets a slot, and makes the room if needed."""
    return await join_with_retry(port, code, None, "make")


async def wait_for_redis(server: Server, state: str) -> None:
    async def reached() -> bool:
        return server.node.redis_state() == state

    await wait_until(reached)


def test_a_room_works_across_two_nodes(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob, cleo = (
                await connect_person(first.port),
                await connect_person(second.port),
                await connect_person(second.port),
            )
            code = await ann.make_room()
            assert await bob.join(code) == [0]
            assert await ann.receive() == ["in", 1]
            assert await cleo.join(code) == [0, 1]
            assert await bob.receive() == ["in", 2]
            await bob.send("to", 0, {"s": 1, "g": "offer"})
            assert await ann.wait_for("from") == ["from", 1, {"s": 1, "g": "offer"}]
            await ann.send("to", 1, {"s": 1, "g": "answer"})
            assert await bob.receive() == ["from", 0, {"s": 1, "g": "answer"}]
            await cleo.send("to", 1, {"s": 1, "g": "sealed é"})
            assert await bob.receive() == ["from", 2, {"s": 1, "g": "sealed é"}]
            for number in range(50):
                await bob.send("to", 0, {"s": number, "g": ""})
            assert [(await ann.wait_for("from"))[2]["s"] for _ in range(50)] == list(range(50))
            dora, eve = await connect_person(first.port), await connect_person(second.port)
            await asyncio.gather(dora.join(code), eve.join(code))  # at once, at both nodes: each has a slot of its own
            early, late = sorted((dora, eve), key=lambda person: person.slot)
            assert (early.slot, early.others) == (3, [0, 1, 2])
            assert (late.slot, late.others) == (4, [0, 1, 2, 3])
            assert early.token != late.token
            assert await early.receive() == ["in", 4]
            for person in (ann, bob, cleo):
                assert await person.wait_for("in") == ["in", 3]
                assert await person.receive() == ["in", 4]
            await cleo.send("bye")
            assert await cleo.wait_closed() == (1000, "bye")
            assert await ann.wait_for("out") == ["out", 2, "bye"]
            again = await connect_person(first.port)  # the slot moves to a connection of the other node
            assert await again.join(code, bob.token) == [0, 3, 4]
            assert await bob.wait_for("err") == ["err", "replaced"]
            assert await bob.wait_closed() == (1000, "replaced")

    run_scene(scene())


def test_a_node_refuses_invalid_joins_forwarded_by_another_node(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await connect_person(first.port), await connect_person(second.port)
            await ann.send("create", {"seats": 2})
            code = (await ann.receive())[1]
            await bob.send("join", code, "AAAAAAAAAAAAAAAA")
            assert await bob.receive() == ["err", "token"]
            await bob.join(code)
            cleo = await connect_person(second.port)
            await cleo.send("join", code, None)
            assert await cleo.receive() == ["err", "full"]
            await cleo.make_room()  # the connection may still be used

    run_scene(scene())


def test_rate_limits_hold_for_clients_of_rooms_on_another_node(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await connect_person(first.port), await connect_person(second.port)
            await bob.join(await ann.make_room())
            for _ in range(950):
                await bob.send("ping")
            assert await bob.wait_closed() == (1008, "fast")
            assert await ann.wait_for("out") == ["out", 1, "fast"]

    run_scene(scene())


def test_wrong_codes_count_on_all_nodes_together(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            await join_or_make(first.port, "YYYYYYYYYYYY")  # waits until Redis has been running for a while
            ann = await connect_person(first.port)
            code = await ann.make_room()
            wrong = 0
            while wrong < 20:
                eve = await connect_person((first, second)[wrong % 2].port)
                await eve.send("join", f"ZZZZZZZZZZ{wrong:02}", None)
                told = await eve.receive()
                # while Redis has just started, nodes do not claim that a room does not exist
                assert told in (["err", "code"], ["err", "away"])
                wrong += told == ["err", "code"]
                await eve.close()
            for node in (first, second):
                eve = await connect_person(node.port)
                await eve.send("join", "ZZZZZZZZZZZZ", None)
                assert await eve.receive() == ["err", "wait"]
                assert await eve.wait_closed() == (1008, "wait")
                bob = await connect_person(node.port)  # a right code is never blocked
                await bob.join(code)

    run_scene(scene())


def test_an_expired_room_is_recreated_once_by_whichever_node_is_asked(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await join_or_make(first.port), await join_or_make(second.port)
            assert (ann.code, bob.code) == (CODE, CODE)
            assert (ann.slot, ann.others) == (0, [])
            assert (bob.slot, bob.others) == (1, [0])
            cleo = await join_with_retry(first.port, CODE)
            assert cleo.others == [0, 1]

    run_scene(scene())


def test_two_nodes_that_recreate_a_room_at_once_agree_on_one(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            await (await join_or_make(first.port, "YYYYYYYYYYYY")).close()  # Redis has been running for a while now
            people = await asyncio.gather(join_or_make(first.port), join_or_make(second.port))

            async def together() -> bool:
                return sum(CODE in node.node.hub.rooms for node in (first, second)) == 1

            await wait_until(together)
            cleo = await join_with_retry(second.port, CODE)
            for person in people:
                await person.close()
            assert cleo.others

    run_scene(scene())


def test_a_join_of_a_room_that_has_just_ended_is_answered_with_away(redis: Redis) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await connect_person(first.port), await connect_person(second.port)
            code = await ann.make_room()
            del first.node.hub.rooms[code]  # Redis does not know it yet
            for _ in range(22):  # not counted as wrong codes
                await bob.send("join", code, None)
                assert await bob.receive() == ["err", "away"]

    run_scene(scene())


def test_rooms_of_a_killed_node_go_on_at_another_without_stale_clients(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob, cleo = (
            await connect_person(first.port),
            await connect_person(second.port),
            await connect_person(first.port),
        )
        code = await ann.make_room()
        await bob.join(code)
        await cleo.join(code)  # the last change: Redis has stored the token before it is sent
        first.kill()
        assert await bob.wait_for("err") == ["err", "away"]
        assert await bob.wait_closed() == (1013, "away")
        bob_again = await join_with_retry(second.port, code, bob.token)
        assert (bob_again.slot, bob_again.others) == (1, [])
        cleo_again = await join_with_retry(second.port, code, cleo.token)
        assert (cleo_again.slot, cleo_again.others) == (2, [1])
        ann_again = await join_with_retry(second.port, code, ann.token)
        assert (ann_again.slot, ann_again.others) == (0, [1, 2])

    run_scene(scene())


def test_clients_of_a_killed_node_are_reported_as_lost(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await connect_person(first.port), await connect_person(second.port)
        await bob.join(await ann.make_room())
        second.kill()
        assert await ann.wait_for("out") == ["out", 1, "lost"]

    run_scene(scene())


def test_a_join_interrupted_by_a_killed_node_succeeds_on_retry(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await connect_person(first.port), await connect_person(second.port)
        code = await ann.make_room()
        first.signal(signal.SIGSTOP)
        await bob.send("join", code, None)  # has to wait for the stopped node
        await bob.send("ping")
        first.kill()
        assert await bob.receive() == ["err", "away"]
        await bob.close()
        again = await join_with_retry(second.port, code)
        assert (again.slot, again.others) == (1, [])
        ann_again = await join_with_retry(second.port, code, ann.token)
        assert (ann_again.slot, ann_again.others) == (0, [1])

    run_scene(scene())


def test_a_newcomer_whose_node_is_killed_during_the_join_is_removed(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await connect_person(first.port), await connect_person(second.port)
        code = await ann.make_room()
        first.signal(signal.SIGSTOP)
        await bob.send("join", code, None)
        await bob.send("ping")
        second.kill()
        first.signal(signal.SIGCONT)

        async def nobody_but_ann() -> bool:
            cleo = await join_with_retry(first.port, code)
            await cleo.send("bye")
            await cleo.wait_closed()
            return cleo.others == [0]

        await wait_until(nobody_but_ann)

    run_scene(scene())


def test_a_node_whose_lease_expired_gives_up_its_rooms(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann, bob = await connect_person(first.port), await connect_person(second.port)
        code = await ann.make_room()
        await bob.join(code)
        first.signal(signal.SIGSTOP)
        bob_again = await join_with_retry(second.port, code, bob.token)
        assert bob_again.others == []
        first.signal(signal.SIGCONT)
        assert await ann.wait_for("err") == ["err", "moved"]
        assert await ann.wait_closed() == (1013, "moved")
        ann_again = await join_with_retry(first.port, code, ann.token)
        assert (ann_again.slot, ann_again.others) == (0, [1])
        assert await bob_again.receive() == ["in", 0]

    run_scene(scene())


def test_a_node_that_is_stopped_hands_its_rooms_over_at_once(processes: Processes) -> None:
    first, second = processes

    async def scene() -> None:
        ann = await connect_person(first.port)
        code = await ann.make_room()
        closing = asyncio.create_task(ann.wait_closed())
        first.signal(signal.SIGTERM)
        assert await closing == (1012, "restart")
        again = await join_with_retry(second.port, code, ann.token)
        assert (again.slot, again.others) == (0, [])
        assert await asyncio.to_thread(first.wait) == 0

    run_scene(scene())


@pytest.mark.parametrize("how", ["killed", "hung"])
def test_without_redis_every_node_goes_on_with_its_own_rooms(redis: Redis, how: str) -> None:
    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann, bob = await connect_person(first.port), await connect_person(second.port)
            code = await ann.make_room()
            await bob.join(code)
            redis.stop() if how == "killed" else redis.signal(signal.SIGSTOP)
            # the guest is told, and so is the client that stays
            assert await bob.wait_for("err") == ["err", "away"]
            assert await bob.wait_closed() == (1013, "away")
            assert await ann.wait_for("out") == ["out", 1, "lost"]
            # the room goes on at the node that owns it
            cleo = await connect_person(first.port)
            assert await cleo.join(code) == [0]
            await cleo.send("to", 0, {"s": 1, "g": "sealed"})
            assert await ann.wait_for("from") == ["from", 2, {"s": 1, "g": "sealed"}]
            fred = await connect_person(first.port)
            assert await fred.join(code) == [0, 2]
            await fred.send("bye")
            assert await ann.wait_for("out") == ["out", 3, "bye"]
            # other nodes cannot say if it exists, but make new rooms
            dora = await connect_person(second.port)
            await dora.send("join", code, None)
            assert await dora.receive() == ["err", "away"]
            other = await dora.make_room()
            # Redis is back, and empty if it was killed
            redis.start() if how == "killed" else redis.signal(signal.SIGCONT)
            await wait_for_redis(first, "up")
            await wait_for_redis(second, "up")
            bob_again = await join_with_retry(second.port, code, bob.token)
            assert (bob_again.slot, bob_again.others) == (1, [0, 2])
            assert await ann.wait_for("in") == ["in", 1]
            fred_again = await join_with_retry(second.port, code, fred.token)
            assert (fred_again.slot, fred_again.others) == (3, [0, 1, 2])
            eve = await join_with_retry(first.port, other)
            assert eve.others == [0]
            assert await dora.wait_for("in") == ["in", 1]

    run_scene(scene())


def test_a_node_starts_without_redis_and_connects_to_it_later(redis: Redis) -> None:
    redis.stop()

    async def scene() -> None:
        async with two_nodes(redis) as (first, second):
            ann = await connect_person(first.port)
            code = await ann.make_room()
            redis.start()
            await wait_for_redis(second, "up")
            bob = await join_with_retry(second.port, code)
            assert bob.others == [0]

    run_scene(scene())


def test_a_room_that_a_node_of_an_older_version_stored_is_taken_over(redis: Redis) -> None:
    """The record has a register {epoch, host}, which is no longer read, and not written again."""

    async def scene() -> None:
        url, key, tokens = redis.database(), room_key(CODE), ["A" * 16, "B" * 16]
        older = {"most": 4, "tokens": tokens, "epoch": 3, "host": 1}
        async with Client.from_url(url, decode_responses=True) as stored:
            await stored.hset(key, mapping={"home": "a node that is gone", "record": json.dumps(older)})
            async with Server(Cluster(Hub(), url, LEASE), origins=[PAGE]) as server:
                bob = await join_with_retry(server.port, CODE, tokens[1])
                assert (bob.slot, bob.others) == (1, [])
                cleo = await join_with_retry(server.port, CODE)
                assert (cleo.slot, cleo.others) == (2, [1])
                record = json.loads(await stored.hget(key, "record"))
                assert record == {"most": 4, "tokens": [*tokens, cleo.token]}

    run_scene(scene())
