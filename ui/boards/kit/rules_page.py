"""The parts of a game's rules page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.options import Card, Choice, Deck, Option
from ui.html.parts import symbol
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Texts


def chapter(t: Texts, title: str, *paragraphs: str) -> list[Node]:
    """Returns the title and the paragraphs of a chapter, all given by the keys of their texts."""
    return [h("h3", None, t(title)), *(h("p", None, t(paragraph)) for paragraph in paragraphs)]


def table_rows(rows: Iterable[tuple[Attr, Child, *tuple[Child, ...]]]) -> Node:
    """Returns the rows of a table, each given by its key, its head and its other cells."""
    return h(
        "tbody",
        None,
        [
            h("tr", {"key": key}, h("th", {"scope": "row"}, head), [h("td", None, each) for each in cells])
            for key, head, *cells in rows
        ],
    )


def table_head(columns: Mapping[str, str]) -> Node:
    """Returns the heads of the columns, by the name of each."""
    heads = [h("th", {"scope": "col", "key": name}, text) for name, text in columns.items()]
    return h("thead", None, h("tr", None, heads))


def list_of(texts: Mapping[str, str]) -> Node:
    """Returns a list of texts, by the name of each."""
    return h("ul", None, [h("li", {"key": name}, text) for name, text in texts.items()])


def rulings(
    t: Texts, game: str, names: Sequence[str], options: Sequence[Option], chosen: Mapping[str, Any]
) -> list[Node]:
    """Returns the chapter of the rulings: what is played where the printed rules are silent or unclear.

    A ruling that is named after a house rule is left out at a table that plays this rule in another way.
    """
    other = {option.name for option in options if chosen.get(option.name, option.default) != option.default}
    texts = {name: t(f"{game}.ruling.{name}") for name in names if name not in other}
    return [*chapter(t, "rules.rulings", "rules.rulings.text"), list_of(texts)]


def house_rules(
    t: Texts,
    game: str,
    options: Sequence[Option],
    chosen: Mapping[str, Any],
    deck: Callable[[Deck, Mapping[str, int]], str],
    changed_label: str,
) -> Node:
    """Returns the house rules of this table. Those that differ from the default are marked with `changed_label`."""
    rows: list[tuple[Attr, Child, Child]] = []
    for option in options:
        value = chosen.get(option.name, option.default)
        key = f"{game}.option.{option.name}"
        text = t(f"{key}.{value}") if isinstance(option, Choice) else deck(option, value)
        mark = h("strong", None, symbol("u-check", kind="own"), changed_label) if value != option.default else None
        rows.append((option.name, t(key), (text, " ", mark)))
    return h("table", None, table_rows(rows))


def deck_in_words(
    option: Deck, deck: Mapping[str, int], size: str, conjunction: str, count: Callable[[str, int], str]
) -> str:
    """Returns a deck in words: its size, and the cards of which it has more or fewer than the box.

    `count` puts a number of cards of one name in words.
    """
    different = [count(card.name, deck[card.name]) for card in option.cards if deck[card.name] != card.count]
    return f"{size}: {conjunction.join(different)}" if different else size


def card_sources(t: Texts, game: str, cards: Sequence[Card]) -> list[Node]:
    """Returns the numbers of cards in the box, grouped by the source of the number."""
    paragraphs = []
    for source in dict.fromkeys(card.source for card in cards):
        counts = [t(f"{game}.count.{card.name}", n=card.count) for card in cards if card.source == source]
        text = t(f"{game}.source.{source}", cards=t(f"{game}.and").join(counts))
        paragraphs.append(h("p", {"key": source}, text))
    return paragraphs
