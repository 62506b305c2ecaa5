"""Razzia!: the contents of the box, its options, and the values for scoring."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Refused
from engine.options import Card, Choice, Deck, Option

# Kinds of card. 0 marks an empty slot of the row. The kinds with the black cross come first.
EMPTY = 0
RING, WATCH, BROOCH, NECKLACE, DIAMOND = JEWELS = range(1, 6)
COIN, THIEF, DRIVER, CAR, BODYGUARD = range(6, 11)
CASINO, TRANSPORT, FILM, RACETRACK, ESTATE, NIGHTCLUB, RESTAURANT = BUSINESSES = range(11, 18)
POLICE = 18
KINDS = range(1, 19)
LOOT = range(1, 18)

CARDS = (
    Card("ring", 4, "sheet"),
    Card("watch", 4, "sheet"),
    Card("brooch", 4, "sheet"),
    Card("necklace", 4, "sheet"),
    Card("diamond", 4, "sheet"),
    Card("coin", 3, "sheet"),
    Card("thief", 6, "sheet"),
    Card("driver", 10, "sheet"),
    Card("car", 16, "sheet"),
    Card("bodyguard", 16, "sheet"),
    Card("casino", 4, "sheet"),
    Card("transport", 4, "sheet"),
    Card("film", 4, "sheet"),
    Card("racetrack", 4, "sheet"),
    Card("estate", 4, "sheet"),
    Card("nightclub", 4, "sheet"),
    Card("restaurant", 4, "sheet"),
    Card("police", 21, "sheet"),
)
NAMES = {kind: card.name for kind, card in zip(KINDS, CARDS, strict=True)}

# Cards with the black cross leave the game after each scoring. The sheet says that businesses stay; the rest was found
# in other sources.
CROSSED = range(RING, DRIVER + 1)

SLOTS = 7
ROUNDS = 3
CENTRE = 1  # the cheque that is in the centre at the beginning

# The cheques of each hand, by number of players. The hands are dealt to the seats at random.
HANDS: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((2, 5, 6, 9), (3, 4, 7, 8)),
    3: ((2, 5, 8, 13), (3, 6, 9, 12), (4, 7, 10, 11)),
    4: ((2, 6, 13), (3, 7, 12), (4, 8, 11), (5, 9, 10)),
    5: ((2, 7, 16), (3, 8, 15), (4, 9, 14), (5, 10, 13), (6, 11, 12)),
}
HIGHEST = 16


def raid_at(seats: int) -> int:
    """Returns the number of police cards that bring the raid."""
    return 5 if seats == 2 else 7


def check_deck(deck: dict[str, int], seats: int) -> None:
    """Raises `Refused` for an empty deck. Any other deck can be played: the game ends when no card is left."""
    if not any(deck.values()):
        raise Refused("razzia.deck.empty")


OPTIONS: tuple[Option, ...] = (
    Choice("thief_takes_thief", ("allowed", "forbidden")),
    Choice("empty_auction", ("allowed", "forbidden")),
    Choice("tie", ("shared", "highest_cheque")),
    Choice("spent_cheques", ("shown", "hidden")),  # only changes what the page shows
    Choice("piles", ("two", "one")),  # only changes what the page shows
    Deck("deck", CARDS, check_deck),
)

# Scoring. A family is the number of cards by kind. Every function returns the points of each seat.
Family = tuple[int, ...]
Points = list[int]

JEWEL_POINTS = (-5, 0, 0, 5, 10, 15)
DIFFERENT_POINTS = (0, 1, 2, 3, 4, 5, 6, 10)
SAME_POINTS = (0, 0, 0, 5, 10)


def most_and_least(numbers: Sequence[int], most: int, least: int) -> Points:
    """Returns `most` for every highest number and `least` for every lowest one, 0 for all if they are equal."""
    high, low = max(numbers), min(numbers)
    if high == low:
        return [0] * len(numbers)
    return [most if number == high else least if number == low else 0 for number in numbers]


def thieves(families: Sequence[Family]) -> Points:
    return [2 * family[THIEF] for family in families]


def coins(families: Sequence[Family]) -> Points:
    return [3 * family[COIN] for family in families]


def bodyguards(families: Sequence[Family]) -> Points:
    return most_and_least([family[BODYGUARD] for family in families], 5, -2)


def cars(families: Sequence[Family]) -> Points:
    """Returns 1 for each car and driver. Without a driver, cars count nothing."""
    return [family[DRIVER] and family[DRIVER] + family[CAR] for family in families]


def jewels(families: Sequence[Family]) -> Points:
    return [JEWEL_POINTS[len(JEWELS) - family[RING:COIN].count(0)] for family in families]


def different(families: Sequence[Family]) -> Points:
    return [DIFFERENT_POINTS[len(BUSINESSES) - family[CASINO:POLICE].count(0)] for family in families]


def same(families: Sequence[Family]) -> Points:
    """Returns 5 for three of a kind, or 10 for four of a kind (or more, in a house deck)."""
    return [sum([SAME_POINTS[min(count, 4)] for count in family[CASINO:POLICE]]) for family in families]


def cheques(hands: Sequence[tuple[int, ...]]) -> Points:
    """Returns +5 for the highest sum of own cheques (open and spent), -5 for the lowest."""
    return most_and_least([sum(hand) for hand in hands], 5, -5)
