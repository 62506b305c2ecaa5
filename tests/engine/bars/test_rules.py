"""The rules of Razzia, one test a rule, in the order of the book."""

from __future__ import annotations

from random import Random

import pytest

from engine.bars import box
from engine.bars.belief import purse
from engine.bars.notes import Look, Place, TurnUp
from engine.bars.rules import DISCARD, ChooseDealer, Deal, DrawDealer, Pick, everybody_picks
from engine.bars.settle import Propose, Settle
from engine.bars.table import NONE, Kept
from engine.core import HIDDEN, NATURE, NOBODY, SPECTATOR, Over, Refused
from engine.session import Session
from tests.engine.anything import steps
from tests.engine.bars.positions import (
    BAR,
    BARS,
    CARD,
    A,
    B,
    C,
    D,
    beats,
    entries,
    keys,
    night,
    picked,
    play,
    shown,
    start,
    texts,
)

# The deal


def test_the_first_dealer_is_drawn_from_all_seats() -> None:
    t, asked = start(5)
    assert asked == DrawDealer()
    assert texts(t, asked) == [f"dealer {seat}" for seat in range(1, 6)]
    assert {asked.sample(t, Random(seed)) for seed in range(60)} == {("dealer", seat) for seat in range(5)}


def test_house_rule_the_first_dealer_is_chosen() -> None:
    t, asked = start(5, first_dealer="chosen")
    assert asked == ChooseDealer(A)
    asked = play(t, asked, "dealer 4")
    assert (t.dealer, asked) == (D, Deal(4))


def test_five_cards_each_are_dealt_one_at_a_time_from_the_left_of_the_dealer() -> None:
    session = Session(BARS, 4)
    session.do(NATURE, ("dealer", B))
    order = []
    while isinstance(asked := session.question, Deal):
        order.append(asked.to)
        session.do(NATURE, asked.sample(session.table, Random(1)))
    assert order == [C, D, A, B] * 5
    assert [len(hand) for hand in session.table.hands] == [5] * 4
    assert session.question == TurnUp(1, everybody_picks(4))


def test_from_the_second_night_on_one_card_each_is_dealt_clockwise() -> None:
    session, order = Session(BARS, 4), []
    for _ in steps(session, Random(3)):
        asked = session.question
        order += [asked.to] if session.table.night == 2 and isinstance(asked, Deal) else []
    first = session.log[0][1][1]
    assert order == [(first + place) % 4 for place in (2, 3, 4, 5)]


# The notes


def test_each_bar_gets_a_note_and_then_the_dealer_looks_at_one_more() -> None:
    session = Session(BARS, 4)
    for _ in steps(session, Random(1)):
        if isinstance(session.question, Place):
            break
    assert [line.split()[1] for line in entries(session) if line.startswith("note")] == list(box.BAR_NAMES.values())
    assert session.asked[-1] == Look(session.table.dealer, everybody_picks(4))
    assert session.question == Place(session.table.dealer, everybody_picks(4))
    assert session.table.extra == session.log[-1][1][1]
    assert texts(session.table, session.question) == [f"place {name}" for name in box.BAR_NAMES.values()]


def test_the_extra_note_lies_open_once_placed() -> None:
    session = Session(BARS, 4)
    for _ in steps(session, Random(1)):
        if isinstance(session.question, Pick):
            break
    show, place = session.log[-1][1], session.log[-2][1]
    assert (show[0], place[0]) == ("show", "place")
    assert session.table.notes[place[1]][-1] == show[2]
    assert len(session.table.notes[place[1]]) == 2
    assert (session.table.extra, session.table.extra_bar) == (NONE, 0)


def test_house_rule_the_extra_note_stays_face_down_until_the_cards_are_shown() -> None:
    session = Session(BARS, 4, {"extra_note": "face_down"})
    seen = []
    for _ in steps(session, Random(1)):
        if session.log and session.log[-1][1][0] == "place":
            seen.append(session.log[-1][1][1])
        if isinstance(session.question, Pick):
            assert session.table.extra > 0
            assert session.table.extra_bar == seen[0]
            assert session.view(SPECTATOR).extra == HIDDEN
            assert len(session.table.notes[seen[0]]) == 1
        if session.table.night == 2:
            break
    told = keys(session)
    at = told.index("bars.reveal")
    assert told[at + 1] == "bars.show"
    assert told[at - 1] == "bars.pick"
    assert told[told.index("bars.place") + 1] == "bars.pick"


