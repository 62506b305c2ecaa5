"""dist/: the site as any static host can serve it, in any sub-folder. There is no other way to build it."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import tomllib
import zlib
from pathlib import Path, PurePosixPath

import polib

from engine import GAMES
from tools import first_screen, icons, page, vendor
from tools.places import BUILD, DIST, ROOT, VENDOR, alone, say, write
from tools.stamp import digest

SOURCES = ("engine", "peer", "ui")
# For the command line only
NOT_FOR_THE_PAGE = ("engine/__main__.py", "engine/cli/")
PAGE = ("index.html", "pyscript.toml", "sw.js")
CARRIED = ("LICENSE", "NOTICE")
MANIFEST = "manifest.webmanifest"
# Read by the build, or inlined, and so not served
NOT_SERVED = {".po", ".pot", ".md", ".txt"}
INLINED = ("assets/style/first.css", page.FIRST_SCRIPT)
STYLE = "assets/style/"
# The words of the law, read by people, and what a host may still change in dist/
UNNAMED = ("assets/vendor/licences/", "assets/site.json")
FIRST_WORDS = re.compile(r"boot\.|lobby\.soon$")
APP = "app.zip"
ENGLISH = ROOT / "assets" / "lang" / "en"
SUMS = "SHA256SUMS"
WORKER = "sw.js"
# What a player without a network can do without
ONLINE_ONLY = re.compile(
    r"SHA256SUMS$|version\.json$|LICENSE$|NOTICE$|.*/licences/|.*\.whl$|.*/python-more\.zip$|sw\.js$|assets/site\.json$"
)


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
    wanted = (path for path in found if "__pycache__" not in path.parts)
    return sorted(path for path in wanted if not path.relative_to(ROOT).as_posix().startswith(NOT_FOR_THE_PAGE))


def asset_sources() -> list[Path]:
    found = (path for path in (ROOT / "assets").rglob("*") if path.is_file())
    return sorted(path for path in found if VENDOR not in path.parents and not path.name.startswith("."))


def watched() -> list[Path]:
    """Everything a person edits that ends up in dist/."""
    single = (ROOT / name for name in (*PAGE, *CARRIED, MANIFEST, "pyproject.toml"))
    return [*(path for path in single if path.is_file()), *python_sources(), *asset_sources()]


def app_archive(node: str, names: dict[str, str]) -> bytes:
    """engine/, peer/ and ui/ as byte code, with addresses as they are in dist/; compiled once for the same sources."""
    sources = python_sources()
    compiler = [ROOT / "tools" / "bytecode.py", ROOT / "package-lock.json"]
    made = BUILD / "app" / f"{digest([*sources, *compiler], *names.values())}.zip"
    if not made.is_file():
        say("Compiling engine/, peer/ and ui/ for the browser …")
        texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sources}
        members = {name: page.renamed(text, names).encode() for name, text in texts.items()}
        given = BUILD / "app-source.zip"
        write(given, vendor.pack(members))
        fresh = BUILD / "app-fresh.zip"
        vendor.compile_archive(node, VENDOR / "pyodide", given, fresh)
        shutil.rmtree(made.parent, ignore_errors=True)
        made.parent.mkdir(parents=True)
        fresh.replace(made)
    return made.read_bytes()


def family(name: str) -> str:
    """What shares one hash: a file's folder below assets/ or assets/vendor/, or the file itself; "" has none.

    assets/art/icon.svg -> assets/art/, assets/vendor/pyodide/x.whl -> assets/vendor/pyodide/, assets/boot.js -> itself
    """
    if not name.startswith("assets/") or name.startswith(UNNAMED):
        return ""
    home = "assets/vendor/" if name.startswith("assets/vendor/") else "assets/"
    folder, slash, _ = name.removeprefix(home).partition("/")
    return f"{home}{folder}{slash}"


def named(family: str, members: dict[str, bytes]) -> str:
    """assets/art/ -> assets/art-0123abcd/, assets/boot.js -> assets/boot-0123abcd.js: may be cached for ever, and no
    cache can mix two versions."""
    total = hashlib.sha256()
    for name, data in sorted(members.items()):
        total.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    mark = total.hexdigest()[:8]
    if family.endswith("/"):
        return f"{family.rstrip('/')}-{mark}/"
    path = PurePosixPath(family)
    return path.with_name(f"{path.stem}-{mark}{path.suffix}").as_posix()


def with_names(files: dict[str, bytes]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Files under the addresses they have in dist/, and the new name of every family."""
    names: dict[str, str] = {}
    site: dict[str, bytes] = {}
    # style sheets name what lies in other folders, so they come last
    families = sorted({family(name) for name in files}, key=lambda name: (name == STYLE, name))
    for each in families:
        members = {name: data for name, data in files.items() if family(name) == each}
        if each == STYLE:
            members = {name: page.restyled(data.decode(), names).encode() for name, data in members.items()}
        if each:
            names[each] = named(each, members)
        site |= {page.renamed(name, names): data for name, data in members.items()}
    return site, names


