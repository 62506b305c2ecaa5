"""A replay of the log that gives each card on the table a name, so that its movement can be animated, and collects what
has just happened.

A card gets its name when it is laid on the table. Cards in hands have none, because a name that a card kept from the
hand would reveal what is laid face down.
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
    """The names of the cards on the table. A name is made from the number of the entry that laid the card."""

    loot: list[list[str]]  # by seat, in the order of the table
    police: list[tuple[str, int]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    getaways: list[str] = field(default_factory=list)
    came: dict[str, int] = field(default_factory=dict)  # by name, the seat that laid or played the card
    fresh: set[str] = field(default_factory=set)  # the cards that the last entry moved
    fled: list[str] = field(default_factory=list)  # the cards that the last entry put back into the deck
    looked: dict[str, int] = field(default_factory=dict)  # by card, the seat that looked at it since its last answer
    taker: int = 0  # the seat that got a card from the last thief
    played: dict[int, int] = field(default_factory=dict)  # by seat, the kind that left its hand last
    apart: dict[int, int] = field(default_factory=dict)  # by seat, the cards of double loot that it has yet to play

    def put(self, pile: list[str], name: str, seat: int) -> None:
        pile.append(name)
        self.came[name] = seat
        self.fresh.add(name)

    def lay_police(self, name: str, kind: int, seat: int) -> None:
        self.police.append((name, kind))
        self.came[name] = seat
        self.fresh.add(name)

    def play(self, seat: int, kind: int) -> None:
        """Records that a seat plays a card from its hand, or one that double loot brought."""
        if self.apart.get(seat):
            self.apart[seat] -= 1
        else:
            self.played[seat] = kind
        if kind == DOUBLE_LOOT:
            self.apart[seat] = self.apart.get(seat, 0) + 2

    def move(self, owner: int, place: int, to: int) -> None:
        """Moves a card of loot to the seat that a thief brings it to."""
        card = self.loot[owner].pop(place)
        self.loot[to].append(card)
        self.fresh.add(card)
        self.taker = to

    def block(self, kind: int) -> None:
        """Moves the first police card of this kind out of the game."""
        place = [lying for _, lying in self.police].index(kind)
        blocked, _ = self.police.pop(place)
        self.gone.append(blocked)
        self.fresh.add(blocked)

    def carry_off(self, losers: Sequence[int]) -> None:
        """Puts the loot of the losers of a raid and all police back into the deck."""
        self.fled = [card for loser in losers for card in self.loot[loser]] + [card for card, _ in self.police]
        self.police = []
        for loser in losers:
            self.loot[loser] = []


def story(log: Sequence[Entry], seats: int, *, over: bool) -> Story:
    """Replays the entries of the current game.

    In a match the table is cleared after the gems of each game, but not after the last one (`over`).
    """
    last = len(log) - 1 if over else len(log)
    start = max((number + 1 for number, (_, a) in enumerate(log[:last]) if a[0] == "gems"), default=0)
    told = Story([[] for _ in range(seats)])
    for number in range(start, len(log)):
        told.fresh.clear()
        told.fled = []
        follow(told, number, *log[number])
    return told


def follow(told: Story, number: int, seat: int, a: tuple[Any, ...]) -> None:
    """Applies one entry."""
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
    """Applies an entry that lays a getaway or police, or that takes cards out of the game."""
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
