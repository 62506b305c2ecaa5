"""The end of a war of sicilianos, and of the game: result, founding, check, payday, ledger."""

from __future__ import annotations

from engine.core import NATURE, LedgerLine, Over
from engine.sicilianos import box
from engine.sicilianos.box import BLUE, RED, YELLOW
from engine.sicilianos.result import Clear, Open, Payday, ledger, scores, winners
from engine.sicilianos.rules import Turn
from engine.sicilianos.table import bank
from engine.sicilianos.war import Reinforce, Reveal
from tests.engine.sicilianos.positions import A, B, C, beats, card, money, own, play, reason, table, texts, turn, war

NEXT = Turn(B, open_stake=False)


# Result.


def test_the_strongest_family_washes_its_stake_and_founds() -> None:
    t = table("red-9", "green-2", "blue-1")
    asked = turn(t, A, (A, "war red-9 20"), (B, "join green-2 50"), (C, "join blue-1 5"), (NATURE, "result red"))
    assert t.clean == [money(20, 20), money(), money()]
    assert t.stakes == [0, 0, 0]
    assert sum(bank(t)) == 70 - 30 + 3 - 2
    asked = play(t, asked, (NATURE, "businesses antiques restaurant laundry"))
    assert texts(t, asked) == ["found antiques", "found restaurant", "found laundry"]
    assert reason(t, asked, "stop") == "not_an_answer"
    assert play(t, asked, (A, "found restaurant")) == Clear(NEXT)
    assert t.founded[RED] == ((A, (1, 2, 3), box.RESTAURANT),)


def test_the_next_founder_chooses_among_the_businesses_left() -> None:
    t = table("", "red-9", "")
    own(t, A, "red-restaurant")
    asked = turn(t, B, (B, "war red-9 20"), (NATURE, "businesses antiques laundry"))
    assert texts(t, asked) == ["found antiques", "found laundry"]
    assert reason(t, asked, "found restaurant") == "sicilianos.found.not_left"


def test_a_player_without_a_card_does_not_win_with_the_ally() -> None:
    """Only cards that lie for a family count: a player without one does not win with the ally."""
    t = table("white-3", "blue-8", "black-5")
    joined = [(A, "war white-3 5"), (B, "join blue-8 10"), (C, "join black-5 20"), (B, "traitor")]
    asked = turn(t, A, *joined, (C, "explode white-3"), (NATURE, "result white"))
    assert t.clean == [money(), money(10, 10), money()]
    assert asked.key == "sicilianos.businesses"


def test_in_an_alliance_the_familys_player_chooses_and_the_ally_gets_the_other() -> None:
    t = table("white-3", "blue-8", "red-1")
    joined = [(A, "war white-3 5"), (B, "join blue-8 10"), (C, "join red-1 40"), (B, "traitor")]
    asked = turn(t, A, *joined, (NATURE, "result white"))
    assert texts(t, asked) == ["business", "money"]
    assert asked.seat == A
    assert reason(t, asked, "stop") == "not_an_answer"
    asked = beats(t, play(t, asked, (A, "money"), (B, "found antiques")))
    assert t.clean == [money(5, 10), money(), money()]
    assert t.founded[box.WHITE][0][0] == B
    assert asked == NEXT


def test_cards_go_under_their_piles_the_last_laid_at_the_very_bottom() -> None:
    t = table("yellow-5 yellow-3 yellow-2", "blue-9 blue-8", "")
    joined = [
        (A, "war yellow-2 5"),
        (B, "join blue-9 5"),
        (A, "add yellow-5"),
        (B, "add blue-8"),
        (A, "explode blue-9"),
    ]
    asked = war(t, *joined, (A, "add yellow-3"), (B, "found laundry"))
    assert asked == NEXT
    assert t.piles[YELLOW][-3:] == tuple(map(card, ["yellow-5", "yellow-2", "yellow-3"]))
    assert t.piles[BLUE][-2:] == tuple(map(card, ["blue-9", "blue-8"]))
    assert (t.family, t.lying, t.starter) == ([0, 0, 0], (), -1)


# Check and payday.


def test_payday_comes_when_a_player_has_no_dirty_note_after_a_war() -> None:
    t = table("red-9 red-3", "green-2", "", dirty=[(20,), (5, 10), (5,)])
    asked = turn(t, A, (A, "war red-9 20"), (B, "join green-2 10"))
    assert asked == Reveal(NEXT)
    asked = play(t, asked, (NATURE, "reveal red-9+green-2 20+10"))
    assert asked == Reinforce(A, NEXT)  # it is tested after the war, not during it
    asked = play(t, asked, (A, "stop"), (A, "found laundry"), (NATURE, "clear"))
    assert asked == Open()
    asked = play(t, asked, (NATURE, "open laundry"), (NATURE, "payday different"), (NATURE, "payday antiques"))
    assert asked == Payday(3)
    asked = play(t, asked, (NATURE, "payday restaurants"), (NATURE, "payday laundries"))
    assert asked == Over()
    assert scores(t) == [40 + 100, -5, -5]
    assert winners(t) == [A]


def test_payday_pays_for_three_different_and_for_the_most_of_a_kind() -> None:
    t = table("", "", "")
    own(t, A, "red-laundry", "blue-restaurant", "green-antiques", "green-laundry")
    own(t, B, "red-antiques", "blue-laundry", "yellow-restaurant")
    own(t, C, "red-restaurant", "white-restaurant")
    t.dirty = [money(5), money(), money(50)]
    assert beats(t, Open()) == Over()
    assert t.bonus == (50 + 100, 50, 100)
    assert scores(t) == [145, 50, 50]
    assert winners(t) == [A]


def test_the_bonus_of_fifty_needs_three_kinds_of_three_colours() -> None:
    t = table("", "", "")
    own(t, A, "red-laundry", "red-restaurant", "green-antiques")
    own(t, B, "blue-laundry", "yellow-laundry", "white-antiques")
    beats(t, Open())
    assert t.bonus == (100, 100, 0)  # restaurants, laundries; antiques are tied


def test_a_tie_for_most_pays_nobody_and_a_tied_sum_is_shared() -> None:
    t = table("", "", "")
    own(t, A, "red-laundry")
    own(t, B, "blue-laundry")
    t.dirty = [money(5), money(5), money(50)]
    beats(t, Open())
    assert t.bonus == (0, 0, 0)
    assert winners(t) == [A, B]


def test_sums_may_be_negative() -> None:
    t = table("", "", "")
    t.dirty = [money(50, 50), money(5), money()]
    assert scores(t) == [-100, -5, 0]


def test_the_ledger_lists_every_note() -> None:
    t = table("red-9", "green-2", "", dirty=[(20, 5), (10, 5), (5,)])
    t.book = []
    war(t, (A, "war red-9 20"), (B, "join green-2 10"), (A, "found laundry"))
    assert ledger(t) == [
        LedgerLine(1, A, "stake", (20,), 20),
        LedgerLine(1, B, "stake", (10,), 10),
        LedgerLine(1, A, "washed", (20, 20), 40),
    ]
