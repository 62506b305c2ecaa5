"""Difficult cases of sicilianos, each with its own test."""

from __future__ import annotations

from engine.core import NATURE, Over
from engine.sicilianos import box
from engine.sicilianos.box import BLACK, BLUE, GREEN, RED, WHITE, YELLOW
from engine.sicilianos.result import Clear, Open, Result, Share, ledger, scores, winners
from engine.sicilianos.rules import Turn
from engine.sicilianos.table import bank, sums
from engine.sicilianos.war import Reinforce, Reveal, Traitor
from tests.engine.sicilianos.positions import (
    A,
    B,
    C,
    D,
    beats,
    card,
    cards,
    empty,
    money,
    own,
    play,
    reason,
    table,
    texts,
    turn,
    war,
)

NEXT = Turn(B, open_stake=False)


def test_the_second_traitor_of_a_pair_is_not_asked_if_the_first_turns() -> None:
    t = table("red-2", "white-8", "blue-8", "green-3")
    joined = [(A, "war red-2 5"), (B, "join white-8 10"), (C, "join blue-8 10"), (D, "join green-3 10")]
    asked = turn(t, A, *joined, (B, "traitor"))
    assert asked == Result(NEXT)
    assert sums(t) == {RED: 2, BLUE: 12, GREEN: 3}
    asked = beats(t, asked)
    assert asked == Share(C, B, BLUE, NEXT)
    asked = play(t, asked, (C, "money"), (B, "found antiques"))
    assert t.clean[C] == money(10, 10)


def test_a_bomb_that_is_hit_before_its_turn_is_not_asked() -> None:
    t = table("yellow-5 yellow-2", "blue-5 blue-3", "red-4", "")
    asked = turn(t, A, (A, "war yellow-5 5"), (B, "join blue-5 5"), (C, "join red-4 5"), (A, "explode blue-5"))
    assert asked == Reinforce(A, NEXT)  # blue's bomb is gone unasked, blue may still reinforce
    assert sums(t) == {RED: 4}
    asked = play(t, asked, (A, "stop"))
    assert asked == Reinforce(B, NEXT)


def test_a_bomb_that_is_not_hit_is_asked_in_its_turn() -> None:
    t = table("yellow-5", "blue-5", "red-4", "")
    joined = [(A, "war yellow-5 5"), (B, "join blue-5 5"), (C, "join red-4 5")]
    asked = turn(t, A, *joined, (A, "explode red-4"))
    assert asked == Result(NEXT)  # nothing lies for any target of blue's bomb any more
    t = table("yellow-5", "blue-5", "red-4", "")
    asked = turn(t, A, *joined, (A, "plain"))
    assert (asked.key, asked.seat) == ("sicilianos.bomb", B)
    assert texts(t, asked) == ["plain", "explode red-4"]


def test_a_bomb_played_plain_can_be_the_victim() -> None:
    t = table("yellow-5", "red-5", "", "")
    asked = turn(t, A, (A, "war yellow-5 5"), (B, "join red-5 5"), (A, "plain"))
    assert texts(t, asked) == ["plain", "explode yellow-5"]
    assert play(t, asked, (B, "explode yellow-5")) == Result(NEXT)
    assert sums(t) == {}


def test_the_bodyguard_is_the_only_possible_victim_of_its_family() -> None:
    t = table("yellow-2 yellow-5", "blue-9 blue-1 blue-10", "", "")
    joined = [(A, "war yellow-2 5"), (B, "join blue-9 5"), (A, "add yellow-5"), (B, "add blue-1")]
    asked = turn(t, A, *joined, (NATURE, "reveal yellow-5+blue-1 -"))
    assert texts(t, asked) == ["plain", "explode blue-1"]
    assert reason(t, asked, "explode blue-9") == "sicilianos.explode.guarded"
    play(t, asked, (A, "explode blue-1"))
    assert sums(t) == {YELLOW: 2, BLUE: 9}


def test_the_bodyguard_guards_a_turned_traitor_too() -> None:
    t = table("yellow-5", "white-1", "blue-8", "")
    asked = turn(t, A, (A, "war yellow-5 5"), (B, "join white-1 5"), (C, "join blue-8 5"), (C, "traitor"))
    assert texts(t, asked) == ["plain", "explode white-1"]
    assert reason(t, asked, "explode blue-8") == "sicilianos.explode.guarded"


