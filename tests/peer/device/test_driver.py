"""The driver: how it ends, and the order in which it carries out outputs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine import GAMES
from peer.crypto.keys import SignedText
from peer.device.device import Device
from peer.device.driver import Driver, NotStored, drop_redundant_acks
from peer.order.outputs import Applied, LeaderChanged, Send, Store, Tell
from peer.order.raft import LEADER
from peer.table.lobby import Lobby, Spot
from peer.timeout import within
from peer.wire import bodies, envelope
from peer.wire.envelope import Entry
from peer.wire.frames import Ack, Bye
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.in_memory import simulated


class RecordingPorts:
    """Ports that list what the driver does. With `full`, nothing can be stored."""

    def __init__(self, *, full: bool = False) -> None:
        self.calls: list[str] = []
        self.full = full

    def now(self) -> int:
        return 0

    async def sign(self, data: bytes) -> str:
        self.calls.append("sign")
        return "s" * 86

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        raise NotImplementedError

    async def keep(self, records: list[list[Any]]) -> None:
        self.calls.append(f"keep {len(records)}")
        await asyncio.sleep(0)
        if self.full:
            raise NotStored("full")

    def send(self, device: int, data: bytes) -> None:
        self.calls.append(f"send {device}")

    def tell(self, tell: Tell) -> None:
        self.calls.append(f"tell {type(tell).__name__}")


def make_driver(ports: RecordingPorts) -> Driver:
    """Returns a driver whose device is alone at its table and has no outputs left."""
    keys = FakeKeys(b"k" * 32, {})
    spots = (Spot("One", "rose", device=keys.seal_key), Spot("Two", "anchor", device=keys.seal_key))
    setup = Lobby("razzia", GAMES["razzia"].VERSION, {}, spots).setup(
        keys.seal_key, {keys.seal_key: keys.verify_key}, b"s" * 16
    )
    driver = Driver(Device(keys, setup, Random(1), 0), ports)
    driver.device.take()
    return driver


async def carry_out(driver: Driver, *outputs: Any) -> None:
    for output in outputs:
        driver.device.put(output)
    await driver._carry_out()


def test_of_many_acks_to_a_leader_only_the_furthest_is_sent() -> None:
    """After a suspension there may be hundreds of them, which the leader would refuse as a flood."""
    least, most, denied = Send(1, Ack(2, 7, 1, 0)), Send(1, Ack(2, 9, 1, 3)), Send(1, Ack(2, 9, 0, 3))
    other, old, say = Send(2, Ack(2, 7, 1, 0)), Send(1, Ack(1, 30, 1, 0)), Send(1, Bye())
    assert drop_redundant_acks([old, least, say, most, other, denied, least]) == [say, most, other, denied]


@pytest.mark.parametrize("full", [False, True])
def test_frames_before_a_record_are_sent_at_once_and_none_overtakes_a_record(*, full: bool) -> None:
    ports = RecordingPorts(full=full)
    driver = make_driver(ports)
    early, late = Send(1, Bye()), Send(2, Bye())
    record = Store(["term", 1, 0])
    asyncio.run(carry_out(driver, early, record, late, record, LeaderChanged(0, 1), Send(3, Bye())))
    kept = ["send 2", "send 3", "tell LeaderChanged"] if not full else ["tell LeaderChanged", "tell StoringFailed"]
    assert ports.calls == ["send 1", "keep 2", *kept]


def test_tells_are_delivered_while_records_are_stored_and_applied_only_once() -> None:
    """Drawing takes longer than all the rest. Once, other devices had to wait for it too."""
    ports = RecordingPorts()
    driver = make_driver(ports)
    driver.device.author(bodies.Start())
    told = [Applied(1), LeaderChanged(0, 1), Applied(2)]
    asyncio.run(carry_out(driver, *told, Send(1, Bye())))
    assert ports.calls == ["sign", "send 1", "keep 1", "tell LeaderChanged", "tell Applied"]


def test_a_driver_that_is_cancelled_while_it_wakes_up_ends() -> None:
    """Once, it went on forever, and a failed test never ended."""

    async def scene() -> bool:
        driver = make_driver(RecordingPorts())
        driver.device.raft.due = driver.device.check_at = 10**6
        task = asyncio.get_running_loop().create_task(driver.run())
        await asyncio.sleep(0.05)
        driver.wake()
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task}, timeout=1)
        ended = task.done()
        driver.stop()
        return ended

    assert asyncio.run(scene())


def test_a_leader_authors_a_start_in_each_term_even_if_the_last_is_not_committed() -> None:
    """Once, it took the `start` of an earlier term for one of the present term, and the table was stuck."""
    device = make_driver(RecordingPorts()).device
    device.outbox.signed.clear()
    device.outbox.unsigned.clear()
    text = envelope.write(device.mark, 0, device.outbox.next_counter, 1, 0, device.log.heads[0], bodies.Start())
    said = envelope.read(text, "s" * 86)
    device.log.append([Entry(1, said)])
    device.outbox.signed.append(said)
    device.raft.role, device.raft.term, device.raft.commit = LEADER, 2, 0
    device.do_duties()
    assert isinstance(device.outbox.unsigned[0].body, bodies.Start)


@simulated
async def test_within_ends_with_the_result_or_the_timeout() -> None:
    """`asyncio.wait_for` uses a deadline, which Pyodide's loop refuses after a pause: the page's timers stopped."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[str] = loop.create_future()
    loop.call_later(0.5, found.set_result, "here")
    begun = loop.time()
    assert await within(found, 30) == "here"
    assert loop.time() - begun < 1
    with pytest.raises(TimeoutError):
        await within(loop.create_future(), 0.5)
    with pytest.raises(ValueError, match="in the past"):
        await wait_with_deadline(loop.create_future())


async def wait_with_deadline(future: asyncio.Future[str]) -> str:
    """Waits as `asyncio.wait_for` does from Python 3.12 on."""
    async with asyncio.timeout(0.5):
        return await future
