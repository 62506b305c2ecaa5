"""The layout of the project, read from the sources: imports, kinds of exceptions, and how much one part reads of
another."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

from engine import GAMES
from engine.core import Nonsense, Refused
from tests.sources import tree_of
from tools.paths import ROOT

#: the packages whose sources are read
PARTS = ("engine", "peer", "ui", "signaling")
#: the link code in layers: a layer imports itself and those before it
LAYERS = ("crypto", "wire", "order", "game", "device", "channels", "table", "browser")
#: modules the browser provides
BROWSER = {"js", "pyodide", "pyodide_js", "pyscript", "micropip"}
#: the packages that may import them
IN_THE_BROWSER = ("peer.browser", "ui.browser", "ui.main")
#: what is awaited there and is no promise: Python's own objects, by their methods, and one coroutine
NO_PROMISES = {
    "asyncio",
    "micropip",
    "runner.offline",
    "self",
    "self._rooms",
    "self.crypto",
    "self.offline",
    "self.store",
    "self.table.pairing",
    "shelf",
    "store",
    "storing",
    "table.tokens",
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: a board may use these parts of the page, its own folder and the kit
FOR_BOARDS = ("ui.boards.kit", "ui.html", "ui.text")
#: and these parts of the engine, beside its own game
ENGINE_FOR_BOARDS = (
    "engine.core",
    "engine.options",
    "engine.notation",
    "engine.seats",
    "engine.session",
    "engine.values",
)
#: modules that read the input of other programs raise `Nonsense`, the others `Refused`, which a person reads; of two
#: names the longer one counts, and modules that are not listed do both
RAISES = {
    "engine": "Refused",
    "engine.strict_json": "Nonsense",
    "peer.crypto": "Nonsense",
    "peer.wire": "Nonsense",
    "peer.order": "Nonsense",
    "peer.device.border": "Nonsense",
    "peer.device.driver": "Nonsense",
    "peer.device.equivocation": "Nonsense",
    "peer.device.journal": "Nonsense",
    "peer.device.vote_changes": "Nonsense",
    "peer.channels": "Nonsense",
    "peer.channels.by_code": "Refused",
    "peer.channels.invite": "Refused",
    "peer.table.admission": "Nonsense",
    "peer.table.header": "Refused",
    "peer.table.joining": "Nonsense",
    "peer.table.pairing": "Refused",
    "peer.table.seating": "Refused",
    "ui": "Refused",
}
MOST_ATTRIBUTES = 7
#: parts that read more than that of the object they are given, and why; the numbers are exact
CLOSE_FRIENDS = {
    ("peer.order.raft.Raft", "Log"): (12, "the log is the data structure that Raft works on"),
    # functions of a module, taken together
    ("peer.table.telling", "Table"): (11, "the news are a summary of the whole table"),
    ("peer.table.commands", "Table"): (10, "every command of the page is passed to the part of the table it is for"),
    ("peer.game.pair", "State"): (10, "the state is the data on which entries are carried out"),
    ("signaling.server.Server", "Node"): (9, "the server is the sockets of a node, and calls its whole interface"),
    ("engine.records", "Session"): (9, "a record is the whole session as text"),
}


@dataclass(frozen=True)
class Import:
    """One imported module: `late` inside a function, `typed` only for the type checker."""

    module: str
    late: bool
    typed: bool


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> dict[str, ast.Module]:
    files = (path for top in PARTS for path in sorted((ROOT / top).rglob("*.py")))
    return {name_of(path): tree_of(path) for path in files}


def imports(tree: ast.AST, *, late: bool = False, typed: bool = False) -> Iterator[Import]:
    """Every module that is imported anywhere in a tree; `from package import module` names the module."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Import(names):
                yield from (Import(alias.name, late, typed) for alias in names)
            case ast.ImportFrom(module=str(package), names=names):
                for alias in names:
                    inside = f"{package}.{alias.name}"
                    yield Import(inside if inside in modules() else package, late, typed)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from imports(node, late=True, typed=typed)
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                yield from imports(node, late=late, typed=True)
            case ast.expr():
                pass  # there are no imports in it, and most of a source are expressions
            case _:
                yield from imports(node, late=late, typed=typed)


