"""STUN (RFC 5389): a service that tells a device the address from which its packets come, and a request to one.

Only binding requests without authentication are answered. With that address two devices in different homes can connect
directly. UDP lets a sender forge its address, so an answer is at most 24 bytes longer than its request, and each
address and all of them together get a limited number of answers. Everything else gets no answer.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from types import TracebackType
from typing import Any

from signaling.limits import MINUTE
from signaling.throttle import MinuteCounter, TokenBucket, counted_address

PORT = 3478
COOKIE = 0x2112A442
HEADER = struct.Struct("!HHI12s")  # kind, length of what follows, cookie, transaction
ATTRIBUTE = struct.Struct("!HH")  # kind, length
REQUEST, SUCCESS = 0x0001, 0x0101
XOR_MAPPED_ADDRESS = 0x0020
OPTIONAL = 0x8000  # attributes from here on may be ignored by who does not know them
FAMILIES = {4: 1, 6: 2}
LONGEST = 548  # bytes of a packet that passes every network whole
ANSWERS_A_MINUTE = 120  # to one address
ANSWERS_A_SECOND = 1000  # to all together, which also limits how many addresses are counted
RESENDS = (0.5, 1.0, 2.0)  # seconds to wait for an answer before the request is sent again, or given up

Address = IPv4Address | IPv6Address


def answer(packet: bytes, host: str, port: int) -> bytes | None:
    """Returns the answer to a packet from that address; None if it is no plain binding request."""
    transaction, attributes = _read(packet, REQUEST) or (b"", {})
    if not transaction or any(kind < OPTIONAL for kind in attributes):
        return None
    address = _plain(ip_address(host.partition("%")[0]))
    hidden = bytes(a ^ b for a, b in zip(address.packed, _mask(transaction), strict=False))
    value = struct.pack("!BBH", 0, FAMILIES[address.version], port ^ COOKIE >> 16) + hidden
    body = ATTRIBUTE.pack(XOR_MAPPED_ADDRESS, len(value)) + value
    return HEADER.pack(SUCCESS, len(body), COOKIE, transaction) + body


def make_request() -> bytes:
    return HEADER.pack(REQUEST, 0, COOKIE, secrets.token_bytes(12))


def mapped_address(packet: bytes, request: bytes) -> Address | None:
    """Returns the address that an answer to the request names; None if it is no such answer."""
    transaction, attributes = _read(packet, SUCCESS) or (b"", {})
    value = attributes.get(XOR_MAPPED_ADDRESS, b"")
    if transaction != request[8:20] or len(value) not in (8, 20) or FAMILIES[4 if len(value) == 8 else 6] != value[1]:
        return None
    return ip_address(bytes(a ^ b for a, b in zip(value[4:], _mask(transaction), strict=False)))


def ask(host: str, port: int, resends: Sequence[float] = RESENDS) -> tuple[Address, Address] | None:
    """Asks a STUN service for this machine's address. Returns the address of the service that has answered, and the one
    that it named; None if nothing answers. Raises `OSError` if the host has no address. Blocks for a few seconds."""
    for family, kind, protocol, _, target in socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM):
        with socket.socket(family, kind, protocol) as client, suppress(OSError):  # one family may be unreachable
            client.connect(target)
            request = make_request()
            for seconds in resends:
                client.settimeout(seconds)
                client.send(request)
                with suppress(TimeoutError):
                    named = mapped_address(client.recv(LONGEST), request)
                    if named is not None:
                        return ip_address(str(target[0]).partition("%")[0]), named
    return None


class Stun(asyncio.DatagramProtocol):
    """A STUN service: `async with Stun(port) as stun:` answers at `stun.port`, on every address of this machine."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self._transport: asyncio.DatagramTransport | None = None
        self._counter = MinuteCounter(ANSWERS_A_MINUTE)
        self._bucket = TokenBucket(ANSWERS_A_SECOND, ANSWERS_A_SECOND, 0.0)
        self._forgotten = 0.0

    async def __aenter__(self) -> Stun:
        open_socket = _open_socket(self.port)
        self.port = open_socket.getsockname()[1]
        opened = await asyncio.get_running_loop().create_datagram_endpoint(lambda: self, sock=open_socket)
        self._transport = opened[0]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._transport is not None:
            self._transport.close()

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        reply = answer(data, addr[0], addr[1])
        now = asyncio.get_running_loop().time()
        if reply is not None and self._transport is not None and self.allows(addr[0], now):
            self._transport.sendto(reply, addr)

    def allows(self, host: str, now: float) -> bool:
        """Returns True if this address may have one more answer, and counts it."""
        if now - self._forgotten >= MINUTE:
            self._counter.forget(now)
            self._forgotten = now
        address = counted_address(host)
        if not self._counter.allows(address, now) or not self._bucket.take(now):
            return False
        self._counter.count(address, now)
        return True


def _open_socket(port: int) -> socket.socket:
    """Returns a socket for IPv6 and IPv4 in one, or for IPv4 alone where there is no IPv6."""
    both = socket.has_dualstack_ipv6()
    opened = socket.socket(socket.AF_INET6 if both else socket.AF_INET, socket.SOCK_DGRAM)
    try:
        if both:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        opened.bind(("::" if both else "0.0.0.0", port))  # noqa: S104  (players come from everywhere)
    except OSError:
        opened.close()
        raise
    opened.setblocking(False)
    return opened


def _read(packet: bytes, wanted: int) -> tuple[bytes, dict[int, bytes]] | None:
    """Returns the transaction and the attributes of a message of that kind, or None if the packet is none."""
    if not HEADER.size <= len(packet) <= LONGEST or len(packet) % 4:
        return None
    kind, length, cookie, transaction = HEADER.unpack_from(packet)
    if (kind, length, cookie) != (wanted, len(packet) - HEADER.size, COOKIE):
        return None
    attributes: dict[int, bytes] = {}
    at = HEADER.size
    while at < len(packet):
        name, size = ATTRIBUTE.unpack_from(packet, at)
        at += ATTRIBUTE.size
        if at + size > len(packet):
            return None
        attributes.setdefault(name, packet[at : at + size])
        at += size + -size % 4
    return transaction, attributes


def _mask(transaction: bytes) -> bytes:
    return COOKIE.to_bytes(4, "big") + transaction


def _plain(address: Address) -> Address:
    """Returns the IPv4 address where a socket for both kinds writes one as IPv6."""
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
