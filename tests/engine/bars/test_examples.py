"""The worked examples of the rules, each under its own name."""

from __future__ import annotations

from random import Random

import pytest

from engine.bars.settle import Duel, Propose, Reply
from engine.core import Refused
from engine.options import settle
from engine.session import Session
from tests.engine.anything import steps
from tests.engine.bars.positions import BAR, BARS, A, B, C, D, keys, night, play, shown


def test_example_four_gamblers_in_four_bars_take_one_bar_each_two_bars_keep_their_notes() -> None:
    notes = {"colibri": [5], "cotton_club": [10], "havanna": [15], "jungle": [20], "lincoln": [25], "jazz_house": [30]}
    t, asked = shown(["colibri-1", "havanna-6", "cotton_club-3", "jungle-2"], notes)
    asked, said = night(t, asked)
    assert said == ["take colibri 1", "take cotton_club 3", "take havanna 2", "take jungle 4"]
    assert t.money == [5, 15, 10, 20]
    assert t.notes == [(), (), (), (), (), (25,), (30,)]
    assert asked.key == "bars.discard"


def test_example_the_jungle_raid_takes_the_money_the_cotton_club_keeps_its_own() -> None:
    notes = {"cotton_club": [50], "jungle": [20, 15]}
    t, asked = shown(["jungle-raid-3", "jungle-6", "cotton_club-raid-6", "lincoln-1"], notes)
    _, said = night(t, asked)
    assert said == ["stay cotton_club", "take jungle 1", "empty lincoln"]
    assert t.money == [35, 0, 0, 0]
    assert t.notes[BAR["cotton_club"]] == (50,)
    assert BARS.ledger(t) == [(1, A, "raid", (20, 15), 35)]


JAZZ = ["jazz_house-raid-3", "jazz_house-raid-4", "jazz_house-5", "jazz_house-2"]


def test_example_jazz_house_raid_4_proposes_20_and_keeps_35() -> None:
    t, asked = shown(JAZZ, {"jazz_house": [20, 20, 15]})
    assert isinstance(asked, Propose)
    assert (asked.seat, asked.others) == (B, (A,))
    asked = play(t, asked, "propose 20")
    assert isinstance(asked, Reply)
    assert asked.seat == A
    asked = play(t, asked, "accept")
    assert asked.key == "bars.discard"
    assert t.money == [20, 35, 0, 0]


def test_example_with_50_and_5_a_split_into_35_and_20_is_not_possible() -> None:
    t, asked = shown(JAZZ, {"jazz_house": [50, 5]})
    with pytest.raises(Refused, match=r"bars\.propose\.not_there \(note=20"):
        play(t, asked, "propose 20")
    assert {a[1] for a in asked.answers(t, B)} == {(), (5,), (50,), (50, 5)}


def test_example_duel_5_and_4_against_4_and_6_the_4_wins() -> None:
    t, asked = shown(["jungle-5", "jungle-4", "lincoln-1", "lincoln-2"], {"jungle": [40]})
    asked = play(t, asked, "propose -", "challenge")
    assert isinstance(asked, Duel)
    assert (asked.bar, asked.high, asked.low, asked.others) == (BAR["jungle"], A, B, ())
    play(t, asked, "dice 4 6")
    assert t.money == [0, 40, 0, 0]


def test_example_duel_6_and_1_against_2_and_5_equal_the_2_wins() -> None:
    t, asked = shown(["lincoln-1", "lincoln-3", "jungle-6", "jungle-2"], {"jungle": [40]})
    play(t, asked, "propose -", "challenge", "dice 1 5")
    assert t.money == [0, 0, 0, 40]


@pytest.mark.parametrize(("dice", "second"), [("dice 6 1", (A, C)), ("dice 1 6", (C, B))])
def test_example_duelists_6_5_2_first_6_against_2_the_winner_against_5(dice: str, second: tuple[int, int]) -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-5", "lincoln-1"], {"jungle": [40]})
    asked = play(t, asked, "propose - -", "challenge", "challenge")
    assert isinstance(asked, Duel)
    assert (asked.high, asked.low, asked.others) == (A, B, (C,))
    asked = play(t, asked, dice)
    assert isinstance(asked, Duel)
    assert {asked.high, asked.low} == set(second)
    assert asked.others == ()
    assert D not in second


RESHUFFLES = [(3, [9], 24), (4, [10], 36), (5, [7], 30), (6, [6, 11], 30), (7, [7], 42), (8, [6, 11], 40)]


@pytest.mark.parametrize(("seats", "nights", "cards"), RESHUFFLES)
def test_example_the_nights_of_the_reshuffles(seats: int, nights: list[int], cards: int) -> None:
    session, rnd = Session(BARS, seats), Random(seats)
    found, shuffled = [], []
    for _ in steps(session, rnd):
        if session.question.key == "bars.reshuffle":
            found.append(session.table.night)
            shuffled.append(len(session.table.discards))
    assert found == nights
    assert shuffled[0] == cards
    assert keys(session).count("bars.discard") == (15 if seats == 3 else 12)


@pytest.mark.parametrize(("seats", "cards", "notes"), [(3, 36, 72), (4, 54, 84), (6, 54, 84), (7, 72, 84), (8, 72, 84)])
def test_example_cards_and_notes_in_play(seats: int, cards: int, notes: int) -> None:
    t, _ = BARS.new(seats, settle(BARS, seats, {}))
    assert (len(t.left), len(t.stock), t.bars) == (cards, notes, 4 if seats == 3 else 6)
    assert sum(t.stock) == (1715 - 2 * 50 - 145 if seats == 3 else 1715)
