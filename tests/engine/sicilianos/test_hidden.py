"""Hidden information of sicilianos: unseen cards stay unseen, and seen cards stay known."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import notation, sicilianos
from engine.core import NATURE, SPECTATOR
from engine.session import Session
from engine.sicilianos import box, fill, view
from engine.sicilianos import table as tables
from engine.sicilianos.box import BLUE, COLOUR, RED, WHITE, YELLOW
from engine.sicilianos.result import Open, businesses_of
from engine.sicilianos.roll import Look
from engine.sicilianos.rules import Turn
from tests.engine.anything import options, steps, viewers
from tests.engine.sicilianos.census import all_cards
from tests.engine.sicilianos.positions import A, B, C, beats, box_of, card, money, own, play, reason, table, turn, war

NEXT = Turn(B, open_stake=False)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(sicilianos.SEATS))
def test_every_replica_equals_its_view_and_every_fill_agrees_with_it(seed: int, seats: int) -> None:
    rnd = Random(seed)
    session = Session(sicilianos, seats, options(sicilianos, seats, rnd))
    replicas = {viewer: Session(sicilianos, seats, session.options) for viewer in viewers(seats)}
    for _ in steps(session, rnd):
        for viewer, replica in replicas.items():
            replica.extend(session.masked(viewer, len(replica.log)))
            assert replica.table == session.view(viewer)
            assert replica.question == session.question
        if rnd.random() < 0.03:
            for viewer, replica in replicas.items():
                full = fill(replica.table, rnd)
                assert view(full, viewer) == replica.table
                assert all_cards(full) == box_of(full)
                assert not full.blind


# What is masked.


def test_laid_cards_show_their_colour_and_the_values_come_with_the_reveal() -> None:
    t = table("red-9 red-3", "green-2 green-4", "")
    question = Turn(A, open_stake=False)
    assert question.mask(A, ("war", card("red-9"), 20), A) == ("war", card("red-9"), 20)
    assert question.mask(A, ("war", card("red-9"), 20), C) == ("war", -RED, 0)
    asked = turn(t, A, (A, "war red-9 20"))
    assert asked.mask(B, ("join", card("green-2"), 50), SPECTATOR) == ("join", -box.GREEN, 0)
    assert asked.mask(B, ("out",), C) == ("out",)
    asked = play(t, asked, (B, "join green-2 50"))
    seen = view(t, C)
    assert (seen.down, seen.stakes) == ([-RED, -box.GREEN, 0], [0, 0, 0])
    assert seen.dirty == [box.FIRST_MONEY] * 3
    assert tables.public_holdings(seen, A) == ([RED], 9)
    assert view(t, A).down == [card("red-9"), -box.GREEN, 0]
    asked = play(t, asked, (NATURE, "reveal red-9+green-2 20+50"))
    assert asked.mask(A, ("add", card("red-3")), B) == ("add", -RED)
    assert asked.mask(A, ("stop",), B) == ("stop",)
    assert view(t, C).stakes == [20, 50, 0]


def test_a_masked_answer_is_refused_where_everything_is_known() -> None:
    t = table("red-9 red-3", "green-2 green-4", "")
    assert reason(t, Turn(A, open_stake=False), "war red-? 0") == "sicilianos.war.not_in_hand"
    seen = view(t, B)
    Turn(A, open_stake=False).check(seen, A, ("war", -RED, 0))
    assert reason(seen, Turn(A, open_stake=False), "war blue-? 0") == "sicilianos.war.not_in_hand"


def test_a_reveal_must_fit_what_was_laid_and_what_is_known() -> None:
    t = table("red-9 red-3", "green-2 red-4", "", dirty=[(5, 10), (5,), (5,)])
    asked = turn(t, A, (A, "war red-9 10"), (B, "join green-2 5"))
    seen = view(t, B)
    asked.check(seen, NATURE, ("reveal", (card("red-9"), card("green-2")), (10, 5)))
    asked.check(seen, NATURE, ("reveal", (card("red-5"), card("green-2")), (5, 5)))
    for wrong in ("red-4+green-2 10+5", "red-9+green-3 10+5", "red-9+green-2 20+5", "red-9 10", "red-?+green-2 10+5"):
        assert reason(seen, asked, f"reveal {wrong}") == "sicilianos.reveal.not_laid"


def test_the_order_of_a_hand_reveals_nothing() -> None:
    t = table("red-9 red-3 blue-2", "red-1", "")
    play(t, turn(t, B, (B, "roll")), (NATURE, "dice red red steal"), (B, "steal red 1"), (NATURE, "stolen red-9"))
    seen = view(t, A)
    assert seen.hands[B] == (-RED, card("red-9"))
    assert view(t, C).hands[B] == (-RED, -RED)
    for viewer in (A, B, C, SPECTATOR):
        assert all(list(hand) == sorted(hand) for hand in view(t, viewer).hands)


# What is known for good.


def test_only_the_player_who_looked_through_a_pile_knows_its_order() -> None:
    t = table("", "", "")
    order = [card(f"red-{value}") for value in (4, 8, 1, 11, 2, 3, 5, 6, 7, 9, 10)]
    looked = ("pile", *order)
    play(t, turn(t, A, (A, "roll"), (NATURE, "dice red blue one"), (A, "look red")))
    assert Look(RED, A, NEXT).mask(NATURE, looked, B) == ("pile", *[-RED] * 11)
    play(t, Look(RED, A, NEXT), (NATURE, "pile " + " ".join(f"red-{box.VALUE[one]}" for one in order)), (A, "keep 2"))
    rest = tuple(one for one in order if one != card("red-8"))
    assert view(t, A).piles[RED] == rest
    assert view(t, B).piles[RED] == (-RED,) * 10
    assert view(t, B).hands[A] == (-RED,)
    play(t, turn(t, B, (B, "roll"), (NATURE, "dice blue blue one"), (B, "draw red"), (NATURE, "card red-4")))
    assert view(t, A).hands[B] == (card("red-4"),)  # the top card was known
    assert view(t, C).hands[B] == (-RED,)
    for seed in range(20):
        full = fill(view(t, A), Random(seed))
        assert (full.piles[RED], full.hands[B]) == (rest[1:], (card("red-4"),))


def test_after_another_players_look_only_the_card_kept_is_unknown() -> None:
    t = table("", "", "")
    tables.look(t, RED, A, tuple(range(23, 34)))
    tables.keep(t, RED, A, 1)
    tables.look(t, RED, B, t.piles[RED])
    tables.keep(t, RED, B, 4)
    seen = view(t, A)
    assert (seen.piles[RED], seen.hands[B]) == ((-RED,) * 9, (-RED,))
    kept = Counter()
    for seed in range(300):
        full = fill(seen, Random(seed))
        (one,) = full.hands[B]
        kept[one] += 1
        assert full.piles[RED] == tuple(other for other in range(24, 34) if other != one)
    assert set(kept) == set(range(24, 34))
    tables.show(t, RED, B, 27)  # now A can tell again where all are
    assert {fill(view(t, A), Random(seed)).piles[RED] for seed in range(30)} == {(24, 25, 26, 28, 29, 30, 31, 32, 33)}


def test_a_look_through_a_known_single_card_reveals_the_card_kept() -> None:
    t = table("", "", "")
    tables.look(t, RED, A, tuple(range(23, 34)))
    for _ in range(10):
        tables.keep(t, RED, A, 1)
    tables.look(t, RED, B, t.piles[RED])
    tables.keep(t, RED, B, 1)
    assert view(t, A).hands[B] == (33,)
    assert view(t, C).hands[B] == (-RED,)


def test_thief_and_victim_know_the_stolen_card() -> None:
    t = table("red-1 red-3", "", "red-5", "")
    tables.steal(t, RED, B, A, card("red-3"))
    assert view(t, A).hands[B] == view(t, B).hands[B] == (card("red-3"),)
    assert view(t, C).hands[B] == view(t, SPECTATOR).hands[B] == (-RED,)
    assert all(fill(view(t, A), Random(seed)).hands[B] == (card("red-3"),) for seed in range(20))


def test_a_known_card_that_may_have_been_stolen_again_is_in_either_hand() -> None:
    t = table("red-1 red-3", "red-7", "", "")
    tables.steal(t, RED, B, A, card("red-3"))
    tables.steal(t, RED, C, B, card("red-3"))
    seen = view(t, A)
    assert (seen.hands[B], seen.hands[C]) == ((-RED,), (-RED,))
    where = Counter(card("red-3") in fill(seen, Random(seed)).hands[C] for seed in range(400))
    assert 150 < where[True] < 250
    assert all(card("red-3") in (*full.hands[B], *full.hands[C]) for full in (fill(seen, Random(s)) for s in range(50)))


def test_a_card_known_in_a_hand_stays_known_when_another_of_its_colour_is_laid() -> None:
    t = table("red-1 red-3", "red-7", "", "")
    tables.steal(t, RED, B, A, card("red-3"))
    turn(t, B, (B, "war red-7 20"))
    assert view(t, A).hands[B] == (-RED, card("red-3"))
    tables.show(t, RED, B, card("red-7"))
    assert view(t, A).hands[B] == (card("red-3"),)


def test_the_bottoms_of_piles_after_a_war_are_known_to_all() -> None:
    t = table("red-9", "green-2", "")
    war(t, (A, "war red-9 20"), (B, "join green-2 50"), (A, "found laundry"))
    for viewer in (A, B, C, SPECTATOR):
        seen = view(t, viewer)
        assert seen.piles[RED] == (-RED,) * 10 + (card("red-9"),)
        assert seen.piles[box.GREEN][-1] == card("green-2")


def test_only_the_founder_knows_which_businesses_were_left() -> None:
    t = table("white-9", "blue-8", "", "")
    own(t, C, "white-laundry")
    joined = [(A, "war white-9 20"), (B, "join blue-8 50"), (B, "traitor"), (A, "money")]
    asked = turn(t, A, *joined, (NATURE, "businesses antiques restaurant"))
    assert [view(t, viewer).saw for viewer in (A, B, C)] == [(0, 0), (1, 2), (0, 0)]
    assert asked.mask(B, ("found", 2), A) == ("found", 0)
    beats(t, play(t, asked, (B, "found restaurant")))
    assert view(t, B).founded[WHITE] == ((C, (0, 0, 0), 0), (B, (1, 2), 2))
    assert view(t, C).founded[WHITE] == ((C, (1, 2, 3), 3), (B, (0, 0), 0))
    assert view(t, A).founded[WHITE] == ((C, (0, 0, 0), 0), (B, (0, 0), 0))
    kinds = {viewer: Counter[object]() for viewer in (A, B, C)}
    for viewer, found in kinds.items():
        seen = view(t, viewer)
        for seed in range(120):
            full = fill(seen, Random(seed))
            found[businesses_of(full, C)[0][1], businesses_of(full, B)[0][1]] += 1
    assert set(kinds[B]) == {(3, 2)}  # what was gone when B looked is C's laundry
    assert set(kinds[C]) == {(3, 1), (3, 2)}
    assert len(kinds[A]) == 6


def test_the_founded_business_is_masked_even_if_only_one_is_left() -> None:
    t = table("red-9", "", "")
    own(t, B, "red-laundry")
    own(t, C, "red-antiques")
    asked = turn(t, A, (A, "war red-9 20"), (NATURE, "businesses restaurant"))
    assert asked.answers(t, A) == [("found", 2)]
    assert asked.mask(A, ("found", 2), B) == ("found", 0)
    beats(t, play(t, asked, (A, "found restaurant")))
    assert view(t, B).founded[RED][2] == (A, (0,), 0)


def test_all_businesses_are_turned_up_at_the_end() -> None:
    t = table("yellow-1", "", "")
    own(t, A, "red-laundry", "blue-antiques")
    own(t, B, "red-antiques")
    seen = view(t, C)
    told = Open().outcome(t)
    assert told == ("open", box.ANTIQUES, box.LAUNDRY, box.ANTIQUES)
    Open().check(seen, NATURE, told)
    for wrong in ("open antiques laundry laundry", "open antiques laundry", "open antiques laundry ?"):
        assert reason(seen, Open(), wrong) == "sicilianos.open.not_founded"
    Open().answer(t, NATURE, told)
    assert [businesses_of(view(t, viewer), A) for viewer in (A, B, C)] == [[(BLUE, 1), (RED, 3)]] * 3
    assert businesses_of(fill(view(t, C), Random(1)), B) == [(RED, 1)]


def test_a_hidden_stake_may_be_any_note_the_player_has() -> None:
    t = table("red-9 red-2", "green-2", "", dirty=[(5, 20, 20), (10,), (5,)])
    turn(t, A, (A, "war red-9 20"))
    filled = [fill(view(t, B), Random(seed)) for seed in range(300)]
    stakes = Counter(full.stakes[A] for full in filled)
    assert set(stakes) == {5, 20}
    assert stakes[5] > 110
    assert all(full.down[A] in full.hands[A] and COLOUR[full.down[A]] == RED for full in filled)
    assert t.dirty[A] == money(5, 20, 20)


# What may not be known makes no difference.


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(sicilianos.SEATS))
def test_tables_that_differ_only_in_hidden_data_look_the_same_to_a_seat(seed: int, seats: int) -> None:
    """Another table that fits what a seat has seen gives it the same view, the same answers and the same log."""
    rnd = Random(seed)
    session = Session(sicilianos, seats, options(sicilianos, seats, rnd))
    for _ in steps(session, rnd):
        if len(session.log) % 23 == 7:
            viewer, question = rnd.randrange(seats), session.question
            seen = session.view(viewer)
            other = fill(seen, rnd)
            assert view(other, viewer) == seen
            if viewer in question.seats():
                mine = question.answers(session.table, viewer)
                assert question.answers(other, viewer) == mine == question.answers(seen, viewer)
                answer = rnd.choice(mine)
                here, there = session.table.copy(), other.copy()
                assert question.answer(here, viewer, answer) == question.answer(there, viewer, answer)
                assert view(here, viewer) == view(there, viewer)


def test_deals_that_differ_only_in_hidden_values_give_others_the_same_log() -> None:
    masked = []
    for first, second in (("yellow-3", "yellow-9"), ("yellow-11", "yellow-1")):
        session = Session(sicilianos, 3)
        for seat, text in [
            (A, "take yellow"),
            (NATURE, f"card {first}"),
            (B, "take yellow"),
            (NATURE, f"card {second}"),
        ]:
            session.do(seat, notation.parse(sicilianos.WORDS, text))
        masked.append((session.masked(C), session.view(C), session.fingerprint()))
    assert masked[0] == masked[1]
    assert masked[0][1].hands == [(-YELLOW,), (-YELLOW,), ()]
