"""The worked examples of the rules, each under its own name."""

from __future__ import annotations

from engine.core import NATURE
from engine.razzia import box
from engine.razzia.rules import Auction, Turn, own_cheques
from tests.engine.razzia.positions import HANDS_OF_FOUR, A, B, C, D, points, row, table, turn


def test_example_police_auction_d_outbids_b() -> None:
    """A turns up police: B offers 7, C passes, D offers 9, A passes: D takes the loot and the 1, the 9 lies there."""
    t = table(open=list(HANDS_OF_FOUR), row=row("ring", "car"))
    asked = turn(t, A, (A, "draw"), (NATURE, "card police"), (B, "offer 7"), (C, "pass"), (D, "offer 9"), (A, "pass"))
    assert t.family[D][box.RING] == t.family[D][box.CAR] == 1
    assert t.row == row()
    assert t.open[D] == (5, 10)
    assert t.spent[D] == (1,)
    assert t.centre == 9
    assert t.open[B] == (3, 7, 12)
    assert asked == Turn(B)


def test_example_forced_auction_the_caller_may_not_pass() -> None:
    """B calls a forced auction, C, D, A pass: B may not pass and offers 3; next turn C."""
    t = table(open=list(HANDS_OF_FOUR), row=row("coin"))
    asked = turn(t, B, (B, "call"), (C, "pass"), (D, "pass"), (A, "pass"))
    assert asked == Auction(B, B, 0, -1, forced=True)
    assert asked.answers(t, B) == [("offer", 3), ("offer", 7), ("offer", 12)]
    after = asked.answer(t, B, ("offer", 3))
    assert t.family[B][box.COIN] == 1
    assert (t.centre, t.spent[B]) == (3, (1,))
    assert after == Turn(C)


def test_example_bodyguards_4_4_2_1() -> None:
    held = [{"bodyguard": 4}, {"bodyguard": 4}, {"bodyguard": 2}, {"bodyguard": 1}]
    assert points(box.bodyguards, held) == [5, 5, 0, -2]


def test_example_cars_and_drivers() -> None:
    held = [{"car": 1, "driver": 3}, {"car": 5}, {"driver": 2}, {"car": 3, "driver": 1}]
    assert points(box.cars, held) == [4, 0, 2, 4]


def test_example_three_kinds_of_jewels() -> None:
    held = [{"watch": 2, "necklace": 3, "ring": 2}, {"brooch": 2, "ring": 1}, {}]
    assert points(box.jewels, held) == [5, 0, -5]


def test_example_twenty_points_of_businesses() -> None:
    """4 restaurants, 3 casinos and three other kinds: 5 kinds 5, three alike 5, four alike 10."""
    held = [{"restaurant": 4, "casino": 3, "film": 1, "estate": 2, "nightclub": 1}]
    assert points(box.different, held) == [5]
    assert points(box.same, held) == [15]


def test_example_cheque_sums_25_21_17_17() -> None:
    t = table(open=[(13, 12), (8,), (5,), (10, 7)], spent=[(), (13,), (3, 9), ()])
    hands = [own_cheques(t, seat) for seat in range(4)]
    assert [sum(hand) for hand in hands] == [25, 21, 17, 17]
    assert box.cheques(hands) == [5, 0, -5, -5]
