"""The real server over real WebSockets on loopback."""

import asyncio
import json
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from signaling.embedded import Embedded
from signaling.hub import Hub
from signaling.limits import KIB, Limits
from signaling.node import Node
from signaling.server import Server
from tests.signaling.people import PAGE, PATIENCE, come, fetch, flood, play, stranger, until

ROOT = Path(__file__).parent.parent.parent
SOON = Limits(close_within=0.2)
FAST = replace(SOON, frames_a_second=1e9, burst=10**9)


def serving(limits: Limits = SOON, proxies: int = 0) -> Server:
    return Server(Node(Hub(limits)), origins=[PAGE], proxies=proxies)


def test_two_meet_and_part() -> None:
    async def scene() -> None:
        async with serving() as server:
            ann, bob = await come(server.port), await come(server.port)
            code = await ann.makes_room()
            assert await bob.joins(code) == [0]
            assert await ann.hears() == ["in", 1]
            await bob.says("to", 0, {"s": 1, "d": {"type": "offer", "sdp": "v=0 é"}})
            assert await ann.hears() == ["from", 1, {"s": 1, "d": {"type": "offer", "sdp": "v=0 é"}}]
            await ann.says("to", 1, {"s": 1, "g": "x" * 16_000})
            assert await bob.hears() == ["from", 0, {"s": 1, "g": "x" * 16_000}]
            await bob.says("bye")
            assert await ann.hears() == ["out", 1, "bye"]
            assert await bob.closed() == (1000, "bye")
            again = await come(server.port)
            assert await again.joins(code, bob.token) == [0]
            assert again.seat == 1
            await again.leaves()
            assert await ann.waits_for("out") == ["out", 1, "lost"]

    play(scene())


def test_order_is_kept() -> None:
    async def scene() -> None:
        async with serving(FAST) as server:
            ann, bob = await come(server.port), await come(server.port)
            await bob.joins(await ann.makes_room())
            for number in range(300):
                await bob.says("to", 0, {"s": number, "g": ""})
            heard = [(await ann.waits_for("from"))[2]["s"] for _ in range(300)]
            assert heard == list(range(300))
            await ann.leaves()

    play(scene())


@pytest.mark.parametrize("origin", [None, "https://evil.example.org", "null", PAGE + ".evil.org", PAGE + ":444"])
def test_another_page_is_not_let_in(origin: str | None) -> None:
    async def scene() -> None:
        async with serving() as server:
            with pytest.raises(InvalidStatus) as refusal:
                await come(server.port, origin)
            assert refusal.value.response.status_code == 403

    play(scene())


def test_a_star_lets_everybody_in() -> None:
    async def scene() -> None:
        async with Server(Node(Hub()), origins=["*"]) as server:
            ann = await come(server.port, None)
            await ann.makes_room()

    play(scene())


def test_bytes_are_no_frame() -> None:
    async def scene() -> None:
        async with serving() as server:
            ann = await come(server.port)
            await ann.raw(b'["ping"]')
            assert await ann.hears() == ["err", "json"]

    play(scene())


def test_an_oversized_message_ends_the_line_before_it_is_read() -> None:
    async def scene() -> None:
        async with serving() as server:
            ann = await come(server.port)
            await ann.raw("x" * (16 * KIB + 1))
            assert (await ann.closed())[0] == 1009
            await until(lambda: nobody(server))

    play(scene())


async def nobody(server: Server) -> bool:
    return not server.node.hub.clients


def test_nonsense_is_cut_with_1008() -> None:
    async def scene() -> None:
        async with serving() as server:
            ann = await come(server.port)
            for _ in range(9):
                await ann.raw("[" * 9000)
            assert await ann.closed() == (1008, "bad")

    play(scene())


@pytest.mark.parametrize("payload", [b'["ping"]', b"[" * 16_000, b"x" * 60_000], ids=["small", "deep", "oversized"])
def test_who_floods_and_reads_nothing_is_cut_and_the_others_play_on(payload: bytes) -> None:
    async def scene() -> None:
        async with serving() as server:
            ann, bob = await come(server.port), await come(server.port)
            await bob.joins(await ann.makes_room())
            flooding = asyncio.create_task(asyncio.to_thread(flood, server.port, payload))
            while not flooding.done():
                await bob.says("to", 0, {"s": 1, "g": "still here"})
                assert await ann.waits_for("from") == ["from", 1, {"s": 1, "g": "still here"}]
                await asyncio.sleep(0.06)  # within the rate limit of a client
            await flooding
            counts = server.node.hub.counts
            # an oversized message never reaches the hub
            assert counts["cut fast"] + counts["cut bad"] == (0 if len(payload) > 16 * KIB else 1)
            await ann.leaves()

    play(scene())


def test_who_does_not_read_is_cut_when_256_messages_wait() -> None:
    async def scene() -> None:
        async with serving(replace(FAST, queued_bytes=10**9)) as server:
            ann = await come(server.port)
            code = await ann.makes_room()
            sloth = await asyncio.to_thread(stranger, server.port)
            await asyncio.to_thread(sloth.sendall, join_frame(code))
            await ann.waits_for("in")
            while not server.node.hub.counts["cut slow"]:
                await ann.says("to", 1, {"s": 1, "g": "x" * 16_000})
            assert await ann.waits_for("out") == ["out", 1, "cut"]
            await ann.leaves()
            await until(lambda: nobody(server))
            sloth.close()

    play(scene())


