"""Thieves!: what a viewer knows, and full tables that agree with it.

Hidden are hands, cards kept apart and face-down loot. Much is known about them all the same: every card of loot says
which seats know it, and the landmarks of `Table.memory` say what alarms and raids taught everybody.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from math import comb, factorial, perm
from random import Random
from typing import NamedTuple

from engine.core import HIDDEN, Refused
from engine.thieves.box import GETAWAY, LOOT, POLICE
from engine.thieves.past import agrees, cards_played, draws, most_police, possible_landmarks
from engine.thieves.table import FROM_HAND, Cards, Landmark, Table

BLIND_DEALS = 100  # blind deals that `fill` tries before it deals the scarce cards one by one
MORE_BLIND_DEALS = 30  # and so many after each of those, because they take about as long
MOST_CHECKS = 50_000  # and so many checks of the past before it gives up

# The view


def view(t: Table, viewer: int) -> Table:
    """Returns the table as `viewer` knows it. `left` holds every card that it has not seen, wherever the card is."""
    v = t.copy()
    for seat, hand in enumerate(v.hands):
        if seat != viewer:
            cover(v, hand)
    if t.apart_by != viewer:
        for cards in v.apart:
            cover(v, cards)
    for loot in v.loot:
        for place, card in enumerate(loot):
            if card.kind and not card.seen_by(viewer):
                insort(v.left, card.kind)
                loot[place] = card.with_kind(HIDDEN)
    v.memory.landmarks[:] = [remembered(mark, viewer) for mark in t.memory.landmarks]
    return v


def cover(v: Table, cards: list[int]) -> None:
    """Hides another player's cards: only their number remains."""
    for kind in cards:
        if kind:
            insort(v.left, kind)
    cards[:] = [HIDDEN] * len(cards)


def remembered(mark: Landmark, viewer: int) -> Landmark:
    """Returns a landmark as `viewer` knows it: of the hands held at a raid only its own."""
    hands = [hand if seat == viewer else (HIDDEN,) * len(hand) for seat, hand in enumerate(mark.hands)]
    apart = mark.apart if mark.apart_by == viewer else (HIDDEN,) * len(mark.apart)
    return mark._replace(hands=tuple(hands), apart=apart)


# Filling a view


def fill(v: Table, rnd: Random) -> Table:
    """Returns a full table that agrees with the view: all ways the cards may lie are equally likely.

    First come blind deals, in which face-down loot is loot and no hand holds more police car cards than it can have
    drawn since the last alarm; the first deal that the past allows is taken. If the past allows hardly any, the scarce
    cards are dealt first, one by one. More blind deals come in between, because that takes long if most are scarce.

    Raises `Refused` for a view that no table agrees with: at once if its cards are not those of the box; else when all
    ways have failed, or after so many checks that an agreeing table would be rarer than any that occurs in play.
    """
    check_box(v)
    if whole(v):
        return v.copy()
    unseen = [kind for kind in v.left if kind != GETAWAY]
    caps = [most_police(v.memory, seat, len(v.memory.landmarks)) for seat in range(v.seats)]
    full = dealt_blindly(v, unseen, caps, BLIND_DEALS, rnd)
    if full is not None:
        return full
    scarce = Scarce(v, unseen, caps)
    while scarce.checks < MOST_CHECKS and scarce.any_way:
        full = dealt_one_by_one(v, scarce, caps, rnd) or dealt_blindly(v, unseen, caps, MORE_BLIND_DEALS, rnd)
        if full is not None:
            return full
        scarce.checks += MORE_BLIND_DEALS
    raise Refused("thieves.view.contradiction")


def dealt_blindly(v: Table, unseen: list[int], caps: list[int], deals: int, rnd: Random) -> Table | None:
    """Returns the first of so many blind deals that the past allows, None if there is none."""
    for _ in range(deals):
        t = v.copy()
        deal_unseen(t, list(unseen), caps, rnd)
        if agrees(t):
            return t
    return None


