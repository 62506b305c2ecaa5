"""The simulation: many worlds, planted bugs, and every world that ever broke a promise."""

from __future__ import annotations

import pytest

from tests.net.world import World, trace_digest

WORLDS = range(60)


@pytest.mark.parametrize("seed", WORLDS)
def test_every_promise_holds_in_every_world(seed: int) -> None:
    assert World(seed).run().why()


def test_the_same_seed_is_the_same_world() -> None:
    assert trace_digest(5) == trace_digest(5)
    assert trace_digest(5) != trace_digest(6)
