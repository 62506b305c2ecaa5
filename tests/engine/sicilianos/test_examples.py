"""The worked examples of the rules, each under its own name."""

from __future__ import annotations

from engine.sicilianos.box import BLUE, WHITE
from engine.sicilianos.result import Result
from engine.sicilianos.rules import Turn
from engine.sicilianos.table import side, sums
from engine.sicilianos.war import Reinforce, Traitor
from tests.engine.sicilianos.positions import A, B, C, D, beats, money, table, texts, turn, war

NEXT = Turn(B, open_stake=False)


def test_example_a_traitor_makes_white_nine_and_only_the_first_may_reinforce() -> None:
    """White 5 played plain by one, the blue-backed 8 as traitor by another: white 9."""
    t = table("white-5 white-2", "blue-8 blue-9", "red-3", "")
    asked = turn(t, A, (A, "war white-5 50"), (B, "join blue-8 20"), (C, "out"), (B, "traitor"))
    assert sums(t) == {WHITE: 9}
    assert side(t, B) == WHITE
    assert asked == Reinforce(A, NEXT)
    assert texts(t, asked) == ["stop", "add white-2"]
    assert isinstance(asked.answer(t, A, ("stop",)), Result)


def test_example_two_eights_of_one_pair_the_second_may_turn_when_the_first_said_plain() -> None:
    """The 8s of blue and white both shown: the first asked says plain, the second may turn: white 8 + 4 = 12."""
    t = table("red-2", "white-8 red-1", "blue-8 red-4", "green-3")
    asked = turn(t, A, (A, "war red-2 5"), (B, "join white-8 10"), (C, "join blue-8 10"), (D, "out"))
    asked = beats(t, asked)
    assert asked == Traitor(B, (C,), (), NEXT)
    asked = asked.answer(t, B, ("plain",))
    assert asked == Traitor(C, (), (), NEXT)
    asked.answer(t, C, ("traitor",))
    assert sums(t)[WHITE] == 12
    assert BLUE not in sums(t)


def test_example_sums_12_12_9_the_9_wins() -> None:
    t = table("yellow-9 yellow-3", "blue-10 blue-2", "red-9", "")
    joined = [(A, "war yellow-9 5"), (B, "join blue-10 5"), (C, "join red-9 20")]
    war(t, *joined, (A, "add yellow-3"), (B, "add blue-2"), (C, "found antiques"))
    assert t.clean == [money(), money(), money(20, 20), money()]


def test_example_stake_50_alone_is_clean_plus_100() -> None:
    t = table("yellow-9", "", "", "")
    asked = war(t, (A, "war yellow-9 50"), (A, "found laundry"))
    assert t.clean[A] == money(50, 50)
    assert asked == Turn(B, open_stake=False)


def test_example_allied_stakes_20_and_50_the_winner_takes_the_business_the_ally_gets_70() -> None:
    t = table("white-9", "blue-8", "", "")
    asked = war(t, (A, "war white-9 20"), (B, "join blue-8 50"), (B, "traitor"), (A, "business"), (A, "found laundry"))
    assert t.clean == [money(), money(20, 50), money(), money()]
    assert asked == Turn(B, open_stake=False)
