"""dist/: whole, self-contained, and at home in a sub-folder of any static host."""

import ast
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import APIRequestContext, Page, Playwright

from e2e.guard import Guard
from tools.build import SUMS, python_sources
from tools.places import ROOT

ABSOLUTE = re.compile(r"""(?:href|src)=["']/|https?://(?!www\.w3\.org/)""")
# What the page's own runtime brings, not the standard library
RUNTIME = {"engine", "ui", "js", "pyodide", "pyscript", "pyodide_js"}
IMPORT_ALL = """async ([folder, archive, names]) => {
    const { loadPyodide } = await import(`${document.baseURI.split("#")[0]}${folder}pyodide.mjs`);
    const python = await loadPyodide();
    const app = await (await fetch(archive)).arrayBuffer();
    python.unpackArchive(app, "zip");
    python.globals.set("NAMES", python.toPy(names));
    return python.runPython(`
import importlib
failed = []
for name in NAMES:
    try:
        importlib.import_module(name)
    except Exception as error:
        failed.append(f"{name}: {error!r}")
"\\\\n".join(failed)`);
}"""


def sums(dist: Path) -> dict[str, str]:
    lines = (dist / SUMS).read_text("utf-8").splitlines()
    return {name: sha256 for sha256, name in (line.split("  ", 1) for line in lines)}


def imported(path: Path) -> Iterator[str]:
    """Every module a source names, also those imported inside a function."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def modules(*tops: str) -> set[str]:
    """Our own modules by their dotted names, without those that are programs."""
    parts = (path.relative_to(ROOT).with_suffix("").parts for path in python_sources())
    names = (part[:-1] if part[-1] == "__init__" else part for part in parts if part[0] in tops)
    return {".".join(name) for name in names if name[-1] != "__main__"}


def test_the_manifest_names_every_file(dist: Path) -> None:
    files = {path.relative_to(dist).as_posix() for path in dist.rglob("*") if path.is_file()}
    assert set(sums(dist)) == files - {SUMS}


def test_every_file_is_served_with_its_sum(dist: Path, site: str, playwright: Playwright) -> None:
    visitor: APIRequestContext = playwright.request.new_context(base_url=site)
    served = {name: hashlib.sha256(visitor.get(f"./{name}").body()).hexdigest() for name in sums(dist)}
    visitor.dispose()
    assert served == sums(dist)


def test_addresses_are_relative(dist: Path) -> None:
    ours = [*dist.glob("*.html"), *dist.glob("assets/*/*.css"), *dist.glob("assets/*.js")]
    found = {path.name: ABSOLUTE.findall(path.read_text("utf-8")) for path in ours}
    assert {name: hits for name, hits in found.items() if hits} == {}


def test_nothing_is_asked_of_another_host(open_app: Callable[[], Page], site: str, guard: Guard) -> None:
    open_app()
    asked = [address for address in guard.requests if address.startswith("http")]
    assert asked
    assert [address for address in asked if not address.startswith(site)] == []


def test_every_module_the_app_imports_is_in_the_slim_library(dist: Path, page: Page) -> None:
    named = {name for path in python_sources() for name in imported(path)}
    library = {name for name in named if name.split(".")[0] not in RUNTIME}
    assert {name.split(".")[0] for name in library} <= sys.stdlib_module_names
    made_of = json.loads((dist / "version.json").read_text("utf-8"))
    names = sorted(library | modules("engine"))
    page.goto("./")
    assert page.evaluate(IMPORT_ALL, [made_of["folders"]["pyodide"], made_of["app"], names]) == ""
