"""Setup, turn and roll of sicilianos, state by state."""

from __future__ import annotations

from random import Random

import pytest

from engine import sicilianos
from engine.core import NATURE, Chance, Refused
from engine.options import settle
from engine.session import Session
from engine.sicilianos import box
from engine.sicilianos.box import BLUE, RED, YELLOW
from engine.sicilianos.result import scores
from engine.sicilianos.roll import Draw, Keep, Look, Nine, Steal, Stolen
from engine.sicilianos.rules import Starter, Take, Turn, new
from engine.sicilianos.table import bank
from tests.engine.sicilianos.positions import A, B, C, card, cards, empty, play, put_under, reason, table, texts, turn

NEXT = Turn(B, open_stake=False)


# Setup.


@pytest.mark.parametrize("seats", sicilianos.SEATS)
def test_a_new_game_has_full_piles_and_ten_notes_for_each_seat(seats: int) -> None:
    t, question = new(seats, settle(sicilianos, seats, {}))
    assert [len(pile) for pile in t.piles] == [0, 11, 11, 11, 11, 11, 11]
    assert t.dirty == [(2, 2, 2, 2, 2)] * seats
    assert scores(t) == [-250] * seats
    assert bank(t) == [14 - 2 * seats] * 5
    assert question == Take(0)


def test_each_player_takes_cards_of_four_colours_in_four_rounds() -> None:
    session = Session(sicilianos, 3)
    rnd = Random(5)
    asked = []
    while not isinstance(session.question, Starter):
        if not session.deal(lambda question, t, number: question.sample(t, rnd)):
            asked.append(session.question.seat)
            session.do(asked[-1], rnd.choice(session.answers(asked[-1])))
    assert asked == [0, 1, 2] * 4
    assert [len({box.COLOUR[one] for one in hand}) for hand in session.table.hands] == [4, 4, 4]
    assert session.question.answers(session.table, NATURE) == [("starter", 0), ("starter", 1), ("starter", 2)]
    session.do(NATURE, ("starter", 2))
    assert session.question == Turn(2, open_stake=False)


def test_a_colour_is_taken_once_and_only_while_there_is_a_card() -> None:
    t = table("yellow-3", "", "")
    empty(t, "green")
    assert texts(t, Take(A)) == ["take blue", "take red", "take black", "take white"]
    assert reason(t, Take(A), "take yellow") == "sicilianos.take.colour_held"
    assert reason(t, Take(A), "take green") == "sicilianos.take.empty_pile"
    assert reason(t, Take(A), "roll") == "not_an_answer"


def test_a_card_is_drawn_from_those_that_are_not_visible() -> None:
    t = table("yellow-3 yellow-5", "yellow-11", "")
    values = [1, 2, 4, 6, 7, 8, 9, 10]
    assert Draw(YELLOW, A, NEXT).answers(t, NATURE) == [("card", value) for value in values]
    with pytest.raises(Refused, match="not_an_answer"):
        Draw(YELLOW, A, NEXT).check(t, NATURE, ("card", 3))


def test_a_card_whose_place_is_known_is_the_one_drawn() -> None:
    t = table("", "", "")
    empty(t, "red")
    t.piles[RED] = cards("red-9 red-10")
    assert Draw(RED, A, NEXT).answers(t, NATURE) == [("card", card("red-9"))]
    assert Draw(RED, A, NEXT).sample(t, Random(1)) == ("card", card("red-9"))
    assert play(t, Draw(RED, A, NEXT), (NATURE, "card red-9")) == NEXT
    assert (t.hands[A], t.piles[RED]) == (cards("red-9"), cards("red-10"))


# The turn.


def test_a_turn_is_a_roll_or_a_war_with_any_card_and_any_note() -> None:
    t = table("blue-2 green-8", "", "", dirty=[(5, 50, 50)])
    assert texts(t, Turn(A, open_stake=False)) == [
        "roll", "war blue-2 5", "war blue-2 50", "war green-8 5", "war green-8 50",
    ]  # fmt: skip
    assert reason(t, Turn(A, open_stake=False), "war blue-3 5") == "sicilianos.war.not_in_hand"
    assert reason(t, Turn(A, open_stake=False), "war blue-2 10") == "sicilianos.war.no_such_note"
    assert reason(t, Turn(A, open_stake=False), "stop") == "not_an_answer"


def test_without_a_card_there_is_no_war() -> None:
    t = table("", "blue-2", "")
    assert texts(t, Turn(A, open_stake=False)) == ["roll"]


def test_ten_cards_force_a_war() -> None:
    t = table("yellow-1 yellow-2 yellow-3 yellow-4 yellow-6 red-1 red-2 red-3 red-4 red-6", "", "", dirty=[(5,)])
    assert len(texts(t, Turn(A, open_stake=False))) == 10
    assert reason(t, Turn(A, open_stake=False), "roll") == "sicilianos.roll.full_hand"


# The roll: two.


