"""Settings of the interpreter for all tests."""

from __future__ import annotations

import atexit
import gc


def pytest_collection_finish() -> None:
    """Makes the garbage collector run less often. It spent one part in sixteen of the time of the tests, most of it on
    modules and test items, which stay anyway."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    atexit.register(gc.freeze)  # nor is there garbage to look for when the process ends
