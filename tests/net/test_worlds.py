"""The simulation: many worlds, planted bugs, and every world that ever broke a promise."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from engine import GAMES
from tests.net.mutants import MUTANTS
from tests.net.promises import Broken
from tests.net.world import World, trace_digest

ROOT = Path(__file__).parent.parent.parent
WORLDS = 120

# Worlds that once broke a promise: (seed, game, what was wrong).
BAD: tuple[tuple[int, str, str], ...] = ((11, "bars", "a deal longer than one envelope"),)

# How many worlds it may take at most to find a planted bug.
ENOUGH = 20


def game_of(seed: int) -> str:
    return World(seed).run().setup.game


def test_every_promise_holds_in_every_world() -> None:
    with ProcessPoolExecutor(os.cpu_count()) as executor:
        played = list(executor.map(game_of, range(WORLDS), chunksize=5))
    assert len(played) == WORLDS
    assert set(played) == set(GAMES)


@pytest.mark.parametrize(("seed", "game", "what"), BAD)
def test_a_bad_world_stays_mended(seed: int, game: str, what: str) -> None:
    assert World(seed, game).run().setup.game == game, what


@pytest.mark.parametrize("name", MUTANTS)
def test_a_planted_bug_is_found(name: str) -> None:
    found = 0
    for seed in range(ENOUGH):
        try:
            MUTANTS[name](seed)
        except Broken:
            found += 1
            break
    assert found, f"{name}: not found in {ENOUGH} worlds"


def test_the_same_seed_is_the_same_world() -> None:
    assert trace_digest(5) == trace_digest(5)
    assert trace_digest(5) != trace_digest(6)


def test_the_page_s_python_sees_the_same_world() -> None:
    """The interpreter of the page gives the same frames at the same times."""
    home = ROOT / "node_modules" / "pyodide"
    seeds = [5, 10]
    command = ["node", "tools/pyodide.mjs", str(home), "tests/net/in_pyodide.py", str(ROOT), *map(str, seeds)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [trace_digest(seed) for seed in seeds]