@cache
def edges() -> frozenset[tuple[str, Import]]:
    return frozenset((name, found) for name, tree in modules().items() for found in imports(tree))


def under(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def pairs(importer: str) -> list[tuple[str, str]]:
    return sorted({(name, found.module) for name, found in edges() if under(name, importer)})


def test_the_search_for_imports_finds_every_kind_of_import() -> None:
    found = {found for name, found in edges() if name == "ui.browser.runner"}
    assert Import("ui.boards", late=False, typed=False) in found
    assert Import("peer.browser.rooms", late=True, typed=False) in found
    assert Import("ui.messages", late=False, typed=True) in {found for name, found in edges() if name == "ui.model"}


def foreign(importer: str) -> list[tuple[str, str]]:
    """Returns the imports of a package that are neither its own modules nor the standard library's."""
    return [pair for pair in pairs(importer) if not under(pair[1], importer, *sys.stdlib_module_names)]


def test_the_engine_imports_only_the_standard_library() -> None:
    assert pairs("engine")
    assert foreign("engine") == []


def test_the_endpoint_imports_its_two_libraries_and_little_of_the_engine() -> None:
    found = {module for _, module in foreign("signaling")}
    assert {module for module in found if not under(module, "websockets", "redis")} == {
        "engine.core",
        "engine.strict_json",
    }


def test_the_peer_package_imports_only_the_engine() -> None:
    assert [pair for pair in pairs("peer") if under(pair[1], "ui", "tools")] == []


def layer(module: str) -> int:
    """Returns the module's place in the layers; modules of `peer` itself are below all of them."""
    name, _, rest = module.partition(".")[2].partition(".")
    return LAYERS.index(name) if name in LAYERS or rest else -1


def test_a_package_of_a_layer_is_in_that_layer_itself() -> None:
    """Regression test: `from peer.table import name` was allowed everywhere, because `peer.table` had no layer."""
    assert layer("peer.table") == layer("peer.table.table") == LAYERS.index("table")
    assert layer("peer.timeout") == layer("peer") == -1


def test_every_layer_of_the_peer_package_imports_only_lower_layers() -> None:
    inside = [pair for pair in pairs("peer") if under(pair[1], "peer")]
    assert inside
    assert [(name, found) for name, found in inside if layer(found) > layer(name)] == []


def test_views_do_not_import_update_functions_or_the_browser() -> None:
    assert [pair for pair in pairs("ui.view") if under(pair[1], "ui.update", "ui.loop", "ui.browser")] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_board_imports_only_its_own_game_and_the_kit(game: str) -> None:
    own = (f"engine.{game}", f"ui.boards.{game}")
    ours = [pair for pair in pairs(f"ui.boards.{game}") if under(pair[1], "engine", "peer", "ui")]
    allowed = (*own, *FOR_BOARDS, *ENGINE_FOR_BOARDS)
    assert ours
    assert [pair for pair in ours if pair[1] != "ui.boards" and not under(pair[1], *allowed)] == []


def test_the_kit_of_the_boards_imports_no_game() -> None:
    games = [f"{package}.{game}" for package in ("engine", "ui.boards") for game in GAMES]
    assert pairs("ui.boards.kit")
    assert [pair for pair in pairs("ui.boards.kit") if under(pair[1], *games)] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_no_other_game(game: str) -> None:
    others = [f"engine.{name}" for name in GAMES if name != game]
    assert [pair for pair in pairs(f"engine.{game}") if under(pair[1], *others)] == []


def test_only_the_browser_packages_import_browser_modules() -> None:
    found = [pair for top in PARTS for pair in pairs(top) if under(pair[1], *BROWSER)]
    assert found
    assert [pair for pair in found if not under(pair[0], *IN_THE_BROWSER)] == []


def awaited() -> Iterator[tuple[str, str]]:
    """Yields each module of the browser packages with the owner of what it awaits: "self" for `await self.open()`, the
    function itself for `await fetch(…)`, and the whole expression if it is no call."""
    for name, tree in modules().items():
        if under(name, *IN_THE_BROWSER):
            for node in ast.walk(tree):
                match node:
                    case ast.Await(ast.Call(ast.Attribute(owner))):
                        yield name, ast.unparse(owner)
                    case ast.Await(ast.Call(function)):
                        yield name, ast.unparse(function)
                    case ast.Await(value):
                        yield name, ast.unparse(value)


def from_the_browser(module: str) -> set[str]:
    """Returns the names that a module imports from the browser."""
    found = (node for node in ast.walk(modules()[module]) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in found if under(node.module or "", *BROWSER) for alias in node.names}


def test_promises_of_the_browser_are_awaited_in_one_place() -> None:
    """Regression test: WebKit rejects promises with errors that Pyodide cannot raise, and a plain `await` of one never
    ended. `settled` in peer/browser/promises.py awaits them safely."""
    found = set(awaited())
    assert ("peer.browser.promises", "settle") in found
    functions = {node.name for tree in modules().values() for node in ast.walk(tree) if isinstance(node, FUNCTIONS)}
    outside = {
        (name, owner)
        for name, owner in found
        if name != "peer.browser.promises"
        and owner not in NO_PROMISES
        and (owner not in functions or owner in from_the_browser(name))
    }
    assert outside == set()
    assert {owner for _, owner in found} >= NO_PROMISES


def cycles() -> list[list[str]]:
    """Groups of modules that import each other when they are loaded."""
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for name, found in edges():
        if not found.late and not found.typed and found.module in graph and found.module != name:
            graph[name].add(found.module)
    reach = {name: _reached(graph, name) for name in graph}
    groups = {frozenset({name} | {other for other in reach[name] if name in reach[other]}) for name in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        for name in graph[left.pop()] - found:
            found.add(name)
            left.append(name)
    return found


def test_no_modules_import_each_other_in_a_cycle() -> None:
    assert cycles() == []


# `Refused` is for people, `Nonsense` for strangers


@cache
def exceptions() -> dict[str, str]:
    """The names of the two exceptions and of all their subclasses; for each the one of the two that it is."""
    found = {"Refused": "Refused", "Nonsense": "Nonsense"}
    classes = [node for tree in modules().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while new := {
        node.name: found[base.id]
        for node in classes
        for base in node.bases
        if node.name not in found and isinstance(base, ast.Name) and base.id in found
    }:
        found |= new
    return found


def made() -> Iterator[tuple[str, str]]:
    """Yields which of the two exceptions, or of their subclasses, each module makes: (module, which of the two)."""
    for name, tree in modules().items():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(exception)) if exception in exceptions():
                    yield name, exceptions()[exception]


def test_subclasses_of_the_two_exceptions_are_found() -> None:
    assert exceptions()["HistoriesDiffer"] == "Nonsense"
    assert exceptions()["Damaged"] == "Refused"


def test_each_package_raises_only_its_kind_of_exception() -> None:
    rules = {
        (name, found): max((one for one in RAISES if under(name, one)), key=len, default="") for name, found in made()
    }
    assert set(rules.values()) == {*RAISES, ""}
    assert {(name, found) for (name, found), rule in rules.items() if rule and RAISES[rule] != found} == set()


def test_nonsense_and_refused_are_not_subclasses_of_each_other() -> None:
    assert not issubclass(Nonsense, Refused)
    assert not issubclass(Refused, Nonsense)


# A part that was cut off from a class must stand alone


def friendships() -> dict[tuple[str, str], set[str]]:
    """For each class and each class of its package that its constructor takes: the attributes it reads of that.

    The same for the functions of a module, taken together, whose first parameter is such a class of another module.
    Functions that read a value (a dataclass or a named tuple) are not counted: reading it is what values are for.
    """
    found: dict[tuple[str, str], set[str]] = {}
    for name, tree in modules().items():
        package = name.rpartition(".")[0]
        theirs = {node.name: node for other, body in modules().items() if other.rpartition(".")[0] == package
                  for node in body.body if isinstance(node, ast.ClassDef)}  # fmt: skip
        objects = {kind for kind, node in theirs.items() if not _is_value(node) and node not in tree.body}
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                for argument, kind in _taken(node, theirs):
                    found[f"{name}.{node.name}", kind] = _read(node, argument)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for argument, kind in _taken_first(node, objects):
                    found.setdefault((name, kind), set()).update(_read(node, argument))
    return found


def _is_value(node: ast.ClassDef) -> bool:
    names = (getattr(part.func if isinstance(part, ast.Call) else part, "id", "") for part in
             (*node.decorator_list, *node.bases))  # fmt: skip
    return not {"dataclass", "NamedTuple"}.isdisjoint(names)


def _taken_first(node: ast.FunctionDef | ast.AsyncFunctionDef, theirs: Collection[str]) -> Iterator[tuple[str, str]]:
    for argument in (*node.args.posonlyargs, *node.args.args)[:1]:
        kind = argument.annotation
        if isinstance(kind, ast.Name) and kind.id in theirs:
            yield argument.arg, kind.id


def _taken(node: ast.ClassDef, theirs: Collection[str]) -> Iterator[tuple[str, str]]:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            for argument in part.args.args:
                kind = argument.annotation
                if isinstance(kind, ast.Name) and kind.id in theirs:
                    yield argument.arg, kind.id


def _read(node: ast.AST, argument: str) -> set[str]:
    """Attributes read through the argument itself, the attribute it is kept in, or a local name for that."""
    attributes = {target.attr for target, value in _assigned(node) if _names(value, {argument}) and _of_self(target)}
    names = {argument}
    for target, value in _assigned(node):
        if isinstance(target, ast.Name) and _of_self(value) and value.attr in attributes:
            names.add(target.id)
    return {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and (_names(part.value, names) or (_of_self(part.value) and part.value.attr in attributes))
    }


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Every pair of target and value that is assigned in a class or function, tuples taken apart."""
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            for target in part.targets:
                if isinstance(target, ast.Tuple) and isinstance(part.value, ast.Tuple):
                    yield from zip(target.elts, part.value.elts, strict=True)
                else:
                    yield target, part.value


def _names(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _of_self(node: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and _names(node.value, {"self"})


def test_a_part_reads_at_most_seven_attributes_of_the_object_it_is_given() -> None:
    found = {pair: len(read) for pair, read in friendships().items() if len(read) > MOST_ATTRIBUTES}
    assert found == {pair: count for pair, (count, _) in CLOSE_FRIENDS.items()}


def test_attributes_read_through_a_local_name_are_counted() -> None:
    source = """
class Part:
    def __init__(self, whole: Whole) -> None:
        self.kept, self.other = whole, 1
        whole.one()

    def work(self) -> int:
        table = self.kept
        return table.two + self.kept.three
"""
    part = ast.parse(source).body[0]
    assert isinstance(part, ast.ClassDef)
    assert list(_taken(part, {"Whole"})) == [("whole", "Whole")]
    assert _read(part, "whole") == {"one", "two", "three"}


def test_functions_that_take_an_object_are_counted_but_not_those_of_a_value() -> None:
    source = """
def work(whole: Whole, other: Value) -> int:
    return whole.one + other.two

@dataclass(frozen=True)
class Value: ...

class Row(NamedTuple): ...

class Whole: ...
"""
    work, *kinds = ast.parse(source).body
    assert isinstance(work, ast.FunctionDef)
    assert list(_taken_first(work, {"Whole", "Value"})) == [("whole", "Whole")]
    assert _read(work, "whole") == {"one"}
    assert [_is_value(kind) for kind in kinds if isinstance(kind, ast.ClassDef)] == [True, True, False]
    assert ("peer.device.vote_changes", "Device") in friendships()
