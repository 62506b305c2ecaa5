"""Hidden information of thieves: views, masked logs, memory, and the tables that agree with it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import thieves
from engine.core import HIDDEN, NATURE, NOBODY, SPECTATOR, Answer, Question, Refused
from engine.session import Session
from engine.thieves.box import LOOT, POLICE
from engine.thieves.past import most_police
from engine.thieves.rules import Draw, Play
from engine.thieves.table import Table, deck_size
from tests.engine.anything import options, steps, viewers
from tests.engine.thieves.census import all_cards
from tests.engine.thieves.positions import KIND, A, B, C, dealt, kinds, play, table, turn, went


def game(seed: int, seats: int) -> tuple[Session, Random]:
    rnd = Random(seed)
    return Session(thieves, seats, options(thieves, seats, rnd)), rnd


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(thieves.SEATS))
def test_replicas_equal_views_and_cards_are_conserved(seed: int, seats: int) -> None:
    session, rnd = game(seed, seats)
    replicas = {viewer: Session(thieves, seats, session.options) for viewer in viewers(seats)}
    for _ in steps(session, rnd):
        compare(session, replicas)
    compare(session, replicas)


def compare(session: Session, replicas: dict[int, Session]) -> None:
    full = session.table
    assert all_cards(full) == full.house.box
    assert deck_size(full) == len(full.left)
    for viewer, replica in replicas.items():
        replica.extend(session.masked(viewer, len(replica.log)))
        view = session.view(viewer)
        assert replica.table == view
        assert replica.question == session.question
        assert all_cards(view) == full.house.box
        assert deck_size(view) == deck_size(full)
        assert thieves.view(view, viewer) == view
        if viewer in session.question.seats():
            assert replica.answers(viewer) == session.answers(viewer)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(thieves.SEATS))
def test_a_filled_view_agrees_with_all_that_was_seen(seed: int, seats: int) -> None:
    session, rnd = game(seed, seats)
    for _ in steps(session, rnd):
        if rnd.random() < 0.1:
            for viewer in viewers(seats):
                view = session.view(viewer)
                filled = thieves.fill(view, rnd)
                assert thieves.view(filled, viewer) == view
                assert all_cards(filled) == filled.house.box
                assert deck_size(filled) == len(filled.left)
                assert thieves.fill(filled, rnd) == filled, "no hole is left"
                assert_plausible(filled)
                other = rnd.randrange(seats)
                again = thieves.view(filled, other)
                assert thieves.view(thieves.fill(again, rnd), other) == again


def assert_plausible(t: Table) -> None:
    for cards in t.loot:
        assert all(card.kind in LOOT for card in cards)
    for seat, hand in enumerate(t.hands):
        assert sum(kind in POLICE for kind in hand) <= most_police(t.memory, seat, len(t.memory.landmarks))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(thieves.SEATS))
def test_tables_with_the_same_view_keep_the_same_view(seed: int, seats: int) -> None:
    """Such tables differ only in what a seat may not know: its views, masked logs and answers are the same."""
    session, rnd = game(seed, seats)
    for _ in steps(session, rnd):
        if rnd.random() < 0.08:
            viewer = rnd.randrange(seats)
            twin = thieves.fill(session.view(viewer), rnd)
            alike(session.table.copy(), twin, session.question, viewer, rnd)


def alike(t: Table, twin: Table, question: Question[Any], viewer: int, rnd: Random) -> None:
    """Plays on at both tables as long as the same answer is legal at both."""
    for _ in range(12):
        seat = question.seat
        if seat == NOBODY:
            return
        candidates = question.answers(t, seat)
        if seat == viewer:
            assert candidates == question.answers(twin, seat)
        a = rnd.choice(candidates)
        if not legal(question, twin, a):
            return
        following = question.answer(t, seat, a)
        assert question.answer(twin, seat, a) == following
        assert thieves.view(t, viewer) == thieves.view(twin, viewer)
        question = following


def legal(question: Question[Any], t: Table, a: Answer) -> bool:
    try:
        question.check(t, question.seat, a)
    except Refused:
        return False
    return True


# What is remembered


def test_after_an_alarm_no_hand_holds_a_police_card_until_it_draws() -> None:
    session = went(
        dealt(3, "alarm money_1 money_2", "one_car money_0 money_0", "two_cars ring thief"),
        (NATURE, "card money_3"),
        (A, "alarm"),
        (NATURE, "card one_car"),
    )
    rnd = Random(1)
    assert [most_police(session.table.memory, seat, 1) for seat in (A, B, C)] == [0, 1, 0]
    seen = Counter[int]()
    for _ in range(200):
        filled = thieves.fill(session.view(SPECTATOR), rnd)
        for seat in (A, B, C):
            seen[seat] += sum(kind in POLICE for kind in filled.hands[seat])
    assert seen[A] == seen[C] == 0
    assert seen[B] > 0


def test_with_one_card_each_a_player_who_laid_none_holds_no_police() -> None:
    session = went(
        dealt(3, "alarm money_1 money_2", "one_car one_car money_0", "money_0 ring thief", alarm="one_each"),
        (NATURE, "card money_3"),
        (A, "alarm"),
        (A, "none"),
        (B, "police one_car"),
        (C, "none"),
    )
    rnd = Random(2)
    hands = [thieves.fill(session.view(SPECTATOR), rnd).hands for _ in range(200)]
    assert not any(kind in POLICE for one in hands for seat in (A, C) for kind in one[seat])
    assert any(kind in POLICE for one in hands for kind in one[B])


def test_with_one_card_each_that_is_known_before_everybody_has_laid() -> None:
    session = went(
        dealt(3, "alarm money_1 money_2", "one_car one_car money_0", "money_0 ring thief", alarm="one_each"),
        (NATURE, "card money_3"),
        (A, "alarm"),
        (A, "none"),
    )
    rnd = Random(3)
    hands = [thieves.fill(session.view(C), rnd).hands for _ in range(100)]
    assert not any(kind in POLICE for one in hands for kind in one[A])


def test_after_an_alarm_for_others_only_the_player_at_turn_may_hold_police() -> None:
    session = went(
        dealt(3, "alarm money_1 two_cars", "one_car money_0 money_0", "money_1 ring thief", alarm="others"),
        (NATURE, "card money_3"),
        (A, "alarm"),
    )
    rnd = Random(4)
    hands = [thieves.fill(session.view(B), rnd).hands for _ in range(200)]
    assert not any(kind in POLICE for one in hands for kind in one[C])
    assert any(kind in POLICE for one in hands for kind in one[A])


def test_loot_put_back_by_a_raid_is_only_in_hands_that_have_drawn_since() -> None:
    """The ring lay open and went back into the deck: only a player who draws can hold it."""
    t = table(
        3,
        hands={A: "two_cars money_1 money_1 money_0", B: "money_2 money_2 one_car", C: "money_0 alarm thief"},
        loot={C: "ring money_3"},
        police="two_cars",
    )
    play(t, turn(t, A, "police two_cars"), (NATURE, "card money_3"))
    ring, rnd = KIND["ring"], Random(5)
    seen = Counter(
        seat
        for _ in range(400)
        for seat, hand in enumerate(thieves.fill(thieves.view(t, SPECTATOR), rnd).hands)
        if ring in hand
    )
    assert set(seen) == {B}


def test_a_card_held_by_oneself_at_a_raid_is_in_no_other_hand() -> None:
    """Both two-car cards not seen then were A's own: after the raid no other hand can hold one."""
    t = table(
        3,
        hands={A: "two_cars two_cars two_cars money_1", B: "money_2 money_2 one_car", C: "money_0 alarm thief"},
        loot={C: "ring money_3"},
        police="two_cars",
    )
    turn(t, A, "police two_cars")
    rnd = Random(6)
    for _ in range(200):
        hands = thieves.fill(thieves.view(t, A), rnd).hands
        assert KIND["two_cars"] not in [*hands[B], *hands[C]]
    spectator = [thieves.fill(thieves.view(t, SPECTATOR), rnd).hands for _ in range(200)]
    assert any(KIND["two_cars"] in hands[B] for hands in spectator)


