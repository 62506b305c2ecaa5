"""Difficult cases of Razzia, each with its own test."""

from __future__ import annotations

from random import Random

import pytest

from engine.bars import box
from engine.bars.notes import Look, TurnUp
from engine.bars.rules import DISCARD, Deal, Pick, Reshuffle, everybody_picks
from engine.bars.settle import Duel, Propose
from engine.bars.table import Kept
from engine.core import HIDDEN, NATURE, SPECTATOR, Over, Refused
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
    E,
    F,
    G,
    entries,
    keys,
    night,
    picked,
    play,
    shown,
    start,
)

# Three players' last two notes


def fifteen_nights(**rules: str) -> Session:
    session = Session(BARS, 3, rules)
    for _ in steps(session, Random(7)):
        pass
    return session


def test_three_players_have_a_short_fifteenth_night_without_dealers_choice() -> None:
    session = fifteen_nights()
    told = entries(session)
    last = told[[at for at, line in enumerate(told) if line == "discard"][13] + 1 :]
    assert [line.split()[:2] for line in last if line.startswith("note")] == [
        ["note", "colibri"],
        ["note", "cotton_club"],
    ]
    assert not any(line.startswith(("look", "place", "show")) for line in last)
    assert sum(line.startswith("pick") for line in last) == 3
    assert (session.table.night, session.table.stock, session.question) == (15, [], Over())


def test_house_rule_the_last_two_notes_of_three_players_are_left_out() -> None:
    session = fifteen_nights(short_night="left_out")
    assert keys(session).count("bars.discard") == keys(session).count("bars.place") == 14
    assert (session.table.night, len(session.table.stock), session.question) == (14, 2, Over())


@pytest.mark.parametrize(("notes", "nights", "looks", "left"), [(13, 2, 1, 0), (14, 2, 2, 0), (15, 3, 2, 0)])
def test_a_house_deck_of_notes_can_cause_a_short_last_night(notes: int, nights: int, looks: int, left: int) -> None:
    deck = {one.name: 0 for one in box.NOTES} | {"5": notes}
    session = Session(BARS, 5, {"notes": deck})
    for _ in steps(session, Random(1)):
        pass
    assert session.table.night == nights
    assert keys(session).count("bars.look") == looks
    assert len(session.table.stock) == left


@pytest.mark.parametrize(("notes", "nights", "left"), [(13, 1, 6), (14, 2, 0), (15, 2, 1)])
def test_house_rule_a_night_without_a_note_for_the_dealer_is_left_out(notes: int, nights: int, left: int) -> None:
    deck = {one.name: 0 for one in box.NOTES} | {"5": notes}
    session = Session(BARS, 5, {"notes": deck, "short_night": "left_out"})
    for _ in steps(session, Random(1)):
        pass
    assert (session.table.night, len(session.table.stock), session.question) == (nights, left, Over())
    assert keys(session).count("bars.look") == nights


def test_a_short_night_with_a_note_for_every_bar_has_no_dealers_choice_either() -> None:
    t, _ = start(4)
    t.dealer, t.hands, t.stock = A, [[1]] * 4, [5, 10]
    asked = play(t, TurnUp(5, everybody_picks(4)), "note lincoln 5", "note jazz_house 10")
    assert isinstance(asked, Pick)


# Seven and eight players' equal cards

EQUAL = ["jungle-4", "jungle-4b", "lincoln-1", "lincoln-2", "lincoln-raid-6", "lincoln-5", "lincoln-6"]
# Counted clockwise, A is nearer to the dealer than B unless the dealer is B.
NEARER = [(A, (A, B)), (B, (B, A)), (C, (A, B)), (G, (A, B))]


@pytest.mark.parametrize(("dealer", "order"), NEARER)
def test_of_equal_cards_the_one_farther_from_the_dealer_is_lower(dealer: int, order: tuple[int, int]) -> None:
    _, asked = shown(EQUAL, {"jungle": [20]}, dealer=dealer)
    assert isinstance(asked, Propose)
    assert (asked.seat, asked.others) == (order[0], (order[1],))


