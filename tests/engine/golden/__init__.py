"""Golden files: what a game was like when somebody last looked and agreed.

`make golden` writes them anew (`make golden ARGS=<game>`: those of one game). Read the difference before you commit it.
- `<game>-<seats>.jsonl`: the record of one random game, house rules at their defaults
- `<game>-<seats>.txt`: the same game question by question, with every answer in its order
- `<game>-perft.json`: how many ways the first plies can go, by number of players, chance enumerated by kind
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from engine import GAMES, bots, notation, records
from engine.cli import arena
from engine.cli.sentences import seat_text
from engine.core import NOBODY, Game, Question
from engine.options import settle
from engine.session import Session

FOLDER = Path(__file__).parent
SHOWN = 12  # answers written out for each question; the rest is counted
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal")
NODES = 5_000  # positions perft may visit for one table


def game_of(game: Game, seats: int) -> Session:
    """The random game that is kept."""
    policies = [bots.choose_at_random] * seats
    return arena.play(game, seats, {}, policies, Random("golden/deal"), Random("golden/think"))


def record(game: Game, seats: int) -> str:
    return records.write(game_of(game, seats), [*NAMES[:seats]])


def playthrough(game: Game, seats: int) -> str:
    """Question, answers in order, and the one that was given."""
    whole = game_of(game, seats)
    session = Session(game, seats)
    lines = []
    for seat, answer in whole.log:
        answers = [notation.text(game.WORDS, one) for one in session.question.answers(session.table, seat)]
        more = f" … {len(answers)}" if len(answers) > SHOWN else ""
        given = notation.text(game.WORDS, answer)
        lines.append(f"{session.question.key}, {seat_text(seat)}: {' | '.join(answers[:SHOWN])}{more} -> {given}")
        session.do(seat, answer)
    lines.append(f"over: {session.game.scores(session.table)} {session.fingerprint()}")
    return "\n".join(lines) + "\n"


def perft(game: Game, seats: int) -> list[int]:
    """The number of ways after 1, 2, 3… entries, as deep as the budget of positions allows."""
    table, question = game.new(seats, settle(game, seats, {}))
    positions: list[tuple[Any, Question[Any]]] = [(table, question)]
    counts: list[int] = []
    while len(counts) < 8:
        following = []
        for table, question in positions:
            if question.seat == NOBODY:
                continue
            for answer in question.answers(table, question.seat):
                copy = table.copy()
                following.append((copy, question.answer(copy, question.seat, answer)))
                if len(following) > NODES:
                    return counts
        counts.append(len(following))
        positions = following
    return counts


def files(names: Iterable[str] = GAMES) -> Iterator[tuple[Path, str]]:
    """Yields every golden file of these games and what it should hold."""
    for name in names:
        game = GAMES[name]
        for seats in game.SEATS:
            yield FOLDER / f"{name}-{seats}.jsonl", record(game, seats)
            yield FOLDER / f"{name}-{seats}.txt", playthrough(game, seats)
        counts = {seats: perft(game, seats) for seats in game.SEATS}
        yield FOLDER / f"{name}-perft.json", json.dumps(counts, indent=1) + "\n"
