"""The driver of a device: it carries out the outputs strictly in order, and passes frames and the time to the device.

One task does it all: it reads frames and has their signatures verified, calls `tick`, has texts signed and records
stored, and only then sends frames and notifies the page. Other tasks may run between these steps, but none of them
works for this device.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from engine.core import Nonsense, Refused
from peer.crypto.keys import SignedText, plain_verify
from peer.device.border import Border
from peer.device.device import Device
from peer.order.outputs import Applied, Output, Send, Sign, Store, Tell
from peer.timeout import within
from peer.wire import frames
from peer.wire.frames import Ack
from peer.wire.limits import BACKLOG

MAX_INBOX = BACKLOG  # frames in the inbox, at most; further ones are dropped
MAX_SLEEP = 1.0  # seconds between two rounds, at most
SUSPENDED_AFTER = 5_000  # milliseconds between two rounds: if it was longer, this device was suspended
MAX_READ = 16  # frames read in one round; their outputs are carried out together
MAX_READING = 30  # milliseconds of reading after which no further frame is read in that round


class NotStored(Exception):
    """Raised when records could not be stored."""

    def __init__(self, reason: str, /) -> None:
        self.reason = reason
        super().__init__(reason)


class Ports(Protocol):
    """The functions a driver needs from its environment."""

    def now(self) -> int: ...

    async def sign(self, data: bytes) -> str: ...

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        """Returns True if all these signatures are valid."""

    async def keep(self, records: list[list[Any]]) -> None:
        """Stores the records before it returns. Raises `NotStored`."""

    def send(self, device: int, data: bytes) -> None: ...

    def tell(self, tell: Tell) -> None: ...


class Driver:
    def __init__(self, device: Device, ports: Ports) -> None:
        self.device, self.ports = device, ports
        self.border = Border(device, plain_verify)
        self.inbox: deque[tuple[int, bytes]] = deque()
        self.outputs: deque[Output] = deque()
        self.over = False
        self.last_round = ports.now()
        self._wakeup: asyncio.Future[None] | None = None  # set while the driver sleeps or may do so soon

    def receive(self, sender: int, data: bytes) -> None:
        if len(self.inbox) < MAX_INBOX:
            self.inbox.append((sender, data))
            self.wake()

    def wake(self) -> None:
        """Wakes the driver, because the device was called from outside and has outputs to carry out."""
        if self._wakeup is not None and not self._wakeup.done():
            self._wakeup.set_result(None)

    def stop(self) -> None:
        self.over = True
        self.wake()

    async def run(self) -> None:
        while not self.over:
            wakeup = self._wakeup = asyncio.get_running_loop().create_future()
            if self.ports.now() - self.last_round > SUSPENDED_AFTER:
                self.border.allow_backlog()
            self.last_round = self.ports.now()
            for _ in range(min(len(self.inbox), MAX_READ)):
                await self._read(*self.inbox.popleft())
                if self.ports.now() - self.last_round > MAX_READING:
                    break
            now = self.ports.now()
            if now >= self.device.due:
                self.device.tick(now)
            await self._carry_out()
            if self.inbox:
                await asyncio.sleep(0)  # the page may draw, and close the connection of a device that floods
            else:
                await self._sleep(wakeup)

    async def _sleep(self, wakeup: asyncio.Future[None]) -> None:
        """Sleeps until something happens or the device wants its next `tick`."""
        wait = max(0.005, (self.device.due - self.ports.now()) / 1000)
        with suppress(TimeoutError):
            await within(wakeup, min(wait, MAX_SLEEP))

    async def _read(self, sender: int, data: bytes) -> None:
        now = self.ports.now()
        try:
            frame = self.border.decode(sender, data, now)
            claims = list(self.border.signatures_to_verify(frame))
            if claims and not await self.ports.proven(claims):
                raise Nonsense("net.forged")
            self.border.deliver(sender, frame, self.ports.now())
        except (Nonsense, Refused) as refused:
            self.border.count_refusal(sender, refused, now)

    async def _carry_out(self) -> None:
        """Has all texts signed, sends the outputs before the first record, has all records stored in one go, and then
        sends the rest. So nothing is sent before a record it depends on is stored.

        A `Tell` makes the page draw, which takes time: it is delivered while the next records are being stored.
        """
        tells: list[Tell] = []
        while True:
            self.outputs.extend(self.device.take())
            if not self.outputs:
                break
            batch, self.outputs = list(self.outputs), deque()
            if self.device.stopped:  # it sends nothing more, not even outputs that need no record
                batch = [output for output in batch if isinstance(output, Tell)]
            for output in batch:
                if isinstance(output, Sign):
                    self.device.take_signature(output.text, await self.ports.sign(output.text.encode("ascii")))
            records = [output.record for output in batch if isinstance(output, Store)]
            first_store = next((at for at, output in enumerate(batch) if isinstance(output, Store)), len(batch))
            tells += self._send_out(batch[:first_store])
            rest = batch[first_store:]
            if records and not await self._store(records, tells):
                rest = [output for output in rest if isinstance(output, Tell)]
            tells += self._send_out(rest)
        self._deliver(tells)

    async def _store(self, records: list[list[Any]], tells: list[Tell]) -> bool:
        """Stores these records; returns False if that failed. Meanwhile it delivers each earlier `Tell`."""
        storing: Awaitable[None] = self.ports.keep(records)
        if tells:
            storing = asyncio.ensure_future(storing)
            await asyncio.sleep(0)  # so that the storing begins
            self._deliver(tells)
            tells.clear()
        try:
            await storing
        except NotStored:
            self.device.store_failed()
            return False
        return True

    def _send_out(self, outputs: list[Output]) -> list[Tell]:
        """Sends the frames among these outputs; returns each `Tell` among them."""
        for output in drop_redundant_acks(outputs):
            if isinstance(output, Send):
                self.ports.send(output.to, frames.write(output.frame, self.device.mark))
        return [output for output in outputs if isinstance(output, Tell)]

    def _deliver(self, tells: list[Tell]) -> None:
        """Delivers these in order; of all `Applied` only the last."""
        last = next((tell for tell in reversed(tells) if isinstance(tell, Applied)), None)
        for tell in tells:
            if tell is last or not isinstance(tell, Applied):
                self.ports.tell(tell)


def drop_redundant_acks(outputs: list[Output]) -> list[Output]:
    """Drops a positive `Ack` when another one of these to the same leader says more."""
    furthest: dict[int, Ack] = {}
    for output in outputs:
        if isinstance(output, Send) and isinstance(output.frame, Ack) and output.frame.success:
            furthest[output.to] = max(
                furthest.get(output.to, output.frame), output.frame, key=lambda ack: (ack.term, ack.log_end)
            )
    return [
        output
        for output in outputs
        if not (isinstance(output, Send) and isinstance(output.frame, Ack) and output.frame.success)
        or output.frame is furthest[output.to]
    ]
