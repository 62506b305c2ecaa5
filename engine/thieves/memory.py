"""Złodzieje!: whether the cards can lie as they lie, after all that everybody saw.

A raid puts loot and police back into the deck for all to see, so it is a landmark: a card that a hand has held since
before the raid is one of those that were hidden then. Nobody knows which cards of another hand are how old. But how
many it has drawn since is known, and so is everything it has played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.core import HIDDEN
from engine.thieves.box import POLICE
from engine.thieves.table import FROM_HAND, Cards, Landmark, Played, Table

Place = tuple[str | int, ...]


class Held(NamedTuple):
    """A card that was, or is, in a hand that is not seen, and the number of landmarks passed when it left."""

    seat: int
    kind: int
    left: int


def drawn(t: Table, seat: int, passed: int) -> int:
    """How many cards the hand drew when that many landmarks, at least one, had passed and no more."""
    until = t.landmarks[passed].drawn if passed < len(t.landmarks) else len(t.drawn)
    return t.drawn[t.landmarks[passed - 1].drawn : until].count(seat)


def most_police(t: Table, seat: int, number: int) -> int:
    """How many police car cards the hand can have held when `number` landmarks had passed.

    It had none at its last alarm; so it held at most those drawn since, without those played since.
    """
    most = 99
    for passed in range(1, number + 1):
        if seat in t.landmarks[passed - 1].dry:
            most = 0
        most += drawn(t, seat, passed)
        most -= sum([1 for kind, *origin in t.played if kind in POLICE and origin == [seat, FROM_HAND, passed]])
    return most


def agrees(t: Table) -> bool:
    """Whether a dealt table can have come about, each raid looked at for itself.

    If so, this fills in what the others can have held at the raids.
    """
    found = looked_back(t)
    if found is None:
        return False
    t.landmarks = found
    return True


def looked_back(t: Table) -> list[Landmark] | None:
    """The landmarks as they can have been, None if one cannot.

    Cards still hidden are passed over: if the others cannot lie as they do, neither can they with any more dealt.
    """
    cards = [card for card in came(t) if card[0]]
    hands = [Held(seat, kind, left) for kind, seat, since, left in cards if since == FROM_HAND]
    hands += [Held(seat, kind, len(t.landmarks)) for seat, hand in enumerate(t.hands) for kind in hand if kind]
    marks = list(t.landmarks)
    for number, mark in enumerate(t.landmarks):
        if HIDDEN in mark.apart or any(HIDDEN in hand for hand in mark.hands):
            apart = mark.apart
            if HIDDEN in apart:
                apart = tuple(
                    kind
                    for kind, seat, since, left in cards
                    if seat == mark.apart_by and FROM_HAND < since <= number < left
                )
            found = look_back(t, number, mark, apart, hands)
            if found is None:
                return None
            marks[number] = mark._replace(hands=found, apart=apart)
    return marks


def came(t: Table) -> list[Played]:
    """The cards that came on the table, those too that not everybody has seen yet; and those kept apart."""
    found = list(t.played)
    for cards in t.loot:
        found += [(card.kind, *card.origin) for card in cards if card.origin]
    for kept, since in zip(t.apart, t.apart_since, strict=True):
        found += [(kind, t.apart_by, since, len(t.landmarks)) for kind in kept]
    return found


def look_back(t: Table, number: int, mark: Landmark, apart: Cards, cards: list[Held]) -> tuple[Cards, ...] | None:
    """What each can have held at a raid, None if that is impossible.

    A card out of a hand was drawn since the raid, or it is one of those that were hidden at the raid.
    """
    room = Counter(t.house.box)
    unseen = {seat for seat, hand in enumerate(mark.hands) if HIDDEN in hand}
    known = [kind for seat, hand in enumerate(mark.hands) if seat not in unseen for kind in hand]
    room.subtract((*mark.open, *known, *apart))
    if min(room.values()) < 0:
        return None
    later = [held for held in cards if held.seat in unseen and held.left > number]
    dry = {seat for seat in unseen if most_police(t, seat, number) <= 0}
    count = Counter([held.kind for held in later])
    scarce = {kind for kind in count if count[kind] > room[kind]}
    tight = [held for held in later if held.kind in scarce or (held.kind in POLICE and held.seat in dry)]
    loose = [held for held in later if held not in tight]
    matching = Matching(t, number, tight, room, dry)
    if not matching.complete():
        return None
    old = matching.old()
    # Of the cards that fit either way those that left first are the old ones.
    old += sorted(loose, key=lambda held: held.left)
    hands = list(mark.hands)
    for seat in unseen:
        hands[seat] = tuple(sorted([held.kind for held in old if held.seat == seat][: len(hands[seat])]))
    return tuple(hands)


@dataclass(slots=True)
class Matching:
    """Finds each card a place among the draws since a raid or, as an old one, among what was hidden then."""

    t: Table
    number: int
    cards: list[Held]
    room: Counter[int]
    dry: set[int]
    taken: dict[Place, list[int]] = field(default_factory=dict)

    def complete(self) -> bool:
        return all(self.put(index, set()) for index in range(len(self.cards)))

    def old(self) -> list[Held]:
        return [self.cards[index] for place, there in self.taken.items() if place[0] == "old" for index in there]

    def places(self, held: Held) -> Iterator[tuple[Place, int]]:
        """Where a card may go, and how many fit there."""
        for passed in range(self.number + 1, held.left + 1):
            yield ("drawn", held.seat, passed), drawn(self.t, held.seat, passed)
        if not (held.kind in POLICE and held.seat in self.dry):
            yield ("old", held.kind), self.room[held.kind]

    def put(self, index: int, tried: set[Place]) -> bool:
        """Find the card a place, if need be by moving another."""
        for place, size in self.places(self.cards[index]):
            if place not in tried:
                tried.add(place)
                there = self.taken.setdefault(place, [])
                if len(there) < size:
                    there.append(index)
                    return True
                for spot, other in enumerate(there):
                    if self.put(other, tried):
                        there[spot] = index
                        return True
        return False
