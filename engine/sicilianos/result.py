"""Sicilianos: how a war ends, and the game: result, founding, check and payday, in the order of the rule book."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engine.core import Answer, Line, Over, Question, Refused
from engine.sicilianos import rules  # `rules` is the circle: after the war the next turn is asked
from engine.sicilianos.box import (
    ANTIQUES,
    COLOUR,
    COLOURS,
    DIFFERENT,
    KINDS,
    LAUNDRY,
    MOST,
    NO_MONEY,
    RESTAURANT,
    Business,
    alone_with_most,
    business_card,
    different_sets,
    with_note,
    without,
)
from engine.sicilianos.table import NOBODY, Step, Table, balance, in_war, side, sums, under

GODFATHER = 3  # so many businesses of one colour

BUSINESS: Answer = ("business",)
MONEY: Answer = ("money",)
FOUND: tuple[Answer, ...] = tuple(("found", kind) for kind in (0, *KINDS))  # 0 is a business nobody else saw


# 5. Result.


def strongest(t: Table) -> int:
    """The family that wins: equal sums drop out together, the strongest left wins. 0 if none is left."""
    if not t.house.lone_starter_wins and len(in_war(t)) == 1:
        return 0
    best, tied, winner = 0, 0, 0
    totals = sums(t)
    for family, strength in totals.items():
        if strength > best:
            best, winner, tied = strength, family, 1
        elif strength == best:
            tied += 1
    if tied < 2:
        return winner
    strengths = list(totals.values())
    alone = {strength: family for family, strength in totals.items() if strengths.count(strength) == 1}
    return alone[max(alone)] if alone else 0


@dataclass(slots=True)
class Result(Step):
    """The strongest family wins, and of its side only who has a card of their own lying for it.

    One winner, family player or traitor, wins alone: the stake and an equal note become clean. Two are allied and
    share. All other stakes go to the bank.
    """

    key = "sicilianos.result"

    def outcome(self, t: Table) -> Answer:
        return ("result", strongest(t))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        family = a[1]
        winners = winners_of(t, family) if family else []
        if not winners:
            t.stakes = [0] * t.seats
            return CLEAR
        if len(winners) == 1:
            winner = winners[0]
            wash(t, winner, (t.stakes[winner], t.stakes[winner]))
            return founding(t, winner, family)
        own, ally = winners
        t.stakes = [stake if s in winners else 0 for s, stake in enumerate(t.stakes)]
        return Share(own, ally, family)


RESULT = Result()


def winners_of(t: Table, family: int) -> list[int]:
    """Who fought for the family and has a card of their own lying for it; the family's own player first."""
    seats = [t.family.index(family), *[seat for seat in t.turned if side(t, seat) == family]]
    if len(seats) == 1:
        return seats  # all that lies for the family is theirs
    owners = [owner for owner, _ in t.lying]
    return [seat for seat in seats if seat in owners]


def wash(t: Table, seat: int, notes: tuple[int, ...]) -> None:
    """These notes become clean money of this seat."""
    for note in notes:
        t.clean[seat] = with_note(t.clean[seat], note, 1)
    t.stakes = [0] * t.seats
    t.book.append((t.war, seat, "washed", notes, sum(notes)))


@dataclass(slots=True)
class Share(Question[Table]):
    """Allied winners: the family's own player chooses business or money (both stakes), the ally gets the other.

    The choice stands even if no business of the colour is left: then the founder gets nothing.
    """

    seat: int
    ally: int
    family: int
    key = "sicilianos.share"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [BUSINESS, MONEY]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        founder, washer = (seat, self.ally) if a == BUSINESS else (self.ally, seat)
        wash(t, washer, (t.stakes[washer], t.stakes[founder]))
        return founding(t, founder, self.family)


def shops_left(t: Table, colour: int) -> int:
    """How many businesses of a colour are left."""
    return len(t.house.shops[colour]) - len(t.founded[colour])


def kinds_left(t: Table, colour: int) -> tuple[int, ...]:
    """Which kinds are left, holes where this table cannot tell."""
    kinds = t.house.shops[colour]
    for _, _, kind in t.founded[colour]:
        if not kind:
            return (0,) * shops_left(t, colour)
        kinds = without(kinds, kind)
    return kinds


def founding(t: Table, seat: int, colour: int) -> Question[Table]:
    """The founder looks at what is left in the colour; if there is nothing, founding fails."""
    return BUSINESSES[seat][colour] if shops_left(t, colour) else CLEAR


@dataclass(slots=True)
class Businesses(Step):
    """`to` looks at the businesses left in the colour; nobody else sees them."""

    to: int
    colour: int
    key = "sicilianos.businesses"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("businesses", *kinds_left(t, self.colour))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if t.blind and seat == self.seat and a[0] == "businesses":
            kinds = a[1:]
            known, boxed = kinds_left(t, self.colour), t.house.shops[self.colour]
            unseen = not any(kinds)
            fits = unseen or (tuple(sorted(kinds)) == kinds and all(kinds.count(k) <= boxed.count(k) for k in kinds))
            if len(kinds) == len(known) and fits and (not any(known) or unseen or kinds == known):
                return
            raise Refused("sicilianos.businesses.not_left", colour=self.colour)
        Step.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.looking, t.saw = self.to, a[1:]
        return FOUNDINGS[self.to][self.colour]

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        t.looking, t.saw = self.to, kinds_left(t, self.colour)
        return FOUNDINGS[self.to][self.colour]

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("businesses", *[0] * (len(a) - 1))


@lru_cache(1024)
def to_found(kinds: tuple[int, ...]) -> tuple[Answer, ...]:
    """What may be founded of these."""
    return tuple([FOUND[kind] for kind in dict.fromkeys(kinds)])