@pytest.mark.parametrize(("dealer", "order"), NEARER)
def test_with_equal_cards_and_dice_the_player_farther_from_the_dealer_wins(dealer: int, order: tuple[int, int]) -> None:
    t, asked = shown(EQUAL, {"jungle": [20]}, dealer=dealer)
    asked = play(t, asked, "propose -", "challenge")
    assert isinstance(asked, Duel)
    assert (asked.high, asked.low) == order
    play(t, asked, "dice 3 3")
    assert t.money[order[1]] == 20


def test_equal_cards_duel_in_the_order_of_their_distance_from_the_dealer() -> None:
    """With the dealer A: 3, then 3b (farther), both below the 4s; highest first against the lowest."""
    names = ["lincoln-1", "jungle-3", "jungle-4", "jungle-3b", "jungle-4b", "lincoln-2", "lincoln-3", "lincoln-4"]
    t, asked = shown(names, {"jungle": [20]}, dealer=A)
    assert isinstance(asked, Propose)
    assert (asked.seat, asked.others) == (C, (D, E, B))
    asked = play(t, asked, "propose - - -", "challenge", "challenge", "challenge")
    assert isinstance(asked, Duel)
    assert (asked.high, asked.low, asked.others) == (C, D, (E, B))
    asked = play(t, asked, "dice 1 2")  # 5 : 5, the lower card D wins and meets E, the highest left
    assert isinstance(asked, Duel)
    assert (asked.high, asked.low, asked.others) == (E, D, (B,))
    asked = play(t, asked, "dice 1 2")  # 5 : 5 again; D has the lower card than B, its equal
    assert isinstance(asked, Duel)
    assert (asked.high, asked.low, asked.others) == (B, D, ())
    play(t, asked, "dice 6 6")
    assert t.money[D] == 20


def test_equal_raids_are_ranked_like_equal_gamblers() -> None:
    names = [
        "jungle-1",
        "jungle-raid-5",
        "jungle-raid-5b",
        "lincoln-1",
        "lincoln-2",
        "lincoln-3",
        "lincoln-4",
        "lincoln-5",
    ]
    _, asked = shown(names, {"jungle": [20]}, dealer=C, cards={"jungle-raid-5": 2})
    assert isinstance(asked, Propose)
    assert (asked.seat, asked.others) == (C, (B,))


# Chained duels


def test_the_last_winner_of_chained_duels_takes_the_pot() -> None:
    names = ["jungle-6", "jungle-5", "jungle-4", "jungle-3", "jungle-2", "jungle-1"]
    t, asked = shown(names, {"jungle": [50, 10]})
    asked = play(t, asked, "propose - - - - -", *["challenge"] * 5)
    met = []
    for dice in ("dice 1 6", "dice 1 2", "dice 6 1", "dice 2 1", "dice 1 6"):
        assert isinstance(asked, Duel)
        met.append((asked.high, asked.low))
        asked = play(t, asked, dice)
    # F (1) beats A (6) at 7:7, then loses to B at 6:3, B to C? no: 5+6 beats 4+1, then 3+1, and falls to E's 2+6.
    assert met == [(A, F), (B, F), (B, C), (B, D), (B, E)]
    assert asked == DISCARD
    assert t.money == [0, 0, 0, 0, 60, 0]


def test_a_duelist_who_accepted_does_not_fight() -> None:
    t, asked = shown(["jungle-6", "jungle-5", "jungle-4", "jungle-3"], {"jungle": [50, 10, 5]})
    asked = play(t, asked, "propose 10 - 5", "accept", "challenge", "accept")
    assert isinstance(asked, Duel)
    assert (asked.high, asked.low, asked.others) == (A, C, ())
    play(t, asked, "dice 1 6")
    assert t.money == [0, 10, 50, 5]


