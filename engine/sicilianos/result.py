"""Sicilianos: the end of a war and of the game. `then` is the turn of the next player, after the war."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Answer, Beat, LedgerLine, Over, Question, Refused, not_an_answer, not_asked
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
    equal_antiques_once,
    with_note,
    without,
)
from engine.sicilianos.table import NOBODY, Table, balance, in_war, side, sums, under

GODFATHER = 3  # businesses of one colour

BUSINESS: Answer = ("business",)
MONEY: Answer = ("money",)
UNSEEN: Answer = ("found", 0)  # the masked answer


# 5. Result


def strongest(t: Table) -> int:
    """Returns the family that wins, 0 if none does. Equal sums drop out together, the strongest of the rest wins."""
    if not t.house.lone_starter_wins and len(in_war(t)) == 1:
        return 0
    totals = sums(t)
    strengths = list(totals.values())
    by_strength = {strength: family for family, strength in totals.items() if strengths.count(strength) == 1}
    return by_strength[max(by_strength)] if by_strength else 0


@dataclass(slots=True)
class Result(Beat[Table]):
    """The strongest family wins, and of its players only those with a card of their own lying for it.

    A single winner, family player or traitor, gets the stake and an equal note as clean money, and founds a business.
    Two winners are allied and share. All other stakes go to the bank.
    """

    then: Question[Table]
    key = "sicilianos.result"

    def outcome(self, t: Table) -> Answer:
        return ("result", strongest(t))

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        family = a[1]
        winners = winners_of(t, family) if family else []
        if not winners:
            t.stakes = [0] * t.seats
            return Clear(self.then)
        if len(winners) == 1:
            winner = winners[0]
            wash(t, winner, (t.stakes[winner], t.stakes[winner]))
            return found_business(t, winner, family, self.then)
        own, ally = winners
        t.stakes = [stake if owner in winners else 0 for owner, stake in enumerate(t.stakes)]
        return Share(own, ally, family, self.then)


def winners_of(t: Table, family: int) -> list[int]:
    """Returns the seats that fought for the family and have a card lying for it, the family's own player first."""
    seats = [t.family.index(family), *[seat for seat in t.turned if side(t, seat) == family]]
    if len(seats) == 1:
        return seats  # all cards of the family are theirs
    owners = [owner for owner, _ in t.lying]
    return [seat for seat in seats if seat in owners]


def wash(t: Table, seat: int, notes: tuple[int, ...]) -> None:
    """Gives these notes to this seat as clean money and removes all stakes."""
    for note in notes:
        t.clean[seat] = with_note(t.clean[seat], note, 1)
    t.stakes = [0] * t.seats
    t.book.append((t.war, seat, "washed", notes, sum(notes)))


@dataclass(slots=True)
class Share(Question[Table]):
    """Of two allied winners, the family's own player chooses business or money (both stakes); the ally gets the other.

    The choice stands even if no business of the colour is left: then the founder gets nothing.
    """

    seat: int
    ally: int
    family: int
    then: Question[Table]
    key = "sicilianos.share"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [BUSINESS, MONEY]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        founder, washer = (seat, self.ally) if a == BUSINESS else (self.ally, seat)
        wash(t, washer, (t.stakes[washer], t.stakes[founder]))
        return found_business(t, founder, self.family, self.then)


def shops_left(t: Table, colour: int) -> int:
    """Returns the number of businesses of a colour that are left."""
    return len(t.house.shops[colour]) - len(t.founded[colour])


def kinds_left(t: Table, colour: int) -> tuple[int, ...]:
    """Returns the kinds of business that are left in a colour: all 0 if this view cannot tell."""
    kinds = t.house.shops[colour]
    for _, _, kind in t.founded[colour]:
        if not kind:
            return (0,) * shops_left(t, colour)
        kinds = without(kinds, kind)
    return kinds


def found_business(t: Table, seat: int, colour: int, then: Question[Table]) -> Question[Table]:
    """Returns the first question of a founding, or the end of the war if no business of the colour is left."""
    return Businesses(seat, colour, then) if shops_left(t, colour) else Clear(then)


@dataclass(slots=True)
class Businesses(Beat[Table]):
    """`to` looks at the businesses that are left in the colour. Nobody else sees them."""

    to: int
    colour: int
    then: Question[Table]
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
        Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.looking, t.saw = self.to, a[1:]
        return Founding(self.to, self.colour, self.then)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == self.to else ("businesses", *[0] * (len(a) - 1))


@dataclass(slots=True)
class Founding(Question[Table]):
    """The founder secretly takes one of the businesses. The third of a colour makes the founder the Godfather."""

    seat: int
    colour: int
    then: Question[Table]
    key = "sicilianos.founding"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [("found", kind) for kind in dict.fromkeys(t.saw)]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat) or (t.blind and a == UNSEEN):
            return
        if a[0] != "found":
            raise not_an_answer(a)
        raise Refused("sicilianos.found.not_left", colour=self.colour)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        t.founded[self.colour] += ((seat, t.saw, a[1]),)
        t.looking, t.saw = NOBODY, ()
        if [owner for owner, _, _ in t.founded[self.colour]].count(seat) >= GODFATHER:
            t.godfather = seat
        return Clear(self.then)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat else UNSEEN


