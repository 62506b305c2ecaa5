"""All style sheets apply to one page: none may style the elements of another screen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import pytest

from engine import GAMES
from tests.sources import tree_of
from tests.ui.boards.games import all_nodes, context, played
from tools.paths import ROOT
from ui.boards import board
from ui.html.tree import TAGS, Node

STYLE = ROOT / "assets" / "style"
SHARED = ("first", "base", "table", "kit")
SHEETS = sorted(path.stem for path in STYLE.glob("*.css") if path.stem not in SHARED)
#: shared containers of boards and dialogs; a sheet may style them for its own screen
CONTAINERS = {"felt", "prose", "dlg", "bar"}
#: parameters of drawing functions whose values are class names
CLASS_PARAMETERS = ("kind", "extra", "state")
#: classes of index.html
IN_THE_PAGE = {"noscript"}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
#: what stands before a brace: the selectors of a rule, or an at-rule
HEAD = re.compile(r"([^{};]*)([{}])")


@cache
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


def test_every_class_of_a_sheet_is_drawn_and_a_global_one_only_on_its_own_screen() -> None:
    """Regression: the style for a note in a room hid the notes in a bar.

    This is one test, because it draws all boards, and that takes long.
    """
    used = named_classes(ROOT.glob("ui/**/*.py")).union(IN_THE_PAGE, *map(drawn_classes, GAMES))
    assert {sheet: sorted(styled_classes(sheet) - used) for sheet in (*SHARED, *SHEETS)} == {
        sheet: [] for sheet in (*SHARED, *SHEETS)
    }
    assert "against" in drawn_classes("bars")  # no tag and no argument in the sources names it
    screens = {screen: classes(screen) for screen in SHEETS}
    found = {(sheet, screen): global_classes(sheet) & screens[screen] for sheet, screen in permutations(SHEETS, 2)}
    assert {pair: names for pair, names in found.items() if names} == {}


def classes(screen: str) -> set[str]:
    """Returns the class names in the code that draws a screen, and in what it draws."""
    places = (f"ui/boards/{screen}/*.py", f"ui/view/{screen}.py", f"ui/view/{screen}/*.py")
    named = named_classes(path for place in places for path in ROOT.glob(place))
    return named | drawn_classes(screen) if screen in GAMES else named


@cache
def drawn_classes(game: str) -> set[str]:
    """Returns the class names in what a board draws in random games, with everything that can be opened or picked."""
    drawn = board(game)
    found: set[str] = set()
    opened: set[tuple[str, str, str]] = set()
    for seats in (GAMES.seats[game][0], GAMES.seats[game][-1]):
        for session in played(game, seats, seats):
            shown = [*all_nodes(drawn.felt(context(session)))]
            found |= classes_in(shown)
            for do, what in controls(shown):
                # every question, with what each of its controls opens or picks; families of seats count as one
                if (new := (session.question.key, do, re.sub(r"\d+", "", what))) not in opened:
                    opened.add(new)
                    changed = context(session, picked=what) if do == "pick" else context(session, unfolded=what)
                    found |= classes_in(all_nodes(drawn.felt(changed)))
        found |= classes_in(node for tree in drawn.result(context(session)) for node in all_nodes(tree))
    return found


def controls(nodes: Iterable[Node]) -> list[tuple[str, str]]:
    """Returns the controls among the nodes that pick or unfold something, with what they pick or unfold."""
    attrs = (node.attrs for node in nodes if "data-do" in node.attrs)
    return [(each["data-do"], each["data-arg"]) for each in attrs if each["data-do"] in ("pick", "unfold")]


def classes_in(nodes: Iterable[Node]) -> set[str]:
    written = {node.attrs["class"] for node in nodes if "class" in node.attrs}
    return {name for names in written for name in names.split()}


def named_classes(files: Iterable[Path]) -> set[str]:
    return set().union(*map(classes_named_in, files))


@cache
def classes_named_in(path: Path) -> frozenset[str]:
    """Returns the class names that code names: in tags ("div.a.b"), as `"class"` of an element, or as an argument for
    one of the `CLASS_PARAMETERS`."""
    found: set[str] = set()
    for function in ast.walk(tree_of(path)):
        if isinstance(function, ast.FunctionDef):
            words = (word for value in class_values(function) for word in words_of(value, function))
            found.update(word for word in words if not word.endswith("-"))
        elif isinstance(function, ast.Constant) and isinstance(function.value, str):
            tag, *names = function.value.split(".")
            found.update(names if tag in TAGS else [])
    return frozenset(found)


def class_values(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yields the expressions in a function that are class names."""
    for node in ast.walk(function):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "class":
                    yield value
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            yield from (node.args[n] for n in class_positions().get(name, ()) if n < len(node.args))
            yield from (word.value for word in node.keywords if word.arg in CLASS_PARAMETERS)


@cache
def class_positions() -> dict[str, list[int]]:
    """Returns the positions of the `CLASS_PARAMETERS` by the name of each function that has any."""
    found = {}
    for path in ROOT.glob("ui/**/*.py"):
        for function in ast.walk(tree_of(path)):
            if isinstance(function, ast.FunctionDef):
                names = [each.arg for each in function.args.args if each.arg != "self"]
                found[function.name] = [n for n, name in enumerate(names) if name in CLASS_PARAMETERS]
    return {name: places for name, places in found.items() if places}


def words_of(value: ast.AST, function: ast.FunctionDef) -> Iterator[str]:
    """Yields the words of the strings that an expression may become; the value of a variable is what it is set to."""
    if isinstance(value, ast.Constant):
        yield from value.value.split() if isinstance(value.value, str) else ()
    elif isinstance(value, ast.Name):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == value.id for t in node.targets):
                yield from words_of(node.value, function)
    else:
        parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else ast.iter_child_nodes(value)
        for part in parts:
            yield from words_of(part, function)


def test_classes_given_to_functions_of_the_kit_are_seen() -> None:
    """Regression: only names in tags were seen, so two boards could style one class."""
    drawing = [ROOT / "ui" / "boards" / "thieves" / "sheets.py", ROOT / "ui" / "html" / "parts.py"]
    assert {"bust", "splash", "dark", "verdict"} <= named_classes(drawing)


def styled_classes(sheet: str) -> set[str]:
    return {name for one in selectors(sheet) for name in re.findall(r"\.([a-zA-Z][\w-]*)", one)}


@pytest.mark.parametrize("sheet", [*SHARED, *SHEETS])
def test_user_select_has_the_prefix_that_safari_needs(sheet: str) -> None:
    text = (STYLE / f"{sheet}.css").read_text("utf-8")
    assert re.findall(r"-webkit-user-select: (\w+)", text) == re.findall(r"(?<!-)user-select: (\w+)", text)


def test_no_class_name_ends_in_a_digit() -> None:
    """A name with a number says that another screen has a class of that name: nest the rule below its own screen."""
    named = named_classes(ROOT.glob("ui/**/*.py")).union(*map(styled_classes, (*SHARED, *SHEETS)))
    assert [name for name in sorted(named) if name[-1].isdigit()] == []


def test_names_of_keyframes_are_unique() -> None:
    """Regression: two sheets had @keyframes of one name, so the dice of a bar moved like the cubes of another game."""
    sheets = (*SHARED, *SHEETS)
    found = [
        name
        for one in sheets
        for name in re.findall(r"@keyframes\s+([\w-]+)", (STYLE / f"{one}.css").read_text("utf-8"))
    ]
    assert sorted(set(found)) == sorted(found)
