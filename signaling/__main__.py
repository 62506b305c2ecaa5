"""python -m signaling: the endpoint as a program of its own, for pages that are hosted elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import signal
from collections.abc import Sequence

from signaling.cluster import LEASE, Cluster
from signaling.hub import Hub
from signaling.node import Node
from signaling.server import ANY, Server

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
    parsed = parser.parse_args(arguments)
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
    async with Server(
        node, origins=parsed.origins, host=parsed.host, port=parsed.port, proxies=parsed.proxies
    ) as server:
        print(f"Signaling at ws://{parsed.host}:{server.port}/", flush=True)
        await stopped.wait()


def main() -> None:
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
    asyncio.run(serve(parse_options()))


if __name__ == "__main__":
    main()
