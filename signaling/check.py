"""The check of an endpoint and of STUN services, from outside, as a page would use them.

Every failure is a `CheckFailed` with one sentence that says what to do.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Origin

from engine import strict_json
from engine.core import Nonsense
from signaling import stun
from signaling.limits import Limits

WITHIN = 10.0  # seconds for everything at the endpoint
ENDPOINT_ADDRESS = re.compile(r"wss?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/|$)")
STUN_ADDRESS = re.compile(r"stun:(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")


class CheckFailed(Exception):
    """The check has failed. Its text is one sentence: what is wrong, and what to do about it."""


async def check_endpoint(address: str, origin: str | None, within: float = WITHIN) -> None:
    """Makes a room as a page of that origin, meets itself in it, and exchanges a text. Raises `CheckFailed`."""
    if not ENDPOINT_ADDRESS.match(address):
        raise CheckFailed(f"{address} is no address of an endpoint: write it as wss://meet.example.org/signaling.")
    try:
        async with (
            asyncio.timeout(within),
            _connected(address, origin) as host,
            _connected(address, origin) as guest,
        ):
            await _meet(host, guest)
    except TimeoutError as error:
        raise CheckFailed(
            f"{address} did not finish within {within:g} seconds: look whether the firewall and the proxy let "
            "WebSockets through, in both directions."
        ) from error
    except ConnectionClosed as error:
        raise CheckFailed(
            f"{address} closed the connection ({error}): look into the log of the endpoint and of its proxy."
        ) from error


def check_stun(address: str, resends: Sequence[float] = stun.RESENDS) -> str:
    """Returns the address that a STUN service sees us at. Raises `CheckFailed`. Blocks for a few seconds."""
    form = STUN_ADDRESS.fullmatch(address)
    port = int(form["port"] or stun.PORT) if form else 0
    if form is None or not 0 < port < 65536:
        raise CheckFailed(f"{address} is no address of a STUN service: write it as stun:meet.example.org:3478.")
    host = form["host"].strip("[]")
    try:
        seen = stun.ask(host, port, resends)
    except (OSError, UnicodeError) as error:
        raise CheckFailed(_unknown_name(host)) from error
    if seen is None:
        raise CheckFailed(
            f"No STUN service answers at {host}, port {port}: start it, and let UDP to port {port} through the "
            "firewall (and the router, if it stands at home)."
        )
    service, named = seen
    if service.is_global and not named.is_global:
        raise CheckFailed(
            f"The STUN service at {host} sees this machine as {named}, an address of its own network: run it on the "
            "machine's network instead of a container's, and check it from outside that network."
        )
    return str(named)


@asynccontextmanager
async def _connected(address: str, origin: str | None) -> AsyncIterator[ClientConnection]:
    async with await _connect(address, origin) as connection:
        yield connection


async def _connect(address: str, origin: str | None) -> ClientConnection:
    host = urlsplit(address).hostname or ""
    page = None if origin is None else Origin(origin)
    try:
        return await connect(address, origin=page, proxy=None, close_timeout=1, max_size=Limits().frame_bytes)
    except InvalidStatus as error:
        raise CheckFailed(_refused(address, origin, error.response.status_code)) from error
    except ssl.SSLCertVerificationError as error:
        raise CheckFailed(
            f"The certificate of {host} is not valid ({error.verify_message}): the proxy has to get one for exactly "
            "this name, for which ports 80 and 443 of that machine must be open."
        ) from error
    except ssl.SSLError as error:
        raise CheckFailed(f"{host} does not speak TLS there: put a proxy with TLS before the endpoint.") from error
    except (socket.gaierror, UnicodeError) as error:
        raise CheckFailed(_unknown_name(host)) from error
    except (InvalidHandshake, InvalidURI, EOFError, ValueError) as error:  # after those of TLS, which are ValueErrors
        raise CheckFailed(
            f"What answers at {address} is no WebSocket: look whether the address has the right port and path, and "
            "begins with wss:// where there is TLS."
        ) from error
    except TimeoutError:
        raise
    except OSError as error:
        raise CheckFailed(
            f"Nothing answers at {address}: start the endpoint and its proxy, and open the port in the firewall (and "
            "in the router, if it stands at home)."
        ) from error


async def _meet(host: ClientConnection, guest: ClientConnection) -> None:
    await _send(host, "create", {})
    _, code, host_slot, *_ = await _receive(host, "room", 4)
    await _send(guest, "join", code, None)
    _, _, guest_slot, *_ = await _receive(guest, "room", 4)
    await _receive(host, "in", 2)
    text = {"s": 1, "g": secrets.token_urlsafe(16)}
    await _send(guest, "to", host_slot, text)
    if (await _receive(host, "from", 3))[1:3] != [guest_slot, text]:
        raise CheckFailed("The endpoint changed a text on its way: look what stands between it and this machine.")
    for connection in (guest, host):
        await _send(connection, "bye")


async def _send(connection: ClientConnection, *frame: Any) -> None:
    await connection.send(strict_json.dumps(list(frame)))


async def _receive(connection: ClientConnection, kind: str, length: int) -> list[Any]:
    """Returns the next frame, which has to be of this kind and at least this long."""
    message = await connection.recv()
    try:
        frame = strict_json.loads(message, Limits().frame_bytes) if isinstance(message, str) else None
    except Nonsense:
        frame = None
    if frame in (["err", "wait"], ["err", "busy"]):
        raise CheckFailed("The endpoint has too much to do, or had too many rooms from here: try again in a minute.")
    if not isinstance(frame, list) or len(frame) < length or frame[0] != kind:
        raise CheckFailed(
            f"What answers is no endpoint of Speakeasy, or of another version (no {kind!r} came): update it, and look "
            "whether the address is right."
        )
    return frame


def _refused(address: str, origin: str | None, status: int) -> str:
    if status == 403:
        page = origin or "every origin"
        return f"{address} does not let pages of {page} connect: name the page's origin in its --origins."
    return (
        f"{address} answers {status} instead of opening a WebSocket: start the endpoint, and let its proxy pass "
        "WebSockets on to it."
    )


def _unknown_name(host: str) -> str:
    return (
        f"The name {host} leads nowhere yet: enter it in your domain's DNS with the address of that machine, and wait."
    )
