"""Runs inside Pyodide (tools/pyodide.mjs), the project mounted at /host; prints decisions per second."""

import json
import sys

sys.path.insert(0, "/host")

from bench.games import decisions_per_second

name = ARGUMENTS[0]  # type: ignore[name-defined]  # noqa: F821  (given by pyodide.mjs)
print(json.dumps(max(decisions_per_second(name, 4, 200) for _ in range(3))))
