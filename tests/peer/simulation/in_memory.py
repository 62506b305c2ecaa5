"""Many devices in one process: the real tables, the real endpoint's hub, and direct connections in memory.

The clock is simulated: when no callback is ready, time jumps to the next timer. A device can be suspended.
"""

from __future__ import annotations

import asyncio
import json
import selectors
from collections.abc import Callable, Coroutine, Sequence
from contextvars import Context, ContextVar, copy_context
from functools import wraps
from random import Random
from typing import Any

from engine.core import Refused
from peer.channels import invite
from peer.channels.channel import DirectConnection
from peer.channels.endpoint import Endpoint, Socket
from peer.crypto.keys import Keys, SignedText, from_base64
from peer.device.driver import NotStored
from peer.order.outputs import Timing
from peer.table import header as kept
from peer.table.lobby import Lobby
from peer.table.one_window import ELSEWHERE, HERE
from peer.table.table import Table
from signaling.hub import Hub, Outcome
from tests.peer.simulation.fake_keys import FakeKeys, verifier

PATIENCE = 40  # seconds of the simulated clock
NEAR = 2  # seconds: earlier absolute times are refused
#: short timeouts, for a network without delays
QUICK = Timing(beat=50, least=250, most=400, resend=100, away=400)


#: the device on whose behalf the running task or callback works
HOME: ContextVar[Home] = ContextVar("HOME")


