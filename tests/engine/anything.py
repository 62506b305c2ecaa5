"""Random games and options, for the tests of all games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from engine import GAMES, bots, notation
from engine.core import NATURE, NOBODY, SPECTATOR, Answer, Game, Refused
from engine.notation import List, Number, Rest, Seat, Word, Words
from engine.options import Choice, Options, settle
from engine.session import Session

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.SEATS]


def options(game: Game, seats: int, rnd: Random) -> Options:
    """Returns random house rules, and sometimes a house deck that the game can be played with."""
    given: dict[str, Any] = {}
    for option in game.OPTIONS:
        if isinstance(option, Choice):
            given[option.name] = rnd.choice(option.choices)
        elif rnd.random() < 0.3:
            names = rnd.sample(sorted(option.default), k=min(3, len(option.default)))
            given[option.name] = {name: max(0, option.default[name] + rnd.randint(-3, 4)) for name in names}
    try:
        return settle(game, seats, given)
    except Refused:
        return settle(game, seats, {name: value for name, value in given.items() if isinstance(value, str)})


def steps(session: Session, rnd: Random) -> Iterator[Session]:
    """Plays `session` to its end at random, with any of the asked seats. Yields it before every entry."""
    while session.question.seat != NOBODY:
        yield session
        question = session.question
        seat = rnd.choice(question.seats())
        if seat == NATURE:
            session.do(seat, question.sample(session.table, rnd))  # type: ignore[attr-defined]
        else:
            session.do(seat, bots.choose_at_random(question, session.table, seat, rnd))


def played(name: str, seats: int, seed: int) -> Session:
    """Returns a finished random game with random options."""
    rnd = Random(f"{name}/{seats}/{seed}")
    game = GAMES[name]
    session = Session(game, seats, options(game, seats, rnd))
    for _ in steps(session, rnd):
        pass
    return session


@cache
def finished(name: str, seats: int, seed: int) -> Session:
    """Returns the same session as `played`. It is kept and shared: nobody may change it, but see `beginning`."""
    return played(name, seats, seed)


def beginning(whole: Session, length: int) -> Session:
    """Returns a new session with the first `length` entries of another one."""
    session = Session(whole.game, whole.seats, whole.options)
    for seat, answer in whole.log[:length]:
        session.carry_out(seat, answer)
    return session


def has_hidden_cards(name: str) -> bool:
    """Returns True if there is a moment in a random game at which a seat sees more than a spectator."""
    game, rnd = GAMES[name], Random(name)
    session = Session(game, game.SEATS[0])
    return any(
        session.view(seat) != session.view(SPECTATOR) for _ in steps(session, rnd) for seat in range(session.seats)
    )


def viewers(seats: int) -> list[int]:
    """Returns all viewers."""
    return [*range(seats), SPECTATOR]


def readable(words: Words, rnd: Random) -> Answer:
    """Returns anything with the shape of an answer, to any question."""
    verb = rnd.choice(list(words))
    row = [verb]
    for arg in words[verb]:
        if isinstance(arg, Rest):
            row += [_value(arg.arg, rnd) for _ in range(min(arg.most, rnd.choice((0, 1, 2, 3, 100))))]
        else:
            row.append(_value(arg, rnd))
    return notation.read(words, row)


def _value(arg: Any, rnd: Random) -> Any:
    match arg:
        case Number():
            return rnd.choice((arg.least, arg.most, rnd.randint(arg.least, arg.most))) + arg.base
        case Seat():
            return _value(arg.in_row, rnd)
        case Word():
            return rnd.choice(list(arg.values))
        case List():
            return [_value(arg.arg, rnd) for _ in range(rnd.choice((0, 1, 2, 3)))]
    raise TypeError(arg)


#: the games with hidden cards
WITH_SECRETS = tuple(name for name in GAMES if has_hidden_cards(name))
