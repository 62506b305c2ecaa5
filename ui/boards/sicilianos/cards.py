"""The things on the table of sicilianos as nodes and in words: family cards and backs, businesses, notes, dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial

from engine.notation import UNKNOWN
from engine.sicilianos.box import (
    BODYGUARD,
    BOMB,
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    FACE_NAMES,
    KIND_NAMES,
    NOTES,
    TRAITOR,
    VALUE,
    Business,
    Money,
    colour_of,
)
from engine.values import Amount, CardOf, TypedValue
from ui.boards import game_word
from ui.boards.kit.lines import InWords
from ui.html.parts import for_screen_readers, icon, symbol
from ui.html.tree import Attr, Node, fixed, h
from ui.text.i18n import Texts, Value

CREST_ICONS = dict(zip(COLOURS, ("lion", "octopus", "scorpion", "raven", "swan", "snake"), strict=True))
SPECIAL_ICONS = {BODYGUARD: "static-guard", BOMB: "unlit-bomb", TRAITOR: "double-face-mask"}
SHOP_ICONS = ("shop", "amphora", "hot-meal", "soap")  # by kind; 0 is a kind the viewer may not know
INFLUENCE_ICONS = ("", "card-draw", "magnifying-glass", "robber")


def family_class(colour: int) -> str:
    """Returns the CSS class that gives an element its family's colour."""
    return f"f-{COLOUR_NAMES[colour - 1]}"


def crest(colour: int) -> Node:
    return icon(CREST_ICONS[colour], "crest")


@cache
def badge(colour: int) -> Node:
    """Draws a family's colour and animal; hidden from screen readers."""
    return fixed(h("span.badge", {"class": family_class(colour), "aria-hidden": True}, crest(colour)))


# Names


def family_name(t: Texts, colour: int) -> str:
    return t(f"sicilianos.family.{COLOUR_NAMES[colour - 1]}")


def card_name(t: Texts, card: int) -> str:
    """Returns the name of a card ("Yellow 8") or of a back ("Yellow card")."""
    name = COLOUR_NAMES[COLOUR[card] - 1]
    return t(f"sicilianos.card.{name}-{VALUE[card]}") if card > 0 else t(f"sicilianos.back.{name}")


def business_name(t: Texts, business: Business) -> str:
    colour, kind = business
    name = COLOUR_NAMES[colour - 1]
    return t(f"sicilianos.card.{name}-{KIND_NAMES[kind - 1]}") if kind else t(f"sicilianos.closed.{name}")


def joined_words(t: Texts, words: Iterable[str]) -> str:
    return t("sicilianos.and").join(words)


def hand_in_words(t: Texts, cards: Sequence[int]) -> str:
    """Returns the number of cards of each family: "2 yellow, 1 red"."""
    held = list(map(colour_of, cards))
    parts = [
        t(f"sicilianos.count.{COLOUR_NAMES[colour - 1]}", n=held.count(colour)) for colour in COLOURS if colour in held
    ]
    return joined_words(t, parts) or t("sicilianos.none")


def money_in_words(t: Texts, money: Money) -> str:
    """Returns the number of notes of each value: "2 of 5, 1 of 50"."""
    parts = [t("sicilianos.notes.of", n=count, value=value) for value, count in zip(NOTES, money, strict=True) if count]
    return joined_words(t, parts) or t("sicilianos.none")


# Nodes


def face(t: Texts, card: int, attrs: dict[str, Attr] | None = None) -> Node:
    """Draws a family card, face up. Screen readers read its name and its special ability."""
    name = card_name(t, card)
    if VALUE[card] in SPECIAL_ICONS:
        name = t("sicilianos.special", card=name, what=t(f"sicilianos.value.{VALUE[card]}"))
    return h(
        "span.family-card",
        {"class": family_class(COLOUR[card]), "role": "img", "aria-label": name, **(attrs or {})},
        _face(t, COLOUR[card], VALUE[card]),
    )


@lru_cache(maxsize=200)
def _face(t: Texts, colour: int, value: int) -> Node:
    special = SPECIAL_ICONS.get(value)
    word = t(f"sicilianos.value.{value}") if special else family_name(t, colour)
    return fixed(
        h(
            "span.face",
            {"aria-hidden": True},
            h("span.head", None, h("b", None, t.number(value)), crest(colour)),
            h("i.letter", None, t(f"sicilianos.letter.{COLOUR_NAMES[colour - 1]}")),
            h("span.drawing", {"class": "special" if special else None}, icon(special) if special else crest(colour)),
            h("span.foot", {"class": "special" if special else None}, word),
        )
    )


@cache
def back(colour: int) -> Node:
    """Draws a family card's back: its colour and animal; hidden from screen readers."""
    return fixed(h("span.family-back", {"class": family_class(colour), "aria-hidden": True}, crest(colour)))


def back_with(colour: int, attrs: dict[str, Attr]) -> Node:
    """Draws a back with attributes of its own, such as those of a moving card or a label."""
    return h("span.family-back", {"class": family_class(colour), **attrs}, crest(colour))


@lru_cache(maxsize=60)
def business(t: Texts, colour: int, kind: int) -> Node:
    """Draws a business. `kind` is 0 if the viewer may not know it."""
    name = business_name(t, (colour, kind))
    word = t(f"sicilianos.kind.{KIND_NAMES[kind - 1]}") if kind else ""
    return h(
        "span.business",
        {"class": family_class(colour), "role": "img", "aria-label": name},
        h("span.head", {"aria-hidden": True}, crest(colour)),
        h("span.drawing", {"aria-hidden": True}, icon(SHOP_ICONS[kind])),
        h("span.foot", {"aria-hidden": True}, word),
    )


@lru_cache(maxsize=200)
def banknote(t: Texts, value: int, state: str) -> Node:
    """Draws a note, hidden from screen readers. `state` is "dirty", "clean", or "down" (its value is hidden)."""
    number = h("b", None, t.number(value) if value else t("sicilianos.open"))
    return fixed(h("span.slip", {"class": state, "aria-hidden": True}, symbol("guilloche", "0 0 100 50"), number))


def colour_die(t: Texts, colour: int) -> Node:
    return h("span.cube", {"class": family_class(colour)}, crest(colour), for_screen_readers(family_name(t, colour)))


def influence_die(t: Texts, effect: int) -> Node:
    word = t(f"sicilianos.card.{FACE_NAMES[effect - 1]}")
    return h("span.cube.influence", None, icon(INFLUENCE_ICONS[effect]), h("b", None, word))


# Values for lines of the log


def family_names(t: Texts, colours: Iterable[int]) -> str:
    return joined_words(t, (family_name(t, colour) for colour in colours))


def business_names(t: Texts, owned: Iterable[Business]) -> str:
    return joined_words(t, (business_name(t, each) for each in owned)) or t("sicilianos.none")


FamilyName = partial(InWords, family_name)
FamilyNames = partial(InWords, family_names)
CardName = partial(InWords, card_name)
BusinessNames = partial(InWords, business_names)


def say_value(value: TypedValue) -> Value:
    """Returns a value of a refusal as the board writes it: notes as they are printed, cards by family and number."""
    match value:
        case Amount(int(note)):
            return note
        case CardOf(int(card)):
            return CardName(card) if card else UNKNOWN
        case _:
            return game_word("sicilianos", value.plain, "family", "kind")