def dealt_one_by_one(v: Table, scarce: Scarce, caps: list[int], rnd: Random) -> Table | None:
    """Returns one deal with the scarce cards first, None if it fails."""
    dealt = scarce.deal(rnd)
    if not dealt:
        return None
    t = v.copy()
    scarce.lay(t, dealt)
    deal_unseen(t, list(scarce.free), caps, rnd)
    t.left = sorted([*t.left, *dealt[-1]])
    return t if agrees(t) else None


def check_box(v: Table) -> None:
    """Raises `Refused` unless the cards seen and not seen are those of the box, and there are enough for the holes."""
    getaways = min(v.getaways, len(v.house.box) + 1)  # a hostile view may claim any number
    seen = [*v.police, *v.gone, *[GETAWAY] * getaways, *chain(*v.hands, *v.apart)]
    seen += [card.kind for cards in v.loot for card in cards]
    if sorted([*v.left, *[kind for kind in seen if kind]]) != list(v.house.box):
        raise Refused("thieves.view.contradiction")
    if seen.count(HIDDEN) > len(v.left) - v.left.count(GETAWAY):
        raise Refused("thieves.view.contradiction")


def whole(v: Table) -> bool:
    """Returns True if the view has no holes: no hidden card, and no hidden hand at a raid."""
    remembered_cards = [cards for mark in v.memory.landmarks for cards in (*mark.hands, mark.apart)]
    return not any(HIDDEN in cards for cards in (*v.hands, *v.apart, *remembered_cards)) and all(
        card.kind != HIDDEN for cards in v.loot for card in cards
    )


# Blind deals


def deal_unseen(t: Table, unseen: list[int], caps: list[int], rnd: Random) -> None:
    """Deals the unseen cards into the holes so that no hand has more police than its cap. The rest is the deck."""
    lootable = [kind for kind in unseen if kind in LOOT]
    rnd.shuffle(lootable)
    for loot in t.loot:
        for place, card in enumerate(loot):
            if card.kind == HIDDEN:
                if not lootable:
                    raise Refused("thieves.view.contradiction")
                kind = lootable.pop()
                unseen.remove(kind)
                loot[place] = card.with_kind(kind)
    rnd.shuffle(unseen)
    police = [kind for kind in unseen if kind in POLICE]
    others = [kind for kind in unseen if kind not in POLICE]
    hidden = [seat for seat in range(t.seats) if HIDDEN in t.hands[seat]]
    held = share_police(
        [(t.hands[seat].count(HIDDEN), caps[seat]) for seat in hidden],
        len(police),
        len(unseen),
        rnd,
    )
    for seat, count in zip(hidden, held, strict=True):
        size = t.hands[seat].count(HIDDEN)
        known = [kind for kind in t.hands[seat] if kind]
        t.hands[seat] = sorted(known + police[:count] + others[: size - count])
        del police[:count], others[: size - count]
    rest = police + others
    rnd.shuffle(rest)
    for cards in t.apart:
        if HIDDEN in cards:
            size = cards.count(HIDDEN)
            cards[:] = sorted([kind for kind in cards if kind] + rest[:size])
            del rest[:size]
    t.left = sorted([*rest, *[GETAWAY] * t.left.count(GETAWAY)])


def share_police(hands: list[tuple[int, int]], police: int, cards: int, rnd: Random) -> list[int]:
    """Draws how many of the police each hand (size, cap) holds: every way of dealing the cards is equally likely."""
    elsewhere = cards - sum(size for size, _ in hands)
    if elsewhere < 0:
        raise Refused("thieves.view.contradiction")
    if not hands:
        return []
    shares, count = [], police
    for (size, cap), later in zip(hands, ways_to_hold(tuple(hands), police, elsewhere), strict=True):
        weights = [comb(size, held) * later[count - held] for held in range(min(cap, count) + 1)]
        if not any(weights):
            raise Refused("thieves.view.contradiction")
        held = rnd.choices(range(len(weights)), weights)[0]
        shares.append(held)
        count -= held
    if not comb(elsewhere, count):
        raise Refused("thieves.view.contradiction")
    return shares


