"""The second half of `make soak`: very many fresh worlds of tables by link.

`python -m tests.peer.simulation.soak [worlds, default 100000] [game …]`. Prints every bad world as a line for `BAD` in
`test_worlds.py`, where the error message is to be replaced by a description. Then tries 100,000 hostile frames, and
malicious envelopes of a member.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice, repeat
from pathlib import Path
from random import Random

from engine import GAMES
from peer.device.border import Border
from peer.order.outputs import MutedByLeader
from peer.wire.frames import PROTOCOL
from tests.engine.soak import parser
from tests.peer.simulation.fuzz import hostile_frames, run_recorded
from tests.peer.simulation.insiders import attack
from tests.peer.simulation.liars import Liars
from tests.peer.simulation.movers import Movers
from tests.peer.simulation.saboteurs import Saboteurs
from tests.peer.simulation.stallers import Discredited, Starvers, Thinkers, Whisperers
from tests.peer.simulation.world import World
from tools.build import commit

BATCH = 50
FRAMES = 100_000
TABLE_HEAD = """# Simulated tables by link

`make soak ARGS="8000 --first 400000000 --record bench/soak.md"` adds a row: the commit, the number of the protocol, the
first seed, how many worlds were simulated from there on, and how many of them broke an invariant. A change of the
protocol is proven by 100,000 worlds in all.

| commit | protocol | first seed | worlds | bad |
|---|---|---|---|---|
"""
WORLD_KINDS = (
    World,
    Thinkers,
    World,
    Movers,
    World,
    Saboteurs,
    Whisperers,
    World,
    Liars,
    Starvers,
    Movers,
    Discredited,
)


def run_batch(first: int, worlds: int, game: str = "", make: type[World] = World) -> tuple[Counter[str], list[str]]:
    """Runs worlds with consecutive seeds. Returns counts of what happened in them, and a line for each bad one."""
    counts: Counter[str] = Counter()
    bad = []
    for seed in range(first, first + worlds):
        world = make(seed, game)
        try:
            world.run()
        except Exception as error:  # noqa: BLE001  (whatever it is, the seed is what matters)
            bad.append(f"    ({make.__name__}, {seed}, {game!r}, {type(error).__name__ + ': ' + str(error)[:300]!r}),")
        counts.update(worlds=1, frames=world.frames, entries=max(world.heads, default=0))
        counts.update(moves=len(world.nodes) - world.size, nonsense=world.forgeries)
        counts.update(rewinds=max((node.device.state.rewinds for node in world.nodes if node.device), default=0))
        states = [node.device.state for node in world.nodes if node.device]
        counts.update(bots=max((len(state.voted_bots) for state in states), default=0))
        counts.update(muted=sum(isinstance(tell, MutedByLeader) for _, tell in world.tells))
        counts.update([f"{world.setup.game} {world.size}"])
    return counts, bad


def fuzz() -> Counter[str]:
    """Gives hostile frames to a device. Returns counts of the reasons for which they were refused."""
    world, sent = run_recorded()
    device = world.nodes[0].device
    assert device is not None
    border, reasons = Border(device, world.verify), Counter[str]()
    slowest = 0.0
    for sender, data in islice(hostile_frames(Random("soak"), sent), FRAMES):
        border.limits.clear()
        device.diverged.clear()
        begun = time.process_time()
        reasons[border.receive(sender, data, world.now)] += 1
        slowest = max(slowest, time.process_time() - begun)
        device.take()
    print(f"slowest hostile frame {slowest * 1000:.1f} ms")
    return reasons


def add_row(table: Path, first_seed: int, worlds: int, bad: int) -> None:
    """Adds a row to the table in which shares of the 100,000 worlds are added up."""
    row = f"| {commit() or 'unknown'} | {PROTOCOL} | {first_seed} | {worlds:,} | {bad} |\n"
    table.write_text((table.read_text("utf-8") if table.is_file() else TABLE_HEAD) + row, "utf-8")


def main(worlds: int, names: list[str], first: int | None, table: Path | None) -> None:
    first_seed, begun = first or time.time_ns() // 1_000_000, time.monotonic()
    counts: Counter[str] = Counter()
    failed: list[str] = []
    print(f"worlds from seed {first_seed} on", flush=True)
    starts = range(first_seed, first_seed + worlds, BATCH)
    games = [names[number % len(names)] if names else "" for number in range(len(starts))]
    with ProcessPoolExecutor(os.cpu_count()) as executor:
        for counted, bad in executor.map(run_batch, starts, repeat(BATCH), games, cycle(WORLD_KINDS)):
            counts += counted
            failed += bad
            for line in bad:
                print(line, flush=True)
    took = time.monotonic() - begun
    print(dict(sorted(counts.items())))
    print(f"{counts['worlds']} worlds, {len(failed)} bad, {counts['worlds'] / took:.1f} worlds/s")
    if table is not None:
        add_row(table, first_seed, counts["worlds"], len(failed))
    print(dict(fuzz().most_common()))
    for name in names or GAMES:
        print(name, dict(attack(name, range(20), 200, 12).most_common()))
    sys.exit(bool(failed))


if __name__ == "__main__":
    given = parser().parse_args()
    main(given.games, given.names, given.first, given.record)