def join_frame(code: str) -> bytes:
    text = json.dumps(["join", code, None]).encode()
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text  # a mask of zeros changes nothing


def test_a_megabyte_that_waits_is_too_much_as_well() -> None:
    async def scene() -> None:
        async with serving(replace(FAST, queued=10**9)) as server:
            ann = await come(server.port)
            code = await ann.makes_room()
            sloth = await asyncio.to_thread(stranger, server.port)
            await asyncio.to_thread(sloth.sendall, join_frame(code))
            await ann.waits_for("in")
            while not server.node.hub.counts["cut slow"]:
                await ann.says("to", 1, {"s": 1, "g": "x" * 16_000})
            await ann.leaves()
            sloth.close()

    play(scene())


def test_codes_cannot_be_tried_one_after_the_other() -> None:
    async def scene() -> None:
        async with serving() as server:
            eve = await come(server.port)
            for number in range(20):
                await eve.says("join", f"ZZZZZZZZZZ{number:02}", None)
                assert await eve.hears() == ["err", "code"]
            for guess in "XYZ":
                again = await come(server.port)
                await again.says("join", guess * 12, None)
                assert await again.hears() == ["err", "wait"]
                assert await again.closed() == (1008, "wait")

    play(scene())


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "10.0.0.7", "127.0.0.1"),
        (1, "6.6.6.6, 10.0.0.7", "10.0.0.7"),
        (2, "6.6.6.6, 10.0.0.7, 192.0.2.1", "10.0.0.7"),
        (1, None, "127.0.0.1"),
    ],
)
def test_behind_balancers_of_ours_their_word_for_the_address_counts(
    proxies: int, forwarded: str | None, address: str
) -> None:
    async def scene() -> None:
        async with serving(proxies=proxies) as server:
            ann = await come(server.port, headers={"X-Forwarded-For": forwarded} if forwarded else None)
            await ann.makes_room()
            assert [client.address for client in server.node.hub.clients.values()] == [address]

    play(scene())


def test_health_and_metrics() -> None:
    async def scene() -> None:
        async with serving() as server:
            ann = await come(server.port)
            await ann.makes_room()
            assert await asyncio.to_thread(fetch, server.port, "/health") == (
                200,
                '{"status": "ok", "redis": "none"}\n',
            )
            await ann.says("shout")
            await ann.hears()
            status, text = await asyncio.to_thread(fetch, server.port, "/metrics?now")
            assert status == 200
            told = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
            assert told["speakeasy_clients"] == "1"
            assert told["speakeasy_rooms"] == "1"
            assert told["speakeasy_frames_total"] == "2"
            assert told['speakeasy_refused_total{why="frame"}'] == "1"
            assert told["speakeasy_redis_up"] == "0"
            assert ann.code not in text

    play(scene())


def test_garbage_instead_of_a_handshake_harms_nobody() -> None:
    async def scene() -> None:
        async with serving() as server:
            for garbage in (b"\x00" * 64, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n", b"\x16\x03\x01"):
                with await asyncio.to_thread(socket.create_connection, ("127.0.0.1", server.port)) as line:
                    line.sendall(garbage)
            ann = await come(server.port)
            await ann.makes_room()

    play(scene())


def test_who_never_finishes_the_handshake_is_dropped_however_slowly_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signaling.server.HANDSHAKE_WITHIN", 0.2)

    async def scene() -> None:
        async with serving() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET / HTTP/1.1\r\n")
            dropped = asyncio.create_task(end_of(reader))
            async with asyncio.timeout(PATIENCE):
                while not dropped.done():
                    writer.write(b"X")
                    await asyncio.sleep(0.02)
            assert dropped.result() == b""
            writer.close()

    play(scene())


async def end_of(reader: asyncio.StreamReader) -> bytes:
    """Returns the bytes that come until the connection ends; nothing if it is reset."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


def test_stopping_tells_everybody_to_come_again_also_who_does_not_read() -> None:
    async def scene() -> None:
        async with serving() as server:
            ann = await come(server.port)
            code = await ann.makes_room()
            sloth = await asyncio.to_thread(stranger, server.port)
            await asyncio.to_thread(sloth.sendall, join_frame(code))
            await ann.waits_for("in")
            closing = asyncio.create_task(ann.closed())
        assert await closing == (1012, "restart")
        sloth.close()

    play(scene())


def test_the_command_listens_and_ends_when_it_is_told() -> None:
    command = [sys.executable, "-m", "signaling", "--port", "0", "--origins", f"{PAGE}, https://b.example.org"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process, process.stdout as told:
        port = int(told.readline().rsplit(":", 1)[1].strip(" /\n"))

        async def scene() -> None:
            ann = await come(port, "https://b.example.org")
            await ann.makes_room()
            process.terminate()
            assert await ann.closed() == (1012, "restart")

        play(scene())
        assert process.wait(PATIENCE) == 0


def test_embedded_in_another_program() -> None:
    endpoint = Embedded([PAGE])
    port = endpoint.start()

    async def scene() -> None:
        ann = await come(port)
        await ann.makes_room()
        endpoint_stops = asyncio.to_thread(endpoint.stop)
        assert (await asyncio.gather(ann.closed(), endpoint_stops))[0] == (1012, "restart")

    play(scene())
