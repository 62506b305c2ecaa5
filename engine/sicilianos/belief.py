"""Sicilianos: what a viewer knows, and full tables that agree with everything it has seen.

A view is the trail with holes, repeated. To fill it, the trail is followed forwards with all the ways the cards may
have gone, and one of them is drawn backwards, so that every history that fits is equally likely. No move concerns two
families, so each family is followed on its own.
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
from engine.sicilianos.table import MOVES, Founded, House, Move, Table

# The view


def view(t: Table, viewer: int) -> Table:
    """Returns what `viewer` knows: the cards it saw, where it last saw them, and no face-down cards of others."""
    v = repeated(t, [seen(tuple(moves), viewer) for moves in t.trail])
    v.down = [laid if seat == viewer or laid < 1 else -COLOUR[laid] for seat, laid in enumerate(t.down)]
    if not (t.revealed or t.house.open_stake):
        v.stakes = [stake if seat == viewer else 0 for seat, stake in enumerate(t.stakes)]
    if t.looking != viewer:
        v.saw = (0,) * len(t.saw)
    for colour in COLOURS:
        v.founded[colour] = tuple([seen_founding(t, founding, viewer) for founding in t.founded[colour]])
    return v


@lru_cache(2048)
def seen(moves: tuple[Move, ...], viewer: int) -> tuple[Move, ...]:
    """Returns the moves of one family as `viewer` saw them."""
    return tuple([move if sees(move, viewer) else masked(move) for move in moves])


def sees(move: Move, viewer: int) -> bool:
    """Returns True if `viewer` sees the card: it is turned up, or the viewer gets it, or loses it to a thief."""
    return move[0] in ("show", "under") or viewer == move[1] or (move[0] == "steal" and viewer == move[2])


def masked(move: Move) -> Move:
    """Returns the move as others see it: with backs, or without the place."""
    match move:
        case ("look", seat, cards):
            return ("look", seat, tuple([-COLOUR[card] for card in cards]))
        case ("keep", seat, _):
            return ("keep", seat, 0)
    return (*move[:-1], -COLOUR[move[-1]])


def seen_founding(t: Table, founding: Founded, viewer: int) -> Founded:
    """Returns a founding as `viewer` knows it: only the founder knows the kinds, until all businesses are opened."""
    seat, saw, kind = founding
    return founding if seat == viewer else (seat, (0,) * len(saw), kind if t.opened else 0)


def repeated(t: Table, trail: Sequence[tuple[Move, ...]]) -> Table:
    """Returns a copy on which the family cards have made these moves instead of their own."""
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
    open_stake=False,
    lone_starter_wins=False,
    counts_sets=False,
    counts_equal_antiques_once=False,
    cards=(),
    shops=(),
    targets=(),
    faces=(),
)


@lru_cache(2048)
def family(colour: int, deck: Cards, seats: int, moves: tuple[Move, ...]) -> tuple[Cards, Cards, list[Cards], bool]:
    """Returns where the cards of a family are after these moves: pile, cards behind the backs, hands; and `blind`."""
    t = Table(seats, NO_HOUSE, piles=[()] * (colour + 1), left=[()] * (colour + 1))
    t.trail = [[] for _ in range(colour + 1)]
    t.piles[colour], t.left[colour] = (-colour,) * len(deck), deck
    t.hands = [()] * seats
    for verb, *args in moves:
        MOVES[verb](t, colour, *args)
    return t.piles[colour], t.left[colour], t.hands, t.blind


# Filling a view


def fill(v: Table, rnd: Random) -> Table:
    """Returns a full table that agrees with a view, each equally likely."""
    decks = v.house.cards
    full = repeated(v, [history(decks[colour], v.seats, tuple(moves), rnd) for colour, moves in enumerate(v.trail)])
    for seat, laid in enumerate(v.down):
        if laid < 0:
            full.down[seat] = rnd.choice([card for card in full.hands[seat] if COLOUR[card] == -laid])
    for seat, colour in enumerate(v.family):
        if colour and not (v.revealed or v.stakes[seat]):
            full.stakes[seat] = rnd.choice(values_in(v.dirty[seat]))
    winner = strongest(v) if v.saw else 0
    for colour in COLOURS:
        saw = v.saw if colour == winner else ()
        full.founded[colour] = foundings(v.house.shops[colour], v.founded[colour], saw, rnd)
    if winner:
        full.saw = kinds_left(full, winner)
    return full


def whole(v: Table) -> bool:
    """Returns True if the view has no holes: no hidden card, stake or business."""
    laid = zip(v.family, v.stakes, strict=True)
    return (
        not (v.blind or any(card < 0 for card in v.down) or 0 in v.saw)
        and (v.revealed or all(stake for colour, stake in laid if colour))
        and all(kind and 0 not in saw for founded in v.founded for _, saw, kind in founded)
    )


def foundings(shops: Cards, founded: tuple[Founded, ...], saw: Cards, rnd: Random) -> tuple[Founded, ...]:
    """Draws the unknown businesses taken of one colour: between two looks of the viewer they went in any order.

    `saw` are the kinds that the viewer sees now, if it is choosing one of them.
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
    remaining = shops
    filled: list[Founded] = []
    for (seat, _, _), kind in zip(founded, kinds, strict=True):
        filled.append((seat, remaining, kind))
        remaining = without(remaining, kind)
    return tuple(filled)


