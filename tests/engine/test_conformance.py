"""Tests of all games in the registry, so that a new game is tested as soon as it is added."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES, links, notation, records
from engine.cli import terminal
from engine.core import NATURE, NOBODY, SPECTATOR, Beat, Chance, Question, Refused, Table, playout
from engine.notation import Rest, Seat
from engine.session import Session
from tests.engine import census
from tests.engine.anything import TABLES, beginning, finished, options, played, readable, steps, viewers

LONGEST_GAME = 5000
MANY = 8

table_of = pytest.mark.parametrize(("name", "seats"), TABLES)


def started(name: str, seats: int, seed: int) -> tuple[Session, Random]:
    rnd = Random(f"{name}/{seats}/{seed}")
    game = GAMES[name]
    return Session(game, seats, options(game, seats, rnd)), rnd


@table_of
def test_random_games_end_and_somebody_wins(name: str, seats: int) -> None:
    for seed in range(8):
        session = played(name, seats, seed)
        assert session.over
        assert 0 < len(session.log) < LONGEST_GAME
        winners = session.game.winners(session.table)
        assert winners == sorted(set(winners))
        assert set(winners) <= set(range(seats))
        assert len(session.game.scores(session.table)) == seats


@table_of
def test_the_ledger_adds_up_to_the_scores(name: str, seats: int) -> None:
    session, rnd = started(name, seats, 11)
    for _ in steps(session, rnd):
        check_ledger(session)
    check_ledger(session)


def check_ledger(session: Session) -> None:
    totals = [0] * session.seats
    for line in session.game.ledger(session.table):
        totals[line.seat] += line.points
    assert totals == list(session.game.scores(session.table))


@pytest.mark.sample(24)
@pytest.mark.parametrize("seed", [110, 111, 112, 113])
@table_of
def test_cards_and_money_are_conserved(name: str, seats: int, seed: int) -> None:
    session, rnd = started(name, seats, seed)
    for _ in steps(session, rnd):
        census.check(session)
    census.check(session)


@table_of
def test_answers_are_legal_unique_and_in_a_fixed_order(name: str, seats: int) -> None:
    session, rnd = started(name, seats, 1)
    for _ in steps(session, rnd):
        question = session.question
        if isinstance(question, Chance) and not isinstance(question, Beat):
            continue
        for seat in question.seats():
            answers = question.answers(session.table, seat)
            assert answers
            assert answers == question.answers(session.table.copy(), seat)
            assert len({json.dumps(answer) for answer in answers}) == len(answers)
            for answer in answers:
                question.check(session.table, seat, answer)


@table_of
def test_chance_draws_only_what_it_lists(name: str, seats: int) -> None:
    session, rnd = started(name, seats, 2)
    for _ in steps(session, rnd):
        if isinstance(session.question, Chance):
            outcome = session.question.sample(session.table, rnd)
            session.question.check(session.table, NATURE, outcome)


@table_of
def test_public_outcomes_are_drawn_from_public_information(name: str, seats: int) -> None:
    """A spectator can draw such an outcome as well, so a table by link may draw it with a coin."""
    session, rnd = started(name, seats, 2)
    tossed = 0
    for _ in steps(session, rnd):
        question = session.question
        if isinstance(question, Chance) and type(question).mask is Question.mask and not isinstance(question, Beat):
            seen = session.view(SPECTATOR)
            assert question.answers(seen, NATURE) == question.answers(session.table, NATURE)
            assert question.sample(seen, Random(tossed)) == question.sample(session.table, Random(tossed))
            tossed += 1
    assert tossed


@table_of
def test_answers_out_of_turn_are_refused(name: str, seats: int) -> None:
    session, rnd = started(name, seats, 3)
    for _ in steps(session, rnd):
        asked = session.question.seats()
        for seat in {NATURE, *range(seats)} - set(asked):
            answer = session.question.answers(session.table, asked[0])[0]
            with pytest.raises(Refused, match="not_asked"):
                session.do(seat, answer)
    with pytest.raises(Refused, match="game_over"):
        session.do(0, ("pass",))


@pytest.mark.sample(4)
@table_of
def test_copies_are_independent(name: str, seats: int) -> None:
    """An answer on a copy does not change the table, and the two share no list."""
    session, rnd = started(name, seats, 4)
    for _ in steps(session, rnd):
        table, twin = session.table, session.table.copy()
        kept = pickle.loads(pickle.dumps(table))  # an independent copy, made much faster than by `deepcopy`
        assert twin == table
        assert_no_shared_list(table, twin)
        playout(twin, session.question, Random(5))
        assert table == kept


def assert_no_shared_list(table: Table, twin: Table) -> None:
    for field in dataclasses.fields(table):  # type: ignore[arg-type]  # every table is a dataclass
        mine, other = getattr(table, field.name), getattr(twin, field.name)
        if isinstance(mine, list):
            assert mine is not other
        if isinstance(mine, list | tuple):
            assert not any(a is b for a, b in zip(mine, other, strict=True) if isinstance(a, list))


@table_of
def test_questions_are_never_changed(name: str, seats: int) -> None:
    session, rnd = started(name, seats, 5)
    kept = [copy.deepcopy(session.question) for _ in steps(session, rnd)]
    assert session.asked == kept


@table_of
def test_replaying_the_log_gives_the_same_table(name: str, seats: int) -> None:
    session = played(name, seats, 6)
    again = Session(session.game, seats, session.options)
    again.extend(session.log)
    assert again.table == session.table
    assert again.question == session.question
    assert again.fingerprint() == session.fingerprint()


@pytest.mark.sample(18)
@pytest.mark.parametrize("seed", [70, 71, 72])
@table_of
def test_a_replica_fed_with_masked_entries_equals_the_view(name: str, seats: int, seed: int) -> None:
    session, rnd = started(name, seats, seed)
    replicas = {viewer: Session(session.game, seats, session.options) for viewer in viewers(seats)}
    for _ in steps(session, rnd):
        follow(session, replicas)
    follow(session, replicas)


def follow(session: Session, replicas: dict[int, Session]) -> None:
    """Sends the newest entry to the replicas, which check it, and compares them with the views."""
    for viewer, replica in replicas.items():
        if len(session.log) > len(replica.log):
            replica.extend(session.masked(viewer, len(replica.log)))
        assert replica.table == session.view(viewer)
        assert replica.question == session.question
        asked = session.question.seats()
        if viewer in asked:
            assert replica.answers(viewer) == session.answers(viewer)


@table_of
def test_all_viewers_compute_the_same_fingerprint(name: str, seats: int) -> None:
    session = played(name, seats, 8)
    heads = set()
    for viewer in viewers(seats):
        replica = Session(session.game, seats, session.options)
        replica.extend(session.masked(viewer))
        heads.add(replica.fingerprint(SPECTATOR))
    assert heads == {session.fingerprint()}


@pytest.mark.sample(2)
@table_of
def test_a_filled_view_can_be_played_on(name: str, seats: int) -> None:
    session, rnd = started(name, seats, 9)
    for _ in steps(session, rnd):
        for viewer in viewers(seats):
            view = session.view(viewer)
            assert session.game.view(view, viewer) == view
            filled = session.game.fill(view, Random(1))
            assert session.game.view(filled, viewer) == view
            assert session.game.whole(view) == (filled == view)
            if len(session.log) % 7 == 0:
                playout(filled, session.question, Random(2))


@table_of
def test_entries_are_written_and_read_back_unchanged(name: str, seats: int) -> None:
    session = played(name, seats, 10)
    words = session.game.WORDS
    for viewer in viewers(seats):
        for _seat, answer in session.masked(viewer):
            row = json.loads(json.dumps(notation.write(words, answer)))
            assert notation.read(words, row) == answer
            assert notation.parse(words, notation.text(words, answer)) == answer


@pytest.mark.sample(6)
@table_of
def test_a_step_hides_something_exactly_if_its_answer_is_masked(name: str, seats: int) -> None:
    """A record is verified by this, so no other answer that the rules allow may leave a hole, or lose a card."""
    whole, rnd = finished(name, seats, 17), Random(17)
    session = beginning(whole, 0)
    for asked, (seat, answer) in zip(whole.asked, whole.log, strict=True):
        masks = {asked.mask(seat, answer, viewer) for viewer in viewers(seats)} - {answer}
        for other in [*masks, *[readable(session.game.WORDS, rnd) for _ in range(MANY)]]:
            try:
                step = session.prepare(seat, other)
            except Refused:
                continue
            assert session.hides(step) or other not in masks
            if not session.hides(step):
                assert session.game.fill(step.table, rnd) == step.table
        step = session.prepare(seat, answer)
        assert not session.hides(step)
        session.apply(step)


@pytest.mark.sample(6)
@table_of
def test_people_count_seats_from_1_and_records_from_0(name: str, seats: int) -> None:
    """The printed form of a game in the terminal and its record name the same seats, each in its own way."""
    session = played(name, seats, 12)
    rows = list(map(json.loads, records.write(session, [""] * seats).splitlines()))[1:-1]
    printed = [line.split(maxsplit=1)[1] for line in terminal.replay(session, None, None)][: len(rows)]
    words = session.game.WORDS
    for (seat, verb, *values), line in zip(rows, printed, strict=True):
        who, answer = line.split(": ")
        assert who == ("nature" if seat == NATURE else f"seat {seat + 1}")
        in_rows, in_texts = values_of_seats(words[verb], values), values_of_seats(words[verb], answer.split()[1:])
        assert [f"{value + 1}" for value in in_rows] == in_texts
        assert set(in_rows) <= set(range(seats))
    named = [re.findall(r"^seat (\d+) ", line) for line in session.game.lines(session.table)]
    assert [found[0] for found in named if found] == [str(number) for number in range(1, seats + 1)]


def values_of_seats(args: tuple[Any, ...], values: list[Any]) -> list[Any]:
    """Returns those of the values of an answer that are seats."""
    last = args[-1:] and isinstance(args[-1], Rest)
    kinds = [*args[:-1], *[args[-1].arg] * (len(values) - len(args) + 1)] if last else args
    return [value for kind, value in zip(kinds, values, strict=True) if isinstance(kind, Seat)]


@pytest.mark.sample(12)
@table_of
def test_records_and_links_contain_the_same_game(name: str, seats: int) -> None:
    session = played(name, seats, 12)
    names = [f"Ágnes {seat}" for seat in range(seats)]
    record = records.verify(records.write(session, names))
    assert record.session.log == session.log
    assert record.session.table == session.table
    assert record.names == names
    again = links.read(links.write(session, names))
    assert again.session.log == session.log
    assert again.names == names


@pytest.mark.sample(12)
@table_of
def test_an_unfinished_game_has_a_record_and_a_link_too(name: str, seats: int) -> None:
    whole, names = played(name, seats, 13), [""] * seats
    for length in range(0, len(whole.log), max(1, len(whole.log) // 7)):
        session = beginning(whole, length)
        assert records.read(records.write(session, names)).session.log == session.log
        found = links.read(links.write(session, names)).session.log
        assert found[:length] == session.log


@table_of
def test_a_playout_equals_a_game_of_random_answers(name: str, seats: int) -> None:
    for seed in range(4):
        session, rnd = started(name, seats, 170 + seed)
        table, question, decisions = session.table.copy(), session.question, 0
        counted = playout(session.table, session.question, Random(seed))
        rnd = Random(seed)
        while question.seat != NOBODY:
            if isinstance(question, Chance):
                question = question.answer(table, NATURE, question.sample(table, rnd))
            else:
                answers = question.answers(table, question.seat)
                question = question.answer(table, question.seat, answers[int(rnd.random() * len(answers))])
                decisions += 1
        assert (table, decisions) == (session.table, counted)


@pytest.mark.sample(12)
@table_of
def test_taking_back_restores_the_table(name: str, seats: int) -> None:
    session, rnd = started(name, seats, 14)
    taken_back = 0
    for _ in steps(session, rnd):
        for seat in range(seats):
            if session.can_undo(seat):
                log, table, question = list(session.log), session.table.copy(), session.question
                session.undo(seat)
                cut = log[len(session.log) :]
                assert cut[0][0] == seat
                assert all(other == NATURE for other, _ in cut[1:])
                assert session.question.seats()
                session.extend(cut)
                assert (session.table, session.question) == (table, question)
                taken_back += 1
            else:
                with pytest.raises(Refused, match=r"undo\.too_late"):
                    session.undo(seat)
    assert taken_back


@table_of
def test_own_entries_are_never_masked(name: str, seats: int) -> None:
    session = played(name, seats, 15)
    for seat in range(seats):
        own = [entry for entry in session.log if entry[0] == seat]
        assert [entry for entry in session.masked(seat) if entry[0] == seat] == own


@table_of
def test_tables_declare_values_then_lists(name: str, seats: int) -> None:
    table = played(name, seats, 16).table
    assert isinstance(table, Table)
    assert "?" not in " ".join(GAMES[name].lines(table))


@pytest.mark.sample(6)
@table_of
def test_every_readable_answer_is_refused_or_can_be_masked_and_carried_out(name: str, seats: int) -> None:
    """This holds for views too, where the answers of other seats are checked."""
    session, rnd = started(name, seats, 14)
    replicas = {viewer: Session(session.game, seats, session.options) for viewer in (SPECTATOR, seats - 1)}
    stands = 0
    for _ in steps(session, rnd):
        follow(session, replicas)
        question = session.question
        for table in (session.table, *(replica.table for replica in replicas.values())):
            for answer in [readable(session.game.WORDS, rnd) for _ in range(MANY)]:
                try:
                    question.check(table, question.seat, answer)
                except Refused:
                    continue
                for viewer in viewers(seats):
                    question.mask(question.seat, answer, viewer)
                question.answer(table.copy(), question.seat, answer)
                stands += 1
    assert stands


#: lists may lie in lists; `st.recursive` takes much longer to draw them
VALUES = st.none() | st.booleans() | st.integers(-20, 120) | st.text(max_size=8)
VALUES |= st.lists(VALUES, max_size=4)
VALUES |= st.lists(VALUES, max_size=3)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_nonsense_is_refused_and_changes_nothing(name: str, data: st.DataObject) -> None:
    game = GAMES[name]
    whole = finished(name, game.SEATS[0], data.draw(st.integers(0, 2)))
    session = beginning(whole, data.draw(st.integers(0, len(whole.log) - 1)))
    row = [data.draw(st.sampled_from([*game.WORDS, "nonsense"])), *data.draw(st.lists(VALUES, max_size=5))]
    before, log = session.table.copy(), list(session.log)
    seat = data.draw(st.integers(-3, 9))
    try:
        answer = notation.read(game.WORDS, row)
        session.do(seat, answer)
    except Refused:
        assert (session.table, session.log) == (before, log)
    else:
        assert session.log == [*log, (seat, answer)]
