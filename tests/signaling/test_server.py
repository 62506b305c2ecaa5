"""The real server over real WebSockets on loopback."""

import asyncio
import json
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from signaling.embedded import Embedded
from signaling.hub import Hub
from signaling.limits import KIB, Limits
from signaling.node import Node
from signaling.server import Server
from tests.malformed import MALFORMED, status_line
from tests.signaling.people import (
    PAGE,
    TIMEOUT,
    connect_person,
    fetch,
    flood,
    masked,
    raw_client,
    run_scene,
    wait_until,
)

ROOT = Path(__file__).parent.parent.parent
SOON = Limits(close_within=0.2)
FAST = replace(SOON, frames_a_second=1e9, burst=10**9)


def make_server(limits: Limits = SOON, proxies: int = 0) -> Server:
    return Server(Node(Hub(limits)), origins=[PAGE], proxies=proxies)


def test_two_clients_exchange_frames_and_leave() -> None:
    async def scene() -> None:
        async with make_server() as server:
            ann, bob = await connect_person(server.port), await connect_person(server.port)
            code = await ann.make_room()
            assert await bob.join(code) == [0]
            assert await ann.receive() == ["in", 1]
            await bob.send("to", 0, {"s": 1, "g": "sealed é"})
            assert await ann.receive() == ["from", 1, {"s": 1, "g": "sealed é"}]
            await ann.send("to", 1, {"s": 1, "g": "x" * 16_000})
            assert await bob.receive() == ["from", 0, {"s": 1, "g": "x" * 16_000}]
            await bob.send("bye")
            assert await ann.receive() == ["out", 1, "bye"]
            assert await bob.wait_closed() == (1000, "bye")
            again = await connect_person(server.port)
            assert await again.join(code, bob.token) == [0]
            assert again.slot == 1
            await again.close()
            assert await ann.wait_for("out") == ["out", 1, "lost"]

    run_scene(scene())


def test_frames_arrive_in_order() -> None:
    async def scene() -> None:
        async with make_server(FAST) as server:
            ann, bob = await connect_person(server.port), await connect_person(server.port)
            await bob.join(await ann.make_room())
            for number in range(300):
                await bob.send("to", 0, {"s": number, "g": ""})
            heard = [(await ann.wait_for("from"))[2]["s"] for _ in range(300)]
            assert heard == list(range(300))
            await ann.close()

    run_scene(scene())


@pytest.mark.parametrize("origin", [None, "https://evil.example.org", "null", PAGE + ".evil.org", PAGE + ":444"])
def test_a_page_of_another_origin_is_refused(origin: str | None) -> None:
    async def scene() -> None:
        async with make_server() as server:
            with pytest.raises(InvalidStatus) as refusal:
                await connect_person(server.port, origin)
            assert refusal.value.response.status_code == 403

    run_scene(scene())


