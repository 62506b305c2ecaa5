"""Carries out what a device puts out, strictly in order, and feeds it with frames and time.

One task does it all: frames are read and their signatures asked after, the clock is told, texts are signed, records
are kept, and only then anything is sent or told. Between two of these steps others may run, but never for this device.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Protocol

from engine.core import Refused
from ui.net import frames
from ui.net.border import Border, Claim
from ui.net.device import Device
from ui.net.keys import plain_verify
from ui.net.output import Output, Send, Sign, Store, Tell

WAITING = 2_000  # frames that wait to be read


class Unsafe(Exception):
    """What should be kept could not be."""


class Ports(Protocol):
    """What a driver needs of the world."""

    def now(self) -> int: ...

    async def sign(self, data: bytes) -> str: ...

    async def verify(self, signer: str, data: bytes, signature: str) -> bool: ...

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
            if self.inbox:
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
        try:
            await asyncio.wait_for(self._wake.wait(), min(wait, 1.0))
        except TimeoutError:
            return

    async def _read(self, sender: int, data: bytes) -> None:
        now = self.ports.now()
        try:
            frame = self.border.opened(sender, data, now)
            told = await asyncio.gather(*map(self._true, self.border.claims(frame)))
            if not all(told):
                raise Refused("net.forged")
            self.border.passed(sender, frame, self.ports.now())
        except Refused as refused:
            self.border.count(sender, refused, now)

    async def _true(self, claim: Claim) -> bool:
        for signer in claim.signers:
            if await self.ports.verify(signer, claim.text.encode("ascii"), claim.signature):
                return True
        return False

    async def _carry_out(self) -> None:
        """Sign all there is to sign, keep all there is to keep, then send and tell: in that order nothing overtakes
        a record it depends on."""
        while True:
            self.outputs.extend(self.device.take())
            if not self.outputs:
                return
            batch, self.outputs = list(self.outputs), deque()
            for output in batch:
                if isinstance(output, Sign):
                    self.device.signed(output.text, await self.ports.sign(output.text.encode("ascii")))
            records = [output.record for output in batch if isinstance(output, Store)]
            if records:
                try:
                    await self.ports.keep(records)
                except Unsafe:
                    self.device.store_failed()
                    batch = [output for output in batch if isinstance(output, Tell)]
            for output in batch:
                if isinstance(output, Send):
                    self.ports.send(output.to, frames.write(output.frame, self.device.mark))
                elif isinstance(output, Tell):
                    self.ports.tell(output)
