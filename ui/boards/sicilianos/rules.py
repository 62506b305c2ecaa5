"""The rules page of sicilianos, in our own words, with this table's house rules and our sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.options import Deck
from engine.sicilianos.box import COLOURS, OPTIONS, PARTNER
from engine.sicilianos.rules import house_of
from engine.sicilianos.table import House
from ui.boards.kit.rules_page import chapter, deck_in_words, house_rules, rulings, table_head, table_rows
from ui.boards.sicilianos.cards import badge, family_name
from ui.html.tree import Node, h
from ui.text.i18n import Texts

ROLLS = ("two", "one", "steal")
WAR = ("join", "traitor", "bomb", "reinforce", "result", "spoils")
RULINGS = ("stake", "traitor_alone", "traitors_first", "lone_starter", "different", "blown_up", "served")
PAYDAY = ("clean", "dirty", "different", "antiques", "restaurants", "laundries")


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    chosen = {option.name: options.get(option.name, option.default) for option in OPTIONS}
    return [
        *chapter(t, "sicilianos.rules.aim", "sicilianos.rules.aim.1", "sicilianos.rules.aim.2"),
        *chapter(t, "sicilianos.rules.setup", "sicilianos.rules.setup.1"),
        *chapter(t, "sicilianos.rules.turn", "sicilianos.rules.turn.1"),
        _table(t, [(f"sicilianos.card.{name}", f"sicilianos.rules.{name}") for name in ROLLS]),
        h("h3", None, t("sicilianos.rules.war")),
        h("ol", None, [h("li", {"key": n}, _step(t, name, chosen)) for n, name in enumerate(WAR)]),
        h("h3", None, t("sicilianos.rules.who")),
        _families(t, house_of(chosen)),
        *chapter(t, "sicilianos.rules.end", "sicilianos.rules.end.1"),
        _table(t, [(f"sicilianos.row.{name}", f"sicilianos.rule.{name}") for name in PAYDAY]),
        *(h("p", {"key": text}, t(f"sicilianos.rules.different.{text}")) for text in _different(options)),
        *chapter(t, "sicilianos.rules.known", "sicilianos.rules.known.1"),
        *rulings(t, "sicilianos", RULINGS, OPTIONS, chosen),
        h("h3", None, t("sicilianos.rules.house")),
        house_rules(t, "sicilianos", OPTIONS, chosen, partial(_deck, t), t("sicilianos.rules.own")),
        *chapter(t, "sicilianos.rules.source", "sicilianos.rules.source.1"),
    ]


def _different(options: Mapping[str, Any]) -> list[str]:
    """Returns the names of the texts on the 50: a game of version 1 of the rules may need two."""
    rule = options.get("different", "once")
    return [rule, "equal_antiques"] if rule == "sets" and "equal_antiques" in options else [rule]


def _step(t: Texts, name: str, options: Mapping[str, Any]) -> list[str]:
    """Returns the texts of a step of the war, with this table's house rules for it."""
    texts = [t(f"sicilianos.rules.{name}")]
    if name == "join":
        texts += [
            " ",
            t(f"sicilianos.rules.stake.{options['stake']}"),
            " ",
            t(f"sicilianos.rules.lone.{options['lone_starter']}"),
        ]
    return texts


def _table(t: Texts, rows: Sequence[tuple[str, str]]) -> Node:
    return h("table", None, table_rows((head, t(head), t(text)) for head, text in rows))


def _families(t: Texts, house: House) -> Node:
    """Draws each family with its partner and the targets of its bomb at this table."""
    rows = []
    for colour in COLOURS:
        hits = t("sicilianos.and").join(family_name(t, hit) for hit in house.targets[colour]) or t("sicilianos.none")
        family = h("span.sic-fam", None, badge(colour), family_name(t, colour))
        rows.append((colour, family, family_name(t, PARTNER[colour]), hits))
    head = table_head({key: t(f"sicilianos.rules.{key}") for key in ("family", "partner", "hits")})
    return h("table.sic-who.sicilianos", None, head, table_rows(rows))


def _deck(t: Texts, option: Deck, deck: Mapping[str, int]) -> str:
    def count(card: str, n: int) -> str:
        return t("sicilianos.rules.differs", card=t(f"sicilianos.card.{card}"), number=n)

    size = t("sicilianos.rules.deck", n=sum(deck.values()))
    return deck_in_words(option, deck, size, t("sicilianos.and"), count)
