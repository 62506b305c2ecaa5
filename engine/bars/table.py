"""Razzia: what lies on the table, and the small moves of cards and money that the questions share."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from typing import NamedTuple

from engine import core
from engine.bars.box import NUMBER, RAID
from engine.core import HIDDEN, NOBODY, Line
from engine.options import Options

Cards = tuple[int, ...]
Notes = tuple[int, ...]  # values, in thousands

NONE = -1  # no extra note, no card picked yet, no reply given yet
ACCEPTED, CHALLENGED = 1, 2


@dataclass(slots=True)
class House:
    """The house rules that change what is played."""

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


# Notes that were won: night, bar, seat, how, and which.
Win = tuple[int, int, int, str, Notes]
HOW = ("alone", "raid", "share", "proposal", "duel")


class Kept(NamedTuple):
    """Cards of an earlier pile that are still in hands: everybody knows which, and how many each seat holds."""

    cards: frozenset[int]
    held: tuple[int, ...]


@dataclass(slots=True)
class Table(core.Table):
    """Everything that lies on the table. A replica has holes: cards, notes and replies its viewer may not see."""

    seats: int
    bars: int
    house: House
    night: int = 1
    dealer: int = NOBODY  # until the first is found
    pile: int = 0  # how many cards lie face down
    extra: int = NONE  # the dealer's extra note, from the look until it lies open
    extra_bar: int = 0  # where it was put
    over: bool = False
    left: list[int] = field(default_factory=list)  # cards in the pile (and in the hands with holes), ascending
    stock: list[int] = field(default_factory=list)  # notes not turned up yet (and the hidden extra one), ascending
    picks: list[int] = field(default_factory=list)  # the card each seat picked, face down in front of it; or NONE
    shown: list[int] = field(default_factory=list)  # the card each seat played this night, 0 before they are shown
    said: list[int] = field(default_factory=list)  # secret replies by seat: NONE, HIDDEN, ACCEPTED or CHALLENGED
    notes: list[Notes] = field(default_factory=list)  # by bar, in the order they were laid; none at 0
    discards: list[int] = field(default_factory=list)  # cards played on earlier nights since the last shuffle
    kept: list[Kept] = field(default_factory=list)  # what hands hold of earlier piles, the oldest first
    money: list[int] = field(default_factory=list)  # by seat
    wins: list[Win] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)  # by seat, in the order they were dealt


# Cards


def play_cards(t: Table, cards: list[int]) -> None:
    """One card leaves every hand and lies open; nobody has picked one for the next night."""
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
    """Whether the hand may hold this card, as far as this table can tell."""
    hand = t.hands[seat]
    if HIDDEN not in hand:
        return card in hand
    for cards, held in t.kept:
        if card in cards:
            return card in t.left and held[seat] > 0
    return card in t.left and len(hand) > sum([kept.held[seat] for kept in t.kept])


def shuffle_discards(t: Table) -> None:
    """All cards played on earlier nights become the new pile; what the hands hold of the old one stays there."""
    # The pile is empty, so what is left are the cards in the hands with holes.
    cards = frozenset(t.left).union(*t.hands).difference((HIDDEN,), *[kept.cards for kept in t.kept])
    held = [len(hand) - sum([kept.held[seat] for kept in t.kept]) for seat, hand in enumerate(t.hands)]
    t.kept = [kept for kept in t.kept if kept.cards] + [Kept(cards, tuple(held))]
    t.left += t.discards
    t.left.sort()
    t.pile = len(t.discards)
    t.discards = []


# Notes


def take_note(t: Table, value: int) -> None:
    """A note leaves the stock."""
    del t.stock[bisect_left(t.stock, value)]


def put_back(t: Table, value: int) -> None:
    """A note joins the stock again: this viewer has not seen it."""
    insort(t.stock, value)


def without(values: tuple[int, ...], *gone: int) -> tuple[int, ...]:
    """The values less some of them."""
    found = list(values)
    for value in gone:
        found.remove(value)
    return tuple(found)


def win(t: Table, seat: int, bar: int, how: str, notes: Notes) -> None:
    """A seat gets notes that lie in a bar."""
    if notes:
        t.wins.append((t.night, bar, seat, how, notes))
        t.money[seat] += sum(notes)
        lying = t.notes[bar]
        t.notes[bar] = () if notes == lying else without(lying, *notes)


# Who claims what


def claimants(t: Table, there: list[int]) -> list[int]:
    """Those who claim the money of the bar, of all who went there, the highest card first.

    Gamblers alone claim it themselves; when there are raids too, only these do; raids alone find nobody to raid.
    """
    shown = t.shown
    if len(there) == 1:
        return [] if RAID[shown[there[0]]] else there
    raids = [seat for seat in there if RAID[shown[seat]]]
    if not raids:
        return ranked(t, there)
    return ranked(t, raids) if len(raids) < len(there) else []


def ranked(t: Table, seats: list[int]) -> list[int]:
    """Highest card first; of equal numbers the one farther from tonight's dealer, counted clockwise, is the lower."""
    if len(seats) < 2:
        return seats
    shown, dealer, many = t.shown, t.dealer, t.seats
    return sorted(seats, key=lambda seat: (seat - dealer) % many - many * NUMBER[shown[seat]])


# The end


def winners(t: Table) -> list[int]:
    """The richest wins; ties share. Money left on the bars is lost."""
    return [seat for seat in range(t.seats) if t.money[seat] == max(t.money)]


def ledger(t: Table) -> list[Line]:
    """One line for each time a seat won notes."""
    return [Line(night, seat, how, notes, sum(notes)) for night, _, seat, how, notes in t.wins]
