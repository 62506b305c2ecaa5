"""The end of the game, ties, matches, house decks."""

from __future__ import annotations

from random import Random

import pytest

from engine import thieves
from engine.core import NATURE, LedgerLine, Over, Refused
from engine.session import Session
from engine.thieves import score
from engine.thieves.rules import Count, Draw, First, Gems, PlayBoth
from engine.thieves.table import Result
from engine.thieves.thief import Thief
from tests.engine.thieves.positions import KIND, A, B, C, D, beats, dealt, reason, table, turn, went

# The end


def test_cards_in_hand_do_not_count() -> None:
    t = table(hands={A: "money_3 money_3", B: "money_2"}, loot={A: "[money_1]", C: "[horseshoe] ring", D: "money_3"})
    assert beats(t, Count()) == Over()
    assert thieves.scores(t) == [1, 0, 4, 3]
    assert thieves.winners(t) == [C]
    assert thieves.ledger(t) == [
        LedgerLine(1, A, "money", (3,), 1),
        LedgerLine(1, C, "ring", (6,), 1),
        LedgerLine(1, C, "horseshoe", (7,), 3),
        LedgerLine(1, D, "money", (5,), 3),
    ]


def test_count_refuses_other_loot() -> None:
    t = table(loot={A: "[money_1]"})
    assert reason(t, Count(), NATURE, "count ring - - -") == ("thieves.shown.other_card", {"seat": A})
    assert reason(t, Count(), NATURE, "count - - - -") == ("thieves.shown.number", {"seat": A, "cards": 1})
    assert reason(t, Count(), NATURE, "count money_1") == ("thieves.shown.seats", {"seats": 4})
    assert reason(t, Count(), NATURE, "caught") == ("not_an_answer", {"verb": "caught"})
    assert reason(t, Count(), A, "count money_1 - - -") == ("not_asked", {"seat": A})


@pytest.mark.parametrize(
    ("rule", "won"), [("shared", [A, B, C]), ("fewest_cards", [B, C]), ("last_raid", [A, C])]
)  # fmt: skip
def test_house_rule_tie_decides_the_winners(rule: str, won: list[int]) -> None:
    t = table(loot={A: "money_2 money_1", B: "horseshoe", C: "money_3", D: "money_2"}, tie=rule)
    t.last_caught = (B, D)
    assert thieves.winners(t) == won


@pytest.mark.parametrize("caught", [(), (D,), (A, B), (A, B, D)])
def test_house_rule_last_raid_leaves_the_tie_if_it_caught_none_or_all(caught: tuple[int, ...]) -> None:
    t = table(loot={A: "money_3", B: "money_3"}, tie="last_raid")
    t.last_caught = caught
    assert thieves.winners(t) == [A, B]


def test_house_rule_last_raid_ignores_raids_that_took_nothing() -> None:
    t = table(hands={C: "two_cars"}, loot={A: "money_0"}, police="two_cars", tie="last_raid")
    t.last_caught = (B,)
    turn(t, C, "police two_cars")
    assert t.last_caught == (B,)


# Match


@pytest.mark.parametrize(
    ("held", "gems"),
    [
        ({A: "money_3", B: "money_2", C: "money_1"}, (2, 1, 0, 0)),
        ({A: "money_3", B: "money_3", C: "money_1"}, (2, 2, 0, 0)),
        ({A: "money_3", B: "money_2", C: "money_2"}, (2, 1, 1, 0)),
        ({}, (2, 2, 2, 2)),
        ({A: "money_3"}, (2, 1, 1, 1)),
    ],
)
def test_first_and_second_place_get_gems(held: dict[int, str], gems: tuple[int, ...]) -> None:
    assert score.gems(table(loot=held)) == gems


def test_the_loser_of_a_tie_break_is_second() -> None:
    t = table(loot={A: "money_2 money_1", B: "money_3", C: "money_2"}, tie="fewest_cards")
    assert score.gems(t) == (1, 2, 0, 0)


