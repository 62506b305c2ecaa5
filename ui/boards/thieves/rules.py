"""The rules page of thieves, in our own words, with this table's house rules and our sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.options import Choice, Deck
from engine.thieves.box import ACTIONS, AT_END, AT_RAID, CARDS, GETAWAY, LOOT, NAMES, OPTIONS, POLICE
from ui.boards.thieves.cards import kind_name, tiny_card
from ui.html.parts import house_rules
from ui.html.tree import Node, h
from ui.text.i18n import Texts


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    def text_of(name: str) -> str:
        """Returns the text of a rule as it is at this table: the variant of the house rule in force, if it has one."""
        for option in OPTIONS:
            if isinstance(option, Choice):
                variant = f"thieves.rules.{name}.{options.get(option.name, option.default)}"
                if option.name in RULES_BY_TEXT.get(name, ()) and t.has(variant):
                    return t(variant)
        return t(f"thieves.rules.{name}")

    return [
        h("h3", None, t("thieves.rules.aim")),
        h("p", None, text_of("aim.1")),
        h("p", None, text_of("setup")),
        h("h3", None, t("thieves.rules.turn")),
        h("p", None, text_of("turn.1")),
        h("p", None, text_of("turn.2")),
        h("ul", None, [h("li", {"key": name}, text_of(f"card.{name}")) for name in CARD_RULES]),
        h("h3", None, t("thieves.rules.raid")),
        *(h("p", {"key": name}, text_of(name)) for name in ("raid.1", "raid.2", "raid.3")),
        h("h3", None, t("thieves.rules.end")),
        h("p", None, text_of("end.1")),
        *(
            h("p", {"key": name}, text_of(name))
            for name in ("end.2", "end.match")
            if name != "end.match" or _is_match(options)
        ),
        _card_table(t, options),
        h("h3", None, t("thieves.rules.house")),
        house_rules(t, "thieves", OPTIONS, options, partial(_deck, t), t("thieves.rules.house.own")),
        h("h3", None, t("thieves.rules.source")),
        *_sources(t),
    ]


CARD_RULES = ("loot", "police", "roadblock", "alarm", "thief", "double_loot")
#: the texts that house rules change, with the names of these rules
RULES_BY_TEXT = {
    "card.alarm": ("alarm",),
    "card.thief": ("thief",),
    "raid.2": ("raid_tie",),
    "raid.3": ("shown_loot",),
    "card.loot": ("own_loot",),
    "end.2": ("tie",),
}


def _is_match(options: Mapping[str, Any]) -> bool:
    return options.get("match") == "seven_gems"


def _card_table(t: Texts, options: Mapping[str, Any]) -> Node:
    """Draws a table of all kinds of cards: their number, their worth in a raid and at the end."""
    deck = options.get("deck") or {card.name: card.count for card in CARDS}
    rows = [
        h(
            "tr",
            {"key": kind},
            h("th", {"scope": "row"}, h("span.kind", None, tiny_card(t, kind), kind_name(t, kind))),
            h("td", None, t.number(deck[NAMES[kind]])),
            h("td", None, t.number(AT_RAID[kind]) if kind in LOOT else t("thieves.dash")),
            h("td", None, t.number(AT_END[kind]) if kind in LOOT else t("thieves.dash")),
        )
        for kind in (*LOOT, *POLICE, *ACTIONS, GETAWAY)
    ]
    heads = ("card", "count", "raid", "end")
    head = h("tr", None, [h("th", {"scope": "col", "key": name}, t(f"thieves.box.{name}")) for name in heads])
    return h("table.box2", None, h("thead", None, head), h("tbody", None, rows))


def _deck(t: Texts, option: Deck, deck: Mapping[str, int]) -> str:
    changed = [t(f"thieves.count.{card.name}", n=deck[card.name]) for card in CARDS if deck[card.name] != card.count]
    return t("thieves.rules.deck", n=sum(deck.values())) + (f": {t('thieves.and').join(changed)}" if changed else "")


def _sources(t: Texts) -> list[Node]:
    """Draws the number of each card, grouped by the source that we have it from."""
    paragraphs = []
    for source in dict.fromkeys(card.source for card in CARDS):
        cards = [t(f"thieves.count.{card.name}", n=card.count) for card in CARDS if card.source == source]
        paragraphs.append(h("p", {"key": source}, t(f"thieves.source.{source}", cards=t("thieves.and").join(cards))))
    return paragraphs
