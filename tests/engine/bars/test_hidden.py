"""Hidden information of Razzia: replicas, filled views, and tables that look alike to a seat."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import comb, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import bots
from engine.bars import box
from engine.bars.belief import fill, view
from engine.bars.notes import Place
from engine.bars.rules import Deal, Pick, Reveal
from engine.bars.settle import SecretReply
from engine.bars.table import NONE, Table
from engine.core import HIDDEN, NATURE, SPECTATOR, Answer, Question, playout
from engine.session import Session
from tests.engine.anything import options, steps, viewers
from tests.engine.bars.census import all_cards, all_notes
from tests.engine.bars.positions import BARS, A, B, C, shown

SEATS = st.integers(3, 8)
SEEDS = st.integers(0, 10**9)
anything = settings(max_examples=8, deadline=None)


def some_game(seats: int, seed: int) -> tuple[Session, Random]:
    rnd = Random(seed)
    return Session(BARS, seats, options(BARS, seats, rnd)), rnd


@anything
@given(SEATS, SEEDS)
def test_a_replica_fed_with_masked_entries_equals_the_view_after_every_entry(seats: int, seed: int) -> None:
    session, rnd = some_game(seats, seed)
    replicas = {viewer: Session(BARS, seats, session.options) for viewer in viewers(seats)}
    for _ in steps(session, rnd):
        for viewer, replica in replicas.items():
            replica.extend(session.masked(viewer, len(replica.log)))
            assert replica.table == session.view(viewer)
            assert replica.question == session.question


@anything
@given(SEATS, SEEDS)
def test_simultaneous_answers_commute(seats: int, seed: int) -> None:
    session, rnd = some_game(seats, seed)
    met = 0
    for _ in steps(session, rnd):
        asked = session.question.seats()
        if len(asked) == 1 or len(session.log) % 5:
            continue
        met += 1
        given_ = {seat: bots.choose_at_random(session.question, session.table, seat, rnd) for seat in asked}
        one = answered(session.table, session.question, given_, list(asked))
        for order in (list(reversed(asked)), rnd.sample(asked, len(asked))):
            assert answered(session.table, session.question, given_, order) == one
    assert met


def answered(
    t: Table, question: Question[Table], given_: dict[int, Answer], order: list[int]
) -> tuple[Table, Question[Table]]:
    t = t.copy()
    for seat in order:
        question = question.answer(t, seat, given_[seat])
    return t, question


@anything
@given(SEATS, SEEDS)
def test_a_filled_view_agrees_with_the_view_and_holds_every_card_and_note(seats: int, seed: int) -> None:
    session, rnd = some_game(seats, seed)
    cards, notes = all_cards(session.table), all_notes(session.table)
    for _ in steps(session, rnd):
        if len(session.log) % 3:
            continue
        for viewer in viewers(seats):
            seen = session.view(viewer)
            full = fill(seen, rnd)
            assert (all_cards(full), all_notes(full)) == (cards, notes)
            assert view(full, viewer) == seen == view(seen, viewer)
            assert not any(HIDDEN in hand for hand in full.hands)
            assert all(pick == NONE or pick in hand for pick, hand in zip(full.picks, full.hands, strict=True))
            assert full.pile == len(full.left)


@anything
@given(SEATS, SEEDS)
def test_a_filled_view_can_be_played_on(seats: int, seed: int) -> None:
    session, rnd = some_game(seats, seed)
    for _ in steps(session, rnd):
        if len(session.log) % 29 == 0:
            playout(fill(session.view(rnd.choice(viewers(seats))), rnd), session.question, rnd)


@anything
@given(SEATS, SEEDS)
def test_tables_that_differ_only_in_hidden_data_look_the_same_to_a_seat(seats: int, seed: int) -> None:
    """Plays two such tables side by side: the seat gets the same views, entries and answers from both."""
    session, rnd = some_game(seats, seed)
    viewer = rnd.randrange(seats)
    compared = 0
    for _ in steps(session, rnd):
        if rnd.random() < 0.05:
            twin = fill(session.view(viewer), rnd)
            compared += side_by_side(session.table.copy(), twin, session.question, viewer, rnd)
    assert compared


def side_by_side(t: Table, twin: Table, question: Question[Table], viewer: int, rnd: Random) -> int:
    """Compares two tables until hidden cards are shown. Returns the number of compared entries."""
    for entry in range(99):
        assert view(t, viewer) == view(twin, viewer)
        seat = rnd.choice(question.seats() or (NATURE,))
        if isinstance(question, Reveal) or question.key in ("bars.show", "bars.replies") or not question.seats():
            return entry
        mine, other = question.answers(t, seat), question.answers(twin, seat)
        if seat == viewer:
            assert mine == other
        both = [answer for answer in mine if answer in other]
        one, two = rnd.choice(mine), rnd.choice(other)
        if question.mask(seat, one, viewer) == one or question.mask(seat, two, viewer) == two:
            if not both:
                return entry
            one = two = rnd.choice(both)
        assert question.mask(seat, one, viewer) == question.mask(seat, two, viewer)
        then = question.answer(t, seat, one)
        question = question.answer(twin, seat, two)
        assert then == question
    return 99


# Uniformity

SMALL = dict.fromkeys(box.KIND_NAMES, 0) | {name: 1 for name in box.KIND_NAMES[10:30] if not name.endswith("raid-5")}


def at_the_pick(night: int) -> Session:
    """Three players with eighteen cards: night 3 begins with a shuffle of six cards."""
    session, rnd = Session(BARS, 3, {"cards": SMALL | {"cotton_club-3": 2, "cotton_club-4": 2, **FOURS}}), Random(1)
    for _ in steps(session, rnd):
        if session.table.night == night and isinstance(session.question, Pick):
            return session
    raise AssertionError("the game is over")


FOURS = {"havanna-3": 2, "havanna-4": 2}  # one of each leaves


def assert_even(found: Counter[Any], cells: int) -> None:
    """Every cell occurs, and the chi-square is within five standard deviations of what chance brings."""
    draws = found.total()
    assert len(found) == cells
    square = sum((count - draws / cells) ** 2 for count in found.values()) * cells / draws
    freedom = cells - 1
    assert abs(square - freedom) < 5 * sqrt(2 * freedom)


def others(t: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(sorted(t.hands[B])), tuple(sorted(t.hands[C]))


def test_a_fill_is_uniform_over_the_first_hands() -> None:
    """Thirteen cards A has not seen: five go to B, five of the other eight to C."""
    session = at_the_pick(1)
    assert len(session.view(A).left) == 13
    assert session.table.pile == 3
    seen, rnd = session.view(A), Random(2)
    firsts = Counter(frozenset(fill(seen, rnd).hands[B]) for _ in range(13_000))
    assert_even(firsts, comb(13, 5))
    piles = Counter(frozenset(fill(seen, rnd).left) for _ in range(6_000))
    assert_even(piles, comb(13, 3))


def test_a_fill_after_a_shuffle_is_uniform_over_all_possible_hands() -> None:
    """B and C each keep four of eight cards, and each got one of the five new ones A has not seen."""
    session = at_the_pick(3)
    seen, rnd = session.view(A), Random(3)
    kept = sorted(seen.kept[0].cards.difference(seen.hands[A]))
    new = sorted(set(seen.left).difference(kept))
    assert (len(kept), len(new), seen.kept[0].held) == (8, 5, (4, 4, 4))
    found = Counter(others(fill(seen, rnd)) for _ in range(14_000))
    assert_even(found, comb(8, 4) * 5 * 4)
    for b, c in found:
        assert len(set(b) & set(new)) == len(set(c) & set(new)) == 1


def test_a_fill_is_uniform_over_hidden_picks_extra_notes_and_replies() -> None:
    session = at_the_pick(3)
    session.do(B, session.answers(B)[0])
    seen, rnd = session.view(A), Random(4)
    places = Counter(full.hands[B].index(full.picks[B]) for full in (fill(seen, rnd) for _ in range(2000)))
    assert places.keys() == set(range(5))
    picks = Counter(fill(seen, rnd).picks[B] for _ in range(4000))
    new = set(session.table.left) | set(session.table.hands[B]) | set(session.table.hands[C])
    assert set(picks) <= new
    assert len(picks) == 13

    t, asked = shown(["jungle-6", "jungle-2", "jungle-5", "lincoln-1"], {"jungle": [20, 10]}, replies="secret")
    asked = asked.answer(t, A, ("propose", (), ()))
    assert isinstance(asked, SecretReply)
    asked.answer(t, B, ("accept",))
    assert_even(Counter(fill(view(t, A), rnd).said[B] for _ in range(2000)), 2)


def test_a_fill_draws_the_hidden_extra_note_as_often_as_it_is_in_the_stock() -> None:
    session = at_the_pick(1)
    t = session.table.copy()
    t.stock = [5, 5, 5, 50]
    t.extra, t.extra_bar, t.dealer = 5, 2, B
    seen = view(t, A)
    assert (seen.extra, seen.stock) == (HIDDEN, [5, 5, 5, 5, 50])
    found = Counter(fill(seen, Random(seed)).extra for seed in range(2000))
    assert set(found) == {5, 50}
    assert 320 < found[50] < 480


# Who sees what


def test_a_dealt_card_is_masked_for_the_other_seats() -> None:
    deal = Deal(B)
    assert [deal.mask(NATURE, ("deal", B, 7), viewer) for viewer in (A, B, SPECTATOR)] == [
        ("deal", B, HIDDEN),
        ("deal", B, 7),
        ("deal", B, HIDDEN),
    ]


@pytest.mark.parametrize("rule", ["open", "face_down"])
def test_only_the_dealer_sees_the_extra_note_until_it_is_shown(rule: str) -> None:
    session, rnd = Session(BARS, 4, {"extra_note": rule}), Random(1)
    seen = set()
    for _ in steps(session, rnd):
        t = session.table
        if t.extra != NONE:
            seen.add(session.question.key)
            for viewer in viewers(4):
                assert session.view(viewer).extra == (t.extra if viewer == t.dealer else HIDDEN)
                assert len(session.view(viewer).stock) == len(t.stock) + (viewer != t.dealer)
        if t.night == 3:
            break
    picks = {"bars.pick", "bars.reveal"} if rule == "face_down" else set()
    assert seen == {"bars.place", "bars.show", *picks}


def test_the_view_hides_the_order_in_which_other_hands_were_dealt() -> None:
    session = at_the_pick(2)
    for hands in permutations(session.table.hands[B]):
        t = session.table.copy()
        t.hands[B] = list(hands)
        assert view(t, A) == session.view(A)


def test_a_pick_is_masked_for_others_and_a_placed_note_is_not() -> None:
    pick = Pick(A, (A, B, C))
    assert pick.mask(A, ("pick", 9), B) == ("pick", HIDDEN)
    assert pick.mask(A, ("pick", 9), A) == ("pick", 9)
    assert Place(A, Pick(A, (A,))).mask(A, ("place", 2), B) == ("place", 2)