def test_place_refuses_a_bar_that_is_closed() -> None:
    t, _ = start(3)
    with pytest.raises(Refused, match=r"bars\.place\.closed"):
        Place(A, everybody_picks(3)).check(t, A, ("place", box.LINCOLN))
    with pytest.raises(Refused, match="not_an_answer"):
        Place(A, everybody_picks(3)).check(t, A, ("accept",))


# The cards


def test_everyone_picks_in_any_order_and_nobody_may_pass() -> None:
    t, _ = picked(["jungle-1", "jungle-2", "jungle-3"], {})
    t.picks = [NONE] * 3
    asked = everybody_picks(3)
    assert asked.seats() == (A, B, C)
    asked = asked.answer(t, B, ("pick", CARD["jungle-2"]))
    assert asked.seats() == (A, C)
    assert len(asked.answers(t, A)) == 5
    with pytest.raises(Refused, match="not_asked"):
        asked.check(t, B, ("pick", CARD["jungle-2"]))
    with pytest.raises(Refused, match=r"bars\.pick\.not_yours"):
        asked.check(t, A, ("pick", CARD["jungle-3"]))
    with pytest.raises(Refused, match="not_an_answer"):
        asked.check(t, A, ("discard",))


def test_all_picked_cards_are_shown_together() -> None:
    t, asked = picked(["jungle-1", "lincoln-2", "colibri-3", "colibri-raid-4"], {})
    assert t.shown == [HIDDEN] * 4
    assert texts(t, asked) == ["reveal jungle-1 lincoln-2 colibri-3 colibri-raid-4"]
    play(t, asked, *texts(t, asked))
    assert t.shown == [CARD[name] for name in ("jungle-1", "lincoln-2", "colibri-3", "colibri-raid-4")]
    assert [len(hand) for hand in t.hands] == [4] * 4
    assert t.picks == [NONE] * 4


def test_the_last_to_pick_cannot_take_it_back_when_the_cards_are_shown() -> None:
    session, rnd = Session(BARS, 3), Random(1)
    for _ in steps(session, rnd):
        if session.question.key == "bars.reveal":
            last = session.log[-1][0]
            assert session.can_undo(last)
            session.do(NATURE, session.question.answers(session.table, NATURE)[0])
            assert not any(map(session.can_undo, range(3)))
            return
    raise AssertionError("nobody picked")


# The bars


def test_a_bar_without_money_has_no_split_and_no_duel() -> None:
    t, asked = shown(["jungle-1", "jungle-2", "lincoln-raid-3", "lincoln-2"], {"colibri": [5]})
    _, said = night(t, asked)
    assert said == ["empty jungle", "empty lincoln"]
    assert t.money == [0, 0, 0, 0]


def test_money_stays_in_a_bar_with_raids_but_without_gamblers() -> None:
    t, asked = shown(["jungle-raid-3", "jungle-raid-4", "jungle-raid-6", "lincoln-2"], {"jungle": [5, 10]})
    _, said = night(t, asked)
    assert said == ["stay jungle", "empty lincoln"]
    assert t.notes[BAR["jungle"]] == (5, 10)


def test_only_the_raids_split_in_a_bar_with_raids_and_gamblers() -> None:
    _, asked = shown(["jungle-raid-3", "jungle-6", "jungle-raid-6", "jungle-1"], {"jungle": [5, 10]})
    assert isinstance(asked, Propose)
    assert (asked.seat, asked.others) == (C, (A,))


def test_two_splits_in_one_night_are_settled_in_the_order_of_the_bars() -> None:
    t, asked = shown(["jungle-1", "colibri-4", "colibri-5", "jungle-6"], {"jungle": [5], "colibri": [10]})
    assert (asked.key, asked.seat) == ("bars.propose", C)
    asked = play(t, asked, "propose -", "accept")
    assert (asked.key, asked.seat) == ("bars.propose", D)
    asked = play(t, asked, "propose 5", "accept")
    assert t.money == [5, 0, 10, 0]
    assert asked == DISCARD


# The end


def test_after_the_night_the_cards_played_are_discarded_and_money_not_won_stays() -> None:
    names = ["jungle-1", "lincoln-2", "colibri-3", "colibri-raid-4"]
    t, asked = shown(names, {"havanna": [50], "jungle": [5]}, dealer=D)
    asked, _ = beats(t, asked, "bars.settle", "bars.discard")
    assert t.discards == [CARD[name] for name in names]
    assert t.shown == [HIDDEN] * 4
    assert t.notes[BAR["havanna"]] == (50,)
    assert (t.night, t.dealer, asked) == (2, A, Deal(B))


