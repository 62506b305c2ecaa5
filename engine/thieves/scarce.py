"""Złodzieje!: the cards that can lie only in few places, dealt first and one by one, all ways equally likely.

Of each deal begun it is known how many ways there are at most to end it: at first all those of dealing the rest with
no regard to the past. A card goes to a place by these numbers. When one of the ways counted turns out not to be there
the deal ends in nothing, the numbers are set right and the next one begins. So no way that agrees is more likely than
another, and what has failed is not tried again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import factorial, perm
from random import Random
from typing import NamedTuple

from engine.core import HIDDEN
from engine.thieves.box import LOOT, POLICE
from engine.thieves.memory import looked_back
from engine.thieves.table import Cards, Table

Dealt = tuple[Cards, ...]  # the scarce cards dealt so far, by place; the last place is the deck


class Hole(NamedTuple):
    """A face-down card of loot that is not seen."""

    seat: int
    place: int


class Scarce:
    """The scarce cards of a view, the places where they may lie, and what has been found out of the ways."""

    def __init__(self, v: Table, unseen: list[int], caps: list[int]) -> None:
        count = Counter(unseen)
        spare = {kind: least_room(v, kind) - count[kind] for kind in count}
        kinds = sorted((kind for kind in count if kind in POLICE or spare[kind] < 0), key=lambda kind: spare[kind])
        self.cards = [kind for kind in kinds for _ in range(count[kind])]
        self.free = [kind for kind in unseen if kind not in kinds]
        self.caps = caps
        self.table = v.copy()  # to try on
        self.hands = [seat for seat, hand in enumerate(v.hands) if HIDDEN in hand]
        self.apart = [number for number, cards in enumerate(v.apart) if HIDDEN in cards]
        self.holes = [
            Hole(seat, place)
            for seat, cards in enumerate(v.loot)
            for place, card in enumerate(cards)
            if card.kind == HIDDEN
        ]
        self.sizes = [len(v.hands[seat]) for seat in self.hands] + [len(v.apart[number]) for number in self.apart]
        self.first_hole = len(self.sizes)
        self.sizes += [1] * len(self.holes)
        self.deck = len(self.sizes)
        self.sizes.append(len(unseen) - sum(self.sizes))
        self.most: dict[Dealt, int] = {}
        self.next: dict[Dealt, list[tuple[int, Dealt]]] = {}
        self.start: Dealt = ((),) * len(self.sizes)
        self.most[self.start] = self.ways(self.start)

    def deal(self, rnd: Random) -> Dealt | None:
        """All scarce cards dealt; None if that came to nothing, and the next time is likelier to succeed."""
        dealt: Dealt | None = self.start
        path: list[Dealt] = []
        while dealt is not None and self.most[dealt] and len(path) < len(self.cards):
            path.append(dealt)
            dealt = self.one_more(dealt, rnd.randrange(self.most[dealt]))
        for earlier in reversed(path):
            self.most[earlier] = sum(slots * self.most[later] for slots, later in self.next[earlier])
        return dealt if len(path) == len(self.cards) else None

    def one_more(self, dealt: Dealt, lot: int) -> Dealt | None:
        """The deal with one more card, as the lot falls; None if it falls on a way that is not there."""
        if dealt not in self.next:
            self.next[dealt] = list(self.following(dealt, self.cards[sum(map(len, dealt))]))
        for slots, later in self.next[dealt]:
            lot -= slots * self.most[later]
            if lot < 0:
                return later
        return None

    def following(self, dealt: Dealt, kind: int) -> Iterator[tuple[int, Dealt]]:
        """Where the next card can lie: in how many spots of each place, and the deal then."""
        for place, cards in enumerate(dealt):
            slots = self.sizes[place] - len(cards)
            if slots and (kind in LOOT or not self.first_hole <= place < self.deck):
                later = (*dealt[:place], (*cards, kind), *dealt[place + 1 :])
                if later not in self.most:
                    self.most[later] = self.ways(later) if place == self.deck or self.possible(later) else 0
                if self.most[later]:
                    yield slots, later

    def ways(self, dealt: Dealt) -> int:
        """In how many ways the rest can be dealt so that face-down loot is loot."""
        rest = [*self.cards[sum(map(len, dealt)) :], *self.free]
        loot = sum(kind in LOOT for kind in rest)
        holes = sum(not cards for cards in dealt[self.first_hole : self.deck])
        return perm(len(rest) - holes, len(rest) - loot) * factorial(loot) if loot >= holes else 0

    def possible(self, dealt: Dealt) -> bool:
        """Whether the past can have been like that, as far as it can be told from the cards dealt so far."""
        for seat, cards in zip(self.hands, dealt, strict=False):
            if sum(kind in POLICE for kind in cards) > self.caps[seat]:
                return False
        self.lay(self.table, dealt)
        return looked_back(self.table) is not None

    def lay(self, t: Table, dealt: Dealt) -> None:
        """Put what is dealt in its places; what is not stays hidden."""
        rows = [t.hands[seat] for seat in self.hands] + [t.apart[number] for number in self.apart]
        for row, cards in zip(rows, dealt, strict=False):
            row[:] = [*cards, *[HIDDEN] * (len(row) - len(cards))]
        for hole, cards in zip(self.holes, dealt[self.first_hole :], strict=False):
            card = t.loot[hole.seat][hole.place]
            t.loot[hole.seat][hole.place] = card._replace(kind=cards[0] if cards else HIDDEN)


def least_room(v: Table, kind: int) -> int:
    """How many of a kind at most did not lie open at any raid, fewer played since."""
    box = v.house.box.count(kind)
    return min(
        [
            box - mark.open.count(kind) - sum(seen == kind and origin.played > number for seen, origin in v.played)
            for number, mark in enumerate(v.landmarks)
        ],
        default=box,
    )
