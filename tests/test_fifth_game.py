"""A new game is a folder: a copy of the project with a fifth game differs in one line, and the tests of all games hold.

`e2e/test_fifth_game.py` builds the page of such a copy and plays the game there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from difflib import ndiff
from pathlib import Path

import pytest

from engine import GAMES
from tests import fifth_game
from tests.fifth_game import FILES, LINE, NAME, REGISTRY, SOURCES
from tools import build
from tools.paths import ROOT

#: tests that run for every game, and tests of all texts and of the command line's sentences
SUITES = {
    "tests/engine/test_conformance.py": NAME,
    "tests/engine/test_golden.py": NAME,
    "tests/engine/test_records.py": NAME,
    "tests/engine/test_verify.py": NAME,
    "tests/engine/test_cli.py": "has_a_sentence",
    f"tests/engine/{NAME}/test_rules.py": "",
    f"tests/ui/boards/{NAME}/test_board.py": "",
    "tests/ui/boards/test_told_once.py": NAME,
    "tests/ui/update/test_curtain.py": NAME,
    "tests/ui/text/test_i18n.py": "",
    "tests/ui/text/test_refusals.py": f"{NAME} or refusals_of_the_games",
    "tests/ui/test_first_screen.py": "",
    "tests/ui/test_styles.py": "",
    "tests/peer/device/test_whole_tables.py::test_every_game_is_played_to_its_end": NAME,
    "tests/test_house.py": NAME,
    "tests/test_docs.py": NAME,
}

#: some of them run only a sample of their cases, unless all are asked for
SAMPLED = (
    "test_cards_and_money_are_conserved",
    "test_copies_are_independent",
    "test_a_replica_fed_with_masked_entries_equals_the_view",
    "test_every_readable_answer_is_refused_or_can_be_masked_and_carried_out",
    "test_a_filled_view_can_be_played_on",
    "test_people_count_seats_from_1_and_records_from_0",
    "test_a_step_hides_something_exactly_if_its_answer_is_masked",
    "test_records_and_links_contain_the_same_game",
    "test_an_unfinished_game_has_a_record_and_a_link_too",
    "test_taking_back_restores_the_table",
    "test_the_perft_counts_equal_the_golden_file",
    "test_pages_under_the_curtain_that_differ_in_hidden_cards_are_equal",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a copy of this project with the fifth game."""
    return fifth_game.copy_with_fifth_game(tmp_path_factory.mktemp("fifth"))


def run(project: Path, *arguments: str) -> str:
    """Runs a Python module in the copy and returns its output. Raises AssertionError with the output if it fails."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=project, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


def contents(root: Path) -> dict[str, bytes]:
    files = [path for folder in SOURCES for path in fifth_game.files_in(root / folder)]
    files += [path for path in root.iterdir() if path.is_file()]
    skipped = {fifth_game.OWN_TESTS, "vendor"}
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in files
        if skipped.isdisjoint(path.relative_to(root).parts)
    }


def test_a_new_game_changes_one_line_of_the_shared_files(project: Path) -> None:
    before, after = contents(ROOT), contents(project)
    assert {name for name in before if after[name] != before[name]} == {REGISTRY.as_posix()}
    assert set(after) - set(before) == {path.as_posix() for path in fifth_game.own_files()}
    old, new = (found[REGISTRY.as_posix()].decode().splitlines(keepends=True) for found in (before, after))
    assert [line for line in ndiff(old, new) if line[0] in "+-"] == [f"+ {LINE}"]


def test_every_file_of_the_fifth_game_has_its_name_in_the_path() -> None:
    assert [path for path in fifth_game.own_files() if NAME not in path.as_posix()] == []


def test_the_tests_of_all_games_pass_for_the_fifth_game(project: Path) -> None:
    wanted = " or ".join(words or Path(suite).name for suite, words in SUITES.items())
    told = run(project, "pytest", "-v", "-p", "no:cacheprovider", "--everything", "-k", wanted, *SUITES)
    assert [suite for suite in SUITES if suite not in told] == []
    assert [test for test in SAMPLED if not re.search(rf"::{test}\[{NAME}\b.*\] PASSED", told)] == []


def test_the_fifth_game_passes_mypy(project: Path) -> None:
    run(project, "mypy", f"--cache-dir={project / 'build' / 'mypy'}", f"engine/{NAME}", f"ui/boards/{NAME}")


def test_the_bot_of_the_fifth_game_plays_against_random_bots(project: Path) -> None:
    told = run(project, "engine", "arena", NAME, "--players", "3", "--games", "60", "--bots", "greedy,random,random")
    assert "greedy" in told


def test_nothing_of_the_fifth_game_is_shipped() -> None:
    assert NAME not in GAMES
    assert [path for path in build.watched_files() if NAME in path.name or path.is_relative_to(FILES)] == []
    assert [path for path in build.python_sources() if NAME in path.read_text("utf-8")] == []
