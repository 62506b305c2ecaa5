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
Kept = tuple[str, dict[str, Any], float]  # code, record, seconds to live


class Lost(Exception):
    """Raised when Redis is away, or this node's lease has expired. All knowledge of other nodes is then invalid."""


FAILURES = (RedisError, OSError, Lost)


def lease_of(node: str) -> str:
    return LEASES + node


def channel(node: str) -> str:
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
        self._waiting: asyncio.Queue[tuple[str, str]] = asyncio.Queue(MOST_WAITING)
        self._broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def enter(self, old: str) -> None:
        """Takes the lease and subscribes to the node's channel. `old` is the name of the node's last session."""
        await self._pubsub.subscribe(channel(self.name))
        run_id = (await self._redis.info("server"))["run_id"]
        keys = [lease_of(self.name), lease_of(old), SINCE, YOUNG]
        await self._enter(keys, [_ms(self._lease), run_id, _ms(2 * self._lease)])

    async def run(
        self,
        heard: Callable[[Message], None],
        others: Callable[[], Iterable[str]],
        gone: Callable[[str], None],
    ) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listen(heard))
            group.create_task(self._publish(gone))
            group.create_task(self._stay(others, gone))
            group.create_task(self._until_broken())

    async def leave(self) -> None:
        """Gives up the lease, so that other nodes may take over at once, and closes the connections."""
        with suppress(*FAILURES):
            await self._redis.delete(lease_of(self.name))
        await self.close()

    async def close(self) -> None:
        with suppress(*FAILURES):
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]
        with suppress(*FAILURES):
            await self._redis.aclose()

    def fail(self, error: BaseException) -> None:
        """Ends `run` with this failure, which a user of the session has met."""
        if not self._broken.done():
            self._broken.set_exception(Lost(str(error)))

    # Rooms

    async def find(self, code: str, address: str, *, make: bool) -> list[str]:
        """Returns `home NODE`, `mine RECORD`, `code` (no such room), `wait` (too many wrong codes), or `away`.

        With `make` the room will be made, so `code` does not count as a wrong code.
        """
        keys = [room_key(code), f"{PREFIX}wrong:{address}", YOUNG]
        limit = self._limits.wrong_codes
        return cast("list[str]", await self._find(keys, [self.name, LEASES, limit, _ms(MINUTE), int(make)]))

    async def keep(self, rooms: list[Kept]) -> list[str]:
        """Stores the rooms' records. Returns the codes of rooms that another node owns by now."""
        lost: list[str] = []
        for start in range(0, len(rooms), BATCH):
            batch = rooms[start : start + BATCH]
            pipe = self._redis.pipeline(transaction=False)
            for code, record, lives in batch:
                await self._keep([room_key(code)], [self.name, LEASES, json.dumps(record), _ms(lives)], client=pipe)
            kept = await pipe.execute()
            lost += [code for (code, _, _), ours in zip(batch, kept, strict=True) if not ours]
        return lost

    async def forget(self, codes: Iterable[str]) -> None:
        for code in codes:
            await self._forget([room_key(code)], [self.name])

    # Other nodes

    def tell(self, node: str, *message: Any) -> None:
        """Queues a message for another node. Messages to one node keep their order."""
        try:
            self._waiting.put_nowait((node, json.dumps(message)))
        except asyncio.QueueFull:
            self.fail(Lost("too much waits for Redis"))

    async def _listen(self, heard: Callable[[Message], None]) -> None:
        while _wanted():
            told = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=self._lease)
            # empty messages are this node's own lease renewals
            if told is not None and told["data"]:
                with suppress(ValueError):  # every node sends valid JSON
                    heard(json.loads(told["data"]))

    async def _publish(self, gone: Callable[[str], None]) -> None:
        while _wanted():
            batch = [await self._waiting.get()]
            while not self._waiting.empty() and len(batch) < BATCH:
                batch.append(self._waiting.get_nowait())
            pipe = self._redis.pipeline(transaction=False)
            for node, text in batch:
                pipe.publish(channel(node), text)
            listeners = await pipe.execute()
            for node in {node for (node, _), count in zip(batch, listeners, strict=True) if not count}:
                gone(node)

    async def _stay(self, others: Callable[[], Iterable[str]], gone: Callable[[str], None]) -> None:
        while _wanted():
            asked = sorted(others())
            keys = [lease_of(self.name), *map(lease_of, asked)]
            ours, listeners, *alive = await self._renew(keys, [_ms(self._lease), channel(self.name)])
            if not ours or not listeners:
                raise Lost("our lease was over" if not ours else "our channel was closed")
            for node, lives in zip(asked, alive, strict=True):
                if not lives:
                    gone(node)
            await asyncio.sleep(self._lease / RENEWALS)

    async def _until_broken(self) -> None:
        await self._broken


def _wanted() -> bool:
    """Returns True unless this task was cancelled. The Redis client was seen to swallow the cancellation, after the
    whole process had been stopped for a while."""
    task = asyncio.current_task()
    return task is not None and not task.cancelling()


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))
