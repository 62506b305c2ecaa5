"""dist/: the site as any static host can serve it, in any sub-folder. There is no other way to build it."""

import hashlib
import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import polib

from tools import icons, page, vendor
from tools.places import BUILD, DIST, ROOT, VENDOR, alone, say, write
from tools.stamp import digest

SOURCES = ("engine", "ui")
# For the command line only
NOT_FOR_THE_PAGE = ("engine/__main__.py", "engine/arena.py", "engine/terminal.py")
PAGE = ("index.html", "pyscript.toml")
CARRIED = ("LICENSE", "NOTICE", "manifest.webmanifest")
# Read by the build, or inlined, and so not served
NOT_SERVED = {".po", ".pot", ".md", ".txt"}
INLINED = "assets/style/first.css"
# What carries a hash of its content in its name: may be cached for ever, and no cache can mix two versions
HASHED = ("assets/vendor/pyodide/", "assets/vendor/pyscript/")
APP = "app.zip"
SUMS = "SHA256SUMS"


def app_version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return str(project["project"]["version"])


def commit() -> str | None:
    """The commit the site is built from, when there is one to name."""
    git = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(git, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def python_sources() -> list[Path]:
    found = (path for folder in SOURCES for path in (ROOT / folder).rglob("*.py"))
    unwanted = {ROOT / name for name in NOT_FOR_THE_PAGE}
    return sorted(path for path in found if "__pycache__" not in path.parts and path not in unwanted)


def asset_sources() -> list[Path]:
    found = (path for path in (ROOT / "assets").rglob("*") if path.is_file())
    return sorted(path for path in found if VENDOR not in path.parents and not path.name.startswith("."))


def watched() -> list[Path]:
    """Everything a person edits that ends up in dist/."""
    single = (ROOT / name for name in (*PAGE, *CARRIED, "pyproject.toml"))
    return [*(path for path in single if path.is_file()), *python_sources(), *asset_sources()]


def app_archive(node: str) -> bytes:
    """engine/ and ui/ as byte code; compiled once for the same sources."""
    sources = python_sources()
    compiler = [ROOT / "tools" / "bytecode.py", ROOT / "package-lock.json"]
    made = BUILD / "app" / f"{digest([*sources, *compiler])}.zip"
    if not made.is_file():
        say("Compiling engine/ and ui/ for the browser …")
        members = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sources}
        given = BUILD / "app-source.zip"
        write(given, vendor.pack(members))
        fresh = BUILD / "app-fresh.zip"
        vendor.compile_archive(node, VENDOR / "pyodide", given, fresh)
        shutil.rmtree(made.parent, ignore_errors=True)
        made.parent.mkdir(parents=True)
        fresh.replace(made)
    return made.read_bytes()


def hashed_names(app: bytes) -> dict[str, str]:
    """assets/vendor/pyodide/ -> assets/vendor/pyodide-0123abcd/, app.zip -> app-0123abcd.zip"""
    names = {APP: f"app-{hashlib.sha256(app).hexdigest()[:8]}.zip"}
    for folder in HASHED:
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        names[folder] = f"{folder.rstrip('/')}-{digest(files)[:8]}/"
    return names


def catalogue(language: Path) -> bytes:
    """All texts of a language as one compiled catalogue: assets/lang/en/*.po become assets/lang/en.mo."""
    whole, *others = (polib.pofile(str(path)) for path in sorted(language.glob("*.po")))
    for other in others:
        whole.extend(list(other))
    return whole.to_binary()


def collect(node: str) -> dict[str, bytes]:
    """Every file of the site by its address."""
    app = app_archive(node)
    names = hashed_names(app)
    site = {names[APP]: app}
    for path in asset_sources():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".po":
            site[f"{Path(name).parent.as_posix()}.mo"] = catalogue(path.parent)
        elif path.suffix not in NOT_SERVED and name != INLINED:
            site[name] = path.read_bytes()
    for path in sorted(path for path in VENDOR.rglob("*") if path.is_file()):
        site[page.renamed(path.relative_to(ROOT).as_posix(), names)] = path.read_bytes()
    for name in CARRIED:
        if (ROOT / name).is_file():
            site[name] = (ROOT / name).read_bytes()
    site["version.json"] = json.dumps(stamped(names), indent=1).encode() + b"\n"
    site["index.html"] = html(names).encode()
    return site


def stamped(names: dict[str, str]) -> dict[str, object]:
    """What this site is made of, for people who report a fault and for scripts that start a second Python."""
    told = {"speakeasy": app_version(), "commit": commit(), **vendor.versions()}
    return {**told, "app": names[APP], "folders": {Path(folder).name: names[folder] for folder in HASHED}}


def html(names: dict[str, str]) -> str:
    text = (ROOT / "index.html").read_text("utf-8")
    text = page.with_first_style(text, lambda name: (ROOT / name).read_text("utf-8"))
    text = page.with_config(text, (ROOT / "pyscript.toml").read_text("utf-8"))
    chunks = sorted(path.name for path in (VENDOR / "pyscript").glob("*-*.js"))
    modules = [f"assets/vendor/pyscript/{name}" for name in chunks]
    modules += [f"assets/vendor/pyodide/{name}" for name in ("pyodide.mjs", "pyodide.asm.mjs")]
    binary = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
    files = [*(f"assets/vendor/pyodide/{name}" for name in binary), APP]
    return page.renamed(page.with_preloads(text, modules, files), names)


def sums(site: dict[str, bytes]) -> bytes:
    """The site's manifest, as sha256sum writes and checks it."""
    lines = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(site.items()))
    return "".join(lines).encode()


def site() -> None:
    """From whatever is there to a whole dist/; a second time there is next to nothing to do."""
    with alone():
        build(vendor.prepare())


def build(node: str) -> None:
    """Make dist/ say exactly what the sources say; files that did not change are left alone."""
    icons.prepare()
    site = collect(node)
    site[SUMS] = sums(site)
    for name, data in site.items():
        write(DIST / name, data)
    for path in sorted(DIST.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.relative_to(DIST).as_posix() not in site:
            path.unlink()
