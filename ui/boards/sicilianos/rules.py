"""The rules page of sicilianos, in our own words, with this table's house rules and our sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.options import Deck
from engine.sicilianos.box import COLOURS, OPTIONS, PARTNER
from engine.sicilianos.rules import house_of
from engine.sicilianos.table import House
from ui.boards.sicilianos.cards import badge, family_name
from ui.html.parts import house_rules
from ui.html.tree import Node, h
from ui.text.i18n import Texts

#: the chapters, with the number of paragraphs of each
CHAPTERS = {"aim": 2, "setup": 1, "turn": 1}
ROLLS = ("two", "one", "steal")
WAR = ("join", "traitor", "bomb", "reinforce", "result", "spoils")
PAYDAY = ("clean", "dirty", "different", "antiques", "restaurants", "laundries")


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    chosen = {option.name: options.get(option.name, option.default) for option in OPTIONS}
    return [
        *[node for name, count in CHAPTERS.items() for node in _chapter(t, name, count)],
        _table(t, [(f"sicilianos.card.{name}", f"sicilianos.rules.{name}") for name in ROLLS]),
        h("h3", None, t("sicilianos.rules.war")),
        h("ol", None, [h("li", {"key": n}, _step(t, name, chosen)) for n, name in enumerate(WAR)]),
        h("h3", None, t("sicilianos.rules.who")),
        _families(t, house_of(chosen)),
        h("h3", None, t("sicilianos.rules.end")),
        h("p", None, t("sicilianos.rules.end.1")),
        _table(t, [(f"sicilianos.row.{name}", f"sicilianos.rule.{name}") for name in PAYDAY]),
        h("p", None, t(f"sicilianos.rules.different.{chosen['different']}")),
        h("h3", None, t("sicilianos.rules.known")),
        h("p", None, t("sicilianos.rules.known.1")),
        h("h3", None, t("sicilianos.rules.house")),
        house_rules(t, "sicilianos", OPTIONS, chosen, partial(_deck, t), t("sicilianos.rules.own")),
        h("h3", None, t("sicilianos.rules.source")),
        h("p", None, t("sicilianos.rules.source.1")),
    ]


def _chapter(t: Texts, name: str, count: int) -> list[Node]:
    texts = [t(f"sicilianos.rules.{name}.{number}") for number in range(1, count + 1)]
    return [h("h3", None, t(f"sicilianos.rules.{name}")), *(h("p", None, text) for text in texts)]


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
    cells = [h("tr", {"key": head}, h("th", {"scope": "row"}, t(head)), h("td", None, t(text))) for head, text in rows]
    return h("table", None, h("tbody", None, cells))


def _families(t: Texts, house: House) -> Node:
    """Draws each family with its partner and the targets of its bomb at this table."""
    rows = []
    for colour in COLOURS:
        hits = t("sicilianos.and").join(family_name(t, hit) for hit in house.targets[colour]) or t("sicilianos.none")
        rows.append(
            h(
                "tr",
                {"key": colour},
                h("th", {"scope": "row"}, h("span.sic-fam", None, badge(colour), family_name(t, colour))),
                h("td", None, family_name(t, PARTNER[colour])),
                h("td", None, hits),
            )
        )
    heads = [
        h("th", {"scope": "col", "key": key}, t(f"sicilianos.rules.{key}")) for key in ("family", "partner", "hits")
    ]
    return h("table.sic-who.sicilianos", None, h("thead", None, h("tr", None, heads)), h("tbody", None, rows))


def _deck(t: Texts, option: Deck, deck: Mapping[str, int]) -> str:
    """Returns the size of the deck, and the cards of which it has more or fewer than the box."""
    changed = [
        t("sicilianos.rules.differs", card=t(f"sicilianos.card.{card.name}"), number=deck[card.name])
        for card in option.cards
        if deck[card.name] != card.count
    ]
    total = t("sicilianos.rules.deck", n=sum(deck.values()))
    return f"{total}: {t('sicilianos.and').join(changed)}" if changed else total