@lru_cache(64)  # all blind deals of a view need the same numbers
def ways_to_hold(hands: tuple[tuple[int, int], ...], police: int, elsewhere: int) -> list[list[int]]:
    """Returns for each hand: in how many ways all later hands and all other places can hold so many of the police."""
    ways = [[comb(elsewhere, count) for count in range(police + 1)]]
    for size, cap in hands[:0:-1]:
        later = ways[-1]
        ways.append(
            [
                sum(comb(size, held) * later[count - held] for held in range(min(cap, count) + 1))
                for count in range(police + 1)
            ]
        )
    return ways[::-1]


# The scarce cards


Dealt = tuple[Cards, ...]  # the scarce cards dealt so far, by place; the last place is the deck


class Hole(NamedTuple):
    """The place of a hidden card of loot."""

    seat: int
    place: int


class Scarce:
    """Deals the scarce cards of a view, those that can lie only in few places, one by one.

    For each deal begun, `most` is an upper limit of the number of ways to complete it, at first without regard to the
    past. A card goes to a place with the probability of these numbers. When a counted way proves impossible, the deal
    fails, the numbers are corrected and the next deal begins. So no possible way is likelier than another, and no
    failure is repeated.
    """

    def __init__(self, v: Table, unseen: list[int], caps: list[int]) -> None:
        self.count = count = Counter(unseen)
        spare = {kind: least_room(v, kind) - count[kind] for kind in count}
        kinds = sorted((kind for kind in count if kind in POLICE or spare[kind] < 0), key=lambda kind: spare[kind])
        self.cards = [kind for kind in kinds for _ in range(count[kind])]
        self.free = [kind for kind in sorted(unseen) if kind not in kinds]
        self.caps = caps
        self.crowd = Crowd(v, count)
        self.table = v.copy()  # for checks of the past
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
        self.checks = 0  # checks of the past so far

    @property
    def any_way(self) -> bool:
        """Returns True if some deal may still be completed."""
        return self.most[self.start] > 0

    def deal(self, rnd: Random) -> Dealt | None:
        """Returns a deal of all scarce cards, None if it failed. After a failure the next is likelier to succeed."""
        self.checks += 1
        dealt: Dealt | None = self.start
        path: list[Dealt] = []
        while dealt is not None and self.most[dealt] and len(path) < len(self.cards):
            path.append(dealt)
            dealt = self.one_more(dealt, rnd.randrange(self.most[dealt]))
        for earlier in reversed(path):
            self.most[earlier] = sum(slots * self.most[later] for slots, later in self.next[earlier])
        return dealt if len(path) == len(self.cards) else None

    def one_more(self, dealt: Dealt, lot: int) -> Dealt | None:
        """Returns the deal with one card more, chosen by the number `lot`; None for a way that proved impossible."""
        if dealt not in self.next:
            self.next[dealt] = list(self.following(dealt, self.cards[sum(map(len, dealt))]))
        for slots, later in self.next[dealt]:
            lot -= slots * self.most[later]
            if lot < 0:
                return later
        return None

    def following(self, dealt: Dealt, kind: int) -> Iterator[tuple[int, Dealt]]:
        """Yields the deals with the next card: the number of free spots of its place, and the deal."""
        for place, cards in enumerate(dealt):
            slots = self.sizes[place] - len(cards)
            if slots and (kind in LOOT or not self.first_hole <= place < self.deck):
                later = (*dealt[:place], (*cards, kind), *dealt[place + 1 :])
                if later not in self.most:
                    self.most[later] = self.ways(later) if place == self.deck or self.possible(later) else 0
                if self.most[later]:
                    yield slots, later

    def ways(self, dealt: Dealt) -> int:
        """Returns in how many ways the rest can be dealt: face-down loot is loot and the hands fit the newest raid."""
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
        """Returns True if the past allows the cards dealt so far."""
        self.checks += 1
        for seat, cards in zip(self.hands, dealt, strict=False):
            if sum(kind in POLICE for kind in cards) > self.caps[seat]:
                return False
        self.lay(self.table, dealt)
        return possible_landmarks(self.table) is not None

    def lay(self, t: Table, dealt: Dealt) -> None:
        """Puts the dealt cards in their places. All others stay hidden."""
        rows = [t.hands[seat] for seat in self.hands] + [t.apart[number] for number in self.apart]
        for row, cards in zip(rows, dealt, strict=False):
            row[:] = [*cards, *[HIDDEN] * (len(row) - len(cards))]
        for hole, cards in zip(self.holes, dealt[self.first_hole :], strict=False):
            card = t.loot[hole.seat][hole.place]
            t.loot[hole.seat][hole.place] = card.with_kind(cards[0] if cards else HIDDEN)


