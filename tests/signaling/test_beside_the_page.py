"""`make play`: the page's server passes WebSockets on to the endpoint in its own process."""

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from signaling.embedded import Embedded
from tests.signaling.people import Person, run_scene
from tools import serve, signaling_proxy


def nothing_to_build() -> None:
    """Replaces the build of the page."""


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "index.html").write_text("the page")
    server = serve.open_server(tmp_path, 8100, nothing_to_build)
    endpoint = Embedded([f"http://localhost:{server.server_port}"])
    server.signaling = endpoint.start()
    thread = serve.start(server)
    yield server.server_port
    endpoint.stop()
    server.shutdown()
    server.server_close()
    thread.join()


def test_two_clients_connect_through_the_pages_own_address(port: int) -> None:
    async def scene() -> None:
        address, page = f"ws://localhost:{port}{signaling_proxy.PATH}", Origin(f"http://localhost:{port}")
        async with (
            connect(address, origin=page, proxy=None) as here,
            connect(address, origin=page, proxy=None) as there,
        ):
            ann, bob = Person(here), Person(there)
            assert await bob.join(await ann.make_room()) == [0]
            await bob.send("to", 0, {"s": 1, "g": "é" * 7000})
            assert await ann.wait_for("from") == ["from", 1, {"s": 1, "g": "é" * 7000}]
            await bob.send("bye")
            assert await bob.wait_closed() == (1000, "bye")
            assert await ann.receive() == ["out", 1, "bye"]

    run_scene(scene())


def test_a_page_of_another_origin_is_refused(port: int) -> None:
    async def scene() -> None:
        with pytest.raises(InvalidStatus) as refusal:
            await connect(
                f"ws://localhost:{port}{signaling_proxy.PATH}", origin=Origin("http://evil.example.org"), proxy=None
            )
        assert refusal.value.response.status_code == 403

    run_scene(scene())


def test_the_page_is_still_served(port: int) -> None:
    with urllib.request.urlopen(f"http://localhost:{port}/") as answer:
        assert answer.read() == b"the page"
