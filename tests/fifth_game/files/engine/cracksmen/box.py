"""Cracksmen: the contents of the box, and its option."""

from __future__ import annotations

from engine.core import Refused
from engine.options import Card, Deck, Option

TOOLS = range(1, 11)  # one of each; the highest tool of a night opens the safe
HAND = 3  # tools for each player, one for each night

# Kinds of safe, and their points
TILL, SAFE, VAULT = range(1, 4)
POINTS = {TILL: 1, SAFE: 2, VAULT: 4}
CARDS = (Card("till", 3, "house"), Card("safe", 2, "house"), Card("vault", 1, "house"))
NAMES = {kind: card.name for kind, card in enumerate(CARDS, 1)}


def check_deck(deck: dict[str, int], seats: int) -> None:
    """Raises `Refused` for a deck without a safe for each night."""
    safes = sum(deck.values())
    if safes < HAND:
        raise Refused("cracksmen.deck.too_few", least=HAND, safes=safes)


OPTIONS: tuple[Option, ...] = (Deck("deck", CARDS, check_deck),)