class Crowd:
    """The limits that the newest raid sets to all hands together.

    Of each kind they can hold the cards that were hidden at the raid. The cards over that number were drawn since.
    """

    def __init__(self, v: Table, count: Counter[int]) -> None:
        self.count = count
        self.room = Counter(v.house.box)
        self.since = Counter(dict.fromkeys(v.house.box, 0))
        self.most = 0  # how many cards may be over
        self.known: dict[Cards, dict[tuple[int, int, int], int]] = {}
        landmarks = v.memory.landmarks
        raids = [number for number, mark in enumerate(landmarks) if any(HIDDEN in hand for hand in mark.hands)]
        if raids:
            mark = landmarks[raids[-1]]
            # A hand that was empty has only new cards, so it counts as hidden.
            unseen = {seat for seat, hand in enumerate(mark.hands) if not any(hand)}
            self.room.subtract(mark.open)
            self.room.subtract([kind for hand in (*mark.hands, mark.apart) for kind in hand if kind])
            for kind, seat, since, left in cards_played(v):
                if kind and since == FROM_HAND and seat in unseen and left > raids[-1]:
                    self.since[kind] += 1
            for passed in range(raids[-1] + 1, len(landmarks) + 1):
                self.most += sum(draws(v.memory, seat, passed) for seat in unseen)
            self.most -= sum(self.over(kind, 0) for kind, since in self.since.items() if since and kind not in count)
        if sum(self.over(kind, count[kind]) for kind in count) <= self.most:
            self.room = Counter(v.house.box) + self.since  # the raid says nothing about the hands any more

    def over(self, kind: int, held: int) -> int:
        """Returns how many of a kind were drawn since the raid, if the hands hold `held` of it."""
        return max(0, held + self.since[kind] - self.room[kind]) if kind else 0

    def choices(self, kinds: Cards) -> dict[tuple[int, int, int], int]:
        """Returns in how many ways hands can get cards of these kinds, by (number, number of loot, number over)."""
        if kinds not in self.known:
            choices = {(0, 0, 0): 1}
            if kinds:
                choices, kind = {}, kinds[0]
                for (count, loot, over), ways in self.choices(kinds[1:]).items():
                    for held in range(self.count[kind] + 1):
                        more = over + self.over(kind, held)
                        if more <= self.most:
                            key = count + held, loot + (held if kind in LOOT else 0), more
                            choices[key] = choices.get(key, 0) + ways * comb(self.count[kind], held)
            self.known[kinds] = choices
        return self.known[kinds]


def least_room(v: Table, kind: int) -> int:
    """Returns the least room for a kind at any raid: the cards that did not lie open, without those played since."""
    box = v.house.box.count(kind)
    return min(
        [
            box - mark.open.count(kind) - sum(seen == kind and left > number for seen, _, _, left in v.memory.played)
            for number, mark in enumerate(v.memory.landmarks)
        ],
        default=box,
    )
