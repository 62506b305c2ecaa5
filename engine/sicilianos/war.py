"""Sicilianos: the war, as questions in the order of the rule book. How it ends is in `result`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from random import Random

from engine.core import Answer, Question, Refused
from engine.sicilianos import result
from engine.sicilianos.box import (
    BODYGUARD,
    BOMB,
    CARDS,
    COLOUR,
    OF_COLOUR,
    PARTNER,
    TRAITOR,
    VALUE,
    Cards,
    values_in,
    with_note,
)
from engine.sicilianos.laying import bad_laying, face_down, laid_unseen, lay, laying
from engine.sicilianos.table import CIRCLE, Step, Table, lying_for, may_be, show, side, sums, under

OUT: Answer = ("out",)
PLAIN: Answer = ("plain",)
TURN: Answer = ("traitor",)
STOP: Answer = ("stop",)
EXPLODE: dict[int, Answer] = {card: ("explode", card) for card in CARDS}
ADD: dict[int, Answer] = {card: ("add", card) for card in range(-6, CARDS[-1] + 1)}


# 1. Join.


def start(t: Table, seat: int, card: int, note: int) -> Question[Table]:
    """The starter lays a card face down, its colour shows, and a dirty note."""
    t.war += 1
    t.starter = seat
    lay(t, seat, card, note)
    return ask_to_join(t, seat)


def ask_to_join(t: Table, after: int) -> Question[Table]:
    """Clockwise; who has no card of a free colour stays out and is not asked."""
    seat, family = after, t.family
    while True:
        seat += 1
        if seat == t.seats:
            seat = 0
        if seat == t.starter:
            return REVEAL
        for card in t.hands[seat]:
            if COLOUR[card] not in family:
                return JOINS[t.house.open_stake][seat]


@dataclass(slots=True)
class Join(Question[Table]):
    """Lay a card of a colour not yet laid and a dirty note, both face down, or stay out."""

    seat: int
    open_stake: bool
    key = "sicilianos.join"
    strays = True

    def answers(self, t: Table, seat: int) -> list[Answer]:
        family, found, last = t.family, [OUT], 0
        join = laying("join", values_in(t.dirty[seat]))
        for card in t.hands[seat]:
            if card != last and COLOUR[card] not in family:
                found += join[card]
            last = card
        return found

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if not laid_unseen(t, self.seat, seat, a, "join", open_stake=self.open_stake):
            Question.check(self, t, seat, a)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        return bad_laying(t, seat, a, "join")

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a != OUT:
            lay(t, seat, a[1], a[2])
        return ask_to_join(t, seat)

    def stray(self, t: Table, rnd: Random) -> Question[Table]:
        """Without a list of all cards with all notes."""
        seat, family = self.seat, t.family
        cards = [card for card in t.hands[seat] if COLOUR[card] not in family]
        if t.house.twins:
            cards = list(dict.fromkeys(cards))
        notes = values_in(t.dirty[seat])
        number = floor(rnd.random() * (1 + len(cards) * len(notes))) - 1
        if number >= 0:
            lay(t, seat, cards[number // len(notes)], notes[number % len(notes)])
        return ask_to_join(t, seat)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return face_down(seat, a, viewer, open_stake=self.open_stake)


# Questions are never changed: one of each is enough.
JOINS = {open_stake: tuple([Join(seat, open_stake) for seat in range(6)]) for open_stake in (False, True)}


# The reveal.


@dataclass(slots=True)
class Reveal(Step):
    """All cards laid face down are turned up together, and in the first reveal the stakes; told from the starter on."""

    key = "sicilianos.reveal"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        seats = who_laid(t)
        stakes = () if t.revealed else tuple([t.stakes[seat] for seat in seats])
        return ("reveal", tuple([t.down[seat] for seat in seats]), stakes)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if t.blind and seat == self.seat and len(a) == 3 and a[0] == "reveal":
            if not self.fits(t, a[1], a[2]):
                raise Refused("sicilianos.reveal.not_laid")
        else:
            Step.check(self, t, seat, a)

    def fits(self, t: Table, cards: Cards, stakes: tuple[int, ...]) -> bool:
        """Whether this can be what was laid face down."""
        seats = who_laid(t)
        if len(cards) != len(seats) or len(stakes) != (0 if t.revealed else len(seats)):
            return False
        for seat, card in zip(seats, cards, strict=True):
            laid = t.down[seat]
            if laid > 0 and card != laid:
                return False
            if laid < 0 and (card < 1 or COLOUR[card] != -laid or not may_be(t, card, t.hands[seat])):
                return False
        for seat, note in zip(seats, stakes, strict=False):  # in later reveals there are no stakes
            if note not in ((t.stakes[seat],) if t.stakes[seat] else values_in(t.dirty[seat])):
                return False
        return True

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        _, cards, stakes = a
        seats = who_laid(t)
        for seat, card in zip(seats, cards, strict=True):
            t.down[seat] = card
        for seat, note in zip(seats, stakes, strict=False):  # in later reveals there are no stakes
            t.stakes[seat] = note
        return turn_up(t, seats)

    def roll(self, t: Table, rnd: Random) -> Question[Table]:
        then = turn_up(t, who_laid(t))
        return then.roll(t, rnd) if isinstance(then, Step) else then


REVEAL = Reveal()


def turn_up(t: Table, seats: Sequence[int]) -> Question[Table]:
    """What lies face down before these seats lies open."""
    traitors: tuple[int, ...] = ()
    bombs: tuple[int, ...] = ()
    down, lying = t.down, []
    for seat in seats:
        card = down[seat]
        show(t, COLOUR[card], seat, card)
        lying.append((seat, card))
        value = VALUE[card]
        if value == BOMB:
            bombs += (seat,)
        elif value == TRAITOR:
            traitors += (seat,)
        down[seat] = 0
    t.lying += tuple(lying)
    if t.revealed:
        return ask_for_bombs(t, bombs)
    t.revealed = True
    pay_stakes(t, seats)
    if len(seats) == 1 and not t.house.lone_starter_wins:
        return result.RESULT
    return ask_for_traitors(t, traitors, bombs)


def who_laid(t: Table) -> list[int]:
    """The seats with a card face down, clockwise from the starter."""
    down = t.down
    return [seat for seat in CIRCLE[t.seats][t.starter] if down[seat]]


def pay_stakes(t: Table, seats: Sequence[int]) -> None:
    """Only now is it seen which notes have left the dirty money."""
    war, dirty, stakes, book = t.war, t.dirty, t.stakes, t.book
    for seat in seats:
        note = stakes[seat]
        dirty[seat] = with_note(dirty[seat], note, -1)
        book.append((war, seat, "stake", (note,), note))


# 2. Traitors.


def ask_for_traitors(t: Table, traitors: tuple[int, ...], bombs: tuple[int, ...]) -> Question[Table]:
    """Of the seats that show an 8, the first whose partner family was laid by another player who has not turned."""
    for place, seat in enumerate(traitors):
        partner = PARTNER[t.family[seat]]
        if partner in t.family and t.family.index(partner) not in t.turned:
            return Traitor(seat, traitors[place + 1 :], bombs)
    return ask_for_bombs(t, bombs)


@dataclass(slots=True)
class Traitor(Question[Table]):
    """The 8 fights for its own family, or as a 4 for the partner family, in alliance with that family's player."""

    seat: int
    traitors: tuple[int, ...]  # who is still to be asked
    bombs: tuple[int, ...]
    key = "sicilianos.traitor"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [PLAIN, TURN]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == TURN:
            t.turned += (seat,)
        return ask_for_traitors(t, self.traitors, self.bombs)


