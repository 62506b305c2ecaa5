"""The turn, its refusals, the raid, the end, and every house rule in all its positions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import thieves
from engine.core import NATURE, Refused
from engine.options import Card, settle
from engine.thieves.alarm import LayOne
from engine.thieves.box import AT_END, AT_RAID, CARDS, CARS, KINDS
from engine.thieves.rules import Deal, Draw, DrawTwo, First, Play
from engine.thieves.table import deck_size
from engine.thieves.thief import Thief
from tests.engine.thieves.positions import (
    KIND,
    A,
    B,
    C,
    D,
    beats,
    hand,
    kinds,
    loot,
    names,
    play,
    reason,
    table,
    texts,
    turn,
)


def test_the_box_has_the_cards_of_the_rules() -> None:
    assert sum(card.count for card in CARDS) == 52
    assert CARDS[0] == Card("getaway", 8, "sheet")
    assert {card.name: card.count for card in CARDS if card.source == "found"} == {"ring": 1, "horseshoe": 1}
    assert sum(card.count for card in CARDS if card.name.startswith("money")) == 24
    assert [CARS[kind] for kind in KINDS if CARS[kind]] == [1, 2]


def test_loot_has_one_worth_in_a_raid_and_one_at_the_end() -> None:
    assert (AT_RAID[KIND["ring"]], AT_END[KIND["ring"]]) == (3, 1)
    assert (AT_RAID[KIND["horseshoe"]], AT_END[KIND["horseshoe"]]) == (1, 3)
    assert (
        [AT_RAID[KIND[f"money_{n}"]] for n in range(4)]
        == [AT_END[KIND[f"money_{n}"]] for n in range(4)]
        == [0, 1, 2, 3]
    )


# First, deal, draw


@pytest.mark.parametrize("seats", thieves.SEATS)
def test_the_first_player_is_by_lot_and_all_are_dealt_three(seats: int) -> None:
    t, question = thieves.new(seats, settle(thieves, seats, {}))
    assert question == First()
    assert question.answers(t, NATURE) == [("first", seat) for seat in range(seats)]
    asked = play(t, question, (NATURE, f"first {seats}"))
    assert asked == Deal(seats - 1, seats)
    for number in range(seats):
        assert asked == Deal((seats - 1 + number) % seats, seats - number)
        asked = play(t, asked, (NATURE, "hand money_1 money_2 one_car" if number < 4 else "hand money_0 money_0 alarm"))
    assert asked == Draw(seats - 1)
    assert [len(hand) for hand in t.hands] == [3] * seats
    assert deck_size(t) == 52 - 3 * seats


def test_no_getaway_is_dealt() -> None:
    t, _ = thieves.new(3, settle(thieves, 3, {}))
    deal = Deal(A, 3)
    assert not any(KIND["getaway"] in answer for answer in deal.answers(t, NATURE))
    assert reason(t, deal, NATURE, "hand getaway money_1 money_1") == ("thieves.card.not_in_deck", {"card": "getaway"})
    assert reason(t, deal, NATURE, "hand ring ring alarm") == ("thieves.card.not_in_deck", {"card": "ring"})
    assert reason(t, deal, NATURE, "hand ring money_1 alarm") == ("thieves.deal.cards", {"cards": 3})
    assert reason(t, deal, NATURE, "card ring") == ("not_an_answer", {"verb": "card"})
    assert reason(t, deal, A, "hand money_1 ring alarm") == ("not_asked", {"seat": A})
    for seed in range(30):
        assert KIND["getaway"] not in deal.sample(t, Random(seed))


def test_a_getaway_is_laid_open_and_replaced() -> None:
    t = table(hands={A: "ring one_car alarm"})
    asked = play(t, Draw(A), (NATURE, "card getaway"), (NATURE, "card getaway"))
    assert (asked, t.getaways, hand(t, A)) == (Draw(A), 2, ["ring", "one_car", "alarm"])
    assert play(t, asked, (NATURE, "card money_1")) == Play(A)


def test_several_cards_are_drawn_by_a_player_short_of_cards() -> None:
    t = table(hands={A: "ring"})
    asked = play(t, Draw(A), (NATURE, "card money_1"), (NATURE, "card money_1"))
    assert asked == Draw(A)
    assert play(t, asked, (NATURE, "card one_car")) == Play(A)


def test_only_cards_of_the_deck_can_be_drawn() -> None:
    t = table(hands={A: "ring one_car alarm"})
    assert reason(t, Draw(A), NATURE, "card ring") == ("thieves.card.not_in_deck", {"card": "ring"})
    assert reason(t, Draw(A), NATURE, "first 1") == ("not_an_answer", {"verb": "first"})
    assert reason(t, Draw(A), A, "card alarm") == ("not_asked", {"seat": A})


# Play


def test_each_card_has_its_plays() -> None:
    t = table(3, hands={B: "money_1 money_1 two_cars thief"})
    assert texts(t, Play(B)) == ["lay money_1", "give money_1 1", "give money_1 3", "police two_cars", "thief"]
    t = table(3, hands={B: "ring alarm roadblock double_loot"})
    assert texts(t, Play(B)) == ["lay ring", "give ring 1", "give ring 3", "alarm", "roadblock", "double_loot"]


@pytest.mark.parametrize(
    "names_", ["ring ring ring money_1", "ring money_1 money_1 one_car", "alarm ring", "roadblock"]
)
def test_equal_cards_are_listed_once(names_: str) -> None:
    """The answers of a hand are those of its different cards, one after the other."""
    t = table(hands={}, police="two_cars", deck={"ring": 4})
    t.hands[A] = kinds(names_)
    found = Play(A).answers(t, A)
    assert len(set(found)) == len(found)
    one_by_one = [a for kind in sorted(set(t.hands[A])) for a in Play(A).answers(one(t, kind), A)]
    assert found == one_by_one


def one(t: Any, kind: int) -> Any:
    t = t.copy()
    t.hands[A] = [kind]
    return t


def test_own_loot_is_laid_face_down_and_given_loot_face_up() -> None:
    t = table(hands={A: "ring money_2"})
    assert turn(t, A, "lay money_2") == Draw(B)
    assert turn(t, A, "give ring 4") == Draw(B)
    assert (loot(t, A), loot(t, D)) == (["[money_2]"], ["ring"])


def test_the_turn_goes_clockwise() -> None:
    t = table(3, hands={A: "money_0", B: "money_0", C: "money_0"})
    assert [turn(t, seat, "lay money_0") for seat in range(3)] == [Draw(B), Draw(C), Draw(A)]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("lay ring", ("thieves.play.not_held", {"card": "ring"})),
        ("give money_1 1", ("thieves.give.to_oneself", {"seat": A})),
        ("give money_1 5", ("thieves.give.nobody", {"seat": 4})),
        ("police two_cars", ("thieves.play.not_held", {"card": "two_cars"})),
        ("alarm", ("thieves.play.not_held", {"card": "alarm"})),
        ("lay ?", ("thieves.play.not_held", {"card": "?"})),
        ("roadblock two_cars", ("thieves.roadblock.not_there", {})),
        ("roadblock", ("thieves.roadblock.must_block", {})),
        ("take 1 1 2", ("not_an_answer", {"verb": "take"})),
        ("card ring", ("not_an_answer", {"verb": "card"})),
    ],
)
def test_an_illegal_play_is_refused_with_a_reason(text: str, refused: tuple[str, dict[str, object]]) -> None:
    t = table(hands={A: "money_1 roadblock one_car"}, police="one_car")
    assert reason(t, Play(A), A, text) == refused


def test_cards_can_be_played_only_as_their_own_kind() -> None:
    t = table(hands={A: "one_car money_1"})
    for answer, refused in ((("lay", 8), "not_loot"), (("give", 8, 1), "not_loot"), (("police", 3), "not_police")):
        with pytest.raises(Refused, match=f"thieves.play.{refused}"):
            Play(A).check(t, A, answer)
    assert reason(t, Play(A), B, "lay money_1") == ("not_asked", {"seat": B})


def test_a_roadblock_takes_one_police_card_out_of_the_game() -> None:
    t = table(hands={A: "roadblock"}, police="one_car one_car two_cars")
    assert texts(t, Play(A)) == ["roadblock one_car", "roadblock two_cars"]
    before = deck_size(t)
    assert turn(t, A, "roadblock one_car") == Draw(B)
    assert (names(t.police), names(t.gone), deck_size(t)) == (["one_car", "two_cars"], ["roadblock", "one_car"], before)


def test_double_loot_cards_are_played_in_either_order() -> None:
    for order in (("lay money_1", "police one_car"), ("police one_car", "lay money_1")):
        t = table(hands={A: "double_loot"}, police="two_cars")
        asked = turn(t, A, "double_loot")
        assert asked == DrawTwo(A, Draw(B))
        asked = play(t, asked, (NATURE, "card one_car"), (NATURE, "card money_1"))
        assert texts(t, asked) == [
            "lay money_1",
            "give money_1 2",
            "give money_1 3",
            "give money_1 4",
            "police one_car",
        ]
        assert play(t, asked, (A, order[0]), (A, order[1])) == Draw(B)
        assert (loot(t, A), names(t.police), names(t.gone)) == (["[money_1]"], ["two_cars", "one_car"], ["double_loot"])


def test_double_loot_plays_only_the_two_drawn_cards() -> None:
    t = table(hands={A: "double_loot ring"})
    asked = turn(t, A, "double_loot", "card money_1", "card money_2")
    assert reason(t, asked, A, "lay ring") == ("thieves.play.not_held", {"card": "ring"})


# Raid


def test_a_raid_shows_all_loot_and_turns_it_back() -> None:
    t = table(hands={A: "two_cars"}, loot={A: "[money_1] money_1", B: "[money_3]", C: "[horseshoe]"}, police="two_cars")
    asked = Play(A).answer(t, A, ("police", KIND["two_cars"]))
    shown = asked.outcome(t)  # type: ignore[attr-defined]
    assert shown == ("raid", (3, 3), (5,), (7,), ())
    asked = asked.answer(t, NATURE, shown)
    assert asked.outcome(t) == ("caught", B)  # type: ignore[attr-defined]
    beats(t, asked)
    assert (loot(t, A), loot(t, B), loot(t, C)) == (["[money_1]", "money_1"], [], ["[horseshoe]"])
    assert all(card.seen_by(viewer) for card in t.loot[A] + t.loot[C] for viewer in (A, B, C, D, -2))


def test_only_loot_and_laid_police_go_back_into_the_deck_after_a_raid() -> None:
    t = table(hands={A: "roadblock", B: "two_cars"}, loot={C: "ring [money_2]"}, police="two_cars one_car")
    before = t.left.copy()
    turn(t, A, "roadblock one_car")
    turn(t, B, "police two_cars")
    assert t.left == sorted([*before, *kinds("ring money_2 two_cars two_cars")])
    assert names(t.gone) == ["roadblock", "one_car"]


def test_the_ring_is_worth_more_in_a_raid_than_the_horseshoe() -> None:
    t = table(hands={A: "two_cars"}, loot={B: "ring", C: "horseshoe money_1"}, police="two_cars")
    turn(t, A, "police two_cars")
    assert (loot(t, B), loot(t, C)) == ([], ["horseshoe", "money_1"])


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        ("all", {A: [], B: [], C: []}),
        ("fewest_cards", {A: ["money_2", "money_1"], B: [], C: []}),
        ("nobody", {A: ["money_2", "money_1"], B: ["money_3"], C: ["[ring]"]}),
    ],
)
def test_house_rule_raid_tie_decides_who_loses_loot(rule: str, left: dict[int, list[str]]) -> None:
    t = table(
        hands={D: "two_cars"},
        loot={A: "money_2 money_1", B: "money_3", C: "[ring]", D: "money_2"},
        police="two_cars",
        raid_tie=rule,
    )
    turn(t, D, "police two_cars")
    assert {seat: loot(t, seat) for seat in left} == left
    assert (t.police, loot(t, D)) == ([], ["money_2"])
    assert t.last_caught == tuple(seat for seat in left if not left[seat])


@pytest.mark.parametrize("rule", ["all", "fewest_cards", "nobody"])
def test_a_single_richest_player_loses_by_every_rule(rule: str) -> None:
    t = table(hands={D: "two_cars"}, loot={A: "money_2 money_1", B: "money_2"}, police="two_cars", raid_tie=rule)
    turn(t, D, "police two_cars")
    assert (loot(t, A), loot(t, B)) == ([], ["money_2"])


@pytest.mark.parametrize("rule", ["all", "fewest_cards", "nobody"])
def test_worthless_loot_is_not_taken_by_any_rule(rule: str) -> None:
    t = table(hands={D: "two_cars"}, loot={A: "money_0 money_0", B: "money_0"}, police="two_cars", raid_tie=rule)
    turn(t, D, "police two_cars")
    assert (loot(t, A), loot(t, B), t.police) == (["money_0", "money_0"], ["money_0"], [])


def test_a_raid_without_any_loot_takes_nothing() -> None:
    t = table(hands={A: "two_cars"}, police="two_cars")
    assert turn(t, A, "police two_cars") == Draw(B)
    assert t.police == []


@pytest.mark.parametrize(("rule", "shown"), [("turns_back", "[money_1]"), ("stays_open", "money_1")])
def test_house_rule_shown_loot_turns_back_or_stays_open(rule: str, shown: str) -> None:
    t = table(hands={A: "two_cars"}, loot={A: "[money_1]", B: "money_3"}, police="two_cars", shown_loot=rule)
    turn(t, A, "police two_cars")
    assert loot(t, A) == [shown]
    t.hands[A] = kinds("money_0")
    t.left.remove(KIND["money_0"])
    turn(t, A, "lay money_0")
    assert loot(t, A) == [shown, "[money_0]"]


# Alarm


@pytest.mark.parametrize(("rule", "kept"), [("everyone", []), ("others", ["one_car"])])
def test_house_rule_alarm_takes_police_from_everyone_or_only_from_others(rule: str, kept: list[str]) -> None:
    t = table(hands={A: "alarm one_car", B: "one_car money_1", C: "two_cars"}, alarm=rule)
    asked = turn(t, A, "alarm")
    assert asked == Draw(B)
    assert (hand(t, A), hand(t, B), hand(t, C)) == (kept, ["money_1"], [])
    assert names(t.police) == ([] if rule == "everyone" else ["one_car", "two_cars"])


def test_house_rule_alarm_makes_everyone_lay_one_police_card() -> None:
    """From the player at turn clockwise, everyone who holds one lays one of choice; check after all."""
    t = table(
        hands={B: "alarm two_cars two_cars", C: "one_car two_cars money_1", D: "money_2", A: "one_car one_car"},
        loot={B: "money_3"},
        alarm="one_each",
    )
    asked = turn(t, B, "alarm")
    assert asked == LayOne(B, B, Draw(C))
    assert texts(t, asked) == ["police two_cars"]
    asked = play(t, asked, (B, "police two_cars"))
    assert asked == LayOne(C, B, Draw(C))
    assert texts(t, asked) == ["police one_car", "police two_cars"]
    asked = play(t, asked, (C, "police two_cars"))
    assert texts(t, asked) == ["none"]
    assert loot(t, B) == ["money_3"], "four cars lie, but the check waits for all"
    asked = play(t, asked, (D, "none"))
    assert play(t, asked, (A, "police one_car")) == Draw(C)
    assert (t.police, loot(t, B)) == ([], [])
    assert (hand(t, B), hand(t, C), hand(t, A)) == (["two_cars"], ["money_1", "one_car"], ["one_car"])


def test_house_rule_alarm_one_each_skips_empty_hands_and_refuses_other_cards() -> None:
    t = table(hands={A: "alarm", B: "one_car", C: "ring"}, alarm="one_each")
    asked = turn(t, A, "alarm")
    assert asked == LayOne(B, A, Draw(B)), "A has no hand and is not asked"
    assert reason(t, asked, B, "none") == ("thieves.one_each.must_lay", {})
    assert reason(t, asked, B, "police two_cars") == ("thieves.play.not_held", {"card": "two_cars"})
    assert reason(t, asked, B, "alarm") == ("not_an_answer", {"verb": "alarm"})
    assert reason(t, asked, C, "none") == ("not_asked", {"seat": C})
    asked = play(t, asked, (B, "police one_car"))
    assert asked == LayOne(C, A, Draw(B))
    assert play(t, asked, (C, "none")) == Draw(B), "D has no hand either"
    t = table(hands={A: "alarm"}, alarm="one_each")
    assert turn(t, A, "alarm") == Draw(B)


def test_an_alarm_without_police_is_only_discarded() -> None:
    t = table(hands={A: "alarm money_1"})
    assert turn(t, A, "alarm") == Draw(B)
    assert (t.police, names(t.gone)) == ([], ["alarm"])


# Thief


def test_a_thief_may_take_from_anyone_and_give_to_anyone_else() -> None:
    t = table(3, hands={A: "thief"}, loot={A: "[ring]", C: "money_1 money_2"})
    asked = turn(t, A, "thief")
    assert asked == Thief(A, Draw(B))
    assert texts(t, asked) == [
        "take 1 1 2", "take 1 1 3", "take 3 1 1", "take 3 1 2", "take 3 2 1", "take 3 2 2", "let_go",
    ]  # fmt: skip
    assert reason(t, asked, A, "take 3 1 3") == ("thieves.thief.same_player", {"seat": C})
    assert reason(t, asked, A, "take 3 3 1") == ("thieves.thief.no_such_card", {"seat": C, "place": 3, "cards": 2})
    assert reason(t, asked, A, "take 2 1 1") == ("thieves.thief.no_such_card", {"seat": B, "place": 1, "cards": 0})
    assert reason(t, asked, A, "take 4 1 1") == ("thieves.thief.nobody", {"seat": D})
    assert reason(t, asked, A, "take 1 1 4") == ("thieves.thief.nobody", {"seat": D})
    assert reason(t, asked, A, "alarm") == ("not_an_answer", {"verb": "alarm"})
    assert play(t, asked, (A, "take 3 2 1")) == Draw(B)
    assert (loot(t, A), loot(t, C), names(t.gone)) == (["[ring]", "money_2"], ["money_1"], ["thief"])


def test_a_thief_need_not_take_anything_and_is_discarded_all_the_same() -> None:
    t = table(3, hands={A: "thief"}, loot={B: "ring"})
    asked = turn(t, A, "thief")
    assert texts(t, asked) == ["take 2 1 1", "take 2 1 3", "let_go"]
    assert play(t, asked, (A, "let_go")) == Draw(B)
    assert (loot(t, B), names(t.gone)) == (["ring"], ["thief"])


def test_house_rule_thief_must_take_when_loot_lies() -> None:
    t = table(3, hands={A: "thief"}, loot={B: "ring"}, thief="must_take")
    asked = turn(t, A, "thief")
    assert texts(t, asked) == ["take 2 1 1", "take 2 1 3"]
    assert reason(t, asked, A, "let_go") == ("thieves.thief.must_take", {})
    assert play(t, asked, (A, "take 2 1 3")) == Draw(B)
    t = table(3, hands={A: "thief"}, thief="must_take")
    assert turn(t, A, "thief") == Draw(B), "with no loot it has no effect"