def test_a_turned_traitor_is_among_the_victims_of_the_family_it_serves() -> None:
    t = table("green-5", "yellow-3", "black-8", "")
    joined = [(A, "war green-5 5"), (B, "join yellow-3 5"), (C, "join black-8 5"), (C, "traitor")]
    asked = turn(t, A, *joined)
    assert texts(t, asked) == ["plain", "explode yellow-3", "explode black-8"]
    play(t, asked, (A, "explode black-8"))
    assert t.piles[BLACK][-1] == card("black-8")
    assert sums(t) == {YELLOW: 3}


def test_a_player_whose_only_card_was_a_bomb_may_still_reinforce() -> None:
    t = table("yellow-5 yellow-2", "blue-3", "", "")
    asked = turn(t, A, (A, "war yellow-5 5"), (B, "join blue-3 5"), (A, "explode blue-3"))
    assert asked == Reinforce(A, NEXT)
    assert t.lying == ()
    asked = play(t, asked, (A, "add yellow-2"), (NATURE, "reveal yellow-2 -"), (NATURE, "result yellow"))
    assert t.clean[A] == money(5, 5)


def test_a_player_whose_cards_were_all_blown_up_may_reinforce_and_win() -> None:
    t = table("yellow-5", "blue-3 blue-2", "", "")
    asked = turn(t, A, (A, "war yellow-5 5"), (B, "join blue-3 10"), (A, "explode blue-3"))
    assert asked == Reinforce(B, NEXT)
    war_ends = play(t, asked, (B, "add blue-2"), (NATURE, "reveal blue-2 -"), (NATURE, "result blue"))
    assert war_ends.key == "sicilianos.businesses"
    assert t.clean[B] == money(10, 10)


def test_without_any_card_left_nobody_wins_and_all_stakes_go_to_the_bank() -> None:
    t = table("yellow-5", "blue-3", "", "")
    asked = turn(t, A, (A, "war yellow-5 5"), (B, "join blue-3 10"), (A, "explode blue-3"))
    assert asked == Result(NEXT)
    assert play(t, asked, (NATURE, "result nobody")) == Clear(NEXT)
    assert t.clean == [money()] * 4
    assert t.stakes == [0] * 4
    assert sum(bank(t)) == 70 - 38


def test_if_all_are_tied_nobody_wins_and_all_stakes_go_to_the_bank() -> None:
    t = table("yellow-6", "blue-6", "red-6", "")
    asked = turn(t, A, (A, "war yellow-6 5"), (B, "join blue-6 10"), (C, "join red-6 20"), (NATURE, "result nobody"))
    assert asked == Clear(NEXT)
    assert sum(bank(t)) == 70 - 37
    assert beats(t, asked) == NEXT


def test_two_tied_pairs_leave_no_winner() -> None:
    t = table("yellow-6", "blue-6", "red-7", "white-7")
    joined = [(B, "join blue-6 10"), (C, "join red-7 20"), (D, "join white-7 20")]
    assert turn(t, A, (A, "war yellow-6 5"), *joined, (NATURE, "result nobody")) == Clear(NEXT)


def test_the_ally_wins_alone_and_founds_in_the_served_colour() -> None:
    t = table("white-3", "blue-8", "black-5")
    joined = [
        (A, "war white-3 50"),
        (B, "join blue-8 10"),
        (C, "join black-5 20"),
        (B, "traitor"),
        (C, "explode white-3"),
    ]
    war(t, *joined, (B, "found antiques"))
    assert t.clean == [money(), money(10, 10), money()]
    assert t.founded[WHITE] == ((B, (1, 2, 3), box.ANTIQUES),)
    assert t.founded[BLUE] == ()
    assert sum(bank(t)) == 70 - 30 + 3 - 2


def test_the_familys_player_wins_alone_when_the_ally_was_blown_up() -> None:
    t = table("white-3", "blue-8", "black-5")
    joined = [
        (A, "war white-3 50"),
        (B, "join blue-8 10"),
        (C, "join black-5 20"),
        (B, "traitor"),
        (C, "explode blue-8"),
    ]
    war(t, *joined, (A, "found antiques"))
    assert t.clean == [money(50, 50), money(), money()]
    assert t.founded[WHITE] == ((A, (1, 2, 3), box.ANTIQUES),)