def test_no_duel_is_fought_for_nothing() -> None:
    """All notes went to those who accepted, so there is no note for the challenger."""
    t, asked = shown(["jungle-6", "jungle-5", "jungle-4", "lincoln-3"], {"jungle": [50]})
    asked = play(t, asked, "propose 50 -", "accept", "challenge")
    assert asked.key == "bars.settle"
    assert t.money == [0, 50, 0, 0]


# Reshuffle in mid-deal


def test_cards_are_reshuffled_during_a_deal_only_when_the_pile_is_empty() -> None:
    t, _ = start(4)
    t.dealer, t.night = A, 10
    cards = list(t.left)
    t.hands, t.discards = [cards[:4], cards[4:8], cards[8:12], cards[12:16]], cards[16:52]
    t.left, t.pile = cards[52:], 2
    asked = play(t, Deal(B), "deal 2 jazz_house-raid-4", "deal 3 jazz_house-raid-6")
    assert asked == Reshuffle(D)
    assert t.pile == 0
    asked = play(t, asked, "reshuffle")
    assert asked == Deal(D)
    assert (t.pile, t.left, t.discards) == (36, cards[16:52], [])
    held = frozenset([*cards[:16], *cards[52:]])
    assert t.kept == [Kept(held, (4, 5, 5, 4))]


def test_a_pile_that_ends_with_the_deal_is_not_shuffled_before_the_next() -> None:
    """Three players: the last card of the pile is dealt on night 8, the shuffle comes on night 9."""
    session = Session(BARS, 3)
    empty = None
    for _ in steps(session, Random(1)):
        t = session.table
        if t.pile == 0 and empty is None:
            empty = t.night
        if session.question.key == "bars.reshuffle":
            break
    assert (empty, session.table.night, session.log[-1][1]) == (8, 9, ("discard",))


def test_the_smallest_house_deck_is_shuffled_every_night() -> None:
    cards = dict.fromkeys(box.KIND_NAMES, 0) | dict.fromkeys(box.KIND_NAMES[:20], 2)
    session = Session(BARS, 8, {"cards": cards})
    for _ in steps(session, Random(1)):
        assert len(session.table.kept) <= session.table.night
    assert keys(session).count("bars.reshuffle") == 11


def test_fills_after_a_reshuffle_agree_with_the_known_pile_and_hands() -> None:
    session, rnd = Session(BARS, 4), Random(5)
    for _ in steps(session, rnd):
        if session.log and session.log[-1][1] == ("reshuffle",):
            break
    t, viewer = session.table, 0
    view = session.view(viewer)
    pile = set(t.left)
    for seed in range(40):
        full = BARS.fill(view, Random(seed))
        assert set(full.left) == pile
        assert {card for hand in full.hands for card in hand} == set(t.kept[0].cards)
    for _ in steps(session, rnd):
        t = session.table
        if t.night > 11:
            break
        view = session.view(viewer)
        for seed in range(3):
            full = BARS.fill(view, Random(seed))
            kept = t.kept[0]
            for seat in range(4):
                assert len(kept.cards.intersection(full.hands[seat])) == kept.held[seat]


# Notes that cannot be split


def test_a_single_note_is_kept_or_given_away_but_not_split() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "lincoln-1", "lincoln-2"], {"jungle": [50]})
    assert asked.answers(t, A) == [("propose", ()), ("propose", (50,))]
    with pytest.raises(Refused, match=r"bars\.propose\.not_there"):
        play(t, asked, "propose 25")


def test_a_proposal_may_not_promise_one_note_twice() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-1", "lincoln-2"], {"jungle": [50, 20]})
    with pytest.raises(Refused, match=r"bars\.propose\.too_many"):
        play(t, asked, "propose 50 50")


def test_notes_of_earlier_nights_are_split_with_tonights() -> None:
    t, asked = shown(
        ["jungle-raid-6", "jungle-raid-3", "lincoln-raid-4", "lincoln-raid-3"], {"jungle": [50], "lincoln": [5]}
    )
    asked, said = night(t, asked)
    assert said == ["stay jungle", "stay lincoln"]
    t.notes[BAR["jungle"]] += (20,)
    t.shown = [CARD[name] for name in ("jungle-6", "jungle-2", "lincoln-1", "lincoln-2")]
    assert ("propose", (20,)) in Propose(A, BAR["jungle"], (B,), DISCARD).answers(t, A)


