"""The rules of razzia on one page, in our own words, with this table's house rules and our sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.options import Deck
from engine.razzia.box import CARDS, OPTIONS
from engine.razzia.rules import AT_THE_END, EVERY_ROUND
from ui.html.parts import house_rules
from ui.html.tree import Node, h
from ui.text.i18n import Texts

CHAPTERS: dict[str, tuple[str, ...]] = {
    "aim": ("aim.1",),
    "turn": ("turn.1",),
    "auction": ("auction.1", "auction.2", "auction.3"),
    "end": ("end.1", "end.2"),
}
TURNS = ("draw", "thieves", "call")


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    return [
        *_chapter(t, "aim"),
        *_chapter(t, "turn"),
        h("ul", None, [h("li", {"key": name}, t(f"razzia.rules.{name}")) for name in TURNS]),
        *_chapter(t, "auction"),
        *_chapter(t, "end"),
        h("h3", None, t("razzia.rules.counting")),
        _categories(t, EVERY_ROUND),
        h("h3", None, t("razzia.rules.last")),
        _categories(t, AT_THE_END),
        h("p", None, t("razzia.rules.winner")),
        h("h3", None, t("razzia.rules.house")),
        house_rules(t, "razzia", OPTIONS, options, partial(_deck, t), t("razzia.rules.house.own")),
        h("h3", None, t("razzia.rules.source")),
        *_sources(t),
    ]


def _chapter(t: Texts, name: str) -> list[Node]:
    title = h("h3", None, t(f"razzia.rules.{name}"))
    return [title, *(h("p", None, t(f"razzia.rules.{part}")) for part in CHAPTERS[name])]


def _categories(t: Texts, names: Sequence[str]) -> Node:
    rows = [
        h(
            "tr",
            {"key": name},
            h("th", {"scope": "row"}, t(f"razzia.category.{name}")),
            h("td", None, t(f"razzia.rule.{name}")),
        )
        for name in names
    ]
    return h("table", None, h("tbody", None, rows))


def _deck(t: Texts, option: Deck, deck: Mapping[str, int]) -> str:
    different = [t(f"razzia.count.{card.name}", n=deck[card.name]) for card in CARDS if deck[card.name] != card.count]
    return t("razzia.rules.deck", n=sum(deck.values())) + (f": {t('razzia.and').join(different)}" if different else "")


def _sources(t: Texts) -> list[Node]:
    """The numbers of cards, grouped by the source of the number."""
    sources = dict.fromkeys(card.source for card in CARDS)
    return [
        *(
            h(
                "p",
                {"key": source},
                t(
                    f"razzia.source.{source}",
                    cards=t("razzia.and").join(
                        t(f"razzia.count.{card.name}", n=card.count) for card in CARDS if card.source == source
                    ),
                ),
            )
            for source in sources
        ),
        h("p", None, t("razzia.source.cheques")),
        h("p", None, t("razzia.source.crossed")),
    ]
