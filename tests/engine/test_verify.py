"""Tests of what a verified record proves: every answer was legal, no card is hidden, and the result follows."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from engine import GAMES, links, records, strict_json
from engine.core import NATURE, NOBODY, SPECTATOR, Refused
from engine.notation import UNKNOWN
from engine.records import Damaged, Record
from engine.session import Session
from tests.engine import census
from tests.engine.anything import WITH_SECRETS, beginning, finished, viewers

Lines = list[Any]

game_with_secrets = pytest.mark.parametrize("name", WITH_SECRETS)


@cache
def a_game(name: str) -> Session:
    """Returns a finished game with the fewest players, and random house rules."""
    return finished(name, GAMES[name].SEATS[0], 5)


def replica(session: Session, viewer: int, length: int | None = None) -> Session:
    """Returns the session of a viewer who has seen the first `length` entries of another one."""
    seen = session.before_first_entry()
    seen.extend(session.masked(viewer)[:length])
    return seen


def record_of(session: Session) -> str:
    return records.write(session, [""] * session.seats)


def first_difference(some: Session, other: Session) -> int:
    """Returns the place of the first entry in which two logs differ."""
    return next(place for place, pair in enumerate(zip(some.log, other.log, strict=True)) if pair[0] != pair[1])


def refused(data: str) -> tuple[str, int]:
    with pytest.raises(Damaged) as caught:
        records.verify(data)
    return caught.value.reason, caught.value.line


@game_with_secrets
def test_the_masked_record_of_any_viewer_can_be_read_but_is_not_verified(name: str) -> None:
    """Regression: `verify` accepted all of them."""
    session = a_game(name)
    for viewer in viewers(session.seats):
        seen = replica(session, viewer)
        assert seen.over
        written = record_of(seen)
        line = first_difference(seen, session) + 2
        assert refused(written) == ("record.masked", line)
        record = records.read(written)
        assert (record.session.log, record.verified) == (seen.log, False)
        assert record.refusal is not None
        assert (record.refusal.reason, record.refusal.line) == ("record.masked", line)


def forged(session: Session, rnd: Random) -> Session:
    """Returns a masked game that begins like this one as everybody saw it, and goes on with other hidden cards."""
    seen = replica(session, SPECTATOR, len(session.log) // 3)
    question, table = seen.question, seen.game.fill(seen.table, rnd)
    while question.seat != NOBODY:
        seat = rnd.choice(question.seats())
        answer = question.sample(table, rnd) if seat == NATURE else rnd.choice(question.answers(table, seat))  # type: ignore[attr-defined]  # it is a Chance
        seen.do(seat, question.mask(seat, answer, SPECTATOR))
        question = question.answer(table, seat, answer)
    return seen


@game_with_secrets
def test_a_masked_record_with_another_winner_is_not_verified(name: str) -> None:
    """Regression: whoever chose the hidden cards afterwards could choose who had won."""
    session = a_game(name)
    won = session.game.winners(session.table)
    games = (forged(session, Random(seed)) for seed in range(50))
    seen = next(game for game in games if game.game.winners(game.table) != won)
    assert seen.masked(SPECTATOR)[: len(session.log) // 3] == session.masked(SPECTATOR)[: len(session.log) // 3]
    assert refused(record_of(seen))[0] == "record.masked"


@game_with_secrets
def test_a_record_in_which_the_cards_of_one_player_are_hidden_is_not_verified(name: str) -> None:
    session = a_game(name)
    for others in combinations(range(session.seats), session.seats - 1):
        lines = read_lines(record_of(session))
        for place, (asked, (seat, answer)) in enumerate(zip(session.asked, session.log, strict=True)):
            masks = [asked.mask(seat, answer, viewer) for viewer in others]
            lines[place + 1] = session.record_row((seat, answer if answer in masks else masks[0]))
        reason, _ = refused(text(with_result(lines)))
        assert reason in ("record.masked", "not_an_answer")  # the rules of some games refuse such a mixture at once


@pytest.mark.parametrize("name", GAMES)
def test_an_unfinished_record_is_not_verified(name: str) -> None:
    session = a_game(name)
    half = len(session.log) // 2
    record = records.read(record_of(beginning(session, half)))
    assert record.refusal is not None
    assert (record.refusal.reason, record.refusal.line) == ("record.not_finished", half + 1)
    assert (record.verified, records.read(record_of(session)).verified) == (False, True)


# Links


@game_with_secrets
def test_a_masked_game_is_not_packed_into_a_link(name: str) -> None:
    """Regression: it was, but no such link could be opened."""
    session = a_game(name)
    for viewer in viewers(session.seats):
        with pytest.raises(Refused, match=r"link\.masked"):
            links.write(replica(session, viewer), [""] * session.seats)


@game_with_secrets
def test_a_link_with_a_hidden_card_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = replica(a_game(name), SPECTATOR, 2)
    with monkeypatch.context() as patch:
        patch.setattr(Record, "add", lambda record, seat, answer: record.session.do(seat, answer))
        written = links.write(seen, [""] * seen.seats)
    with pytest.raises(Refused, match=r"link\.masked"):
        links.read(written)


@pytest.mark.parametrize("name", GAMES)
def test_a_packed_game_is_verified_when_it_is_over(name: str) -> None:
    session, names = a_game(name), [""] * a_game(name).seats
    assert links.read(links.write(session, names)).verified
    assert not links.read(links.write(beginning(session, len(session.log) // 2), names)).verified


# Mangled records


def read_lines(written: str) -> Lines:
    return [json.loads(line) for line in written.splitlines()]


def text(lines: Lines) -> str:
    return "".join(strict_json.dumps(line) + "\n" for line in lines)


def with_result(lines: Lines) -> Lines:
    """Returns the lines with the result that a forger computes: hash, fingerprint and scores of the table they lead to.

    If the rules refuse a line, the lines are returned as they are.
    """
    session = records.read(text(lines[:1])).session
    try:
        for line in lines[1:-1]:
            session.do(*records.entry(session, line))
    except Refused:
        return lines
    return [*lines[:-1], records.result(session, lines[0])] if session.over else lines


def drop(lines: Lines, rnd: Random) -> None:
    del lines[a_line(lines, rnd)]


def repeat(lines: Lines, rnd: Random) -> None:
    place = a_line(lines, rnd)
    lines.insert(place, lines[place])


def swap(lines: Lines, rnd: Random) -> None:
    """Swaps two lines, mostly neighbours."""
    place = a_line(lines, rnd)
    other = rnd.choice([min(place + 1, len(lines) - 2), a_line(lines, rnd)])
    lines[place], lines[other] = lines[other], lines[place]


def hide(lines: Lines, rnd: Random) -> None:
    """Writes a hole, in any of the ways a game writes one, in place of a value or of all values of a line."""
    row = lines[a_line(lines, rnd)]
    places = range(2, len(row)) if rnd.random() < 0.5 else [rnd.randrange(2, len(row))] if len(row) > 2 else []
    for place in places:
        row[place] = [hole(value) for value in row[place]] if isinstance(row[place], list) else hole(row[place])


def hole(value: object) -> object:
    if isinstance(value, int):
        return 0
    family, dash, _ = str(value).partition("-")
    return f"{family}-{UNKNOWN}" if dash else UNKNOWN


def exchange(lines: Lines, rnd: Random) -> None:
    """Gives a line the values of another one with the same verb."""
    row = lines[a_line(lines, rnd)]
    row[2:] = rnd.choice([other for other in lines[1:-1] if other[1] == row[1]])[2:]


def give_to_another_seat(lines: Lines, rnd: Random) -> None:
    lines[a_line(lines, rnd)][0] = rnd.randrange(NATURE, lines[0]["seats"])


def a_line(lines: Lines, rnd: Random) -> int:
    """Returns the place of an entry."""
    return rnd.randrange(1, len(lines) - 1)


MANGLES = (drop, repeat, swap, hide, exchange, give_to_another_seat)


@pytest.mark.parametrize("mangle", MANGLES)
@pytest.mark.parametrize("name", GAMES)
def test_a_mangled_record_is_refused_or_is_another_legal_game(
    name: str, mangle: Callable[[Lines, Random], None]
) -> None:
    """The forger computes hash, fingerprint and scores again."""
    written = record_of(a_game(name))
    for seed in range(6):
        rnd = Random(f"{mangle.__name__}/{seed}")
        lines = read_lines(written)
        mangle(lines, rnd)
        if seed % 2:
            mangle(lines, rnd)
        data = text(with_result(lines))
        try:
            record = records.verify(data)
        except Damaged:
            continue
        assert record_of(record.session) == data
        assert_open_and_legal(record.session)


def assert_open_and_legal(session: Session) -> None:
    """Plays the game again, only with answers that a full table allows."""
    again = session.before_first_entry()
    for seat, answer in session.log:
        assert seat in again.question.seats()
        again.do(seat, answer)
        assert again.game.whole(again.table)
        assert again.game.fill(again.table, Random(1)) == again.table
    census.check(again)
    assert again.over
    assert UNKNOWN not in "".join(json.dumps(again.record_row(entry)) for entry in again.log)
