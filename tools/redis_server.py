"""A Redis for the tests with several signaling nodes: the machine's, else Debian's package."""

import shutil

from tools.environments import apt_install
from tools.paths import ToolError


def prepare() -> str:
    """Makes sure that redis-server is installed and returns its path. The tests start it themselves."""
    path = shutil.which("redis-server")
    if path is None and apt_install("redis-server"):
        path = shutil.which("redis-server")
    if path is None:
        raise ToolError("No redis-server found: install Redis 7 and try again.")
    return path
