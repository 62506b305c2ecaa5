"""Drawings of the cards, notes and dice of bars, and the words for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial

from engine.bars.box import (
    BAR,
    BAR_NAMES,
    COLIBRI,
    COTTON_CLUB,
    HAVANNA,
    JAZZ_HOUSE,
    JUNGLE,
    KIND_NAMES,
    KINDS,
    LINCOLN,
    NUMBER,
    RAID,
)
from engine.bars.table import Notes
from engine.notation import UNKNOWN
from engine.values import Amount, CardOf, TypedValue
from ui.boards import game_word
from ui.boards.kit.lines import InWords
from ui.html.parts import symbol
from ui.html.tree import Attr, Node, fixed, h
from ui.text.i18n import Texts, Value

SYMBOLS = {
    COLIBRI: "b-colibri",
    COTTON_CLUB: "b-cotton",
    HAVANNA: "b-havanna",
    JUNGLE: "b-jungle",
    LINCOLN: "b-lincoln",
    JAZZ_HOUSE: "b-jazz",
}
#: the places of the pips of a die, on a square of 100
PIPS = {
    1: ((50, 50),),
    2: ((28, 28), (72, 72)),
    3: ((28, 28), (50, 50), (72, 72)),
    4: ((28, 28), (72, 28), (28, 72), (72, 72)),
    5: ((28, 28), (72, 28), (50, 50), (28, 72), (72, 72)),
    6: ((28, 26), (72, 26), (28, 50), (72, 50), (28, 74), (72, 74)),
}
#: the numbers that a rolling die shows before its own
ROLL_FACES = (3, 6, 2, 5, 1, 4)


# Words


def bar_name(t: Texts, bar: int) -> str:
    return t(f"bars.bar.{BAR_NAMES[bar]}")


def card_name(t: Texts, card: int) -> str:
    """Returns the name of a card: "Jungle, raid 4". Equal cards have the same name."""
    return t(f"bars.card.{KIND_NAMES[(card - 1) % KINDS]}")


def rank(t: Texts, card: int) -> str:
    """Returns the name of a card without its bar: "raid 4"."""
    return t("bars.rank.raid" if RAID[card] else "bars.rank.gambler", number=NUMBER[card])


def notes_in_words(t: Texts, values: Iterable[int]) -> str:
    """Returns notes in words: "20, 15"."""
    return t("bars.and").join(map(t.number, values))


def laid_notes_in_words(t: Texts, notes: Iterable[tuple[int, int]]) -> str:
    """Returns notes with their bars in words. `notes` are pairs of bar and note."""
    return t("bars.and").join(t("bars.laid", bar=bar_name(t, bar), sum=t.number(note)) for bar, note in notes)


#: values of a line: a bar; a card without its bar; notes that were turned up
BarName = partial(InWords, bar_name)
CardRank = partial(InWords, rank)
LaidNotes = partial(InWords, laid_notes_in_words)


def say_value(value: TypedValue) -> Value:
    """Returns a value of a refusal as the board writes it: notes as they are printed, cards with their bar."""
    match value:
        case Amount(int(note)):
            return note
        case CardOf(int(card)):
            return game_word("bars", KIND_NAMES[(card - 1) % KINDS] if card else UNKNOWN)
        case _:
            return game_word("bars", value.plain, "bar")


# Cards


def by_bar(cards: Iterable[int]) -> list[int]:
    """Returns cards in the order of the bars, in each gamblers before raids."""
    return sorted(cards, key=lambda card: (BAR[card], RAID[card], NUMBER[card], card))


def bar_class(bar: int) -> str:
    """Returns the CSS class that gives an element the colour of its bar."""
    return f"bar-{BAR_NAMES[bar]}"


def face(t: Texts, card: int, attrs: dict[str, Attr] | None = None, label: str = "") -> Node:
    """A card, face up. Screen readers get `label` instead of its name, if it is given."""
    kind = f"{bar_class(BAR[card])} raid" if RAID[card] else bar_class(BAR[card])
    shown = {"class": kind, "role": "img", "aria-label": label or card_name(t, card), **(attrs or {})}
    return h(
        "div.card.bar-card",
        shown,
        _front(BAR[card], t.number(NUMBER[card]), t(_kind(card)), sign="" if RAID[card] else SYMBOLS[BAR[card]]),
    )


def _kind(card: int) -> str:
    return "bars.kind.raid" if RAID[card] else "bars.kind.gambler"


@cache
def _front(bar: int, number: str, name: str, *, sign: str) -> Node:
    """The front of a card. A gambler shows the sign of its bar, a raid the badge; both have the bar's in the corner."""
    return fixed(
        h(
            "div.face",
            {"aria-hidden": True},
            h("span.band"),
            h("span.corner", None, number),
            h("span.bar-sign", None, symbol(SYMBOLS[bar])),
            h("span.drawing", None, symbol(sign or "badge")),
            h("span.rule"),
            h("span.card-name", None, name),
        )
    )


# Notes


def bill(t: Texts, value: int, attrs: dict[str, Attr] | None = None, state: str = "") -> Node:
    """A note, hidden from screen readers. Words for it stand beside it."""
    return h(
        "span.chq.bill",
        {"class": state or None, "data-worth": value, "aria-hidden": True, **(attrs or {})},
        symbol("guilloche", "0 0 100 50"),
        h("b", None, t.number(value)),
    )


@lru_cache(maxsize=4)
def face_down(fly: str = "") -> Node:
    """A note, face down: the dealer's extra note with `fly` as its name, or the stock of notes."""
    attrs: dict[str, Attr] = {"aria-hidden": True, "data-fly": fly or None, "data-spot": fly or None}
    return h("span.chq.bill.down", attrs, symbol("rosette"))


def note_names(bar: int, notes: Sequence[int], *, staying: Sequence[int] = ()) -> list[str]:
    """Returns a name for each note of a bar, which stays with the note tonight, wherever it lies.

    Equal notes are numbered, and those that leave the bar last have the lowest numbers. So `gone` are the notes of the
    same bar that leave it after these, or not at all.
    """
    names: list[str] = []
    for place, value in enumerate(notes):
        names.append(f"n{bar}-{value}-{notes[:place].count(value) + staying.count(value)}")
    return names


def won_note_names(
    wins: Iterable[tuple[int, int, int, str, Notes]], lying: Sequence[Notes], seats: int
) -> list[list[tuple[str, int]]]:
    """Returns by seat the notes won tonight, with their names. `lying` are the notes that still lie on each bar."""
    won: list[list[tuple[str, int]]] = [[] for _ in range(seats)]
    staying: dict[int, list[int]] = {bar: list(notes) for bar, notes in enumerate(lying)}
    for _, bar, seat, _, notes in reversed(list(wins)):
        won[seat] += zip(note_names(bar, notes, staying=staying[bar]), notes, strict=True)
        staying[bar] += notes
    return won


# Dice


@cache
def die_face(number: int) -> Node:
    pips = [h("circle", {"cx": x, "cy": y, "r": 9}) for x, y in PIPS[number]]
    return fixed(h("svg", {"viewBox": "0 0 100 100", "aria-hidden": True}, pips))


def die(number: int, attrs: dict[str, Attr] | None = None) -> Node:
    """A die at rest."""
    return h("span.die", {"aria-hidden": True, **(attrs or {})}, die_face(number))


def rolling_die(number: int, key: str) -> Node:
    """A die that rolls before it shows its number."""
    faces = [h("span", {"key": n}, die_face(each)) for n, each in enumerate((*ROLL_FACES, number))]
    return h("span.die.rolls", {"aria-hidden": True, "key": key}, h("span.reel", None, faces))
