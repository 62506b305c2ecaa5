"""Every rules page names the rulings: what is played where the printed rules are silent or unclear."""

from __future__ import annotations

from functools import cache

import pytest

from engine import GAMES
from engine.options import Choice
from engine.session import Session
from tools.build import catalogue
from tools.paths import ROOT
from ui.boards import board
from ui.html.tree import plain
from ui.text.i18n import LANGUAGES, Texts

#: the rulings that players ask for most
NAMED = {
    "razzia": ("thief_takes_thief", "empty_auction"),
    "bars": ("first_dealer", "short_night"),
    "sicilianos": ("stake", "traitor_alone", "traitors_first"),
    "thieves": ("alarm", "waiting"),
}


@cache
def texts(language: str) -> Texts:
    return Texts(language, catalogue(ROOT / "assets" / "lang" / language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", NAMED)
def test_the_rulings_are_named_as_rulings(game: str, language: str) -> None:
    """A ruling is left out where a house rule of the same name plays something else."""
    t, played = texts(language), GAMES[game]

    def page(options: dict[str, str]) -> str:
        return " ".join(map(plain, board(game).rules(t, Session(played, played.SEATS[0], options).options)))

    usual = page({})
    assert t("rules.rulings.text") in usual
    assert [name for name in NAMED[game] if t(f"{game}.ruling.{name}") not in usual] == []
    for option in played.OPTIONS:
        ruling = f"{game}.ruling.{option.name}"
        if isinstance(option, Choice) and t.has(ruling):
            assert t(ruling) in usual
            assert [other for other in option.choices[1:] if t(ruling) in page({option.name: other})] == []
