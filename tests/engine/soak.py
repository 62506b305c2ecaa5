"""`make soak`: very many random games of every kind, to find what a test run is too short for.

`python -m tests.engine.soak [games a game, default 100000] [game …]`. Random players, random house rules and decks,
every player count. Every game must end, nothing may raise, points must add up, cards and money must all be there, and
now and then the whole of it is replayed entry by entry, from masked logs and from its record.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

from engine import GAMES, bots, records
from engine.cli import arena
from engine.cli.commands import a_number
from engine.session import Session
from tests.engine import census
from tests.engine.anything import options, viewers

BATCH = 500
MOST = 5000  # entries
DEEP = 50  # every so many games are looked at in full


def batch(name: str, start: int, count: int) -> Counter[str]:
    """Plays some games. Returns the counts."""
    game = GAMES[name]
    found: Counter[str] = Counter()
    for number in range(start, start + count):
        rnd = Random(f"soak/{name}/{number}")
        seats = game.SEATS[number % len(game.SEATS)]
        house = options(game, seats, rnd)
        session = arena.play(game, seats, house, [bots.choose_at_random] * seats, rnd, rnd)
        check(session)
        if number % DEEP == 0:
            check_deeply(session)
            found["deep"] += 1
        found["games"] += 1
        found["entries"] += len(session.log)
        found[f"seats {seats}"] += 1
    return found


def check(session: Session) -> None:
    """Checks that the game ended, and that its points are those of the ledger."""
    game, table = session.game, session.table
    assert session.over
    assert len(session.log) <= MOST, len(session.log)
    assert game.winners(table)
    totals = [0] * session.seats
    for line in game.ledger(table):
        totals[line.seat] += line.points
    assert totals == list(game.scores(table)), (totals, game.scores(table))
    census.check(session)


def check_deeply(session: Session) -> None:
    """Checks every entry on the table, on every replica and from the record, and that no card is lost."""
    again = Session(session.game, session.seats, session.options)
    for seat, answer in session.log:
        again.do(seat, answer)
        census.check(again)
    assert again.table == session.table
    for viewer in viewers(session.seats):
        replica = Session(session.game, session.seats, session.options)
        replica.extend(session.masked(viewer))
        assert replica.table == session.view(viewer), viewer
    assert records.verify(records.write(session, [""] * session.seats)).session.log == session.log


def jobs(names: list[str], games: int) -> Iterator[tuple[str, int, int]]:
    for start in range(0, games, BATCH):
        for name in names:
            yield name, start, min(BATCH, games - start)


def main(games: int, names: list[str]) -> None:
    begun = time.monotonic()
    found: dict[str, Counter[str]] = {name: Counter() for name in names}
    work = list(jobs(names, games))
    with ProcessPoolExecutor(os.cpu_count()) as executor:
        for (name, _, _), counted in zip(work, executor.map(batch, *zip(*work, strict=True)), strict=True):
            found[name] += counted
    for name, counted in found.items():
        print(name, dict(sorted(counted.items())))
    print(f"{games} games of each, no exception, {time.monotonic() - begun:.0f} s")


def known(name: str) -> str:
    """Returns the name of a game given on the command line."""
    if name not in GAMES:
        raise argparse.ArgumentTypeError(f"there is no game {name[:40]!r}, only {', '.join(GAMES)}")
    return name


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m tests.engine.soak", description=__doc__)
    found.add_argument("games", type=a_number, nargs="?", default=100_000, help="how many of each")
    found.add_argument("--first", type=a_number, help="the first seed of the simulated tables (the time of day)")
    found.add_argument("--record", type=Path, help="a Markdown table to which the simulated tables are added as a row")
    found.add_argument("names", type=known, nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)} (all)")
    return found


if __name__ == "__main__":
    given = parser().parse_args()
    main(given.games, given.names or list(GAMES))