# 3. Bombs.


def ask_for_bombs(t: Table, bombs: tuple[int, ...]) -> Question[Table]:
    """Who showed a bomb in this reveal, if it still lies and there is something it can hit."""
    for place, seat in enumerate(bombs, 1):
        if bomb_of(t, seat):
            hits = victims(t, seat)
            if hits:
                return Bomb(seat, hits, bombs[place:])
    return ask_to_reinforce(t, t.starter)


def bomb_of(t: Table, seat: int) -> int:
    """The bomb this seat has lying; 0 if it was blown up."""
    for owner, card in t.lying:
        if owner == seat and VALUE[card] == BOMB:
            return card
    return 0


def victims(t: Table, seat: int) -> tuple[int, ...]:
    """What the seat's bomb can hit: of each target family its bodyguard, or any card that lies for it.

    With edited targets it may be its own family; it is never the bomb itself.
    """
    found: list[int] = []
    bomb, sides = bomb_of(t, seat), sums(t)
    for family in t.house.targets[t.family[seat]]:
        if family not in sides:
            continue
        cards = lying_for(t, family)
        guards = [card for card in cards if VALUE[card] == BODYGUARD]
        if guards:
            cards = guards
        elif bomb in cards:
            cards.remove(bomb)
        found += dict.fromkeys(cards)
    return tuple(found)


