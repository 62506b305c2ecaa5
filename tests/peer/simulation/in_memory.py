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

from engine.core import Nonsense
from peer.channels import invite
from peer.channels.channel import Channel, DirectConnection
from peer.channels.endpoint import Endpoint, Socket
from peer.crypto.keys import Keys, SignedText, from_base64
from peer.crypto.sealed import seal
from peer.device.driver import NotStored
from peer.order.outputs import Tell, Timing
from peer.table import header as kept
from peer.table.lobby import Lobby
from peer.table.news import Fault, TableEvent
from peer.table.one_window import NUMBER_TAKEN, TAKE_OVER
from peer.table.phase import Left
from peer.table.table import Table
from signaling.hub import Hub, Outcome
from tests.peer.simulation.fake_keys import FakeKeys, verifier

TIMEOUT = 40  # seconds of the simulated clock
TOO_NEAR = 2  # seconds: earlier absolute times are refused
#: short timeouts, for a network without delays
FAST_TIMING = Timing(heartbeat=80, election_min=250, election_max=400, resend=100, away_after=400)


#: the device on whose behalf the running task or callback works
CURRENT: ContextVar[SimDevice] = ContextVar("CURRENT")


class SimulatedClock(selectors.DefaultSelector):
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


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop with a simulated clock, as strict as Pyodide's loop.

    Pyodide refuses an absolute time that has passed before the call. Here every absolute time that is near is refused.
    The callbacks of a suspended device run when it resumes.
    """

    def __init__(self) -> None:
        self.clock = SimulatedClock()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.time

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> asyncio.Handle:
        return super().call_soon(run_unless_suspended, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> asyncio.TimerHandle:
        if when < self.time() + TOO_NEAR:
            raise ValueError("Can't schedule in the past")
        return super().call_at(when, run_unless_suspended, callback, *args, context=context)

    def call_later(
        self, delay: float, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return super().call_at(self.time() + delay, run_unless_suspended, callback, *args, context=context)


def run_unless_suspended(callback: Callable[..., None], *args: Any) -> None:
    """Runs the callback; if its device is suspended, keeps it until the device resumes."""
    device = CURRENT.get(None)
    if device is not None and device.suspended:
        device.deferred.append((callback, args))
    else:
        callback(*args)


def simulated(test_body: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Decorates an async test: runs it in a loop of its own, with a simulated clock."""

    @wraps(test_body)
    def test(*args: Any, **values: Any) -> None:
        with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
            runner.run(test_body(*args, **values))

    return test


class Network:
    """The network between the devices: the endpoint's hub, and direct connections unless `direct` is False."""

    def __init__(self, seed: int = 1) -> None:
        self.rnd = Random(seed)
        self.hub = Hub()
        self.keyring: dict[str, bytes] = {}
        self.sockets: dict[int, HubSocket] = {}
        self.offers: dict[bytes, MemoryConnection] = {}
        self.direct = True

    def dispatch(self, out: Outcome) -> None:
        loop = asyncio.get_running_loop()
        for number, frame in out.frames:
            wire = self.sockets.get(int(str(number)))
            if wire is not None:
                loop.call_soon(wire.received, json.dumps(frame), context=wire.device.context)
        for number, _, _ in out.closes:
            wire = self.sockets.pop(int(str(number)), None)
            if wire is not None:
                loop.call_soon(wire.cut, context=wire.device.context)

    async def until(self, condition: Callable[[], Any], timeout: float = TIMEOUT, *, every: float = 0.01) -> None:
        """Waits until the condition holds, which is looked at every so many simulated seconds. Raises `TimeoutError`
        after `timeout` simulated seconds."""
        async with asyncio.timeout(timeout):
            while not condition():
                await asyncio.sleep(every)


def now() -> int:
    """Returns the simulated time in milliseconds."""
    return int(asyncio.get_running_loop().time() * 1000)


