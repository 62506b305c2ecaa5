"""The war of sicilianos: join, reveal, traitors, bombs, reinforcements."""

from __future__ import annotations

from engine.core import NATURE
from engine.sicilianos import box
from engine.sicilianos.box import BLUE, RED, YELLOW
from engine.sicilianos.result import Result
from engine.sicilianos.rules import Turn
from engine.sicilianos.table import bank, public_holdings, sums
from engine.sicilianos.war import Bomb, Join, Reinforce, Reveal, Traitor
from tests.engine.sicilianos.positions import A, B, C, card, cards, money, play, reason, table, texts, turn, war

NEXT = Turn(B, open_stake=False)


# The war: join.


def test_everybody_else_is_asked_clockwise_for_a_colour_not_yet_laid() -> None:
    t = table("red-1", "red-2 blue-2", "blue-3 green-3", "red-4", dirty=[(5,)] * 4)
    asked = turn(t, A, (A, "war red-1 5"))
    assert texts(t, asked) == ["out", "join blue-2 5"]
    assert reason(t, asked, "join red-2 5") == "sicilianos.join.colour_laid"
    assert reason(t, asked, "join blue-3 5") == "sicilianos.join.not_in_hand"
    assert reason(t, asked, "join blue-2 20") == "sicilianos.join.no_such_note"
    assert reason(t, asked, "join blue-? 0") == "sicilianos.join.not_in_hand"
    assert reason(t, asked, "stop") == "not_an_answer"
    asked = play(t, asked, (B, "join blue-2 5"))
    assert asked == Join(C, open_stake=False, then=NEXT)
    assert texts(t, asked) == ["out", "join green-3 5"]
    assert play(t, asked, (C, "out")) == Reveal(NEXT)  # D has only red and stays out unasked
    assert (t.family, t.war) == ([RED, BLUE, 0, 0], 1)


def test_cards_and_stakes_are_turned_up_together_and_only_then_leave_hand_and_money() -> None:
    t = table("red-1 red-2", "blue-2", "", dirty=[(5, 50), (10, 20), (5,)])
    turn(t, A, (A, "war red-1 50"), (B, "join blue-2 20"))
    assert t.hands[A] == cards("red-1 red-2")
    assert t.dirty[:2] == [money(5, 50), money(10, 20)]
    assert public_holdings(t, A) == ([RED], 1)
    assert public_holdings(t, B) == ([], 1)
    assert Reveal(NEXT).outcome(t) == ("reveal", (card("red-1"), card("blue-2")), (50, 20))
    asked = play(t, Reveal(NEXT), (NATURE, "reveal red-1+blue-2 50+20"))
    assert t.hands[:2] == [cards("red-2"), ()]
    assert t.dirty[:2] == [money(5), money(10)]
    assert t.stakes == [50, 20, 0]
    assert public_holdings(t, A) == ([RED], 1)
    assert public_holdings(t, B) == ([], 1)
    assert asked == Reinforce(A, NEXT)
    assert [sum(bank(t)), bank(t)[4]] == [70 - 3 - 2, 13]


def test_only_the_laid_cards_and_stakes_can_be_revealed() -> None:
    t = table("red-1 red-2", "blue-2", "")
    asked = turn(t, A, (A, "war red-1 50"), (B, "join blue-2 20"))
    assert asked == Reveal(NEXT)
    for wrong in ("reveal red-2+blue-2 50+20", "reveal red-1+blue-2 50+10", "reveal red-1 50"):
        assert reason(t, asked, wrong) == "not_an_answer"


# Traitors.


def test_an_eight_without_its_partner_family_is_plain_and_nobody_is_asked() -> None:
    t = table("red-8", "blue-2", "")
    assert war(t, (A, "war red-8 5"), (B, "out")).seat == A
    t = table("red-8", "blue-8", "")
    assert turn(t, A, (A, "war red-8 5"), (B, "join blue-8 5"), (NATURE, "reveal red-8+blue-8 5+5")) == Result(NEXT)


def test_a_turned_traitor_counts_four_for_the_partner_and_adds_no_more() -> None:
    t = table("red-8 red-9", "green-2", "")
    asked = turn(t, A, (A, "war red-8 5"), (B, "join green-2 5"), (NATURE, "reveal red-8+green-2 5+5"))
    assert asked == Traitor(A, (), (), NEXT)
    assert texts(t, asked) == ["plain", "traitor"]
    assert reason(t, asked, "stop") == "not_an_answer"
    assert play(t, asked, (A, "traitor")) == Result(NEXT)
    assert sums(t) == {box.GREEN: 6}


def test_a_plain_traitor_counts_eight_and_may_add() -> None:
    t = table("red-8 red-9", "green-2", "")
    asked = turn(t, A, (A, "war red-8 5"), (B, "join green-2 5"), (A, "plain"))
    assert asked == Reinforce(A, NEXT)
    assert sums(t) == {RED: 8, box.GREEN: 2}


def test_a_player_joined_by_a_traitor_is_not_asked_to_turn() -> None:
    t = table("blue-8", "white-8", "")
    asked = turn(t, A, (A, "war blue-8 5"), (B, "join white-8 5"), (A, "traitor"))
    assert asked == Result(NEXT)
    assert sums(t) == {box.WHITE: 12}