@dataclass(slots=True)
class Bomb(Question[Table]):
    """Plain, a 5 for its family, or it blows up a card, and itself. The victim goes under its pile, then the bomb."""

    seat: int
    hits: tuple[int, ...]  # what it can hit
    bombs: tuple[int, ...]  # who is still to be asked
    key = "sicilianos.bomb"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [PLAIN, *[EXPLODE[card] for card in self.hits]]

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        match a:
            case ("explode", int(card)):
                owner = next((owner for owner, lying in t.lying if lying == card), None)
                if owner is None:
                    return Refused("sicilianos.explode.not_lying", card=card)
                if card == bomb_of(t, seat):
                    return Refused("sicilianos.explode.itself")
                family = side(t, owner)
                if family not in t.house.targets[t.family[seat]]:
                    return Refused("sicilianos.explode.no_target", family=family)
                return Refused("sicilianos.explode.guarded", family=family)
        return Refused("not_an_answer", verb=a[0])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a != PLAIN:
            blow_up(t, a[1])
            blow_up(t, bomb_of(t, seat))
        return ask_for_bombs(t, self.bombs)


def blow_up(t: Table, card: int) -> None:
    place = [lying for _, lying in t.lying].index(card)
    t.lying = t.lying[:place] + t.lying[place + 1 :]
    under(t, COLOUR[card], card)


# 4. Reinforce.


def ask_to_reinforce(t: Table, first: int) -> Question[Table]:
    """Clockwise to the starter's right: who joined, has not turned and has not stopped. Who holds no card stops."""
    families, seat, out = t.family, first, t.stopped + t.turned
    while True:
        family = families[seat]
        if family and seat not in out:
            if not OF_COLOUR[family].isdisjoint(t.hands[seat]):
                return REINFORCE[seat]
            t.stopped += (seat,)
        seat += 1
        if seat == t.seats:
            seat = 0
        if seat == t.starter:
            return REVEAL if any(t.down) else result.RESULT


def family_cards(t: Table, seat: int) -> Cards:
    family = t.family[seat]
    return tuple([card for card in t.hands[seat] if COLOUR[card] == family])


@dataclass(slots=True)
class Reinforce(Question[Table]):
    """Add a card of the family, face down, or stop for good; also with nobody left, also when nothing own lies."""

    seat: int
    key = "sicilianos.reinforce"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        found = [STOP]
        found += [ADD[card] for card in dict.fromkeys(family_cards(t, seat))]
        return found

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if not (t.blind and seat == self.seat and a == ADD[-t.family[seat]]):
            Question.check(self, t, seat, a)

    def refusal(self, t: Table, seat: int, a: Answer) -> Refused:
        match a:
            case ("add", int(card)):
                if card not in t.hands[seat]:
                    return Refused("sicilianos.add.not_in_hand", card=card)
                return Refused("sicilianos.add.other_family", card=card, family=t.family[seat])
        return Refused("not_an_answer", verb=a[0])

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == STOP:
            t.stopped += (seat,)
        else:
            t.down[seat] = a[1]
        if seat + 1 < t.seats:
            seat += 1
        else:
            seat = 0
        if seat == t.starter:
            return REVEAL if any(t.down) else result.RESULT
        return ask_to_reinforce(t, seat)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat or a == STOP else ADD[-COLOUR[a[1]]]


REINFORCE = tuple(map(Reinforce, range(6)))
