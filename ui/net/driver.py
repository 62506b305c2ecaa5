"""Carries out what a device puts out, strictly in order, and feeds it with frames and time.

One task does it all: frames are read and their signatures asked after, the clock is told, texts are signed, records
are kept, and only then anything is sent or told. Between two of these steps others may run, but never for this device.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

from engine.core import Refused
from ui.net import frames
from ui.net.border import Border
from ui.net.device import Device
from ui.net.keys import Claim, plain_verify
from ui.net.output import Output, Send, Sign, Store, Tell

WAITING = 2_000  # frames that wait to be read
AT_ONCE = 16  # so many are read before what follows from them is carried out, together


class Unsafe(Exception):
    """What should be kept could not be."""


class Ports(Protocol):
    """What a driver needs of the world."""

    def now(self) -> int: ...

    async def sign(self, data: bytes) -> str: ...

    async def proven(self, claims: Sequence[Claim]) -> bool:
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
        self._wake = asyncio.Event()

    def receive(self, sender: int, data: bytes) -> None:
        if len(self.inbox) < WAITING:
            self.inbox.append((sender, data))
            self._wake.set()

    def wake(self) -> None:
        """Somebody asked something of the device: carry out what it put out."""
        self._wake.set()

    def stop(self) -> None:
        self.over = True
        self._wake.set()

    async def run(self) -> None:
        while not self.over:
            self._wake.clear()
            for _ in range(min(len(self.inbox), AT_ONCE)):
                await self._read(*self.inbox.popleft())
            now = self.ports.now()
            if now >= self.device.due:
                self.device.tick(now)
            await self._carry_out()
            if not self.inbox and not self._wake.is_set():
                await self._sleep()

    async def _sleep(self) -> None:
        """Until something happens, or the device wants to be asked again."""
        wait = max(0.005, (self.device.due - self.ports.now()) / 1000)
        # not `wait_for`: it names a moment, and Pyodide refuses one that has passed meanwhile
        alarm = asyncio.get_running_loop().call_later(min(wait, 1.0), self._wake.set)
        try:
            await self._wake.wait()
        finally:
            alarm.cancel()

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
        in one go; then the rest goes out. So nothing overtakes a record it depends on."""
        while True:
            self.outputs.extend(self.device.take())
            if not self.outputs:
                return
            batch, self.outputs = list(self.outputs), deque()
            for output in batch:
                if isinstance(output, Sign):
                    self.device.signed(output.text, await self.ports.sign(output.text.encode("ascii")))
            records = [output.record for output in batch if isinstance(output, Store)]
            first = next((at for at, output in enumerate(batch) if isinstance(output, Store)), len(batch))
            self._give_out(batch[:first])
            rest = batch[first:]
            if records:
                try:
                    await self.ports.keep(records)
                except Unsafe:
                    self.device.store_failed()
                    rest = [output for output in rest if isinstance(output, Tell)]
            self._give_out(rest)

    def _give_out(self, outputs: list[Output]) -> None:
        for output in outputs:
            if isinstance(output, Send):
                self.ports.send(output.to, frames.write(output.frame, self.device.mark))
            elif isinstance(output, Tell):
                self.ports.tell(output)