def less(some: Sequence[int], others: Sequence[int]) -> list[int]:
    """Returns the elements of `some`, with one of each of the others removed."""
    left = list(some)
    for other in others:
        left.remove(other)
    return left


# The cards of one family


class State(NamedTuple):
    """The places of the cards of one family. A card is 0 until the viewer has seen which card it is."""

    pile: Cards
    hands: tuple[Cards, ...]

    def unknown(self, deck: Cards, out: Cards, card: int) -> int:
        """Returns how many of this card are among the unknown ones: not known in this state, and not open."""
        return deck.count(card) - out.count(card) - self.pile.count(card) - sum(hand.count(card) for hand in self.hands)

    def with_hand(self, seat: int, hand: Cards) -> State:
        return self._replace(hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))


class Way(NamedTuple):
    """One way a state may have come about."""

    before: State
    number: float  # of histories that lead this way
    by: int  # the place of the pile, or the card of the hand: see `ways`


def ways(move: Any, state: State, deck: Cards, out: Cards) -> list[tuple[State, int, int]]:
    """Returns the states that a move may lead to.

    With each comes the number of ways, and the place of the pile or the card of the hand that leads there.
    A card that the viewer saw must be where the state has it, or be one of the unknown ones.
    """
    pile, hands = state
    match move:
        case ("draw", seat, card):
            state = State(pile[1:], hands)
            top, number = identified(pile[0], card, state, deck, out)
            return [(state.with_hand(seat, with_card(hands[seat], top)), number, 0)] if number else []
        case ("look", _, cards):
            number = 1
            for place, (before, card) in enumerate(zip(pile, cards, strict=True)):
                after, more = identified(before, card, state, deck, out)
                number *= more
                state = State((*state.pile[:place], after, *state.pile[place + 1 :]), hands)
            return [(state, number, 0)] if number else []
        case ("keep", seat, place):
            places = (place,) if place else range(1, len(pile) + 1)
            return [
                (State((*pile[: p - 1], *pile[p:]), hands).with_hand(seat, with_card(hands[seat], pile[p - 1])), 1, p)
                for p in places
            ]
        case ("steal", thief, victim, card):
            return [
                (rest.with_hand(thief, with_card(rest.hands[thief], stolen)), number, by)
                for rest, stolen, number, by in removals(state, victim, card, deck, out)
            ]
        case ("show", seat, card):
            return [(rest, number, by) for rest, _, number, by in removals(state, seat, card, deck, out)]
        case ("under", card):
            return [(State((*pile, card), hands), 1, 0)]
    raise AssertionError(f"not a move: {move}")


def identified(before: int, card: int, state: State, deck: Cards, out: Cards) -> tuple[int, int]:
    """Returns a card as known after the viewer saw `card` (or a back) in its place, and the number of ways."""
    if card < 0:
        return before, 1
    return card, state.unknown(deck, out, card) if before == 0 else int(before == card)


def removals(state: State, seat: int, card: int, deck: Cards, out: Cards) -> list[tuple[State, int, int, int]]:
    """Returns how a card may have left a hand: the state without it, the card as known now, the ways, as before."""
    hand = state.hands[seat]
    ways = []
    for before in dict.fromkeys(hand):
        after, number = identified(before, card, state, deck, out)
        if number:
            ways.append((state.with_hand(seat, without(hand, before)), after, number * hand.count(before), before))
    return ways


MOST_STATES = 3000  # far more than a game needs, unless everybody looks through one pile again and again


