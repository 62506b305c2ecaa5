"""Positions of thieves built by hand, in the words of the rule book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine import notation, thieves
from engine.core import NATURE, Beat, Question, Refused
from engine.options import settle
from engine.session import Session
from engine.thieves.box import GETAWAY, NAMES
from engine.thieves.rules import Play
from engine.thieves.table import FROM_HAND, OPEN, Loot, Origin, Table
from tests.engine.thieves.census import all_cards

KIND = {name: kind for kind, name in NAMES.items()}
A, B, C, D = range(4)


def kinds(names: str) -> list[int]:
    """Returns the cards of a text such as `"ring one_car"`, sorted as a hand is."""
    return sorted(KIND[name] for name in names.split())


def laid(owner: int, names: str) -> list[Loot]:
    """Returns loot before `owner`: `ring` is face up, `[ring]` was laid face down by the owner."""
    found = []
    for name in names.split():
        down = name.startswith("[")
        kind = KIND[name.strip("[]")]
        found.append(Loot(kind, False, 1 << owner, Origin(owner, FROM_HAND, 0)) if down else OPEN[kind])
    return found


def table(
    seats: int = 4,
    *,
    hands: Mapping[int, str] | None = None,
    loot: Mapping[int, str] | None = None,
    police: str = "",
    getaways: int = 0,
    **options: Any,
) -> Table:
    """Returns a table in mid-game. All cards that are not named are in the deck."""
    t, _ = thieves.new(seats, settle(thieves, seats, options))
    for seat, names in (hands or {}).items():
        t.hands[seat] = kinds(names)
    for seat, names in (loot or {}).items():
        t.loot[seat] = laid(seat, names)
    t.police = [KIND[name] for name in police.split()]
    t.getaways = getaways
    left = Counter(t.left)
    outside = [*t.police, *[GETAWAY] * getaways, *[card.kind for cards in t.loot for card in cards]]
    left.subtract([*outside, *[kind for hand in t.hands for kind in hand]])
    assert min(left.values()) >= 0, "not so many in the box"
    t.left = sorted(left.elements())
    assert all_cards(t) == t.house.box
    return t


def play(t: Table, question: Question[Table], *moves: tuple[int, str]) -> Question[Table]:
    """Carries out moves such as `(seat, "lay ring")`, each checked; NATURE is -1. Beats come in between."""
    for seat, text in moves:
        question = beats(t, question)
        answer = notation.parse(thieves.WORDS, text)
        question.check(t, seat, answer)
        question = question.answer(t, seat, answer)
        assert all_cards(t) == t.house.box
    return beats(t, question)


def beats(t: Table, question: Question[Table]) -> Question[Table]:
    while isinstance(question, Beat):
        outcome = question.outcome(t)
        question.check(t, NATURE, outcome)
        question = question.answer(t, NATURE, outcome)
        assert all_cards(t) == t.house.box
    return question


def turn(t: Table, seat: int, *moves: str) -> Question[Table]:
    """Carries out a turn of `seat`: `card …` is drawn, all other moves are its answers."""
    return play(t, Play(seat), *[(NATURE if move.startswith("card") else seat, move) for move in moves])


def texts(t: Table, question: Question[Table]) -> list[str]:
    """Returns the answers of the asked seat, as texts."""
    return [notation.text(thieves.WORDS, answer) for answer in question.answers(t, question.seat)]


def reason(t: Table, question: Question[Table], seat: int, text: str) -> tuple[str, dict[str, object]]:
    """Returns the reason and the values with which an answer is refused."""
    before = t.copy()
    with pytest.raises(Refused) as caught:
        question.check(t, seat, notation.parse(thieves.WORDS, text))
    assert t == before
    return caught.value.reason, caught.value.values


def loot(t: Table, seat: int) -> list[str]:
    """Returns the loot of a seat as `laid` reads it."""
    return [NAMES[card.kind] if card.up else f"[{NAMES[card.kind]}]" for card in t.loot[seat]]


def hand(t: Table, seat: int) -> list[str]:
    return [NAMES[kind] for kind in t.hands[seat]]


def names(cards: list[int]) -> list[str]:
    return [NAMES[kind] for kind in cards]


def dealt(seats: int, *hands: str, first: int = A, **options: Any) -> Session:
    """Returns a session after the deal, with these hands."""
    session = Session(thieves, seats, options)
    session.do(NATURE, ("first", first))
    for seat in range(seats):
        session.do(NATURE, ("hand", *kinds(hands[(first + seat) % seats])))
    return session


def go(session: Session, *moves: tuple[int, str]) -> Iterator[Session]:
    """Carries out moves in a session and yields it after each entry. Beats are carried out between them."""
    for seat, text in moves:
        while isinstance(session.question, Beat):
            session.deal(lambda question, table, number: ())
            yield session
        session.do(seat, notation.parse(thieves.WORDS, text))
        yield session
    while isinstance(session.question, Beat):
        session.deal(lambda question, table, number: ())
        yield session


def went(session: Session, *moves: tuple[int, str]) -> Session:
    """Returns the session after some moves."""
    for _ in go(session, *moves):
        pass
    return session
