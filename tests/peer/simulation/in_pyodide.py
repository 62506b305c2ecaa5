"""Runs inside Pyodide (tools/pyodide.mjs) with the project mounted at /host; prints the digests of some worlds."""

import sys

sys.path.insert(0, "/host")

from tests.peer.simulation.movers import world_named
from tests.peer.simulation.world import trace_digest

for name in ARGUMENTS:  # type: ignore[name-defined]  # noqa: F821  (given by pyodide.mjs)
    print(trace_digest(world_named(name)))