def test_two_with_different_colours_draws_one_card_of_each() -> None:
    t = table("", "", "")
    assert (
        turn(t, A, (A, "roll"), (NATURE, "dice red blue two"), (NATURE, "card red-1"), (NATURE, "card blue-1")) == NEXT
    )
    assert t.hands[A] == cards("red-1 blue-1")
    assert (len(t.piles[RED]), len(t.piles[BLUE])) == (10, 10)


def test_two_with_equal_colours_draws_two_cards_of_the_colour() -> None:
    t = table("", "", "")
    turn(t, A, (A, "roll"), (NATURE, "dice red red two"), (NATURE, "card red-1"), (NATURE, "card red-4"))
    assert t.hands[A] == cards("red-1 red-4")


def test_two_with_equal_colours_and_one_card_left_draws_one_card() -> None:
    t = table("", "", "")
    t.piles[RED], t.left[RED] = (-RED,), cards("red-7")
    assert turn(t, A, (A, "roll"), (NATURE, "dice red red two"), (NATURE, "card red-7")) == NEXT


def test_two_skips_an_empty_colour() -> None:
    t = table("", "", "")
    empty(t, "red")
    assert turn(t, A, (A, "roll"), (NATURE, "dice red blue two"), (NATURE, "card blue-7")) == NEXT


def test_two_with_both_piles_empty_draws_nothing() -> None:
    t = table("", "", "")
    empty(t, "red", "blue")
    assert turn(t, A, (A, "roll"), (NATURE, "dice red blue two")) == NEXT
    assert turn(t, A, (A, "roll"), (NATURE, "dice red red two")) == NEXT


NINE = "yellow-1 yellow-2 yellow-3 yellow-4 yellow-6 green-1 green-2 green-3 green-4"


def test_two_with_nine_cards_in_hand_draws_one_card_of_a_chosen_rolled_colour() -> None:
    t = table(NINE, "", "")
    asked = turn(t, A, (A, "roll"), (NATURE, "dice red blue two"))
    assert asked == Nine(A, (RED, BLUE), NEXT)
    assert texts(t, asked) == ["draw red", "draw blue"]
    assert reason(t, asked, "draw yellow") == "sicilianos.draw.not_rolled"
    assert reason(t, asked, "roll") == "not_an_answer"
    assert play(t, asked, (A, "draw blue"), (NATURE, "card blue-7")) == NEXT
    assert len(t.hands[A]) == 10


def test_two_with_nine_cards_in_hand_asks_nothing_if_there_is_no_choice() -> None:
    t = table(NINE, "", "")
    assert turn(t, A, (A, "roll"), (NATURE, "dice red red two")) == Draw(RED, A, NEXT)
    empty(t, "red")
    assert turn(t, A, (A, "roll"), (NATURE, "dice red blue two")) == Draw(BLUE, A, NEXT)
    empty(t, "blue")
    assert turn(t, A, (A, "roll"), (NATURE, "dice red blue two")) == NEXT


# The roll: one.


def test_one_draws_from_any_pile_or_looks_through_a_rolled_one() -> None:
    t = table("", "", "")
    empty(t, "green")
    asked = turn(t, A, (A, "roll"), (NATURE, "dice red green one"))
    draws = ["draw yellow", "draw blue", "draw red", "draw black", "draw white"]
    assert texts(t, asked) == [*draws, "look red"]
    assert reason(t, asked, "look blue") == "sicilianos.look.not_rolled"
    assert reason(t, asked, "look green") == "sicilianos.one.empty_pile"
    assert reason(t, asked, "draw green") == "sicilianos.one.empty_pile"
    assert reason(t, asked, "roll") == "not_an_answer"
    assert play(t, asked, (A, "draw white"), (NATURE, "card white-1")) == NEXT


def test_one_with_equal_colours_offers_one_look() -> None:
    t = table("", "", "")
    assert texts(t, turn(t, A, (A, "roll"), (NATURE, "dice red red one")))[-2:] == ["draw green", "look red"]


def test_one_with_both_rolled_piles_empty_draws_a_card_of_any_colour() -> None:
    t = table("", "", "")
    empty(t, "red", "blue")
    asked = turn(t, A, (A, "roll"), (NATURE, "dice red blue one"))
    assert texts(t, asked) == ["draw yellow", "draw black", "draw white", "draw green"]


def test_one_with_all_piles_empty_does_nothing() -> None:
    t = table("", "", "")
    empty(t, *box.COLOUR_NAMES)
    assert turn(t, A, (A, "roll"), (NATURE, "dice red blue one")) == NEXT


