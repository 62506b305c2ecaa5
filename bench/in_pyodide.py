"""Runs inside Pyodide (tools/pyodide.mjs), the project mounted at /host; prints decisions per second."""

import json
import sys

sys.path.insert(0, "/host")

from bench.games import best_speed

name = ARGUMENTS[0]  # type: ignore[name-defined]  # noqa: F821  (given by pyodide.mjs)
print(json.dumps(best_speed(name, 4)))
