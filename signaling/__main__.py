"""python -m signaling: the endpoint as a program of its own, for pages that are hosted elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack

from signaling.check import CheckFailed, check_endpoint, check_stun
from signaling.cluster import LEASE, Cluster
from signaling.hub import Hub
from signaling.node import Node
from signaling.server import ANY, Server
from signaling.stun import Stun

PORT = 8010
#: scheme, host and port, as a browser writes a page's origin
ORIGIN = re.compile(r"https?://([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?")


def parse_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m signaling", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=PORT, help="0 takes any free one (%(default)s)")
    parser.add_argument(
        "--origins", required=True, help="pages that may connect, by commas: https://play.example.org; * is everybody"
    )
    parser.add_argument("--redis", metavar="URL", help="share rooms with other nodes: redis://localhost:6379/0")
    parser.add_argument(
        "--lease", type=float, default=LEASE, help="seconds after which a silent node is dead (%(default)s)"
    )
    parser.add_argument(
        "--proxies", type=int, default=0, help="how many balancers of ours add X-Forwarded-For (%(default)s)"
    )
    parser.add_argument(
        "--stun", type=int, metavar="PORT", help="answer STUN at this UDP port too, on all addresses (usually 3478)"
    )
    parser.add_argument(
        "--check", metavar="ADDRESS", help="start nothing: test the endpoint there as the pages of --origins would"
    )
    parser.add_argument(
        "--ice", metavar="ADDRESS", action="append", default=[], help="with --check: test stun:host:port as well"
    )
    parsed = parser.parse_args(arguments)
    if not 0 <= (parsed.stun or 0) < 65536:
        parser.error(f"--stun: there is no port {parsed.stun}; usually it is 3478.")
    if parsed.ice and not parsed.check:
        parser.error("--ice belongs to --check; an endpoint answers STUN itself with --stun PORT.")
    try:
        parsed.origins = parse_origins(parsed.origins)
    except ValueError as error:
        parser.error(str(error))
    return parsed


def parse_origins(text: str) -> list[str]:
    """Returns the origins of the pages that may connect. Raises `ValueError` for an origin that no browser sends, since
    it would let no page connect."""
    listed = [origin.strip() for origin in text.split(",") if origin.strip()]
    if not listed:
        raise ValueError("--origins names no page that may connect, such as https://play.example.org.")
    for origin in listed:
        if origin != ANY and not ORIGIN.fullmatch(origin):
            raise ValueError(
                f"--origins: {origin!r} is no origin. Write it as the browser does: https://play.example.org or "
                "http://localhost:8000: no path, no space, in small letters, several with commas between them."
            )
    return listed


async def serve(parsed: argparse.Namespace) -> None:
    hub = Hub()
    node = Cluster(hub, parsed.redis, parsed.lease) if parsed.redis else Node(hub)
    stopped = asyncio.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(ending, stopped.set)
    async with AsyncExitStack() as running:
        server = await running.enter_async_context(
            Server(node, origins=parsed.origins, host=parsed.host, port=parsed.port, proxies=parsed.proxies)
        )
        if parsed.stun is not None:
            stun = await running.enter_async_context(Stun(parsed.stun))
            print(f"STUN at UDP port {stun.port}", flush=True)
        print(f"Signaling at ws://{parsed.host}:{server.port}/", flush=True)
        await stopped.wait()


def check(address: str, origins: Sequence[str], ice: Sequence[str]) -> int:
    """Checks the endpoint as a page of each origin, then the STUN services. Returns 1 at the first failure, else 0."""
    try:
        for origin in origins:
            asyncio.run(check_endpoint(address, None if origin == ANY else origin))
            pages = "pages" if origin == ANY else f"pages of {origin}"
            print(f"{address}: two devices met in a room, as {pages}.", flush=True)
        for service in ice:
            print(f"{service}: answers, and sees this machine as {check_stun(service)}.", flush=True)
    except CheckFailed as failure:
        print(failure, flush=True)
        return 1
    return 0


def main() -> int:
    parsed = parse_options()
    if parsed.check:
        return check(parsed.check, parsed.origins, parsed.ice)
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
    asyncio.run(serve(parsed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
