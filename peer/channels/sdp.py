"""Session descriptions of WebRTC, packed into about a hundred bytes instead of a page of text.

Only the parts that differ are carried: ICE name and password, the certificate's fingerprint, and addresses. The rest is
always the same and is written anew on the other side, so no text of another device reaches the browser.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from ipaddress import IPv4Address, ip_address
from typing import NamedTuple

from engine.core import Nonsense
from peer.wire.messages import MAX_DESCRIPTION

MAX_ADDRESSES = 8  # addresses
HOST, REFLEXIVE, RELAY = 0, 1, 2
TYPES = {"host": HOST, "srflx": REFLEXIVE, "prflx": REFLEXIVE, "relay": RELAY}
TYPE_NAMES = ("host", "srflx", "relay")
PRIORITIES = (2122260223, 1686052607, 41885439)
MDNS, V4, V6 = 0, 1, 2
SIZES = (16, 4, 16)

UFRAG = re.compile(r"^a=ice-ufrag:([A-Za-z0-9+/]{4,64})\s*$", re.MULTILINE)
PWD = re.compile(r"^a=ice-pwd:([A-Za-z0-9+/]{22,64})\s*$", re.MULTILINE)
FINGERPRINT = re.compile(r"^a=fingerprint:sha-256 ((?:[0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2})\s*$", re.MULTILINE)
CANDIDATE = re.compile(r"^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (host|srflx|prflx|relay)\b", re.MULTILINE | re.I)


class Address(NamedTuple):
    """An address of a browser: an IP address, or an mDNS name that only its own network can resolve."""

    type: int
    host: str
    port: int


class Description(NamedTuple):
    """The variable parts of one side's session description."""

    ufrag: str
    pwd: str
    fingerprint: bytes
    addresses: tuple[Address, ...]


def read(sdp: str) -> Description:
    """Returns the variable parts of a browser's own description. Raises `Nonsense` if one is missing."""
    ufrag, pwd, fingerprint = UFRAG.search(sdp), PWD.search(sdp), FINGERPRINT.search(sdp)
    if ufrag is None or pwd is None or fingerprint is None:
        raise Nonsense("net.description")
    addresses: list[Address] = []
    for host, port, kind in CANDIDATE.findall(sdp):
        address = Address(TYPES[kind.lower()], host, int(port))
        if _pack_address(address) is not None and address not in addresses and len(addresses) < MAX_ADDRESSES:
            addresses.append(address)
    return Description(ufrag[1], pwd[1], bytes.fromhex(fingerprint[1].replace(":", "")), tuple(addresses))


def write(description: Description, *, offer: bool, number: int = 1) -> str:
    """Returns the complete description, as a browser takes it."""
    lines = [
        "v=0",
        f"o=- {number} 2 IN IP4 127.0.0.1",
        "s=-",
        "t=0 0",
        "a=group:BUNDLE 0",
        "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
        "c=IN IP4 0.0.0.0",
        "a=mid:0",
        f"a=ice-ufrag:{description.ufrag}",
        f"a=ice-pwd:{description.pwd}",
        f"a=fingerprint:sha-256 {description.fingerprint.hex(':').upper()}",
        f"a=setup:{'actpass' if offer else 'active'}",
        "a=sctp-port:5000",
        "a=max-message-size:65536",
    ]
    for index, address in enumerate(description.addresses):
        end = " raddr 0.0.0.0 rport 0" if address.type else ""
        lines.append(
            f"a=candidate:{index + 1} 1 udp {PRIORITIES[address.type] - index} {address.host} {address.port}"
            f" typ {TYPE_NAMES[address.type]}{end}"
        )
    return "\r\n".join([*lines, "a=end-of-candidates", ""])


def pack(description: Description) -> bytes:
    parts = [_pack_name(description.ufrag), _pack_name(description.pwd), description.fingerprint]
    parts += [packed for address in description.addresses if (packed := _pack_address(address)) is not None]
    return b"".join(parts)


def unpack(data: bytes) -> Description:
    """Returns the description in these bytes. Raises `Nonsense` if they are not a valid one."""
    if len(data) > MAX_DESCRIPTION:
        raise Nonsense("net.description")
    try:
        ufrag, data = _unpack_name(data)
        pwd, data = _unpack_name(data)
        fingerprint, data = data[:32], data[32:]
        addresses: list[Address] = []
        while data and len(addresses) < MAX_ADDRESSES:
            kind, type_ = data[0] & 15, data[0] >> 4
            size = SIZES[kind]
            port = int.from_bytes(data[1 + size : 3 + size], "big")
            addresses.append(Address(TYPES[TYPE_NAMES[type_]], _unpack_host(kind, data[1 : 1 + size]), port))
            data = data[3 + size :]
    except (IndexError, ValueError) as error:
        raise Nonsense("net.description") from error
    text = f"a=ice-ufrag:{ufrag}\na=ice-pwd:{pwd}\n"
    if data or len(fingerprint) < 32 or not (UFRAG.search(text) and PWD.search(text)):
        raise Nonsense("net.description")
    return Description(ufrag, pwd, fingerprint, tuple(addresses))


def _pack_name(text: str) -> bytes:
    """Packs base64 letters: three bytes for four letters if their number is a multiple of four, else as ASCII."""
    if len(text) % 4 == 0:
        return bytes([128 | len(text) // 4]) + b64decode(text)
    return bytes([len(text)]) + text.encode("ascii")


def _unpack_name(data: bytes) -> tuple[str, bytes]:
    size = data[0]
    if size & 128:
        end = 1 + 3 * (size & 127)
        return b64encode(data[1:end]).decode("ascii"), data[end:]
    return data[1 : 1 + size].decode("ascii"), data[1 + size :]


def _pack_address(address: Address) -> bytes | None:
    """Packs an address. Returns None if another browser could not use it."""
    port = address.port.to_bytes(2, "big") if 0 < address.port < 65536 else b""
    if not port:
        return None
    name, dot, local = address.host.partition(".")
    try:
        if dot and local == "local":
            packed = bytes.fromhex(name.replace("-", ""))
            return bytes([address.type << 4 | MDNS]) + packed + port if len(packed) == SIZES[MDNS] else None
        ip = ip_address(address.host)
    except ValueError:
        return None
    return bytes([address.type << 4 | (V4 if isinstance(ip, IPv4Address) else V6)]) + ip.packed + port


def _unpack_host(kind: int, data: bytes) -> str:
    if len(data) != SIZES[kind]:
        raise ValueError(kind)
    if kind == MDNS:
        name = data.hex()
        return f"{name[:8]}-{name[8:12]}-{name[12:16]}-{name[16:20]}-{name[20:]}.local"
    return str(ip_address(data))
