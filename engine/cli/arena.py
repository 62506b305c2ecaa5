"""Many games: simulations, and tournaments between bots."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

from engine import GAMES, bots
from engine.core import NATURE, NOBODY, Game, Policy
from engine.options import settle
from engine.session import Session

Clock = Callable[[], float]


def play(
    game: Game, seats: int, options: Mapping[str, Any], policies: Sequence[Policy], deal: Random, think: Random
) -> Session:
    """Plays one game between bots. Every bot sees only the view of its seat."""
    session = Session(game, seats, options)
    while (seat := session.question.seat) != NOBODY:
        question = session.question
        if seat == NATURE:
            session.carry_out(seat, question.sample(session.table, deal))  # type: ignore[attr-defined]  # Chance
        elif policies[seat] is bots.choose_at_random:
            # The answers of a view are those of the table, so this bot needs no view.
            session.carry_out(seat, bots.choose_at_random(question, session.table, seat, think))
        else:
            session.do(seat, policies[seat](question, session.view(seat), seat, think))
    return session


@dataclass(slots=True)
class Task:
    """A part of a tournament that can be sent to another process: the game, the bots by seat, the deals."""

    game: str
    seats: int
    options: dict[str, Any]
    bots: list[str]
    seed: str
    deals: range


@dataclass(slots=True)
class Outcome:
    """The outcome of one game: by seat, the win (a shared win is split) and the points."""

    deal: int
    bots: list[str]
    wins: list[float]
    scores: list[int]


def run(task: Task) -> list[Outcome]:
    """Plays every deal with all rotations of the bots: each bot plays every hand, with the same cards to come."""
    game = GAMES[task.game]
    outcomes = []
    for deal in task.deals:
        for shift in range(task.seats):
            seated = task.bots[shift:] + task.bots[:shift]
            policies = [bots.policy(game, name) for name in seated]
            session = play(
                game,
                task.seats,
                task.options,
                policies,
                Random(f"{task.seed}/{deal}/deal"),
                Random(f"{task.seed}/{deal}/{shift}/think"),
            )
            outcomes.append(outcome(deal, seated, session))
    return outcomes


def outcome(deal: int, seated: list[str], session: Session) -> Outcome:
    winners = session.game.winners(session.table)
    wins = [(seat in winners) / len(winners) for seat in range(session.seats)]
    return Outcome(deal, seated, wins, list(session.game.scores(session.table)))


def arena(
    game: Game,
    seats: int,
    names: Sequence[str],
    games: int,
    *,
    seed: str = "1",
    options: Mapping[str, Any] | None = None,
    executor: Executor | None = None,
    shares: int = 1,
) -> dict[str, Any]:
    """Plays a tournament in rotated seats and paired deals, in the processes of `executor` if one is given.

    `names` are seated in turn until all seats are taken. The number of games is rounded up to whole deals.
    """
    seated = [names[seat % len(names)] for seat in range(seats)]
    for name in seated:
        bots.policy(game, name)
    settled = settle(game, seats, options or {})
    deals = max(1, -(-games // seats))
    step = -(-deals // shares)
    tasks = [
        Task(game.NAME, seats, settled, seated, seed, range(start, min(start + step, deals)))
        for start in range(0, deals, step)
    ]
    batches: Iterable[list[Outcome]] = executor.map(run, tasks) if executor else map(run, tasks)
    return tally(seated, [one for batch in batches for one in batch])


def tally(seated: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Returns each bot's win share (wins per seat it held: 1/seats is even), its 95 % interval, and mean score."""
    share, interval, mean = {}, {}, {}
    for name in dict.fromkeys(seated):
        by_deal: dict[int, list[float]] = {}
        points: list[int] = []
        for one in outcomes:
            held = [seat for seat, bot in enumerate(one.bots) if bot == name]
            by_deal.setdefault(one.deal, []).append(sum(one.wins[seat] for seat in held) / len(held))
            points += [one.scores[seat] for seat in held]
        shares = [sum(wins) / len(wins) for wins in by_deal.values()]
        share[name], interval[name] = with_interval(shares)
        mean[name] = round(sum(points) / len(points), 3)
    return {"games": len(outcomes), "win_share": share, "interval": interval, "mean_scores": mean}


def with_interval(shares: Sequence[float]) -> tuple[float, list[float]]:
    """Returns the mean and its 95 % confidence interval. The independent samples are the deals, not the games."""
    count = len(shares)
    mean = sum(shares) / count
    if count < 2:
        return round(mean, 4), [0.0, 1.0]
    spread = sqrt(sum((share - mean) ** 2 for share in shares) / (count - 1) / count)
    low, high = max(0.0, mean - 1.96 * spread), min(1.0, mean + 1.96 * spread)
    return round(mean, 4), [round(low, 4), round(high, 4)]


def simulate(
    game: Game,
    seats: int,
    names: Sequence[str],
    games: int,
    *,
    seed: str = "1",
    options: Mapping[str, Any] | None = None,
) -> Iterator[Session]:
    """Yields `games` finished games, with fixed seats."""
    seated = [names[seat % len(names)] for seat in range(seats)]
    policies = [bots.policy(game, name) for name in seated]
    settled = settle(game, seats, options or {})
    for number in range(games):
        yield play(game, seats, settled, policies, Random(f"{seed}/{number}/deal"), Random(f"{seed}/{number}/think"))


def summary(game: Game, seats: int, sessions: Iterable[Session], clock: Clock = time.process_time) -> dict[str, Any]:
    """Returns the figures of a simulation, which runs meanwhile."""
    games = decisions = entries = 0
    totals, wins = [0] * seats, [0.0] * seats
    start = clock()
    for session in sessions:
        one = outcome(games, [], session)
        games += 1
        entries += len(session.log)
        decisions += sum(seat != NATURE for seat, _ in session.log)
        totals = [total + score for total, score in zip(totals, one.scores, strict=True)]
        wins = [won + win for won, win in zip(wins, one.wins, strict=True)]
    seconds = clock() - start
    return {
        "game": game.NAME,
        "players": seats,
        "games": games,
        "decisions": decisions,
        "entries": entries,
        "seconds": round(seconds, 3),
        "decisions_per_second": round(decisions / seconds) if seconds else 0,
        "mean_scores": [round(total / max(games, 1), 3) for total in totals],
        "wins": [round(won, 3) for won in wins],
    }
