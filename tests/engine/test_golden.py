"""The golden files still hold: rules, order of answers, notation and hashes are what they were."""

from __future__ import annotations

import json

import pytest

from engine import GAMES, records
from tests.engine import golden
from tests.engine.anything import TABLES

kept = pytest.mark.parametrize(("name", "seats"), TABLES)


@kept
def test_the_golden_record_is_reproduced_exactly(name: str, seats: int) -> None:
    text = (golden.FOLDER / f"{name}-{seats}.jsonl").read_text("utf-8")
    assert golden.record(GAMES[name], seats) == text
    assert records.verify(text).session.over


@kept
def test_questions_and_the_order_of_answers_equal_the_golden_file(name: str, seats: int) -> None:
    text = (golden.FOLDER / f"{name}-{seats}.txt").read_text("utf-8")
    assert golden.playthrough(GAMES[name], seats).splitlines() == text.splitlines()


@pytest.mark.sample(3)
@kept
def test_the_perft_counts_equal_the_golden_file(name: str, seats: int) -> None:
    counts = json.loads((golden.FOLDER / f"{name}-perft.json").read_text("utf-8"))[str(seats)]
    assert golden.perft(GAMES[name], seats) == counts
    assert len(counts) >= 2


def test_no_golden_file_is_left_over() -> None:
    wanted = {f"{name}-perft.json" for name in GAMES}
    wanted |= {f"{name}-{seats}.{kind}" for name, seats in TABLES for kind in ("jsonl", "txt")}
    assert {path.name for path in golden.FOLDER.iterdir() if path.suffix != ".py" and path.is_file()} == wanted