def test_a_lone_winner_washes_the_stake_even_if_no_business_is_left() -> None:
    t = table("red-9", "", "")
    own(t, B, "red-antiques", "red-laundry")
    own(t, C, "red-restaurant")
    assert war(t, (A, "war red-9 20")) == NEXT
    assert t.clean[A] == money(20, 20)


def test_an_alliance_keeps_its_choice_if_no_business_is_left() -> None:
    t = table("white-9", "blue-8", "")
    own(t, C, "white-antiques", "white-laundry")
    own(t, A, "white-restaurant")
    asked = war(t, (A, "war white-9 20"), (B, "join blue-8 50"), (B, "traitor"), (A, "business"))
    assert asked == NEXT
    assert t.clean == [money(), money(20, 50), money()]


def test_the_bank_never_runs_out() -> None:
    t = table("red-9", "", "", "", "", "")
    t.clean[B] = (0, 0, 0, 0, 14)
    war(t, (A, "war red-9 50"), (A, "found laundry"))
    assert t.clean[A] == money(50, 50)
    assert bank(t)[-1] == 14 - 11 - 14 - 2


def test_three_businesses_of_one_colour_win_as_godfather_before_a_payday() -> None:
    t = table("red-9", "green-2", "", dirty=[(20,), (5, 10), (5,)])
    own(t, A, "red-antiques", "red-laundry")
    own(t, C, "green-antiques")
    t.clean[C] = money(50, 50, 50)
    asked = play(t, turn(t, A, (A, "war red-9 20"), (B, "join green-2 10"), (A, "found restaurant")), (NATURE, "clear"))
    assert asked == Open()  # A has no dirty note left either, but there is no payday
    assert play(t, asked, (NATURE, "open antiques laundry restaurant antiques")) == Over()
    assert t.godfather == A
    assert winners(t) == [A]
    assert scores(t) == [1, 0, 0]  # no sums: the others share second place
    assert [(line.seat, line.category, line.points) for line in ledger(t)] == [(A, "godfather", 1)]


def test_three_businesses_of_a_colour_of_different_owners_make_no_godfather() -> None:
    t = table("red-9", "", "")
    own(t, A, "red-antiques")
    own(t, B, "red-laundry")
    assert war(t, (A, "war red-9 20"), (A, "found restaurant")) == NEXT


def test_a_roll_with_all_piles_empty_can_only_steal() -> None:
    t = table("red-9", "red-2", "")
    empty(t, *box.COLOUR_NAMES)
    for throw in ("dice red blue two", "dice red red two", "dice red blue one"):
        assert turn(t, A, (A, "roll"), (NATURE, throw)) == NEXT
    turn(t, A, (A, "roll"), (NATURE, "dice red blue steal"), (A, "steal red 2"), (NATURE, "stolen red-2"))
    assert t.hands == [cards("red-9 red-2"), (), ()]


def test_a_war_forced_by_ten_cards_follows_the_usual_rules() -> None:
    hand = "yellow-1 yellow-2 yellow-3 yellow-4 yellow-6 red-1 red-2 red-3 red-4 red-6"
    t = table(hand, "", "")
    assert all(text.startswith("war ") for text in texts(t, Turn(A, open_stake=False)))
    asked = turn(t, A, (A, "war red-6 5"))
    assert asked == Reveal(NEXT)
    asked = play(t, asked, (NATURE, "reveal red-6 5"), (A, "stop"), (NATURE, "result red"))
    assert len(t.hands[A]) == 9


def test_a_war_of_six_families_has_one_winner() -> None:
    hands = ["yellow-2", "blue-3", "red-4", "black-6", "white-7", "green-9"]
    t = table(*hands)
    joined = [(seat, f"join {hand} 5") for seat, hand in enumerate(hands) if seat]
    war(t, (A, "war yellow-2 5"), *joined, (5, "found laundry"))
    assert t.clean[5] == money(5, 5)
    assert sum(bank(t)) == 70 - 60 + 6 - 2


def test_traitors_are_asked_clockwise_from_the_starter() -> None:
    """Traitors are asked clockwise from the starter, which may be any seat."""
    t = table("blue-8", "", "white-8", "")
    asked = turn(t, C, (C, "war white-8 5"), (A, "join blue-8 5"))
    assert beats(t, asked) == Traitor(C, (A,), (), Turn(D, open_stake=False))