def catalogue(language: Path) -> bytes:
    """All texts of a language as one compiled catalogue: assets/lang/en/*.po become assets/lang/en.mo."""
    whole, *others = (polib.pofile(str(path)) for path in sorted(language.glob("*.po")))
    for other in others:
        whole.extend(list(other))
    return whole.to_binary()


def first_words() -> dict[str, dict[str, str]]:
    """What may have to be said before Python is awake, by language; English stands in the page."""
    languages = (path for path in sorted((ROOT / "assets" / "lang").iterdir()) if path.is_dir() and path.name != "en")
    return {
        path.name: {key: text for key, text in spoken(path).items() if FIRST_WORDS.match(key)} for path in languages
    }


def spoken(language: Path) -> dict[str, str]:
    return {entry.msgid: entry.msgstr for path in language.glob("*.po") for entry in polib.pofile(str(path))}


def assets() -> dict[str, bytes]:
    """Everything below assets/ that is served, by its address in the sources."""
    files = {}
    for path in asset_sources():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".po":
            files[f"{Path(name).parent.as_posix()}.mo"] = catalogue(path.parent)
        elif path.suffix not in NOT_SERVED and name not in INLINED:
            files[name] = path.read_bytes()
    linked = page.sheets(source_page())
    files[page.ALL_SHEETS] = page.one_sheet([files.pop(name).decode() for name in linked]).encode()
    vendored = (path for path in VENDOR.rglob("*") if path.is_file())
    return files | {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in vendored}


def source_page() -> str:
    """Returns index.html with the style sheets of all boards linked."""
    return page.with_board_sheets((ROOT / "index.html").read_text("utf-8"), GAMES)


def collect(node: str) -> dict[str, bytes]:
    """Every file of the site by its address."""
    site, names = with_names(assets())
    app = app_archive(node, names)
    names[APP] = named(APP, {APP: app})
    site[names[APP]] = app
    for name in CARRIED:
        if (ROOT / name).is_file():
            site[name] = page.renamed((ROOT / name).read_text("utf-8"), names).encode()
    manifest = page.with_shortcuts((ROOT / MANIFEST).read_text("utf-8"), GAMES, spoken(ENGLISH))
    site[MANIFEST] = page.renamed(manifest, names).encode()
    site["version.json"] = json.dumps(stamped(names), indent=1).encode() + b"\n"
    text = html(names, site)
    version = hashlib.sha256(sums(offline({**site, "index.html": text.encode()}))).hexdigest()[:12]
    site["index.html"] = page.with_version(text, version).encode()
    site[WORKER] = worker(version, offline(site))
    return site


def offline(site: dict[str, bytes]) -> dict[str, bytes]:
    """What is kept for a visit without a network."""
    return {name: data for name, data in site.items() if not ONLINE_ONLY.match(name)}


def worker(version: str, kept: dict[str, bytes]) -> bytes:
    """The service worker, told what it keeps: every file by its address, with its sum as `integrity` wants it."""
    # the page is the folder itself: some hosts send a visitor of index.html there
    files = {"./" if name == "index.html" else name: integrity(data) for name, data in sorted(kept.items())}
    return page.with_list((ROOT / WORKER).read_text("utf-8"), version, files).encode()


def integrity(data: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(data).digest()).decode()


def stamped(names: dict[str, str]) -> dict[str, object]:
    """What this site is made of, for people who report a fault and for scripts that start a second Python."""
    told = {"speakeasy": app_version(), "commit": commit(), **vendor.versions()}
    folders = {Path(name).name: new for name, new in names.items() if name.endswith("/")}
    return {**told, "app": names[APP], "folders": folders}


def html(names: dict[str, str], site: dict[str, bytes]) -> str:
    text = page.with_first_screen(source_page(), first_screen.painted(catalogue(ENGLISH)))
    text = page.with_first_style(text, lambda name: (ROOT / name).read_text("utf-8"), names)
    text = page.with_first_script(text, lambda name: (ROOT / name).read_text("utf-8"))
    text = page.with_words(page.with_one_sheet(text), first_words())
    settings = json.loads(site.get("assets/site.json", b"{}"))
    text = page.with_endpoint(text, str(settings.get("signaling", "")))
    text = page.with_config(text, (ROOT / "pyscript.toml").read_text("utf-8"))
    chunks = sorted(path.name for path in (VENDOR / "pyscript").glob("*-*.js"))
    modules = [f"assets/vendor/pyscript/{name}" for name in chunks]
    modules += [f"assets/vendor/pyodide/{name}" for name in ("pyodide.mjs", "pyodide.asm.mjs")]
    binary = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
    files = [*(f"assets/vendor/pyodide/{name}" for name in binary), APP]
    sized = ({name: packed(site[name]) for name in (page.renamed(n, names) for n in kind)} for kind in (modules, files))
    return page.renamed(page.with_preloads(text, *sized), names)


def packed(data: bytes) -> int:
    """About how many bytes travel."""
    return len(zlib.compress(data, 1))


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
