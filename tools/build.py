"""The build of dist/: the site as any static host can serve it, in any sub-folder. Nothing else writes dist/."""

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
from tools.paths import BUILD, DIST, ROOT, VENDOR, exclusive_lock, report, write_if_changed
from tools.stamps import digest

SOURCES = ("engine", "peer", "ui")
# For the command line only
NOT_FOR_THE_PAGE = ("engine/__main__.py", "engine/cli/")
PAGE_SOURCES = ("index.html", "pyscript.toml", "sw.js")
COPIED = ("LICENSE", "NOTICE")
MANIFEST = "manifest.webmanifest"
# Sources that the build compiles or inlines, and that are not served themselves
NOT_SERVED = {".po", ".pot", ".md", ".txt"}
INLINED = ("assets/style/first.css", page.FIRST_SCRIPT)
STYLE = "assets/style/"
# Files without a hash in their names: licence texts, for people to read, and the settings a host may change in dist/
WITHOUT_HASH = ("assets/vendor/licences/", "assets/site.json")
STARTUP_KEYS = re.compile(r"boot\.|lobby\.soon$")
APP = "app.zip"
ENGLISH = ROOT / "assets" / "lang" / "en"
SUMS = "SHA256SUMS"
WORKER = "sw.js"
# Files that a player without a network does not need
ONLINE_ONLY = re.compile(
    r"SHA256SUMS$|version\.json$|LICENSE$|NOTICE$|.*/licences/|.*\.whl$|.*/python-more\.zip$|sw\.js$|assets/site\.json$"
)


def app_version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return str(project["project"]["version"])


def commit() -> str | None:
    """Returns the commit the site is built from; None without git or outside a repository."""
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


def watched_files() -> list[Path]:
    """Returns every source file that ends up in dist/."""
    single = (ROOT / name for name in (*PAGE_SOURCES, *COPIED, MANIFEST, "pyproject.toml"))
    return [*(path for path in single if path.is_file()), *python_sources(), *asset_sources()]


def app_archive(node: str, names: dict[str, str]) -> bytes:
    """Returns engine/, peer/ and ui/ as a zip of byte code, with addresses as they are in dist/.

    The result is cached by a hash of the sources.
    """
    sources = python_sources()
    compiler = [ROOT / "tools" / "bytecode.py", ROOT / "package-lock.json"]
    target_zip = BUILD / "app" / f"{digest([*sources, *compiler], *names.values())}.zip"
    if not target_zip.is_file():
        report("Compiling engine/, peer/ and ui/ for the browser …")
        texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sources}
        members = {name: page.rename_addresses(text, names).encode() for name, text in texts.items()}
        source_zip = BUILD / "app-source.zip"
        write_if_changed(source_zip, vendor.zip_sources(members))
        new_zip = BUILD / "app-fresh.zip"
        vendor.compile_archives(node, VENDOR / "pyodide", vendor.Archive(source_zip, new_zip))
        shutil.rmtree(target_zip.parent, ignore_errors=True)
        target_zip.parent.mkdir(parents=True)
        new_zip.replace(target_zip)
    return target_zip.read_bytes()


def hash_group(name: str) -> str:
    """Returns the group of files whose common hash goes into their address; "" for files without a hash.

    A group is a folder below assets/ or assets/vendor/, or a single file:
    assets/art/icon.svg -> assets/art/, assets/vendor/pyodide/x.whl -> assets/vendor/pyodide/, assets/boot.js -> itself
    """
    if not name.startswith("assets/") or name.startswith(WITHOUT_HASH):
        return ""
    home = "assets/vendor/" if name.startswith("assets/vendor/") else "assets/"
    folder, slash, _ = name.removeprefix(home).partition("/")
    return f"{home}{folder}{slash}"


def hashed_name(group: str, members: dict[str, bytes]) -> str:
    """Returns the address of a group with the hash of its files in it.

    assets/art/ -> assets/art-0123abcd/, assets/boot.js -> assets/boot-0123abcd.js. Such files may be cached for ever,
    and no cache can mix two versions.
    """
    total = hashlib.sha256()
    for name, data in sorted(members.items()):
        total.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    short_hash = total.hexdigest()[:8]
    if group.endswith("/"):
        return f"{group.rstrip('/')}-{short_hash}/"
    path = PurePosixPath(group)
    return path.with_name(f"{path.stem}-{short_hash}{path.suffix}").as_posix()