@pytest.mark.parametrize("request_", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_request_gets_a_400_and_no_log_entry(request_: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async with make_server() as server:
            line = await asyncio.to_thread(status_line, server.port, request_)
            assert line == "HTTP/1.1 400 Bad Request"
            assert (await asyncio.to_thread(fetch, server.port, "/health"))[0] == 200

    run_scene(scene())
    assert not caplog.records


def test_a_connection_that_ends_before_its_request_leaves_no_log_entry(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async with make_server() as server:
            for start in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: loc"):
                with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) as client:
                    client.sendall(start)
            assert (await asyncio.to_thread(fetch, server.port, "/health"))[0] == 200

    run_scene(scene())
    assert not caplog.records


def test_a_star_allows_every_origin() -> None:
    async def scene() -> None:
        async with Server(Node(Hub()), origins=["*"]) as server:
            ann = await connect_person(server.port, None)
            await ann.make_room()

    run_scene(scene())


def test_a_binary_message_is_refused() -> None:
    async def scene() -> None:
        async with make_server() as server:
            ann = await connect_person(server.port)
            await ann.send_raw(b'["ping"]')
            assert await ann.receive() == ["err", "json"]

    run_scene(scene())


def test_an_oversized_message_closes_the_connection_before_it_is_read() -> None:
    async def scene() -> None:
        async with make_server() as server:
            ann = await connect_person(server.port)
            await ann.send_raw("x" * (16 * KIB + 1))
            assert (await ann.wait_closed())[0] == 1009
            await wait_until(lambda: no_clients(server))

    run_scene(scene())


async def no_clients(server: Server) -> bool:
    return not server.node.hub.clients


def test_bad_frames_close_the_connection_with_1008() -> None:
    async def scene() -> None:
        async with make_server() as server:
            ann = await connect_person(server.port)
            for _ in range(9):
                await ann.send_raw("[" * 9000)
            assert await ann.wait_closed() == (1008, "bad")

    run_scene(scene())


@pytest.mark.parametrize("payload", [b'["ping"]', b"[" * 16_000, b"x" * 60_000], ids=["small", "deep", "oversized"])
def test_a_flooding_client_is_disconnected_and_the_others_go_on(payload: bytes) -> None:
    async def scene() -> None:
        async with make_server() as server:
            ann, bob = await connect_person(server.port), await connect_person(server.port)
            await bob.join(await ann.make_room())
            flooding = asyncio.create_task(asyncio.to_thread(flood, server.port, payload))
            while not flooding.done():
                await bob.send("to", 0, {"s": 1, "g": "still here"})
                assert await ann.wait_for("from") == ["from", 1, {"s": 1, "g": "still here"}]
                await asyncio.sleep(0.06)  # within the rate limit of a client
            await flooding
            counts = server.node.hub.counts
            # an oversized message never reaches the hub
            assert counts["cut fast"] + counts["cut bad"] == (0 if len(payload) > 16 * KIB else 1)
            await ann.close()

    run_scene(scene())


@pytest.mark.parametrize("kind", [0x89, 0x8A, 0x00], ids=["pings", "pongs", "parts of a message"])
def test_a_flood_of_control_frames_is_cut_before_the_library_answers_it(kind: int) -> None:
    """Regression: the library answered every ping, and no limit counted them."""

    def answers(port: int) -> tuple[int, bytes]:
        """Sends such frames. Returns how many pongs came back, and what came after them."""
        with raw_client(port) as client:
            client.sendall((b"" if kind else masked(b"", 0x01)) + masked(b"", kind) * 4_000)
            received = b""
            with suppress(ConnectionError):
                while part := client.recv(4096):
                    received += part
            pongs = received.count(b"\x8a\x00")
            return pongs, received.replace(b"\x8a\x00", b"")

    async def scene() -> None:
        limits = Limits()
        async with make_server() as server:
            ann = await connect_person(server.port)
            await ann.make_room()
            pongs, rest = await asyncio.to_thread(answers, server.port)
            assert pongs <= (limits.control_burst + 1 if kind == 0x89 else 0)
            if rest:  # nothing, if the system dropped it together with the connection
                assert b'["err","fast"]' in rest
            await wait_until(lambda: has_cut(server))
            await ann.send("ping")
            assert await ann.wait_for("pong") == ["pong"]
            await ann.close()

    async def has_cut(server: Server) -> bool:
        return server.node.hub.counts["cut fast"] == 1

    run_scene(scene())


def test_a_browser_that_answers_pings_for_hours_is_not_cut() -> None:
    """Its pongs are counted, and its messages may come in parts."""

    async def scene() -> None:
        async with make_server() as server:
            ann, bob = await connect_person(server.port), await connect_person(server.port)
            await bob.join(await ann.make_room())
            await ann.send_pongs(Limits().control_burst - 5)
            await ann.send_parts('["to",1,', '{"s":1,', '"g":"in parts"}]')
            assert await bob.wait_for("from") == ["from", 0, {"s": 1, "g": "in parts"}]
            await ann.close()

    run_scene(scene())


def test_a_client_that_does_not_read_is_disconnected_at_256_queued_messages() -> None:
    async def scene() -> None:
        async with make_server(replace(FAST, queued_bytes=10**9)) as server:
            ann = await connect_person(server.port)
            code = await ann.make_room()
            sloth = await asyncio.to_thread(raw_client, server.port)
            await asyncio.to_thread(sloth.sendall, join_frame(code))
            await ann.wait_for("in")
            while not server.node.hub.counts["cut slow"]:
                await ann.send("to", 1, {"s": 1, "g": "x" * 16_000})
            assert await ann.wait_for("out") == ["out", 1, "cut"]
            await ann.close()
            await wait_until(lambda: no_clients(server))
            sloth.close()

    run_scene(scene())


def join_frame(code: str) -> bytes:
    text = json.dumps(["join", code, None]).encode()
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text  # a mask of zeros changes nothing


def test_a_client_that_does_not_read_is_disconnected_at_a_queued_megabyte() -> None:
    async def scene() -> None:
        async with make_server(replace(FAST, queued=10**9)) as server:
            ann = await connect_person(server.port)
            code = await ann.make_room()
            sloth = await asyncio.to_thread(raw_client, server.port)
            await asyncio.to_thread(sloth.sendall, join_frame(code))
            await ann.wait_for("in")
            while not server.node.hub.counts["cut slow"]:
                await ann.send("to", 1, {"s": 1, "g": "x" * 16_000})
            await ann.close()
            sloth.close()

    run_scene(scene())


def test_guessing_codes_is_rate_limited() -> None:
    async def scene() -> None:
        async with make_server() as server:
            eve = await connect_person(server.port)
            for number in range(20):
                await eve.send("join", f"ZZZZZZZZZZ{number:02}", None)
                assert await eve.receive() == ["err", "code"]
            for guess in "XYZ":
                again = await connect_person(server.port)
                await again.send("join", guess * 12, None)
                assert await again.receive() == ["err", "wait"]
                assert await again.wait_closed() == (1008, "wait")

    run_scene(scene())


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "10.0.0.7", "127.0.0.1"),
        (1, "6.6.6.6, 10.0.0.7", "10.0.0.7"),
        (2, "6.6.6.6, 10.0.0.7, 192.0.2.1", "10.0.0.7"),
        (1, None, "127.0.0.1"),
    ],
)
def test_the_forwarded_address_is_used_behind_trusted_proxies(
    proxies: int, forwarded: str | None, address: str
) -> None:
    async def scene() -> None:
        async with make_server(proxies=proxies) as server:
            ann = await connect_person(server.port, headers={"X-Forwarded-For": forwarded} if forwarded else None)
            await ann.make_room()
            assert [client.address for client in server.node.hub.clients.values()] == [address]

    run_scene(scene())


