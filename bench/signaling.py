"""Measures the signaling endpoint on loopback, in a process of its own, with its usual limits:
`python -m bench.signaling`.

The load is bounded: a fixed number of clients, each with a few bursts of frames. The clients are bare sockets that send
a burst as one piece and count bytes, so that the load itself costs little. On a busy machine the last line (messages
per second of the endpoint's own processor time) says more than the wall clock. Linux only (/proc).
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from asyncio import StreamReader, StreamWriter
from pathlib import Path

ROOT = Path(__file__).parent.parent
CLIENTS = 1000  # two in each room
TALKERS = 200  # the clients that send in each round
BURST = 70  # frames of each: fewer than the burst that the endpoint allows one client
ROUNDS = 3
WANTED_MESSAGES = 5000
WANTED_KB_EACH = 25
TIMEOUT = 120
CONNECTIONS_AT_ONCE = 50
SEALED = {"s": 1, "g": "x" * 200}

Client = tuple[StreamReader, StreamWriter]


def resident_kb(pid: int) -> int:
    """Returns the resident memory of a process in kB."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    return int(next(line.split()[1] for line in status if line.startswith("VmRSS:")))


def cpu_seconds(pid: int) -> float:
    """Returns the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def client_frame(*frame: object) -> bytes:
    """Encodes a WebSocket frame as a client sends it, with a mask of zeros, which changes nothing."""
    text = json.dumps(frame, separators=(",", ":")).encode()
    size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + text


async def read_frame(reader: StreamReader) -> list[object]:
    _, size = await reader.readexactly(2)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2), "big")
    frame: list[object] = json.loads(await reader.readexactly(size))
    return frame


async def connect_client(port: int, number: int) -> Client:
    """Connects a client. Each table has an address of its own for the endpoint, which limits each address."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        "GET / HTTP/1.1",
        "Host: 127.0.0.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: c3BlYWtlYXN5IGJlbmNoIQ==",
        "Sec-WebSocket-Version: 13",
        f"X-Forwarded-For: 10.0.{number >> 8}.{number & 255}",
    )
    writer.write("\r\n".join((*head, "", "")).encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def open_table(port: int, number: int) -> tuple[Client, Client]:
    host, guest = await connect_client(port, number), await connect_client(port, number)
    host[1].write(client_frame("create", {}))
    _, code, *_ = await read_frame(host[0])
    guest[1].write(client_frame("join", code, None))
    if (await read_frame(guest[0]))[0] != "room":
        raise RuntimeError("the endpoint did not let a guest in")
    await read_frame(host[0])
    return host, guest


async def exchange_bursts(client: Client, seat: int) -> None:
    """Sends a burst to the other client in the room, and reads as much from it."""
    reader, writer = client
    writer.write(client_frame("to", 1 - seat, SEALED) * BURST)
    # a frame from the endpoint has no mask (4 bytes), and its first word is 2 bytes longer
    await reader.readexactly((len(client_frame("to", 1 - seat, SEALED)) - 4 + 2) * BURST)


async def measure(port: int, pid: int) -> None:
    # one table first: memory that is allocated once, and not for every client, is not counted
    tables = [await open_table(port, 0)]
    before = resident_kb(pid)
    while len(tables) * 2 < CLIENTS:
        numbers = range(len(tables), len(tables) + CONNECTIONS_AT_ONCE // 2)
        tables += await asyncio.gather(*(open_table(port, number) for number in numbers))
    clients = 2 * len(tables)
    each = (resident_kb(pid) - before) / (clients - 2)
    print(
        f"  {each:6.1f} kB per connection, {clients} connections in {len(tables)} rooms"
        f" (wanted {WANTED_KB_EACH} or less)"
    )
    best_per_second = best_per_cpu = 0.0
    for place in range(ROUNDS):
        pairs = tables[place * TALKERS // 2 :][: TALKERS // 2]
        started, cpu_before = time.perf_counter(), cpu_seconds(pid)
        await asyncio.gather(*(exchange_bursts(client, seat) for pair in pairs for seat, client in enumerate(pair)))
        messages = 2 * len(pairs) * BURST
        best_per_second = max(best_per_second, messages / (time.perf_counter() - started))
        best_per_cpu = max(best_per_cpu, messages / max(0.01, cpu_seconds(pid) - cpu_before))
    print(f"  {best_per_second:6,.0f} relayed messages/s with the load beside it (wanted {WANTED_MESSAGES:,} or more)")
    print(f"  {best_per_cpu:6,.0f} per second of the endpoint's own processor time; best of {ROUNDS} bursts")
    for pair in tables:
        for _, writer in pair:
            writer.close()


def main() -> None:
    print(f"signaling, one process, Python {sys.version.split()[0]}")
    command = [sys.executable, "-m", "signaling", "--port", "0", "--origins", "*", "--proxies", "1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as endpoint:
        try:
            if endpoint.stdout is None:
                raise RuntimeError("the endpoint has no output")
            port = int(endpoint.stdout.readline().rsplit(":", 1)[1].strip(" /\n"))
            asyncio.run(asyncio.wait_for(measure(port, endpoint.pid), TIMEOUT))
        finally:
            endpoint.terminate()


if __name__ == "__main__":
    main()
