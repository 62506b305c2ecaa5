"""Cases of the rules that are easily wrong, each with its own test."""

from __future__ import annotations

from random import Random

import pytest

from engine import thieves
from engine.core import NATURE, SPECTATOR, Over, Refused
from engine.session import Session
from engine.thieves.rules import Count, Draw, DrawTwo, Play, PlayBoth
from engine.thieves.thief import Look, Thief
from tests.engine.thieves.positions import KIND, A, B, C, D, dealt, hand, kinds, loot, names, play, table, turn, went


def test_the_seventh_getaway_in_the_first_draw_of_double_loot_ends_the_game() -> None:
    t = table(hands={A: "double_loot"}, loot={A: "[money_1]"}, getaways=6)
    assert turn(t, A, "double_loot", "card getaway") == Over()
    assert (t.apart, t.getaways) == ([[]], 7)


def test_the_seventh_getaway_in_a_chained_double_loot_ends_the_game() -> None:
    t = table(hands={A: "double_loot"}, getaways=6)
    asked = turn(t, A, "double_loot", "card double_loot", "card money_3", "double_loot", "card money_2", "card getaway")
    assert asked == Over()
    assert [names(cards) for cards in t.apart] == [["money_3"], ["money_2"]]
    assert thieves.scores(t) == [0, 0, 0, 0]


def test_getaways_are_replaced_in_double_loot() -> None:
    t = table(hands={A: "double_loot"}, getaways=3)
    asked = turn(t, A, "double_loot", "card getaway", "card ring", "card getaway", "card getaway")
    assert asked == DrawTwo(A, Draw(B))
    assert t.getaways == 6
    assert play(t, asked, (NATURE, "card horseshoe")) == PlayBoth(A, Draw(B))


def test_an_alarm_does_not_take_the_other_card_of_double_loot() -> None:
    t = table(hands={A: "double_loot one_car"}, police="one_car")
    asked = turn(t, A, "double_loot", "card alarm", "card two_cars", "alarm")
    assert (names(t.police), t.apart, hand(t, A)) == (["one_car", "one_car"], [kinds("two_cars")], [])
    assert play(t, asked, (A, "police two_cars")) == Draw(B)
    assert t.police == []


def test_a_raid_between_two_cards_of_double_loot_is_over_before_the_second() -> None:
    t = table(hands={A: "double_loot"}, loot={A: "money_1"}, police="two_cars")
    asked = turn(t, A, "double_loot", "card money_3", "card two_cars", "police two_cars")
    assert asked == PlayBoth(A, Draw(B))
    assert (t.loot[A], t.police) == ([], [])
    play(t, asked, (A, "lay money_3"))
    assert loot(t, A) == ["[money_3]"]


def test_a_thief_drawn_by_double_loot_is_played_before_the_other_card() -> None:
    t = table(hands={A: "double_loot"}, loot={B: "[ring]"})
    asked = turn(t, A, "double_loot", "card money_3", "card thief", "thief", "take 2 1 1")
    assert asked == PlayBoth(A, Draw(B))
    assert loot(t, A) == ["[ring]"]


def test_a_raid_takes_the_loot_of_all_if_all_are_tied() -> None:
    t = table(hands={A: "two_cars"}, loot=dict.fromkeys((A, B, C, D), "money_1"), police="two_cars")
    turn(t, A, "police two_cars")
    assert (t.loot, t.last_caught) == ([[], [], [], []], (A, B, C, D))


def test_in_a_raid_tie_face_up_and_face_down_cards_count_alike() -> None:
    t = table(
        hands={A: "two_cars"}, loot={B: "[money_1] money_2", C: "[money_3]"}, police="two_cars", raid_tie="fewest_cards"
    )
    turn(t, A, "police two_cars")
    assert (loot(t, B), loot(t, C)) == (["[money_1]", "money_2"], [])


def test_an_alarm_with_more_cars_than_needed_causes_one_raid() -> None:
    """Nine cars or more: one raid, all of the police goes back."""
    t = table(
        hands={A: "alarm two_cars two_cars", B: "two_cars one_car"},
        loot={C: "money_2", D: "money_1"},
        police="one_car one_car",
    )
    session_keys = []
    question = Play(A).answer(t, A, ("alarm",))
    while question.seat == NATURE and question.key != "thieves.draw":
        session_keys.append(question.key)
        question = question.answer(t, NATURE, question.outcome(t))  # type: ignore[attr-defined]
    assert session_keys == ["thieves.alarm", "thieves.raid", "thieves.caught"]
    assert (t.police, loot(t, C), loot(t, D)) == ([], [], ["money_1"])


def test_three_cars_after_an_alarm_cause_no_raid() -> None:
    t = table(hands={A: "alarm one_car", B: "one_car"}, loot={C: "money_2"}, police="one_car")
    turn(t, A, "alarm")
    assert (len(t.police), loot(t, C)) == (3, ["money_2"])


def test_a_roadblock_without_police_is_only_discarded() -> None:
    t = table(hands={A: "roadblock"})
    assert turn(t, A, "roadblock") == Draw(B)
    assert names(t.gone) == ["roadblock"]


def test_a_thief_without_loot_to_take_is_only_discarded() -> None:
    t = table(hands={A: "thief"})
    assert turn(t, A, "thief") == Draw(B)
    assert names(t.gone) == ["thief"]


