"""Sicilianos: what a seat may see, and full tables that agree with all it has ever seen.

A view is the trail with holes, played again. To fill it, the trail is followed forwards with all the ways the cards
may have gone (`Ways`), and one of them is drawn backwards: every history that fits what was seen is equally likely.
The families have nothing to do with each other, so each is followed on its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from math import factorial
from random import Random
from typing import Any, NamedTuple

from engine.core import Refused
from engine.sicilianos.box import COLOUR, COLOURS, Cards, values_in, with_card, without
from engine.sicilianos.result import kinds_left, strongest
from engine.sicilianos.table import MOVES, Found, House, Move, Table

# The view.


def view(t: Table, viewer: int) -> Table:
    """What `viewer` knows: nothing laid face down by others, no cards but those it saw where it last saw them."""
    v = play_again(t, [seen(tuple(moves), viewer) for moves in t.trail])
    v.down = [laid if seat == viewer or laid < 1 else -COLOUR[laid] for seat, laid in enumerate(t.down)]
    if not (t.revealed or t.house.open_stake):
        v.stakes = [stake if seat == viewer else 0 for seat, stake in enumerate(t.stakes)]
    if t.looking != viewer:
        v.saw = (0,) * len(t.saw)
    for colour in COLOURS:
        v.founded[colour] = tuple([seen_founding(t, found, viewer) for found in t.founded[colour]])
    return v


@lru_cache(2048)
def seen(moves: tuple[Move, ...], viewer: int) -> tuple[Move, ...]:
    """The moves of one family as `viewer` saw them."""
    return tuple([move if sees(move, viewer) else masked(move) for move in moves])


def sees(move: Move, viewer: int) -> bool:
    """Everybody sees what is turned up; the rest is seen by who holds the card, and by whom it is stolen from."""
    return move[0] in ("show", "under") or viewer == move[1] or (move[0] == "steal" and viewer == move[2])


def masked(move: Move) -> Move:
    match move:
        case ("look", seat, cards):
            return ("look", seat, tuple([-COLOUR[card] for card in cards]))
        case ("keep", seat, _):
            return ("keep", seat, 0)
    return (*move[:-1], -COLOUR[move[-1]])


def seen_founding(t: Table, found: Found, viewer: int) -> Found:
    seat, saw, kind = found
    return found if seat == viewer else (seat, (0,) * len(saw), kind if t.opened else 0)


def play_again(t: Table, trail: Sequence[tuple[Move, ...]]) -> Table:
    """A copy on which the family cards went another way."""
    v = t.copy()
    families = [family(colour, t.house.cards[colour], t.seats, trail[colour]) for colour in COLOURS]
    v.blind = any(blind for _, _, _, blind in families)
    v.piles = [(), *[pile for pile, _, _, _ in families]]
    v.left = [(), *[left for _, left, _, _ in families]]
    v.trail = list(map(list, trail))
    held = zip(*[hands for _, _, hands, _ in families], strict=True)
    v.hands = [tuple(sorted(chain.from_iterable(hands))) for hands in held]
    return v


NO_HOUSE = House(
    open_stake=False, lone_starter_wins=False, counts_sets=False, twins=False, cards=(), shops=(), targets=(), faces=()
)


@lru_cache(2048)
def family(colour: int, deck: Cards, seats: int, moves: tuple[Move, ...]) -> tuple[Cards, Cards, list[Cards], bool]:
    """Where the cards of one family are after these moves: the pile, what is behind the backs, the hands; if blind."""
    t = Table(seats, NO_HOUSE, piles=[()] * (colour + 1), left=[()] * (colour + 1))
    t.trail = [[] for _ in range(colour + 1)]
    t.piles[colour], t.left[colour] = (-colour,) * len(deck), deck
    t.hands = [()] * seats
    for verb, *args in moves:
        MOVES[verb](t, colour, *args)
    return t.piles[colour], t.left[colour], t.hands, t.blind


# The fill.


def fill(t: Table, rnd: Random) -> Table:
    """A full table that agrees with a view, each as likely as the next."""
    decks = t.house.cards
    full = play_again(t, [history(decks[colour], t.seats, tuple(moves), rnd) for colour, moves in enumerate(t.trail)])
    for seat, laid in enumerate(t.down):
        if laid < 0:
            full.down[seat] = rnd.choice([card for card in full.hands[seat] if COLOUR[card] == -laid])
    for seat, colour in enumerate(t.family):
        if colour and not (t.revealed or t.stakes[seat]):
            full.stakes[seat] = rnd.choice(values_in(t.dirty[seat]))
    winner = strongest(t) if t.saw else 0
    for colour in COLOURS:
        saw = t.saw if colour == winner else ()
        full.founded[colour] = foundings(t.house.shops[colour], t.founded[colour], saw, rnd)
    if winner:
        full.saw = kinds_left(full, winner)
    return full


def whole(t: Table) -> bool:
    """Whether nothing is hidden: no card, no stake, no business."""
    laid = zip(t.family, t.stakes, strict=True)
    return (
        not (t.blind or any(card < 0 for card in t.down) or 0 in t.saw)
        and (t.revealed or all(stake for colour, stake in laid if colour))
        and all(kind and 0 not in saw for found in t.founded for _, saw, kind in found)
    )


def foundings(shops: Cards, founded: tuple[Found, ...], saw: Cards, rnd: Random) -> tuple[Found, ...]:
    """The businesses taken of one colour: between two looks of the viewer they may have gone in any order.

    `saw` is what the viewer sees now, if it is choosing one of them.
    """
    kinds = [kind for _, _, kind in founded]
    if 0 in kinds or any(saw):
        looks = [(place, kinds_seen) for place, (_, kinds_seen, _) in enumerate(founded) if any(kinds_seen)]
        first, left = 0, list(shops)
        for place, kinds_seen in [*looks, (len(kinds), saw)] if any(saw) else looks:
            taken = less(left, kinds_seen)
            rnd.shuffle(taken)
            kinds[first:place] = taken
            first, left = place + 1, less(kinds_seen, kinds[place : place + 1])
        kinds[first:] = rnd.sample(left, len(kinds[first:]))
    there = shops
    told: list[Found] = []
    for (seat, _, _), kind in zip(founded, kinds, strict=True):
        told.append((seat, there, kind))
        there = without(there, kind)
    return tuple(told)


def less(some: Sequence[int], others: Sequence[int]) -> list[int]:
    left = list(some)
    for other in others:
        left.remove(other)
    return left


# One family's cards.


class State(NamedTuple):
    """Where the cards of one family are, as far as the viewer was told which is which; 0 is a card it was not."""

    pile: Cards
    hands: tuple[Cards, ...]

    def untold(self, deck: Cards, out: Cards, card: int) -> int:
        """How many of these are among the cards not told: neither in sight here nor out on the table."""
        return deck.count(card) - out.count(card) - self.pile.count(card) - sum(hand.count(card) for hand in self.hands)

    def with_hand(self, seat: int, hand: Cards) -> State:
        return self._replace(hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))


class Way(NamedTuple):
    """How a state may have come about: out of which, in how many ways, and by which place or card (see `ways`)."""

    before: State
    number: float
    by: int


def ways(move: Any, state: State, deck: Cards, out: Cards) -> list[tuple[State, int, int]]:
    """The states a move may lead to; in how many ways each; and by which place of a pile, or by which card of a hand.

    A card the viewer was told of must be where the state has it, or one of those not told.
    """
    pile, hands = state
    match move:
        case ("draw", seat, card):
            state = State(pile[1:], hands)
            top, number = named(pile[0], card, state, deck, out)
            return [(state.with_hand(seat, with_card(hands[seat], top)), number, 0)] if number else []
        case ("look", _, cards):
            number = 1
            for place, (there, card) in enumerate(zip(pile, cards, strict=True)):
                told, more = named(there, card, state, deck, out)
                number *= more
                state = State((*state.pile[:place], told, *state.pile[place + 1 :]), hands)
            return [(state, number, 0)] if number else []
        case ("keep", seat, place):
            places = (place,) if place else range(1, len(pile) + 1)
            return [
                (State((*pile[: p - 1], *pile[p:]), hands).with_hand(seat, with_card(hands[seat], pile[p - 1])), 1, p)
                for p in places
            ]
        case ("steal", thief, victim, card):
            return [
                (after.with_hand(thief, with_card(after.hands[thief], told)), number, by)
                for after, told, number, by in leaving(state, victim, card, deck, out)
            ]
        case ("show", seat, card):
            return [(after, number, by) for after, _, number, by in leaving(state, seat, card, deck, out)]
        case ("under", card):
            return [(State((*pile, card), hands), 1, 0)]
    raise AssertionError(f"no such move: {move}")


def named(there: int, card: int, state: State, deck: Cards, out: Cards) -> tuple[int, int]:
    """What a card is after the viewer saw `card` (or a back) there, and in how many ways it can be that."""
    if card < 0:
        return there, 1
    return card, state.untold(deck, out, card) if there == 0 else int(there == card)


def leaving(state: State, seat: int, card: int, deck: Cards, out: Cards) -> list[tuple[State, int, int, int]]:
    """The cards that may have left a hand: the state without it, what it is now known as, the ways, known as before."""
    hand = state.hands[seat]
    found = []
    for there in dict.fromkeys(hand):
        told, number = named(there, card, state, deck, out)
        if number:
            found.append((state.with_hand(seat, without(hand, there)), told, number * hand.count(there), there))
    return found


MOST_STATES = 3000  # far more than a game comes to, unless a pile is looked through by everybody again and again


@lru_cache(256)
def histories(deck: Cards, seats: int, moves: tuple[Any, ...], most: int = MOST_STATES) -> list[dict[State, list[Way]]]:
    """After every move, the states there may be, each with the ways it may have come about.

    Where there are too many, as many as may be are drawn to go on with; if none of these fits what is seen later,
    once more with room for more. What nobody can have seen is refused.
    """
    exact = True
    numbers: dict[State, float] = {State((0,) * len(deck), ((),) * seats): 1}
    layers: list[dict[State, list[Way]]] = []
    out: Cards = ()
    for move in moves:
        layer: dict[State, list[Way]] = {}
        after: dict[State, float] = {}
        for state, number in numbers.items():
            for found, factor, by in ways(move, state, deck, out):
                layer.setdefault(found, []).append(Way(state, number * factor, by))
                after[found] = after.get(found, 0) + number * factor
        if move[0] == "show":
            out = (*out, move[2])
        elif move[0] == "under":
            out = without(out, move[1])
        if not after:
            if exact:
                raise Refused("sicilianos.view.impossible", cards=deck)
            return histories(deck, seats, moves, most * 4)
        layers.append(layer)
        exact = exact and len(after) <= most
        numbers = after if len(after) <= most else thinned(after, most)
    return layers


def thinned(numbers: dict[State, float], most: int) -> dict[State, float]:
    """At most so many of the states, drawn by their numbers; the same ones each time."""
    drawn = Counter(Random(most).choices(list(numbers), list(numbers.values()), k=most))
    share = sum(numbers.values()) / most
    return {state: share * count for state, count in drawn.items()}


def history(deck: Cards, seats: int, moves: tuple[Any, ...], rnd: Random) -> tuple[Move, ...]:
    """The moves of one family without holes: one of all histories that fit, each as likely as the next."""
    layers = histories(deck, seats, moves)
    if not layers:
        return moves
    last = layers[-1]
    state = rnd.choices(list(last), [chance_of(state, found) for state, found in last.items()])[0]
    chosen: list[int] = []
    for layer in reversed(layers):
        found = layer[state]
        way = found[0] if len(found) == 1 else rnd.choices(found, [way.number for way in found])[0]
        chosen.append(way.by)
        state = way.before
    return tell(deck, seats, moves, chosen[::-1], rnd)


def chance_of(state: State, found: list[Way]) -> float:
    """How many histories end in this state: so many ways, and the cards not told in any order."""
    untold = state.pile.count(0) + sum(hand.count(0) for hand in state.hands)
    return float(sum(way.number for way in found) * factorial(untold))


class Token:
    """A card on its way; `card` is 0 until the viewer is told which."""

    __slots__ = ("card",)

    def __init__(self) -> None:
        self.card = 0


def tell(deck: Cards, seats: int, moves: tuple[Any, ...], chosen: list[int], rnd: Random) -> tuple[Move, ...]:
    """Send the cards the chosen ways, give a face by lot to those never told, and write the moves down."""
    tokens = [Token() for _ in deck]
    pile, out = list(tokens), []
    hands: list[list[Token]] = [[] for _ in range(seats)]
    moved: list[list[Token]] = []  # the cards of every move
    for move, by in zip(moves, chosen, strict=True):
        match move:
            case ("draw", seat, card):
                cards, told = [pile.pop(0)], (card,)
                hands[seat] += cards
            case ("look", _, told):
                cards = list(pile)
            case ("keep", seat, _):
                cards, told = [pile.pop(by - 1)], (0,)
                hands[seat] += cards
            case ("steal", thief, victim, card):
                cards, told = [take(hands[victim], by, rnd)], (card,)
                hands[thief] += cards
            case ("show", seat, card):
                cards, told = [take(hands[seat], by, rnd)], (card,)
                out += cards
            case ("under", card):
                cards, told = [take(out, card, rnd)], (card,)
                pile += cards
        for token, card in zip(cards, told, strict=True):
            token.card = card if card > 0 else token.card
        moved.append(cards)
    untold = less(deck, [token.card for token in tokens if token.card])
    rnd.shuffle(untold)
    for token in tokens:
        token.card = token.card or untold.pop()
    return tuple(map(written, moves, chosen, moved))


def take(tokens: list[Token], by: int, rnd: Random) -> Token:
    """One of the cards known as `by`, whichever."""
    token = rnd.choice([token for token in tokens if token.card == by])
    tokens.remove(token)
    return token


def written(move: Any, by: int, cards: list[Token]) -> Move:
    match move:
        case ("look", seat, _):
            return ("look", seat, tuple([token.card for token in cards]))
        case ("keep", seat, _):
            return ("keep", seat, by)
    return (*move[:-1], cards[0].card)
