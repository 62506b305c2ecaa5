"""The greedy bot of Razzia: its answers are legal, use only its view, and win often."""

from __future__ import annotations

from random import Random

import pytest

from engine import bots
from engine.bars import policy
from engine.bars.belief import fill, view
from engine.bars.notes import Place
from engine.bars.rules import ChooseDealer, Pick
from engine.cli import arena
from engine.core import NATURE, Beat
from engine.session import Session
from tests.engine.anything import options
from tests.engine.bars.positions import BARS, CARD, A, B, C, picked, play, shown, start


@pytest.mark.parametrize("seats", BARS.SEATS)
def test_the_bot_plays_whole_games_legally_with_any_house_rules(seats: int) -> None:
    for seed in range(3):
        rnd = Random(f"bot/{seats}/{seed}")
        session = arena.play(BARS, seats, options(BARS, seats, rnd), [policy.choose] * seats, rnd, rnd)
        assert session.over


def test_the_bots_answer_does_not_depend_on_hidden_data() -> None:
    session, rnd = Session(BARS, 4, {"extra_note": "face_down", "replies": "secret"}), Random(3)
    compared = 0
    while not session.over:
        asked = session.question
        if asked.seat == NATURE:
            beat = isinstance(asked, Beat)
            session.do(NATURE, asked.answers(session.table, NATURE)[0] if beat else asked.sample(session.table, rnd))  # type: ignore[attr-defined]
            continue
        answer = policy.choose(asked, session.view(asked.seat), asked.seat, Random(1))
        other = view(fill(session.view(asked.seat), rnd), asked.seat)
        assert policy.choose(asked, other, asked.seat, Random(2)) == answer
        compared += 1
        session.do(asked.seat, answer)
    assert compared > 60


def test_the_bot_wins_most_games_against_three_random_bots() -> None:
    won = 0.0
    for deal in range(60):
        policies = [bots.choose_at_random] * 4
        policies[deal % 4] = policy.choose
        session = arena.play(BARS, 4, {}, policies, Random(f"deal/{deal // 4}"), Random(f"think/{deal}"))
        winners = BARS.winners(session.table)
        won += (deal % 4 in winners) / len(winners)
    assert won > 0.55 * 60


def test_the_bot_chooses_itself_as_first_dealer() -> None:
    t, asked = start(4, first_dealer="chosen")
    assert asked == ChooseDealer(A)
    assert policy.choose(asked, t, A, Random(1)) == ("dealer", A)


def test_the_bot_picks_a_card_of_the_bar_with_most_money() -> None:
    t, _ = picked(["jungle-4", "jungle-2", "lincoln-3", "havanna-4"], {"jungle": [50, 50, 40], "lincoln": [5]})
    t.hands[A] = [CARD[name] for name in ("jungle-4", "lincoln-4", "colibri-4", "havanna-5", "cotton_club-4")]
    assert policy.choose(Pick(A, (A,)), view(t, A), A, Random(1)) == ("pick", CARD["jungle-4"])


def test_the_bot_places_the_extra_note_at_the_bar_of_its_cards() -> None:
    t, _ = picked(["jungle-4", "jungle-2", "lincoln-3", "havanna-4"], {name: [5] for name in ("jungle", "lincoln")})
    t.hands[A] = [CARD[name] for name in ("jungle-4", "jungle-5", "jungle-6", "jungle-3", "jungle-1")]
    t.extra = t.stock.pop()
    assert policy.choose(Place(A, Pick(A, (A,))), view(t, A), A, Random(1)) == ("place", 4)


def test_the_bot_accepts_an_offer_worth_more_than_its_chance_in_the_duel() -> None:
    for offer, answer in (("propose -", ("challenge",)), ("propose 20", ("accept",))):
        t, asked = shown(["jungle-6", "jungle-1", "lincoln-1", "lincoln-2"], {"jungle": [20, 20, 10]})
        asked = play(t, asked, offer)
        assert policy.choose(asked, view(t, B), B, Random(1)) == answer


def test_the_bot_never_offers_more_than_the_duel_would_cost() -> None:
    t, asked = shown(["jungle-6", "jungle-1", "jungle-2", "lincoln-2"], {"jungle": [20, 20, 10]})
    fair = policy.chances(t, [A, B, C])
    assert sum(fair.values()) == pytest.approx(1)
    answer = policy.choose(asked, view(t, A), A, Random(1))
    assert [sum(notes) <= fair[seat] * 50 for seat, notes in zip((B, C), answer[1:], strict=True)] == [True, True]
