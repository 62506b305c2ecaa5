"""What the log tells beyond the table: which card is which, so that it can be followed, and what has just happened.

A card in a hand has no name that outlives it: what is laid face down begins a new life on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core import Entry
from engine.thieves.box import DOUBLE_LOOT, GETAWAY
from engine.thieves.cards import ACTION


@dataclass(slots=True)
class Story:
    """Names of the cards on the table, by the entry that brought them there."""

    loot: list[list[str]]  # by seat, as it lies
    police: list[tuple[str, int]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    getaways: list[str] = field(default_factory=list)
    came: dict[str, int] = field(default_factory=dict)  # name -> the seat whose card it was
    fresh: set[str] = field(default_factory=set)  # what the last entry moved
    fled: list[str] = field(default_factory=list)  # what it carried back into the deck
    looked: dict[str, int] = field(default_factory=dict)  # cards somebody was shown since their last move
    taker: int = 0  # to whom the last thief carried a card
    played: dict[int, int] = field(default_factory=dict)  # by seat, the kind that left its hand last
    apart: dict[int, int] = field(default_factory=dict)  # by seat, how many cards of double loot it is still to play

    def put(self, pile: list[str], name: str, seat: int) -> None:
        pile.append(name)
        self.came[name] = seat
        self.fresh.add(name)

    def lay_police(self, name: str, kind: int, seat: int) -> None:
        self.police.append((name, kind))
        self.came[name] = seat
        self.fresh.add(name)

    def play(self, seat: int, kind: int) -> None:
        """A card out of a hand, or one that double loot brought."""
        if self.apart.get(seat):
            self.apart[seat] -= 1
        else:
            self.played[seat] = kind
        if kind == DOUBLE_LOOT:
            self.apart[seat] = self.apart.get(seat, 0) + 2

    def move(self, owner: int, place: int, to: int) -> None:
        """A thief carries a card of loot to somebody else."""
        card = self.loot[owner].pop(place)
        self.loot[to].append(card)
        self.fresh.add(card)
        self.taker = to

    def block(self, kind: int) -> None:
        """A roadblock takes the first such card out of the game."""
        place = [lying for _, lying in self.police].index(kind)
        blocked, _ = self.police.pop(place)
        self.gone.append(blocked)
        self.fresh.add(blocked)

    def carry_off(self, losers: Sequence[int]) -> None:
        """The richest's loot and all police go back into the deck."""
        self.fled = [card for loser in losers for card in self.loot[loser]] + [card for card, _ in self.police]
        self.police = []
        for loser in losers:
            self.loot[loser] = []


def story(log: Sequence[Entry], seats: int, *, over: bool) -> Story:
    """Follow every card of this game; in a match all cards are taken back after the gems of each game but the last."""
    last = len(log) - 1 if over else len(log)
    start = max((number + 1 for number, (_, a) in enumerate(log[:last]) if a[0] == "gems"), default=0)
    told = Story([[] for _ in range(seats)])
    for number in range(start, len(log)):
        told.fresh.clear()
        told.fled = []
        follow(told, number, *log[number])
    return told


def follow(told: Story, number: int, seat: int, a: tuple[Any, ...]) -> None:
    """One entry."""
    if seat >= 0:
        told.looked = {card: by for card, by in told.looked.items() if by != seat}
    name = f"c{number}"
    if a[0] in ACTION or a[0] in ("lay", "give", "police"):
        told.play(seat, ACTION.get(a[0]) or a[1])
    match a:
        case ("lay", _):
            told.put(told.loot[seat], name, seat)
        case ("give", _, to):
            told.put(told.loot[to], name, seat)
        case ("take", owner, place, to):
            told.move(owner, place, to)
        case ("look", _):
            last = told.loot[told.taker][-1]
            told.fresh.add(last)
            told.looked[last] = told.taker
        case ("caught", *losers):
            told.carry_off(losers)
        case _:
            onto_the_street(told, name, seat, a)


def onto_the_street(told: Story, name: str, seat: int, a: tuple[Any, ...]) -> None:
    """Getaways, police, and what leaves the game."""
    match a:
        case ("card", kind) if kind == GETAWAY:
            told.put(told.getaways, name, seat)
        case ("police", kind):
            told.lay_police(name, kind, seat)
        case ("police_laid", *hands):
            for by, kinds in enumerate(hands):
                for place, kind in enumerate(kinds):
                    told.lay_police(f"{name}-{by}-{place}", kind, by)
        case (verb, *blocked) if verb in ACTION:
            told.put(told.gone, name, seat)
            for kind in blocked:
                told.block(kind)
