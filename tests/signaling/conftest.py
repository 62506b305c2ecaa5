"""Fixtures: a real Redis, and nodes as separate processes."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.signaling.hub_world import World
from tests.signaling.people import PAGE, TIMEOUT

ROOT = Path(__file__).parent.parent.parent
LEASE = 1.0


class Program:
    """A process. `ready` waits for the line of its output that contains `sign`, and returns it."""

    def __init__(self, *command: str) -> None:
        self._name = command[0]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )

    def ready(self, sign: str) -> str:
        assert self._process.stdout is not None
        said = next((line for line in self._process.stdout if sign in line), "")
        assert sign in said, f"{self._name} did not start"
        return said

    def signal(self, what: signal.Signals) -> None:
        os.kill(self._process.pid, what)

    def kill(self) -> None:
        """Kills the process at once, so that it cannot notify anybody."""
        self._process.kill()
        self.wait()

    def wait(self) -> int:
        code = self._process.wait(TIMEOUT)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code


class Redis:
    """Debian's redis-server on a loopback port; it stores nothing on disk."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._folder = folder
        self._program: Program | None = None
        self._databases = 0
        self.start()

    def start(self) -> None:
        path = shutil.which("redis-server")
        assert path is not None, "install redis-server: the tests of several signaling nodes need it"
        options = ("--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder))
        self._program = Program(path, *options)
        self._program.ready("Ready to accept connections")

    def stop(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None

    def signal(self, what: signal.Signals) -> None:
        assert self._program is not None
        self._program.signal(what)

    def database(self) -> str:
        """Returns the URL of the next database, which is still empty."""
        self._databases += 1
        return f"redis://127.0.0.1:{self._port}/{self._databases % 16}"


class NodeProcess(Program):
    port = 0

    def __init__(self, redis: str) -> None:
        options = ("--port", "0", "--origins", PAGE, "--redis", redis, "--lease", str(LEASE))
        super().__init__(sys.executable, "-m", "signaling", *options)

    def wait_ready(self) -> None:
        self.port = int(self.ready("Signaling at").rsplit(":", 1)[1].strip(" /\n"))


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    server = Redis(tmp_path_factory.mktemp("redis"))
    yield server
    server.stop()


@pytest.fixture
def processes(redis: Redis) -> Iterator[tuple[NodeProcess, NodeProcess]]:
    """Two nodes that share a Redis and can be stopped and killed."""
    url = redis.database()
    with ExitStack() as stack:
        two = NodeProcess(url), NodeProcess(url)
        for node in two:
            stack.callback(node.kill)
        for node in two:
            node.wait_ready()
        yield two


@pytest.fixture
def world() -> World:
    return World()
