"""The bot of Sicilianos: it gathers a strong family, and stakes high notes if it is likely to win, else low ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from engine.core import Answer, Question
from engine.sicilianos.box import COLOUR, COLOURS, FULL_HAND, PARTNER, TRAITOR, TURNED, VALUE, values_in
from engine.sicilianos.result import BUSINESS, GODFATHER, MONEY, Founding, Share, businesses_of, shops_left
from engine.sicilianos.roll import Keep, Nine, One, Steal
from engine.sicilianos.rules import ROLL, Take, Turn
from engine.sicilianos.table import Table, colours_of, in_war, lying_for, side, sums
from engine.sicilianos.war import PLAIN, STOP, TURN, Bomb, Join, Reinforce, Traitor, bomb_of

AVERAGE = 6.0  # a card of which only the back is seen
LATER = 3.5  # what a further card of the same family adds at most, because it may never be laid
LIKELY = 0.75  # the probability of winning that is enough to start a war
EVEN = 0.4  # the probability that is enough to join with the own best family
SPOILS = 80.0  # the worth of winning besides the business


def choose(question: Question[Any], view: Table, seat: int, rnd: Random) -> Answer:
    return POLICIES[type(question)](question, view, seat)


# The worth of a family


def face(card: int) -> float:
    return VALUE[card] if card > 0 else AVERAGE


def held(t: Table, seat: int, colour: int) -> list[float]:
    """Returns the values of the seat's cards of a colour, the best first. Hidden cards count as average ones."""
    return sorted((face(card) for card in t.hands[seat] if COLOUR[card] == colour), reverse=True)


def strength(t: Table, seat: int, colour: int) -> float:
    """Returns the expected strength of a seat in a family: its best card, and a part of each further one."""
    cards = held(t, seat, colour)
    return sum(cards[:1]) + sum(min(card, LATER) for card in cards[1:])


def rivals(t: Table, seat: int, colour: int) -> float:
    """Returns the strongest family that the others may bring against this colour."""
    best = 0.0
    for other in range(t.seats):
        if other != seat:
            free = [c for c in COLOURS if c != colour and c not in t.family]
            colours = [t.family[other]] if t.family[other] else free
            best = max([best, *(strength(t, other, c) for c in colours)])
    return best


def chance(lead: float) -> float:
    """Returns the probability that a lead wins."""
    return min(0.97, max(0.03, 0.5 + lead / 16))


def prize(t: Table, seat: int, colour: int) -> float:
    """Returns the worth of a business of a colour, in money."""
    if not shops_left(t, colour):
        return 0.0
    owners = [owner for owner, _, _ in t.founded[colour]]
    if owners.count(seat) == GODFATHER - 1:
        return 400.0
    threat = any(owners.count(other) == GODFATHER - 1 for other in range(t.seats))
    return 45.0 + 60.0 * threat + 25.0 * owners.count(seat)


def best_colour(t: Table, seat: int, colours: Iterable[int]) -> tuple[int, float]:
    """Returns the colour that promises most (0 if none is held), and the probability to win with it."""
    best, most, chances = 0, 0.0, 0.0
    for colour in colours:
        cards = held(t, seat, colour)
        if cards:
            likely = chance(sum(cards) - rivals(t, seat, colour))
            promise = likely * (SPOILS + prize(t, seat, colour))
            if promise > most:
                best, most, chances = colour, promise, likely
    return best, chances


def note(t: Table, seat: int, likely: float) -> int:
    """Returns a high note for a war that is likely to be won, a low note for others."""
    values = values_in(t.dirty[seat])
    return values[min(len(values) - 1, int(likely * len(values)))]


def strongest_card(t: Table, seat: int, colour: int) -> int:
    return max([card for card in t.hands[seat] if COLOUR[card] == colour], key=VALUE.__getitem__)


# The turn and the roll


def value(t: Table, seat: int, card: int) -> float:
    """Returns what a card adds to a hand: more if the hand has cards of its family, or if its business is wanted."""
    together = colours_of(t.hands[seat]).count(COLOUR[card])
    return face(card) * (1 + 0.35 * together) + prize(t, seat, COLOUR[card]) / 20


def take(question: Take, t: Table, seat: int) -> Answer:
    return question.answers(t, seat)[0]


def turn(question: Turn, t: Table, seat: int) -> Answer:
    """Rolls until a family is strong enough, the hand is full, or no card is left to draw."""
    colour, likely = best_colour(t, seat, COLOURS)
    must = len(t.hands[seat]) == FULL_HAND or not any(t.piles)
    if colour and (must or likely >= LIKELY):
        return ("war", strongest_card(t, seat, colour), note(t, seat, likely))
    return ROLL


