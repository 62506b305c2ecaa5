"""Everything that is fetched is named by version and hash, but not by host; no file contains a path of the machine it
was made on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.paths import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^[\w.\[\]-]+==\S+( ;.*)? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}( \\)?$")
EXACT = re.compile(r"^\d+\.\d+\.\d+$")
# Written with brackets so that the patterns do not match this file
HOSTS = re.compile(r"p[y]pi\.o|python[h]osted|n[p]mjs\.|registry\.n[p]m|deb\.d[e]b|--[i]ndex-url|--find-l[i]nks")
MACHINE = re.compile(r"/w[o]rk/|/r[o]ot/|/U[s]ers/|/h[o]me/(?!pyodide\b|web_user\b)")
BINARY = {".png", ".ico", ".woff2", ".gz", ".zip", ".wasm", ".whl", ".mo", ".ogg"}


def project_files() -> Iterator[Path]:
    """Yields every file of the project except those that .gitignore names."""
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split()} | {".git"}
    for top in ROOT.iterdir():
        if top.name not in ignored:
            yield from (path for path in ([top] if top.is_file() else top.rglob("*")) if is_checked(path, ignored))


def is_checked(path: Path, ignored: set[str]) -> bool:
    parts = path.relative_to(ROOT).parts
    folders = {"/".join(parts[: depth + 1]) for depth in range(len(parts))} | set(parts)
    return path.is_file() and path.suffix not in BINARY and not folders & ignored


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_python_package_has_a_version_and_hashes(lock: Path) -> None:
    lines = [line for line in lock.read_text("utf-8").splitlines() if not line.lstrip().startswith("#")]
    pins = [line for line in lines if not line.startswith(" ")]
    assert pins
    assert [line for line in pins if not PIN.match(line)] == []
    assert [line for line in lines if line.startswith(" ") and not HASH.match(line)] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_python_lock_has_its_source(lock: Path) -> None:
    assert lock.with_suffix(".in").is_file()


def test_every_npm_package_has_a_version_and_an_integrity() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages
    assert [name for name, entry in packages.items() if not entry.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, entry in packages.items() if "resolved" in entry] == []


def test_npm_packages_are_required_by_exact_version() -> None:
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    assert [name for name, version in package["dependencies"].items() if not EXACT.match(version)] == []


def test_no_file_names_a_registry_or_a_machine() -> None:
    found = {}
    for path in project_files():
        text = path.read_text("utf-8")
        if hits := [*HOSTS.findall(text), *MACHINE.findall(text)]:
            found[path.relative_to(ROOT).as_posix()] = hits
    assert found == {}


def test_the_search_reads_this_file_and_finds_registries_and_paths() -> None:
    assert Path(__file__).resolve() in set(project_files())
    assert HOSTS.search("https://p" + "ypi.org/simple")
    assert MACHINE.search("/ro" + "ot/project")
