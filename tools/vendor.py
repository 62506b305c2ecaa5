"""Makes assets/vendor/: third-party files that are shipped with the page, fetched by hash and reduced to what is
needed."""

import hashlib
import io
import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

from tools.environments import fetch_node_packages, pip, run
from tools.paths import BUILD, NODE_MODULES, ROOT, VENDOR, ToolError, report, write_if_changed
from tools.stamps import Stamp, digest
from tools.stdlib_parts import is_deferred, is_shipped

# Made here, and moved to assets/vendor/ when it is complete
STAGING = BUILD / "vendor"
PYODIDE = NODE_MODULES / "pyodide"
PYSCRIPT = NODE_MODULES / "@pyscript" / "core" / "dist"
# PyScript would write these sources at each start and compile them; the library has them compiled
PYSCRIPT_MODULES = PYSCRIPT.parent / "src" / "stdlib"
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
# The chunks that the core loads although pyscript.toml switches all plugins off: without one of them the start fails.
PYSCRIPT_CHUNKS = ("core", "error")
FONTS = (
    "@fontsource/limelight/400.css",
    "@fontsource-variable/josefin-sans/wght.css",
    "@fontsource-variable/source-sans-3/wght.css",
)
ALPHABETS = ("latin", "latin-ext")
CHUNK = re.compile(r'"\./([\w-]+\.js)"')
LICENCES = ("LICENSE", "LICENSE.md", "LICENSE.txt")
FACE = re.compile(r"/\*\s*(\S+)\s*\*/\s*(@font-face\s*{.*?})", re.DOTALL)
SOURCE = re.compile(r"src:\s*url\(\./files/([^)]+\.woff2)\)\s*format\('([^']+)'\)[^;]*;")
PYTHON_TAG = "3.14"
DEFERRED_ARCHIVE = "python-more.zip"
STAND_INS_FOLDER = ROOT / "tools" / "instead"
STAND_INS = {path.relative_to(STAND_INS_FOLDER).as_posix(): path for path in sorted(STAND_INS_FOLDER.rglob("*.py"))}


def version_of(package: str) -> str:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    return str(lock["packages"][f"node_modules/{package}"]["version"])


def versions() -> dict[str, str]:
    return {"pyodide": version_of("pyodide"), "pyscript": version_of("@pyscript/core")}


def prepare() -> str:
    """Makes sure that assets/vendor/ is complete, and returns the path of the node that runs the shipped Pyodide."""
    node = fetch_node_packages()
    inputs = [ROOT / "package-lock.json", ROOT / "requirements" / "browser.txt"]
    inputs += [ROOT / "tools" / name for name in ("vendor.py", "stdlib_parts.py", "bytecode.py", "pyodide.mjs")]
    inputs += STAND_INS.values()
    stamp = Stamp("vendor", digest(inputs))
    if not stamp.is_fresh():
        shutil.rmtree(STAGING, ignore_errors=True)
        made = [*copy_pyscript(), *copy_fonts(), *copy_pyodide(node), *copy_licences()]
        shutil.rmtree(VENDOR, ignore_errors=True)
        STAGING.replace(VENDOR)
        stamp.save(VENDOR / path.relative_to(STAGING) for path in made)
    return node


def copy_file(source: Path, target: Path) -> Path:
    write_if_changed(target, source.read_bytes())
    return target


def copy_pyscript() -> list[Path]:
    """Copies core.js and those of its chunks that we need; PyScript has put hashes into their names."""
    folder = STAGING / "pyscript"
    core = CHUNK.findall((PYSCRIPT / "core.js").read_text("utf-8"))
    named = {name for chunk in core for name in CHUNK.findall((PYSCRIPT / chunk).read_text("utf-8"))}
    wanted = sorted({*core, *(name for name in named if name.rpartition("-")[0] in PYSCRIPT_CHUNKS)})
    if len(wanted) != len(PYSCRIPT_CHUNKS):
        raise ToolError("The PyScript package has other files than expected: see PYSCRIPT_CHUNKS in tools/vendor.py.")
    return [without_map(PYSCRIPT / name, folder / name) for name in ("core.js", *wanted)]


def without_map(source: Path, target: Path) -> Path:
    """Copies a script without the line that names a source map, because we do not ship the map."""
    text = re.sub(r"\n//# sourceMappingURL=\S+\s*$", "\n", source.read_text("utf-8"))
    write_if_changed(target, text.encode())
    return target


def copy_fonts() -> list[Path]:
    """Copies the fonts for the alphabets of our languages, and writes fonts.css with addresses relative to itself."""
    fonts_folder, faces, made = STAGING / "fonts", [], []
    for sheet in FONTS:
        folder = (NODE_MODULES / sheet).parent
        for name, face in FACE.findall((NODE_MODULES / sheet).read_text("utf-8")):
            source = SOURCE.search(face)
            if source is None or not any(
                f"-{alphabet}-{weight}" in name for alphabet in ALPHABETS for weight in ("400", "wght")
            ):
                continue
            made.append(copy_file(folder / "files" / source[1], fonts_folder / source[1]))
            faces.append(
                face[: source.start()] + f"src: url({source[1]}) format('{source[2]}');" + face[source.end() :]
            )
    write_if_changed(fonts_folder / "fonts.css", ("\n".join(faces) + "\n").encode())
    return [*made, fonts_folder / "fonts.css"]


