"""Razzia: the table, and the moves of cards and notes that the questions share."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from typing import NamedTuple

from engine import core
from engine.bars.box import NUMBER, RAID
from engine.core import HIDDEN, NOBODY, LedgerLine
from engine.options import Options

Cards = tuple[int, ...]
Notes = tuple[int, ...]  # values, in thousands

NONE = -1  # there is no extra note, no chosen card, no reply
ACCEPTED, CHALLENGED = 1, 2


@dataclass(slots=True)
class House:
    """The house rules that change the course of the game."""

    dealer_chosen: bool
    short_night_left_out: bool
    secret_replies: bool
    money_hidden: bool
    extra_face_down: bool


def house_rules(options: Options) -> House:
    return House(
        dealer_chosen=options["first_dealer"] == "chosen",
        short_night_left_out=options["short_night"] == "left_out",
        secret_replies=options["replies"] == "secret",
        money_hidden=options["money"] == "hidden",
        extra_face_down=options["extra_note"] == "face_down",
    )


# Notes that a seat won: night, bar, seat, how, and the notes.
Win = tuple[int, int, int, str, Notes]
WAYS_TO_WIN = ("alone", "raid", "share", "proposal", "duel")


class Kept(NamedTuple):
    """Cards of an earlier pile that are still in hands: everybody knows these cards, and how many each seat holds."""

    cards: frozenset[int]
    held: tuple[int, ...]


@dataclass(slots=True)
class Table(core.Table):
    """The table of a game. A view has holes: the cards, notes and replies that its viewer may not see."""

    seats: int
    bars: int
    house: House
    night: int = 1
    dealer: int = NOBODY  # NOBODY until the first is drawn or chosen
    pile: int = 0  # the number of cards in the face-down pile
    extra: int = NONE  # the dealer's extra note, until it is turned up
    extra_bar: int = 0  # the bar with the extra note
    over: bool = False
    left: list[int] = field(default_factory=list)  # cards in the pile (and in hidden hands), ascending
    stock: list[int] = field(default_factory=list)  # notes not turned up yet (and a hidden extra note), ascending
    picks: list[int] = field(default_factory=list)  # the card each seat chose, face down; or NONE
    shown: list[int] = field(default_factory=list)  # the card each seat played this night; or HIDDEN
    said: list[int] = field(default_factory=list)  # secret replies by seat: NONE, HIDDEN, ACCEPTED or CHALLENGED
    notes: list[Notes] = field(default_factory=list)  # by bar, in the order they were laid; bar 0 has none
    discards: list[int] = field(default_factory=list)  # cards played since the last shuffle, without this night
    kept: list[Kept] = field(default_factory=list)  # cards of earlier piles in hands, the oldest pile first
    money: list[int] = field(default_factory=list)  # by seat
    wins: list[Win] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)  # by seat, in the order they were dealt


# Cards


def play_cards(t: Table, cards: list[int]) -> None:
    """Moves one card of each seat from its hand to `shown`, and clears the choices."""
    hands = t.hands
    for seat, card in enumerate(cards):
        try:
            hands[seat].remove(card)
        except ValueError:  # a hand with holes
            hands[seat].remove(HIDDEN)
            t.left.remove(card)
    t.shown = cards
    t.picks = [NONE] * t.seats
    for index, (kept, held) in enumerate(t.kept):
        if not kept.isdisjoint(cards):
            t.kept[index] = Kept(
                kept.difference(cards), tuple([many - (card in kept) for many, card in zip(held, cards, strict=True)])
            )


def may_hold(t: Table, seat: int, card: int) -> bool:
    """Returns True if the hand may hold this card, as far as this table can tell."""
    hand = t.hands[seat]
    if HIDDEN not in hand:
        return card in hand
    for cards, held in t.kept:
        if card in cards:
            return card in t.left and held[seat] > 0
    return card in t.left and len(hand) > sum([kept.held[seat] for kept in t.kept])


def shuffle_discards(t: Table) -> None:
    """Makes the cards played on earlier nights the new pile, and notes which cards of the old one are in hands."""
    # The pile is empty, so `left` holds only cards in hidden hands.
    cards = frozenset(t.left).union(*t.hands).difference((HIDDEN,), *[kept.cards for kept in t.kept])
    held = [len(hand) - sum([kept.held[seat] for kept in t.kept]) for seat, hand in enumerate(t.hands)]
    t.kept = [kept for kept in t.kept if kept.cards] + [Kept(cards, tuple(held))]
    t.left += t.discards
    t.left.sort()
    t.pile = len(t.discards)
    t.discards = []


# Notes


def take_note(t: Table, value: int) -> None:
    """Takes a note from the stock."""
    del t.stock[bisect_left(t.stock, value)]


def put_back(t: Table, value: int) -> None:
    """Returns a note to the stock of a view whose viewer has not seen it."""
    insort(t.stock, value)


def without(values: tuple[int, ...], *gone: int) -> tuple[int, ...]:
    """Returns the values with one of each of `gone` removed."""
    rest = list(values)
    for value in gone:
        rest.remove(value)
    return tuple(rest)


def win(t: Table, seat: int, bar: int, how: str, notes: Notes) -> None:
    """Gives notes of a bar to a seat, and writes that down for the ledger."""
    if notes:
        t.wins.append((t.night, bar, seat, how, notes))
        t.money[seat] += sum(notes)
        lying = t.notes[bar]
        t.notes[bar] = () if notes == lying else without(lying, *notes)


# Claims


def claimants(t: Table, inside: list[int]) -> list[int]:
    """Returns those of the seats inside a bar that claim its money, the highest card first.

    Without a raid, all gamblers claim it. With raids and gamblers, only the raids do. Raids alone claim nothing.
    """
    shown = t.shown
    if len(inside) == 1:
        return [] if RAID[shown[inside[0]]] else inside
    raids = [seat for seat in inside if RAID[shown[seat]]]
    if not raids:
        return ranked(t, inside)
    return ranked(t, raids) if len(raids) < len(inside) else []


def ranked(t: Table, seats: list[int]) -> list[int]:
    """Returns the seats by their cards, the highest first.

    Of two equal numbers, the one farther from tonight's dealer, counted clockwise, is the lower.
    """
    if len(seats) < 2:
        return seats
    shown, dealer, many = t.shown, t.dealer, t.seats
    return sorted(seats, key=lambda seat: (seat - dealer) % many - many * NUMBER[shown[seat]])


# The end


def winners(t: Table) -> list[int]:
    """Returns the richest seats. A tie is shared. Money left in the bars is lost."""
    return [seat for seat in range(t.seats) if t.money[seat] == max(t.money)]


def ledger(t: Table) -> list[LedgerLine]:
    """Returns one line for each time a seat won notes."""
    return [LedgerLine(night, seat, how, notes, sum(notes)) for night, _, seat, how, notes in t.wins]
