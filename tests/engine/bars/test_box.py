"""The contents of the box of Razzia, and the house decks."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.bars import box
from engine.bars.box import BAR as BAR_OF
from engine.bars.box import NUMBER, RAID, card
from engine.core import Refused
from engine.options import settle
from tests.engine.bars.positions import BARS, start

# The box


def test_the_box_holds_48_gamblers_and_24_raids() -> None:
    boxed = {one.name: one.count for one in box.CARDS}
    assert sum(count for name, count in boxed.items() if "raid" not in name) == 48
    assert sum(count for name, count in boxed.items() if "raid" in name) == 24
    assert {one.source for one in box.CARDS} == {"found"}
    assert {one.source for one in box.NOTES} == {"house"}


@pytest.mark.parametrize("seats", BARS.SEATS)
def test_each_bar_has_its_gamblers_and_raids_for_the_number_of_seats(seats: int) -> None:
    t, _ = start(seats)
    for bar in range(1, 7):
        gamblers = sorted(NUMBER[one] for one in t.left if BAR_OF[one] == bar and not RAID[one])
        raids = sorted(NUMBER[one] for one in t.left if BAR_OF[one] == bar and RAID[one])
        if seats == 3 and bar > 4:
            assert (gamblers, raids) == ([], [])
        elif seats < 7:
            assert (gamblers, raids) == ([1, 2, 3, 4, 5, 6], [3, 4, 6])
        else:
            assert (gamblers, raids) == ([1, 2, 3, 3, 4, 4, 5, 6], [3, 4, 5, 6])


def test_three_players_use_the_same_share_of_every_value_of_notes() -> None:
    t, _ = start(3)
    assert Counter(t.stock) == {5: 12, 10: 12, 15: 12, 20: 12, 25: 6, 30: 6, 40: 6, 50: 6}


def test_cards_are_named_by_bar_and_number_with_a_b_for_the_second_of_a_kind() -> None:
    assert box.CARD_NAMES[card(box.JUNGLE, 4)] == "jungle-4"
    assert box.CARD_NAMES[card(box.JUNGLE, 4, copy=1)] == "jungle-4b"
    assert box.CARD_NAMES[card(box.JAZZ_HOUSE, 6, raid=True)] == "jazz_house-raid-6"
    twin = card(box.JUNGLE, 4, copy=1)
    assert (BAR_OF[twin], NUMBER[twin], RAID[twin]) == (box.JUNGLE, 4, False)


def test_a_house_deck_of_cards_needs_five_for_everyone() -> None:
    bare = {one.name: 0 for one in box.CARDS}
    ends = ("-1", "-2", "-5", "-6", "raid-3")
    fifteen = bare | {name: 1 for name in box.KIND_NAMES[:30] if name.endswith(ends) and "raid-6" not in name}
    assert len(box.cards_in_play(tuple(fifteen.values()), 3)) == 15
    assert settle(BARS, 3, {"cards": fifteen})["cards"] == fifteen
    with pytest.raises(Refused, match=r"bars\.cards\.too_few \(cards=14, needed=15, players=3\)"):
        settle(BARS, 3, {"cards": fifteen | {"colibri-1": 0}})


def test_a_house_deck_of_cards_has_at_most_nine_of_a_kind() -> None:
    assert settle(BARS, 8, {"cards": {"colibri-1": 9}})["cards"]["colibri-1"] == 9
    with pytest.raises(Refused, match=r"option\.deck_count"):
        settle(BARS, 8, {"cards": {"colibri-1": 10}})


def test_a_house_deck_of_notes_needs_one_whole_night() -> None:
    none = {one.name: 0 for one in box.NOTES}
    assert settle(BARS, 4, {"notes": none | {"5": 7}})["notes"]["5"] == 7
    with pytest.raises(Refused, match=r"bars\.notes\.too_few \(notes=6, needed=7, players=4\)"):
        settle(BARS, 4, {"notes": none | {"5": 6}})
    with pytest.raises(Refused, match=r"bars\.notes\.too_few \(notes=4, needed=5, players=3\)"):
        settle(BARS, 3, {"notes": none | {"5": 6}})