def copy_pyodide(node: str) -> list[Path]:
    folder = STAGING / "pyodide"
    made = [copy_file(PYODIDE / name, folder / name) for name in PYODIDE_FILES[1:]]
    made.append(without_map(PYODIDE / PYODIDE_FILES[0], folder / PYODIDE_FILES[0]))
    made += compile_library(node, folder)
    wheels = fetch_wheels(folder)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    listed = reduced_lock(lock, wheels, folder / DEFERRED_ARCHIVE)
    write_if_changed(folder / "pyodide-lock.json", json.dumps(listed, separators=(",", ":")).encode())
    return [*made, *wheels, folder / "pyodide-lock.json"]


def compile_library(node: str, target_folder: Path) -> list[Path]:
    """Compiles the standard library to two archives: one that the page starts with, and one with the modules that only
    third-party packages need."""
    report("Compiling Python's standard library for the browser …")
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as full:
        members = {name: full.read(name) for name in full.namelist()}
    members |= {path.relative_to(PYSCRIPT_MODULES).as_posix(): path.read_bytes() for path in pyscript_modules()}
    members = {name: source for name, source in members.items() if is_shipped(name)}
    members |= {name: path.read_bytes() for name, path in STAND_INS.items()}
    parts = {
        "python_stdlib.zip": {name: data for name, data in members.items() if not is_deferred(name)},
        DEFERRED_ARCHIVE: {name: data for name, data in members.items() if is_deferred(name)},
    }
    archives = []
    for name, part in parts.items():
        source = BUILD / f"source-of-{name}"
        write_if_changed(source, zip_sources(part))
        archives.append(Archive(source, target_folder / name, keeping="bare"))
    compile_archives(node, PYODIDE, *archives)
    return [target_folder / name for name in parts]


def pyscript_modules() -> list[Path]:
    found = sorted(PYSCRIPT_MODULES.rglob("*.py"))
    if not found:
        raise ToolError(
            "The PyScript package has no Python of its own any more: see PYSCRIPT_MODULES in tools/vendor.py."
        )
    return found


def fetch_wheels(folder: Path) -> list[Path]:
    """Downloads the wheels of requirements/browser.txt for the browser's version of Python."""
    lock = ROOT / "requirements" / "browser.txt"
    target = ("--no-deps", "--only-binary=:all:", "--python-version", PYTHON_TAG)
    pip("download", *target, "--dest", folder, "-r", lock)
    return sorted(folder.glob("*.whl"))


def reduced_lock(lock: dict[str, Any], wheels: list[Path], rest_archive: Path) -> dict[str, Any]:
    """Returns Pyodide's package list reduced to the packages we ship, with the hashes of our files.

    Each package depends on `rest`, the archive with the rest of the standard library.
    """
    name = rest_archive.stem
    shared = {"version": lock["info"]["python"], "install_dir": "site", "package_type": "package", "imports": []}
    packages = {
        name: {"name": name, **shared, "depends": [], "file_name": rest_archive.name, "sha256": sha256(rest_archive)}
    }
    for wheel in wheels:
        package = wheel.name.split("-")[0].lower().replace("_", "-")
        shipped = {"depends": [name], "file_name": wheel.name, "sha256": sha256(wheel)}
        own = {"name": package, **shared, "version": wheel.name.split("-")[1], "imports": [package]}
        packages[package] = {**lock["packages"].get(package, own), **shipped}
    return {"info": lock["info"], "packages": packages}


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def zip_sources(members: dict[str, bytes]) -> bytes:
    """Returns a plain zip of sources: the input of the compiler, never shipped."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


class Archive(NamedTuple):
    """A zip of sources and the zip of byte code that is made of it; both are inside the project.

    `keeping` is "lines", or "bare" for code whose line numbers nobody needs (see bytecode.py).
    """

    source: Path
    target: Path
    keeping: str = "lines"


def compile_archives(node: str, pyodide_home: Path, *archives: Archive) -> None:
    """Compiles zips of sources to zips of byte code with the shipped Python, which is started once for all of them."""
    words: list[str] = []
    for source, target, keeping in archives:
        target.parent.mkdir(parents=True, exist_ok=True)
        words += [*(f"/host/{path.relative_to(ROOT).as_posix()}" for path in (source, target)), keeping]
    tools = ROOT / "tools"
    # WebAssembly's second compiler, which is for programs that run longer, would take more time than it saves
    run(node, "--liftoff-only", tools / "pyodide.mjs", pyodide_home, tools / "bytecode.py", ROOT, *words)


def copy_licences() -> list[Path]:
    """Copies the licence texts of the packages."""
    made = []
    for package in ("@pyscript/core", *(str(Path(sheet).parent) for sheet in FONTS)):
        for name in LICENCES:
            if (NODE_MODULES / package / name).is_file():
                target = STAGING / "licences" / f"{Path(package).name}.txt"
                made.append(copy_file(NODE_MODULES / package / name, target))
    return made
