"""Sicilianos: the notation of its entries and its table."""

from __future__ import annotations

from collections.abc import Mapping

from engine.notation import List, Number, Rest, Seat, Word, Words
from engine.sicilianos.box import (
    BUSINESS_CARDS,
    COLOUR_NAMES,
    FACE_NAMES,
    FAMILY_CARDS,
    KIND_NAMES,
    NOTES,
    Money,
    business_card,
    values_in,
)
from engine.sicilianos.result import CATEGORIES, businesses_of
from engine.sicilianos.table import NOBODY, Table, bank, public_holdings, side, sums

COLOUR_WORDS = dict(enumerate(COLOUR_NAMES, 1))
BACKS = {-colour: f"{name}-?" for colour, name in COLOUR_WORDS.items()}
CARD_WORDS = {card: data.name for card, data in enumerate((*FAMILY_CARDS, *BUSINESS_CARDS), 1)}
KIND_WORDS = dict(enumerate(KIND_NAMES, 1))

COLOUR = Word(COLOUR_WORDS)
CARD = Word(BACKS | dict(list(CARD_WORDS.items())[: len(FAMILY_CARDS)]))
KIND = Word(KIND_WORDS)
FACE = Word(dict(enumerate(FACE_NAMES, 1)))
NOTE = Number(0, NOTES[-1])  # 0 is a face-down note
SEAT = Seat(6)
PLACE = Number(0, 6 * 11)  # 0 is a masked place

WORDS: Words = {
    "take": (COLOUR,),
    "card": (CARD,),
    "starter": (SEAT,),
    "roll": (),
    "dice": (COLOUR, COLOUR, FACE),
    "draw": (COLOUR,),
    "look": (COLOUR,),
    "pile": (Rest(CARD),),
    "keep": (PLACE,),
    "steal": (COLOUR, SEAT),
    "stolen": (CARD,),
    "war": (CARD, NOTE),
    "join": (CARD, NOTE),
    "out": (),
    "reveal": (List(CARD), List(NOTE)),
    "plain": (),
    "traitor": (),
    "explode": (CARD,),
    "add": (CARD,),
    "stop": (),
    "result": (Word({0: "nobody", **COLOUR_WORDS}),),
    "business": (),
    "money": (),
    "businesses": (Rest(KIND),),
    "found": (KIND,),
    "clear": (),
    "open": (Rest(KIND),),
    "payday": (Word(dict(enumerate(CATEGORIES, 1))),),
}

#: sentences of the command line for decks that cannot be played with
SENTENCES: Mapping[str, str] = {
    "sicilianos.deck.families": "{need} families need {cards} cards, one for each player, and {families} have them",
    "sicilianos.die.draws_nothing": "the die needs a face that draws a card, two or one",
}


def lines(t: Table) -> list[str]:
    """Returns the table as text: piles, bank, the war if there is one, and the belongings of every seat."""
    piles = "  ".join(f"{name}:{len(t.piles[colour])}" for colour, name in COLOUR_WORDS.items())
    rows = [f"wars {t.war}  piles {piles}", f"bank {notes(tuple(bank(t)))}"]
    for colour, name in COLOUR_WORDS.items():
        known = tuple([card for card in t.piles[colour] if card > 0])
        if known:
            rows.append(f"pile {name}: {len(t.piles[colour]) - len(known)} backs, then {cards(known)}")
    if t.starter != NOBODY:
        totals = " ".join(f"{COLOUR_WORDS[family]}:{strength}" for family, strength in sums(t).items())
        rows.append(f"war of seat {t.starter + 1}  sums {totals or '-'}")
    for seat in range(t.seats):
        rows.append(seat_line(t, seat))
        if t.family[seat]:
            rows.append("  " + war_line(t, seat))
    return rows


def seat_line(t: Table, seat: int) -> str:
    owned = " ".join(
        CARD_WORDS[business_card((colour, kind))] if kind else f"{COLOUR_WORDS[colour]}-?"
        for colour, kind in businesses_of(t, seat)
    )
    money = f"dirty {notes(t.dirty[seat])}  clean {notes(t.clean[seat])}  bonus {t.bonus[seat]}"
    return f"seat {seat + 1}  hand {cards(t.hands[seat])}  {money}  businesses {owned or '-'}"


def war_line(t: Table, seat: int) -> str:
    lying = cards(tuple(card for owner, card in t.lying if owner == seat))
    down = CARD.write(t.down[seat]) if t.down[seat] else "-"
    in_hand, left = public_holdings(t, seat)
    state = "turned" if seat in t.turned else "stopped" if seat in t.stopped else "playing"
    played = f"for {COLOUR_WORDS[side(t, seat)]}  lying {lying}  face down {down}  {state}"
    return f"{played}  backs in hand {len(in_hand)}  notes left {left}"


def cards(some: tuple[int, ...]) -> str:
    return " ".join(CARD.write(card) for card in some) or "-"


def notes(money: Money) -> str:
    """Returns the notes with their counts, as in `5:2 50:1`."""
    counts = dict(zip(NOTES, money, strict=True))
    return " ".join(f"{value}:{counts[value]}" for value in values_in(money)) or "-"
