"""All style sheets apply to one page: none may style the elements of another screen."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from tools.paths import ROOT

STYLE = ROOT / "assets" / "style"
SHARED = ("first", "base", "table", "kit")
SHEETS = sorted(path.stem for path in STYLE.glob("*.css") if path.stem not in SHARED)
#: shared containers of boards and dialogs; a sheet may style them for its own screen
CONTAINERS = {"felt", "prose", "dlg", "bar"}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
#: what stands before a brace: the selectors of a rule, or an at-rule
HEAD = re.compile(r"([^{};]*)([{}])")


def selectors(sheet: str) -> list[str]:
    """Returns all selectors of a sheet, nested ones with the selectors they stand in."""
    found: list[str] = []
    outer: list[list[str]] = [[""]]
    for head, brace in HEAD.findall(COMMENT.sub("", (STYLE / f"{sheet}.css").read_text("utf-8"))):
        if brace == "}":
            outer.pop()
        elif head.strip().startswith("@"):
            outer.append(outer[-1])
        else:
            own = [one.strip() for one in re.split(r",(?![^(]*\))", head)]
            outer.append([f"{before} {one}".strip() for before in outer[-1] for one in own])
            found += outer[-1]
    return found


def test_nested_selectors_are_found_with_what_they_stand_in() -> None:
    assert ".razzia .seat > .emb" in selectors("razzia")


def global_classes(sheet: str) -> set[str]:
    """Returns the class names that the sheet styles everywhere, not only on its own screen."""
    global_selectors = (one for one in selectors(sheet) if not re.search(rf"\.{sheet}\b", one))
    return {match[1] for one in global_selectors if (match := re.match(r"\.([\w-]+)", one))} - CONTAINERS


@pytest.mark.parametrize(("one", "other"), list(combinations(SHEETS, 2)))
def test_no_two_sheets_style_the_same_class_globally(one: str, other: str) -> None:
    assert global_classes(one) & global_classes(other) == set()


@pytest.mark.parametrize("sheet", SHEETS)
def test_global_classes_of_a_sheet_are_not_used_by_other_screens(sheet: str) -> None:
    """Regression: the style for a note in a room hid the notes in a bar."""
    drawn = {name: classes(name) for name in SHEETS if name != sheet}
    assert {name: found for name, theirs in drawn.items() if (found := global_classes(sheet) & theirs)} == {}


def classes(screen: str) -> set[str]:
    """Returns the class names in the code that draws a screen."""
    places = (f"ui/boards/{screen}/*.py", f"ui/view/{screen}.py", f"ui/view/{screen}/*.py")
    files = [path for place in places for path in ROOT.glob(place)]
    heads = (re.findall(r'"[a-z]*[a-z0-9]((?:\.[\w-]+)+)"', path.read_text("utf-8")) for path in files)
    return {name for head in heads for part in head for name in part.split(".") if name}


def test_names_of_keyframes_are_unique() -> None:
    """Regression: two sheets had @keyframes of one name, so the dice of a bar moved like the cubes of another game."""
    sheets = (*SHARED, *SHEETS)
    found = [
        name
        for one in sheets
        for name in re.findall(r"@keyframes\s+([\w-]+)", (STYLE / f"{one}.css").read_text("utf-8"))
    ]
    assert sorted(set(found)) == sorted(found)
