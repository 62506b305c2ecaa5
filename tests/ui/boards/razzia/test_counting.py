"""The counting of a round: numbers that count up, the last row before the result; and the words for a score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.razzia.rules import AT_THE_END, EVERY_ROUND, Score
from engine.session import Session
from tests.ui.boards import games
from tests.ui.boards.games import T, all_nodes, context
from tests.ui.boards.razzia.games import BOARD, played
from ui.boards import board
from ui.boards.razzia.ledger import count_up
from ui.html.tree import Node, plain


def passed(node: Node) -> list[str]:
    return [str(each.attrs["data-n"]) for each in all_nodes(node) if "data-n" in each.attrs]


@pytest.mark.parametrize(
    ("number", "new", "signed", "steps"),
    [
        (3, 3, True, ["0", "+1", "+2"]),
        (-5, -5, True, ["0", "−1", "−2", "−3", "−4"]),
        (12, 4, False, ["8", "9", "10", "11"]),
        (1, -2, False, ["3", "2"]),
    ],
)
def test_a_number_passes_through_every_step_to_its_new_value(
    number: int, new: int, *, signed: bool, steps: list[str]
) -> None:
    shown = count_up(T, number, new, signed=signed)
    assert isinstance(shown, Node)
    assert passed(shown) == steps
    assert plain(shown) == (T.signed(number) if signed else T.number(number))
    assert [each.attrs["--n"] for each in all_nodes(shown) if "--n" in each.attrs] == [str(len(steps))]


def test_a_number_that_stays_does_not_move() -> None:
    assert count_up(T, 4, 0) == T.signed(4)


def test_only_the_line_that_is_new_counts_up_and_with_it_the_sums() -> None:
    lines = 0
    for session in played(4, seed=3):
        view = session.table
        if not isinstance(session.question, Score) or not view.scored or view.scored[-1].round != view.round:
            continue
        row = view.scored[-1]
        books = BOARD.felt(context(session))
        rolls = [each for each in all_nodes(books) if each.tag == "span" and str(each.attrs.get("class")) == "roll"]
        assert len(rolls) == 3 * sum(points != 0 for points in row.points)
        lines += 1
    assert lines == 3 * (len(EVERY_ROUND) - 1) + len(AT_THE_END)


def over() -> Session:
    *_, session = played(3, seed=1)
    return session


def test_the_last_line_of_all_is_seen_before_the_result() -> None:
    session = over()
    ctx = context(session)
    resting = BOARD.felt(replace(ctx, resting=True))
    assert T("razzia.count.result") in plain(resting)
    assert T("razzia.category.cheques") in plain(resting)
    assert T("razzia.count.result") not in plain(BOARD.felt(ctx)), "the table may be looked at afterwards"


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("razzia", {}, "7 points"),
        ("bars", {}, "7"),
        ("sicilianos", {}, "7 points"),
        ("thieves", {}, "7 points"),
        ("thieves", {"match": "seven_gems"}, "7 gems"),
    ],
)
def test_a_score_is_written_with_its_unit(game: str, options: dict[str, str], said: str) -> None:
    session = next(games.played(game, 3, seed=1, options=options))
    found = board(game).score(context(session), 7)
    assert found == said


def test_with_a_godfather_there_is_no_score() -> None:
    session = next(games.played("sicilianos", 3, seed=1))
    session.table.godfather = 1
    assert board("sicilianos").score(context(session), 1) == ""
