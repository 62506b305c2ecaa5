"""Carries out what a device puts out, strictly in order, and feeds it with frames and time.

One task does it all: frames are read and their signatures asked after, the clock is told, texts are signed, records
are kept, and only then anything is sent or told. Between two of these steps others may run, but never for this device.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from engine.core import Refused
from peer.crypto.keys import SignedText, plain_verify
from peer.device.border import PILED_UP, Border
from peer.device.device import Device
from peer.order.outputs import Output, Send, Sign, Store, Tell
from peer.timeout import within
from peer.wire import frames
from peer.wire.frames import Ack

WAITING = PILED_UP  # frames that wait to be read
NAP = 1.0  # seconds between two looks at the clock, at most
SLEPT = 5_000  # milliseconds: after so many this device was suspended
AT_ONCE = 16  # so many are read before what follows from them is carried out, together


class NotStored(Exception):
    """What should be kept could not be."""


class Ports(Protocol):
    """What a driver needs of the world."""

    def now(self) -> int: ...

    async def sign(self, data: bytes) -> str: ...

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        """Whether all these signatures are true."""

    async def keep(self, records: list[list[Any]]) -> None:
        """Safe when this returns; raises `Unsafe`."""

    def send(self, device: int, data: bytes) -> None: ...

    def tell(self, tell: Tell) -> None: ...


class Driver:
    def __init__(self, device: Device, ports: Ports) -> None:
        self.device, self.ports = device, ports
        self.border = Border(device, plain_verify)
        self.inbox: deque[tuple[int, bytes]] = deque()
        self.outputs: deque[Output] = deque()
        self.over = False
        self.looked = ports.now()
        self._bell: asyncio.Future[None] | None = None  # while it sleeps, or may soon

    def receive(self, sender: int, data: bytes) -> None:
        if len(self.inbox) < WAITING:
            self.inbox.append((sender, data))
            self.wake()

    def wake(self) -> None:
        """Somebody asked something of the device: carry out what it put out."""
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)

    def stop(self) -> None:
        self.over = True
        self.wake()

    async def run(self) -> None:
        while not self.over:
            bell = self._bell = asyncio.get_running_loop().create_future()
            if self.ports.now() - self.looked > SLEPT:
                self.border.slept()
            self.looked = self.ports.now()
            for _ in range(min(len(self.inbox), AT_ONCE)):
                await self._read(*self.inbox.popleft())
            now = self.ports.now()
            if now >= self.device.due:
                self.device.tick(now)
            await self._carry_out()
            if not self.inbox:
                await self._sleep(bell)

    async def _sleep(self, bell: asyncio.Future[None]) -> None:
        """Until something happens, or the device wants to be asked again."""
        wait = max(0.005, (self.device.due - self.ports.now()) / 1000)
        with suppress(TimeoutError):
            await within(bell, min(wait, NAP))

    async def _read(self, sender: int, data: bytes) -> None:
        now = self.ports.now()
        try:
            frame = self.border.opened(sender, data, now)
            claims = list(self.border.claims(frame))
            if claims and not await self.ports.proven(claims):
                raise Refused("net.forged")
            self.border.passed(sender, frame, self.ports.now())
        except Refused as refused:
            self.border.count(sender, refused, now)

    async def _carry_out(self) -> None:
        """Sign all there is to sign; what comes before the first record goes out at once; then all records are kept,
        in one go; then the rest goes out. So nothing overtakes a record it depends on.

        What is told makes a picture, and that takes time: it is made while the next records are being kept.
        """
        told: list[Tell] = []
        while True:
            self.outputs.extend(self.device.take())
            if not self.outputs:
                break
            batch, self.outputs = list(self.outputs), deque()
            if self.device.stopped:  # it says nothing more, not even what would still be safe
                batch = [output for output in batch if isinstance(output, Tell)]
            for output in batch:
                if isinstance(output, Sign):
                    self.device.signed(output.text, await self.ports.sign(output.text.encode("ascii")))
            records = [output.record for output in batch if isinstance(output, Store)]
            first = next((at for at, output in enumerate(batch) if isinstance(output, Store)), len(batch))
            told += self._send_out(batch[:first])
            rest = batch[first:]
            if records and not await self._keep(records, told):
                rest = [output for output in rest if isinstance(output, Tell)]
            told += self._send_out(rest)
        self._tell(told)

    async def _keep(self, records: list[list[Any]], told: list[Tell]) -> bool:
        """Whether they are safe. Meanwhile everybody may see what was told before."""
        keeping: Awaitable[None] = self.ports.keep(records)
        if told:
            keeping = asyncio.ensure_future(keeping)
            await asyncio.sleep(0)  # it is on its way
            self._tell(told)
            told.clear()
        try:
            await keeping
        except NotStored:
            self.device.store_failed()
            return False
        return True

    def _send_out(self, outputs: list[Output]) -> list[Tell]:
        """Send what is to be sent; gives what is to be told."""
        for output in needed(outputs):
            if isinstance(output, Send):
                self.ports.send(output.to, frames.write(output.frame, self.device.mark))
        return [output for output in outputs if isinstance(output, Tell)]

    def _tell(self, told: list[Tell]) -> None:
        """In their order; how far the log is applied, once."""
        last = next((tell for tell in reversed(told) if tell.what == "applied"), None)
        for tell in told:
            if tell.what != "applied" or tell is last:
                self.ports.tell(tell)


def needed(outputs: list[Output]) -> list[Output]:
    """Of several answers to a host, in one breath, the one that says most is enough."""
    most: dict[int, Ack] = {}
    for output in outputs:
        if isinstance(output, Send) and isinstance(output.frame, Ack) and output.frame.held:
            most[output.to] = max(most.get(output.to, output.frame), output.frame, key=lambda ack: (ack.term, ack.at))
    return [
        output
        for output in outputs
        if not (isinstance(output, Send) and isinstance(output.frame, Ack) and output.frame.held)
        or output.frame is most[output.to]
    ]
