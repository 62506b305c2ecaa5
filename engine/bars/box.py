"""Razzia by Stefan Dorra: what is in the box, and which of it is played with."""

from __future__ import annotations

from functools import lru_cache

from engine.core import Refused
from engine.options import Card, Choice, Deck, Option

# The bars in the order of the board. 0 is no bar.
COLIBRI, COTTON_CLUB, HAVANNA, JUNGLE, LINCOLN, JAZZ_HOUSE = ALL_BARS = range(1, 7)
BAR_NAMES = dict(zip(ALL_BARS, ("colibri", "cotton_club", "havanna", "jungle", "lincoln", "jazz_house"), strict=True))

GAMBLER_NUMBERS = range(1, 7)
RAID_NUMBERS = range(3, 7)
FACES = (*((number, False) for number in GAMBLER_NUMBERS), *((number, True) for number in RAID_NUMBERS))
TWICE = ((3, False), (4, False))  # of these gamblers the full box has two of each colour

# Every card is an object of its own: kind + KINDS for the second of a kind, kind + 2 * KINDS for the third…
# A kind is a bar and a face: 1 to 10 the Colibri's gamblers and raids, 11 to 20 the Cotton Club's, and so on.
KINDS = len(ALL_BARS) * len(FACES)
MOST_OF_A_KIND = 9
CARDS_KNOWN = range(1, KINDS * MOST_OF_A_KIND + 1)

_KINDS = [(bar, number, raid) for bar in ALL_BARS for number, raid in FACES]
BAR = (0, *(bar for bar, _, _ in _KINDS * MOST_OF_A_KIND))  # by card; 0 for a card nobody sees
NUMBER = (0, *(number for _, number, _ in _KINDS * MOST_OF_A_KIND))
RAID = (False, *(raid for _, _, raid in _KINDS * MOST_OF_A_KIND))


def card(bar: int, number: int, *, raid: bool = False, copy: int = 0) -> int:
    """The gambler or the raid of that number; `copy` 1 is the second of its kind."""
    return (bar - 1) * len(FACES) + FACES.index((number, raid)) + 1 + copy * KINDS


def _name(bar: int, number: int, *, raid: bool) -> str:
    return f"{BAR_NAMES[bar]}-{'raid-' if raid else ''}{number}"


KIND_NAMES = tuple(_name(bar, number, raid=raid) for bar, number, raid in _KINDS)
COPIES = ("", *"bcdefghi")  # colibri-3, colibri-3b
CARD_NAMES = dict(zip(CARDS_KNOWN, (name + copy for copy in COPIES for name in KIND_NAMES), strict=True))

CARDS = tuple(
    Card(name, 2 if (number, raid) in TWICE else 1, "found")
    for name, (_, number, raid) in zip(KIND_NAMES, _KINDS, strict=True)
)

# Notes, in thousands. The values are on the sheet; the counts keep every value's share when three players play.
SMALL_NOTES, LARGE_NOTES = (5, 10, 15, 20), (25, 30, 40, 50)
NOTE_VALUES = SMALL_NOTES + LARGE_NOTES
NOTES = tuple(Card(str(value), 14 if value in SMALL_NOTES else 7, "house") for value in NOTE_VALUES)

HAND = 5
FEW_SEATS, MANY_SEATS = 3, 7  # from here down and up the box is another


def bars(seats: int) -> int:
    """How many bars are open: with three players the last two leave."""
    return 4 if seats == FEW_SEATS else 6


@lru_cache(maxsize=32)
def cards_in_play(counts: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """The cards played with, ascending, of a box with so many of each kind.

    Seven and eight players use the whole box. Below that the raids 5 leave, and of each colour one gambler 3 and one 4;
    with three players also all cards of the last two bars.
    """
    found: list[int] = []
    for kind, count in enumerate(counts, 1):
        if seats < MANY_SEATS:
            if RAID[kind] and NUMBER[kind] == 5:
                count = 0
            elif (NUMBER[kind], RAID[kind]) in TWICE:
                count -= 1
        if BAR[kind] <= bars(seats):
            found += [kind + copy * KINDS for copy in range(count)]
    return tuple(sorted(found))


@lru_cache(maxsize=32)
def notes_in_play(counts: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """The notes played with, ascending: with three players two of each small and one of each large value leave."""
    found: list[int] = []
    for value, count in zip(NOTE_VALUES, counts, strict=True):
        leave = (2 if value in SMALL_NOTES else 1) if seats == FEW_SEATS else 0
        found += [value] * (count - leave)
    return tuple(found)


def check_cards(deck: dict[str, int], seats: int) -> None:
    """Five cards for everyone: with as many no deal can ever run dry, as hands are down to four when cards are due."""
    cards, needed = len(cards_in_play(tuple(deck.values()), seats)), HAND * seats
    if cards < needed:
        raise Refused("bars.cards.too_few", cards=cards, needed=needed, players=seats)


def check_notes(deck: dict[str, int], seats: int) -> None:
    """At least one whole night: a note for each bar and the dealer's extra one."""
    notes, needed = len(notes_in_play(tuple(deck.values()), seats)), bars(seats) + 1
    if notes < needed:
        raise Refused("bars.notes.too_few", notes=notes, needed=needed, players=seats)


OPTIONS: tuple[Option, ...] = (
    Choice("first_dealer", ("lot", "chosen")),
    Choice("short_night", ("played", "left_out")),
    Choice("replies", ("open", "secret")),
    Choice("money", ("open", "hidden")),  # a matter of the screen
    Choice("extra_note", ("open", "face_down")),
    Deck("cards", CARDS, check_cards, most=MOST_OF_A_KIND),
    Deck("notes", NOTES, check_notes),
)
