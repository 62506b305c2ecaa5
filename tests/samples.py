"""Samples of large products: `make test` runs a few cases of them, `make everything` runs all.

A test with the mark `@pytest.mark.sample(2)` runs with two of its parameter sets. Which ones follows from a seed that
changes with the commit and is printed in the header of the run; `SPEAKEASY_SEED=<seed> make test` repeats a sample.
With `group="name"`, the tests marked with the same name share one sample: they are cases of one product, in files of
their own.
"""

from __future__ import annotations

import os
from random import Random

import pytest

SEED = "SPEAKEASY_SEED"  # environment variable
everything = False  # True if every case runs


def seed() -> str:
    return os.environ.get(SEED, "none")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--everything", action="store_true", help="run every case of the tests marked with `sample`")


def pytest_configure(config: pytest.Config) -> None:
    global everything
    everything = config.getoption("--everything")
    config.addinivalue_line(
        "markers", "sample(cases, group=''): run only so many cases of this test or group, unless --everything is given"
    )


def pytest_report_header(config: pytest.Config) -> str:
    if config.getoption("--everything"):
        return "samples: every case"
    return f"samples: {SEED}={seed()} (--everything runs every case)"


def chosen(names: list[str], cases: int, product: str) -> set[str]:
    """Returns the names of the cases to run, the same for the same seed whatever their order."""
    return set(Random(f"{seed()}/{product}").sample(sorted(names), min(cases, len(names))))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects the cases of marked tests that are not in the sample. A case that is named on its own always runs.

    It runs after pytest's own deselection (`-k`, `-m`), so that the sample is drawn from the cases that are left.
    """
    if config.getoption("--everything"):
        return
    cases: dict[tuple[str, int], list[str]] = {}
    for item in items:
        if (mark := item.get_closest_marker("sample")) is not None:
            product = mark.kwargs.get("group") or without_case(item.nodeid)
            cases.setdefault((product, mark.args[0]), []).append(item.nodeid)
    kept = {name for (product, most), names in cases.items() for name in chosen(names, most, product)}
    left_out = {item for item in items if item.get_closest_marker("sample") is not None and item.nodeid not in kept}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]


def without_case(nodeid: str) -> str:
    """Returns the identifier of a test without its parameters."""
    return nodeid.partition("[")[0]