def test_own_face_down_loot_is_remembered_after_it_was_stolen() -> None:
    t = table(3, hands={B: "thief"}, loot={A: "[horseshoe]"})
    turn(t, B, "thief", "take 1 1 3")
    assert [thieves.view(t, viewer).loot[C][0].kind for viewer in (A, B, C)] == [7, HIDDEN, 7]
    assert thieves.fill(thieves.view(t, A), Random(1)).loot[C][0].kind == 7


def test_a_face_down_card_is_loot_in_every_filling() -> None:
    t = table(3, loot={A: "[money_1] [money_1]"})
    for seed in range(100):
        filled = thieves.fill(thieves.view(t, SPECTATOR), Random(seed))
        assert all(card.kind in LOOT for card in filled.loot[A])


def test_cards_kept_apart_are_private() -> None:
    session = went(
        dealt(3, "double_loot money_1 two_cars", "one_car money_0 money_0", "money_1 ring thief"),
        (NATURE, "card money_3"),
        (A, "double_loot"),
        (NATURE, "card alarm"),
        (NATURE, "card money_2"),
    )
    assert session.view(A).apart == [kinds("money_2 alarm")]
    assert session.view(B).apart == session.view(SPECTATOR).apart == [[HIDDEN, HIDDEN]]
    assert session.masked(B)[-2:] == [(NATURE, ("card", HIDDEN))] * 2