class Clock(selectors.DefaultSelector):
    """A selector that does not wait: it sets the simulated time to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if timeout is None:
            raise RuntimeError("nothing will ever happen again")
        if not found:
            self.time += timeout
        return found


class Webloop(asyncio.SelectorEventLoop):
    """An event loop with a simulated clock, as strict as Pyodide's loop.

    Pyodide refuses an absolute time that has passed before the call. Here every absolute time that is near is refused.
    The callbacks of a suspended device run when it resumes.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.time

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> asyncio.Handle:
        return super().call_soon(awake, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> asyncio.TimerHandle:
        if when < self.time() + NEAR:
            raise ValueError("Can't schedule in the past")
        return super().call_at(when, awake, callback, *args, context=context)

    def call_later(
        self, delay: float, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return super().call_at(self.time() + delay, awake, callback, *args, context=context)


def awake(callback: Callable[..., None], *args: Any) -> None:
    """Runs the callback; if its device is suspended, keeps it until the device resumes."""
    home = HOME.get(None)
    if home is not None and home.asleep:
        home.later.append((callback, args))
    else:
        callback(*args)


def evening(scene: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Decorates an async test: runs it in a loop of its own, with a simulated clock."""

    @wraps(scene)
    def test(*args: Any, **values: Any) -> None:
        with asyncio.Runner(loop_factory=Webloop) as runner:
            runner.run(scene(*args, **values))

    return test


class Street:
    """The network between the devices: the endpoint's hub, and direct connections unless `direct` is False."""

    def __init__(self, seed: int = 1) -> None:
        self.rnd = Random(seed)
        self.hub = Hub()
        self.ring: dict[str, bytes] = {}
        self.lines: dict[int, HubWire] = {}
        self.offers: dict[bytes, MemoryPeer] = {}
        self.direct = True

    def dispatch(self, out: Outcome) -> None:
        loop = asyncio.get_running_loop()
        for number, frame in out.frames:
            wire = self.lines.get(int(str(number)))
            if wire is not None:
                loop.call_soon(wire.received, json.dumps(frame), context=wire.home.context)
        for number, _, _ in out.closes:
            wire = self.lines.pop(int(str(number)), None)
            if wire is not None:
                loop.call_soon(wire.gone, context=wire.home.context)

    async def until(self, true: Callable[[], Any], patience: float = PATIENCE) -> None:
        """Waits until the condition holds. Raises `TimeoutError` after `patience` simulated seconds."""
        async with asyncio.timeout(patience):
            while not true():
                await asyncio.sleep(0.01)


def now() -> int:
    """Returns the simulated time in milliseconds."""
    return int(asyncio.get_running_loop().time() * 1000)


class HubWire:
    """The socket between a device and the endpoint's hub."""

    def __init__(self, street: Street, endpoint: Endpoint, home: Home) -> None:
        self.street, self.endpoint, self.home = street, endpoint, home
        self.over = False
        endpoint.chance = street.rnd.random
        self.number = len(street.lines) + street.rnd.getrandbits(40)
        street.lines[self.number] = self
        street.dispatch(street.hub.connect(self.number, "here", now() / 1000))
        asyncio.get_running_loop().call_soon(self.opened, context=home.context)

    def opened(self) -> None:
        if not self.over:
            self.endpoint.opened()

    def send(self, text: str) -> None:
        if self.number in self.street.lines:
            self.street.dispatch(self.street.hub.receive(self.number, text, now() / 1000))

    def received(self, text: str) -> None:
        if not self.over:
            self.endpoint.received(text, now())

    def close(self) -> None:
        """Closes like the browser's socket: the endpoint is called back at once, in the middle of what it is doing."""
        self.street.lines.pop(self.number, None)
        self.street.dispatch(self.street.hub.drop(self.number, now() / 1000))
        self.over = True
        self.endpoint.closed(now())

    def gone(self) -> None:
        if not self.over:
            self.over = True
            self.endpoint.closed(now())


class MemoryPeer:
    """A direct connection in memory."""

    def __init__(
        self, street: Street, home: Home, hears: tuple[Callable[[], None], Callable[[str], None], Callable[[], None]]
    ) -> None:
        self.street, self.context = street, home.context
        self.on_open, self.on_text, self.on_close = hears
        self.other: MemoryPeer | None = None
        self.closed = False

    async def offer(self) -> bytes:
        name = self.street.rnd.randbytes(60)
        self.street.offers[name] = self
        return name

    async def accept(self, offer: bytes) -> bytes:
        if offer not in self.street.offers:
            raise Refused("net.description")
        self.other = self.street.offers[offer]
        name = self.street.rnd.randbytes(60)
        self.street.offers[name] = self
        return name

    async def complete(self, answer: bytes) -> None:
        other = self.street.offers.get(answer)
        if other is None:
            raise Refused("net.description")
        self.other = other
        if self.street.direct and not self.closed and not other.closed:
            loop = asyncio.get_running_loop()
            loop.call_soon(self.on_open, context=self.context)
            loop.call_soon(other.on_open, context=other.context)

    def send(self, text: str) -> None:
        other = self.other
        if other is not None and not self.closed:
            asyncio.get_running_loop().call_soon(other.hear, text, context=other.context)

    def hear(self, text: str) -> None:
        if not self.closed:
            self.on_text(text)

    def close(self) -> None:
        """Closes this side only: often the other side is not informed."""
        self.closed = True


async def _never(records: list[list[Any]]) -> None:
    await asyncio.Event().wait()


class Home:
    """One device: its environment, its disk, and the events its page received."""

    def __init__(self, street: Street) -> None:
        self.street = street
        self.build = "1"
        self.timing = QUICK
        self.dial: Callable[[Endpoint], Socket] | None = lambda endpoint: HubWire(street, endpoint, self)
        self.make: Callable[..., DirectConnection] | None = lambda *hears: MemoryPeer(street, self, hears)
        self.headers: dict[str, str] = {}
        self.disk: dict[int, str] = {}
        self.told: list[tuple[str, Any]] = []
        self.table: Table
        self.context = copy_context()
        self.context.run(HOME.set, self)
        self.asleep = False
        self.later: list[tuple[Callable[..., None], tuple[Any, ...]]] = []  # callbacks to run when it resumes

    def sleeps(self) -> None:
        """Suspends the device: it does and receives nothing, and its connections stay open."""
        self.asleep = True

    def wakes(self) -> None:
        self.asleep = False
        later, self.later = self.later, []
        for callback, args in later:
            asyncio.get_running_loop().call_soon(callback, *args, context=self.context)

    def now(self) -> int:
        return now()

    def random(self, size: int) -> bytes:
        return self.street.rnd.randbytes(size)

    async def sign(self, keys: Keys, data: bytes) -> str:
        return keys.sign(data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return all(claim.true(verifier(self.street.ring)) for claim in claims)

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        await asyncio.sleep(0)
        if any(number in self.disk for number in range(first, first + len(records))):
            raise NotStored(ELSEWHERE)
        self.headers["table"] = header
        self.disk.update(enumerate(records, first))

    def tell(self, what: str, data: Any = None) -> None:
        self.told.append((what, data))
        if what == "fault":
            raise data

    def keys(self, seed: bytes) -> FakeKeys:
        return FakeKeys(seed, self.street.ring)

    def opens(self, lobby: Lobby) -> Table:
        self.table = Table.create(self, self.keys, lobby)
        self.context.run(self.table.start)
        return self.table

    def visits(self, fragment: str) -> Table:
        """Follows a link to a table, for the first time or after a reload."""
        given = invite.read(fragment.removeprefix("r="))
        if "table" in self.headers:
            found = kept.read(self.headers["table"])
            found.records = len(self.disk)
            if found.setup:  # takes over the stored table as `one_window.py` does, but at once
                self.disk[found.records] = HERE
                found.records += 1
        else:
            seed = invite.to_base64(self.random(32))
            found = kept.Header(given.code, given.secret, seed)
        self.table = Table(self, self.keys(from_base64(found.seed)), found, tokens=given.tokens)
        self.context.run(self.table.start, [self.disk[number] for number in sorted(self.disk)])
        return self.table

    def crash(self) -> None:
        """Ends the page without a good-bye."""
        table = self.table
        table._over = True
        table.keep = _never  # type: ignore[method-assign]  # what was being written is lost
        if table.game is not None:
            table.game.driver.stop()
        for line in table.channels.by_key.values():
            line.drop()
        if table.endpoint is not None and isinstance(table.endpoint.wire, HubWire):
            table.endpoint.state = "off"
            table.endpoint.wire.close()