# 6. Check


@dataclass(slots=True)
class Clear(Beat[Table]):
    """All family cards go under their piles, the first laid first. Then come a Godfather, payday or the next turn."""

    then: Question[Table]
    key = "sicilianos.clear"

    def outcome(self, t: Table) -> Answer:
        return ("clear",)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        for _, card in t.lying:
            under(t, COLOUR[card], card)
        t.starter, t.revealed = NOBODY, False
        t.lying = t.turned = t.stopped = ()
        t.family = [0] * t.seats
        t.stakes = [0] * t.seats
        if t.godfather != NOBODY or NO_MONEY in t.dirty:
            return Open()
        return self.then


@dataclass(slots=True)
class Open(Beat[Table]):
    """The end of the game: all businesses are turned up, by colour, in the order they were founded."""

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
                    opened = next(kinds)
                    if opened not in ((kind,) if kind else shops) or opened not in shops:
                        raise Refused("sicilianos.open.not_founded")
                    shops = without(shops, opened)
            return
        Question.check(self, t, seat, a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        kinds = iter(a[1:])
        t.founded = [tuple([(owner, saw, next(kinds)) for owner, saw, _ in founded]) for founded in t.founded]
        t.opened = True
        return Over() if t.godfather != NOBODY else Payday(1)


CATEGORIES = ("different", "antiques", "restaurants", "laundries")
COUNTED = {"antiques": ANTIQUES, "restaurants": RESTAURANT, "laundries": LAUNDRY}


@dataclass(slots=True)
class Payday(Beat[Table]):
    """The bank pays 50 for three different businesses of three colours, 100 to the only player with most of a kind."""

    number: int  # of the category, counted from 1
    key = "sicilianos.payday"

    def outcome(self, t: Table) -> Answer:
        return ("payday", self.number)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        category = CATEGORIES[self.number - 1]
        if category == "different":
            owners = [owner for founded in t.founded for owner, _, _ in founded]
            for owner in range(t.seats):
                if owners.count(owner) >= len(KINDS):
                    owned = businesses_of(t, owner)
                    if t.house.counts_equal_antiques_once:
                        owned = equal_antiques_once(owned)
                    chosen = different_sets(owned)[: None if t.house.counts_sets else len(KINDS)]
                    pay(t, owner, category, chosen, DIFFERENT * len(chosen) // len(KINDS))
        else:
            wanted = COUNTED[category]
            owners = [owner for founded in t.founded for owner, _, kind in founded if kind == wanted]
            winner = alone_with_most(map(owners.count, range(t.seats)))
            if winner >= 0:
                counted = [business for business in businesses_of(t, winner) if business[1] == wanted]
                pay(t, winner, category, counted, MOST)
        return Payday(self.number + 1) if self.number < len(CATEGORIES) else Over()


def pay(t: Table, seat: int, category: str, businesses: list[Business], amount: int) -> None:
    """Pays a bonus to a seat, and writes it down for the ledger."""
    if amount:
        t.bonus = (*t.bonus[:seat], t.bonus[seat] + amount, *t.bonus[seat + 1 :])
        t.book.append((t.war, seat, category, tuple(map(business_card, businesses)), amount))


def businesses_of(t: Table, seat: int) -> list[Business]:
    """Returns the businesses of a seat, by colour; the kind is 0 where this view does not show it."""
    return [(colour, kind) for colour in COLOURS for owner, _, kind in t.founded[colour] if owner == seat]


def scores(t: Table) -> list[int]:
    """Returns clean money less dirty money plus the bonus of payday, by seat.

    With a Godfather nothing is summed: the Godfather has 1, the others share second place with 0.
    """
    if t.godfather != NOBODY:
        return [int(seat == t.godfather) for seat in range(t.seats)]
    return [balance(t, seat) + t.bonus[seat] for seat in range(t.seats)]


def winners(t: Table) -> list[int]:
    """Returns the Godfather, or the seats with the highest sum: a tie is shared."""
    totals = scores(t)
    return [seat for seat in range(t.seats) if totals[seat] == max(totals)]


def ledger(t: Table) -> list[LedgerLine]:
    """Returns a line for all money that left the dirty money, became clean or was paid, with the number of the war."""
    if t.godfather != NOBODY:
        owned = businesses_of(t, t.godfather)
        colours = [colour for colour, _ in owned]
        ruled = [business for business in owned if colours.count(business[0]) >= GODFATHER]
        return [LedgerLine(t.war, t.godfather, "godfather", tuple(map(business_card, ruled)), 1)]
    return [LedgerLine(*line) for line in t.book]