def draw(question: Nine | One, t: Table, seat: int) -> Answer:
    """Prefers looking through a pile to drawing a card: one of many cards is good."""

    def hope(a: Answer) -> float:
        pile = t.piles[a[1]]
        if a[0] == "draw":
            return value(t, seat, pile[0])
        return max(value(t, seat, card) for card in pile) + 0.6 * min(len(pile), 8)

    return max(question.answers(t, seat), key=hope)


def keep(question: Keep, t: Table, seat: int) -> Answer:
    pile = t.piles[question.colour]
    return max(question.answers(t, seat), key=lambda a: value(t, seat, pile[a[1] - 1]))


def steal(question: Steal, t: Table, seat: int) -> Answer:
    """Steals the most wanted colour, from the player whose family is strongest."""

    def gain(a: Answer) -> float:
        _, colour, victim = a
        cards = held(t, victim, colour)
        return value(t, seat, -colour) + len(cards) + sum(cards) / 10

    return max(question.answers(t, seat), key=gain)


# The war


def join(question: Join, t: Table, seat: int) -> Answer:
    """Always joins, because a stake leaves the dirty money: with the best family, or with the least useful card."""
    free = [colour for colour in COLOURS if colour not in t.family]
    colour, likely = best_colour(t, seat, free)
    if likely >= EVEN:
        return ("join", strongest_card(t, seat, colour), note(t, seat, likely))
    spare = min([card for card in t.hands[seat] if COLOUR[card] in free], key=lambda card: value(t, seat, card))
    return ("join", spare, note(t, seat, 0.0))


def others_best(t: Table, *families: int) -> int:
    """Returns the strongest sum of the other families."""
    return max((total for family, total in sums(t).items() if family not in families), default=0)


def traitor(question: Traitor, t: Table, seat: int) -> Answer:
    """Turns if the own family is likely to lose and the partner's family is likelier to win."""
    own, partner = t.family[seat], PARTNER[t.family[seat]]
    alone = chance(sum(held(t, seat, own)) + VALUE[TRAITOR] - rivals(t, seat, own))
    together = sums(t)[partner] + TURNED + strength(t, t.family.index(partner), partner)
    return TURN if alone < 0.5 and chance(together - others_best(t, own, partner)) > alone else PLAIN


def bomb(question: Bomb, t: Table, seat: int) -> Answer:
    """Blows up a card of the leading family that is better than the bomb, unless the own family has only the bomb."""
    own, totals = side(t, seat), sums(t)
    best, most = PLAIN, VALUE[bomb_of(t, seat)]
    if len(lying_for(t, own)) > 1:
        for a in question.answers(t, seat)[1:]:
            family = side(t, next(owner for owner, card in t.lying if card == a[1]))
            if family != own and totals[family] == others_best(t, own) and VALUE[a[1]] > most:
                best, most = a, VALUE[a[1]]
    return best


def reinforce(question: Reinforce, t: Table, seat: int) -> Answer:
    """Adds cards while another family may get ahead, if all own cards together would beat what lies."""
    own, totals = t.family[seat], sums(t)
    coming = 0.0
    for other in in_war(t):
        if other != seat:
            more = 0.0 if other in t.stopped or other in t.turned else strength(t, other, t.family[other])
            coming = max(coming, totals.get(t.family[other], 0) + more)
    mine = totals.get(own, 0)
    if mine > coming or mine + sum(held(t, seat, own)) <= others_best(t, own):
        return STOP
    return ("add", strongest_card(t, seat, own))


# The result


def share(question: Share, t: Table, seat: int) -> Answer:
    both = sum(t.stakes)
    return BUSINESS if prize(t, seat, question.family) > both else MONEY


def found(question: Founding, t: Table, seat: int) -> Answer:
    """Takes the kind that the seat has most of, to hold the majority alone."""
    own = [kind for _, kind in businesses_of(t, seat)]
    return max(question.answers(t, seat), key=lambda a: own.count(a[1]))


POLICIES: dict[type[Question[Any]], Callable[[Any, Table, int], Answer]] = {
    Take: take,
    Turn: turn,
    Nine: draw,
    One: draw,
    Keep: keep,
    Steal: steal,
    Join: join,
    Traitor: traitor,
    Bomb: bomb,
    Reinforce: reinforce,
    Share: share,
    Founding: found,
}