def test_house_rule_match_goes_on_until_somebody_has_seven_gems() -> None:
    t = table(loot={A: "[money_3]", B: "money_2"}, match="seven_gems")
    t.results = (Result(((), (), (), ()), (2, 1, 0, 0)), Result(((), (), (), ()), (1, 0, 0, 2)))
    asked = Count().answer(t, NATURE, Count().outcome(t))
    assert asked == Gems()
    assert asked.outcome(t) == ("gems", 2, 1, 0, 0)
    assert beats(t, asked) == First()
    assert (thieves.scores(t), t.loot, t.left) == ([5, 2, 0, 2], [[], [], [], []], list(t.house.box))
    again = table(loot={A: "[money_3]", B: "money_2"}, match="seven_gems")
    again.results = t.results
    assert beats(again, Count()) == Over()
    assert thieves.scores(again) == [7, 3, 0, 2]
    assert thieves.winners(again) == [A]
    assert thieves.ledger(again) == [
        LedgerLine(1, A, "first", (), 2),
        LedgerLine(1, B, "second", (), 1),
        LedgerLine(2, A, "second", (), 1),
        LedgerLine(2, D, "first", (), 2),
        LedgerLine(3, A, "first", (5,), 2),
        LedgerLine(3, B, "second", (4,), 1),
        LedgerLine(4, A, "first", (5,), 2),
        LedgerLine(4, B, "second", (4,), 1),
    ]


def test_a_match_that_ends_equal_is_shared() -> None:
    t = table(match="seven_gems")
    t.results = (Result(((), (), (), ()), (7, 7, 3, 0)),)
    assert thieves.winners(t) == [A, B]


def test_without_a_match_the_session_ends_after_one_game() -> None:
    assert beats(table(), Count()) == Over()


# House deck and options


@pytest.mark.parametrize(
    ("deck_", "refused"),
    [
        ({"getaway": 6}, ("thieves.deck.getaways", {"least": 7, "cards": 6})),
        ({"one_car": 3, "two_cars": 0}, ("thieves.deck.police", {"least": 4, "cars": 3})),
        (
            dict.fromkeys(KIND, 0) | {"getaway": 8, "two_cars": 2, "ring": 6},
            ("thieves.deck.hands", {"least": 9, "cards": 8}),
        ),
    ],
)
def test_a_bad_house_deck_is_refused_with_a_reason(
    deck_: dict[str, int], refused: tuple[str, dict[str, object]]
) -> None:
    with pytest.raises(Refused) as caught:
        Session(thieves, 3, {"deck": deck_})
    assert (caught.value.reason, caught.value.values) == refused


def test_the_smallest_house_deck_can_be_played() -> None:
    least = dict.fromkeys(KIND, 0) | {"getaway": 7, "two_cars": 2, "money_0": 7}
    for seed in range(40):
        session, rnd = Session(thieves, 3, {"deck": least}), Random(seed)
        while not session.over:
            question = session.question
            if question.seat == NATURE:
                session.do(NATURE, question.sample(session.table, rnd))  # type: ignore[attr-defined]
            else:
                session.do(question.seat, rnd.choice(session.answers(question.seat)))
        assert session.table.getaways == 7


def test_the_option_to_look_at_own_loot_does_not_change_play() -> None:
    hands = ("money_1 money_2 one_car", "money_1 money_2 one_car", "money_0 money_0 alarm")
    sessions = [
        went(dealt(3, *hands, own_loot=rule), (NATURE, "card ring"), (A, "lay ring"))
        for rule in ("may_look", "by_memory")
    ]
    assert sessions[0].table == sessions[1].table
    assert sessions[0].view(A).loot[A][0].kind == KIND["ring"]


def test_a_nested_question_leads_back_to_the_question_that_waited() -> None:
    """A nested question holds the question that follows it."""
    t = table(hands={A: "double_loot"}, loot={B: "money_1"})
    asked = turn(t, A, "double_loot", "card thief", "card money_0", "thief")
    assert asked == Thief(A, PlayBoth(A, Draw(B)))