def test_a_thief_may_rob_the_player_at_turn() -> None:
    t = table(hands={A: "thief"}, loot={A: "[money_3]"})
    turn(t, A, "thief", "take 1 1 3")
    assert (loot(t, A), loot(t, C)) == ([], ["[money_3]"])


def test_a_raid_after_a_roadblock_needs_four_cars_again() -> None:
    t = table(hands={A: "roadblock", B: "one_car"}, police="two_cars one_car")
    turn(t, A, "roadblock two_cars")
    turn(t, B, "police one_car")
    assert names(t.police) == ["one_car", "one_car"]


def test_a_player_without_cards_after_an_alarm_draws_four() -> None:
    """After an alarm that took whole hands the next player draws four."""
    t = table(3, hands={A: "alarm", B: "one_car one_car one_car"})
    asked = turn(t, A, "alarm")
    assert (asked, t.hands[B]) == (Draw(B), [])
    for number in range(3):
        asked = play(t, asked, (NATURE, "card money_1"))
        assert asked == Draw(B), number
    assert play(t, asked, (NATURE, "card money_1")) == Play(B)


# What the players know

HANDS = ("money_1 money_2 one_car", "money_0 ring two_cars", "alarm double_loot thief")


def test_a_thief_does_not_see_the_card_that_goes_to_another() -> None:
    """B lays the ring; C's thief gives it to A unseen; A looks. B remembers, C knows nothing."""
    session = went(
        dealt(3, *HANDS, first=B),
        (NATURE, "card money_3"),
        (B, "lay ring"),
        (NATURE, "card money_3"),
        (C, "thief"),
        (C, "take 2 1 1"),
    )
    assert isinstance(session.asked[-1], Look)
    ring = KIND["ring"]
    assert [session.view(viewer).loot[A][0].kind for viewer in (A, B, C, SPECTATOR)] == [ring, ring, 0, 0]
    assert [session.masked(viewer)[-1] for viewer in (A, B, C, SPECTATOR)] == [
        (NATURE, ("look", ring)),
        (NATURE, ("look", 0)),
        (NATURE, ("look", 0)),
        (NATURE, ("look", 0)),
    ]


def test_a_thief_sees_the_card_that_comes_to_them() -> None:
    session = went(
        dealt(3, *HANDS, first=B),
        (NATURE, "card money_3"),
        (B, "lay ring"),
        (NATURE, "card money_3"),
        (C, "thief"),
        (C, "take 2 1 3"),
    )
    assert [session.view(viewer).loot[C][0].kind for viewer in (A, B, C)] == [0, KIND["ring"], KIND["ring"]]


def test_a_player_who_knows_the_card_does_not_look_again() -> None:
    t = table(hands={A: "thief", B: "thief"}, loot={C: "[ring]"})
    turn(t, A, "thief", "take 3 1 4")
    assert t.loot[D][0].known == 1 << C | 1 << D
    asked = Thief(B, Draw(C))
    assert asked.answer(t, B, ("take", D, 0, C)) == Draw(C)
    assert t.loot[C][0].known == 1 << C | 1 << D


def test_look_refuses_another_card() -> None:
    t = table(loot={A: "[ring]", B: "[money_1]"})
    t.loot[B].append(t.loot[A].pop())
    with pytest.raises(Refused, match=r"thieves\.shown\.other_card"):
        Look(B, Draw(A)).check(t, NATURE, ("look", KIND["money_1"]))
    with pytest.raises(Refused, match="not_an_answer"):
        Look(B, Draw(A)).check(t, NATURE, ("card", KIND["money_1"]))
    with pytest.raises(Refused, match="not_asked"):
        Look(B, Draw(A)).check(t, A, ("look", KIND["ring"]))


def test_loot_shown_in_a_raid_stays_known_to_everybody() -> None:
    t = table(hands={A: "two_cars", B: "thief"}, loot={C: "[money_1]", D: "money_3"}, police="two_cars")
    turn(t, A, "police two_cars")
    for viewer in (A, B, C, D, SPECTATOR):
        view = thieves.view(t, viewer)
        assert view.loot[C][0].kind == KIND["money_1"]
        assert not view.loot[C][0].up
    assert turn(t, B, "thief", "take 3 1 1") == Draw(C), "no look: A has seen it"
    assert thieves.fill(thieves.view(t, SPECTATOR), Random(1)).loot[A][0].kind == KIND["money_1"]


def test_an_answer_cannot_be_taken_back_after_a_reveal() -> None:
    hands = ("alarm money_2 one_car", "money_0 ring two_cars", "money_1 double_loot thief")
    session = went(dealt(3, *hands), (NATURE, "card money_3"))
    session.do(A, ("alarm",))
    assert session.can_undo(A)
    went(session)
    assert not session.can_undo(A)


def test_the_game_does_not_go_on_after_the_seventh_getaway() -> None:
    session = Session(thieves, 3)
    rnd = Random(4)
    while not session.over:
        question = session.question
        if question.seat == NATURE:
            session.do(NATURE, question.sample(session.table, rnd))  # type: ignore[attr-defined]
        else:
            session.do(question.seat, rnd.choice(session.answers(question.seat)))
    assert session.asked[-1] == Count()
    assert session.log[-2] == (NATURE, ("card", KIND["getaway"]))
    assert session.table.getaways == 7
    assert all(card.up for cards in session.table.loot for card in cards)