@lru_cache(256)
def histories(deck: Cards, seats: int, moves: tuple[Any, ...], most: int = MOST_STATES) -> list[dict[State, list[Way]]]:
    """Returns, after every move, the possible states, each with the ways it may have come about.

    If there are more than `most` states, a sample of them is followed; if none of the sample fits what was seen later,
    it starts again with a larger one. Raises `Refused` for moves that nobody can have seen.
    """
    exact = True
    numbers: dict[State, float] = {State((0,) * len(deck), ((),) * seats): 1}
    layers: list[dict[State, list[Way]]] = []
    out: Cards = ()
    for move in moves:
        layer: dict[State, list[Way]] = {}
        after: dict[State, float] = {}
        for state, number in numbers.items():
            for following, factor, by in ways(move, state, deck, out):
                layer.setdefault(following, []).append(Way(state, number * factor, by))
                after[following] = after.get(following, 0) + number * factor
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
        numbers = after if len(after) <= most else sampled(after, most)
    return layers


def sampled(numbers: dict[State, float], most: int) -> dict[State, float]:
    """Returns at most so many of the states, drawn by their numbers: the same ones each time."""
    drawn = Counter(Random(most).choices(list(numbers), list(numbers.values()), k=most))
    share = sum(numbers.values()) / most
    return {state: share * count for state, count in drawn.items()}


def history(deck: Cards, seats: int, moves: tuple[Any, ...], rnd: Random) -> tuple[Move, ...]:
    """Returns the moves of one family without holes: one of all histories that fit, each equally likely."""
    layers = histories(deck, seats, moves)
    if not layers:
        return moves
    last = layers[-1]
    state = rnd.choices(list(last), [histories_of(state, alternatives) for state, alternatives in last.items()])[0]
    chosen: list[int] = []
    for layer in reversed(layers):
        alternatives = layer[state]
        way = (
            alternatives[0]
            if len(alternatives) == 1
            else rnd.choices(alternatives, [way.number for way in alternatives])[0]
        )
        chosen.append(way.by)
        state = way.before
    return carried_out(deck, seats, moves, chosen[::-1], rnd)


def histories_of(state: State, alternatives: list[Way]) -> float:
    """Returns how many histories end in this state: its ways, with the unknown cards in any order."""
    unknown = state.pile.count(0) + sum(hand.count(0) for hand in state.hands)
    return float(sum(way.number for way in alternatives) * factorial(unknown))


class Token:
    """A card on its way. `card` is 0 while it is unknown."""

    __slots__ = ("card",)

    def __init__(self) -> None:
        self.card = 0


def carried_out(deck: Cards, seats: int, moves: tuple[Any, ...], chosen: list[int], rnd: Random) -> tuple[Move, ...]:
    """Returns the moves with all cards named: each goes the chosen way, and unknown cards are drawn at random."""
    tokens = [Token() for _ in deck]
    pile, out = list(tokens), []
    hands: list[list[Token]] = [[] for _ in range(seats)]
    moved: list[list[Token]] = []  # the cards of every move
    for move, by in zip(moves, chosen, strict=True):
        match move:
            case ("draw", seat, card):
                cards, seen_cards = [pile.pop(0)], (card,)
                hands[seat] += cards
            case ("look", _, seen_cards):
                cards = list(pile)
            case ("keep", seat, _):
                cards, seen_cards = [pile.pop(by - 1)], (0,)
                hands[seat] += cards
            case ("steal", thief, victim, card):
                cards, seen_cards = [take(hands[victim], by, rnd)], (card,)
                hands[thief] += cards
            case ("show", seat, card):
                cards, seen_cards = [take(hands[seat], by, rnd)], (card,)
                out += cards
            case ("under", card):
                cards, seen_cards = [take(out, card, rnd)], (card,)
                pile += cards
        for token, card in zip(cards, seen_cards, strict=True):
            token.card = card if card > 0 else token.card
        moved.append(cards)
    unknown = less(deck, [token.card for token in tokens if token.card])
    rnd.shuffle(unknown)
    for token in tokens:
        token.card = token.card or unknown.pop()
    return tuple(map(written, moves, chosen, moved))


def take(tokens: list[Token], by: int, rnd: Random) -> Token:
    """Takes any of the cards that are known as `by`."""
    token = rnd.choice([token for token in tokens if token.card == by])
    tokens.remove(token)
    return token


def written(move: Any, by: int, cards: list[Token]) -> Move:
    """Returns the move with its cards, or its place."""
    match move:
        case ("look", seat, _):
            return ("look", seat, tuple([token.card for token in cards]))
        case ("keep", seat, _):
            return ("keep", seat, by)
    return (*move[:-1], cards[0].card)
