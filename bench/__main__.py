"""Compares our engine with other projects; part of `make bench`. Prints one line for each, with the ratio of speeds.

On a noisy machine both are slowed down alike. So ours and the other take turns, and the best of five runs counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.games import best_speed, copy_microseconds
from bench.rivals import RIVALS
from engine import GAMES

ROOT = Path(__file__).parent.parent
ROUNDS = 5
SEATS = 4


def our_speed(name: str = "razzia") -> float:
    return best_speed(name, SEATS)


def best_in_turns(*runs: Callable[[], float]) -> list[float]:
    """Calls the functions in turns, several times, and returns the best result of each."""
    best = [0.0] * len(runs)
    for _ in range(ROUNDS):
        best = [max(so_far, run()) for so_far, run in zip(best, runs, strict=True)]
    return best


def compare_rivals() -> None:
    print(f"random play, decisions per CPU second, Python {sys.version.split()[0]}, best of {ROUNDS}")
    for rival, (run, wanted) in RIVALS.items():
        mine, theirs = best_in_turns(our_speed, run)
        goal = f" (wanted {wanted:g})" if wanted else ""
        print(f"  razzia {mine:9,.0f}  {rival:34} {theirs:8,.0f}  ratio {mine / theirs:5.1f}{goal}")


def measure_games() -> None:
    for name in GAMES:
        print(f"  {name:11} {our_speed(name):9,.0f} decisions/s   table copy {copy_microseconds(name, SEATS):.2f} µs")


def measure_in_pyodide() -> None:
    """Measures the same code in the interpreter that the page ships, run by Node."""
    home = ROOT / "node_modules" / "pyodide"
    command = ["node", "tools/pyodide.mjs", str(home), "bench/in_pyodide.py", str(ROOT)]
    for name in GAMES:
        mine, theirs = 0.0, 0.0
        for _ in range(3):
            mine = max(mine, our_speed(name))
            done = subprocess.run([*command, name], cwd=ROOT, capture_output=True, text=True, check=True)
            theirs = max(theirs, json.loads(done.stdout.splitlines()[-1]))
        print(f"  {name:11} in Pyodide {theirs:9,.0f}  ratio to this Python {theirs / mine:.2f} (wanted 0.45)")


def measure_thinking() -> None:
    """Measures how long a bot thinks in the page's interpreter: see docs/bots.md."""
    home = ROOT / "node_modules" / "pyodide"
    command = ["node", "tools/pyodide.mjs", str(home), "bench/thinking.py", str(ROOT)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    print("bots in Pyodide at a full table, ms a decision")
    for name, figures in json.loads(done.stdout.splitlines()[-1]).items():
        print(f"  {name:18}", "  ".join(f"{what} {value:.3g}" for what, value in figures.items()))


if __name__ == "__main__":
    compare_rivals()
    measure_games()
    measure_in_pyodide()
    measure_thinking()
