"""The turn, the auction, the round and the scoring of razzia, state by state."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import NATURE, Beat, Over, Question, Refused
from engine.options import settle
from engine.razzia import box
from engine.razzia.box import BODYGUARD, CAR, COIN, DRIVER, HANDS, POLICE, RING, SLOTS, THIEF
from engine.razzia.rules import Auction, Hands, Score, Table, Turn, TurnUp, ledger, new, start_round, winners
from engine.session import Session
from tests.anything import played
from tests.razzia.positions import HANDS_OF_FOUR, RAZZIA, A, B, C, D, counts, deck, play, row, table, texts, turn


def reason(t: Table, question: Question[Table], seat: int, *answer: object) -> tuple[str, dict[str, object]]:
    """Why an answer is refused."""
    with pytest.raises(Refused) as caught:
        question.check(t, seat, answer)
    return caught.value.reason, caught.value.values


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
    t = table(row=row("ring", "-", "car", "-", "coin"), left=deck(watch=9, police=1))
    turn(t, A, (A, "draw"), (NATURE, "card watch"))
    assert t.row == row("ring", "watch", "car", "-", "coin")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (("thieves", 0), "razzia.thieves.none"),
        (("offer", 2), "not_an_answer"),
    ],
)
def test_refusals_of_a_turn_without_thieves(answer: tuple[object, ...], expected: str) -> None:
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
def test_refusals_of_thieves(slots: tuple[int, ...], expected: str) -> None:
    t = table(row=row("ring", "-", "car", "coin"), family=[counts(thief=2), *[counts()] * 3])
    assert reason(t, Turn(A), A, "thieves", *slots)[0] == expected


def test_thieves_find_nothing_in_an_empty_row() -> None:
    t = table(family=[counts(thief=1), *[counts()] * 3])
    assert texts(t, Turn(A)) == ["draw", "call"]
    assert reason(t, Turn(A), A, "thieves", 0) == ("razzia.thieves.empty_slot", {"slot": 1})


def test_nobody_answers_for_another() -> None:
    t = table()
    assert reason(t, Turn(A), B, "draw") == ("not_asked", {"seat": B})


# Turning up a card


def test_loot_goes_into_the_row_and_the_turn_to_the_left() -> None:
    t = table()
    assert turn(t, D, (D, "draw"), (NATURE, "card ring")) == Turn(A)
    assert t.row == row("ring")
    assert sum(t.left) == 119


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
    t = table(left=deck(ring=1, police=2))
    assert TurnUp(A).answers(t, NATURE) == [("card", RING), ("card", POLICE)]
    assert {TurnUp(A).sample(t, Random(seed)) for seed in range(50)} == {("card", RING), ("card", POLICE)}
    assert reason(t, TurnUp(A), NATURE, "card", COIN)[0] == "not_an_answer"


def test_draws_are_even_over_the_cards_left() -> None:
    t = table(left=deck(ring=1, police=3))
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


def test_who_has_no_cheque_above_the_best_passes_by_itself() -> None:
    t = table(open=[(2, 6, 13), (12,), (4, 8, 11), (5, 9, 10)])
    assert turn(t, A, (A, "call"), (B, "offer 12")) == Auction(A, A, 12, B, forced=True)


def test_an_auction_nobody_can_top_is_settled_at_once() -> None:
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


def test_after_police_loot_nobody_wants_stays() -> None:
    t = table(row=row("ring", "car"))
    turn(t, A, (A, "draw"), (NATURE, "card police"), (B, "pass"), (C, "pass"), (D, "pass"), (A, "pass"))
    assert t.row == row("ring", "car")
    assert t.centre == 1


def test_a_full_row_nobody_wants_leaves_the_game() -> None:
    t = table(row=row(*["car"] * 6))
    moves = [(B, "pass"), (C, "pass"), (D, "pass"), (A, "pass")]
    assert turn(t, A, (A, "draw"), (NATURE, "card ring"), *moves) == Turn(B)
    assert t.row == row()
    assert t.family == [counts()] * 4


def test_the_turn_goes_to_the_left_of_who_caused_the_auction_not_of_the_winner() -> None:
    t = table(open=list(HANDS_OF_FOUR))
    moves = [(B, "pass"), (C, "offer 4"), (D, "pass"), (A, "pass")]
    assert turn(t, A, (A, "draw"), (NATURE, "card police"), *moves) == Turn(B)


def test_the_turn_passes_on_even_if_the_one_who_caused_it_is_out_of_cheques() -> None:
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


# The end of a round


def finish(t: Table) -> Question[Table]:
    """Carry out the scoring beats up to the next turn, or the end."""
    question: Question[Table] = Score(1)
    while isinstance(question, Beat):
        question = question.answer(t, NATURE, question.outcome(t))
    return question


FULL = {"ring": 1, "watch": 2, "coin": 1, "thief": 2, "driver": 1, "car": 3, "bodyguard": 2, "casino": 3}


def test_crossed_cards_leave_and_the_rest_stays() -> None:
    t = table(family=[counts(**FULL), *[counts()] * 3], row=row("car"), police=5)
    t.open, t.spent, t.centre = [(2,), (), (4, 8, 11), (5,)], [(6, 1), (3, 7, 12), (), (9, 10)], 13
    assert finish(t) == Turn(B)
    assert t.family[A] == counts(car=3, bodyguard=2, casino=3)
    assert (t.row, t.police, t.round, t.centre) == (row(), 0, 2, 13)
    assert t.open == [(1, 2, 6), (3, 7, 12), (4, 8, 11), (5, 9, 10)]
    assert t.spent == [()] * 4


def test_businesses_and_cheques_count_only_after_the_third_round() -> None:
    for number, expected in [(1, False), (2, False), (3, True)]:
        t = table(family=[counts(**FULL), *[counts()] * 3], round=number)
        assert isinstance(finish(t), Over) == expected
        categories = [line.category for line in ledger(t) if line.seat == A]
        assert categories[:5] == ["thieves", "coins", "bodyguards", "cars", "jewels"]
        assert categories[5:] == (["different", "same", "cheques"] if expected else [])


def test_every_point_can_be_traced_to_its_cards() -> None:
    t = table(family=[counts(**FULL), *[counts()] * 3], round=3, open=list(HANDS_OF_FOUR))
    finish(t)
    lines = {line.category: (line.cards, line.points) for line in ledger(t) if line.seat == A}
    assert lines == {
        "thieves": ((THIEF, THIEF), 4),
        "coins": ((COIN,), 3),
        "bodyguards": ((BODYGUARD, BODYGUARD), 5),
        "cars": ((CAR, CAR, CAR, DRIVER), 4),
        "jewels": ((RING, box.WATCH, box.WATCH), 0),
        "different": ((box.CASINO,) * 3, 1),
        "same": ((box.CASINO,) * 3, 5),
        "cheques": ((2, 6, 13), -5),
    }
    assert t.points[A] == 17


@pytest.mark.parametrize(
    ("guards", "expected"),
    [
        ([0, 0, 0, 0], [0, 0, 0, 0]),
        ([3, 3, 3, 3], [0, 0, 0, 0]),
        ([1, 0, 0, 0], [5, -2, -2, -2]),
        ([3, 2, 2, 3], [5, -2, -2, 5]),
        ([3, 2, 1, 0], [5, 0, 0, -2]),
    ],
)
def test_bodyguards_most_and_fewest(guards: list[int], expected: list[int]) -> None:
    assert box.bodyguards([counts(bodyguard=count) for count in guards]) == expected


@pytest.mark.parametrize(("kinds", "expected"), [(0, -5), (1, 0), (2, 0), (3, 5), (4, 10), (5, 15)])
def test_different_jewels(kinds: int, expected: int) -> None:
    family = [0] * 19
    family[1 : 1 + kinds] = [2] * kinds
    assert box.jewels([tuple(family)]) == [expected]


@pytest.mark.parametrize(("kinds", "expected"), [(0, 0), (1, 1), (2, 2), (6, 6), (7, 10)])
def test_different_businesses(kinds: int, expected: int) -> None:
    family = [0] * 19
    family[11 : 11 + kinds] = [1] * kinds
    assert box.different([tuple(family)]) == [expected]


@pytest.mark.parametrize(("alike", "expected"), [(0, 0), (2, 0), (3, 5), (4, 10), (5, 10)])
def test_businesses_of_a_kind(alike: int, expected: int) -> None:
    assert box.same([counts(casino=alike)]) == [expected]
    assert box.same([counts(casino=alike, film=3)]) == [expected + 5]


def test_all_cheque_sums_equal_nobody_anything() -> None:
    assert box.cheques([(5, 6), (4, 7), (1, 10)]) == [0, 0, 0]


# House rules


def test_house_rule_a_thief_may_not_take_a_thief() -> None:
    family = [counts(thief=2), *[counts()] * 3]
    t = table(thief_takes_thief="forbidden", row=row("thief", "ring"), family=family)
    assert texts(t, Turn(A)) == ["draw", "thieves 2", "call"]
    assert reason(t, Turn(A), A, "thieves", 0)[0] == "razzia.thieves.takes_thief"
    t = table(thief_takes_thief="allowed", row=row("thief", "ring"), family=family)
    assert "thieves 1 2" in texts(t, Turn(A))


def test_house_rule_no_auction_for_an_empty_row() -> None:
    t = table(empty_auction="forbidden")
    assert texts(t, Turn(A)) == ["draw"]
    assert reason(t, Turn(A), A, "call")[0] == "razzia.call.empty_row"
    t.row = row("ring")
    assert texts(t, Turn(A)) == ["draw", "call"]
    assert texts(table(empty_auction="allowed"), Turn(A)) == ["draw", "call"]


def test_house_rule_the_highest_cheque_breaks_a_tie() -> None:
    tied = {"points": [9, 9, 4, 9], "open": [(2,), (3,), (13,), ()], "spent": [(7,), (12,), (), (12, 1)]}
    assert winners(table(tie="shared", **tied)) == [A, B, D]
    assert winners(table(tie="highest_cheque", **tied)) == [B, D]


def test_winners_may_have_negative_points() -> None:
    assert winners(table(points=[-7, -3, -3, -12])) == [B, C]


@pytest.mark.parametrize("option", ["spent_cheques", "piles"])
def test_matters_of_the_screen_change_nothing_in_play(option: str) -> None:
    choices = next(o for o in RAZZIA.OPTIONS if o.name == option).choices  # type: ignore[union-attr]
    logs = []
    for choice in choices:
        session = Session(RAZZIA, 3, {option: choice})
        session.extend(played("razzia", 3, 0).log[:1])
        logs.append((session.question, session.view(0).open))
        assert session.options[option] == choice
    assert logs[0] == logs[1]


# House decks


def test_a_house_deck_names_only_what_differs() -> None:
    settled = settle(RAZZIA, 4, {"deck": {"ring": 6, "police": 12}})
    assert settled["deck"]["ring"] == 6
    assert settled["deck"]["watch"] == 4
    assert sum(new(4, settled)[0].left) == 120 + 2 - 9


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        ({"rings": 4}, "option.deck_card"),
        ({"ring": -1}, "option.deck_count"),
        ({"ring": 61}, "option.deck_count"),
        ({"ring": True}, "option.deck_count"),
        ({card.name: 0 for card in box.CARDS}, "razzia.deck.empty"),
        ("ring", "option.deck"),
    ],
)
def test_a_house_deck_that_cannot_be_is_refused(deck: object, expected: str) -> None:
    with pytest.raises(Refused) as caught:
        settle(RAZZIA, 4, {"deck": deck})
    assert caught.value.reason == expected


def test_no_card_left_for_a_turn_the_round_is_the_last() -> None:
    t = table(left=deck(ring=1))
    assert turn(t, A, (A, "draw"), (NATURE, "card ring")) == Score(1)
    assert isinstance(finish(t), Over)
    assert t.round == 1
    assert {line.category for line in ledger(t)} >= {"different", "same", "cheques"}


def test_no_card_left_a_running_auction_is_finished() -> None:
    t = table(left=deck(police=1), row=row("coin"), open=list(HANDS_OF_FOUR))
    asked = turn(t, A, (A, "draw"), (NATURE, "card police"), (B, "offer 3"))
    assert play(t, asked, (C, "pass"), (D, "pass"), (A, "pass")) == Score(1)
    assert t.family[B] == counts(coin=1)


def test_no_card_left_when_a_round_would_begin() -> None:
    t = table(left=deck(police=1), police=6)
    assert turn(t, A, (A, "draw"), (NATURE, "card police")) == Score(1)
    assert isinstance(finish(t), Over)


def test_thieves_and_cheques_still_work_while_one_card_is_left() -> None:
    t = table(left=deck(ring=1), row=row("coin"), family=[counts(thief=1), *[counts()] * 3])
    assert turn(t, A, (A, "thieves 1")) == Turn(B)


# Conservation


def gone(t: Table, boxed: dict[str, int]) -> list[int]:
    """The cards that have left the game, by kind: whatever lies nowhere."""
    found = [0, *boxed.values()]
    for kind in range(1, POLICE + 1):
        found[kind] -= t.left[kind] + t.row.count(kind) + sum(family[kind] for family in t.family)
    return found


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_cards_and_cheques_are_conserved(seats: int) -> None:
    for seed in range(10):
        whole = played("razzia", seats, 100 + seed)
        session = Session(RAZZIA, seats, whole.options)
        before = gone(session.table, session.options["deck"])
        cheques = [1, *sorted(value for hand in HANDS[seats] for value in hand)]
        for entry in whole.log:
            session.do(*entry)
            t = session.table
            after = gone(t, session.options["deck"])
            assert all(now >= was >= 0 for now, was in zip(after, before, strict=True))
            before = after
            held = [value for seat in range(seats) for value in t.open[seat] + t.spent[seat]]
            assert sorted([*held, t.centre]) == cheques
            assert all(t.open[seat] == tuple(sorted(t.open[seat])) for seat in range(seats))
            assert len(t.row) == SLOTS