def with_hashed_names(files: dict[str, bytes]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Returns the files by their addresses in dist/, and the new name of every group (see `family`) by its old one."""
    names: dict[str, str] = {}
    site: dict[str, bytes] = {}
    # style sheets refer to files in other folders, so they are renamed last
    families = sorted({hash_group(name) for name in files}, key=lambda name: (name == STYLE, name))
    for each in families:
        members = {name: data for name, data in files.items() if hash_group(name) == each}
        if each == STYLE:
            members = {name: page.rename_in_style(data.decode(), names).encode() for name, data in members.items()}
        if each:
            names[each] = hashed_name(each, members)
        site |= {page.rename_addresses(name, names): data for name, data in members.items()}
    return site, names


def catalogue(language: Path) -> bytes:
    """Returns all texts of a language as one compiled catalogue: assets/lang/en/*.po become assets/lang/en.mo."""
    merged, *others = (polib.pofile(str(path)) for path in sorted(language.glob("*.po")))
    for other in others:
        merged.extend(list(other))
    return merged.to_binary()


def startup_texts() -> dict[str, dict[str, str]]:
    """Returns the texts that may be needed before Python has started, by language; English is in the page itself."""
    languages = (path for path in sorted((ROOT / "assets" / "lang").iterdir()) if path.is_dir() and path.name != "en")
    return {
        path.name: {key: text for key, text in texts_of(path).items() if STARTUP_KEYS.match(key)} for path in languages
    }


def texts_of(language: Path) -> dict[str, str]:
    return {entry.msgid: entry.msgstr for path in language.glob("*.po") for entry in polib.pofile(str(path))}


def asset_files() -> dict[str, bytes]:
    """Returns every file below assets/ that is served, by its address in the sources."""
    sources = {path.relative_to(ROOT).as_posix(): path for path in asset_sources()}
    languages = {path.parent for path in sources.values() if path.suffix == ".po"}
    files = {f"{language.relative_to(ROOT).as_posix()}.mo": catalogue(language) for language in languages}
    files |= {
        name: path.read_bytes()
        for name, path in sources.items()
        if path.suffix not in NOT_SERVED and name not in INLINED
    }
    linked = page.sheets(source_page())
    files[page.ALL_SHEETS] = page.join_sheets({name: files.pop(name).decode() for name in linked}).encode()
    vendored = (path for path in VENDOR.rglob("*") if path.is_file())
    return files | {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in vendored}


def source_page() -> str:
    """Returns index.html with the style sheets of all boards linked."""
    return page.with_board_sheets((ROOT / "index.html").read_text("utf-8"), GAMES)


def collect_site(node: str) -> dict[str, bytes]:
    """Returns every file of the site by its address."""
    site, names = with_hashed_names(asset_files())
    app = app_archive(node, names)
    names[APP] = hashed_name(APP, {APP: app})
    site[names[APP]] = app
    for name in COPIED:
        if (ROOT / name).is_file():
            site[name] = page.rename_addresses((ROOT / name).read_text("utf-8"), names).encode()
    manifest = page.with_shortcuts((ROOT / MANIFEST).read_text("utf-8"), GAMES.seats, texts_of(ENGLISH))
    site[MANIFEST] = page.rename_addresses(manifest, names).encode()
    site["version.json"] = json.dumps(version_info(names), indent=1).encode() + b"\n"
    text = page_html(names, site)
    version = hashlib.sha256(checksums(offline_files({**site, "index.html": text.encode()}))).hexdigest()[:12]
    site["index.html"] = page.with_version(text, version).encode()
    site[WORKER] = worker_script(version, offline_files(site))
    return site


def offline_files(site: dict[str, bytes]) -> dict[str, bytes]:
    """Returns the files that the service worker stores for a visit without a network."""
    return {name: data for name, data in site.items() if not ONLINE_ONLY.match(name)}


def worker_script(version: str, stored: dict[str, bytes]) -> bytes:
    """Returns the service worker's script with its version and the files that it stores: addresses with their hashes in
    the format of the `integrity` attribute."""
    # the page has the address of the folder: some hosts redirect index.html there
    files = {"./" if name == "index.html" else name: integrity(data) for name, data in sorted(stored.items())}
    return page.with_files((ROOT / WORKER).read_text("utf-8"), version, files).encode()


def integrity(data: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(data).digest()).decode()


def version_info(names: dict[str, str]) -> dict[str, object]:
    """Returns the content of version.json: the versions of this site's parts, for people who report a fault, and the
    addresses of its folders, for scripts that start a second Python."""
    versions = {"speakeasy": app_version(), "commit": commit(), **vendor.versions()}
    folders = {Path(name).name: new for name, new in names.items() if name.endswith("/")}
    return {**versions, "app": names[APP], "folders": folders}


def page_html(names: dict[str, str], site: dict[str, bytes]) -> str:
    text = page.with_first_screen(source_page(), first_screen.painted(catalogue(ENGLISH)))
    text = page.with_first_style(text, lambda name: (ROOT / name).read_text("utf-8"), names)
    text = page.with_first_script(text, lambda name: (ROOT / name).read_text("utf-8"))
    text = page.with_startup_texts(page.with_one_sheet(text), startup_texts())
    settings = json.loads(site.get("assets/site.json", b"{}"))
    text = page.with_endpoint(text, str(settings.get("signaling", "")))
    text = page.with_config(text, (ROOT / "pyscript.toml").read_text("utf-8"))
    chunks = sorted(path.name for path in (VENDOR / "pyscript").glob("*-*.js"))
    modules = [f"assets/vendor/pyscript/{name}" for name in chunks]
    modules += [f"assets/vendor/pyodide/{name}" for name in ("pyodide.mjs", "pyodide.asm.mjs")]
    binary = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
    files = [*(f"assets/vendor/pyodide/{name}" for name in binary), APP]
    sized = (
        {name: transfer_size(site[name]) for name in (page.rename_addresses(n, names) for n in kind)}
        for kind in (modules, files)
    )
    return page.rename_addresses(page.with_preloads(text, *sized), names)


def transfer_size(data: bytes) -> int:
    """Returns about how many bytes are transferred."""
    return len(zlib.compress(data, 1))


def checksums(site: dict[str, bytes]) -> bytes:
    """Returns the checksums of all files, in the format that sha256sum writes and checks."""
    lines = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(site.items()))
    return "".join(lines).encode()


def build_site() -> None:
    """Fetches what is missing and builds dist/. A second call without changes does almost nothing."""
    with exclusive_lock():
        write_site(vendor.prepare())


def write_site(node: str) -> None:
    """Makes dist/ match the sources. Leaves unchanged files alone, and deletes files of older builds."""
    icons.prepare()
    site = collect_site(node)
    site[SUMS] = checksums(site)
    for name, data in site.items():
        write_if_changed(DIST / name, data)
    for path in sorted(DIST.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.relative_to(DIST).as_posix() not in site:
            path.unlink()
