"""python -m tools COMMAND: the commands behind the Makefile's targets. Any Python from 3.11 on can start it."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (an older Python should print a sentence, not a traceback)
    sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ".")

import argparse
import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from tools import environments, plain_language
from tools.paths import DIST, ROOT, VENV, VENV_BENCH, ToolError, exclusive_lock, report

PORT = 8000
CHECKED = ("engine", "peer", "ui", "signaling", "tools")
CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy", *CHECKED))

Command = Callable[[argparse.Namespace, list[str]], int]


def run_module(*arguments: str, venv: Path = VENV) -> int:
    """Runs a module in a process of its own with our output streams. Returns its exit code."""
    return subprocess.run([environments.python_in(venv), "-m", *arguments], cwd=ROOT).returncode


def play(options: argparse.Namespace, rest: list[str]) -> int:
    from signaling.embedded import Embedded
    from tools import build, serve

    build.build_site()
    server = serve.open_server(DIST, options.port, serve.Rebuild(build.watched_files, build.build_site))
    server.signaling = Embedded(serve.origins(server.server_port)).start()
    serve.start(server)
    report(f"Speakeasy: http://localhost:{server.server_port}/  (Ctrl+C ends it)")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        report("")
    return 0


def site(options: argparse.Namespace, rest: list[str]) -> int:
    """Builds the page, and says what it lacks for tables by link. With `--check`, tests the endpoint and STUN services
    that it names."""
    from tools import build
    from tools.hosting import tables_by_link

    build.build_site()
    size = sum(path.stat().st_size for path in DIST.rglob("*") if path.is_file())
    report(f"dist/ is ready for any static host ({size / 1e6:.1f} MB).")
    settings = (DIST / tables_by_link.SETTINGS).read_text("utf-8")
    report(tables_by_link.summary(tables_by_link.read_settings(settings)))
    if options.check is None:
        return 0
    with exclusive_lock():
        environments.install("build", "signaling")
    return run_module("signaling", *tables_by_link.check_options(settings, options.check))


def lint(options: argparse.Namespace, rest: list[str]) -> int:
    # a list, so that every check runs and reports, also after one has failed
    return max([run_module(*check) for check in CHECKS] + [plain_language.main()])


def test(options: argparse.Namespace, rest: list[str]) -> int:
    from tools import browser, build, engines, redis_server

    build.build_site()
    browser.prepare()
    engines.prepare()
    redis_server.prepare()
    os.environ.setdefault("SPEAKEASY_SEED", build.commit() or "none")
    # the linters leave a core free, on which the tests are compiled: else every worker would compile all of them
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    collect = [str(environments.python_in(VENV)), "-m", "pytest", "--collect-only", "--quiet"]
    with subprocess.Popen(collect, cwd=ROOT, stdout=subprocess.DEVNULL):
        failed = lint(options, rest)
    # browser tests sometimes wait: one more than there are cores keeps them busy, and each further one costs its start.
    # One test at a time goes to the next free worker
    workers = min(8, 1 + (os.cpu_count() or 1))
    return failed or run_module("pytest", f"--numprocesses={workers}", "--maxschedchunk=1", *rest)


def everything(options: argparse.Namespace, rest: list[str]) -> int:
    """Runs all tests, also every case of those of which `test` draws a sample."""
    return test(options, ["--everything", *rest])


def format_sources(options: argparse.Namespace, rest: list[str]) -> int:
    return max([run_module("ruff", "check", "--fix", "."), run_module("ruff", "format", ".")])


def bench(options: argparse.Namespace, rest: list[str]) -> int:
    from tools import browser, build

    build.build_site()
    browser.prepare()
    with exclusive_lock():
        environments.install("bench-build", venv=VENV_BENCH)
        environments.install("bench", venv=VENV_BENCH, sources=("rlcard",))
    return (
        run_module("bench.signaling")
        or run_module("bench", *rest, venv=VENV_BENCH)
        or run_module("bench.start")
        or run_module("bench.by_link")
        or run_module("bench.floods")
        or run_module("bench.memory")
    )


def pace(options: argparse.Namespace, rest: list[str]) -> int:
    """Measures how fast the page answers on this machine, and writes the figures to bench/pace.md."""
    from tools import browser, build

    build.build_site()
    browser.prepare()
    os.environ["SPEAKEASY_PACE"] = str(ROOT / "bench" / "pace.md")
    return run_module("pytest", "--everything", "e2e/test_pace.py", *rest)


def shots(options: argparse.Namespace, rest: list[str]) -> int:
    from tools import browser, build

    build.build_site()
    browser.prepare()
    return run_module("e2e.shots", *rest)


def soak(options: argparse.Namespace, rest: list[str]) -> int:
    return run_module("tests.engine.soak", *rest) or run_module("tests.peer.simulation.soak", *rest)


def golden(options: argparse.Namespace, rest: list[str]) -> int:
    return run_module("tests.engine.golden", *rest)


def digest(options: argparse.Namespace, rest: list[str]) -> int:
    """Writes the digest of its base image into the endpoint's container file."""
    from tools.hosting import container_base

    container_base.pin()
    return 0


# Each command with the lock files it needs installed in .venv
COMMANDS: dict[str, tuple[Command, tuple[str, ...]]] = {
    "play": (play, ("build", "signaling")),
    "site": (site, ("build",)),
    "test": (test, ("build", "dev")),
    "everything": (everything, ("build", "dev")),
    "lint": (lint, ("build", "dev")),
    "format": (format_sources, ("build", "dev")),
    "bench": (bench, ("build", "dev")),
    "pace": (pace, ("build", "dev")),
    "shots": (shots, ("build", "dev")),
    "soak": (soak, ("build", "dev")),
    "golden": (golden, ("build", "dev")),
    "digest": (digest, ("build",)),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--port", type=int, default=PORT, help="where to serve the page, or the next free one")
    parser.add_argument("--check", metavar="PAGE", help="site: test its endpoint and STUN as the page at this address")
    options, rest = parser.parse_known_args()
    command, locks = COMMANDS[options.command]
    if Path(sys.prefix).resolve() != VENV:
        continue_inside(locks)
    return command(options, rest)


def continue_inside(locks: tuple[str, ...]) -> NoReturn:
    """Creates the project's own environment if needed, and restarts this program in it."""
    with exclusive_lock():
        environments.install(*locks)
    os.chdir(ROOT)
    python = str(environments.python_in(VENV))
    os.execv(python, [python, "-m", "tools", *sys.argv[1:]])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as stop:
        sys.exit(str(stop))
