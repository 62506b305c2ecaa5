"""The greedy bot of sicilianos plays by the rules, from its own view alone, and well."""

from __future__ import annotations

from random import Random

import pytest

from engine import bots, sicilianos
from engine.cli import arena
from engine.core import NATURE
from engine.options import settle
from engine.session import Session
from engine.sicilianos import fill, policy, view
from engine.sicilianos.rules import ROLL, Turn
from engine.sicilianos.war import Join
from tests.engine.anything import options
from tests.engine.sicilianos.positions import A, B, C, card, empty, table, turn

NEXT = Turn(B, open_stake=False)


@pytest.mark.parametrize("seats", sicilianos.SEATS)
def test_the_bot_plays_whole_games_by_the_rules(seats: int) -> None:
    """Every answer is checked, also with house rules and house decks."""
    for seed in range(3):
        rnd = Random(f"{seats}/{seed}")
        house = options(sicilianos, seats, rnd)
        session = arena.play(sicilianos, seats, house, [policy.choose] * seats, rnd, rnd)
        assert session.over
        assert len(session.log) < 1500


def test_the_bot_beats_three_random_bots() -> None:
    """The test demands nine wins in twenty; the bot wins about four in five."""
    policies = [policy.choose, *[bots.choose_at_random] * 3]
    house = settle(sicilianos, 4, {})
    won = 0.0
    for seed in range(60):
        shift = seed % 4
        seated = policies[shift:] + policies[:shift]
        session = arena.play(sicilianos, 4, house, seated, Random(seed), Random(-seed))
        winners = sicilianos.winners(session.table)
        won += (seated.index(policy.choose) in winners) / len(winners)
    assert won > 0.6 * 60


def test_the_bots_answer_does_not_depend_on_hidden_data() -> None:
    """On another table with the same view it gives the same answer."""
    rnd = Random(8)
    session = Session(sicilianos, 4)
    decided = 0
    while not session.over:
        question = session.question
        if question.seat == NATURE:
            session.do(NATURE, question.sample(session.table, rnd))
            continue
        seat = question.seat
        answer = policy.choose(question, session.view(seat), seat, rnd)
        other = fill(session.view(seat), rnd)
        assert policy.choose(question, view(other, seat), seat, rnd) == answer
        session.do(seat, answer)
        decided += 1
    assert decided > 50


def test_the_bot_starts_a_war_with_a_strong_family_and_rolls_with_a_weak_one() -> None:
    strong = table("red-9 red-10 red-7 blue-2", "blue-3", "green-4")
    assert policy.choose(Turn(A, open_stake=False), view(strong, A), A, Random(1)) == ("war", card("red-10"), 50)
    weak = table("red-2 blue-3", "blue-7 blue-5", "green-4 green-9")
    assert policy.choose(Turn(A, open_stake=False), view(weak, A), A, Random(1)) == ROLL
    empty(weak, "yellow", "blue", "red", "black", "white", "green")
    assert policy.choose(Turn(A, open_stake=False), weak, A, Random(1))[0] == "war"


def test_the_bot_joins_a_lost_war_with_a_spare_card_and_a_low_note() -> None:
    t = table("red-9 red-10 red-7 red-6", "blue-2 yellow-9", "green-4")
    asked = turn(t, A, (A, "war red-10 50"))
    assert asked == Join(B, open_stake=False, then=NEXT)
    assert policy.choose(asked, view(t, B), B, Random(1)) == ("join", card("blue-2"), 5)


def test_the_bot_bombs_the_family_that_is_ahead() -> None:
    t = table("yellow-5 yellow-2", "blue-9", "red-3")
    joined = [(B, "join blue-9 5"), (C, "join red-3 5"), (A, "add yellow-5"), (NATURE, "reveal yellow-5 -")]
    asked = turn(t, A, (A, "war yellow-2 5"), *joined)
    assert (asked.key, asked.seat) == ("sicilianos.bomb", A)
    assert policy.choose(asked, view(t, A), A, Random(1)) == ("explode", card("blue-9"))
