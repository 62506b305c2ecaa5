"""Sicilianos: the war. Its end is in `result`. `then` is the turn of the next player, after the war."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import Answer, Beat, Question, Refused, clockwise, not_an_answer, not_asked
from engine.sicilianos.box import (
    BODYGUARD,
    BOMB,
    COLOUR,
    PARTNER,
    TRAITOR,
    VALUE,
    Cards,
    values_in,
    with_note,
)
from engine.sicilianos.laying import face_down, free_cards, is_masked_laying, lay, laying_refusal, layings
from engine.sicilianos.result import Result
from engine.sicilianos.table import Table, from_starter, holds, lying_for, may_be, show, side, sums, under
from engine.values import CardOf

OUT: Answer = ("out",)
PLAIN: Answer = ("plain",)
TURN: Answer = ("traitor",)
STOP: Answer = ("stop",)


# 1. Join


def start(t: Table, seat: int, card: int, note: int, then: Question[Table]) -> Question[Table]:
    """Starts a war: the starter lays a card face down, of which the colour shows, and a dirty note."""
    t.war += 1
    t.starter = seat
    lay(t, seat, card, note)
    return ask_to_join(t, seat, then)


def ask_to_join(t: Table, after: int, then: Question[Table]) -> Question[Table]:
    """Returns the question to the next seat clockwise, or the reveal when all were asked.

    A player without a card of a free colour stays out and is not asked.
    """
    for seat in clockwise(after, t.seats):
        if seat == t.starter:
            break
        if free_cards(t, seat):
            return Join(seat, t.house.open_stake, then)
    return Reveal(then)


@dataclass(slots=True)
class Join(Question[Table]):
    """The player lays a card of a free colour and a dirty note, both face down, or stays out."""

    seat: int
    open_stake: bool
    then: Question[Table]
    key = "sicilianos.join"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [OUT, *layings("join", free_cards(t, seat), t.dirty[seat])]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if is_masked_laying(t, self.seat, seat, a, "join", open_stake=self.open_stake):
            return
        if seat != self.seat:
            raise not_asked(seat)
        if a not in self.answers(t, seat):
            raise laying_refusal(t, seat, a, "join")

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a != OUT:
            lay(t, seat, a[1], a[2])
        return ask_to_join(t, seat, self.then)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return face_down(seat, a, viewer, open_stake=self.open_stake)


# The reveal


@dataclass(slots=True)
class Reveal(Beat[Table]):
    """All face-down cards are turned up together, in the first reveal the stakes too. The starter is named first."""

    then: Question[Table]
    key = "sicilianos.reveal"
    reveals = True

    def outcome(self, t: Table) -> Answer:
        seats = face_down_seats(t)
        stakes = () if t.revealed else tuple([t.stakes[seat] for seat in seats])
        return ("reveal", tuple([t.down[seat] for seat in seats]), stakes)

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if t.blind and seat == self.seat and len(a) == 3 and a[0] == "reveal":
            if not self.fits(t, a[1], a[2]):
                raise Refused("sicilianos.reveal.not_laid")
        else:
            Question.check(self, t, seat, a)

    def fits(self, t: Table, cards: Cards, stakes: tuple[int, ...]) -> bool:
        """Returns True if these can be the face-down cards and stakes, as far as this view tells."""
        seats = face_down_seats(t)
        if len(cards) != len(seats) or len(stakes) != (0 if t.revealed else len(seats)):
            return False
        for seat, card in zip(seats, cards, strict=True):
            laid = t.down[seat]
            if laid > 0 and card != laid:
                return False
            if laid < 0 and (card < 1 or COLOUR[card] != -laid or not may_be(t, card, t.hands[seat])):
                return False
        for seat, note in zip(seats, stakes, strict=False):  # later reveals have no stakes
            if note not in ((t.stakes[seat],) if t.stakes[seat] else values_in(t.dirty[seat])):
                return False
        return True

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        _, cards, stakes = a
        seats = face_down_seats(t)
        turn_up(t, seats, cards)
        bombs = tuple([seat for seat, card in zip(seats, cards, strict=True) if VALUE[card] == BOMB])
        if t.revealed:
            return ask_for_bombs(t, bombs, self.then)
        t.revealed = True
        pay_stakes(t, seats, stakes)
        if len(seats) == 1 and not t.house.lone_starter_wins:
            return Result(self.then)
        traitors = tuple([seat for seat, card in zip(seats, cards, strict=True) if VALUE[card] == TRAITOR])
        return ask_for_traitors(t, traitors, bombs, self.then)


def face_down_seats(t: Table) -> list[int]:
    """Returns the seats with a face-down card, clockwise from the starter."""
    return [seat for seat in from_starter(t) if t.down[seat]]


def turn_up(t: Table, seats: Sequence[int], cards: Cards) -> None:
    """Turns up the face-down cards of these seats."""
    for seat, card in zip(seats, cards, strict=True):
        show(t, COLOUR[card], seat, card)
        t.lying += ((seat, card),)
        t.down[seat] = 0


def pay_stakes(t: Table, seats: Sequence[int], stakes: Sequence[int]) -> None:
    """Takes the stakes out of the dirty money, because everybody sees them now."""
    for seat, note in zip(seats, stakes, strict=True):
        t.stakes[seat] = note
        t.dirty[seat] = with_note(t.dirty[seat], note, -1)
        t.book.append((t.war, seat, "stake", (note,), note))


# 2. Traitors


def ask_for_traitors(
    t: Table, traitors: tuple[int, ...], bombs: tuple[int, ...], then: Question[Table]
) -> Question[Table]:
    """Returns the question to the first of the seats with an 8 that can turn.

    It can if the partner family was played by another player, who has not turned.
    """
    for place, seat in enumerate(traitors):
        partner = PARTNER[t.family[seat]]
        if partner in t.family and t.family.index(partner) not in t.turned:
            return Traitor(seat, traitors[place + 1 :], bombs, then)
    return ask_for_bombs(t, bombs, then)


@dataclass(slots=True)
class Traitor(Question[Table]):
    """The 8 fights for its own family, or as a 4 for the partner family, in alliance with that family's player."""

    seat: int
    traitors: tuple[int, ...]  # the other seats with an 8 that are still to be asked
    bombs: tuple[int, ...]  # the seats with a bomb
    then: Question[Table]
    key = "sicilianos.traitor"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [PLAIN, TURN]

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == TURN:
            t.turned += (seat,)
        return ask_for_traitors(t, self.traitors, self.bombs, self.then)


