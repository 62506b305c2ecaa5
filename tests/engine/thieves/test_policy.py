"""The greedy bot of thieves: its answers are legal, use only its view, and win often."""

from __future__ import annotations

from random import Random

import pytest

from engine import bots, thieves
from engine.cli import arena
from engine.core import NATURE
from engine.session import Session
from engine.thieves import policy
from engine.thieves.rules import Draw, Play
from engine.thieves.thief import LET_GO, Thief
from tests.engine.anything import options
from tests.engine.thieves.positions import A, kinds, table


@pytest.mark.parametrize("seats", thieves.SEATS)
def test_greedy_plays_whole_games_by_every_rule(seats: int) -> None:
    for seed in range(3):
        rnd = Random(seed)
        house = options(thieves, seats, rnd)
        session = arena.play(thieves, seats, house, [policy.choose] * seats, rnd, rnd)
        assert session.over


def test_greedy_wins_more_than_its_share() -> None:
    """An even share is 40 of 160; in thousands of games the bot wins about six of ten."""
    won = 0.0
    for deal in range(40):
        for place in range(4):
            policies = [bots.choose_at_random] * 4
            policies[place] = policy.choose
            session = arena.play(thieves, 4, {}, policies, Random(deal), Random(deal + 1000 * place))
            winners = thieves.winners(session.table)
            won += (place in winners) / len(winners)
    assert won > 72


def test_the_answer_of_greedy_does_not_depend_on_hidden_data() -> None:
    """Tables that look the same to it get the same answer."""
    session, rnd = Session(thieves, 4), Random(7)
    asked = 0
    while not session.over:
        question, t = session.question, session.table
        seat = question.seat
        if seat == NATURE:
            session.do(NATURE, question.sample(t, rnd))  # type: ignore[attr-defined]
            continue
        view = session.view(seat)
        answer = policy.choose(question, view, seat, rnd)
        other = thieves.fill(view, rnd)
        assert policy.choose(question, thieves.view(other, seat), seat, rnd) == answer
        session.do(seat, answer)
        asked += 1
    assert asked > 10


def test_greedy_sends_the_police_to_others_only() -> None:
    richest = table(hands={A: "two_cars money_0"}, loot={A: "money_3 money_3"}, police="two_cars")
    assert policy.choose(Play(A), thieves.view(richest, A), A, Random(1)) == ("lay", kinds("money_0")[0])
    poor = table(hands={A: "two_cars money_0"}, loot={1: "money_3 money_3 ring"}, police="two_cars")
    assert policy.choose(Play(A), thieves.view(poor, A), A, Random(1)) == ("police", kinds("two_cars")[0])


def test_greedy_lets_the_thief_take_unless_that_would_only_hurt() -> None:
    rich = table(hands={A: "money_0"}, loot={1: "money_3 horseshoe"})
    assert policy.choose(Thief(A, Draw(1)), thieves.view(rich, A), A, Random(1))[0] == "take"
    only_own = table(hands={A: "money_0"}, loot={A: "money_1"})
    assert policy.choose(Thief(A, Draw(1)), thieves.view(only_own, A), A, Random(1)) == LET_GO
