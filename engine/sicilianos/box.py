"""Sicilianos: the contents of the box, its options, and the values for scoring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product

from engine.core import Refused
from engine.options import Card, Choice, Deck, Option, Options, Rules

# The families, in the circle that the targets of the bombs are counted in. 0 means no family.
YELLOW, BLUE, RED, BLACK, WHITE, GREEN = COLOURS = range(1, 7)
COLOUR_NAMES = ("yellow", "blue", "red", "black", "white", "green")

# A card is a number, 1-66: yellow-1 to yellow-11, blue-1 to blue-11, … A card of which only the back is known is minus
# its colour, so that -BLUE means "some blue card".
VALUES = range(1, 12)
BODYGUARD, BOMB, TRAITOR = 1, 5, 8
TURNED = 4  # the value of a traitor for the partner family
CARDS = range(1, len(COLOURS) * len(VALUES) + 1)

# Indexed by card. The backs are at the end, where their negative numbers point.
COLOUR = (0, *((card - 1) // len(VALUES) + 1 for card in CARDS), *reversed(COLOURS))
colour_of = COLOUR.__getitem__
BACKS = range(-len(COLOURS), 0)
OF_COLOUR = tuple([frozenset([card for card in (*CARDS, *BACKS) if COLOUR[card] == colour]) for colour in range(7)])
VALUE = (0, *((card - 1) % len(VALUES) + 1 for card in CARDS), *(0 for _ in COLOURS))
PARTNER = (0, *((colour + 2) % len(COLOURS) + 1 for colour in COLOURS))  # mutual: yellow-black, blue-white, red-green


Cards = tuple[int, ...]


def without(cards: Cards, card: int) -> Cards:
    """Returns the cards with one of this kind removed."""
    rest = list(cards)
    rest.remove(card)
    return tuple(rest)


def with_card(cards: Cards, card: int) -> Cards:
    """Returns a hand with one card more. A hand is always sorted, so that a place in it gives no information."""
    more = [*cards, card]
    more.sort()
    return tuple(more)


def card_of(colour: int, value: int) -> int:
    return (colour - 1) * len(VALUES) + value


# Businesses and notes.
ANTIQUES, RESTAURANT, LAUNDRY = KINDS = range(1, 4)
KIND_NAMES = ("antiques", "restaurant", "laundry")
NOTES = (5, 10, 20, 40, 50)
EACH = 2  # notes of each value a player starts with
NOTES_IN_BOX = tuple(Card(f"note-{value}", 14, "sheet") for value in NOTES)

# The dice: a colour die has one face for each family, the influence die has these.
TWO, ONE, STEAL = FACES = range(1, 4)
FACE_NAMES = ("two", "one", "steal")

FIRST_HAND = 4
FULL_HAND = 10  # with so many cards a player must start a war


def _source(value: int) -> str:
    """Returns the source: the sheet has bodyguard and traitor, and implies one bomb a family; others have the rest."""
    return "sheet" if value in (BODYGUARD, TRAITOR) else "derived" if value == BOMB else "found"


FAMILY_CARDS = tuple(Card(f"{colour}-{value}", 1, _source(value)) for colour in COLOUR_NAMES for value in VALUES)
BUSINESS_CARDS = tuple(Card(f"{colour}-{kind}", 1, "derived") for colour in COLOUR_NAMES for kind in KIND_NAMES)
# The targets printed on a bomb: the families one, two and four places on in the circle.
TARGET_CARDS = tuple(
    Card(f"{COLOUR_NAMES[bomb]}-{COLOUR_NAMES[target]}", int((target - bomb) % len(COLOURS) in (1, 2, 4)), "house")
    for bomb in range(len(COLOURS))
    for target in range(len(COLOURS))
)
DIE_FACES = tuple(Card(name, 2, "house") for name in FACE_NAMES)


def check_deck(deck: dict[str, int], seats: int) -> None:
    """Raises `Refused` unless four families have a card for each player: else one may find no fourth colour to take."""
    counts = list(deck.values())
    sizes = [sum(counts[first : first + len(VALUES)]) for first in range(0, len(counts), len(VALUES))]
    large = sum(size >= seats for size in sizes)
    if large < FIRST_HAND:
        raise Refused("sicilianos.deck.families", families=large, need=FIRST_HAND, cards=seats)


def check_die(die: dict[str, int], seats: int) -> None:
    """Raises `Refused` for a die without a face that draws: no player could ever get another card."""
    if not die["two"] + die["one"]:
        raise Refused("sicilianos.die.draws_nothing")


def check_any(deck: dict[str, int], seats: int) -> None:
    """Allows everything: any number of businesses and any targets can be played with."""


OPTIONS: tuple[Option, ...] = (
    Choice("stake", ("hidden", "open")),
    Choice("lone_starter", ("wins", "nothing")),
    Choice("different", ("once", "sets")),
    Deck("deck", FAMILY_CARDS, check_deck, most=6),
    Deck("businesses", BUSINESS_CARDS, check_any, most=3),
    Deck("targets", TARGET_CARDS, check_any, most=1),
    Deck("die", DIE_FACES, check_die, most=6),
)


def options_of_version_1(options: Options) -> Options:
    """Returns present options. In version 1, several equal antiques of a player counted as one among the sets."""
    return {**options, "equal_antiques": "count_once"}


EARLIER: Mapping[int, Rules] = {1: Rules(OPTIONS, options_of_version_1)}

# Money: the notes a player holds, counted by value.
Money = tuple[int, ...]
NO_MONEY: Money = (0,) * len(NOTES)
FIRST_MONEY: Money = (EACH,) * len(NOTES)
_PLACE = {value: place for place, value in enumerate(NOTES)}


@lru_cache(4096)
def with_note(money: Money, value: int, count: int) -> Money:
    """Returns the money with `count` more notes of this value, or fewer if `count` is negative."""
    place = _PLACE[value]
    return (*money[:place], money[place] + count, *money[place + 1 :])


def worth(money: Money) -> int:
    return sum(count * value for count, value in zip(money, NOTES, strict=True))


@cache
def values_in(money: Money) -> tuple[int, ...]:
    """Returns the different values of the notes, the lowest first."""
    return tuple(value for count, value in zip(money, NOTES, strict=True) if count)


# Payday. A business is a pair (colour, kind).
Business = tuple[int, int]
DIFFERENT = 50
MOST = 100


def business_card(business: Business) -> int:
    """Returns the number of a business as a card of the box: they come after the family cards."""
    colour, kind = business
    return CARDS[-1] + (colour - 1) * len(KINDS) + kind


def different_sets(owned: Iterable[Business]) -> list[Business]:
    """Returns the businesses of the largest number of sets without a shared card.

    A set is one business of each kind, all of different colours.
    """
    return list(_different_sets(tuple(sorted(owned))))


@lru_cache(4096)  # the same rest is reached in many ways
def _different_sets(owned: tuple[Business, ...]) -> tuple[Business, ...]:
    """Tries all ways: the first antiques are in a set with a restaurant and a laundry, or in none."""
    antiques, restaurants, laundries = ([each for each in owned if each[1] == kind] for kind in KINDS)
    most = min(len(antiques), len(restaurants), len(laundries)) * len(KINDS)
    if not most:
        return ()
    best: tuple[Business, ...] = ()
    for second, third in product(dict.fromkeys(restaurants), dict.fromkeys(laundries)):
        chosen = (antiques[0], second, third)
        if len({colour for colour, _ in chosen}) == len(chosen):
            rest = list(owned)
            for business in chosen:
                rest.remove(business)
            best = max(best, chosen + _different_sets(tuple(rest)), key=len)
            if len(best) == most:
                return best  # more are impossible
    without_first = list(owned)
    without_first.remove(antiques[0])
    return max(best, _different_sets(tuple(without_first)), key=len)


def equal_antiques_once(owned: Sequence[Business]) -> list[Business]:
    """Returns the businesses with one of each antiques, as version 1 of the rules counted them for the sets."""
    counted = [business for business in owned if business[1] != ANTIQUES]
    return [*dict.fromkeys(business for business in owned if business[1] == ANTIQUES), *counted]


def alone_with_most(numbers: Iterable[int]) -> int:
    """Returns the place of the highest number, -1 if it occurs twice."""
    counts = list(numbers)
    high = max(counts)
    return counts.index(high) if counts.count(high) == 1 else -1
