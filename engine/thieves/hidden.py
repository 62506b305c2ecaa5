"""Złodzieje!: what each may see, and the tables that agree with it.

Hidden are hands, cards kept apart and face-down loot. Some of it is remembered, and the table keeps that too:
every card of loot says who knows it, and the landmarks say what an alarm or a raid taught everybody.
"""

from __future__ import annotations

from bisect import insort
from itertools import chain
from math import comb
from random import Random

from engine.core import HIDDEN, Refused
from engine.thieves.box import GETAWAY, LOOT, POLICE
from engine.thieves.memory import agrees, most_police
from engine.thieves.scarce import Scarce
from engine.thieves.table import Landmark, Table

DEALS = 100  # deals that `fill` looks at before it goes card by card
BETWEEN = 30  # and so many between two that go card by card, which take as long
LOOKS = 50_000  # and how often it then looks at what can have been before it says that none can agree


def view(t: Table, viewer: int) -> Table:
    """The table as `viewer` knows it: `left` counts every card it has not seen, wherever that is."""
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
                loot[place] = card.told(HIDDEN)
    v.landmarks = [remembered(mark, viewer) for mark in t.landmarks]
    return v


def cover(v: Table, cards: list[int]) -> None:
    """Somebody else's cards: only their number is seen."""
    for kind in cards:
        if kind:
            insort(v.left, kind)
    cards[:] = [HIDDEN] * len(cards)


def remembered(mark: Landmark, viewer: int) -> Landmark:
    """Of the hands held at a raid each remembers its own."""
    hands = [hand if seat == viewer else (HIDDEN,) * len(hand) for seat, hand in enumerate(mark.hands)]
    apart = mark.apart if mark.apart_by == viewer else (HIDDEN,) * len(mark.apart)
    return mark._replace(hands=tuple(hands), apart=apart)


def fill(v: Table, rnd: Random) -> Table:
    """A full table that agrees with the view: all ways the cards may lie are equally likely.

    Cards are dealt into the unseen places so that face-down loot is loot and no hand holds more police car cards than
    it can have drawn since the last alarm; then it is checked whether the past can have been like that. Where this
    hardly ever is so the cards that are scarce are dealt first, one by one, in turn with more of the others, for where
    most cards are scarce that takes long. A view with which nothing can agree is
    refused: at once if its cards are not those of the box, else when every way has come to nothing, or after so many
    looks that one which agrees would be rarer than any that came up in play.
    """
    check_box(v)
    if whole(v):
        return v.copy()
    unseen = [kind for kind in v.left if kind != GETAWAY]
    caps = [most_police(v, seat, len(v.landmarks)) for seat in range(v.seats)]
    found = blindly(v, unseen, caps, DEALS, rnd)
    if found is not None:
        return found
    scarce = Scarce(v, unseen, caps)
    while scarce.looks < LOOKS and scarce.any_way:
        found = card_by_card(v, scarce, caps, rnd) or blindly(v, unseen, caps, BETWEEN, rnd)
        if found is not None:
            return found
        scarce.looks += BETWEEN
    raise Refused("thieves.view.contradiction")


def blindly(v: Table, unseen: list[int], caps: list[int], deals: int, rnd: Random) -> Table | None:
    """The first of so many deals that agrees."""
    for _ in range(deals):
        t = v.copy()
        deal_unseen(t, list(unseen), caps, rnd)
        if agrees(t):
            return t
    return None


def card_by_card(v: Table, scarce: Scarce, caps: list[int], rnd: Random) -> Table | None:
    """One deal of the scarce cards, if it comes to an end and agrees."""
    dealt = scarce.deal(rnd)
    if not dealt:
        return None
    t = v.copy()
    scarce.lay(t, dealt)
    deal_unseen(t, list(scarce.free), caps, rnd)
    t.left = sorted([*t.left, *dealt[-1]])
    return t if agrees(t) else None


def check_box(v: Table) -> None:
    """What is seen and what is not are together the cards of the box, and the holes are for cards that are not seen."""
    getaways = min(v.getaways, len(v.house.box) + 1)  # however many are claimed
    seen = [*v.police, *v.gone, *[GETAWAY] * getaways, *chain(*v.hands, *v.apart)]
    seen += [card.kind for cards in v.loot for card in cards]
    if sorted([*v.left, *[kind for kind in seen if kind]]) != list(v.house.box):
        raise Refused("thieves.view.contradiction")
    if seen.count(HIDDEN) > len(v.left) - v.left.count(GETAWAY):
        raise Refused("thieves.view.contradiction")


def whole(v: Table) -> bool:
    """Whether nothing is hidden: no card, and no hand that was held at a raid."""
    return not any(
        HIDDEN in cards
        for group in (v.hands, v.apart, *[mark.hands for mark in v.landmarks], [mark.apart for mark in v.landmarks])
        for cards in group
    ) and all(card.kind != HIDDEN for cards in v.loot for card in cards)


def deal_unseen(t: Table, unseen: list[int], caps: list[int], rnd: Random) -> None:
    """Put the unseen cards, in any way that keeps the caps, into the holes; the rest is the deck."""
    lootable = [kind for kind in unseen if kind in LOOT]
    rnd.shuffle(lootable)
    for loot in t.loot:
        for place, card in enumerate(loot):
            if card.kind == HIDDEN:
                if not lootable:
                    raise Refused("thieves.view.contradiction")
                kind = lootable.pop()
                unseen.remove(kind)
                loot[place] = card.told(kind)
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
    """How many of the police each hand (size, cap) holds, every way of dealing the cards equally likely."""
    # ways[n]: of the hands looked at so far and all other places, counted from the last hand on
    elsewhere = cards - sum(size for size, _ in hands)
    if elsewhere < 0:
        raise Refused("thieves.view.contradiction")
    ways = [[comb(elsewhere, count) for count in range(police + 1)]]
    for size, cap in reversed(hands):
        later = ways[-1]
        ways.append(
            [
                sum(comb(size, held) * later[count - held] for held in range(min(cap, count) + 1))
                for count in range(police + 1)
            ]
        )
    ways.pop()
    found, count = [], police
    for size, cap in hands:
        later = ways.pop()
        weights = [comb(size, held) * later[count - held] for held in range(min(cap, count) + 1)]
        if not any(weights):
            raise Refused("thieves.view.contradiction")
        held = rnd.choices(range(len(weights)), weights)[0]
        found.append(held)
        count -= held
    if hands and not ways and not comb(elsewhere, count):
        raise Refused("thieves.view.contradiction")
    return found
