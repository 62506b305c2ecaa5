"""Set-up links: what they may contain, and the refusal of everything else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.core import Refused
from engine.options import Choice
from tests.ui.first_screen import english
from ui.boards import PLAYABLE
from ui.refusals import At, refusal
from ui.saves import setup_link


def test_a_link_lays_out_a_game() -> None:
    found = setup_link.read("#play=razzia&seats=p,p,b1,b2&seed=abc")
    assert found == setup_link.LinkedSetup("razzia", ("p", "p", "b1", "b2"), "abc", {})


def test_a_link_may_name_house_rules_and_a_deck() -> None:
    found = setup_link.read("play=razzia&seats=p,b2&empty_auction=forbidden&deck=ring:5,police:18")
    assert isinstance(found, setup_link.LinkedSetup)
    assert found.options == {"empty_auction": "forbidden", "deck": {"ring": 5, "police": 18}}
    assert setup_link.read(setup_link.write(found)) == found


@pytest.mark.parametrize("game", PLAYABLE)
def test_all_house_rules_and_whole_house_decks_fit_into_a_link(game: str) -> None:
    """Regression: a value was cut after 500 characters, so the deck of sicilianos was refused."""
    options: dict[str, Any] = {}
    for option in PLAYABLE[game].OPTIONS:
        if isinstance(option, Choice):
            options[option.name] = option.choices[-1]
        else:
            options[option.name] = {card: max(1, count) for card, count in option.default.items()}
    wanted = setup_link.LinkedSetup(game, ("b2",) * PLAYABLE[game].SEATS[-1], "a" * 64, options)
    assert setup_link.read(setup_link.write(wanted)) == wanted
    longest = {name: dict.fromkeys(value, 60) if isinstance(value, dict) else value for name, value in options.items()}
    assert len(setup_link.write(replace(wanted, options=longest))) <= setup_link.MAX_LENGTH


def test_a_link_may_name_a_stored_game_or_nothing() -> None:
    assert setup_link.read("#game=0123456789ab") == "0123456789ab"
    assert setup_link.read("") is None


TEXTS = english()

REFUSED = [
    ("play=poker&seats=p,p", "link.game"),
    ("play=razzia&seats=p,x", "link.seat"),
    ("play=razzia&seats=", "link.seat"),
    ("play=razzia", "link.seat"),
    ("play=razzia&seats=p", "option.seats"),
    ("play=razzia&seats=p,p,p,p,p,p", "option.seats"),
    ("play=razzia&seats=p,p&seed=<script>", "link.seed"),
    ("play=razzia&seats=p,p&seed=" + "a" * 65, "link.seed"),
    ("play=razzia&seats=p,p&seats=p", "link.twice"),
    ("play=razzia&seats=p,p&tie=never", "option.choice"),
    ("play=razzia&seats=p,p&deck=ring:999", "option.deck_count"),
    ("play=razzia&seats=p,p&deck=dragon:1", "option.deck_card"),
    ("play=razzia&seats=p,p&deck=ring:5,ring:3", "option.deck_twice"),
    ("play=razzia&seats=p,p&evil=1", "option.unknown"),
    ("game=../../etc", "link.unknown"),
    ("javascript:alert(1)", "link.unknown"),
    ("%00%ff", "link.unknown"),
    ("a" * 3000, "link.too_long"),
]


@pytest.mark.parametrize(("fragment", "reason"), REFUSED)
def test_nonsense_is_refused_with_a_sentence(fragment: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        setup_link.read(fragment)
    assert refused.value.reason == reason
    notice = refusal(refused.value, At(setup_link.named_game(fragment)))
    assert english().has(notice.key)
    assert "{" not in english()(notice.key, **notice.values)


@pytest.mark.parametrize("count", ["-5", "61", "many"])
def test_a_refused_number_of_cards_names_the_card(count: str) -> None:
    with pytest.raises(Refused) as refused:
        setup_link.read(link := f"play=thieves&seats=p,p,p&deck=money_0:{count}")
    notice = refusal(refused.value, At(setup_link.named_game(link)))
    assert english()(notice.key, **notice.values) == "“Money 0”: a whole number from 0 to 60, please."


def _read(fragment: str) -> object:
    try:
        found = setup_link.read(fragment)
    except Refused as refused:
        return "a sentence" if TEXTS.has(f"refused.{refused.reason}") else refused.reason
    return found and type(found)


@settings(deadline=None)
@given(st.text(max_size=300))
@example("r")
def test_any_link_is_read_or_refused(text: str) -> None:
    for fragment in (text, f"play=razzia&{text}", f"play=razzia&seats=p,p&deck={text}"):
        assert _read(fragment) in (None, str, setup_link.LinkedSetup, setup_link.TableLink, "a sentence")
