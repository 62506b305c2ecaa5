"""Thieves!: a test of a full table against everything that everybody has seen.

A raid puts loot and police back into the deck before everybody, so it is a landmark: a card that a hand has held since
before the raid is one of those that were hidden then. Which cards of another hand are how old is not known. But it is
known how many cards it has drawn since, and everything that it has played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.core import HIDDEN
from engine.thieves.box import POLICE
from engine.thieves.table import FROM_HAND, Cards, Landmark, Memory, Played, Table

Place = tuple[str | int, ...]


class Held(NamedTuple):
    """A card that was, or is, in a hidden hand, and the number of landmarks passed when it left the hand."""

    seat: int
    kind: int
    left: int


def draws(m: Memory, seat: int, passed: int) -> int:
    """Returns how many cards the hand drew between landmark number `passed`, counted from 1, and the next one."""
    until = m.landmarks[passed].drawn if passed < len(m.landmarks) else len(m.drawn)
    return m.drawn[m.landmarks[passed - 1].drawn : until].count(seat)


def most_police(m: Memory, seat: int, number: int) -> int:
    """Returns how many police car cards the hand can have held, at most, after `number` landmarks.

    It had none at its last alarm, so it held at most the cards drawn since, without the police played since.
    """
    laid = [left for kind, owner, since, left in m.played if owner == seat and since == FROM_HAND and kind in POLICE]
    most = 99
    for passed in range(1, number + 1):
        if seat in m.landmarks[passed - 1].dry:
            most = 0
        most += draws(m, seat, passed) - laid.count(passed)
    return most


def agrees(t: Table) -> bool:
    """Returns True if the past allows a dealt table; then it fills in what the others can have held at the raids.

    Each raid is tested for itself.
    """
    landmarks = possible_landmarks(t)
    if landmarks is None:
        return False
    t.memory.landmarks[:] = landmarks
    return True


def possible_landmarks(t: Table) -> list[Landmark] | None:
    """Returns the landmarks with possible hidden hands filled in, None if there are none.

    Cards that are still hidden are ignored: if the others are impossible now, dealing more cards does not help.
    """
    landmarks = t.memory.landmarks
    played = [card for card in cards_played(t) if card[0]]
    held = [Held(seat, kind, left) for kind, seat, since, left in played if since == FROM_HAND]
    held += [Held(seat, kind, len(landmarks)) for seat, hand in enumerate(t.hands) for kind in hand if kind]
    filled = list(landmarks)
    for number, mark in enumerate(landmarks):
        if HIDDEN in mark.apart or any(HIDDEN in hand for hand in mark.hands):
            apart = mark.apart
            if HIDDEN in apart:
                apart = tuple(
                    kind
                    for kind, seat, since, left in played
                    if seat == mark.apart_by and FROM_HAND < since <= number < left
                )
            hands = possible_hands(t, number, mark, apart, held)
            if hands is None:
                return None
            filled[number] = mark._replace(hands=hands, apart=apart)
    return filled


def cards_played(t: Table) -> list[Played]:
    """Returns all played cards, those too that not everybody has seen; and the cards kept apart."""
    played = list(t.memory.played)
    for cards in t.loot:
        played += [(card.kind, *card.origin) for card in cards if card.origin]
    for kept, since in zip(t.apart, t.memory.apart_since, strict=True):
        played += [(kind, t.apart_by, since, len(t.memory.landmarks)) for kind in kept]
    return played


def possible_hands(t: Table, number: int, mark: Landmark, apart: Cards, held: list[Held]) -> tuple[Cards, ...] | None:
    """Returns what each seat can have held at a raid, None if that is impossible.

    A card from a hand was drawn since the raid, or it is one of those that were hidden at the raid.
    """
    room = Counter(t.house.box)  # of each kind, how many were hidden at the raid
    unseen = {seat for seat, hand in enumerate(mark.hands) if HIDDEN in hand}
    known = [kind for seat, hand in enumerate(mark.hands) if seat not in unseen for kind in hand]
    room.subtract((*mark.open, *known, *apart))
    if min(room.values()) < 0:
        return None
    later = [card for card in held if card.seat in unseen and card.left > number]
    dry = {seat for seat in unseen if most_police(t.memory, seat, number) <= 0}
    count = Counter([card.kind for card in later])
    scarce = {kind for kind in count if count[kind] > room[kind]}
    tight = [card for card in later if card.kind in scarce or (card.kind in POLICE and card.seat in dry)]
    loose = [card for card in later if card not in tight]
    matching = Matching(t.memory, number, tight, room, dry)
    if not matching.complete():
        return None
    old = matching.old()
    # The loose cards may be old or new. Those that left the hand first are taken as the old ones.
    old += sorted(loose, key=lambda card: card.left)
    hands = list(mark.hands)
    for seat in unseen:
        hands[seat] = tuple(sorted([card.kind for card in old if card.seat == seat][: len(hands[seat])]))
    return tuple(hands)


@dataclass(slots=True)
class Matching:
    """A matching of cards to places: the draws since a raid, or, for an old card, the cards that were hidden then."""

    memory: Memory
    number: int
    cards: list[Held]
    room: Counter[int]
    dry: set[int]
    taken: dict[Place, list[int]] = field(default_factory=dict)

    def complete(self) -> bool:
        """Returns True if every card finds a place."""
        return all(self.put(index, set()) for index in range(len(self.cards)))

    def old(self) -> list[Held]:
        """Returns the cards that were matched with those hidden at the raid."""
        return [self.cards[index] for place, taken in self.taken.items() if place[0] == "old" for index in taken]

    def places(self, held: Held) -> Iterator[tuple[Place, int]]:
        """Yields the places where a card may go, and how many cards fit there."""
        for passed in range(self.number + 1, held.left + 1):
            yield ("drawn", held.seat, passed), draws(self.memory, held.seat, passed)
        if not (held.kind in POLICE and held.seat in self.dry):
            yield ("old", held.kind), self.room[held.kind]

    def put(self, index: int, tried: set[Place]) -> bool:
        """Finds a place for a card, if necessary by moving another. Returns False if there is none."""
        for place, size in self.places(self.cards[index]):
            if place not in tried:
                tried.add(place)
                taken = self.taken.setdefault(place, [])
                if len(taken) < size:
                    taken.append(index)
                    return True
                for spot, other in enumerate(taken):
                    if self.put(other, tried):
                        taken[spot] = index
                        return True
        return False