def test_a_getaway_is_seen_by_all() -> None:
    session = went(
        dealt(3, *["money_1 money_1 one_car", "money_2 money_2 one_car", "alarm ring thief"]), (NATURE, "card getaway")
    )
    assert session.masked(C)[-1] == (NATURE, ("card", KIND["getaway"]))


# Hostile logs


def replica_of(viewer: int, *moves: tuple[int, str]) -> Session:
    hands = ("alarm money_1 two_cars", "one_car money_0 money_0", "money_1 ring thief")
    session = went(dealt(3, *hands), (NATURE, "card money_3"), *moves)
    replica = Session(thieves, 3)
    replica.extend(session.masked(viewer))
    return replica


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        (("police_laid", (), (8, 8, 8, 8), ()), r"thieves\.alarm\.other_cards"),
        (("police_laid", (), (9, 8), ()), r"thieves\.alarm\.other_cards"),
        (("police_laid", (), (3,), ()), r"thieves\.alarm\.other_cards"),
        (("police_laid", (8,), (), ()), r"thieves\.alarm\.other_cards"),
        (("police_laid", (9,), (9, 9), (9, 9)), r"thieves\.shown\.too_many"),
        (("police_laid", (9,), ()), "not_an_answer"),
        (("raid", (), (), ()), "not_an_answer"),
    ],
)
def test_a_replica_refuses_an_impossible_alarm(answer: Answer, refused: str) -> None:
    replica = replica_of(A, (A, "lay money_1"), (NATURE, "card money_2"), (B, "lay money_2"))
    t, question = replica.table, replica.question
    assert question == Draw(C)
    alarm = Play(A).answer(t, A, ("alarm",))
    before = t.copy()
    with pytest.raises(Refused, match=refused):
        alarm.check(t, NATURE, answer)
    alarm.check(t, NATURE, ("police_laid", (9,), (8,), ()))
    assert t == before


def test_a_replica_refuses_loot_it_sees_elsewhere() -> None:
    replica = replica_of(C, (A, "lay money_1"))
    t = replica.table
    question = thieves.rules.Count()
    question.check(t, NATURE, ("count", (3,), (), ()))
    with pytest.raises(Refused, match=r"thieves\.shown\.too_many"):
        question.check(t, NATURE, ("count", (KIND["ring"],), (), ()))
    with pytest.raises(Refused, match=r"thieves\.shown\.other_card"):
        question.check(t, NATURE, ("count", (KIND["alarm"],), (), ()))


def test_a_replica_refuses_a_play_of_a_card_it_sees_elsewhere() -> None:
    replica = replica_of(C, (A, "lay money_1"), (NATURE, "card ?"))
    with pytest.raises(Refused, match=r"thieves\.play\.not_held"):
        replica.do(B, ("give", KIND["ring"], C))
    replica.do(B, ("give", KIND["horseshoe"], C))


def test_a_contradictory_view_is_refused() -> None:
    t = thieves.view(table(3, hands={A: "money_1 money_1 one_car", B: "money_2"}), B)
    t.left = t.left[:2]
    with pytest.raises(Refused, match=r"thieves\.view\.contradiction"):
        thieves.fill(t, Random(1))
