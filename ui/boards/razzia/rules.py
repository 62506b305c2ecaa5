"""The rules of razzia on one page, in our own words, with this table's house rules and our sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.options import Deck
from engine.razzia.box import CARDS, OPTIONS
from engine.razzia.rules import AT_THE_END, EVERY_ROUND
from ui.boards.kit.rules_page import card_sources, chapter, deck_in_words, house_rules, list_of, rulings, table_rows
from ui.html.tree import Node, h
from ui.text.i18n import Texts

TURNS = ("draw", "thieves", "call")
RULINGS = ("thief_takes_thief", "empty_auction", "tie", "no_card")


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    return [
        *chapter(t, "razzia.rules.aim", "razzia.rules.aim.1"),
        *chapter(t, "razzia.rules.turn", "razzia.rules.turn.1"),
        list_of({name: t(f"razzia.rules.{name}") for name in TURNS}),
        *chapter(t, "razzia.rules.auction", *(f"razzia.rules.auction.{n}" for n in (1, 2, 3))),
        *chapter(t, "razzia.rules.end", "razzia.rules.end.1", "razzia.rules.end.2"),
        h("h3", None, t("razzia.rules.counting")),
        _categories(t, EVERY_ROUND),
        h("h3", None, t("razzia.rules.last")),
        _categories(t, AT_THE_END),
        h("p", None, t("razzia.rules.winner")),
        *rulings(t, "razzia", RULINGS, OPTIONS, options),
        h("h3", None, t("razzia.rules.house")),
        house_rules(t, "razzia", OPTIONS, options, partial(_deck, t), t("razzia.rules.house.own")),
        h("h3", None, t("razzia.rules.source")),
        *card_sources(t, "razzia", CARDS),
        h("p", None, t("razzia.source.cheques")),
        h("p", None, t("razzia.source.crossed")),
    ]


def _categories(t: Texts, names: Sequence[str]) -> Node:
    return h(
        "table", None, table_rows((name, t(f"razzia.category.{name}"), t(f"razzia.rule.{name}")) for name in names)
    )


def _deck(t: Texts, option: Deck, deck: Mapping[str, int]) -> str:
    size = t("razzia.rules.deck", n=sum(deck.values()))
    return deck_in_words(option, deck, size, t("razzia.and"), lambda card, n: t(f"razzia.count.{card}", n=n))
