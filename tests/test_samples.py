"""The samples of large products: as many cases as asked for, others with another seed, all of them in the long run."""

from __future__ import annotations

import pytest

from tests import samples
from tests.samples import SEED, chosen

pytest_plugins = ["pytester"]
NAMES = [f"test_it[{number}]" for number in range(10)]


def test_a_sample_is_the_same_for_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEED, "0123abcd")
    assert chosen(NAMES, 3, "test_it") == chosen(NAMES[::-1], 3, "test_it")
    assert len(chosen(NAMES, 3, "test_it")) == 3
    assert chosen(NAMES, 20, "test_it") == {*NAMES}


def test_every_case_is_drawn_by_some_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: set[str] = set()
    for number in range(60):
        monkeypatch.setenv(SEED, str(number))
        drawn |= chosen(NAMES, 2, "test_it")
    assert drawn == {*NAMES}


def test_different_tests_draw_different_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEED, "0123abcd")
    assert len({frozenset(chosen(NAMES, 3, f"test_{number}")) for number in range(20)}) > 1


@pytest.fixture(autouse=True)
def plain_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps other plugins out of the runs of pytest in this process: some cannot be in it twice."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setattr(samples, "everything", samples.everything)  # such a run sets it for this process


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Runs a test with ten cases, of which one is drawn. It runs in this process: to start another takes long."""
    pytester.makepyfile(
        test_numbers="import pytest\n\n@pytest.mark.sample(1)\n@pytest.mark.parametrize('number', range(10))\n"
        "def test_number(number): pass\n"
    )
    return pytester.runpytest_inprocess("-v", "-p", "tests.samples", "--strict-markers", *arguments)


def test_a_sample_has_as_many_cases_as_the_mark_says(pytester: pytest.Pytester) -> None:
    run(pytester).assert_outcomes(passed=1, deselected=9)
    run(pytester, "--everything").assert_outcomes(passed=10)


def test_tests_of_a_group_share_one_sample(pytester: pytest.Pytester) -> None:
    groups = {"test_a": "one", "test_b": "one", "test_c": "one", "test_d": "other"}
    for name, group in groups.items():
        text = f"import pytest\n\n@pytest.mark.sample(2, group={group!r})\ndef {name}(): pass\n"
        pytester.makepyfile(**{name: text})
    done = pytester.runpytest_inprocess("-p", "tests.samples", "--strict-markers")
    done.assert_outcomes(passed=3, deselected=1)


@pytest.mark.parametrize("case", ["3", "8"])
def test_a_case_that_is_named_on_its_own_always_runs(pytester: pytest.Pytester, case: str) -> None:
    done = run(pytester, "-k", f"test_number[{case}]")
    done.assert_outcomes(passed=1, deselected=9)
    done.stdout.fnmatch_lines(f"*test_number[[]{case}[]] PASSED*")
