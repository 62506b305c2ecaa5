"""The drawings of all files are in one page: their ids differ, and they contain only what a view may draw."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine import GAMES
from tests.ui.boards.games import all_nodes, context, played
from tools import icons
from tools.paths import ROOT
from ui.boards import board
from ui.html.parts import drawings_file, icon, symbol
from ui.html.tree import TAGS, Node, allowed

DRAWINGS = [path for path in sorted((ROOT / "assets" / "art").glob("*.svg")) if "<symbol" in path.read_text("utf-8")]


@cache
def drawn_ids(address: str) -> set[str]:
    """Returns the ids of the symbols in the file with this address."""
    if address == "assets/vendor/icons.svg":  # the build makes it
        wanted = icons.names(icons.WANTED.read_text("utf-8"))
        return set(symbol_ids(icons.sheet(wanted, {"icons": {name: {"body": ""} for name in wanted}})))
    return set(symbol_ids((ROOT / address).read_text("utf-8")))


def symbol_ids(text: str) -> list[str]:
    return re.findall(r'<symbol id="([^"]+)"', text)


def shown_symbols(node: Node) -> list[str]:
    return [each.attrs["href"] for each in all_nodes(node) if each.tag == "use"]


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: path.stem)
def test_ids_begin_with_the_name_of_their_file_and_differ(path: Path) -> None:
    ids = [each.attrib["id"] for each in ElementTree.parse(path).iter() if "id" in each.attrib]
    assert symbol_ids(path.read_text("utf-8"))
    assert [name for name in ids if not name.startswith(f"{path.stem}/")] == []
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: path.stem)
def test_drawings_contain_only_what_a_view_may_draw(path: Path) -> None:
    """No style, for example: the page's policy refuses it, and a style sheet would apply to the whole page."""
    for element in ElementTree.parse(path).iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in TAGS
        assert [name for name, value in element.attrib.items() if not allowed(name, value)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_symbol_that_a_board_shows_is_drawn(game: str) -> None:
    shown: set[str] = set()
    for session in played(game, GAMES.seats[game][0], 1):
        shown.update(shown_symbols(board(game).felt(context(session))))
    assert shown
    assert [href for href in sorted(shown) if href.removeprefix("#") not in drawn_ids(drawings_file(href))] == []


def test_a_symbol_is_found_in_the_file_that_its_name_begins_with() -> None:
    assert [*map(drawings_file, shown_symbols(symbol("ring")))] == ["assets/art/sprite.svg"]
    assert [*map(drawings_file, shown_symbols(symbol("thieves/lock")))] == ["assets/art/thieves.svg"]
    assert [*map(drawings_file, shown_symbols(icon("lion")))] == ["assets/vendor/icons.svg"]
