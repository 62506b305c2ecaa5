"""Proposals, replies and duels."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import notation
from engine.bars.offers import candidates
from engine.bars.settle import Duel, Propose, Reply
from engine.bars.table import NONE
from engine.core import HIDDEN, Refused
from tests.engine.bars.positions import BARS, A, B, C, D, play, shown, texts


def text(answer: tuple[object, ...]) -> str:
    return notation.text(BARS.WORDS, answer)


# The split


def test_a_proposal_names_the_others_clockwise_from_the_proposer() -> None:
    t, asked = shown(["jungle-1", "jungle-2", "jungle-6", "jungle-4"], {"jungle": [20, 10, 5]})
    assert isinstance(asked, Propose)
    assert (asked.seat, asked.others) == (C, (D, A, B))
    asked = play(t, asked, "propose 20 10 -")
    assert isinstance(asked, Reply)
    assert [asked.split.offer(seat) for seat in (D, A, B)] == [(20,), (10,), ()]
    asked = play(t, asked, "accept", "accept", "accept")
    assert t.money == [10, 0, 5, 20]


def test_a_player_who_accepts_is_paid_and_leaves_even_with_nothing() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-5", "lincoln-1"], {"jungle": [20, 10]})
    asked = play(t, asked, "propose - 10", "accept", "challenge")
    assert isinstance(asked, Duel)
    assert (asked.high, asked.low, asked.others) == (A, C, ())
    play(t, asked, "dice 6 1")
    assert t.money == [30, 0, 0, 0]


def test_the_duel_is_for_every_note_not_paid_out() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-5", "lincoln-1"], {"jungle": [50, 20, 10]})
    asked = play(t, asked, "propose 20 10", "accept")
    assert t.money == [0, 20, 0, 0]
    play(t, asked, "challenge", "dice 1 6")
    assert t.money == [0, 20, 60, 0]
    assert BARS.ledger(t) == [(1, B, "share", (20,), 20), (1, C, "duel", (50, 10), 60)]


def test_the_proposer_may_give_all_away() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "lincoln-1", "lincoln-2"], {"jungle": [50, 20, 10]})
    asked = play(t, asked, "propose 50+20+10", "accept")
    assert t.money == [0, 80, 0, 0]
    assert asked.key == "bars.settle"


def test_wrong_proposals_are_refused_with_a_reason() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-3", "lincoln-1"], {"jungle": [20, 20, 5]})
    refused = {
        "propose 20": "bars.propose.claimants",
        "propose 20 5 -": "bars.propose.claimants",
        "propose 5+20 -": "bars.propose.order",
        "propose 10 -": "bars.propose.not_there",
        "propose 20+20 20": "bars.propose.too_many",
        "propose 20+20+20 -": "bars.propose.too_many",
        "accept": "not_an_answer",
    }
    for words, reason in refused.items():
        with pytest.raises(Refused) as error:
            play(t, asked, words)
        assert (words, error.value.reason) == (words, reason)
    with pytest.raises(Refused, match="not_asked"):
        asked.check(t, B, ("propose", (), ()))


def test_a_legal_proposal_need_not_be_among_the_candidates() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-3", "jungle-1"], {"jungle": [50, 40, 30, 25, 20, 15, 10, 5]})
    answer = ("propose", (50, 5), (15, 10), (40,))
    assert answer not in asked.answers(t, A)
    asked.check(t, A, answer)


def test_few_proposals_are_all_listed_and_of_many_only_a_selection() -> None:
    assert [text(a) for a in candidates((20, 5), 1)] == ["propose -", "propose 5", "propose 20", "propose 20+5"]
    assert [text(a) for a in candidates((20, 20), 1)] == ["propose -", "propose 20", "propose 20+20"]
    assert len(candidates((20, 10), 2)) == 9
    pot = (50, 50, 40, 30, 25, 20, 20, 15, 10, 10, 5, 5)
    for others in range(1, 8):
        found = candidates(pot, others)
        assert len(set(found)) == len(found)
        assert found[0] == ("propose", *[()] * others)
        assert 4 <= len(found) <= 14
        for answer in found:
            assert len(answer) == others + 1
            assert not Counter(value for notes in answer[1:] for value in notes) - Counter(pot)


def test_a_reply_is_accept_or_challenge() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "lincoln-1", "lincoln-2"], {"jungle": [50]})
    asked = play(t, asked, "propose -")
    assert texts(t, asked) == ["accept", "challenge"]
    with pytest.raises(Refused, match="not_an_answer"):
        asked.check(t, B, ("sealed",))


def test_open_replies_go_clockwise_from_the_proposer() -> None:
    t, asked = shown(["jungle-1", "jungle-2", "jungle-6", "jungle-4"], {"jungle": [20]})
    asked, order = play(t, asked, "propose 20 - -"), []
    while isinstance(asked, Reply):
        order.append(asked.seat)
        asked = play(t, asked, "accept")
    assert order == [D, A, B]


# House rule: secret replies


def test_house_rule_secret_replies_are_given_all_at_once_and_shown_together() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-5", "lincoln-1"], {"jungle": [20, 10]}, replies="secret")
    asked = play(t, asked, "propose 10 -")
    assert asked.seats() == (B, C)
    asked = asked.answer(t, C, ("challenge",))
    assert asked.seats() == (B,)
    assert t.money == [0, 0, 0, 0]
    assert asked.mask(B, ("accept",), C) == ("sealed",)
    assert asked.mask(B, ("accept",), B) == ("accept",)
    assert BARS.view(t, A).said == [NONE, NONE, HIDDEN, NONE]
    asked = play(t, asked, "accept")
    assert texts(t, asked) == ["replies accept challenge"]
    asked = play(t, asked, "replies accept challenge")
    assert t.money == [0, 10, 0, 0]
    assert isinstance(asked, Duel)
    assert (asked.high, asked.low) == (A, C)
    assert t.said == [NONE] * 4


def test_house_rule_secret_replies_are_open_between_two_claimants() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "lincoln-1", "lincoln-2"], {"jungle": [20, 10]}, replies="secret")
    assert isinstance(play(t, asked, "propose 10"), Reply)


def test_house_rule_secret_replies_must_be_revealed_as_they_were_given() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-5", "lincoln-1"], {"jungle": [20, 10]}, replies="secret")
    asked = play(t, asked, "propose 10 -", "accept", "challenge")
    for words in ("replies challenge challenge", "replies ? challenge"):
        with pytest.raises(Refused, match=r"bars\.replies\.other"):
            play(t, asked, words)
    with pytest.raises(Refused, match="not_an_answer"):
        play(t, asked, "replies accept")


def test_house_rule_secret_replies_are_not_masked_where_the_hand_is_known() -> None:
    t, asked = shown(["jungle-6", "jungle-2", "jungle-5", "lincoln-1"], {"jungle": [20, 10]}, replies="secret")
    asked = play(t, asked, "propose 10 -")
    with pytest.raises(Refused, match="not_an_answer"):
        asked.check(t, B, ("sealed",))
    asked.check(BARS.view(t, A), B, ("sealed",))