class HubSocket:
    """The socket between a device and the endpoint's hub."""

    def __init__(self, network: Network, endpoint: Endpoint, device: SimDevice) -> None:
        self.network, self.endpoint, self.device = network, endpoint, device
        self.is_closed = False
        endpoint.chance = network.rnd.random
        self.number = len(network.sockets) + network.rnd.getrandbits(40)
        network.sockets[self.number] = self
        network.dispatch(network.hub.connect(self.number, "here", now() / 1000))
        asyncio.get_running_loop().call_soon(self.opened, context=device.context)

    def opened(self) -> None:
        if not self.is_closed:
            self.endpoint.opened()

    def send(self, text: str) -> None:
        if self.number in self.network.sockets:
            self.network.dispatch(self.network.hub.receive(self.number, text, now() / 1000))

    def received(self, text: str) -> None:
        if not self.is_closed:
            self.endpoint.received(text, now())

    def close(self) -> None:
        """Closes like the browser's socket: the endpoint is called back at once, in the middle of what it is doing."""
        self.network.sockets.pop(self.number, None)
        self.network.dispatch(self.network.hub.drop(self.number, now() / 1000))
        self.is_closed = True
        self.endpoint.closed(now())

    def cut(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.endpoint.closed(now())


class MemoryConnection:
    """A direct connection in memory."""

    def __init__(
        self,
        network: Network,
        device: SimDevice,
        callbacks: tuple[Callable[[], None], Callable[[str | None, int], None], Callable[[], None]],
    ) -> None:
        self.network, self.context = network, device.context
        self.on_open, self.on_message, self.on_close = callbacks
        self.remote: MemoryConnection | None = None
        self.closed = False

    async def offer(self) -> bytes:
        name = self.network.rnd.randbytes(60)
        self.network.offers[name] = self
        return name

    async def accept(self, offer: bytes) -> bytes:
        if offer not in self.network.offers:
            raise Nonsense("net.description")
        self.remote = self.network.offers[offer]
        name = self.network.rnd.randbytes(60)
        self.network.offers[name] = self
        return name

    async def complete(self, answer: bytes) -> None:
        other = self.network.offers.get(answer)
        if other is None:
            raise Nonsense("net.description")
        self.remote = other
        if self.network.direct and not self.closed and not other.closed:
            loop = asyncio.get_running_loop()
            loop.call_soon(self.on_open, context=self.context)
            loop.call_soon(other.on_open, context=other.context)

    def send(self, text: str) -> None:
        other = self.remote
        if other is not None and not self.closed:
            asyncio.get_running_loop().call_soon(other.receive, text, context=other.context)

    def receive(self, text: str) -> None:
        if not self.closed:
            self.on_message(text, len(text))

    def close(self) -> None:
        """Closes this side only: often the other side is not informed."""
        self.closed = True


async def _never(records: list[list[Any]]) -> None:
    await asyncio.Event().wait()


class SimDevice:
    """One device: its environment, its disk, and the events its page received."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.build = "1"
        self.timing = FAST_TIMING
        self.dial: Callable[[Endpoint], Socket] | None = lambda endpoint: HubSocket(network, endpoint, self)
        self.make: Callable[..., DirectConnection] | None = lambda *callbacks: MemoryConnection(
            network, self, callbacks
        )
        self.headers: dict[str, str] = {}
        self.disk: dict[int, str] = {}
        self.events: list[TableEvent] = []
        self.table: Table
        self.context = copy_context()
        self.context.run(CURRENT.set, self)
        self.suspended = False
        self.deferred: list[tuple[Callable[..., None], tuple[Any, ...]]] = []  # callbacks to run when it resumes

    def suspend(self) -> None:
        """Suspends the device: it does and receives nothing, and its connections stay open."""
        self.suspended = True

    def resume(self) -> None:
        self.suspended = False
        later, self.deferred = self.deferred, []
        for callback, args in later:
            asyncio.get_running_loop().call_soon(callback, *args, context=self.context)

    def now(self) -> int:
        return now()

    def random(self, size: int) -> bytes:
        return self.network.rnd.randbytes(size)

    async def sign(self, keys: Keys, data: bytes) -> str:
        return keys.sign(data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return all(claim.is_genuine(verifier(self.network.keyring)) for claim in claims)

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        await asyncio.sleep(0)
        if any(number in self.disk for number in range(first, first + len(records))):
            raise NotStored(NUMBER_TAKEN)
        self.headers["table"] = header
        self.disk.update(enumerate(records, first))

    def tell(self, event: TableEvent) -> None:
        self.events.append(event)
        if isinstance(event, Fault):
            raise event.error

    @property
    def tells(self) -> list[Tell]:
        """The outputs of the device among the events."""
        return [event for event in self.events if isinstance(event, Tell)]

    def keys(self, seed: bytes) -> FakeKeys:
        return FakeKeys(seed, self.network.keyring)

    def open_table(self, lobby: Lobby) -> Table:
        self.table = Table.create(self, self.keys, lobby)
        self.context.run(self.table.start)
        return self.table

    def visit(self, fragment: str) -> Table:
        """Follows a link to a table, for the first time or after a reload."""
        target = invite.read(fragment.removeprefix("r="))
        if "table" in self.headers:
            header = kept.read(self.headers["table"])
            header.records = len(self.disk)
            if header.setup:  # takes over the stored table as `one_window.py` does, but at once
                self.disk[header.records] = TAKE_OVER
                header.records += 1
        else:
            seed = invite.to_base64(self.random(32))
            header = kept.Header(target.code, target.secret, seed)
        self.table = Table(self, self.keys(from_base64(header.seed)), header, tokens=target.tokens)
        self.context.run(self.table.start, [self.disk[number] for number in sorted(self.disk)])
        return self.table

    def crash(self) -> None:
        """Ends the page without a good-bye."""
        table = self.table
        if table.game is not None:
            table.game.driver.stop()
        table._phase = Left()
        table.keep = _never  # type: ignore[method-assign]  # what was being written is lost
        for channel in table.channels.by_key.values():
            channel.disconnect()
        endpoint = table.connections.endpoint
        if endpoint is not None and isinstance(endpoint.socket, HubSocket):
            endpoint.state = "off"
            endpoint.socket.close()


def send_raw(table: Table, channel: Channel, text: str) -> None:
    """Sends any text, sealed as `Channel.encode` does it."""
    channel.last_sent += 1
    box = seal(
        channel.own_keys.shared(channel.seal_key), channel._context(channel.last_sent, to_me=False), text.encode()
    )
    table.channels._send_text(channel, f"{channel.last_sent}.{box}")