def test_a_pile_looked_through_keeps_its_order() -> None:
    t = table("red-1 red-2 red-3 red-4", "", "")
    put_under(t, "red-8 red-9")
    asked = turn(t, A, (A, "roll"), (NATURE, "dice red green one"), (A, "look red"))
    assert asked == Look(RED, A, NEXT)
    asked = play(t, asked, (NATURE, "pile red-7 red-5 red-6 red-11 red-10 red-8 red-9"))
    assert asked == Keep(A, RED, NEXT)
    assert texts(t, asked) == [f"keep {place}" for place in range(1, 8)]
    assert reason(t, asked, "keep 8") == "sicilianos.keep.no_card"
    assert reason(t, asked, "keep 0") == "sicilianos.keep.no_card"
    assert reason(t, asked, "stop") == "not_an_answer"
    assert play(t, asked, (A, "keep 4")) == NEXT
    assert t.piles[RED] == tuple(map(card, "red-7 red-5 red-6 red-10 red-8 red-9".split()))
    assert t.hands[A] == cards("red-1 red-2 red-3 red-4 red-11")
    assert t.left[RED] == ()


def test_all_orders_of_a_short_pile_are_listed_and_a_long_one_is_checked() -> None:
    t = table("red-1 red-2 red-3 red-4 red-5 red-6", "", "")
    put_under(t, "red-8 red-9")
    looked = Look(RED, A, NEXT)
    assert len(looked.answers(t, NATURE)) == 6
    assert looked.sample(t, Random(1)) in looked.answers(t, NATURE)
    assert len(Look(BLUE, A, NEXT).answers(t, NATURE)) == 120
    Look(BLUE, A, NEXT).check(t, NATURE, Look(BLUE, A, NEXT).sample(t, Random(1)))
    for wrong in (
        "red-7 red-10 red-11 red-9 red-8",
        "red-7 red-7 red-11 red-8 red-9",
        "red-1 red-10 red-11 red-8 red-9",
    ):
        assert reason(t, looked, f"pile {wrong}") == "sicilianos.pile.not_there"
    assert reason(t, looked, "pile red-7") == "not_an_answer"
    assert reason(t, looked, "pile red-? red-? red-? red-? red-?") == "sicilianos.pile.not_there"
    assert reason(t, looked, "pile red-7 red-10 red-11 red-8 red-9", seat=A) == "not_asked"


# The roll: steal.


def test_steal_takes_a_rolled_colour_from_a_player_who_holds_it() -> None:
    t = table("red-1", "blue-2 red-3", "red-4 red-5 green-1", "")
    asked = turn(t, A, (A, "roll"), (NATURE, "dice red blue steal"))
    assert isinstance(asked, Steal)
    assert texts(t, asked) == ["steal red 2", "steal red 3", "steal blue 2"]
    assert reason(t, asked, "steal green 3") == "sicilianos.steal.not_rolled"
    assert reason(t, asked, "steal red 1") == "sicilianos.steal.from_yourself"
    assert reason(t, asked, "steal blue 3") == "sicilianos.steal.holds_none"
    assert reason(t, asked, "roll") == "not_an_answer"
    asked = play(t, asked, (A, "steal red 3"))
    assert asked == Stolen(RED, A, C, NEXT)
    assert texts(t, asked) == ["stolen red-4", "stolen red-5"]
    assert reason(t, asked, "stolen red-3") == "not_an_answer"
    assert reason(t, asked, "stolen red-?") == "not_an_answer"
    assert play(t, asked, (NATURE, "stolen red-5")) == NEXT
    assert t.hands[A] == cards("red-1 red-5")
    assert t.hands[C] == cards("red-4 green-1")


def test_steal_with_equal_colours_offers_the_colour_once() -> None:
    t = table("", "red-3", "green-1")
    assert texts(t, turn(t, A, (A, "roll"), (NATURE, "dice red red steal"))) == ["steal red 2"]


def test_steal_does_nothing_if_nobody_else_holds_a_rolled_colour() -> None:
    t = table("red-1", "green-3", "")
    assert turn(t, A, (A, "roll"), (NATURE, "dice red blue steal")) == NEXT


def test_every_throw_has_the_probability_of_its_faces() -> None:
    t = table("", "", "", die={"two": 1, "one": 3, "steal": 0})
    asked = turn(t, A, (A, "roll"))
    assert isinstance(asked, Chance)
    assert len(asked.answers(t, NATURE)) == 72
    rnd = Random(3)
    thrown = [asked.sample(t, rnd) for _ in range(4000)]
    assert set(thrown) == set(asked.answers(t, NATURE))
    assert 0.71 < sum(face == box.ONE for *_, face in thrown) / 4000 < 0.79


def test_all_questions_are_reached_by_random_play() -> None:
    keys = set()
    for seed in range(12):
        rnd = Random(seed)
        session = Session(sicilianos, 3 + seed % 4)
        while not session.over:
            keys.add(session.question.key)
            question = session.question
            if isinstance(question, Chance):
                session.do(NATURE, question.sample(session.table, rnd))
            else:
                session.do(question.seat, rnd.choice(session.answers(question.seat)))
    names = "take card starter turn dice nine one pile keep steal stolen join reveal traitor bomb reinforce"
    names += " result share businesses founding clear open payday"
    assert {key.removeprefix("sicilianos.") for key in keys} >= set(names.split()) - {"nine"}