def test_three_traitors_can_turn_in_one_war() -> None:
    t = table("yellow-8", "black-2", "blue-8", "white-2", "red-8", "green-2")
    joined = [
        (1, "join black-2 5"),
        (2, "join blue-8 5"),
        (3, "join white-2 5"),
        (4, "join red-8 5"),
        (5, "join green-2 5"),
    ]
    asked = turn(t, A, (A, "war yellow-8 5"), *joined, (0, "traitor"), (2, "traitor"), (4, "traitor"))
    assert asked == Result(NEXT)
    assert sums(t) == {box.BLACK: 6, box.WHITE: 6, box.GREEN: 6}


def test_a_traitor_that_is_added_later_is_never_asked() -> None:
    t = table("red-1 red-8", "green-2", "")
    asked = turn(t, A, (A, "war red-1 5"), (B, "join green-2 5"), (A, "add red-8"), (NATURE, "reveal red-8 -"))
    assert asked == Result(NEXT)
    assert sums(t) == {RED: 9, box.GREEN: 2}


def test_all_traitors_decide_before_the_first_bomb() -> None:
    t = table("yellow-5", "blue-8", "white-3", "")
    asked = turn(t, A, (A, "war yellow-5 5"), (B, "join blue-8 5"), (C, "join white-3 5"), (B, "traitor"))
    assert isinstance(asked, Bomb)
    assert texts(t, asked) == ["plain", "explode blue-8", "explode white-3"]


# Bombs.


def test_a_bomb_removes_a_card_of_a_target_family_and_itself() -> None:
    t = table("yellow-5", "blue-9", "green-3", "")
    joined = [(A, "war yellow-5 5"), (B, "join blue-9 5"), (C, "join green-3 5")]
    asked = turn(t, A, *joined, (NATURE, "reveal yellow-5+blue-9+green-3 5+5+5"))
    assert (asked.key, asked.seat) == ("sicilianos.bomb", A)
    assert texts(t, asked) == ["plain", "explode blue-9"]
    assert reason(t, asked, "explode green-3") == "sicilianos.explode.no_target"
    assert reason(t, asked, "explode yellow-5") == "sicilianos.explode.itself"
    assert reason(t, asked, "explode blue-3") == "sicilianos.explode.not_lying"
    assert reason(t, asked, "add yellow-5") == "not_an_answer"
    assert play(t, asked, (A, "explode blue-9")) == Result(NEXT)
    assert t.lying == ((C, card("green-3")),)
    assert t.piles[BLUE][-1] == card("blue-9")
    assert t.piles[YELLOW][-1] == card("yellow-5")


def test_a_bomb_without_a_target_is_plain_and_nobody_is_asked() -> None:
    t = table("yellow-5", "green-3", "")
    assert turn(t, A, (A, "war yellow-5 5"), (B, "join green-3 5"), (NATURE, "reveal yellow-5+green-3 5+5")) == Result(
        NEXT
    )
    assert sums(t) == {YELLOW: 5, box.GREEN: 3}


def test_a_bomb_may_be_added_and_is_decided_in_its_reveal() -> None:
    t = table("yellow-2 yellow-5 yellow-3", "blue-9", "")
    joined = [(A, "war yellow-2 5"), (B, "join blue-9 5"), (A, "add yellow-5")]
    asked = turn(t, A, *joined, (NATURE, "reveal yellow-5 -"))
    assert (asked.key, asked.seat) == ("sicilianos.bomb", A)
    asked = play(t, asked, (A, "plain"), (A, "add yellow-3"), (NATURE, "reveal yellow-3 -"))
    assert asked == Result(NEXT)  # said plain it never explodes later
    assert sums(t) == {YELLOW: 10, BLUE: 9}


# Reinforce.


def test_reinforce_adds_own_family_cards_until_nobody_does() -> None:
    t = table("red-1 red-2 blue-4", "green-2 green-3", "", dirty=[(5,), (5,), (5,)])
    asked = turn(t, A, (A, "war red-1 5"), (B, "join green-2 5"), (NATURE, "reveal red-1+green-2 5+5"))
    assert texts(t, asked) == ["stop", "add red-2"]
    assert reason(t, asked, "add blue-4") == "sicilianos.add.other_family"
    assert reason(t, asked, "add red-3") == "sicilianos.add.not_in_hand"
    assert reason(t, asked, "add red-?") == "sicilianos.add.not_in_hand"
    assert reason(t, asked, "out") == "not_an_answer"
    asked = play(t, asked, (A, "stop"))
    assert asked == Reinforce(B, NEXT)
    asked = play(t, asked, (B, "add green-3"), (NATURE, "reveal green-3 -"))
    assert asked == Result(NEXT)  # A has stopped for good, B has no card left
    assert t.lying == ((A, card("red-1")), (B, card("green-2")), (B, card("green-3")))


def test_a_round_in_which_nobody_adds_ends_the_war() -> None:
    t = table("red-1 red-2", "green-2 green-3", "")
    assert turn(t, A, (A, "war red-1 5"), (B, "join green-2 5"), (A, "stop"), (B, "stop")) == Result(NEXT)
