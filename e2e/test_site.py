"""The built site in dist/: complete, self-contained, and usable in a sub-folder of any static host."""

import ast
import hashlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import APIRequestContext, Page, Playwright, expect

from e2e.conftest import wait_until_ready
from e2e.features import HAS, documented_features, documented_version
from e2e.guard import Guard
from e2e.refusals import AWAIT_REFUSALS, MAKE_REFUSERS, RUN_PROGRAM, check_refusals
from tools.build import SUMS, python_sources
from tools.paths import ROOT

ABSOLUTE = re.compile(r"""(?:href|src)=["']/|https?://(?!www\.w3\.org/)""")
# Modules of the slim library that only third-party packages use: they can be imported once the rest of it is loaded
WANTS_MORE = ("compression.gzip", "concurrent.futures.thread", "encodings.idna", "importlib.metadata", "urllib.request")
# PyScript's own modules can be imported only where PyScript runs
WITH_PYSCRIPT = "pyscript"
# Top-level packages on the page besides the standard library; micropip is a wheel that is loaded when it is needed
RUNTIME = {"engine", "peer", "ui", "js", "pyodide", "pyscript", "pyodide_js", "micropip"}
IMPORT_ALL = """
import importlib
failed = []
for name in NAMES:
    try:
        importlib.import_module(name)
    except Exception as error:
        failed.append(f"{name}: {error!r}")
"\\n".join(failed)
"""
FAIL_INSIDE_THE_LIBRARY = """
import json, traceback, warnings
try:
    json.loads("{")
except ValueError as error:
    told = "".join(traceback.format_exception(error))
warnings.warn("heard")
told
"""
INSTALL = """
from pyodide_js import loadPackage
await loadPackage("micropip")
import micropip
await micropip.install(NAMES[0])
import probe
f"{probe.FOUND} {micropip.list()['probe'].version}"
"""


def wheel() -> bytes:
    """Returns the smallest possible wheel."""
    members = {
        "probe.py": "FOUND = 'found'\n",
        "probe-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: probe\nVersion: 1.5\n",
        "probe-1.5.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "probe-1.5.dist-info/RECORD": "",
    }
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return whole.getvalue()


def sums(dist: Path) -> dict[str, str]:
    lines = (dist / SUMS).read_text("utf-8").splitlines()
    return {name: sha256 for sha256, name in (line.split("  ", 1) for line in lines)}


