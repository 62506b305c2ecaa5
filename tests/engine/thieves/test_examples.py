"""The worked examples of the rules, each under its own name."""

from __future__ import annotations

from engine.core import NATURE, Over
from engine.thieves.rules import Draw, Play, PlayBoth
from engine.thieves.table import deck_size, police_cars
from tests.engine.thieves.positions import A, B, hand, loot, names, play, table, turn


def test_example_cars_1_and_2_no_raid() -> None:
    t = table(hands={A: "two_cars"}, loot={B: "[money_3]"}, police="one_car")
    asked = turn(t, A, "police two_cars")
    assert asked == Draw(B)
    assert names(t.police) == ["one_car", "two_cars"]
    assert loot(t, B) == ["[money_3]"]


def test_example_cars_2_and_2_raid() -> None:
    t = table(hands={A: "two_cars"}, loot={B: "[money_3]"}, police="two_cars")
    asked = turn(t, A, "police two_cars")
    assert asked == Draw(B)
    assert (t.police, t.loot[B]) == ([], [])


def test_example_cars_1_and_2_and_2_raid() -> None:
    t = table(hands={A: "two_cars"}, loot={B: "[money_3]"}, police="one_car two_cars")
    before = deck_size(t)
    turn(t, A, "police two_cars")
    assert (t.police, t.loot[B]) == ([], [])
    assert deck_size(t) == before + 4


def test_example_the_seventh_getaway_in_a_refill() -> None:
    """Over at once, no play."""
    t = table(hands={A: "ring one_car alarm"}, loot={A: "[horseshoe]", B: "money_2"}, getaways=6)
    asked = play(t, Draw(A), (NATURE, "card getaway"))
    assert asked == Over()
    assert hand(t, A) == ["ring", "one_car", "alarm"]
    assert loot(t, A) == ["horseshoe"]


def test_example_the_seventh_getaway_inside_double_loot() -> None:
    """Over at once: the card already drawn is not played."""
    t = table(hands={A: "double_loot money_1"}, loot={B: "money_2"}, getaways=6)
    asked = turn(t, A, "double_loot", "card money_3", "card getaway")
    assert asked == Over()
    assert names(t.apart[0]) == ["money_3"]
    assert loot(t, A) == []


def test_example_double_loot_draws_an_alarm_and_a_two_car_card() -> None:
    """Three cars on the table, another hand holds one car. The alarm is played first: 4 cars, raid; then two cars."""
    t = table(hands={A: "double_loot", B: "one_car money_1"}, loot={B: "[money_3] money_1"}, police="one_car two_cars")
    asked = turn(t, A, "double_loot", "card alarm", "card two_cars", "alarm")
    assert asked == PlayBoth(A, Draw(B))
    assert (t.police, t.loot[B], hand(t, B)) == ([], [], ["money_1"])
    asked = play(t, asked, (A, "police two_cars"))
    assert asked == Draw(B)
    assert names(t.police) == ["two_cars"]
    assert police_cars(t) == 2


def test_example_alarm_overshoots_8_cars_one_raid() -> None:
    t = table(
        hands={A: "alarm two_cars", B: "two_cars one_car"},
        loot={A: "money_3", B: "[money_2]"},
        police="one_car two_cars",
    )
    asked = turn(t, A, "alarm")
    assert asked == Draw(B)
    assert (t.police, t.loot[A], loot(t, B)) == ([], [], ["[money_2]"])
    assert names(t.gone) == ["alarm"]
    assert hand(t, A) == hand(t, B) == []


def test_example_chained_double_loot() -> None:
    """A double loot among the two: its two cards are both played before the one that waits."""
    t = table(hands={A: "double_loot"})
    asked = turn(t, A, "double_loot", "card money_1", "card double_loot")
    assert asked == PlayBoth(A, Draw(B))
    asked = play(
        t, asked, (A, "double_loot"), (NATURE, "card money_3"), (NATURE, "card getaway"), (NATURE, "card ring")
    )
    assert [names(cards) for cards in t.apart] == [["money_1"], ["money_3", "ring"]]
    asked = play(t, asked, (A, "lay money_3"), (A, "give ring 2"))
    assert asked == PlayBoth(A, Draw(B))
    assert [names(cards) for cards in t.apart] == [["money_1"]]
    assert play(t, asked, (A, "lay money_1")) == Draw(B)
    assert (loot(t, A), loot(t, B)) == (["[money_3]", "[money_1]"], ["ring"])
    assert t.getaways == 1


def test_example_thief_on_face_down_loot_keeps_the_facing() -> None:
    t = table(hands={A: "thief"}, loot={B: "money_1 [ring]"})
    asked = turn(t, A, "thief", "take 2 2 3")
    assert asked == Draw(B)
    assert (loot(t, B), loot(t, 2)) == (["money_1"], ["[ring]"])


def test_example_top_worth_0_nobody_loses() -> None:
    t = table(hands={A: "two_cars"}, loot={A: "[money_0]", B: "money_0 [money_0]"}, police="two_cars")
    turn(t, A, "police two_cars")
    assert (loot(t, A), loot(t, B), t.police) == (["[money_0]"], ["money_0", "[money_0]"], [])


def test_example_raid_tie_all_lose() -> None:
    t = table(hands={A: "two_cars"}, loot={A: "[money_3]", B: "ring", 2: "money_2"}, police="two_cars")
    turn(t, A, "police two_cars")
    assert (loot(t, A), loot(t, B), loot(t, 2)) == ([], [], ["money_2"])
    assert t.last_caught == (A, B)


def test_the_hand_is_played_after_the_draw() -> None:
    t = table(hands={A: "ring one_car alarm"})
    assert play(t, Draw(A), (NATURE, "card money_0")) == Play(A)
