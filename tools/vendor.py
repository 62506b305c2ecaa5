"""Makes assets/vendor/: third-party files that are shipped with the page, fetched by hash and reduced to what is
needed."""

import hashlib
import io
import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

from tools.env import fetch_packages, pip, run
from tools.places import BUILD, NODE_MODULES, ROOT, VENDOR, Stop, say, write
from tools.slim import kept, later
from tools.stamp import Stamp, digest

# Made here, and moved to assets/vendor/ when it is complete
NEW = BUILD / "vendor"
PYODIDE = NODE_MODULES / "pyodide"
PYSCRIPT = NODE_MODULES / "@pyscript" / "core" / "dist"
# PyScript would write these sources at each start and compile them; the library has them compiled
PYSCRIPT_MODULES = PYSCRIPT.parent / "src" / "stdlib"
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
# The chunks that the core always loads: without one of them the start fails.
PYSCRIPT_CHUNKS = "core deprecations-manager donkey error py-editor py-game py-terminal".split()
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
LATER = "python-more.zip"
STANDING_IN = ROOT / "tools" / "instead"
INSTEAD = {path.relative_to(STANDING_IN).as_posix(): path for path in sorted(STANDING_IN.rglob("*.py"))}


def version_of(package: str) -> str:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    return str(lock["packages"][f"node_modules/{package}"]["version"])


def versions() -> dict[str, str]:
    return {"pyodide": version_of("pyodide"), "pyscript": version_of("@pyscript/core")}


def prepare() -> str:
    """Makes sure that assets/vendor/ is complete, and returns the path of the node that runs the shipped Pyodide."""
    node = fetch_packages()
    inputs = [ROOT / "package-lock.json", ROOT / "requirements" / "browser.txt"]
    inputs += [ROOT / "tools" / name for name in ("vendor.py", "slim.py", "bytecode.py", "pyodide.mjs")]
    inputs += INSTEAD.values()
    stamp = Stamp("vendor", digest(inputs))
    if not stamp.fresh():
        shutil.rmtree(NEW, ignore_errors=True)
        made = [*pyscript(), *fonts(), *pyodide(node), *licences()]
        shutil.rmtree(VENDOR, ignore_errors=True)
        NEW.replace(VENDOR)
        stamp.set(VENDOR / path.relative_to(NEW) for path in made)
    return node


def copy(source: Path, target: Path) -> Path:
    write(target, source.read_bytes())
    return target


def pyscript() -> list[Path]:
    """Copies core.js and those of its chunks that we need; PyScript has put hashes into their names."""
    home = NEW / "pyscript"
    core = CHUNK.findall((PYSCRIPT / "core.js").read_text("utf-8"))
    named = {name for chunk in core for name in CHUNK.findall((PYSCRIPT / chunk).read_text("utf-8"))}
    wanted = sorted({*core, *(name for name in named if name.rpartition("-")[0] in PYSCRIPT_CHUNKS)})
    if len(wanted) != len(PYSCRIPT_CHUNKS):
        raise Stop("The PyScript package has other files than expected: see PYSCRIPT_CHUNKS in tools/vendor.py.")
    return [without_map(PYSCRIPT / name, home / name) for name in ("core.js", *wanted)]


def without_map(source: Path, target: Path) -> Path:
    """Copies a script without the line that names a source map, because we do not ship the map."""
    text = re.sub(r"\n//# sourceMappingURL=\S+\s*$", "\n", source.read_text("utf-8"))
    write(target, text.encode())
    return target


def fonts() -> list[Path]:
    """Copies the fonts for the alphabets of our languages, and writes fonts.css with addresses relative to itself."""
    home, faces, made = NEW / "fonts", [], []
    for sheet in FONTS:
        folder = (NODE_MODULES / sheet).parent
        for name, face in FACE.findall((NODE_MODULES / sheet).read_text("utf-8")):
            source = SOURCE.search(face)
            if source is None or not any(
                f"-{alphabet}-{weight}" in name for alphabet in ALPHABETS for weight in ("400", "wght")
            ):
                continue
            made.append(copy(folder / "files" / source[1], home / source[1]))
            faces.append(
                face[: source.start()] + f"src: url({source[1]}) format('{source[2]}');" + face[source.end() :]
            )
    write(home / "fonts.css", ("\n".join(faces) + "\n").encode())
    return [*made, home / "fonts.css"]


