"""The box, the turn and the auction of razzia, state by state."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import NATURE
from engine.options import settle
from engine.razzia import box
from engine.razzia.box import COIN, HANDS, POLICE, RING
from engine.razzia.rules import Auction, Hands, Score, Turn, TurnUp, new, start_round
from tests.engine.razzia.positions import (
    HANDS_OF_FOUR,
    RAZZIA,
    A,
    B,
    C,
    D,
    counts,
    deck,
    play,
    reason,
    row,
    table,
    texts,
    turn,
)

# The box


def test_the_box_has_99_loot_and_21_police() -> None:
    assert sum(card.count for card in box.CARDS) == 120
    assert box.CARDS[-1].count == 21
    assert {card.source for card in box.CARDS} == {"sheet"}


@pytest.mark.parametrize(("seats", "highest"), [(2, 9), (3, 13), (4, 13), (5, 16)])
def test_every_cheque_is_held_once_and_the_one_lies_in_the_centre(seats: int, highest: int) -> None:
    assert sorted(value for hand in HANDS[seats] for value in hand) == list(range(2, highest + 1))
    assert table(seats).centre == 1


@pytest.mark.parametrize(("seats", "raid"), [(2, 5), (3, 7), (4, 7), (5, 7)])
def test_the_raid_comes_at_the_last_police_card(seats: int, raid: int) -> None:
    assert table(seats).raid_at == raid


# Setting up


def test_hands_go_to_the_seats_by_lot() -> None:
    t, question = new(4, settle(RAZZIA, 4, {}))
    assert question == Hands()
    assert len(question.answers(t, NATURE)) == 24
    drawn = {Hands().sample(t, Random(seed)) for seed in range(400)}
    assert drawn == set(question.answers(t, NATURE))
    play(t, question, (NATURE, "hands 3 5 2 4"))
    assert t.open == [(3, 7, 12), (5, 9, 10), (2, 6, 13), (4, 8, 11)]


def test_the_player_with_the_highest_cheque_starts() -> None:
    t = table(open=[(3, 7, 12), (5, 9, 10), (2, 6, 13), (4, 8, 11)])
    assert start_round(t) == Turn(C)


# A turn


def test_a_turn_is_draw_thieves_or_call() -> None:
    t = table(row=row("ring", "car"), family=[counts(thief=1), *[counts()] * 3])
    assert texts(t, Turn(A)) == ["draw", "thieves 1", "thieves 2", "call"]
    assert texts(t, Turn(B)) == ["draw", "call"]


def test_thieves_take_as_many_as_there_are_thieves_and_cards() -> None:
    t = table(row=row("ring", "-", "car", "coin"), family=[counts(thief=2), *[counts()] * 3])
    assert texts(t, Turn(A)) == [
        *("draw", "thieves 1", "thieves 3", "thieves 4"),
        *("thieves 1 3", "thieves 1 4", "thieves 3 4", "call"),
    ]


def test_used_thieves_leave_the_game_and_their_cards_join_the_family() -> None:
    t = table(row=row("ring", "car", "coin"), family=[counts(thief=3), *[counts()] * 3])
    assert turn(t, A, (A, "thieves 1 3")) == Turn(B)
    assert t.family[A] == counts(thief=1, ring=1, coin=1)
    assert t.row == row("-", "car")


def test_a_thief_taken_now_cannot_be_used_in_the_same_action() -> None:
    t = table(row=row("thief", "ring"), family=[counts(thief=1), *[counts()] * 3])
    assert reason(t, Turn(A), A, "thieves", 0, 1) == ("razzia.thieves.too_few", {"thieves": 1, "cards": 2})
    turn(t, A, (A, "thieves 1"))
    assert t.family[A] == counts(thief=1)


def test_gaps_are_filled_leftmost_first() -> None:
    t = table(row=row("ring", "-", "car", "-", "coin"), deck_counts=deck(watch=9, police=1))
    turn(t, A, (A, "draw"), (NATURE, "card watch"))
    assert t.row == row("ring", "watch", "car", "-", "coin")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (("thieves", 0), "razzia.thieves.none"),
        (("offer", 2), "not_an_answer"),
    ],
)
def test_a_turn_without_thieves_refuses_other_answers(answer: tuple[object, ...], expected: str) -> None:
    assert reason(table(row=row("ring")), Turn(A), A, *answer)[0] == expected


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        ((), "razzia.thieves.no_card"),
        ((0, 0), "razzia.thieves.twice"),
        ((0, 5), "razzia.thieves.empty_slot"),
        ((2, 0), "razzia.thieves.order"),
        ((0, 2, 3), "razzia.thieves.too_few"),
    ],
)
def test_a_wrong_choice_of_cards_for_thieves_is_refused(slots: tuple[int, ...], expected: str) -> None:
    t = table(row=row("ring", "-", "car", "coin"), family=[counts(thief=2), *[counts()] * 3])
    assert reason(t, Turn(A), A, "thieves", *slots)[0] == expected


def test_thieves_cannot_be_used_on_an_empty_row() -> None:
    t = table(family=[counts(thief=1), *[counts()] * 3])
    assert texts(t, Turn(A)) == ["draw", "call"]
    assert reason(t, Turn(A), A, "thieves", 0) == ("razzia.thieves.empty_slot", {"slot": 1})


def test_an_answer_for_another_seat_is_refused() -> None:
    t = table()
    assert reason(t, Turn(A), B, "draw") == ("not_asked", {"seat": B})


# Turning up a card


def test_loot_goes_into_the_row_and_the_turn_to_the_left() -> None:
    t = table()
    assert turn(t, D, (D, "draw"), (NATURE, "card ring")) == Turn(A)
    assert t.row == row("ring")
    assert sum(t.deck_counts) == 119


def test_the_seventh_loot_card_brings_an_auction_at_once() -> None:
    t = table(row=row(*["car"] * 6))
    assert turn(t, A, (A, "draw"), (NATURE, "card ring")) == Auction(B, A, 0, -1, forced=False)


def test_police_brings_an_auction_even_for_an_empty_row() -> None:
    t = table(open=list(HANDS_OF_FOUR))
    asked = turn(t, A, (A, "draw"), (NATURE, "card police"))
    assert asked == Auction(B, A, 0, -1, forced=False)
    assert turn(t, A, (A, "call"), (B, "offer 3"), (C, "pass"), (D, "pass"), (A, "pass")) == Turn(B)
    assert (t.centre, t.spent[B]) == (3, (1,))


@pytest.mark.parametrize(("seats", "police"), [(2, 4), (3, 6), (4, 6), (5, 6)])
def test_the_raid_ends_the_round_with_no_auction(seats: int, police: int) -> None:
    t = table(seats, police=police, row=row("coin"))
    assert turn(t, A, (A, "draw"), (NATURE, "card police")) == Score(1)
    assert t.row == row("coin")


def test_only_cards_that_are_left_can_be_turned_up() -> None:
    t = table(deck_counts=deck(ring=1, police=2))
    assert TurnUp(A).answers(t, NATURE) == [("card", RING), ("card", POLICE)]
    assert {TurnUp(A).sample(t, Random(seed)) for seed in range(50)} == {("card", RING), ("card", POLICE)}
    assert reason(t, TurnUp(A), NATURE, "card", COIN)[0] == "not_an_answer"


def test_draws_are_uniform_over_the_cards_left() -> None:
    t = table(deck_counts=deck(ring=1, police=3))
    rnd = Random(7)
    drawn = [TurnUp(A).sample(t, rnd) for _ in range(8000)]
    assert abs(drawn.count(("card", POLICE)) / 8000 - 0.75) < 0.02


# Auctions


def test_offers_must_beat_the_best_so_far() -> None:
    t = table(open=list(HANDS_OF_FOUR))
    asked = turn(t, A, (A, "draw"), (NATURE, "card police"), (B, "offer 7"))
    assert texts(t, asked) == ["offer 8", "offer 11", "pass"]
    assert reason(t, asked, C, "offer", 4) == ("razzia.auction.not_higher", {"value": 4, "best": 7})
    assert reason(t, asked, C, "offer", 12) == ("razzia.auction.not_yours", {"value": 12})
    assert reason(t, asked, C, "draw")[0] == "not_an_answer"


def test_a_player_without_a_higher_cheque_is_not_asked() -> None:
    t = table(open=[(2, 6, 13), (12,), (4, 8, 11), (5, 9, 10)])
    assert turn(t, A, (A, "call"), (B, "offer 12")) == Auction(A, A, 12, B, forced=True)


def test_an_auction_is_settled_at_once_if_nobody_can_offer_more() -> None:
    t = table(open=[(2, 6), (12,), (4, 8, 11), ()], row=row("coin"))
    assert turn(t, A, (A, "call"), (B, "offer 12")) == Turn(C)
    assert t.family[B] == counts(coin=1)
    assert (t.open[B], t.spent[B], t.centre) == ((), (1,), 12)


def test_players_without_open_cheques_are_not_asked() -> None:
    t = table(open=[(2,), (), (4,), ()])
    assert turn(t, A, (A, "draw"), (NATURE, "card police")) == Auction(C, A, 0, -1, forced=False)


def test_in_a_forced_auction_the_caller_may_pass_once_somebody_offered() -> None:
    t = table(open=list(HANDS_OF_FOUR))
    asked = turn(t, B, (B, "call"), (C, "offer 4"), (D, "pass"), (A, "pass"))
    assert texts(t, asked) == ["offer 7", "offer 12", "pass"]
    assert play(t, asked, (B, "pass")) == Turn(C)
    assert t.centre == 4


def test_the_caller_of_a_forced_auction_may_not_pass_alone() -> None:
    t = table(open=[(2,), (), (), ()])
    asked = turn(t, A, (A, "call"))
    assert asked == Auction(A, A, 0, -1, forced=True)
    assert reason(t, asked, A, "pass") == ("razzia.auction.must_offer", {})


def test_unwanted_loot_stays_after_a_police_auction() -> None:
    t = table(row=row("ring", "car"))
    turn(t, A, (A, "draw"), (NATURE, "card police"), (B, "pass"), (C, "pass"), (D, "pass"), (A, "pass"))
    assert t.row == row("ring", "car")
    assert t.centre == 1


def test_an_unwanted_full_row_leaves_the_game() -> None:
    t = table(row=row(*["car"] * 6))
    moves = [(B, "pass"), (C, "pass"), (D, "pass"), (A, "pass")]
    assert turn(t, A, (A, "draw"), (NATURE, "card ring"), *moves) == Turn(B)
    assert t.row == row()
    assert t.family == [counts()] * 4


def test_the_turn_after_an_auction_goes_to_the_left_of_its_caller() -> None:
    t = table(open=list(HANDS_OF_FOUR))
    moves = [(B, "pass"), (C, "offer 4"), (D, "pass"), (A, "pass")]
    assert turn(t, A, (A, "draw"), (NATURE, "card police"), *moves) == Turn(B)


def test_the_turn_passes_on_even_if_the_caller_has_no_cheques_left() -> None:
    t = table(open=[(13,), (3,), (4,), (5,)])
    assert turn(t, A, (A, "call"), (B, "pass"), (C, "pass"), (D, "pass"), (A, "offer 13")) == Turn(B)
    assert t.open[A] == ()


def test_players_without_open_cheques_have_no_turn() -> None:
    t = table(open=[(2,), (), (), (5,)])
    assert turn(t, A, (A, "draw"), (NATURE, "card ring")) == Turn(D)


def test_the_last_player_with_cheques_goes_on_alone() -> None:
    t = table(open=[(), (3, 7), (), ()])
    assert turn(t, B, (B, "draw"), (NATURE, "card ring")) == Turn(B)
    assert texts(t, Turn(B)) == ["draw", "call"]


def test_the_last_cheque_spent_still_takes_the_loot() -> None:
    t = table(open=[(), (3,), (), ()], row=row("coin"))
    assert turn(t, B, (B, "call"), (B, "offer 3")) == Score(1)
    assert t.family[B] == counts(coin=1)
