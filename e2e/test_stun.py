"""The endpoint's STUN service, asked by a real browser."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest

from e2e.conftest import NewContext
from signaling.stun import Stun

GATHER = """async address => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: address }] });
    connection.createDataChannel("any");
    const found = [];
    const done = new Promise(resolve => {
        connection.onicecandidate = ({ candidate }) => candidate ? found.push(candidate.candidate) : resolve();
    });
    await connection.setLocalDescription(await connection.createOffer());
    await done;
    connection.close();
    return found;
}"""


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a STUN service in a thread."""
    loop, stop, ports = asyncio.new_event_loop(), asyncio.Event(), list[int]()
    ready = threading.Event()

    async def serve() -> None:
        async with Stun() as service:
            ports.append(service.port)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    ready.wait()
    yield ports[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()


def own_address() -> str:
    """Returns the address of this machine in its network. Skips the test if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        try:
            client.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            pytest.skip("this machine is in no network, and browsers ask nobody on the machine itself")
        return str(client.getsockname()[0])


def test_a_browser_learns_its_address_from_the_service(new_context: NewContext, port: int) -> None:
    address = own_address()
    page = new_context().new_page()
    candidates = [line.split() for line in page.evaluate(GATHER, f"stun:{address}:{port}")]
    assert address in [words[4] for words in candidates if words[7] == "srflx"]