# 3. Bombs


def ask_for_bombs(t: Table, bombs: tuple[int, ...], then: Question[Table]) -> Question[Table]:
    """Returns the question to the first seat whose bomb still lies and can hit a card, or goes on to reinforcing."""
    for place, seat in enumerate(bombs, 1):
        if bomb_of(t, seat):
            hits = victims(t, seat)
            if hits:
                return Bomb(seat, hits, bombs[place:], then)
    return ask_to_reinforce(t, from_starter(t), then)


def bomb_of(t: Table, seat: int) -> int:
    """Returns the bomb of this seat, or 0 if it was blown up."""
    for owner, card in t.lying:
        if owner == seat and VALUE[card] == BOMB:
            return card
    return 0


def victims(t: Table, seat: int) -> tuple[int, ...]:
    """Returns the cards that the seat's bomb can hit: of each target family its bodyguard, or without one any card.

    With a house deck of targets, its own family may be a target. The bomb never hits itself.
    """
    hits: list[int] = []
    bomb, totals = bomb_of(t, seat), sums(t)
    for family in t.house.targets[t.family[seat]]:
        if family not in totals:
            continue
        cards = lying_for(t, family)
        guards = [card for card in cards if VALUE[card] == BODYGUARD]
        if guards:
            cards = guards
        elif bomb in cards:
            cards.remove(bomb)
        hits += dict.fromkeys(cards)
    return tuple(hits)


@dataclass(slots=True)
class Bomb(Question[Table]):
    """The 5 counts for its family, or blows up a card and itself. The victim goes under its pile before the bomb."""

    seat: int
    hits: tuple[int, ...]  # the cards it can hit
    bombs: tuple[int, ...]  # the other seats with a bomb that are still to be asked
    then: Question[Table]
    key = "sicilianos.bomb"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        return [PLAIN, *[("explode", card) for card in self.hits]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat):
            return
        match a:
            case ("explode", int(card)):
                owner = next((owner for owner, lying in t.lying if lying == card), None)
                if owner is None:
                    raise Refused("sicilianos.explode.not_lying", card=CardOf(card))
                if card == bomb_of(t, seat):
                    raise Refused("sicilianos.explode.itself")
                family = side(t, owner)
                if family not in t.house.targets[t.family[seat]]:
                    raise Refused("sicilianos.explode.no_target", family=family)
                raise Refused("sicilianos.explode.guarded", family=family)
        raise not_an_answer(a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a != PLAIN:
            blow_up(t, a[1])
            blow_up(t, bomb_of(t, seat))
        return ask_for_bombs(t, self.bombs, self.then)


def blow_up(t: Table, card: int) -> None:
    """Puts a card that lies under its pile. Of equal cards it is the one laid first."""
    place = [lying for _, lying in t.lying].index(card)
    t.lying = t.lying[:place] + t.lying[place + 1 :]
    under(t, COLOUR[card], card)


# 4. Reinforce


def ask_to_reinforce(t: Table, seats: Sequence[int], then: Question[Table]) -> Question[Table]:
    """Returns the question to the first of these seats that may reinforce; after them the reveal, or the result.

    A seat may reinforce if it plays in this war and has neither turned nor stopped. Without a card of the family it
    stops unasked.
    """
    for seat in seats:
        family = t.family[seat]
        if family and seat not in t.stopped and seat not in t.turned:
            if holds(t.hands[seat], family):
                return Reinforce(seat, then)
            t.stopped += (seat,)
    return Reveal(then) if any(t.down) else Result(then)


@dataclass(slots=True)
class Reinforce(Question[Table]):
    """The player adds a card of the family, face down, or stops for good.

    This is possible even if no other player is left, or if no card of the player lies any more.
    """

    seat: int
    then: Question[Table]
    key = "sicilianos.reinforce"

    def answers(self, t: Table, seat: int) -> list[Answer]:
        family = t.family[seat]
        return [STOP, *[("add", card) for card in dict.fromkeys(t.hands[seat]) if COLOUR[card] == family]]

    def check(self, t: Table, seat: int, a: Answer) -> None:
        if seat != self.seat:
            raise not_asked(seat)
        if a in self.answers(t, seat) or (t.blind and a == ("add", -t.family[seat])):
            return
        match a:
            case ("add", int(card)):
                if card not in t.hands[seat]:
                    raise Refused("sicilianos.add.not_in_hand", card=CardOf(card))
                raise Refused("sicilianos.add.other_family", card=CardOf(card), family=t.family[seat])
        raise not_an_answer(a)

    def answer(self, t: Table, seat: int, a: Answer) -> Question[Table]:
        if a == STOP:
            t.stopped += (seat,)
        else:
            t.down[seat] = a[1]
        seats = from_starter(t)
        return ask_to_reinforce(t, seats[seats.index(seat) + 1 :], self.then)

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        return a if viewer == seat or a == STOP else ("add", -COLOUR[a[1]])
