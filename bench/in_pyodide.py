"""Runs inside Pyodide (tools/pyodide.mjs) with the project mounted at /host. Prints decisions per second."""

import json
import sys

sys.path.insert(0, "/host")

from bench.games import best_speed

name = ARGUMENTS[0]  # type: ignore[name-defined]  # noqa: F821  (defined by pyodide.mjs)
print(json.dumps(best_speed(name, 4)))
