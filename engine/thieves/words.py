"""Thieves!: the notation of its entries and its table."""

from __future__ import annotations

from collections.abc import Mapping

from engine.notation import UNKNOWN, List, Number, Rest, Seat, Word, Words
from engine.thieves.box import GEMS_FIRST, LAST_GETAWAY, LOOT, NAMES, POLICE
from engine.thieves.cards import SEATS
from engine.thieves.score import gems_so_far, points
from engine.thieves.table import Loot, Table, deck_size, police_cars

MOST_CARDS = 1000  # in one player's loot, with the largest house deck

SEAT = Seat(SEATS[-1])
PLACE = Number(0, MOST_CARDS - 1, base=1)
CARD = Word(NAMES)
LOOT_CARD = Word({kind: NAMES[kind] for kind in LOOT})
POLICE_CARD = Word({kind: NAMES[kind] for kind in POLICE})

WORDS: Words = {
    "first": (SEAT,),
    "hand": (CARD, CARD, CARD),
    "card": (CARD,),
    "lay": (LOOT_CARD,),
    "give": (LOOT_CARD, SEAT),
    "police": (POLICE_CARD,),
    "roadblock": (Rest(POLICE_CARD, most=1),),
    "alarm": (),
    "police_laid": (Rest(List(POLICE_CARD), most=SEATS[-1]),),
    "none": (),
    "thief": (),
    "take": (SEAT, PLACE, SEAT),
    "let_go": (),
    "look": (LOOT_CARD,),
    "double_loot": (),
    "raid": (Rest(List(LOOT_CARD, MOST_CARDS), most=SEATS[-1]),),
    "caught": (Rest(SEAT, most=SEATS[-1]),),
    "count": (Rest(List(LOOT_CARD, MOST_CARDS), most=SEATS[-1]),),
    "gems": (Rest(Number(0, GEMS_FIRST), most=SEATS[-1]),),
}

#: sentences of the command line for decks that cannot be played with
SENTENCES: Mapping[str, str] = {
    "thieves.deck.getaways": "the deck needs {least} getaways, and has {cards}",
    "thieves.deck.hands": "three cards for each hand are {least} besides the getaways, and there are {cards}",
    "thieves.deck.police": "the police cars of the deck make {cars}, and a raid needs {least}",
}


def lines(t: Table) -> list[str]:
    """Returns the table as text: deck, getaways, police, then loot and hand by seat; face-down loot in brackets."""
    rows = [
        f"deck {deck_size(t)}  getaways {t.getaways}/{LAST_GETAWAY}  cars {police_cars(t)}  police {_cards(t.police)}",
        f"gone {_cards(t.gone)}  apart {_cards([kind for cards in t.apart for kind in cards])}",
    ]
    if t.house.match:
        rows.insert(0, f"games {len(t.results)}  gems {' '.join(map(str, gems_so_far(t)))}")
    sums = points(t)
    for seat in range(t.seats):
        loot = " ".join(map(_loot, t.loot[seat])) or "-"
        rows.append(f"seat {seat + 1}  points {sums[seat]}  loot {loot}  hand {_cards(t.hands[seat])}")
    return rows


def _cards(kinds: list[int]) -> str:
    return " ".join(NAMES.get(kind, UNKNOWN) for kind in kinds) or "-"


def _loot(card: Loot) -> str:
    name = NAMES.get(card.kind, UNKNOWN)
    return name if card.up else f"[{name}]"