# Face down, and a bar without other money


def test_the_face_down_note_is_turned_up_before_the_first_bar_is_settled() -> None:
    names = ["colibri-1", "lincoln-2", "lincoln-3", "havanna-4"]
    t, asked = picked(names, {"lincoln": [5]}, extra_note="face_down")
    t.extra, t.extra_bar = 40, BAR["colibri"]
    t.stock.remove(40)
    asked = play(t, asked, f"reveal {' '.join(names)}")
    assert asked.key == "bars.show"
    asked = play(t, asked, "show colibri 40")
    _, said = night(t, asked)
    assert said[0] == "take colibri 1"
    assert t.money[A] == 40


# What comes from a peer


def test_a_reveal_that_contradicts_what_is_known_is_refused() -> None:
    names = ["colibri-1", "lincoln-2", "lincoln-3", "havanna-4"]
    t, asked = picked(names, {})
    replica = BARS.view(t, A)
    asked.check(replica, NATURE, ("reveal", *t.picks))
    wrong = {
        "another card of mine": ["colibri-2", *names[1:]],
        "one card twice": [names[0], "lincoln-2", "lincoln-2", names[3]],
        "a card of my hand in another": [*names[:3], box.CARD_NAMES[t.hands[A][1]]],
        "a hole": [*names[:3], "?"],
    }
    for what, cards in wrong.items():
        with pytest.raises(Refused) as error:
            play(replica, asked, f"reveal {' '.join(cards)}")
        assert (what, error.value.reason) == (what, "bars.reveal.other")
    with pytest.raises(Refused, match="not_an_answer"):
        play(replica, asked, f"reveal {' '.join(names[:3])}")
    with pytest.raises(Refused, match="not_asked"):
        asked.check(replica, A, ("reveal", *t.picks))


def test_a_reveal_of_a_new_card_from_a_hand_of_old_cards_is_refused() -> None:
    t, asked = picked(["colibri-1", "lincoln-2", "lincoln-3", "havanna-4"], {})
    new = t.left[0]
    t.kept = [Kept(frozenset(card for hand in t.hands for card in hand), (5, 5, 5, 5))]
    replica = BARS.view(t, A)
    with pytest.raises(Refused, match=r"bars\.reveal\.other"):
        asked.check(replica, NATURE, ("reveal", t.picks[A], new, t.picks[C], t.picks[D]))
    t.kept = [Kept(t.kept[0].cards, (5, 0, 5, 5))]
    with pytest.raises(Refused, match=r"bars\.reveal\.other"):
        asked.check(BARS.view(t, A), NATURE, ("reveal", *t.picks))


def test_a_replica_sees_a_hand_completely_or_not_at_all() -> None:
    t, _ = start(3)
    t.dealer = C
    asked = play(t, Deal(A), "deal 1 colibri-1", "deal 2 ?", "deal 3 ?")
    assert t.hands == [[1], [HIDDEN], [HIDDEN]]
    with pytest.raises(Refused, match=r"bars\.deal\.unseen"):
        play(t, asked, "deal 1 ?")
    asked = play(t, asked, "deal 1 colibri-2")
    with pytest.raises(Refused, match=r"bars\.deal\.seen"):
        play(t, asked, "deal 2 colibri-3")


def test_the_dealers_note_may_be_masked_only_for_other_viewers() -> None:
    t, _ = picked(["colibri-1", "lincoln-2", "lincoln-3", "havanna-4"], {})
    for viewer in (A, SPECTATOR):
        table = BARS.view(t, viewer)
        if viewer == A:
            with pytest.raises(Refused, match="not_an_answer"):
                Look(A, everybody_picks(4)).check(table, NATURE, ("look", HIDDEN))
        else:
            Look(A, everybody_picks(4)).check(table, NATURE, ("look", HIDDEN))
