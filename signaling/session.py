"""One node's session with Redis: from taking a lease to the first failure. Each session has a new name.

Keys: `speakeasy:node:NAME` is a lease; `speakeasy:room:CODE` holds the owning node's name and the room's record;
`speakeasy:to:NAME` is the channel for messages to a node. Each operation that must be atomic is a Lua script.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from signaling.limits import MINUTE, Limits

LUA = Path(__file__).with_name("lua")
PREFIX = "speakeasy:"
LEASES = PREFIX + "node:"
SINCE, YOUNG = PREFIX + "since", PREFIX + "young"
RENEWALS = 3  # in the time of one lease
MOST_WAITING = 10_000  # messages to other nodes
BATCH = 500

Message = list[Any]
RoomRecord = tuple[str, dict[str, Any], float]  # code, record, seconds to live


class SessionLost(Exception):
    """Raised when Redis is away, or this node's lease has expired. All knowledge of other nodes is then invalid."""


FAILURES = (RedisError, OSError, SessionLost)


def lease_key(node: str) -> str:
    return LEASES + node


def channel_name(node: str) -> str:
    return f"{PREFIX}to:{node}"


def room_key(code: str) -> str:
    return f"{PREFIX}room:{code}"


class Session:
    """`enter` begins it; `run` lasts until it fails and raises some of `FAILURES` in an exception group."""

    def __init__(self, url: str, lease: float, limits: Limits) -> None:
        self.name = secrets.token_hex(8)
        self._lease, self._limits = lease, limits
        self._redis = Redis.from_url(
            url,
            decode_responses=True,
            socket_timeout=lease,
            socket_connect_timeout=lease,
            # no retries: the node goes on at once without Redis, and tries a new session
            retry=Retry(NoBackoff(), 0),
        )
        scripts = {path.stem: self._redis.register_script(path.read_text("utf-8")) for path in LUA.glob("*.lua")}
        self._enter, self._renew, self._find = scripts["enter"], scripts["renew"], scripts["find"]
        self._keep, self._forget = scripts["keep"], scripts["forget"]
        self._pubsub: PubSub = self._redis.pubsub()
        self._outgoing: asyncio.Queue[tuple[str, str]] = asyncio.Queue(MOST_WAITING)
        self._failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def enter(self, old: str) -> None:
        """Takes the lease and subscribes to the node's channel. `old` is the name of the node's last session."""
        await self._pubsub.subscribe(channel_name(self.name))
        run_id = (await self._redis.info("server"))["run_id"]
        keys = [lease_key(self.name), lease_key(old), SINCE, YOUNG]
        await self._enter(keys, [_ms(self._lease), run_id, _ms(2 * self._lease)])

    async def run(
        self,
        on_message: Callable[[Message], None],
        related_nodes: Callable[[], Iterable[str]],
        on_node_gone: Callable[[str], None],
    ) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listen(on_message))
            group.create_task(self._publish(on_node_gone))
            group.create_task(self._renew_lease(related_nodes, on_node_gone))
            group.create_task(self._until_failure())

    async def leave(self) -> None:
        """Gives up the lease, so that other nodes may take over at once, and closes the connections."""
        with suppress(*FAILURES):
            await self._redis.delete(lease_key(self.name))
        await self.close()

    async def close(self) -> None:
        with suppress(*FAILURES):
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]
        with suppress(*FAILURES):
            await self._redis.aclose()

    def fail(self, error: BaseException) -> None:
        """Ends `run` with this failure, which a user of the session has met."""
        if not self._failure.done():
            self._failure.set_exception(SessionLost(str(error)))

    # Rooms

    async def find(self, code: str, address: str, *, make: bool) -> list[str]:
        """Returns `home NODE`, `mine RECORD`, `code` (no such room), `wait` (too many wrong codes), or `away`.

        With `make` the room will be made, so `code` does not count as a wrong code.
        """
        keys = [room_key(code), f"{PREFIX}wrong:{address}", YOUNG]
        limit = self._limits.wrong_codes
        return cast("list[str]", await self._find(keys, [self.name, LEASES, limit, _ms(MINUTE), int(make)]))

    async def keep(self, rooms: list[RoomRecord]) -> list[str]:
        """Stores the rooms' records. Returns the codes of rooms that another node owns by now."""
        taken: list[str] = []
        for start in range(0, len(rooms), BATCH):
            batch = rooms[start : start + BATCH]
            pipe = self._redis.pipeline(transaction=False)
            for code, record, lives in batch:
                await self._keep([room_key(code)], [self.name, LEASES, json.dumps(record), _ms(lives)], client=pipe)
            results = await pipe.execute()
            taken += [code for (code, _, _), ours in zip(batch, results, strict=True) if not ours]
        return taken

    async def forget(self, codes: Iterable[str]) -> None:
        for code in codes:
            await self._forget([room_key(code)], [self.name])

    # Other nodes

    def tell(self, node: str, *message: Any) -> None:
        """Queues a message for another node. Messages to one node keep their order."""
        try:
            self._outgoing.put_nowait((node, json.dumps(message)))
        except asyncio.QueueFull:
            self.fail(SessionLost("too much waits for Redis"))

    async def _listen(self, on_message: Callable[[Message], None]) -> None:
        while _not_cancelled():
            message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=self._lease)
            # empty messages are this node's own lease renewals
            if message is not None and message["data"]:
                with suppress(ValueError):  # every node sends valid JSON
                    on_message(json.loads(message["data"]))

    async def _publish(self, on_node_gone: Callable[[str], None]) -> None:
        while _not_cancelled():
            batch = [await self._outgoing.get()]
            while not self._outgoing.empty() and len(batch) < BATCH:
                batch.append(self._outgoing.get_nowait())
            pipe = self._redis.pipeline(transaction=False)
            for node, text in batch:
                pipe.publish(channel_name(node), text)
            listeners = await pipe.execute()
            for node in {node for (node, _), count in zip(batch, listeners, strict=True) if not count}:
                on_node_gone(node)

    async def _renew_lease(
        self, related_nodes: Callable[[], Iterable[str]], on_node_gone: Callable[[str], None]
    ) -> None:
        while _not_cancelled():
            nodes = sorted(related_nodes())
            keys = [lease_key(self.name), *map(lease_key, nodes)]
            still_ours, listeners, *alive = await self._renew(keys, [_ms(self._lease), channel_name(self.name)])
            if not still_ours or not listeners:
                raise SessionLost("our lease was over" if not still_ours else "our channel was closed")
            for node, lives in zip(nodes, alive, strict=True):
                if not lives:
                    on_node_gone(node)
            await asyncio.sleep(self._lease / RENEWALS)

    async def _until_failure(self) -> None:
        await self._failure


def _not_cancelled() -> bool:
    """Returns True unless this task was cancelled. The Redis client was seen to swallow the cancellation, after the
    whole process had been stopped for a while."""
    task = asyncio.current_task()
    return task is not None and not task.cancelling()


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))
