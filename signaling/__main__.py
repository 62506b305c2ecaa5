"""python -m signaling: the endpoint alone, for whoever hosts the page somewhere else."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
from collections.abc import Sequence

from signaling.cluster import LEASE, Cluster
from signaling.hub import Hub
from signaling.node import Node
from signaling.server import Server

PORT = 8010


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
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
    return parser.parse_args(arguments)


async def serve(given: argparse.Namespace) -> None:
    hub = Hub()
    node = Cluster(hub, given.redis, given.lease) if given.redis else Node(hub)
    origins = [origin.strip() for origin in given.origins.split(",") if origin.strip()]
    over = asyncio.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(ending, over.set)
    async with Server(node, origins=origins, host=given.host, port=given.port, proxies=given.proxies) as server:
        print(f"Signaling at ws://{given.host}:{server.port}/", flush=True)
        await over.wait()


def main() -> None:
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
    asyncio.run(serve(options()))


if __name__ == "__main__":
    main()
