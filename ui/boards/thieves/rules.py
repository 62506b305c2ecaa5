"""The rules page of thieves, in our own words, with this table's house rules and our sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.options import Choice, Deck
from engine.thieves.box import ACTIONS, AT_END, AT_RAID, CARDS, GETAWAY, LOOT, NAMES, OPTIONS, POLICE
from ui.boards.kit.rules_page import (
    card_sources,
    chapter,
    deck_in_words,
    house_rules,
    list_of,
    rulings,
    table_head,
    table_rows,
)
from ui.boards.thieves.cards import kind_name, tiny_card
from ui.html.tree import Node, h
from ui.text.i18n import Texts


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    def key_of(name: str) -> str:
        """Returns the key of a rule as it is at this table: the variant of the house rule in force, if it has one."""
        for option in OPTIONS:
            if isinstance(option, Choice):
                variant = f"thieves.rules.{name}.{options.get(option.name, option.default)}"
                if option.name in RULES_BY_TEXT.get(name, ()) and t.has(variant):
                    return variant
        return f"thieves.rules.{name}"

    return [
        *chapter(t, "thieves.rules.aim", key_of("aim.1"), key_of("setup")),
        *chapter(t, "thieves.rules.turn", key_of("turn.1"), key_of("turn.2")),
        list_of({name: t(key_of(f"card.{name}")) for name in CARD_RULES}),
        h("h3", None, t("thieves.rules.raid")),
        *(h("p", {"key": name}, t(key_of(name))) for name in ("raid.1", "raid.2", "raid.3")),
        *chapter(t, "thieves.rules.end", key_of("end.1")),
        *(
            h("p", {"key": name}, t(key_of(name)))
            for name in ("end.2", "end.match")
            if name != "end.match" or _is_match(options)
        ),
        _card_table(t, options),
        *rulings(t, "thieves", RULINGS, OPTIONS, options),
        h("h3", None, t("thieves.rules.house")),
        house_rules(t, "thieves", OPTIONS, options, partial(_deck, t), t("thieves.rules.house.own")),
        h("h3", None, t("thieves.rules.source")),
        *card_sources(t, "thieves", CARDS),
    ]


RULINGS = ("alarm", "waiting", "no_target", "raid_tie", "shown_loot", "tie")
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
        (
            kind,
            h("span.kind", None, tiny_card(t, kind), kind_name(t, kind)),
            t.number(deck[NAMES[kind]]),
            t.number(AT_RAID[kind]) if kind in LOOT else t("thieves.dash"),
            t.number(AT_END[kind]) if kind in LOOT else t("thieves.dash"),
        )
        for kind in (*LOOT, *POLICE, *ACTIONS, GETAWAY)
    ]
    head = table_head({name: t(f"thieves.box.{name}") for name in ("card", "count", "raid", "end")})
    return h("table", None, head, table_rows(rows))


def _deck(t: Texts, option: Deck, deck: Mapping[str, int]) -> str:
    size = t("thieves.rules.deck", n=sum(deck.values()))
    return deck_in_words(option, deck, size, t("thieves.and"), lambda card, n: t(f"thieves.count.{card}", n=n))
