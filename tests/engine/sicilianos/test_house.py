"""House rules and house decks of sicilianos, in every position."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engine import sicilianos
from engine.core import NATURE, Refused
from engine.options import settle
from engine.sicilianos import box
from engine.sicilianos.box import BLUE, COLOURS, RED, YELLOW
from engine.sicilianos.result import Open, Result
from engine.sicilianos.rules import Turn
from engine.sicilianos.war import Join, Reinforce
from tests.engine.sicilianos.positions import A, B, beats, card, money, own, play, table, texts, turn, war

NEXT = Turn(B, open_stake=False)


# House rules and house decks.


def test_stakes_may_be_open() -> None:
    hidden, seen = table("red-9", "green-2", ""), table("red-9", "green-2", "", stake="open")
    for t, note in ((hidden, 0), (seen, 50)):
        question = Turn(A, t.house.open_stake)
        assert question.mask(A, ("war", card("red-9"), 50), B) == ("war", -RED, note)
        turn(t, A, (A, "war red-9 50"))
        assert sicilianos.view(t, B).stakes == [note, 0, 0]
        joined = Join(B, t.house.open_stake, NEXT)
        assert joined.mask(B, ("join", card("green-2"), 50), A) == ("join", -box.GREEN, note)


def test_a_lone_starter_wins_the_war() -> None:
    t = table("red-9 red-2", "red-3", "")
    asked = turn(t, A, (A, "war red-9 50"), (NATURE, "reveal red-9 50"))
    assert asked == Reinforce(A, NEXT)
    beats(t, play(t, asked, (A, "stop"), (A, "found laundry")))
    assert t.clean[A] == money(50, 50)


def test_a_lone_starter_may_win_nothing() -> None:
    t = table("red-9 red-2", "red-3", "", lone_starter="nothing")
    asked = turn(t, A, (A, "war red-9 50"), (NATURE, "reveal red-9 50"))
    assert asked == Result(NEXT)
    assert asked.outcome(t) == ("result", 0)
    assert beats(t, asked) == NEXT
    assert t.clean[A] == money()
    assert t.dirty[A] == (2, 2, 2, 2, 1)
    assert t.founded[RED] == ()
    assert t.piles[RED][-1] == card("red-9")


def test_a_starter_who_is_joined_wins_under_either_rule() -> None:
    t = table("red-9", "green-3", "", lone_starter="nothing")
    war(t, (A, "war red-9 50"), (B, "join green-3 5"), (A, "found laundry"))
    assert t.clean[A] == money(50, 50)


def test_different_businesses_pay_once_or_for_every_set() -> None:
    shops = ["red-laundry", "blue-restaurant", "green-antiques", "blue-laundry", "green-restaurant", "red-antiques"]
    for rule, paid in (("once", 350), ("sets", 400)):
        t = table("", "", "", different=rule)
        own(t, A, *shops)
        beats(t, Open())
        assert t.bonus == (paid, 0, 0)


def test_sets_share_no_card() -> None:
    owned = [(RED, box.ANTIQUES), (BLUE, box.RESTAURANT), (YELLOW, box.LAUNDRY), (YELLOW, box.RESTAURANT)]
    assert len(box.different_sets(owned)) == 3
    assert len(box.different_sets([*owned, (BLUE, box.LAUNDRY), (YELLOW, box.ANTIQUES)])) == 3
    assert len(box.different_sets([*owned, (BLUE, box.LAUNDRY), (box.GREEN, box.ANTIQUES)])) == 6
    assert box.different_sets([]) == []


def sets_by_trying(owned: list[box.Business]) -> int:
    """Counts the sets in another way: every choice of three cards is tried, then the cards that are left.

    The set with the first card of all comes first, so the others need no card before it.
    """
    counts = [0]
    for three in combinations(range(len(owned)), 3):
        colours, kinds = zip(*(owned[place] for place in three), strict=True)
        if len(set(colours)) == len(set(kinds)) == 3:
            left = [business for place, business in enumerate(owned) if place > three[0] and place not in three]
            counts.append(1 + sets_by_trying(left))
    return max(counts)


def test_several_equal_antiques_are_paid_for_the_largest_number_of_sets() -> None:
    """Two equal antiques shops of a house deck counted as one."""
    owned = [(YELLOW, box.ANTIQUES)] * 2 + [(BLUE, box.RESTAURANT)] * 2 + [(RED, box.LAUNDRY)] * 2
    assert len(box.different_sets(owned)) == sets_by_trying(owned) * 3 == 6
    t = table("", "", "", different="sets", businesses={"yellow-antiques": 2, "blue-restaurant": 2, "red-laundry": 2})
    shops = ["yellow-antiques", "yellow-antiques", "blue-restaurant", "blue-restaurant", "red-laundry", "red-laundry"]
    own(t, A, *shops)
    beats(t, Open())
    assert t.bonus == (100 + 3 * 100, 0, 0)


def test_the_sets_are_as_many_as_possible_and_share_no_card() -> None:
    rnd = Random("sets")
    most = 0
    for _ in range(400):
        deck = [(colour, kind) for colour in box.COLOURS for kind in box.KINDS for _ in range(rnd.choice((1, 1, 2, 3)))]
        owned = rnd.sample(deck, rnd.randint(3, 9))
        chosen = box.different_sets(owned)
        assert not Counter(chosen) - Counter(owned), "every card once"
        for place in range(0, len(chosen), 3):
            colours, kinds = zip(*chosen[place : place + 3], strict=True)
            assert (len(set(colours)), sorted(kinds)) == (3, list(box.KINDS))
        assert len(chosen) == 3 * sets_by_trying(owned), owned
        most = max(most, len(chosen))
    assert most == 9


def test_a_house_deck_may_have_two_bombs_of_a_colour() -> None:
    t = table("yellow-5", "yellow-5", "", deck={"yellow-5": 2, "yellow-11": 0})
    assert t.hands[:2] == [(5,), (5,)]
    assert 5 not in t.left[YELLOW]
    assert 11 not in t.left[YELLOW]


def refused(seats: int = 3, **options: object) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as caught:
        settle(sicilianos, seats, options)
    return caught.value.reason, caught.value.values


def test_a_house_deck_must_give_everybody_four_colours() -> None:
    none = {f"{colour}-{value}": 0 for colour in ("red", "blue", "green") for value in range(1, 12)}
    assert refused(deck=none) == ("sicilianos.deck.families", {"families": 3, "need": 4, "cards": 3})
    enough = dict.fromkeys(["red-1", "red-2", "red-3"], 1)
    settle(sicilianos, 3, {"deck": none | enough})
    assert refused(4, deck=none | enough)[0] == "sicilianos.deck.families"
    assert refused(deck={"red-1": 7})[0] == "option.deck_count"
    assert refused(deck={"pink-1": 1})[0] == "option.deck_card"
    assert refused(stake="secret")[0] == "option.choice"


def test_a_house_die_needs_a_face_that_draws_cards() -> None:
    assert refused(die={"two": 0, "one": 0})[0] == "sicilianos.die.draws_nothing"
    settle(sicilianos, 3, {"die": {"two": 0}})


def test_a_game_without_businesses_can_be_played_for_money() -> None:
    none = {f"{colour}-{kind}": 0 for colour in box.COLOUR_NAMES for kind in box.KIND_NAMES}
    t = table("red-9", "", "", businesses=none)
    assert war(t, (A, "war red-9 50")) == NEXT
    assert t.clean[A] == money(50, 50)


def test_a_bomb_may_hit_its_own_family_and_its_victim_goes_under_the_pile_first() -> None:
    """A bomb may hit its own family, but never itself. The victim lies above it under the pile."""
    t = table("yellow-5 yellow-2", "green-3", "", targets={"yellow-yellow": 1})
    joined = [(A, "war yellow-2 5"), (B, "join green-3 5"), (A, "add yellow-5")]
    asked = turn(t, A, *joined, (NATURE, "reveal yellow-5 -"))
    assert texts(t, asked) == ["plain", "explode yellow-2"]
    play(t, asked, (A, "explode yellow-2"))
    assert t.piles[YELLOW][-2:] == (card("yellow-2"), card("yellow-5"))


def test_a_bomb_alone_in_its_own_target_family_is_plain() -> None:
    t = table("yellow-5", "green-3", "", targets={"yellow-yellow": 1})
    assert turn(t, A, (A, "war yellow-5 5"), (B, "join green-3 5"), (NATURE, "reveal yellow-5+green-3 5+5")) == Result(
        NEXT
    )


def test_every_component_names_the_source_of_its_figure() -> None:
    sources = {"sheet", "found", "derived", "house"}
    everything = (*box.FAMILY_CARDS, *box.BUSINESS_CARDS, *box.TARGET_CARDS, *box.DIE_FACES, *box.NOTES_IN_BOX)
    assert {one.source for one in everything} <= sources
    assert sum(one.count for one in (*box.FAMILY_CARDS, *box.BUSINESS_CARDS)) == 84
    assert sum(one.count for one in box.NOTES_IN_BOX) == 70
    assert [one.count for one in box.DIE_FACES] == [2, 2, 2]


def test_every_family_is_hit_by_three_bombs_never_by_its_own_or_its_partners() -> None:
    t = table("", "", "")
    for family in COLOURS:
        hitting = [bomb for bomb in COLOURS if family in t.house.targets[bomb]]
        assert len(hitting) == 3
        assert not {family, box.PARTNER[family]} & set(hitting)
        assert box.PARTNER[box.PARTNER[family]] == family
