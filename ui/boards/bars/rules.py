"""The rules of bars on one page, in our own words, with this table's house rules and our sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.bars.box import OPTIONS
from engine.bars.table import WAYS_TO_WIN
from engine.options import Deck
from ui.boards.kit.rules_page import chapter, deck_in_words, house_rules, list_of, rulings, table_rows
from ui.html.tree import Node, h
from ui.text.i18n import Texts

#: the chapters in the order of the rule book; a paragraph that depends on a house rule is named after it
CHAPTERS: dict[str, tuple[str, ...]] = {
    "aim": ("aim.1",),
    "deal": ("deal.1", "deal.2"),
    "notes": ("notes.1", "extra_note", "notes.2", "short_night"),
    "cards": ("cards.1",),
    "settle": ("settle.1",),
    "split": ("split.1", "split.2", "replies", "split.3"),
    "duel": ("duel.1", "duel.2", "duel.3"),
    "end": ("end.1", "money", "end.2"),
}
CLAIM_RULES = ("nothing", "gamblers", "raids", "only_raids")
RULINGS = ("first_dealer", "short_night", "extra_note", "replies", "no_duel")


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    options = {option.name: options.get(option.name, option.default) for option in OPTIONS}
    return [
        *(node for name in CHAPTERS for node in _chapter(t, name, options)),
        h("h3", None, t("bars.rules.how")),
        _how(t),
        *rulings(t, "bars", RULINGS, OPTIONS, options),
        h("h3", None, t("bars.rules.house")),
        house_rules(t, "bars", OPTIONS, options, partial(_deck, t), t("bars.rules.house.own")),
        h("h3", None, t("bars.rules.source")),
        *(h("p", {"key": n}, t(f"bars.source.{n}")) for n in (1, 2, 3)),
    ]


def _chapter(t: Texts, name: str, options: Mapping[str, Any]) -> list[Node]:
    parts = [f"{part}.{options[part]}" if part in options else part for part in CHAPTERS[name]]
    claim_rules = [list_of({each: t(f"bars.rules.claim.{each}") for each in CLAIM_RULES})] if name == "settle" else []
    return [*chapter(t, f"bars.rules.{name}", *(f"bars.rules.{part}" for part in parts)), *claim_rules]


def _how(t: Texts) -> Node:
    return h("table", None, table_rows((how, t(f"bars.how.{how}"), t(f"bars.rule.{how}")) for how in WAYS_TO_WIN))


def _deck(t: Texts, option: Deck, deck: Mapping[str, int]) -> str:
    def count(card: str, n: int) -> str:
        return t("bars.rules.count", n=n, card=t(f"bars.card.{card}"))

    size = t(f"bars.rules.deck.{option.name}", n=sum(deck.values()))
    return deck_in_words(option, deck, size, t("bars.and"), count)
