"""The end of a round, the scoring, house rules and house decks of razzia."""

from __future__ import annotations

import pytest

from engine.core import NATURE, Beat, Over, Question, Refused
from engine.options import settle
from engine.razzia import box
from engine.razzia.box import BODYGUARD, CAR, COIN, DRIVER, HANDS, POLICE, RING, SLOTS, THIEF
from engine.razzia.rules import Score, Table, Turn, ledger, new, winners
from engine.session import Session
from tests.engine.anything import played
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

# The end of a round


def finish(t: Table) -> Question[Table]:
    """Carries out the scoring beats up to the next turn or the end."""
    question: Question[Table] = Score(1)
    while isinstance(question, Beat):
        question = question.answer(t, NATURE, question.outcome(t))
    return question


FULL = {"ring": 1, "watch": 2, "coin": 1, "thief": 2, "driver": 1, "car": 3, "bodyguard": 2, "casino": 3}


def test_crossed_cards_leave_the_family_after_a_round_and_the_rest_stays() -> None:
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
def test_the_most_bodyguards_win_and_the_fewest_lose_points(guards: list[int], expected: list[int]) -> None:
    assert box.bodyguards([counts(bodyguard=count) for count in guards]) == expected


@pytest.mark.parametrize(("kinds", "expected"), [(0, -5), (1, 0), (2, 0), (3, 5), (4, 10), (5, 15)])
def test_different_jewels_score_by_the_number_of_kinds(kinds: int, expected: int) -> None:
    family = [0] * 19
    family[1 : 1 + kinds] = [2] * kinds
    assert box.jewels([tuple(family)]) == [expected]


@pytest.mark.parametrize(("kinds", "expected"), [(0, 0), (1, 1), (2, 2), (6, 6), (7, 10)])
def test_different_businesses_score_by_the_number_of_kinds(kinds: int, expected: int) -> None:
    family = [0] * 19
    family[11 : 11 + kinds] = [1] * kinds
    assert box.different([tuple(family)]) == [expected]


@pytest.mark.parametrize(("alike", "expected"), [(0, 0), (2, 0), (3, 5), (4, 10), (5, 10)])
def test_three_or_more_businesses_of_a_kind_score(alike: int, expected: int) -> None:
    assert box.same([counts(casino=alike)]) == [expected]
    assert box.same([counts(casino=alike, film=3)]) == [expected + 5]


def test_equal_cheque_sums_score_nothing() -> None:
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
def test_display_options_do_not_change_play(option: str) -> None:
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
    assert sum(new(4, settled)[0].deck_counts) == 120 + 2 - 9


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
def test_an_impossible_house_deck_is_refused(deck: object, expected: str) -> None:
    with pytest.raises(Refused) as caught:
        settle(RAZZIA, 4, {"deck": deck})
    assert caught.value.reason == expected


def test_the_round_is_the_last_if_no_card_is_left_for_a_turn() -> None:
    t = table(deck_counts=deck(ring=1))
    assert turn(t, A, (A, "draw"), (NATURE, "card ring")) == Score(1)
    assert isinstance(finish(t), Over)
    assert t.round == 1
    assert {line.category for line in ledger(t)} >= {"different", "same", "cheques"}


def test_a_running_auction_is_finished_if_no_card_is_left() -> None:
    t = table(deck_counts=deck(police=1), row=row("coin"), open=list(HANDS_OF_FOUR))
    asked = turn(t, A, (A, "draw"), (NATURE, "card police"), (B, "offer 3"))
    assert play(t, asked, (C, "pass"), (D, "pass"), (A, "pass")) == Score(1)
    assert t.family[B] == counts(coin=1)


def test_the_game_ends_if_no_card_is_left_for_a_new_round() -> None:
    t = table(deck_counts=deck(police=1), police=6)
    assert turn(t, A, (A, "draw"), (NATURE, "card police")) == Score(1)
    assert isinstance(finish(t), Over)


def test_thieves_and_cheques_still_work_while_one_card_is_left() -> None:
    t = table(deck_counts=deck(ring=1), row=row("coin"), family=[counts(thief=1), *[counts()] * 3])
    assert turn(t, A, (A, "thieves 1")) == Turn(B)


# Conservation


def gone(t: Table, boxed: dict[str, int]) -> list[int]:
    """Returns the cards that have left the game, by kind."""
    found = [0, *boxed.values()]
    for kind in range(1, POLICE + 1):
        found[kind] -= t.deck_counts[kind] + t.row.count(kind) + sum(family[kind] for family in t.family)
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