@dataclass(slots=True)
class Founding(Question[Table]):
    """Take one of the businesses left, secretly. The third of a colour makes the Godfather."""

    seat: int
    colour: int
    key = "sicilianos.founding"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return list(to_found(t.saw))

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if not (t.blind and seat == self.seat and a == FOUND[0]):
            Question.check(self, t, seat, a)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        if a[0] != "found":
            return Refused("not_an_answer", verb=a[0])
        return Refused("sicilianos.found.not_left", colour=self.colour)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.founded[self.colour] += ((seat, t.saw, a[1]),)
        t.looking, t.saw = NOBODY, ()
        if [owner for owner, _, _ in t.founded[self.colour]].count(seat) >= GODFATHER:
            t.godfather = seat
        return CLEAR

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat else FOUND[0]


BUSINESSES = tuple([tuple([Businesses(seat, colour) for colour in range(7)]) for seat in range(6)])
FOUNDINGS = tuple([tuple([Founding(seat, colour) for colour in range(7)]) for seat in range(6)])


# 6. Check.


@dataclass(slots=True)
class Clear(Step):
    """All family cards go under their piles, the first laid first. Then: Godfather, payday, or the next turn."""

    key = "sicilianos.clear"

    def outcome(self, t: Table) -> Answer:
        return ("clear",)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        for _, card in t.lying:
            under(t, COLOUR[card], card)
        starter = t.starter
        t.starter, t.revealed = NOBODY, False
        t.lying = t.turned = t.stopped = ()
        t.family = [0] * t.seats
        t.stakes = [0] * t.seats
        if t.godfather != NOBODY or NO_MONEY in t.dirty:
            return Open()
        return rules.turn_after(t, starter)


CLEAR = Clear()


@dataclass(slots=True)
class Open(Step):
    """The game ends: all businesses are turned up, by colour, in the order they were founded."""

    key = "sicilianos.open"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        return ("open", *[kind for founded in t.founded for _, _, kind in founded])

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if t.blind and seat == self.seat and a[0] == "open":
            if len(a) != sum(map(len, t.founded)) + 1 or not all(a):
                raise Refused("sicilianos.open.not_founded")
            kinds = iter(a[1:])
            for colour, founded in enumerate(t.founded):
                shops = t.house.shops[colour]
                for _, _, kind in founded:
                    told = next(kinds)
                    if told not in ((kind,) if kind else shops) or told not in shops:
                        raise Refused("sicilianos.open.not_founded")
                    shops = without(shops, told)
            return
        Step.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        kinds = iter(a[1:])
        t.founded = [tuple([(owner, saw, next(kinds)) for owner, saw, _ in founded]) for founded in t.founded]
        t.opened = True
        return Over() if t.godfather != NOBODY else Payday(1)


CATEGORIES = ("different", "antiques", "restaurants", "laundries")
COUNTED = {"antiques": ANTIQUES, "restaurants": RESTAURANT, "laundries": LAUNDRY}


@dataclass(slots=True)
class Payday(Step):
    """The bank pays: 50 for three different businesses of different colours, 100 for alone holding most of a kind."""

    number: int  # which category, counted from 1
    key = "sicilianos.payday"

    def outcome(self, t: Table) -> Answer:
        return ("payday", self.number)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        category = CATEGORIES[self.number - 1]
        if category == "different":
            owners = [owner for founded in t.founded for owner, _, _ in founded]
            for s in range(t.seats):
                if owners.count(s) >= len(KINDS):
                    chosen = different_sets(businesses_of(t, s))[: None if t.house.counts_sets else len(KINDS)]
                    pay(t, s, category, chosen, DIFFERENT * len(chosen) // len(KINDS))
        else:
            wanted = COUNTED[category]
            owners = [owner for founded in t.founded for owner, _, kind in founded if kind == wanted]
            s = alone_with_most(map(owners.count, range(t.seats)))
            if s >= 0:
                pay(t, s, category, [business for business in businesses_of(t, s) if business[1] == wanted], MOST)
        return Payday(self.number + 1) if self.number < len(CATEGORIES) else Over()


def pay(t: Table, seat: int, category: str, businesses: list[Business], amount: int) -> None:
    if amount:
        t.bonus = (*t.bonus[:seat], t.bonus[seat] + amount, *t.bonus[seat + 1 :])
        t.book.append((t.war, seat, category, tuple(map(business_card, businesses)), amount))


def businesses_of(t: Table, seat: int) -> list[Business]:
    """The businesses of a seat: colour and kind, 0 for a kind this table does not show."""
    return [(colour, kind) for colour in COLOURS for owner, _, kind in t.founded[colour] if owner == seat]


def scores(t: Table) -> list[int]:
    """Clean money less dirty, and what payday brought. With a Godfather nothing is summed: one wins, the rest share."""
    if t.godfather != NOBODY:
        return [int(seat == t.godfather) for seat in range(t.seats)]
    return [balance(t, seat) + t.bonus[seat] for seat in range(t.seats)]


def winners(t: Table) -> list[int]:
    """The Godfather, or who has the highest sum; a tie is shared."""
    found = scores(t)
    return [seat for seat in range(t.seats) if found[seat] == max(found)]


def ledger(t: Table) -> list[Line]:
    """Every note that left the dirty money, became clean or was paid, with the war in which it did."""
    if t.godfather != NOBODY:
        owned = businesses_of(t, t.godfather)
        colours = [colour for colour, _ in owned]
        ruled = [business for business in owned if colours.count(business[0]) >= GODFATHER]
        return [Line(t.war, t.godfather, "godfather", tuple(map(business_card, ruled)), 1)]
    return [Line(*line) for line in t.book]
