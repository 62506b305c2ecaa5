"""The pages for people who read before they run: the commands, files and links they name exist."""

from __future__ import annotations

import re
import shlex

import pytest

from engine import GAMES
from engine.cli.commands import parser
from tools.__main__ import COMMANDS
from tools.build import ENGLISH, texts_of
from tools.paths import ROOT
from ui.text.i18n import LANGUAGES

NAMES = (
    "README.md",
    "CONTRIBUTING.md",
    "signaling/README.md",
    "signaling/deploy/README.md",
    "docs/architecture.md",
    "docs/by-link.md",
    "docs/bots.md",
    "docs/browsers.md",
    "docs/glossary.md",
)
PAGES = {path: (ROOT / path).read_text("utf-8") for path in NAMES}
WHOLE = "\n".join(PAGES.values())


def test_every_engine_command_in_the_docs_exists() -> None:
    found = re.findall(r"python -m engine ([a-z][^`\n]*?)(?:  .*)?$", WHOLE, re.MULTILINE)
    commands = {"games", "play", "simulate", "arena", "replay", "verify"}
    assert {line.split()[0] for line in found} == commands
    assert set(re.findall(r"python -m engine ([a-z]+)", WHOLE)) == commands
    for line in found:
        assert parser().parse_args(shlex.split(line)).run


def test_every_make_target_in_the_docs_exists() -> None:
    named = set(re.findall(r"(?:    |`)make ([a-z]+)", WHOLE))
    assert named >= {"play", "test", "site"}
    assert named <= set(COMMANDS)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_named_in_the_docs_exists(page: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PAGES[page])
    paths = re.findall(r"`((?:engine|peer|ui|assets|tests|e2e|docs|bench|tools|signaling)/[\w./-]*)`", PAGES[page])
    folder = (ROOT / page).parent
    fetched = {"assets/vendor/"}
    assert [name for name in links if not (folder / name).exists()] == []
    assert [name for name in set(paths) - fetched if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_name_in_a_module_is_there(page: str) -> None:
    named = re.findall(r"`([\w.]+)` in `([\w/]+\.py)`", PAGES[page])
    paths = [(name.rpartition(".")[2], ROOT / path) for name, path in named if (ROOT / path).exists()]
    assert [(name, path) for name, path in paths if not re.search(rf"\b{name}\b", path.read_text("utf-8"))] == []
    assert page != "docs/architecture.md" or len(paths) > 5


def test_every_protocol_module_named_in_the_docs_exists() -> None:
    named = set(re.findall(r"`((?!e2e/)(?:\w+/)?\w+\.py)`", PAGES["docs/by-link.md"]))
    there = {path.relative_to(ROOT / "peer").as_posix() for path in (ROOT / "peer").rglob("*.py")}
    assert {"order/raft.py", "order/catchup.py"} <= named <= there


def test_the_page_of_browsers_names_every_test_of_the_engines() -> None:
    named = re.findall(r"^\| [^|]+ \| `(test_\w+)` \|", PAGES["docs/browsers.md"], re.MULTILINE)
    there = re.findall(r"^def (test_\w+)", (ROOT / "e2e" / "test_engines.py").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(there)


def test_readme_and_changelog_name_every_language() -> None:
    names = {"en": "English", "hu": "Hungarian", "fr": "French", "nl": "Dutch", "pl": "Polish"}
    for page in ("README.md", "CHANGELOG.md"):
        text = (ROOT / page).read_text("utf-8")
        assert [names[code] for code in LANGUAGES if names[code] not in text] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_that_names_its_designer_and_the_numbers_of_players(game: str) -> None:
    heading = (ROOT / "docs" / "rules" / f"{game}.md").read_text("utf-8").splitlines()[0]
    seats = GAMES.seats[game]
    assert heading.startswith(f"# `{game}`: ")
    assert texts_of(ENGLISH)[f"game.{game}.by"] in heading
    assert heading.endswith(f", {seats[0]}–{seats[-1]} players")
