"""Filled views of sicilianos: any table that agrees with the view, each equally likely."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine import sicilianos
from engine.core import Refused
from engine.session import Session
from engine.sicilianos import belief, fill, view
from engine.sicilianos import table as tables
from engine.sicilianos.box import RED
from engine.sicilianos.rules import new
from engine.sicilianos.table import Table
from tests.engine.sicilianos.positions import A, B, C, D

# Every history that fits, and no other: counted out through the rules themselves.


def small_deck(**values: tuple[int, ...]) -> dict[str, int]:
    return {
        name: values.get(name.partition("-")[0], ()).count(int(name.partition("-")[2]))
        for name in sicilianos.OPTIONS[3].default
    }


SMALL = small_deck(yellow=(1, 2, 3, 5, 8), blue=(4, 6, 8), red=(1, 5, 6), black=(2, 5, 8))


def all_tables(session: Session, viewer: int) -> Counter[object]:
    """Returns every full table whose masked log is the same for the viewer."""
    seen = session.masked(viewer)
    found: Counter[object] = Counter()

    def follow(t: Table, question: object, place: int) -> None:
        if place == len(seen):
            found[hidden_of(t)] += 1
            return
        seat, shown = seen[place]
        for answer in question.answers(t, seat):  # type: ignore[attr-defined]
            if question.mask(seat, answer, viewer) == shown:  # type: ignore[attr-defined]
                twin = t.copy()
                follow(twin, question.answer(twin, seat, answer), place + 1)  # type: ignore[attr-defined]

    follow(*new(session.seats, session.options), 0)
    return found


def hidden_of(t: Table) -> tuple[object, ...]:
    """Returns everything that is hidden from some seat."""
    return (*t.hands, *map(tuple, t.trail), *t.down, *t.stakes, *t.founded)


def small_game(seed: int, entries: int) -> Session:
    """Returns the first entries of a random game with few cards, where players often look through piles."""
    session = Session(sicilianos, 3, {"deck": SMALL, "die": {"two": 1, "one": 3, "steal": 2}})
    rnd = Random(seed)
    for _ in range(entries):
        seat = session.question.seat
        answers = session.answers(seat)
        secret = [answer for answer in answers if answer[0] in ("roll", "look")]
        session.do(seat, rnd.choice(secret if secret and rnd.random() < 0.6 else answers))
    return session


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("seed", "viewer", "entries", "count"),
    [(29, 0, 65, 6), (37, 0, 73, 12), (48, 2, 65, 48), (105, 2, 67, 36), (116, 2, 68, 12), (132, 1, 56, 36)],
)
def test_a_fill_is_uniform_over_all_histories_that_fit_the_view(
    seed: int, viewer: int, entries: int, count: int
) -> None:
    session = small_game(seed, entries)
    expected = all_tables(session, viewer)
    seen, rnd = session.view(viewer), Random(seed)
    drawn = Counter(hidden_of(fill(seen, rnd)) for _ in range(30 * count))
    assert len(expected) == count
    assert set(expected.values()) == {1}
    assert set(drawn) <= set(expected)
    squares = sum((drawn[one] - 30) ** 2 / 30 for one in expected)
    assert squares < count - 1 + 4 * (2 * (count - 1)) ** 0.5


# Many lookers at one pile.


def test_a_pile_that_everybody_looked_through_repeatedly_can_be_filled() -> None:
    """If there are too many ways, a sample is followed, and the result agrees with the view all the same."""
    t, _ = new(6, Session(sicilianos, 6).options)
    rnd = Random(4)
    order = list(t.house.cards[RED])
    rnd.shuffle(order)
    tables.look(t, RED, A, tuple(order))
    tables.keep(t, RED, A, 1)
    for seat in (B, C, D, 4, 5):
        tables.look(t, RED, seat, t.piles[RED])
        tables.keep(t, RED, seat, rnd.randint(1, len(t.piles[RED])))
    tables.show(t, RED, C, t.hands[C][0])
    seen = view(t, A)
    assert view(fill(seen, rnd), A) == seen


def test_the_search_for_histories_is_widened_if_its_sample_was_too_small() -> None:
    moves = (("look", A, tuple(range(23, 34))), ("keep", B, 0), ("keep", C, 0), ("show", B, 30), ("show", C, 24))
    layers = belief.histories(tuple(range(23, 34)), 3, moves, 1)
    assert [state.pile for state in layers[-1]] == [(23, 25, 26, 27, 28, 29, 31, 32, 33)]


def test_impossible_observations_are_refused() -> None:
    moves = (("look", A, tuple(range(23, 34))), ("draw", B, 30))
    with pytest.raises(Refused, match=r"sicilianos\.view\.impossible"):
        belief.histories(tuple(range(23, 34)), 3, moves)
