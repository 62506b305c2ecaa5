"""The cards of thieves as nodes and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache, partial

from engine.notation import UNKNOWN
from engine.thieves.box import (
    ACTIONS,
    ALARM,
    AT_END,
    CARS,
    DOUBLE_LOOT,
    GETAWAY,
    HORSESHOE,
    KINDS,
    MONEY,
    NAMES,
    POLICE,
    RING,
    ROADBLOCK,
    THIEF,
    TWO_CARS,
)
from engine.values import TypedValue
from ui.boards import game_word
from ui.boards.kit.lines import InWords
from ui.html.parts import back, icon, symbol
from ui.html.tree import Attr, Node, fixed, h
from ui.text.i18n import Ref, Texts, Value

#: the CSS class for the colour of each kind
COLOURS = {
    **dict.fromkeys(MONEY, "coin"),
    **dict.fromkeys(POLICE, "police"),
    **dict.fromkeys(ACTIONS, "guard"),
    GETAWAY: "auto",
    RING: "jewel",
    HORSESHOE: "biz",
}
#: the icon of each kind; money shows its number where only one of both has room
ICONS = {
    **dict.fromkeys(MONEY, "banknote"),
    **dict.fromkeys(POLICE, "police-car"),
    HORSESHOE: "horseshoe",
    ALARM: "ringing-alarm",
    ROADBLOCK: "barrier",
    THIEF: "robber",
    DOUBLE_LOOT: "swap-bag",
}
SYMBOLS = {GETAWAY: "car", RING: "ring"}
ICON_TWICE = (TWO_CARS, DOUBLE_LOOT)


@cache
def kind_icon(kind: int) -> Node:
    """Draws the icon of a kind once, also for kinds whose cards show it twice."""
    return symbol(SYMBOLS[kind]) if kind in SYMBOLS else icon(ICONS[kind])


def kind_name(t: Texts, kind: int) -> str:
    return t(f"thieves.card.{NAMES[kind]}")


def with_article(t: Texts, kind: int) -> str:
    """Returns the card's name with its article, for the middle of a sentence: "the ring"."""
    return t(f"thieves.the.{NAMES[kind]}")


def printed_number(t: Texts, kind: int) -> str:
    """Returns the number on the card: its money or its police cars; empty for other kinds."""
    if kind in MONEY:
        return t.number(AT_END[kind])
    return t.number(CARS[kind]) if kind in POLICE else ""


def face(t: Texts, kind: int, attrs: dict[str, Attr] | None = None) -> Node:
    """Draws a card, face up."""
    return _face(t, kind) if attrs is None else h("div.card", {**_label_attrs(t, kind), **attrs}, _front(t, kind))


@lru_cache(maxsize=100)
def _face(t: Texts, kind: int) -> Node:
    return face(t, kind, {})


#: the attributes of a card inside a control whose label names it already
UNLABELLED: dict[str, Attr] = {"role": None, "aria-label": None, "aria-hidden": True}


@lru_cache(maxsize=100)
def unlabelled_card(t: Texts, kind: int, *, face_up: bool) -> Node:
    """Draws a card face up or face down, hidden from screen readers."""
    return face(t, kind, UNLABELLED) if face_up else _back(t, kind, UNLABELLED)


def _label_attrs(t: Texts, kind: int) -> dict[str, Attr]:
    money = " money" if kind in MONEY else ""
    return {"class": COLOURS[kind] + money, "role": "img", "aria-label": kind_name(t, kind)}


@lru_cache(maxsize=100)
def _front(t: Texts, kind: int) -> Node:
    drawing = h(
        "span.drawing",
        {"class": "twice" if kind in ICON_TWICE else None},
        *[kind_icon(kind)] * (1 + (kind in ICON_TWICE)),
    )
    corner = printed_number(t, kind) if kind in MONEY else t(f"thieves.letter.{NAMES[kind]}")
    return fixed(
        h(
            "div.face",
            {"aria-hidden": True},
            h("span.band"),
            h("span.corner", None, corner),
            drawing,
            h("span.rule"),
            h("span.card-name", None, t(f"thieves.short.{NAMES[kind]}")),
        )
    )


@lru_cache(maxsize=100)
def face_down(t: Texts, kind: int) -> Node:
    """Draws a card that lies face down: its back, with its icon if the viewer knows it (`kind` is not 0)."""
    name = t("thieves.remembered", card=kind_name(t, kind)) if kind else t("thieves.hidden")
    return _back(t, kind, {"role": "img", "aria-label": name})


def _back(t: Texts, kind: int, attrs: dict[str, Attr]) -> Node:
    if not kind:
        return h("span.down", attrs, back())
    mark = h("b", None, printed_number(t, kind)) if kind in MONEY else kind_icon(kind)
    return h("span.down", attrs, back(), h("span.peek", {"class": COLOURS[kind], "aria-hidden": True}, mark))


@lru_cache(maxsize=100)
def tiny_card(t: Texts, kind: int) -> Node:
    """Draws a card at its smallest size, hidden from screen readers."""
    mark = h("b", None, printed_number(t, kind)) if kind in MONEY else kind_icon(kind)
    return fixed(h("span.chit", {"class": COLOURS[kind], "aria-hidden": True}, mark))


def count_by_kind(t: Texts, kinds: Iterable[int]) -> str:
    """Returns the number of cards of each kind in words, such as "2 × money 1, 1 ring"."""
    held = Counter(kinds)
    parts = [t(f"thieves.count.{NAMES[kind]}", n=held[kind]) for kind in KINDS if held[kind]]
    return t("thieves.and").join(parts) or t("thieves.none")


def with_article_if_known(t: Texts, kind: int) -> str:
    """Returns the card's name with its article. `kind` is 0 if the card may not be named."""
    return with_article(t, kind) if kind else t("thieves.the.hidden")


#: values of a line in the log: several cards; a card with its article, 0 if it may not be named
CardCounts = partial(InWords, count_by_kind)
CardWithArticle = partial(InWords, with_article_if_known)


def say_value(value: TypedValue) -> Value:
    """Returns a value of a refusal as the board writes it: cards by their names."""
    return Ref("thieves.hidden") if value.plain == UNKNOWN else game_word("thieves", value.plain)
