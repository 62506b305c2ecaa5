"""python -m tools COMMAND: what the Makefile's targets do. Any Python from 3.11 on may start it."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (an older Python should get a sentence, not a traceback)
    sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ".")

import argparse
import os
import subprocess
import threading

from tools import env
from tools.places import DIST, ROOT, VENV, VENV_BENCH, Stop, say

PORT = 8000
CHECKED = ("engine", "ui", "tools")


def inside() -> bool:
    """Are we the Python of .venv? Everything past its making runs there."""
    return os.path.realpath(sys.prefix) == os.path.realpath(VENV)


def python(*arguments: str, venv: object = VENV) -> int:
    """Run a module of the project as its own process, output and all."""
    command = [str(env.python_in(VENV if venv is VENV else VENV_BENCH)), *arguments]
    return subprocess.run(command, cwd=ROOT).returncode


def site() -> str:
    from tools import build, vendor

    node = vendor.prepare()
    build.build(node)
    return node


def play(options: argparse.Namespace) -> int:
    from tools import build, serve

    node = site()
    server = serve.open_server(DIST, options.port, serve.Rebuild(build.watched, lambda: build.build(node)))
    serve.start(server)
    say(f"Speakeasy: http://localhost:{server.server_port}/  (Ctrl+C ends it)")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        say("")
    return 0


def make_site(options: argparse.Namespace) -> int:
    site()
    size = sum(path.stat().st_size for path in DIST.rglob("*") if path.is_file())
    say(f"dist/ is ready for any static host: {size / 1e6:.1f} MB.")
    return 0


def lint(options: argparse.Namespace) -> int:
    checks = (
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy", *(name for name in CHECKED if (ROOT / name).is_dir())),
    )
    # every check speaks, also after one has failed
    return max([python("-m", *check) for check in checks])


def test(options: argparse.Namespace) -> int:
    from tools import browser

    site()
    browser.prepare()
    return lint(options) or python("-m", "pytest", *options.rest)


def format_all(options: argparse.Namespace) -> int:
    return python("-m", "ruff", "check", "--fix", ".") or python("-m", "ruff", "format", ".")


COMMANDS = {
    "play": (play, ("build",)),
    "site": (make_site, ("build",)),
    "test": (test, ("build", "dev")),
    "lint": (lint, ("build", "dev")),
    "format": (format_all, ("build", "dev")),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--port", type=int, default=PORT)
    options, options.rest = parser.parse_known_args()
    command, locks = COMMANDS[options.command]
    if not inside():
        env.install(*locks)
        python_here = str(env.python_in(VENV))
        os.chdir(ROOT)
        os.execv(python_here, [python_here, "-m", "tools", *sys.argv[1:]])
    return command(options)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stop as stop:
        sys.exit(str(stop))
