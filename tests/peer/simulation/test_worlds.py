"""The simulation: many worlds, planted bugs, and every world that ever broke a promise."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from engine import GAMES
from tests.peer.simulation.liars import Liars
from tests.peer.simulation.movers import Movers, named
from tests.peer.simulation.planted_bugs import MUTANTS
from tests.peer.simulation.promises import Broken
from tests.peer.simulation.saboteurs import Saboteurs
from tests.peer.simulation.soak import batch
from tests.peer.simulation.world import World, trace_digest

ROOT = Path(__file__).parent.parent.parent.parent
LOTS, LOT = 16, 20

# Worlds that once broke a promise: (kind, seed, game if it was given, what was wrong).
BAD: tuple[tuple[type[World], int, str, str], ...] = (
    (World, 11, "bars", "a deal longer than one envelope"),
    (World, 1795064051967, "", "wished for a bot on a device that does not keep the order, and never wished again"),
    (Movers, 5045, "", "a host that lost its office and asked for votes was still thought to be there"),
    (Movers, 3059, "", "a pledge was shared among those who voted before"),
    (Movers, 1795073820579, "", "a dealer handed over nothing, for it had not heard yet that its promise counts"),
    (Movers, 1795073820589, "", "a newcomer muted the host, whose vote it had not heard of yet"),
    (Movers, 910136, "", "a device without a vote wished for bots until nobody heard it any more"),
    (Movers, 21, "", "who went on alone said so before it was safe, and then had lost it"),
    (Movers, 1795083528005, "", "who looked on still heard the host of before, and took nothing from it any more"),
    (Movers, 473, "", "nobody who had voted before was left to say who votes now"),
    (Movers, 30001180, "", "a host that had lost its vote and got it again was heard, and never asked"),
    (Movers, 150000357, "", "who had gone on alone gave the vote back to somebody who was lost at that moment"),
    (Movers, 110013582, "", "who had no vote yet took a host that had come back, and only asked, for the host"),
    (Movers, 120005384, "", "somebody wished to show a link while their device was about to go on alone: it said wait"),
    (Movers, 120016177, "", "the only one who could be host had its vote from an entry that one of the others lacked"),
    (Movers, 240001767, "", "one of two went on alone behind its own change of votes, which nobody can take"),
    (
        Movers,
        350000155,
        "",
        "the only one who had let a newcomer in lost that again, and the newcomer did not ask anew",
    ),
    (Saboteurs, 1193, "", "whether anything is hidden was asked of a random deal, and that was not found"),
    (Movers, 3039, "", "the votes changed in the middle of a coin"),
)

# How many worlds it may take at most to find a planted bug.
ENOUGH = 80


@pytest.mark.parametrize("lot", range(LOTS))
def test_every_promise_holds_in_every_world(lot: int) -> None:
    """Worlds nobody has seen before. What fails here goes into `BAD` as it is printed."""
    worlds, bad = batch(time.time_ns() // 1000, LOT)
    assert bad == []
    assert worlds["worlds"] == LOT
    assert worlds["entries"] > 0


@pytest.mark.parametrize("lot", range(LOTS // 4))
def test_seats_go_on_to_other_devices_in_every_world(lot: int) -> None:
    """As fresh as the others, with rejoin links, and devices that are never found again."""
    worlds, bad = batch(time.time_ns() // 1000, LOT // 2, make=Movers)
    assert bad == []
    assert worlds["worlds"] == LOT // 2
    assert worlds["moves"] > 0


@pytest.mark.parametrize("lot", range(LOTS // 8))
def test_what_no_hand_allows_is_taken_back_in_every_world(lot: int) -> None:
    worlds, bad = batch(time.time_ns() // 1000, LOT // 2, make=Liars)
    assert bad == []
    assert worlds["worlds"] == LOT // 2
    assert worlds["rewinds"] > 0


@pytest.mark.parametrize("lot", range(LOTS // 8))
def test_the_others_play_on_whatever_one_of_them_says(lot: int) -> None:
    worlds, bad = batch(time.time_ns() // 1000, LOT // 2, make=Saboteurs)
    assert bad == []
    assert worlds["worlds"] == LOT // 2
    assert worlds["nonsense"] > 0


@pytest.mark.parametrize(("make", "seed", "game", "what"), BAD)
def test_a_bad_world_stays_mended(make: type[World], seed: int, game: str, what: str) -> None:
    assert make(seed, game).run().heads, what


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
    assert trace_digest(World(5)) == trace_digest(World(5))
    assert trace_digest(World(5)) != trace_digest(World(6))


def test_the_page_s_python_sees_the_same_world() -> None:
    """The interpreter of the page gives the same frames at the same times: in every game, with three devices and more,
    frames that are lost, and seats that move."""
    home = ROOT / "node_modules" / "pyodide"
    names = ["World-1", "World-2", "World-6", "World-15", "Movers-21"]
    worlds = [named(name) for name in names]
    assert {world.setup.game for world in worlds} == {*GAMES}
    assert min(world.size for world in worlds[:4]) >= 3
    command = ["node", "tools/pyodide.mjs", str(home), "tests/peer/simulation/in_pyodide.py", str(ROOT), *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [trace_digest(world) for world in worlds]
