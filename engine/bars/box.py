"""Razzia by Stefan Dorra: the contents of the box, the part that is played with, and the options."""

from __future__ import annotations

from functools import lru_cache

from engine.core import Refused
from engine.options import Card, Choice, Deck, Option

# The bars in the order of the board. 0 means no bar.
COLIBRI, COTTON_CLUB, HAVANNA, JUNGLE, LINCOLN, JAZZ_HOUSE = ALL_BARS = range(1, 7)
BAR_NAMES = dict(zip(ALL_BARS, ("colibri", "cotton_club", "havanna", "jungle", "lincoln", "jazz_house"), strict=True))

GAMBLER_NUMBERS = range(1, 7)
RAID_NUMBERS = range(3, 7)
FACES = (*((number, False) for number in GAMBLER_NUMBERS), *((number, True) for number in RAID_NUMBERS))
TWICE = ((3, False), (4, False))  # the full box has two of these gamblers for each bar

# Every card has its own number: a kind, kind + KINDS for the second card of the kind, kind + 2 * KINDS for the third, …
# A kind is a bar and a face: 1 to 10 are the gamblers and raids of the Colibri, 11 to 20 those of the Cotton Club, …
KINDS = len(ALL_BARS) * len(FACES)
MOST_OF_A_KIND = 9
CARDS_KNOWN = range(1, KINDS * MOST_OF_A_KIND + 1)

_KINDS = [(bar, number, raid) for bar in ALL_BARS for number, raid in FACES]
BAR = (0, *(bar for bar, _, _ in _KINDS * MOST_OF_A_KIND))  # by card; 0 is a hidden card
NUMBER = (0, *(number for _, number, _ in _KINDS * MOST_OF_A_KIND))
RAID = (False, *(raid for _, _, raid in _KINDS * MOST_OF_A_KIND))


def card(bar: int, number: int, *, raid: bool = False, copy: int = 0) -> int:
    """Returns the gambler or the raid of that number. `copy` 1 is the second card of its kind."""
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

# Notes, in thousands. The values are on the sheet. The counts keep the share of every value in a game of three players.
SMALL_NOTES, LARGE_NOTES = (5, 10, 15, 20), (25, 30, 40, 50)
NOTE_VALUES = SMALL_NOTES + LARGE_NOTES
NOTES = tuple(Card(str(value), 14 if value in SMALL_NOTES else 7, "house") for value in NOTE_VALUES)

HAND = 5
FEW_SEATS, MANY_SEATS = 3, 7  # up to FEW_SEATS and from MANY_SEATS on, another part of the box is used


def bars(seats: int) -> int:
    """Returns the number of bars: with three players the last two are not used."""
    return 4 if seats == FEW_SEATS else 6


@lru_cache(maxsize=32)
def cards_in_play(counts: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Returns the cards that are played with, ascending. `counts` is the number of cards of each kind in the box.

    Seven and eight players use the whole box. Fewer players play without the raids 5 and without one gambler 3 and one
    gambler 4 of each bar; three players also without the cards of the last two bars.
    """
    cards: list[int] = []
    for kind, count in enumerate(counts, 1):
        if seats < MANY_SEATS:
            if RAID[kind] and NUMBER[kind] == 5:
                count = 0
            elif (NUMBER[kind], RAID[kind]) in TWICE:
                count -= 1
        if BAR[kind] <= bars(seats):
            cards += [kind + copy * KINDS for copy in range(count)]
    return tuple(sorted(cards))


@lru_cache(maxsize=32)
def notes_in_play(counts: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Returns the notes that are played with, ascending.

    Three players play without two notes of each small value and one of each large value.
    """
    notes: list[int] = []
    for value, count in zip(NOTE_VALUES, counts, strict=True):
        unused = (2 if value in SMALL_NOTES else 1) if seats == FEW_SEATS else 0
        notes += [value] * (count - unused)
    return tuple(notes)


def check_cards(deck: dict[str, int], seats: int) -> None:
    """Raises `Refused` for a deck with fewer than five cards for each player.

    With that many, no deal can run out of cards: later deals only fill up hands of four.
    """
    cards, needed = len(cards_in_play(tuple(deck.values()), seats)), HAND * seats
    if cards < needed:
        raise Refused("bars.cards.too_few", cards=cards, needed=needed, players=seats)


def check_notes(deck: dict[str, int], seats: int) -> None:
    """Raises `Refused` for fewer notes than a whole night needs: one for each bar and the dealer's extra note."""
    notes, needed = len(notes_in_play(tuple(deck.values()), seats)), bars(seats) + 1
    if notes < needed:
        raise Refused("bars.notes.too_few", notes=notes, needed=needed, players=seats)


OPTIONS: tuple[Option, ...] = (
    Choice("first_dealer", ("lot", "chosen")),
    Choice("short_night", ("played", "left_out")),
    Choice("replies", ("open", "secret")),
    Choice("money", ("open", "hidden")),  # only changes what the page shows
    Choice("extra_note", ("open", "face_down")),
    Deck("cards", CARDS, check_cards, most=MOST_OF_A_KIND),
    Deck("notes", NOTES, check_notes),
)
