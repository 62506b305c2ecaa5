"""Złodzieje!: the cards that can lie only in few places, dealt first and one by one, all ways equally likely.

Of each deal begun it is known how many ways there are at most to end it: at first all those of dealing the rest with
no regard to the past. A card goes to a place by these numbers. When one of the ways counted turns out not to be there
the deal ends in nothing, the numbers are set right and the next one begins. So no way that agrees is more likely than
another, and what has failed is not tried again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb, factorial, perm
from random import Random
from typing import NamedTuple

from engine.core import HIDDEN
from engine.thieves.box import LOOT, POLICE
from engine.thieves.memory import came, drawn, looked_back
from engine.thieves.table import FROM_HAND, Cards, Table

Dealt = tuple[Cards, ...]  # the scarce cards dealt so far, by place; the last place is the deck


class Hole(NamedTuple):
    """A face-down card of loot that is not seen."""

    seat: int
    place: int


class Scarce:
    """The scarce cards of a view, the places where they may lie, and what has been found out of the ways."""

    def __init__(self, v: Table, unseen: list[int], caps: list[int]) -> None:
        self.count = count = Counter(unseen)
        spare = {kind: least_room(v, kind) - count[kind] for kind in count}
        kinds = sorted((kind for kind in count if kind in POLICE or spare[kind] < 0), key=lambda kind: spare[kind])
        self.cards = [kind for kind in kinds for _ in range(count[kind])]
        self.free = [kind for kind in sorted(unseen) if kind not in kinds]
        self.caps = caps
        self.crowd = Crowd(v, count)
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
        self.looks = 0  # how often it was asked whether a deal can be

    @property
    def any_way(self) -> bool:
        """Whether some deal may still come to its end."""
        return self.most[self.start] > 0

    def deal(self, rnd: Random) -> Dealt | None:
        """All scarce cards dealt; None if that came to nothing, and the next time is likelier to succeed."""
        self.looks += 1
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
        """In how many ways the rest can be dealt so that face-down loot is loot and the hands fit the newest raid."""
        done = sum(map(len, dealt))
        kind = self.cards[done] if done < len(self.cards) else HIDDEN
        started = Counter(self.cards[:done])[kind]
        held = Counter([held for cards in dealt[: len(self.hands)] for held in cards])
        over = sum(self.crowd.over(other, held[other]) for other in set(self.cards[:done]) - {kind})
        rest = [*self.cards[done:], *self.free]
        loot, after = sum(other in LOOT for other in rest), tuple(dict.fromkeys(rest))[bool(kind) :]
        in_hands = sum(self.sizes[: len(self.hands)]) - sum(held.values())
        holes = sum(not cards for cards in dealt[self.first_hole : self.deck])
        total = 0
        for (count, looted, more), ways in self.crowd.choices(after).items():
            now = in_hands - count
            elsewhere = loot - looted - (now if kind in LOOT else 0)
            new = over + more + self.crowd.over(kind, held[kind] + now)
            if 0 <= now <= self.count[kind] - started and elsewhere >= holes and new <= self.crowd.most:
                others = len(rest) - in_hands
                spread = perm(others - holes, others - elsewhere) * factorial(elsewhere)
                total += ways * comb(self.count[kind] - started, now) * spread
        return total * factorial(in_hands)

    def possible(self, dealt: Dealt) -> bool:
        """Whether the past can have been like that, as far as it can be told from the cards dealt so far."""
        self.looks += 1
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
            t.loot[hole.seat][hole.place] = card.told(cards[0] if cards else HIDDEN)


class Crowd:
    """What the newest raid says of all hands together.

    Of each kind they hold those hidden at the raid; all that are over must have been drawn since.
    """

    def __init__(self, v: Table, count: Counter[int]) -> None:
        self.count = count
        self.room = Counter(v.house.box)
        self.since = Counter[int]()
        self.most = 0  # cards drawn since
        self.known: dict[Cards, dict[tuple[int, int, int], int]] = {}
        raids = [number for number, mark in enumerate(v.landmarks) if any(HIDDEN in hand for hand in mark.hands)]
        if raids:
            mark = v.landmarks[raids[-1]]
            # an empty hand is full of new cards
            unseen = {seat for seat, hand in enumerate(mark.hands) if not any(hand)}
            self.room.subtract(mark.open)
            self.room.subtract([kind for hand in (*mark.hands, mark.apart) for kind in hand if kind])
            for kind, seat, since, left in came(v):
                if kind and since == FROM_HAND and seat in unseen and left > raids[-1]:
                    self.since[kind] += 1
            for passed in range(raids[-1] + 1, len(v.landmarks) + 1):
                self.most += sum(drawn(v, seat, passed) for seat in unseen)
            self.most -= sum(self.over(kind, 0) for kind in self.since if kind not in count)
        if sum(self.over(kind, count[kind]) for kind in count) <= self.most:
            self.room = Counter(v.house.box) + self.since  # the raid says nothing any more

    def over(self, kind: int, held: int) -> int:
        """How many of a kind, if the hands hold so many, were drawn since."""
        return max(0, held + self.since[kind] - self.room[kind]) if kind else 0

    def choices(self, kinds: Cards) -> dict[tuple[int, int, int], int]:
        """In how many ways hands can get cards of these kinds: by how many, how many of them loot, how many over."""
        if kinds not in self.known:
            found = {(0, 0, 0): 1}
            if kinds:
                found, kind = {}, kinds[0]
                for (count, loot, over), ways in self.choices(kinds[1:]).items():
                    for held in range(self.count[kind] + 1):
                        more = over + self.over(kind, held)
                        if more <= self.most:
                            key = count + held, loot + (held if kind in LOOT else 0), more
                            found[key] = found.get(key, 0) + ways * comb(self.count[kind], held)
            self.known[kinds] = found
        return self.known[kinds]


def least_room(v: Table, kind: int) -> int:
    """How many of a kind at most did not lie open at any raid, fewer played since."""
    box = v.house.box.count(kind)
    return min(
        [
            box - mark.open.count(kind) - sum(seen == kind and left > number for seen, _, _, left in v.played)
            for number, mark in enumerate(v.landmarks)
        ],
        default=box,
    )