def test_the_game_ends_after_the_night_in_which_the_notes_ran_out() -> None:
    t, asked = shown(["jungle-1", "lincoln-2", "colibri-3", "havanna-4"], {"jungle": [5], "jazz_house": [50]}, stock=0)
    asked, said = beats(t, asked, "bars.settle", "bars.discard")
    assert asked == Over()
    assert t.over
    assert BARS.scores(t) == [5, 0, 0, 0]
    assert said[-1] == "discard"


def test_tied_players_share_the_win() -> None:
    t, _ = shown(["jungle-1", "lincoln-2", "colibri-3", "havanna-4"], {})
    t.money = [30, 45, 10, 45]
    assert BARS.winners(t) == [B, D]


def test_a_game_of_four_or_more_players_has_twelve_nights() -> None:
    for seats in (4, 5, 6, 7, 8):
        session = Session(BARS, seats)
        for _ in steps(session, Random(seats)):
            pass
        assert session.table.night == 12


# House rule: hidden money


def test_house_rule_hidden_money_shows_others_only_how_many_notes() -> None:
    """Everybody saw the notes change hands, so the views keep them. Only the page hides them."""
    notes: dict[str, list[int]] = {"jungle": [5, 20], "colibri": [10]}
    for rule in ("open", "hidden"):
        t, asked = shown(["jungle-1", "lincoln-2", "colibri-3", "havanna-4"], notes, money=rule)
        night(t, asked)
        assert BARS.view(t, B).money == [25, 0, 10, 0]
        assert purse(t, A, A) == (5, 20)
        assert purse(t, B, A) == ((5, 20) if rule == "open" else (HIDDEN, HIDDEN))
        assert purse(t, SPECTATOR, C) == ((10,) if rule == "open" else (HIDDEN,))
        assert ("money ? in 2" in BARS.lines(t)[7]) == (rule == "hidden")
        t.over = True
        assert purse(t, SPECTATOR, A) == (5, 20)
        assert "money 25 in 2" in BARS.lines(t)[7]


# The table


def test_lines_show_holes_as_unknown() -> None:
    t, _ = picked(["jungle-1", "lincoln-2", "colibri-3", "havanna-4"], {"jungle": [5]}, extra_note="face_down")
    t.extra, t.extra_bar = t.stock.pop(), BAR["lincoln"]
    found = BARS.lines(BARS.view(t, B))
    assert found[0] == "night 1  dealer 1  pile 34  discards 0  notes 82"
    assert found[4] == "jungle: 5"
    assert found[5] == "lincoln: extra ?"
    assert found[7] == "seat 1  money 0 in 0  played ?  hand ? ? ? ? ?"
    assert "played lincoln-2  hand lincoln-2" in found[8]


def test_the_extra_note_in_the_dealers_hand_is_in_the_lines() -> None:
    t, _ = start(4)
    t.dealer, t.extra = A, t.stock.pop()
    assert BARS.lines(t)[7] == "extra note: 50"
    assert BARS.lines(BARS.view(t, B))[7] == "extra note: ?"


def test_the_bars_of_a_night_are_settled_in_order() -> None:
    names, notes = ["colibri-1", "jungle-2", "jungle-3", "lincoln-4"], {"colibri": [5], "jungle": [10], "lincoln": [20]}
    t, asked = shown(names, notes)
    split = Propose(C, BAR["jungle"], (B,), Settle(BAR["lincoln"], D, DISCARD))
    assert asked == Settle(BAR["colibri"], A, split)
    assert night(t, asked) == (split, ["take colibri 1"])
    assert t.money == [5, 0, 0, 0]
    assert NOBODY not in (split.seat, D)


def test_kept_cards_are_what_hands_held_when_the_discards_were_shuffled() -> None:
    session = Session(BARS, 4)
    for _ in steps(session, Random(2)):
        if session.log and session.log[-1][1] == ("reshuffle",):
            break
    t = session.table
    held = [len(hand) for hand in t.hands]
    assert sorted(held) == [4, 4, 5, 5]
    assert t.kept == [Kept(frozenset(one for hand in t.hands for one in hand), tuple(held))]
    assert t.pile == len(t.left) == 36
    assert t.discards == []
