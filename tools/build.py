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
PAGE = ("index.html", "pyscript.toml", "manifest.webmanifest")
CARRIED = ("LICENSE", "NOTICE")
# Read by the build, or inlined, and so not served
NOT_SERVED = {".po", ".pot", ".md", ".txt"}
INLINED = "assets/style/first.css"
# Folders whose name carries a hash of what is in them: these may be cached for ever
HASHED = ("assets/vendor/pyodide", "assets/vendor/pyscript")
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
    return sorted(path for path in found if "__pycache__" not in path.parts)


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


def folder_names() -> dict[str, str]:
    """assets/vendor/pyodide -> assets/vendor/pyodide-0123abcd"""
    names = {}
    for folder in HASHED:
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        names[folder] = f"{folder}-{digest(files)[:8]}"
    return names


def catalogue(language: Path) -> bytes:
    """All texts of a language as one compiled catalogue: assets/lang/en/*.po become assets/lang/en.mo."""
    whole, *others = (polib.pofile(str(path)) for path in sorted(language.glob("*.po")))
    for other in others:
        whole.extend(list(other))
    return whole.to_binary()


def collect(node: str) -> dict[str, bytes]:
    """Every file of the site by its address."""
    folders = folder_names()
    site = {}
    for path in asset_sources():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".po":
            site[f"{Path(name).parent.as_posix()}.mo"] = catalogue(path.parent)
        elif path.suffix not in NOT_SERVED and name != INLINED:
            site[name] = path.read_bytes()
    for path in sorted(path for path in VENDOR.rglob("*") if path.is_file()):
        site[page.renamed(path.relative_to(ROOT).as_posix(), folders)] = path.read_bytes()
    for name in CARRIED:
        if (ROOT / name).is_file():
            site[name] = (ROOT / name).read_bytes()
    site["app.zip"] = app_archive(node)
    site["pyscript.toml"] = page.renamed((ROOT / "pyscript.toml").read_text("utf-8"), folders).encode()
    site["version.json"] = json.dumps(stamped(folders), indent=1).encode() + b"\n"
    site["manifest.webmanifest"] = (ROOT / "manifest.webmanifest").read_bytes()
    site["index.html"] = html(folders).encode()
    return site


def stamped(folders: dict[str, str]) -> dict[str, object]:
    """What this site is made of, for people who report a fault and for scripts that load a second Python."""
    names = {folder.rpartition("/")[2]: f"{name}/" for folder, name in folders.items()}
    return {"speakeasy": app_version(), "commit": commit(), **vendor.versions(), "folders": names}


def html(folders: dict[str, str]) -> str:
    text = (ROOT / "index.html").read_text("utf-8")
    text = page.with_first_style(text, lambda name: (ROOT / name).read_text("utf-8"))
    chunks = sorted(path.name for path in (VENDOR / "pyscript").glob("*-*.js"))
    modules = [f"assets/vendor/pyscript/{name}" for name in chunks]
    modules += [f"assets/vendor/pyodide/{name}" for name in ("pyodide.mjs", "pyodide.asm.mjs")]
    binary = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
    files = ["pyscript.toml", *(f"assets/vendor/pyodide/{name}" for name in binary), "app.zip"]
    return page.renamed(page.with_preloads(text, modules, files), folders)


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
