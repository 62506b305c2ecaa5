"""Drawings of razzia's cards and cheques, and the words for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from engine.razzia.box import (
    BODYGUARD,
    BUSINESSES,
    CAR,
    COIN,
    DRIVER,
    ESTATE,
    JEWELS,
    KINDS,
    NAMES,
    POLICE,
    THIEF,
    Family,
)
from engine.values import Amount, TypedValue
from ui.boards import game_word
from ui.boards.kit.lines import InWords
from ui.html.parts import card, cheque, symbol
from ui.html.tree import Attr, Node, h
from ui.text.i18n import Money, Texts, Value

#: the drawing of each kind
SYMBOLS = {
    **{kind: NAMES[kind] for kind in KINDS},
    THIEF: "mask",
    DRIVER: "cap",
    BODYGUARD: "fist",
    ESTATE: "realestate",
    POLICE: "badge",
}
#: the colour of each kind, as a class
COLOURS = {
    **dict.fromkeys(JEWELS, "jewel"),
    **dict.fromkeys(BUSINESSES, "biz"),
    COIN: "coin",
    THIEF: "thief",
    DRIVER: "auto",
    CAR: "auto",
    BODYGUARD: "guard",
    POLICE: "police",
}
#: the kinds of cards in a family, in display order; those that are scored together form a group
GROUPS: dict[str, tuple[int, ...]] = {
    "jewels": tuple(JEWELS),
    "coins": (COIN,),
    "bodyguards": (BODYGUARD,),
    "thieves": (THIEF,),
    "businesses": tuple(BUSINESSES),
    "cars": (CAR, DRIVER),
}
FAMILY_ORDER = tuple(kind for kinds in GROUPS.values() for kind in kinds)


def kind_name(t: Texts, kind: int) -> str:
    return t(f"razzia.card.{NAMES[kind]}")


def face(t: Texts, kind: int, attrs: dict[str, Attr] | None = None) -> Node:
    """A card, face up. Without attributes its node is cached."""
    if attrs is None:
        return _face(t, kind)
    return card(
        COLOURS[kind], SYMBOLS[kind], t(f"razzia.letter.{COLOURS[kind]}.{NAMES[kind]}"), kind_name(t, kind), attrs
    )


@lru_cache(maxsize=200)
def _face(t: Texts, kind: int) -> Node:
    return face(t, kind, {})


@lru_cache(maxsize=200)
def tile(kind: int) -> Node:
    """The smallest form of a card: its drawing on its colour, hidden from screen readers."""
    return h("span.tile", {"class": COLOURS[kind], "aria-hidden": True}, symbol(SYMBOLS[kind]))


def count_by_kind(cards: Iterable[int]) -> Family:
    """Returns how many cards there are of each kind, in the form of a family."""
    numbers = [0] * (POLICE + 1)
    for kind in cards:
        numbers[kind] += 1
    return tuple(numbers)


def family_in_words(t: Texts, family: Sequence[int]) -> str:
    """Returns a family in words: "2 rings, 1 thief"."""
    parts = [t(f"razzia.count.{NAMES[kind]}", n=family[kind]) for kind in FAMILY_ORDER if family[kind]]
    return t("razzia.and").join(parts) or t("razzia.none")


def names_in_words(t: Texts, kinds: Iterable[int]) -> str:
    """Returns the names of cards, in the given order: "Watch, car"."""
    return t("razzia.and").join(t(f"razzia.the.{NAMES[kind]}") for kind in kinds)


def cheques_in_words(t: Texts, values: Iterable[int]) -> str:
    """Returns cheques in words: "3,000, 11,000"."""
    return t("razzia.and").join(map(t.money, values))


def serial(t: Texts, value: int) -> str:
    return t("razzia.serial", number=f"{value:02}")


def small_cheque(
    t: Texts, value: int, state: str = "", fly: str | None = None, extra_attrs: tuple[tuple[str, Attr], ...] = ()
) -> Node:
    """A cheque among others: thousands only, hidden from screen readers. Beside all of them stand words for them."""
    attrs: dict[str, Attr] = {"aria-hidden": True, "data-fly": fly, "key": value, **dict(extra_attrs)}
    return cheque(t.number(value), serial(t, value), attrs, state)


@lru_cache(maxsize=20)
def face_down(number: int) -> Node:
    """A spent cheque, face down, by house rule."""
    return h("span.chq.spent.down", {"aria-hidden": True, "key": f"down-{number}"}, symbol("guilloche", "0 0 100 50"))


#: values of a line: cards, counted by kind; the names of cards; cheques
CardCounts = partial(InWords, family_in_words)
CardNames = partial(InWords, names_in_words)
ChequeSums = partial(InWords, cheques_in_words)


def say_value(value: TypedValue) -> Value:
    """Returns a value of a refusal as the board writes it: cheques are printed in thousands."""
    match value:
        case Amount(int(thousands)):
            return Money(thousands)
        case _:
            return game_word("razzia", value.plain)