def test_health_and_metrics_are_served() -> None:
    async def scene() -> None:
        async with make_server() as server:
            ann = await connect_person(server.port)
            await ann.make_room()
            assert await asyncio.to_thread(fetch, server.port, "/health") == (
                200,
                '{"status": "ok", "redis": "none"}\n',
            )
            await ann.send("shout")
            await ann.receive()
            status, text = await asyncio.to_thread(fetch, server.port, "/metrics?now")
            assert status == 200
            told = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
            assert told["speakeasy_clients"] == "1"
            assert told["speakeasy_rooms"] == "1"
            assert told["speakeasy_frames_total"] == "2"
            assert told['speakeasy_refused_total{why="frame"}'] == "1"
            assert told["speakeasy_redis_up"] == "0"
            assert ann.code not in text

    run_scene(scene())


def test_garbage_instead_of_a_handshake_does_not_stop_the_server() -> None:
    async def scene() -> None:
        async with make_server() as server:
            for garbage in (b"\x00" * 64, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n", b"\x16\x03\x01"):
                with await asyncio.to_thread(socket.create_connection, ("127.0.0.1", server.port)) as line:
                    line.sendall(garbage)
            ann = await connect_person(server.port)
            await ann.make_room()

    run_scene(scene())


def test_an_unfinished_handshake_times_out_even_if_bytes_keep_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signaling.server.HANDSHAKE_WITHIN", 0.2)

    async def scene() -> None:
        async with make_server() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET / HTTP/1.1\r\n")
            dropped = asyncio.create_task(read_to_end(reader))
            async with asyncio.timeout(TIMEOUT):
                while not dropped.done():
                    writer.write(b"X")
                    await asyncio.sleep(0.02)
            assert dropped.result() == b""
            writer.close()

    run_scene(scene())


async def read_to_end(reader: asyncio.StreamReader) -> bytes:
    """Returns the bytes that come until the connection ends; nothing if it is reset."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


def test_stopping_closes_all_connections_even_if_a_client_does_not_read() -> None:
    async def scene() -> None:
        async with make_server() as server:
            ann = await connect_person(server.port)
            code = await ann.make_room()
            sloth = await asyncio.to_thread(raw_client, server.port)
            await asyncio.to_thread(sloth.sendall, join_frame(code))
            await ann.wait_for("in")
            closing = asyncio.create_task(ann.wait_closed())
        assert await closing == (1012, "restart")
        sloth.close()

    run_scene(scene())


def test_the_command_listens_and_ends_on_sigterm() -> None:
    command = [sys.executable, "-m", "signaling", "--port", "0", "--origins", f"{PAGE}, https://b.example.org"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process, process.stdout as told:
        port = int(told.readline().rsplit(":", 1)[1].strip(" /\n"))

        async def scene() -> None:
            ann = await connect_person(port, "https://b.example.org")
            await ann.make_room()
            process.terminate()
            assert await ann.wait_closed() == (1012, "restart")

        run_scene(scene())
        assert process.wait(TIMEOUT) == 0


def test_the_endpoint_runs_inside_another_program() -> None:
    endpoint = Embedded([PAGE])
    port = endpoint.start()

    async def scene() -> None:
        ann = await connect_person(port)
        await ann.make_room()
        endpoint_stops = asyncio.to_thread(endpoint.stop)
        assert (await asyncio.gather(ann.wait_closed(), endpoint_stops))[0] == (1012, "restart")

    run_scene(scene())