def imported_modules(path: Path) -> Iterator[str]:
    """Yields every module that a source imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def own_modules(*tops: str) -> set[str]:
    """Returns the dotted names of our own modules without programs (`__main__`)."""
    parts = (path.relative_to(ROOT).with_suffix("").parts for path in python_sources())
    names = (part[:-1] if part[-1] == "__init__" else part for part in parts if part[0] in tops)
    return {".".join(name) for name in names if name[-1] != "__main__"}


def test_the_checksums_name_every_file(dist: Path) -> None:
    files = {path.relative_to(dist).as_posix() for path in dist.rglob("*") if path.is_file()}
    assert set(sums(dist)) == files - {SUMS}


def test_every_served_file_has_its_checksum(dist: Path, site: str, playwright: Playwright) -> None:
    visitor: APIRequestContext = playwright.request.new_context(base_url=site)
    served = {name: hashlib.sha256(visitor.get(f"./{name}").body()).hexdigest() for name in sums(dist)}
    visitor.dispose()
    assert served == sums(dist)


def test_addresses_are_relative(dist: Path) -> None:
    ours = [*dist.glob("*.html"), *dist.glob("assets/*/*.css"), *dist.glob("assets/*.js")]
    found = {path.name: ABSOLUTE.findall(path.read_text("utf-8")) for path in ours}
    assert {name: hits for name, hits in found.items() if hits} == {}


def test_no_request_goes_to_another_host(open_app: Callable[[], Page], site: str, guard: Guard) -> None:
    open_app()
    asked = [address for address in guard.requests if address.startswith("http")]
    assert asked
    assert [address for address in asked if not address.startswith(site)] == []


@pytest.fixture
def run(dist: Path, page: Page) -> Callable[[str, list[str]], str]:
    """Returns a function that runs a program in a Python of its own, under the page's policy and with the app unpacked.

    The program gets its second argument as NAMES.
    """
    made_of = json.loads((dist / "version.json").read_text("utf-8"))

    def go(program: str, names: list[str]) -> str:
        page.goto("./")
        return str(page.evaluate(RUN_PROGRAM, [made_of["folders"]["pyodide"], made_of["app"], names, program]))

    return go


def test_chromium_has_what_the_documentation_says(page: Page, guard: Guard) -> None:
    guard.expect("data-that-is-refused")
    found = page.context.browser
    assert found
    if not found.version.startswith(f"{documented_version('Chromium')}."):
        pytest.skip(f"docs/browsers.md describes Chromium {documented_version('Chromium')}, this is {found.version}")
    page.goto("./")
    assert set(page.evaluate(HAS)) == documented_features("Chromium")


def test_refused_promises_end(run: Callable[[str, list[str]], str], page: Page, guard: Guard) -> None:
    """Regression test: WebKit refuses requests with errors without a stack, and whatever awaited them never ended."""
    guard.expect("Failed to load|404|no-such-host:")
    page.add_init_script(f"({MAKE_REFUSERS})()")
    check_refusals(json.loads(run(AWAIT_REFUSALS, [])))


def test_every_module_the_app_imports_is_in_the_slim_library(run: Callable[[str, list[str]], str]) -> None:
    named = {name for path in python_sources() for name in imported_modules(path)}
    library = {name for name in named if name.split(".")[0] not in RUNTIME}
    assert {name.split(".")[0] for name in library} <= sys.stdlib_module_names
    assert run(IMPORT_ALL, sorted(library | own_modules("engine", "peer", "ui"))) == ""


def test_every_module_of_the_slim_library_can_be_imported(dist: Path, run: Callable[[str, list[str]], str]) -> None:
    archive = next(dist.glob("assets/vendor/pyodide-*/python_stdlib.zip"))
    with zipfile.ZipFile(archive) as library:
        names = [name.removesuffix(".pyc") for name in library.namelist() if name.endswith(".pyc")]
    dotted = sorted(name.removesuffix("/__init__").replace("/", ".") for name in names)
    wanted = [name for name in dotted if not name.startswith((*WANTS_MORE, WITH_PYSCRIPT))]
    assert wanted
    assert run(IMPORT_ALL, wanted) == ""


def test_modules_of_pyscript_are_shipped_compiled(page: Page, dist: Path) -> None:
    """Python finds them in the library before the sources that PyScript writes beside the page."""
    html, first = (dist / "index.html").read_text("utf-8"), "import sys, traceback\n"
    told = "import pyscript, js; js.document.documentElement.dataset.pyscript = pyscript.context.__file__\n"
    assert html.count(first) == 1
    page.route("./", lambda route: route.fulfill(body=html.replace(first, first + told), content_type="text/html"))
    page.goto("./")
    wait_until_ready(page)
    expect(page.locator("html")).to_have_attribute("data-pyscript", "/lib/python314.zip/pyscript/context.pyc")


def test_a_traceback_through_the_library_names_its_functions(
    run: Callable[[str, list[str]], str],
) -> None:
    told = run(FAIL_INSIDE_THE_LIBRARY, [])
    assert "json.decoder.JSONDecodeError: Expecting property name" in told
    assert re.findall(r'File "json/(.*)", line [1-9]\d*, in (\w+)', told) == [
        ("__init__.py", "loads"),
        ("decoder.py", "decode"),
        ("decoder.py", "raw_decode"),
    ]


def test_installing_a_package_loads_the_rest_of_the_library(
    page: Page, site: str, run: Callable[[str, list[str]], str]
) -> None:
    address = "probe-1.5-py3-none-any.whl"
    page.route(f"**/{address}", lambda route: route.fulfill(body=wheel(), content_type="application/zip"))
    assert run(INSTALL, [f"{site}{address}"]) == "found 1.5"