def pyodide(node: str) -> list[Path]:
    home = NEW / "pyodide"
    made = [copy(PYODIDE / name, home / name) for name in PYODIDE_FILES[1:]]
    made.append(without_map(PYODIDE / PYODIDE_FILES[0], home / PYODIDE_FILES[0]))
    made += library(node, home)
    wheels = fetch_wheels(home)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    listed = trimmed(lock, wheels, home / LATER)
    write(home / "pyodide-lock.json", json.dumps(listed, separators=(",", ":")).encode())
    return [*made, *wheels, home / "pyodide-lock.json"]


def library(node: str, home: Path) -> list[Path]:
    """Compiles the standard library to two archives: one that the page starts with, and one with the modules that only
    third-party packages need."""
    say("Compiling Python's standard library for the browser …")
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as full:
        members = {name: full.read(name) for name in full.namelist()}
    members |= {path.relative_to(PYSCRIPT_MODULES).as_posix(): path.read_bytes() for path in pyscript_modules()}
    members = {name: source for name, source in members.items() if kept(name)}
    members |= {name: path.read_bytes() for name, path in INSTEAD.items()}
    parts = {
        "python_stdlib.zip": {name: data for name, data in members.items() if not later(name)},
        LATER: {name: data for name, data in members.items() if later(name)},
    }
    for name, part in parts.items():
        source = BUILD / f"source-of-{name}"
        write(source, pack(part))
        compile_archive(node, PYODIDE, source, home / name, keeping="bare")
    return [home / name for name in parts]


def pyscript_modules() -> list[Path]:
    found = sorted(PYSCRIPT_MODULES.rglob("*.py"))
    if not found:
        raise Stop("The PyScript package has no Python of its own any more: see PYSCRIPT_MODULES in tools/vendor.py.")
    return found


def fetch_wheels(home: Path) -> list[Path]:
    """Downloads the wheels of requirements/browser.txt for the browser's version of Python."""
    lock = ROOT / "requirements" / "browser.txt"
    target = ("--no-deps", "--only-binary=:all:", "--python-version", PYTHON_TAG)
    pip("download", *target, "--dest", home, "-r", lock)
    return sorted(home.glob("*.whl"))


def trimmed(lock: dict[str, Any], wheels: list[Path], rest: Path) -> dict[str, Any]:
    """Returns Pyodide's package list reduced to the packages we ship, with the hashes of our files.

    Each package depends on `rest`, the archive with the rest of the standard library.
    """
    name = rest.stem
    shared = {"version": lock["info"]["python"], "install_dir": "site", "package_type": "package", "imports": []}
    packages = {name: {"name": name, **shared, "depends": [], "file_name": rest.name, "sha256": sha256(rest)}}
    for wheel in wheels:
        package = wheel.name.split("-")[0].lower().replace("_", "-")
        told = {"depends": [name], "file_name": wheel.name, "sha256": sha256(wheel)}
        own = {"name": package, **shared, "version": wheel.name.split("-")[1], "imports": [package]}
        packages[package] = {**lock["packages"].get(package, own), **told}
    return {"info": lock["info"], "packages": packages}


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pack(members: dict[str, bytes]) -> bytes:
    """Returns a plain zip of sources: the input of the compiler, never shipped."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, data in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(name), data)
    return whole.getvalue()


def compile_archive(node: str, pyodide_home: Path, source: Path, target: Path, keeping: str = "lines") -> None:
    """Compiles a zip of sources to a zip of byte code with the shipped Python; both are inside the project.

    `keeping` is "lines", or "bare" for code whose line numbers nobody needs (see bytecode.py).
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    inside = [f"/host/{path.relative_to(ROOT).as_posix()}" for path in (source, target)]
    tools = ROOT / "tools"
    run(node, tools / "pyodide.mjs", pyodide_home, tools / "bytecode.py", ROOT, *inside, keeping)


def licences() -> list[Path]:
    """Copies the licence texts of the packages."""
    made = []
    for package in ("@pyscript/core", *(str(Path(sheet).parent) for sheet in FONTS)):
        for name in LICENCES:
            if (NODE_MODULES / package / name).is_file():
                target = NEW / "licences" / f"{Path(package).name}.txt"
                made.append(copy(NODE_MODULES / package / name, target))
    return made
