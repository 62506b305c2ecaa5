"""A fifth game that is not shipped, on the page of a copy of this project: at one device with a bot, and by link."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from e2e.conftest import NewContext, serve_with_endpoint, wait_until_ready
from e2e.rooms import Person, play_until, start_table
from tests.fifth_game import NAME, copy_with_fifth_game
from tools.paths import BUILD

LINK = f"#play={NAME}&seats=p,p,b2&seed=fifth"
BUILDER = "from tools import build; build.build_site()"


@pytest.fixture
def site_with_endpoint(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page with the fifth game, with an endpoint. `dist` has made what the build needs."""
    project = copy_with_fifth_game(tmp_path_factory.mktemp("fifth"))
    shutil.copytree(BUILD / "stamps", project / "build" / "stamps")
    subprocess.run([sys.executable, "-c", BUILDER], cwd=project, check=True)
    with serve_with_endpoint(project / "dist") as address:
        yield address


def test_the_fifth_game_is_played_at_one_device_with_a_bot_and_by_link(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    """This is one test, so that the page is built only once, also when several processes share the tests."""
    person = Person(new_context())
    person.page.goto(site_with_endpoint + LINK)
    wait_until_ready(person.page)
    expect(person.page.locator("#app")).to_have_attribute("data-game", NAME)
    play_until([person], person.sees_result)
    expect(person.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(6)  # three seats, three nights

    people = start_table(new_context, site_with_endpoint, LINK, 1)
    play_until(people, lambda: all(each.sees_result() for each in people))
    assert len({each.entry_count() for each in people}) == 1


def test_the_shipped_page_contains_nothing_of_the_fifth_game(dist: Path) -> None:
    names = [path.relative_to(dist).as_posix() for path in dist.rglob("*")]
    (app,) = dist.glob("app-*.zip")
    with zipfile.ZipFile(app) as archive:
        names += archive.namelist()
    assert "engine/razzia/rules.pyc" in names
    assert [name for name in names if NAME in name] == []
    assert NAME not in (dist / "index.html").read_text("utf-8")
