"""Thieves!: the contents of the box, its options, and the worth of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.core import Refused
from engine.options import Card, Choice, Deck, Option, Rules

# Kinds of card. 0 is a card that this viewer may not see.
GETAWAY = 1
NOTHING, ONE, TWO, THREE = MONEY = range(2, 6)
RING, HORSESHOE = range(6, 8)
ONE_CAR, TWO_CARS = POLICE = range(8, 10)
ALARM, ROADBLOCK, THIEF, DOUBLE_LOOT = ACTIONS = range(10, 14)
LOOT = range(NOTHING, HORSESHOE + 1)
KINDS = range(1, 14)

CARDS = (
    Card("getaway", 8, "sheet"),
    Card("money_0", 4, "house"),
    Card("money_1", 8, "house"),
    Card("money_2", 8, "house"),
    Card("money_3", 4, "house"),
    Card("ring", 1, "found"),
    Card("horseshoe", 1, "found"),
    Card("one_car", 6, "house"),
    Card("two_cars", 4, "house"),
    Card("alarm", 2, "house"),
    Card("roadblock", 2, "house"),
    Card("thief", 2, "house"),
    Card("double_loot", 2, "house"),
)
NAMES = {kind: card.name for kind, card in zip(KINDS, CARDS, strict=True)}

# By kind. A hidden card counts 0.
AT_RAID = (0, 0, 0, 1, 2, 3, 3, 1, 0, 0, 0, 0, 0, 0)
AT_END = (0, 0, 0, 1, 2, 3, 1, 3, 0, 0, 0, 0, 0, 0)
CARS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0)

DEALT = 3
HAND = 4
DOUBLE = 2
RAID_AT = 4  # police cars on the table
LAST_GETAWAY = 7
GEMS_TO_WIN = 7
GEMS_FIRST, GEMS_SECOND = 2, 1


def worth(kinds: Iterable[int], prices: tuple[int, ...]) -> int:
    """Returns the worth of these cards. `prices` is `AT_RAID` or `AT_END`."""
    return sum([prices[kind] for kind in kinds])


def check_deck(deck: dict[str, int], seats: int) -> None:
    """Raises `Refused` for a deck with too few getaways to end the game, police for a raid, or other cards to deal.

    Otherwise the deck cannot run out: all getaways are in it, and the seventh one drawn ends the game.
    """
    if deck["getaway"] < LAST_GETAWAY:
        raise Refused("thieves.deck.getaways", least=LAST_GETAWAY, cards=deck["getaway"])
    cars = deck["one_car"] + 2 * deck["two_cars"]
    if cars < RAID_AT:
        raise Refused("thieves.deck.police", least=RAID_AT, cars=cars)
    others = sum(deck.values()) - deck["getaway"]
    if others < DEALT * seats:
        raise Refused("thieves.deck.hands", least=DEALT * seats, cards=others)


OPTIONS: tuple[Option, ...] = (
    Choice("raid_tie", ("all", "fewest_cards", "nobody")),
    Choice("alarm", ("everyone", "others", "one_each")),
    Choice("shown_loot", ("turns_back", "stays_open")),
    Choice("own_loot", ("may_look", "by_memory")),  # only changes what the page shows
    Choice("thief", ("may_let_go", "must_take")),
    Choice("tie", ("shared", "fewest_cards", "last_raid")),
    Choice("match", ("one_game", "seven_gems")),
    Deck("deck", CARDS, check_deck),
)

#: version 1: a thief had to take something, unless a house rule allowed to let it go
EARLIER: Mapping[int, Rules] = {
    1: Rules(
        tuple(Choice("thief", ("must_take", "may_let_go")) if option.name == "thief" else option for option in OPTIONS)
    ),
}
