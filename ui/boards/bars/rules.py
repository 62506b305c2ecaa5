"""The rules of bars on one page, in our own words, with this table's house rules and our sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.bars.box import CARDS, NOTES, OPTIONS
from engine.bars.table import WAYS_TO_WIN
from engine.options import Deck
from ui.html.parts import house_rules
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


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    options = {option.name: options.get(option.name, option.default) for option in OPTIONS}
    return [
        *(node for name in CHAPTERS for node in _chapter(t, name, options)),
        h("h3", None, t("bars.rules.how")),
        _how(t),
        h("h3", None, t("bars.rules.house")),
        house_rules(t, "bars", OPTIONS, options, partial(_deck, t), t("bars.rules.house.own")),
        h("h3", None, t("bars.rules.source")),
        *(h("p", {"key": n}, t(f"bars.source.{n}")) for n in (1, 2, 3)),
    ]


def _chapter(t: Texts, name: str, options: Mapping[str, Any]) -> list[Node]:
    shown = [h("h3", None, t(f"bars.rules.{name}"))]
    for part in CHAPTERS[name]:
        choice = options.get(part)
        shown.append(h("p", None, t(f"bars.rules.{part}.{choice}" if choice else f"bars.rules.{part}")))
        if part == "settle.1":
            shown.append(h("ul", None, [h("li", {"key": each}, t(f"bars.rules.claim.{each}")) for each in CLAIM_RULES]))
    return shown


def _how(t: Texts) -> Node:
    rows = [
        h("tr", {"key": how}, h("th", {"scope": "row"}, t(f"bars.how.{how}")), h("td", None, t(f"bars.rule.{how}")))
        for how in WAYS_TO_WIN
    ]
    return h("table", None, h("tbody", None, rows))


def _deck(t: Texts, option: Deck, deck: Mapping[str, int]) -> str:
    """Returns the size of a deck in words, and the numbers that differ from the published box."""
    different = [
        t("bars.rules.count", n=deck[card.name], card=t(f"bars.card.{card.name}"))
        for card in (*CARDS, *NOTES)
        if card in option.cards and deck[card.name] != card.count
    ]
    size = t(f"bars.rules.deck.{option.name}", n=sum(deck.values()))
    return f"{size}: {t('bars.and').join(different)}" if different else size
