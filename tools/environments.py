"""The environments: Python's from lock files with hashes, Node's from package-lock.json."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.paths import BIN, BUILD, NODE_MODULES, ROOT, VENV, ToolError, report
from tools.stamps import Stamp, digest

OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 18


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Runs a command. Raises Stop with its last lines of output if it fails."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    if result.returncode:
        tail = "\n".join(line[:500] for line in result.stdout.strip().splitlines()[-12:])
        raise ToolError(f"{Path(command[0]).name} {' '.join(map(str, command[1:4]))} failed:\n{tail}")


def apt_command() -> list[str] | None:
    """Returns the command that calls apt-get here, or None if this user may not."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    if shutil.which("sudo") and not subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode:
        return ["sudo", "-n", "apt-get"]
    return None


def apt_install(*packages: str) -> bool:
    """Installs Debian packages. Returns False if this user may not."""
    apt = apt_command()
    if apt is None:
        return False
    report(f"Installing {' '.join(packages)} with apt-get …")
    run(*apt, "update", "-q")
    run(*apt, "install", "-y", "-q", "--no-install-recommends", *packages)
    return True


def python_in(venv: Path) -> Path:
    return venv / BIN / "python"


def make_venv(venv: Path) -> None:
    if python_in(venv).exists():
        return
    if importlib.util.find_spec("ensurepip") is None and not apt_install("python3-venv"):
        raise ToolError("This Python cannot make environments: install python3-venv and try again.")
    report(f"Making {venv.name} …")
    run(sys.executable, "-m", "venv", "--clear", venv)
    for stamp in (BUILD / "stamps").glob(f"{venv.name}-*.json"):
        stamp.unlink()


def pip(command: str, *arguments: str | Path, venv: Path = VENV) -> None:
    quiet = ("--quiet", "--disable-pip-version-check", "--require-hashes")
    run(python_in(venv), "-m", "pip", command, *quiet, *arguments)


def install(*locks: str, venv: Path = VENV, sources: tuple[str, ...] = ()) -> None:
    """Installs the named lock files into `venv`, each download checked against its hash.

    Only wheels are installed, except for the packages in `sources`: these are built here, with the packages that the
    environment has already.
    """
    built = ["--only-binary=:all:", "--no-build-isolation", *(f"--no-binary={name}" for name in sources)]
    make_venv(venv)
    for lock in locks:
        path = ROOT / "requirements" / f"{lock}.txt"
        stamp = Stamp(f"{venv.name}-{lock}", digest([path]))
        if not stamp.is_fresh():
            report(f"Installing {path.relative_to(ROOT)} into {venv.name} …")
            pip("install", *built, "-r", path, venv=venv)
            stamp.save([python_in(venv)])


def node_tools() -> tuple[str, str]:
    """Returns the paths of node and npm: the machine's, else those of PyPI's package in .venv."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and node_version(node) >= OLDEST_NODE:
        return node, npm
    install("node")
    # npm starts `node` from the search path
    os.environ["PATH"] = f"{VENV / BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    return str(VENV / BIN / "node"), str(VENV / BIN / "npm")


def node_version(node: str) -> int:
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    digits = version.strip().lstrip("v").split(".")[0]
    return int(digits) if digits.isdigit() else 0


def fetch_node_packages() -> str:
    """Fills node_modules from package-lock.json, and returns the path of the node to use."""
    node, npm = node_tools()
    lock = ROOT / "package-lock.json"
    stamp = Stamp("npm", digest([lock, ROOT / "package.json"]))
    if not stamp.is_fresh():
        report("Fetching the browser runtime, fonts and icons …")
        run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
        stamp.save([NODE_MODULES / "pyodide", NODE_MODULES / "@pyscript"])
    return node
